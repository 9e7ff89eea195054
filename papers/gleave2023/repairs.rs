//! The least change of each position in which a victim errs that sets it right.

use super::GAME;
use super::reachable::is_reachable;
use aji_catalog::session;
use aji_lab::mistakes::{Changes, Judged, LeastChange};
use aji_lab::{Error, Experiment, Trial};
use serde_json::{Value, json};

/// The judge of changed positions.
const EXACT: &str = "exact memory=500MB";

/// Looks for the least change of each position.
pub(super) struct Repairs {
    pub(super) name: String,
    pub(super) victim: String,
    /// Positions in which the victim errs, and its moves.
    pub(super) wrong: Vec<(Judged, String)>,
}

impl Experiment for Repairs {
    type Record = Changes;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        let wrong: Vec<[&str; 2]> =
            self.wrong.iter().map(|(judged, blunder)| [judged.position.as_str(), blunder]).collect();
        json!({ "victim": self.victim, "wrong": wrong })
    }

    fn trials(&self) -> u64 {
        self.wrong.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<Changes, Error> {
        let (agent, judge) = (self.victim.parse()?, EXACT.parse()?);
        let change = LeastChange { agent: &agent, judge: &judge, is_legal: &is_reachable };
        let (wrong, blunder) = &self.wrong[trial.id as usize];
        change.find(session(GAME)?.as_mut(), wrong, blunder)
    }
}
