//! The files of a run. A file is written under another name, made durable and then renamed, so that it is either whole
//! or absent. Every file states its length and ends with a checksum.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The folder of a run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The lock of the run, held as long as it lives: no other process may write here.
    lock: Option<File>,
    /// For tests: the bytes that can still be written before the disk seems full.
    room: AtomicU64,
}

/// The file that a running training locks.
const LOCK: &str = "lock";

impl Folder {
    /// Opens the folder of a run, creates it if needed, and locks it.
    pub fn open(path: &Path) -> Result<Folder, Error> {
        let wrong = |what: &str, error: io::Error| Error::new(format!("{}: {what}: {error}", path.display()));
        fs::create_dir_all(path.join("games")).map_err(|error| wrong("cannot make the folder", error))?;
        fs::create_dir_all(path.join("networks")).map_err(|error| wrong("cannot make the folder", error))?;
        let lock = File::create(path.join(LOCK)).map_err(|error| wrong("cannot write", error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(Error::new(format!("{}: another training is running here", path.display())));
            }
            Err(fs::TryLockError::Error(error)) => return Err(wrong("cannot lock", error)),
        }
        Ok(Folder { path: path.to_path_buf(), lock: Some(lock), room: AtomicU64::new(u64::MAX) })
    }

    /// Opens the folder of a run for reading, without a lock; the run may be going on.
    pub fn read_only(path: &Path) -> Folder {
        Folder { path: path.to_path_buf(), lock: None, room: AtomicU64::new(u64::MAX) }
    }

    /// For tests: lets the disk seem full after this many bytes.
    #[doc(hidden)]
    pub fn fill_after(&self, bytes: u64) {
        self.room.store(bytes, Ordering::Relaxed);
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The content of a file; none if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match fs::read(self.path(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::new(format!("{}: {error}", self.path(name).display()))),
        }
    }

    /// Writes a file. Whatever interrupts it, the file is either whole or absent.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let (to, beside) = (self.path(name), self.path(&format!("{name}.new")));
        let written =
            self.write_beside(&beside, bytes).and_then(|()| fs::rename(&beside, &to)).and_then(|()| {
                // The folder's entry must be durable too, on systems where folders can be opened.
                to.parent()
                    .and_then(|folder| File::open(folder).ok())
                    .map_or(Ok(()), |folder| folder.sync_all())
            });
        written.map_err(|error| {
            let _ = fs::remove_file(&beside);
            Error::new(format!(
                "{}: {error}; nothing that was finished is lost: make room, and the same command continues",
                to.display()
            ))
        })
    }

    fn write_beside(&self, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        debug_assert!(self.lock.is_some(), "a folder that is only read");
        let mut file = File::create(beside)?;
        let room = self.room.load(Ordering::Relaxed);
        let fits = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        file.write_all(&bytes[..fits])?;
        if fits < bytes.len() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        if room < u64::MAX {
            self.room.store(room - fits as u64, Ordering::Relaxed);
        }
        file.sync_all()
    }

    /// Adds a line to a file.
    pub fn append(&self, name: &str, line: &str) -> Result<(), Error> {
        let added = File::options().create(true).append(true).open(self.path(name)).and_then(|mut file| {
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_data()
        });
        added.map_err(|error| {
            Error::new(format!(
                "{}: {error}; nothing that was finished is lost: make room, and the same command continues",
                self.path(name).display()
            ))
        })
    }

    /// Removes a file, if it is there. A failure does no harm.
    pub fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.path(name));
    }

    /// The names of the files in a folder of the run.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just starting holds a copy of the lock's file for a moment.
        if let Some(lock) = &self.lock {
            let _ = lock.unlock();
        }
    }
}

/// A checksum of 64 bits (FNV-1a).
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xCBF2_9CE4_8422_2325u64;
    for &byte in bytes {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    sum
}

/// A file of several parts: a word that names its kind, the length of each part, the parts, a checksum.
pub fn pack(word: &[u8; 8], parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = word.to_vec();
    bytes.extend((parts.len() as u64).to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
    }
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The parts of a file that [`pack`] made. An error says what is wrong.
pub fn unpack<'a, const PARTS: usize>(
    word: &[u8; 8],
    bytes: &'a [u8],
) -> Result<[&'a [u8]; PARTS], &'static str> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or("it is too short")?;
    if !body.starts_with(word) {
        return Err("it is a file of another kind");
    }
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err("its checksum is wrong: it is torn or damaged");
    }
    let torn = "its lengths are wrong";
    let mut rest = &body[word.len()..];
    let mut number = || -> Option<usize> {
        let bytes = rest.split_off(..8)?;
        u64::from_le_bytes(*bytes.first_chunk()?).try_into().ok()
    };
    if number() != Some(PARTS) {
        return Err(torn);
    }
    let mut lengths = [0; PARTS];
    for length in &mut lengths {
        *length = number().ok_or(torn)?;
    }
    let mut parts = [&bytes[..0]; PARTS];
    for (part, length) in parts.iter_mut().zip(lengths) {
        *part = rest.split_off(..length).ok_or(torn)?;
    }
    if rest.is_empty() { Ok(parts) } else { Err(torn) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that starts in between holds a copy of every open file until it runs its program.
    #[test]
    fn a_closed_folder_is_free_though_copies_of_its_lock_live() {
        let path = std::env::temp_dir().join(format!("aji-folder-{}", std::process::id()));
        let folder = Folder::open(&path).unwrap();
        let copy = folder.lock.as_ref().unwrap().try_clone().unwrap();
        assert!(Folder::open(&path).is_err());
        drop(folder);
        assert!(Folder::open(&path).is_ok());
        drop(copy);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn parts_come_back_and_damage_is_seen() {
        let whole = pack(b"ajitests", &[b"one", b"", b"three"]);
        assert_eq!(unpack::<3>(b"ajitests", &whole), Ok([&b"one"[..], b"", b"three"]));
        assert_eq!(unpack::<3>(b"ajiother", &whole), Err("it is a file of another kind"));
        assert_eq!(unpack::<2>(b"ajitests", &whole), Err("its lengths are wrong"));
        for length in 0..whole.len() {
            assert!(unpack::<3>(b"ajitests", &whole[..length]).is_err());
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            assert!(unpack::<3>(b"ajitests", &damaged).is_err());
        }
        // Lengths beyond the end of the file, with a valid checksum.
        let mut hostile = whole[..whole.len() - 8].to_vec();
        hostile[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
        hostile.extend(checksum(&hostile).to_le_bytes());
        assert_eq!(unpack::<3>(b"ajitests", &hostile), Err("its lengths are wrong"));
    }
}
