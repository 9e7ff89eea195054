//! The folder of journals: which there are, and what they hold.
//!
//! A journal is named by the page, so its name is checked before it becomes a path: letters, digits, `-`, `_` and `.`, and
//! a plain file in this very folder. The server never changes one but by playing on.

use crate::failure::Failure;
use crate::limits::{JOURNAL_MAX, JOURNALS_READ_MAX, JOURNALS_SHOWN_MAX, RUN_NAME_MAX};
use aji_lab::contest::{ContestKind, Course, PairRecord, Plan};
use aji_lab::{Header, Journal};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// How the name of a journal's file ends.
const ENDING: &str = ".jsonl";

/// The journals of a folder.
pub struct Journals {
    folder: PathBuf,
    /// What was read of files, so that a list reads only those that have changed.
    read: Mutex<BTreeMap<String, (Stamp, Extent)>>,
}

/// Tells whether a file has changed.
type Stamp = (u64, Option<SystemTime>);

/// How much of a contest is in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// The rounds of games of all agents.
    pub rounds: u64,
    /// Whether nothing is left to play.
    pub is_finished: bool,
}

/// A journal in the list.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub name: String,
    /// When it was last changed, in seconds since 1970.
    pub changed: u64,
    /// What it holds, or why it cannot be shown.
    #[serde(flatten)]
    pub content: Content,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    Contest(Summary),
    Error(String),
}

/// What the list says of a contest.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub kind: ContestKind,
    pub game: String,
    pub agents: Vec<String>,
    /// The rounds of games of all agents in the end.
    pub planned_rounds: u64,
    /// None if the journals are too many to be read at a time.
    pub extent: Option<Extent>,
    /// Whether it is played now.
    pub is_running: bool,
}

/// A contest as its journal has it.
pub struct Kept {
    pub journal: Journal,
    pub kind: ContestKind,
    pub plan: Plan,
    /// Rounds of games between two agents in the end.
    pub rounds: u64,
    /// The rounds before the first that is missing.
    pub course: Course,
    pub extent: Extent,
}

impl Journals {
    /// Those of this folder, which need not exist.
    pub fn new(folder: PathBuf) -> Journals {
        Journals { folder, read: Mutex::default() }
    }

