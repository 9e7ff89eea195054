//! A file for a search. It is written under another name beside it and then renamed, so that a failure keeps the old
//! contents.

use aji_catalog::{AgentName, Session};
use anyhow::{Result, anyhow, bail};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file for a search. It is opened before the search, so that an error comes early.
pub struct SavedFile {
    /// The name that was given, for messages.
    name: PathBuf,
    /// The file itself, with links followed.
    path: PathBuf,
    /// Its name until it is complete.
    part: PathBuf,
    file: File,
}

impl SavedFile {
    /// Opens the file under its temporary name.
    pub fn open(path: &Path) -> Result<SavedFile> {
        let wrong = |error: &dyn std::fmt::Display| anyhow!("--save {}: {error}", path.display());
        let (name, path) = (path, &target(path).map_err(|error| wrong(&error))?);
        let file_name = path.file_name().ok_or_else(|| wrong(&"expected the name of a file"))?;
        let mut part_name = file_name.to_os_string();
        part_name.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part_name);
        let file = File::create(&part).map_err(|error| wrong(&error))?;
        Ok(SavedFile { name: name.into(), path: path.into(), part, file })
    }

    /// Writes the session's search, and gives the file its final name.
    pub fn write(&self, session: &dyn Session) -> Result<()> {
        let written = session.save(&mut &self.file).and_then(|()| self.file.sync_all());
        let renamed = written.and_then(|()| fs::rename(&self.part, &self.path));
        renamed.map_err(|error| anyhow!("--save {}: {error}", self.name.display()))
    }
}

/// The file that a rename may replace. Refuses folders, devices and pipes, since a rename would replace those too.
fn target(path: &Path) -> Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => bail!("it is a directory"),
        Ok(found) if !found.is_file() => bail!("it is no regular file; a search can only be saved in one"),
        Ok(_) => Ok(fs::canonicalize(path)?),
        Err(_) if path.is_symlink() => bail!("it is a link to a file that does not exist"),
        Err(_) => Ok(path.into()),
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
