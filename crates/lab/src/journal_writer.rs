//! A journal being written: locked, resumed, appended to, and finally sorted.

use crate::error::cause;
use crate::journal::line_of;
use crate::places::Place;
use crate::{Error, Header, Journal, Shard};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A journal that only this process writes to.
///
/// Each line is one write, and reaches the system before the next trial counts as done. So a killed process loses at
/// most the line it was writing. A machine that loses power may lose the last few lines; their trials run again.
pub struct JournalWriter {
    /// The content of the file.
    journal: Journal,
    /// The trials that it should hold in the end. It may hold others too.
    shard: Shard,
    file: Locked,
    out: Box<dyn Write + Send>,
    /// The bytes of the file.
    size: u64,
    /// Whether the file has the header with this number of trials.
    headed: bool,
    /// Whether a write failed. Then the end of the file may be torn, and nothing may follow it.
    broken: bool,
}

impl JournalWriter {
    /// Opens a journal or makes one. A journal of fewer trials is extended. Refuses a journal with another header or
    /// with more trials, a damaged one, and one in use. The file is not changed before
    /// [`begin`](JournalWriter::begin).
    pub fn open(path: &Path, header: Header, shard: Shard) -> Result<JournalWriter, Error> {
        let file = open_locked(path)?;
        // A cursor of its own: records are read while lines are written.
        let reading = || File::open(path).map_err(|error| Error::file("open", path, &error));
        let found = Journal::scan(path, reading()?)?;
        if let Some(difference) = found.as_ref().and_then(|journal| journal.header.difference(&header)) {
            let path = path.display();
            return Err(Error::new(format!(
                "{path}: a journal of {difference}; name another file, or delete this one"
            )));
        }
        if let Some(more) =
            found.as_ref().map(|journal| journal.header.trials).filter(|&more| more > header.trials)
        {
            let (path, trials) = (path.display(), header.trials);
            return Err(Error::new(format!(
                "{path}: a journal of {more} trials, not {trials}; ask for {more} or more, or name another file"
            )));
        }
        let out = file.0.try_clone().map_err(|error| Error::file("open", path, &error))?;
        let headed = found.as_ref().is_some_and(|journal| journal.header.trials == header.trials);
        let found = found.map(|journal| Journal { header: header.clone(), ..journal });
        let journal = match found {
            Some(journal) => journal,
            None => Journal::empty(path, reading()?, header),
        };
        let size = journal.sound_bytes;
        Ok(JournalWriter { journal, shard, file, out: Box::new(out), size, headed, broken: false })
    }

    /// Sends every line through another writer, which wraps the one to the file.
    pub fn through(
        mut self,
        wrap: impl FnOnce(Box<dyn Write + Send>) -> Box<dyn Write + Send>,
    ) -> JournalWriter {
        self.out = wrap(self.out);
        self
    }

    /// The content of the file.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Cuts off a torn line, and writes the header where there is none or where it adds trials.
    pub fn begin(&mut self) -> Result<(), Error> {
        let sound = self.journal.sound_bytes;
        let cut = if self.journal.torn { self.file.0.set_len(sound) } else { Ok(()) };
        cut.and_then(|()| self.file.0.seek(SeekFrom::Start(sound))).map_err(|error| self.failed(&error))?;
        self.journal.places.reread();
        if !self.headed {
            self.write(&self.journal.header.line())?;
            self.headed = true;
        }
        Ok(())
    }

    /// Adds the record of a new trial, as JSON on one line.
    pub fn append(&mut self, trial: u64, record: String) -> Result<(), Error> {
        debug_assert!(self.headed);
        let (begin, line) = (self.size, line_of(trial, &record));
        self.write(&line)?;
        let within = line.len() - "}\n".len() - record.len();
        let length = u32::try_from(record.len()).unwrap_or(u32::MAX);
        let number = u32::try_from(self.journal.len() + 2).unwrap_or(u32::MAX);
        self.journal.places.push(Place { trial, offset: begin + within as u64, length, line: number });
        Ok(())
    }