    /// The file of a journal, which need not exist.
    pub fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        check_name(name)?;
        Ok(self.folder.join(format!("{name}{ENDING}")))
    }

    /// Makes the folder, and finds a name for a new journal: the one that was asked for, or one that begins with `stem`.
    pub fn new_name(&self, asked: Option<&str>, stem: &str) -> Result<String, Failure> {
        let failed =
            |error| Failure::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, self.told("make", &error));
        fs::create_dir_all(&self.folder).map_err(failed)?;
        if let Some(name) = asked {
            let path = self.path(name)?;
            return match fs::symlink_metadata(&path) {
                Ok(_) => Err(Failure::conflict(format!(
                    "name \"{name}\": there is a journal of this name; go on with it, or choose another name"
                ))),
                Err(_) => Ok(name.into()),
            };
        }
        let stem: String = stem.chars().filter(|&letter| is_letter(letter)).take(RUN_NAME_MAX / 2).collect();
        let is_free = |name: &String| {
            self.path(name).is_ok_and(|path| {
                fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
            })
        };
        let mut names = (1..=JOURNALS_SHOWN_MAX + 1).map(|number| format!("{stem}-{number}"));
        names.find(is_free).ok_or_else(|| {
            Failure::full(format!("{}: too many journals; move some away", self.folder.display()))
        })
    }

    /// All journals, the last changed first. `is_running` says which are played now.
    pub fn list(&self, is_running: &dyn Fn(&str) -> bool) -> Result<Vec<Entry>, Failure> {
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Failure::wrong(self.told("read", &error))),
        };
        let mut found: Vec<(String, Metadata)> = files
            .filter_map(|file| {
                let file = file.ok()?;
                let name = file.file_name().to_str()?.strip_suffix(ENDING)?.to_string();
                // That of the entry itself, so that a link is not followed.
                let metadata = file.metadata().ok()?;
                (check_name(&name).is_ok() && metadata.is_file()).then_some((name, metadata))
            })
            .collect();
        found.sort_by(|(a, one), (b, other)| {
            other.modified().ok().cmp(&one.modified().ok()).then_with(|| a.cmp(b))
        });
        found.truncate(JOURNALS_SHOWN_MAX);
        let mut left = JOURNALS_READ_MAX;
        let mut entry = |(name, metadata): (String, Metadata)| {
            let is_running = is_running(&name);
            let content = self.summary(&name, &metadata, is_running, &mut left);
            Entry {
                changed: seconds(&metadata),
                content: content
                    .map_or_else(|failure| Content::Error(failure.line().into()), Content::Contest),
                name,
            }
        };
        Ok(found.into_iter().map(&mut entry).collect())
    }

    /// What the list says of a journal. `left` are the bytes that may still be read.
    fn summary(
        &self,
        name: &str,
        metadata: &Metadata,
        is_running: bool,
        left: &mut u64,
    ) -> Result<Summary, Failure> {
        let path = self.checked(name)?;
        let header = Header::of_file(&path)?.ok_or_else(|| Failure::wrong("its first line is not whole"))?;
        let (kind, plan, rounds) = Plan::of_header(&header)?;
        let planned_rounds = rounds * plan.pairings.len() as u64;
        let stamp = (metadata.len(), metadata.modified().ok());
        let known = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        let extent = match known {
            Some((read, extent)) if read == stamp => Some(extent),
            _ if metadata.len() > *left => None,
            _ => {
                *left -= metadata.len();
                let extent = self.read(name)?.extent;
                let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
                read.insert(name.into(), (stamp, extent));
                Some(extent)
            }
        };
        Ok(Summary { kind, game: plan.game, agents: plan.agents, planned_rounds, extent, is_running })
    }

    /// Reads a journal as it is.
    pub fn open(&self, name: &str) -> Result<(Journal, ContestKind, Plan, u64), Failure> {
        let journal = Journal::read(&self.checked(name)?)?;
        let (kind, plan, rounds) = Plan::of_header(&journal.header)?;
        Ok((journal, kind, plan, rounds))
    }

    /// Reads a journal, and counts its games.
    pub fn read(&self, name: &str) -> Result<Kept, Failure> {
        let (journal, kind, plan, rounds) = self.open(name)?;
        let mut course = Course::new(&plan, rounds);
        let mut is_whole = !journal.torn && journal.doubled.is_empty();
        for (place, entry) in journal.entries().enumerate() {
            let (trial, entry) = entry?;
            if trial != place as u64 || course.is_decided() {
                is_whole = false;
                break;
            }
            // The last thing that a run does is to put its journal in order.
            is_whole &= entry.line == place + 2;
            let record: PairRecord = serde_json::from_str(&entry.record)
                .map_err(|error| Failure::wrong(format!("{name}: line {}: {error}", entry.line)))?;
            if record.pairing != place % plan.pairings.len() {
                let line = entry.line;
                return Err(Failure::wrong(format!("{name}: line {line}: games of another pairing")));
            }
            course.add(&record);
        }
        let is_finished = is_whole && (course.is_decided() || course.rounds() == journal.header.trials);
        let extent = Extent { rounds: journal.len() as u64, is_finished };
        Ok(Kept { journal, kind, plan, rounds, course, extent })
    }

    /// The file of a journal that exists, is no link, and is not too large.
    fn checked(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name)?;
        let missing = |_| Failure::missing(format!("no journal {name} in {}", self.folder.display()));
        let metadata = fs::symlink_metadata(&path).map_err(missing)?;
        if !metadata.is_file() {
            return Err(Failure::wrong(format!("{name}: not a plain file")));
        }
        if metadata.len() > JOURNAL_MAX {
            let most = format!("the page shows at most {JOURNAL_MAX}; use aji export");
            return Err(Failure::wrong(format!("{name}: a journal of {} bytes; {most}", metadata.len())));
        }
        Ok(path)
    }

    fn told(&self, verb: &str, error: &std::io::Error) -> String {
        format!("cannot {verb} {}: {error}", self.folder.display())
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.')
}

/// An error unless the name is one that cannot lead anywhere else.
pub fn check_name(name: &str) -> Result<(), Failure> {
    let is_plain = (1..=RUN_NAME_MAX).contains(&name.len())
        && name.chars().all(is_letter)
        && name.starts_with(|first: char| first.is_ascii_alphanumeric());
    match is_plain {
        true => Ok(()),
        false => Err(Failure::wrong(format!(
            "name: expected 1 to {RUN_NAME_MAX} letters, digits, -, _ and ., and a letter or a digit first"
        ))),
    }
}

fn seconds(metadata: &Metadata) -> u64 {
    let changed = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    changed.map_or(0, |since| since.as_secs())
}
