//! Games in a file, one line of JSON each, with enough to replay them.

use super::{Contest, GameRecord, PairRecord, Plan};
use crate::Error;
use aji_catalog::{Session, Workbench};
use aji_search::Turn;
use serde::{Deserialize, Serialize};

/// A game that can be replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The game, with its options.
    pub game: String,
    /// The agents by seat; the first one began.
    pub agents: Vec<String>,
    /// The seed of the contest.
    pub seed: u64,
    /// The trial of the contest.
    pub trial: u64,
    /// How many of the moves belong to the opening.
    pub opening_plies: usize,
    /// All moves, including those of chance.
    pub moves: Vec<String>,
    /// Each agent's payoff.
    pub payoffs: Vec<f64>,
    /// The seat that resigned at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<usize>,
}

/// The games of a contest's records.
pub fn saved_games(contest: &Contest, seed: u64, records: &[(u64, PairRecord)]) -> Vec<SavedGame> {
    let plan = contest.plan();
    let games =
        records.iter().flat_map(|(trial, record)| record.games.iter().map(move |game| (trial, record, game)));
    games.map(|(trial, record, game)| SavedGame::of(&plan, seed, *trial, record, game)).collect()
}

impl SavedGame {
    /// A game of a contest.
    pub fn of(plan: &Plan, seed: u64, trial: u64, record: &PairRecord, game: &GameRecord) -> SavedGame {
        let name = |&agent: &usize| plan.agents.get(agent).cloned().unwrap_or_default();
        SavedGame {
            game: plan.game.clone(),
            agents: game.agents.iter().map(name).collect(),
            seed,
            trial,
            opening_plies: record.opening.len(),
            moves: record.opening.iter().chain(&game.moves).cloned().collect(),
            payoffs: game.payoffs.clone(),
            resigned: game.resigned,
        }
    }

    /// The game as a line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("text and finite numbers")
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<SavedGame, Error> {
        serde_json::from_str(line).map_err(|error| Error::new(format!("not a saved game: {error}")))
    }

    /// Plays the game again and calls `show` with each move and the board after it. The first call has the start and
    /// no move; if somebody resigned, one more call without a move follows. An error if a move is illegal or the
    /// result differs.
    pub fn replay(
        &self,
        workbench: &Workbench,
        show: &mut dyn FnMut(Option<&str>, &dyn Session),
    ) -> Result<(), Error> {
        let mut session = workbench.session(&self.game)?;
        show(None, session.as_ref());
        for (number, action) in self.moves.iter().enumerate() {
            let played = session.play(action);
            let name = played.map_err(|error| Error::new(format!("move {}: {error}", number + 1)))?;
            show(Some(&name), session.as_ref());
        }
        if let Some(seat) = self.resigned {
            if session.turn() != Turn::Player(seat as u8) {
                return Err(Error::new(format!("player {} resigns, but is not to move", seat + 1)));
            }
            session.resign()?;
            show(None, session.as_ref());
        }
        let payoff = session.payoff().ok_or_else(|| Error::new("the moves end before the game does"))?;
        let found: Vec<f64> = (0..session.players()).map(|player| payoff.of(player as u8).into()).collect();
        if found != self.payoffs {
            let expect = &self.payoffs;
            return Err(Error::new(format!("the game pays {found:?}, not {expect:?} as the line says")));
        }
        Ok(())
    }
}
