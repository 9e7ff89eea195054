//! A file that a command writes in the end. It is opened before the work, so that an error comes early.

use anyhow::{Result, anyhow, bail};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that is open, and written in the end.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    file: File,
    /// True for a file that this command made and has not written yet.
    is_new: bool,
}

impl OutputFile {
    /// Opens the file of an option such as `--svg`. Its contents stay until [`write`](OutputFile::write).
    pub fn open(option: &'static str, path: &Path) -> Result<OutputFile> {
        let is_new = !path.exists() && !path.is_symlink();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| anyhow!("{option} {}: {error}", path.display()))?;
        Ok(OutputFile { option, path: path.into(), file, is_new })
    }

    /// Opens the file of an option for a picture, if one is given. Its name must say that it is a picture.
    pub fn open_svg(option: &'static str, path: Option<&PathBuf>) -> Result<Option<OutputFile>> {
        let is_svg =
            |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
        match path {
            Some(path) if !is_svg(path) => {
                bail!("{option} {}: expected a name that ends in .svg", path.display())
            }
            _ => OutputFile::open_if(option, path),
        }
    }

    /// The same for an option that may not be given.
    pub fn open_if(option: &'static str, path: Option<&PathBuf>) -> Result<Option<OutputFile>> {
        path.map(|path| OutputFile::open(option, path)).transpose()
    }

    /// Replaces the contents of the file.
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
            // The error that prevented the contents is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The message of an error with the system's causes as they stand within a line: "no such file or directory" for "No such file or
/// directory (os error 2)".
pub fn without_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut told = parts.next().unwrap_or_default().to_string();
    for rest in parts {
        let start = told.rfind(": ").map_or(0, |at| at + 2);
        let small = told[start..].chars().next().map(|first| first.to_lowercase().to_string());
        if let Some(small) = small.filter(|small| small.len() == 1) {
            told.replace_range(start..start + 1, &small);
        }
        told += rest.split_once(')').map_or("", |(_, after)| after);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_stand_within_a_line() {
        let check = |text: &str, expect: &str| assert_eq!(without_numbers(text), expect);
        check("--load x: No such file or directory (os error 2)", "--load x: no such file or directory");
        check("--from x: Is a directory (os error 21); give a file", "--from x: is a directory; give a file");
        check("Is a directory (os error 21)", "is a directory");
        check("nothing of the system", "nothing of the system");
    }
}