    /// Rewrites the file with the records of all trials below `end`, by id, and nothing else. The old file stays
    /// until the new one is safe on the disk.
    pub fn finish(mut self, end: u64) -> Result<(), Error> {
        self.journal.places.sort(&mut Vec::new());
        let path = &self.journal.path;
        if is_in_order(&self.journal, end).unwrap_or(false) {
            return Ok(());
        }
        replace(path, &mut |out| self.journal.write_finished(end, out)).map_err(|(at, error)| {
            let (at, path) = (at.display(), path.display());
            let cause = cause(&error);
            Error::new(format!(
                "cannot write {at}: {cause} (every trial is in {path}; run again to put it in order)"
            ))
        })
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        if self.broken {
            return Err(self.failed(&io::Error::other("an earlier write failed")));
        }
        let written = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush());
        self.broken = written.is_err();
        self.size += line.len() as u64;
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Error {
        let Journal { path, header, .. } = &self.journal;
        let done = self.journal.trials().filter(|&trial| self.shard.position(trial).is_some()).count();
        let (path, of, cause) = (path.display(), self.shard.size(header.trials), cause(error));
        Error::new(format!("cannot write {path}: {cause} (after {done} of {of} trials; run again to go on)"))
    }
}

/// Opens or creates a file and locks it against every other writer.
fn open_locked(path: &Path) -> Result<Locked, Error> {
    loop {
        // Checked before opening: a pipe would wait for its other end, and a device may be endless.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::new(format!("{}: not a file that a journal can be kept in", path.display())));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| Error::file("open", path, &error))?;
        let file = Locked::new(file, path)?;
        // Another process may have moved its finished journal here while this one opened the old file.
        if is_still_at(&file.0, path) {
            return Ok(file);
        }
    }
}

/// A file that no other process writes to.
pub(crate) struct Locked(File);

impl Locked {
    /// Fails if another process has locked the file. A file system without locks is trusted.
    pub(crate) fn new(file: File, path: &Path) -> Result<Locked, Error> {
        match file.try_lock() {
            Ok(()) => Ok(Locked(file)),
            Err(TryLockError::WouldBlock) => {
                let path = path.display();
                Err(Error::new(format!(
                    "{path}: in use by another process; wait for it, or name another file"
                )))
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Locked(file)),
            Err(TryLockError::Error(error)) => Err(Error::file("lock", path, &error)),
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just starting holds a copy of the file for a moment.
        let _ = self.0.unlock();
    }
}

#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|found| (found.dev(), found.ino()));
    inode(file.metadata()) == inode(fs::metadata(path))
}

#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> bool {
    true
}

/// Whether the file of a journal has the bytes of the finished one already.
fn is_in_order(journal: &Journal, end: u64) -> io::Result<bool> {
    let mut same =
        Same { with: BufReader::with_capacity(1 << 16, File::open(&journal.path)?), is_same: true };
    journal.write_finished(end, &mut same)?;
    Ok(same.is_same && same.with.read(&mut [0])? == 0)
}

/// Compares what is written with a file.
struct Same {
    with: BufReader<File>,
    is_same: bool,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut there = vec![0; bytes.len()];
        self.is_same = self.is_same && self.with.read_exact(&mut there).is_ok() && there == bytes;
        // What follows a difference is of no interest.
        if self.is_same { Ok(bytes.len()) } else { Err(io::Error::other("the file differs")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a file next to its destination and moves it there once it is on the disk, so that there is always a
/// complete file. An error names the file that could not be written.
pub(crate) fn replace(
    path: &Path,
    contents: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), (PathBuf, io::Error)> {
    // A link stays a link: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let mut partial = path.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let mut write = || {
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&partial)?);
        contents(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&partial, &path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&partial);
        (partial.clone(), error)
    })?;
    // Makes the new name survive a power loss too. Not every system supports this, and none needs it otherwise.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}
