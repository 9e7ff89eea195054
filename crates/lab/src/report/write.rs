//! Writes a page to a directory. Each file appears complete or not at all.

use super::Page;
use super::section::FileNames;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Which file could not be written, and why.
#[derive(Debug)]
pub struct WriteError {
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for WriteError {
    /// One line: `cannot write out/index.html: permission denied`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.source.kind().to_string();
        // An error without a kind of its own has only the system's message.
        let reason = if kind.contains("uncategorized") { self.source.to_string() } else { kind };
        write!(formatter, "cannot write {}: {reason}", self.path.display())
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Page {
    /// Writes `index.html`, `results.md`, `claims.json`, `tables/*.csv` and `figures/*.svg` into a directory, which
    /// it creates if it is missing. It writes each file under another name and then renames it, so that nobody sees
    /// an unfinished file. `index.html` comes last. Existing files with other names stay.
    pub fn write(&self, directory: &Path) -> Result<(), WriteError> {
        let sections = || self.papers.iter().flat_map(|paper| &paper.sections);
        create(directory)?;
        let mut names = FileNames::default();
        for section in sections() {
            for figure in &section.figures {
                let name = format!("figures/{}.svg", names.figure(figure));
                write_whole(&directory.join(name), &figure.to_svg())?;
            }
            for picture in &section.pictures {
                let name = format!("figures/{}.svg", names.picture(picture));
                write_whole(&directory.join(name), &picture.svg)?;
            }
        }
        for table in sections().flat_map(|section| &section.tables) {
            let name = format!("tables/{}.csv", names.table(table));
            write_whole(&directory.join(name), &table.to_csv())?;
        }
        write_whole(&directory.join("results.md"), &self.to_markdown())?;
        write_whole(&directory.join("claims.json"), &self.claims_json())?;
        write_whole(&directory.join("index.html"), &self.to_html())
    }
}

fn create(directory: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(directory).map_err(|source| WriteError { path: directory.to_path_buf(), source })
}

fn write_whole(path: &Path, text: &str) -> Result<(), WriteError> {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        unreachable!("a file of a page has a name in a directory")
    };
    create(directory)?;
    // Two runs into one directory must not write to the same unfinished file.
    let unfinished = directory.join(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|source| {
        // The first error is the one to report; the unfinished file may not exist at all.
        let _ = fs::remove_file(&unfinished);
        WriteError { path: path.to_path_buf(), source }
    })
}
