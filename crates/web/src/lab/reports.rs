//! The reports of papers that `aji reproduce` has written into a folder.
//!
//! A report is one page that needs no other file. The server sends it as it is, but in a sandbox: no scripts, no requests.

use crate::failure::Failure;
use crate::lab::journals::check_name;
use crate::limits::{REPORT_MAX, REPORTS_MAX};
use serde::Serialize;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The page of a report.
const PAGE: &str = "index.html";

/// The bytes at the start of a page that have its title.
const HEAD: u64 = 4_096;

/// The name of the report in the folder itself.
const OWN: &str = "reproduction";

/// The reports of a folder.
pub struct Reports<'a>(pub &'a Path);

/// A report that can be opened.
#[derive(Debug, Serialize)]
pub struct Report {
    pub name: String,
    pub title: String,
}

impl Reports<'_> {
    /// All reports: the folder's own, those of its folders, and those of `results` in these.
    pub fn list(&self) -> Vec<Report> {
        let found = self.found();
        let report = |(name, path): (String, PathBuf)| Report { title: title(&path, &name), name };
        found.into_iter().map(report).collect()
    }

    /// The page of a report.
    pub fn page(&self, name: &str) -> Result<Vec<u8>, Failure> {
        // Only names of the list are files.
        let found = self.found().into_iter().find(|(known, _)| known == name);
        let missing = || Failure::missing(format!("no report of this name in {}", self.0.display()));
        let (_, path) = found.ok_or_else(missing)?;
        let mut page = Vec::new();
        let file = fs::File::open(&path).and_then(|file| file.take(REPORT_MAX + 1).read_to_end(&mut page));
        file.map_err(|error| Failure::missing(format!("report {name}: {error}")))?;
        match page.len() as u64 > REPORT_MAX {
            true => Err(Failure::too_long("bytes of the report", page.len(), REPORT_MAX as usize)),
            false => Ok(page),
        }
    }

    fn found(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = self
            .folders()
            .into_iter()
            .filter_map(|name| {
                let folder = self.0.join(&name);
                let pages = [folder.join(PAGE), folder.join("results").join(PAGE)];
                Some((name, pages.into_iter().find(|page| is_page(page))?))
            })
            .collect();
        found.sort();
        let own = self.0.join(PAGE);
        if is_page(&own) {
            found.insert(0, (OWN.into(), own));
        }
        found.truncate(REPORTS_MAX);
        found
    }

    /// The folders in the folder that have plain names.
    fn folders(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0).into_iter().flatten().filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_str()?.to_string();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            (is_folder && check_name(&name).is_ok()).then_some(name)
        });
        entries.collect()
    }
}

/// Whether a file is a page and no link.
fn is_page(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// What a page says that it is.
fn title(path: &Path, name: &str) -> String {
    let mut head = Vec::new();
    let _ = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let title = head.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    title.map_or_else(|| name.to_string(), |(title, _)| plain(title))
}

/// The text of a title, without the marks of HTML.
fn plain(title: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    marks.into_iter().fold(title.to_string(), |text, (mark, letter)| text.replace(mark, letter))
}
