//! A journal being written: locked, resumed, appended to, and finally sorted.

use crate::error::cause;
use crate::journal::line_of;
use crate::{Entry, Error, Header, Journal, Shard};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
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
        let mut file = open_locked(path)?;
        let mut bytes = Vec::new();
        file.0.read_to_end(&mut bytes).map_err(|error| Error::file("read", path, &error))?;
        let found = Journal::parse(path, &bytes)?;
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
        let journal = found.unwrap_or_else(|| Journal {
            path: path.into(),
            header,
            entries: Default::default(),
            doubled: Default::default(),
            torn: !bytes.is_empty(),
            sound_bytes: 0,
        });
        Ok(JournalWriter { journal, shard, file, out: Box::new(out), headed, broken: false })
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
        if !self.headed {
            self.write(&self.journal.header.line())?;
            self.headed = true;
        }
        Ok(())
    }

    /// Adds the record of a new trial, as JSON on one line.
    pub fn append(&mut self, trial: u64, record: String) -> Result<(), Error> {
        debug_assert!(self.headed && !self.journal.entries.contains_key(&trial));
        self.write(&line_of(trial, &record))?;
        let line = self.journal.entries.len() + 2;
        self.journal.entries.insert(trial, Entry { record, line });
        Ok(())
    }

    /// Rewrites the file with the records of all trials below `end`, by id, and nothing else. The old file stays
    /// until the new one is safe on the disk.
    pub fn finish(mut self, end: u64) -> Result<(), Error> {
        self.journal.entries.split_off(&end);
        let text = self.journal.finished_text();
        let path = &self.journal.path;
        if fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Ok(());
        }
        replace(path, text.as_bytes()).map_err(|(at, error)| {
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
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Error {
        let Journal { path, header, entries, .. } = &self.journal;
        let done = entries.keys().filter(|&&trial| self.shard.position(trial).is_some()).count();
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

/// Writes a file next to its destination and moves it there once it is on the disk, so that there is always a
/// complete file. An error names the file that could not be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
    // A link stays a link: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let mut partial = path.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
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
