//! The finished games of rounds that are not finished yet, in a file beside the journal: `x.jsonl.games` beside `x.jsonl`.
//!
//! A journal has whole rounds only, since a round is the unit of every statistic. So a killed run would lose the games of
//! its last rounds. A run that goes on takes them from this file instead of playing them again. As games depend on the
//! contest, the seed and the round alone, the finished journal has the same bytes. Who finishes the contest removes the
//! file.

use super::GameRecord;
use crate::{Error, Journal};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The games of a contest that were kept, and the file for more.
pub(super) struct KeptGames {
    path: PathBuf,
    /// Games of an earlier run, by trial and number in the round.
    known: HashMap<(u64, usize), GameRecord>,
    file: Mutex<File>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    trial: u64,
    game: usize,
    record: GameRecord,
}

impl KeptGames {
    /// The games beside a journal that this process writes to. Games of another contest, and of rounds that the journal
    /// has, are dropped.
    pub(super) fn beside(journal: &Journal) -> Result<KeptGames, Error> {
        let path = with_ending(&journal.path, ".games");
        let header = journal.header.line();
        let mut known = read(&path, &header);
        if !known.is_empty() {
            let recorded: Vec<u64> = journal.trials().collect();
            known.retain(|(trial, _), _| !recorded.contains(trial));
        }
        let file = written(&path, &header, &known).map_err(|error| Error::file("write", &path, &error))?;
        Ok(KeptGames { path, known, file: Mutex::new(file) })
    }

    /// The game with this number in the round of a trial, if it was kept.
    pub(super) fn game(&self, trial: u64, number: usize) -> Option<GameRecord> {
        self.known.get(&(trial, number)).cloned()
    }

    /// Keeps a game, in one write, so that a killed process loses at most the line it was writing.
    pub(super) fn keep(&self, trial: u64, number: usize, record: &GameRecord) -> Result<(), Error> {
        let line = line_of(trial, number, record);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|error| Error::file("write", &self.path, &error))
    }

    /// Removes the file, which nobody needs once the journal has every round. One that cannot be removed does no harm.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn line_of(trial: u64, game: usize, record: &GameRecord) -> String {
    let line = Line { trial, game, record: record.clone() };
    serde_json::to_string(&line).expect("text and finite numbers") + "\n"
}

/// The games of a file under this header. A file of another contest has none, and a torn line is no game.
fn read(path: &Path, header: &str) -> HashMap<(u64, usize), GameRecord> {
    let Ok(file) = File::open(path) else { return HashMap::new() };
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    if lines.next().as_deref() != Some(header.trim_end()) {
        return HashMap::new();
    }
    let games = lines.filter_map(|line| serde_json::from_str::<Line>(&line).ok());
    games.map(|Line { trial, game, record }| ((trial, game), record)).collect()
}

/// Writes the file anew, and returns it for more lines. The old file stays until the new one is whole.
fn written(path: &Path, header: &str, games: &HashMap<(u64, usize), GameRecord>) -> std::io::Result<File> {
    let new = with_ending(path, ".new");
    let lines = games.iter().map(|(&(trial, number), record)| line_of(trial, number, record));
    fs::write(&new, header.to_string() + &lines.collect::<String>())?;
    fs::rename(&new, path)?;
    OpenOptions::new().append(true).open(path)
}
