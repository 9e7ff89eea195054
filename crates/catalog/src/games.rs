//! The games by name. A new game is one entry here.

use crate::Error;
use crate::error::unknown;
use crate::session::{Session, Table};
use crate::words::Words;
use aji_games::{ConnectFour, TicTacToe};
use aji_search::Heuristic;

/// A game that can be asked for by name.
pub struct Entry {
    /// Its name.
    pub word: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its options, if it has any.
    pub options: &'static str,
    open: fn(String, &mut Words) -> Result<Box<dyn Session>, Error>,
}

/// All games.
pub const GAMES: &[Entry] = &[
    Entry {
        word: "tic-tac-toe",
        summary: "three in a row on three by three",
        options: "",
        open: |name, _| Ok(Box::new(Table::new(name, TicTacToe::new(), None))),
    },
    Entry {
        word: "connect-four",
        summary: "four in a row, pieces fall",
        options: "",
        open: |name, _| Ok(Box::new(Table::new(name, ConnectFour::new(), Some(ConnectFour::estimate)))),
    },
];

/// Opens a game by its name: `connect-four`, `hex size=5`.
pub fn session(name: &str) -> Result<Box<dyn Session>, Error> {
    let mut words = Words::parse("game", name)?;
    let Some(entry) = GAMES.iter().find(|entry| entry.word == words.name) else {
        let known: Vec<&str> = GAMES.iter().map(|entry| entry.word).collect();
        return Err(unknown("game", words.name, &known));
    };
    let whole = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let session = (entry.open)(whole, &mut words)?;
    words.finish()?;
    Ok(session)
}
