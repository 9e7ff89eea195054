//! A journal: the records of an experiment's trials, one per line.
//!
//! The first line is the [`Header`]; each line after it is `{"trial":17,"record":{..}}`, in the order in which the
//! trials ended, or by id once the run is finished. A run that adds trials to a journal first writes another header
//! with the new number of trials; the finished journal has only that one. Every line ends with a newline and is one
//! write, so a killed program can tear only the last line. This file reads journals; it never changes one.
//!
//! Records are kept as text. Only code that knows their type parses them.

use crate::{Error, Header, Ranges};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::fs;
use std::path::{Path, PathBuf};

/// A journal that was read.
#[derive(Clone, Debug)]
pub struct Journal {
    /// The file it was read from.
    pub path: PathBuf,
    /// The experiment, seed and program of the records.
    pub header: Header,
    /// Its records by trial.
    pub entries: BTreeMap<u64, Entry>,
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
        let bytes = fs::read(path).map_err(|error| Error::file("read", path, &error))?;
        Journal::parse(path, &bytes)?.ok_or_else(|| {
            let path = path.display();
            Error::new(format!("{path}: a journal without a whole first line; run it again, or delete it"))
        })
    }

    /// Parses the bytes of a journal. None if there is only a torn header.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Option<Journal>, Error> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let first = lines.next().unwrap_or(bytes);
        let alone = first.len() == bytes.len();
        if alone && Header::may_begin(first.trim_ascii_end()) && (whole == 0 || !is_json(first)) {
            return Ok(None);
        }
        let mut journal = Journal {
            path: path.into(),
            header: Header::read(first, path)?,
            entries: BTreeMap::new(),
            doubled: Ranges::default(),
            torn: whole < bytes.len(),
            sound_bytes: first.len() as u64,
        };
        let mut doubled = Vec::new();
        let mut lines = lines.enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            // Only the very end can be torn. An unreadable line before others is damage, which is not ours to repair.
            if lines.peek().is_none() && !journal.torn && !is_json(text) {
                journal.torn = true;
                break;
            }
            doubled.extend(journal.add(text, index + 2)?);
            journal.sound_bytes += line.len() as u64;
        }
        doubled.sort_unstable();
        doubled.dedup();
        doubled.into_iter().for_each(|trial| journal.doubled.push(trial));
        Ok(Some(journal))
    }

    /// Adds a line. Returns its trial if that was already there.
    fn add(&mut self, text: &[u8], number: usize) -> Result<Option<u64>, Error> {
        let fail = |message: String| {
            Error::new(format!("{}: line {number}: {message}; nothing was changed", self.path.display()))
        };
        if Header::is_meant(text) {
            let header = Header::read(text, &self.path)?;
            if let Some(difference) = header.difference(&self.header) {
                return Err(fail(format!("a header of {difference} as on line 1")));
            }
            self.header.trials = header.trials.max(self.header.trials);
            return Ok(None);
        }
        let line: Line = serde_json::from_slice(text).map_err(|error| fail(json_cause(&error)))?;
        let (trial, trials) = (line.trial, self.header.trials);
        if trial >= trials {
            return Err(fail(format!("trial {trial} of an experiment with {trials} trials, counted from 0")));
        }
        match self.entries.entry(trial) {
            Place::Vacant(place) => {
                place.insert(Entry { record: line.record.get().into(), line: number });
                Ok(None)
            }
            Place::Occupied(place) if same(&place.get().record, line.record.get()) => Ok(Some(trial)),
            Place::Occupied(place) => {
                let other = place.get().line;
                Err(fail(format!("trial {trial} with another record than on line {other}")))
            }
        }
    }

    /// The records as JSON, by trial.
    pub fn values(&self) -> impl Iterator<Item = (u64, Value)> {
        let value = |text: &str| serde_json::from_str(text).expect("JSON when the journal was read");
        self.entries.iter().map(move |(&trial, entry)| (trial, value(&entry.record)))
    }

    /// The records in their own type, by trial.
    pub fn records<R: DeserializeOwned>(&self) -> Result<Vec<(u64, R)>, Error> {
        self.records_by(&|text| serde_json::from_str(text))
    }

    /// The records parsed by `read`, by trial.
    pub(crate) fn records_by<R>(
        &self,
        read: &dyn Fn(&str) -> serde_json::Result<R>,
    ) -> Result<Vec<(u64, R)>, Error> {
        let read = |(&trial, entry): (&u64, &Entry)| {
            let record = read(&entry.record).map_err(|error| {
                let (path, line, cause) = (self.path.display(), entry.line, json_cause(&error));
                Error::new(format!("{path}: line {line}: the record of trial {trial} does not fit: {cause}"))
            })?;
            Ok((trial, record))
        };
        self.entries.iter().map(read).collect()
    }

    /// The trials of the whole experiment that are missing.
    pub fn missing(&self) -> Ranges {
        Ranges::missing(self.entries.keys().copied(), self.header.trials)
    }

    /// The journal sorted by id, without torn and duplicate lines: the bytes of the finished file.
    pub(crate) fn finished_text(&self) -> String {
        let lines = self.entries.iter().map(|(&trial, entry)| line_of(trial, &entry.record));
        std::iter::once(self.header.line()).chain(lines).collect()
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
