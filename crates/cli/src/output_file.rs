//! A file that a command writes in the end. That it can be written is known before the work.

use anyhow::{Result, anyhow};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that waits for its contents.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    file: File,
    /// Made here, and still empty.
    is_new: bool,
}

impl OutputFile {
    /// Opens the file of an option such as `--svg`, and leaves what it holds until there is something to write.
    pub fn open(option: &'static str, path: &Path) -> Result<OutputFile> {
        let is_new = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| anyhow!("{option} {}: {error}", path.display()))?;
        Ok(OutputFile { option, path: path.into(), file, is_new })
    }

    /// The same for an option that may not be given.
    pub fn open_if(option: &'static str, path: Option<&PathBuf>) -> Result<Option<OutputFile>> {
        path.map(|path| OutputFile::open(option, path)).transpose()
    }

    /// Writes this in place of what the file held.
    pub fn write(mut self, text: &str) -> Result<()> {
        self.is_new = false;
        let is_file = self.file.metadata().is_ok_and(|found| found.is_file());
        let emptied = if is_file { self.file.set_len(0) } else { Ok(()) };
        let written = emptied.and_then(|()| self.file.write_all(text.as_bytes()));
        written.map_err(|error| anyhow!("{} {}: {error}", self.option, self.path.display()))
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_new {
            // What kept the contents away is the error to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}
