//! A journal: the records of an experiment's trials, one per line.
//!
//! The first line is the [`Header`]; each line after it is `{"trial":17,"record":{..}}`, in the order in which the
//! trials ended, or by id once the run is finished. A run that adds trials to a journal first writes another header
//! with the new number of trials; the finished journal has only that one. Every line ends with a newline and is one
//! write, so a killed program can tear only the last line. This file reads journals; it never changes one.
//!
//! A journal may be larger than the memory. So what is kept of a record is its place in the file, and it is read when
//! somebody asks for it. Only code that knows the type of records parses them.

use crate::places::{Place, Places};
use crate::{Error, Header, Ranges};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

/// A journal that was read.
#[derive(Debug)]
pub struct Journal {
    /// The file it was read from.
    pub path: PathBuf,
    /// The experiment, seed and program of the records.
    pub header: Header,
    /// Where its records are.
    pub(crate) places: Places,
    /// Trials that appear more than once, each time with the same record.
    pub doubled: Ranges,
    /// Whether the last line was torn and therefore ignored.
    pub torn: bool,
    /// The number of bytes in complete lines.
    pub(crate) sound_bytes: u64,
}

/// One record of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The record as JSON.
    pub record: String,
    /// The line number in the file, from 1.
    pub line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    trial: u64,
    #[serde(borrow)]
    record: &'a RawValue,
}

impl Journal {
    /// Reads a journal with records of any type. Ignores a torn last line; the file does not change.
    pub fn read(path: &Path) -> Result<Journal, Error> {
        let file = File::open(path).map_err(|error| Error::file("read", path, &error))?;
        Journal::scan(path, file)?.ok_or_else(|| {
            let path = path.display();
            Error::new(format!("{path}: a journal without a whole first line; run it again, or delete it"))
        })
    }

    /// A journal without records, of a file that is empty or has only a torn header.
    pub(crate) fn empty(path: &Path, file: File, header: Header) -> Journal {
        let torn = file.metadata().is_ok_and(|found| found.len() > 0);
        let places = Places::new(file);
        Journal { path: path.into(), header, places, doubled: Ranges::default(), torn, sound_bytes: 0 }
    }

    /// Scans a file from its start. None if there is only a torn header.
    pub(crate) fn scan(path: &Path, mut file: File) -> Result<Option<Journal>, Error> {
        let failed = |error| Error::file("read", path, &error);
        file.rewind().map_err(failed)?;
        let kept = file.try_clone().map_err(failed)?;
        let mut lines = Lines { from: BufReader::with_capacity(1 << 16, file) };
        let first = lines.next().map_err(failed)?.unwrap_or_default();
        let mut next = lines.next().map_err(failed)?;
        let (alone, is_whole) = (next.is_none(), first.ends_with(b"\n"));
        if alone && Header::may_begin(first.trim_ascii_end()) && (!is_whole || !is_json(&first)) {
            return Ok(None);
        }
        let mut journal = Journal {
            path: path.into(),
            header: Header::read(&first, path)?,
            places: Places::new(kept),
            doubled: Ranges::default(),
            torn: !is_whole,
            sound_bytes: first.len() as u64,
        };
        let mut number = 2;
        let mut doubles = Vec::new();
        while let Some(line) = next {
            next = lines.next().map_err(failed)?;
            let Some(text) = line.strip_suffix(b"\n") else {
                journal.torn = true;
                break;
            };
            // Only the very end can be torn. An unreadable line before others is damage, which is not ours to repair.
            if next.is_none() && !is_json(text) {
                journal.torn = true;
                break;
            }
            journal.add(text, number)?;
            journal.sound_bytes += line.len() as u64;
            number += 1;
        }
        journal.places.sort(&mut doubles);
        journal.drop_doubles(&doubles)?;
        Ok(Some(journal))
    }

    /// Adds a line, which begins where the sound bytes end.
    fn add(&mut self, text: &[u8], number: usize) -> Result<(), Error> {
        if Header::is_meant(text) {
            let header = Header::read(text, &self.path)?;
            if let Some(difference) = header.difference(&self.header) {
                return Err(self.damaged(number, &format!("a header of {difference} as on line 1")));
            }
            self.header.trials = header.trials.max(self.header.trials);
            return Ok(());
        }
        let line: Line =
            serde_json::from_slice(text).map_err(|error| self.damaged(number, &json_cause(&error)))?;
        let (trial, trials) = (line.trial, self.header.trials);
        if trial >= trials {
            let what = format!("trial {trial} of an experiment with {trials} trials, counted from 0");
            return Err(self.damaged(number, &what));
        }
        let record = line.record.get();
        // The record is a part of the line.
        let within = record.as_ptr().addr() - text.as_ptr().addr();
        let length = u32::try_from(record.len());
        let length = length.map_err(|_| self.damaged(number, "a record of more than 4 GB"))?;
        self.places.push(Place {
            trial,
            offset: self.sound_bytes + within as u64,
            length,
            line: number as u32,
        });
        Ok(())
    }

