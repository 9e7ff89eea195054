//! The games of a contest, from its journal.

use super::Journals;
use crate::failure::{Failure, within};
use crate::limits::ROUNDS_SHOWN_MAX;
use aji_lab::Entry;
use aji_lab::contest::{PairRecord, SavedGame};
use serde::{Deserialize, Serialize};

/// Which rounds of games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhichRounds {
    /// How many come before them.
    from: u64,
    /// How many.
    most: u64,
}

/// Some games of a contest.
#[derive(Serialize)]
pub struct Games {
    /// The rounds of all its games so far.
    rounds: u64,
    games: Vec<GameLine>,
}

/// A game in the list. Its lists are in the order of the seats.
#[derive(Serialize)]
pub struct GameLine {
    /// The trial of the contest.
    trial: u64,
    /// The number of the game in its round, from 0.
    number: usize,
    /// The agents by index; the first one began.
    agents: Vec<usize>,
    payoffs: Vec<f64>,
    /// The moves, with those of the opening.
    plies: usize,
    /// The seat that resigned.
    resigned: Option<usize>,
}

/// The games of these rounds.
pub fn games(journals: &Journals, name: &str, which: &WhichRounds) -> Result<Games, Failure> {
    within("most", which.most, 1, ROUNDS_SHOWN_MAX)?;
    let (journal, ..) = journals.open(name)?;
    let from = usize::try_from(which.from).unwrap_or(usize::MAX);
    let mut games = Vec::new();
    for trial in journal.trials().skip(from).take(which.most as usize) {
        let Some(entry) = journal.entry(trial)? else { continue };
        let record = record_of(name, &entry)?;
        let lines = record.games.into_iter().enumerate().map(|(number, game)| GameLine {
            trial,
            number,
            plies: record.opening.len() + game.moves.len(),
            agents: game.agents,
            payoffs: game.payoffs,
            resigned: game.resigned,
        });
        games.extend(lines);
    }
    Ok(Games { rounds: journal.len() as u64, games })
}

/// One game with its moves.
pub fn game(journals: &Journals, name: &str, trial: u64, number: usize) -> Result<SavedGame, Failure> {
    let (journal, _, plan, _) = journals.open(name)?;
    let missing = || Failure::missing(format!("{name}: no game {number} of trial {trial}"));
    let record = record_of(name, &journal.entry(trial)?.ok_or_else(missing)?)?;
    let game = record.games.get(number).ok_or_else(missing)?;
    Ok(SavedGame::of(&plan, journal.header.seed, trial, &record, game))
}

fn record_of(name: &str, entry: &Entry) -> Result<PairRecord, Failure> {
    let wrong = |error| Failure::wrong(format!("{name}: line {}: {error}", entry.line));
    serde_json::from_str(&entry.record).map_err(wrong)
}
