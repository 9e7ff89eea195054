//! Where the records of a journal are in its file: 24 bytes a record, however long it is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) trial: u64,
    /// Where its text begins.
    pub(crate) offset: u64,
    /// The bytes of its text.
    pub(crate) length: u32,
    /// The line number in the file, from 1.
    pub(crate) line: u32,
}

/// The records of a file, by trial.
#[derive(Debug)]
pub(crate) struct Places {
    all: Vec<Place>,
    /// How many of them are sorted, from the start.
    sorted: usize,
    file: Mutex<Window>,
}

/// A part of a file, read ahead.
#[derive(Debug)]
struct Window {
    file: File,
    start: u64,
    bytes: Vec<u8>,
}

/// How much of a file is read at a time.
const WINDOW_BYTES: usize = 1 << 16;

impl Places {
    pub(crate) fn new(file: File) -> Places {
        Places { all: Vec::new(), sorted: 0, file: Mutex::new(Window { file, start: 0, bytes: Vec::new() }) }
    }

    /// Adds a place, in any order.
    pub(crate) fn push(&mut self, place: Place) {
        let is_next =
            self.sorted == self.all.len() && self.all.last().is_none_or(|last| last.trial < place.trial);
        self.sorted += usize::from(is_next);
        self.all.push(place);
    }

    /// Sorts the places by trial. Of several with the same trial the first in the file stays; `doubles` gets it with each
    /// of the others.
    pub(crate) fn sort(&mut self, doubles: &mut Vec<(Place, Place)>) {
        if self.sorted < self.all.len() {
            self.all.sort_unstable_by_key(|place| (place.trial, place.line));
            self.all.dedup_by(|next, kept| {
                let is_double = next.trial == kept.trial;
                if is_double {
                    doubles.push((*kept, *next));
                }
                is_double
            });
        }
        self.all.shrink_to_fit();
        self.sorted = self.all.len();
    }

    /// Forgets what was read ahead, because the file was cut.
    pub(crate) fn reread(&self) {
        self.window().bytes.clear();
    }

    fn window(&self) -> MutexGuard<'_, Window> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The places, in order of trials if they are sorted.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Place> {
        self.all.iter()
    }

    /// The place of a trial. The places are sorted.
    pub(crate) fn find(&self, trial: u64) -> Option<&Place> {
        let at = self.all.binary_search_by_key(&trial, |place| place.trial).ok()?;
        self.all.get(at)
    }

    /// The text at a place.
    pub(crate) fn text(&self, place: &Place) -> io::Result<String> {
        let mut window = self.window();
        let bytes = window.read(place.offset, place.length as usize)?;
        let text = str::from_utf8(bytes).map_err(|_| changed())?;
        Ok(text.into())
    }
}

impl Window {
    /// These bytes of the file.
    fn read(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let is_here = offset >= self.start && offset + length as u64 <= self.start + self.bytes.len() as u64;
        if !is_here {
            self.bytes.clear();
            self.file.seek(SeekFrom::Start(offset))?;
            (&self.file).take(length.max(WINDOW_BYTES) as u64).read_to_end(&mut self.bytes)?;
            self.start = offset;
        }
        let from = (offset - self.start) as usize;
        self.bytes.get(from..from + length).ok_or_else(changed)
    }
}

fn changed() -> io::Error {
    io::Error::other("the file has changed since it was read")
}