    fn damaged(&self, line: usize, what: &str) -> Error {
        Error::new(format!("{}: line {line}: {what}; nothing was changed", self.path.display()))
    }

    /// Notes trials that have several records, the same each time. An error if two of them differ.
    fn drop_doubles(&mut self, doubles: &[(Place, Place)]) -> Result<(), Error> {
        // The first line that contradicts one before it is told.
        let mut wrong: Option<(u32, u64, u32)> = None;
        for (kept, other) in doubles {
            if !same(&self.text(kept)?, &self.text(other)?)
                && wrong.is_none_or(|(line, ..)| other.line < line)
            {
                wrong = Some((other.line, kept.trial, kept.line));
            }
        }
        if let Some((line, trial, before)) = wrong {
            let what = format!("trial {trial} with another record than on line {before}");
            return Err(self.damaged(line as usize, &what));
        }
        let mut last = None;
        for trial in doubles.iter().map(|(kept, _)| kept.trial) {
            if last != Some(trial) {
                self.doubled.push(trial);
                last = Some(trial);
            }
        }
        Ok(())
    }

    /// How many trials have a record.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no trial has a record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials that have a record, in order.
    pub fn trials(&self) -> impl Iterator<Item = u64> {
        self.places.iter().map(|place| place.trial)
    }

    /// The record of a trial, if it has one.
    pub fn entry(&self, trial: u64) -> Result<Option<Entry>, Error> {
        self.places.find(trial).map(|place| self.entry_at(place)).transpose()
    }

    /// The records in order, each read from the file when it is asked for.
    pub fn entries(&self) -> impl Iterator<Item = Result<(u64, Entry), Error>> {
        self.places.iter().map(|place| Ok((place.trial, self.entry_at(place)?)))
    }

    fn entry_at(&self, place: &Place) -> Result<Entry, Error> {
        Ok(Entry { record: self.text(place)?, line: place.line as usize })
    }

    /// The record at a place of this file.
    pub(crate) fn text(&self, place: &Place) -> Result<String, Error> {
        self.places.text(place).map_err(|error| Error::file("read", &self.path, &error))
    }

    /// The records in their own type, by trial.
    pub fn records<R: DeserializeOwned>(&self) -> Result<Vec<(u64, R)>, Error> {
        self.parsed(&|text| serde_json::from_str(text)).collect()
    }

    /// The records parsed by `read`, in order, each when it is asked for.
    pub(crate) fn parsed<R>(
        &self,
        read: &dyn Fn(&str) -> serde_json::Result<R>,
    ) -> impl Iterator<Item = Result<(u64, R), Error>> {
        self.entries().map(move |entry| {
            let (trial, entry) = entry?;
            let record = read(&entry.record).map_err(|error| {
                let (path, line, cause) = (self.path.display(), entry.line, json_cause(&error));
                Error::new(format!("{path}: line {line}: the record of trial {trial} does not fit: {cause}"))
            })?;
            Ok((trial, record))
        })
    }

    /// The trials of the whole experiment that are missing.
    pub fn missing(&self) -> Ranges {
        Ranges::missing(self.trials(), self.header.trials)
    }

    /// Writes the journal sorted by id, without torn and duplicate lines and without trials from `end` on: the bytes of
    /// the finished file.
    pub(crate) fn write_finished(&self, end: u64, out: &mut dyn Write) -> std::io::Result<()> {
        out.write_all(self.header.line().as_bytes())?;
        for place in self.places.iter().take_while(|place| place.trial < end) {
            out.write_all(line_of(place.trial, &self.places.text(place)?).as_bytes())?;
        }
        Ok(())
    }
}

/// The lines of a file, each with its newline; the last may lack it.
struct Lines {
    from: BufReader<File>,
}

impl Lines {
    fn next(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        Ok((self.from.read_until(b'\n', &mut line)? > 0).then_some(line))
    }
}

/// A record's line in a journal, with its newline.
pub(crate) fn line_of(trial: u64, record: &str) -> String {
    format!("{{\"trial\":{trial},\"record\":{record}}}\n")
}

/// Whether two records are equal, up to white space and the order of fields.
pub(crate) fn same(left: &str, right: &str) -> bool {
    let value = |text| serde_json::from_str::<Value>(text).ok();
    left == right || value(left) == value(right)
}

/// A JSON error without its line number, which would count from the wrong place.
pub(crate) fn json_cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    if error.column() > 0 { format!("{text}, at column {}", error.column()) } else { text.into() }
}

fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok() && str::from_utf8(text).is_ok()
}
