//! The victim's decisive blunders in the games that an attacker won, judged by exact values, and what would have cured them.

use super::GAME;
use aji_catalog::{AgentName, session};
use aji_lab::mistakes::Judged;
use aji_lab::{Error, Experiment, Trial};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The judge.
const EXACT: &str = "exact memory=500MB";

/// Finds the blunder of each game.
pub(super) struct Blunders {
    pub(super) name: String,
    pub(super) victim: String,
    /// The agents that are asked about each blunder.
    pub(super) cures: Vec<String>,
    /// Games that the victim lost: where they began, with the victim to act, and their moves.
    pub(super) games: Vec<(String, Vec<String>)>,
}

/// The last move by which the victim turned a position that was not lost into a lost one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Blunder {
    /// The position before it, with the exact value of every move.
    #[serde(flatten)]
    pub(super) judged: Judged,
    /// How many moves of the game led there.
    pub(super) ply: usize,
    /// The victim's move.
    pub(super) chosen: String,
    /// What the victim thought the position was worth, in 0..=1.
    pub(super) value: f64,
    /// Whether each cure keeps the position from being lost.
    pub(super) cured: Vec<bool>,
}

impl Blunder {
    fn is_lost_after(&self, action: &str) -> bool {
        self.judged.value(action).is_none_or(|value| value < 0.0)
    }

    /// The moves that keep the position from being lost.
    pub(super) fn right(&self) -> Vec<&str> {
        let names = self.judged.values.iter().map(|valued| valued.0.as_str());
        names.filter(|name| !self.is_lost_after(name)).collect()
    }
}

impl Experiment for Blunders {
    type Record = Option<Blunder>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        json!({ "victim": self.victim, "cures": self.cures, "games": self.games })
    }

    fn trials(&self) -> u64 {
        self.games.len() as u64
    }

    /// Walks back from the end of the game to the last position in which the victim was not lost. None if there is none.
    fn run(&self, trial: Trial) -> Result<Option<Blunder>, Error> {
        let (start, moves) = &self.games[trial.id as usize];
        let (mut session, judge) = (session(GAME)?, EXACT.parse()?);
        session.set_position(start)?;
        let mut own = Vec::new();
        for (ply, action) in moves.iter().enumerate() {
            if ply % 2 == 0 {
                own.push((ply, session.text(), action));
            }
            session.play(action)?;
        }
        for (ply, position, chosen) in own.into_iter().rev() {
            let judged = Judged::by(session.as_mut(), &judge, &position)?;
            if judged.outcome() < 0 {
                continue;
            }
            let mut ask = |agent: &str| {
                session.set_position(&position)?;
                let agent: AgentName = agent.parse()?;
                Ok::<_, Error>(session.think(&AgentName { seed: trial.seed_of("victim"), ..agent }, &mut ())?)
            };
            let value = ask(&self.victim)?.value.unwrap_or(0.5).into();
            let mut blunder = Blunder { judged, ply, chosen: chosen.clone(), value, cured: Vec::new() };
            for cure in &self.cures {
                let best = ask(cure)?.best.unwrap_or_default();
                blunder.cured.push(!blunder.is_lost_after(&best));
            }
            return Ok(Some(blunder));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only d keeps the draw. The victim plays a, which loses, and its later moves change nothing.
    #[test]
    fn a_blunder_by_hand() {
        let start = "......./....o.o/....x.o/....x.x/oox.o.o/xxooxxx x";
        let games = vec![(start.to_string(), ["a", "a", "a"].map(String::from).to_vec())];
        let cures = ["alphabeta depth=20", "alphabeta depth=1"].map(String::from).to_vec();
        let blunders = Blunders { name: "blunders".into(), victim: "alphabeta depth=1".into(), cures, games };
        let found = blunders.run(Trial { id: 0, seed: 1 }).unwrap().unwrap();
        assert_eq!((found.ply, found.chosen.as_str(), found.right()), (0, "a", vec!["d"]));
        assert_eq!((found.judged.position.as_str(), found.cured[0]), (start, true));
    }
}
