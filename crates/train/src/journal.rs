//! The journal of a run: a line of JSON for each iteration, and for each gate.

use crate::error::Error;
use crate::folder::Folder;
use crate::record::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the file.
pub const JOURNAL: &str = "journal.jsonl";

/// The results of an iteration, and the time so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// Games so far.
    pub games: u64,
    /// Samples so far.
    pub samples: u64,
    /// Training steps so far.
    pub steps: u64,
    /// Seconds so far, without interrupted iterations and gates.
    pub seconds: f64,
    /// CPU seconds so far, of all threads.
    pub cpu_seconds: f64,
    /// Seconds of self-play in this iteration; 0 if its games were already on disk.
    pub play_seconds: f64,
    /// Seconds of training in this iteration.
    pub train_seconds: f64,
    /// The counts of its games.
    pub counts: Counts,
    /// Positions that the network evaluated in self-play.
    pub looks: u64,
    /// Positions that the cache answered instead.
    pub remembered: u64,
    /// The mean loss of the policy: 0 is perfect.
    pub policy_loss: f64,
    /// The mean loss of the value.
    pub value_loss: f64,
    /// The mean entropy of the network's policy.
    pub entropy: f64,
    /// The mean norm of the gradient before clipping.
    pub gradient: f64,
    /// The learning rate at the end.
    pub rate: f32,
    /// Samples in the window.
    pub window: u64,
    /// Whether memory made the window smaller than the settings ask for.
    #[serde(default)]
    pub is_window_short: bool,
}

impl Iteration {
    /// Games of self-play per second; none if they were already on disk.
    pub fn games_per_second(&self) -> Option<f64> {
        (self.play_seconds > 0.0).then(|| self.counts.games as f64 / self.play_seconds)
    }

    /// Plies of self-play per second.
    pub fn plies_per_second(&self) -> Option<f64> {
        (self.play_seconds > 0.0).then(|| self.counts.plies as f64 / self.play_seconds)
    }

    /// The share of evaluations that came from the cache.
    pub fn cached_share(&self) -> f64 {
        self.remembered as f64 / (self.looks + self.remembered).max(1) as f64
    }

    /// The mean entropy of the target policies.
    pub fn target_entropy(&self) -> f64 {
        self.counts.entropy / self.counts.positions.max(1) as f64
    }
}

/// The journal as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// The iterations, in order.
    pub iterations: Vec<Iteration>,
    /// Gates: the iteration, and the result.
    pub gates: Vec<(u64, Value)>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Iteration(Iteration),
    Gate { iteration: u64, found: Value },
}

impl Journal {
    /// Reads the journal of a run. Skips torn lines.
    pub fn read(folder: &Folder) -> Result<Journal, Error> {
        let bytes = folder.read(JOURNAL)?.unwrap_or_default();
        let mut journal = Journal::default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            match serde_json::from_str(line) {
                Ok(Line::Iteration(iteration)) => journal.iterations.push(iteration),
                Ok(Line::Gate { iteration, found }) => journal.gates.push((iteration, found)),
                Err(_) => {}
            }
        }
        Ok(journal)
    }

    /// Drops all lines after this iteration, because later ones were not finished. Writes the file if anything changed.
    pub(crate) fn keep_until(&mut self, iteration: u64, folder: &Folder) -> Result<(), Error> {
        self.iterations.retain(|line| line.iteration <= iteration);
        self.gates.retain(|gate| gate.0 <= iteration);
        let mut text = String::new();
        let mut gates = self.gates.iter().peekable();
        for line in &self.iterations {
            text += &(Line::Iteration(line.clone()).to_text() + "\n");
            while let Some((at, found)) = gates.next_if(|gate| gate.0 <= line.iteration) {
                text += &(Line::Gate { iteration: *at, found: found.clone() }.to_text() + "\n");
            }
        }
        if folder.read(JOURNAL)?.unwrap_or_default() == text.as_bytes() {
            return Ok(());
        }
        folder.write(JOURNAL, text.as_bytes())
    }

    pub(crate) fn add(&mut self, iteration: Iteration, folder: &Folder) -> Result<(), Error> {
        folder.append(JOURNAL, &Line::Iteration(iteration.clone()).to_text())?;
        self.iterations.push(iteration);
        Ok(())
    }

    pub(crate) fn add_gate(&mut self, iteration: u64, found: Value, folder: &Folder) -> Result<(), Error> {
        folder.append(JOURNAL, &Line::Gate { iteration, found: found.clone() }.to_text())?;
        self.gates.push((iteration, found));
        Ok(())
    }
}

impl Line {
    fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
