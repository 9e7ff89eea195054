//! A file for a search. It is written under another name beside it and then renamed, so that a failure keeps the old
//! contents.

use aji_catalog::{AgentName, Session};
use anyhow::{Result, anyhow};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file for a search. It is opened before the search, so that an error comes early.
pub struct SavedFile {
    path: PathBuf,
    /// Its name until it is complete.
    part: PathBuf,
    file: File,
}

impl SavedFile {
    /// Opens the file under its temporary name.
    pub fn open(path: &Path) -> Result<SavedFile> {
        let wrong = |error: &dyn std::fmt::Display| anyhow!("--save {}: {error}", path.display());
        if path.is_dir() {
            return Err(wrong(&"it is a directory"));
        }
        let name = path.file_name().ok_or_else(|| wrong(&"expected the name of a file"))?;
        let mut part_name = name.to_os_string();
        part_name.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part_name);
        let file = File::create(&part).map_err(|error| wrong(&error))?;
        Ok(SavedFile { path: path.into(), part, file })
    }

    /// Writes the session's search, and gives the file its final name.
    pub fn write(&self, session: &dyn Session) -> Result<()> {
        let written = session.save(&mut &self.file).and_then(|()| self.file.sync_all());
        let renamed = written.and_then(|()| fs::rename(&self.part, &self.path));
        renamed.map_err(|error| anyhow!("--save {}: {error}", self.path.display()))
    }
}

impl Drop for SavedFile {
    fn drop(&mut self) {
        // After a success the file has been renamed. After a failure the first error matters more than this one.
        let _: io::Result<()> = fs::remove_file(&self.part);
    }
}

/// Loads a search into a session. Returns its simulations.
pub fn load(path: &Path, session: &mut dyn Session, agent: &AgentName) -> Result<u64> {
    let wrong = |error: &dyn std::fmt::Display| anyhow!("--load {}: {error}", path.display());
    let mut file = File::open(path).map_err(|error| wrong(&error))?;
    session.load(agent, &mut file).map_err(|error| wrong(&error))
}
