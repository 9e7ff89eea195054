//! The least change of a position that sets an agent right.
//!
//! A change adds, removes or moves one piece or two; it touches at most two cells. It counts if the position stays legal,
//! with the same player to act and the same outcome under best play, and if the agent's wrong move is still wrong. It sets the
//! agent right if the agent's move then keeps the outcome. All changes of one piece are tried before those of two.
//!
//! It handles games whose positions are rows of `x`, `o` and `.`, such as Connect Four, and agents that answer the same
//! position alike.

use super::Judged;
use crate::Error;
use aji_catalog::{AgentName, Session};
use serde::{Deserialize, Serialize};

/// What a cell may hold, as written.
const CELLS: [u8; 3] = [b'.', b'x', b'o'];

/// The most pieces of a change.
const PIECES_MAX: usize = 2;

/// What a change is judged by.
pub struct LeastChange<'a> {
    /// The agent that errs.
    pub agent: &'a AgentName,
    /// It values every action.
    pub judge: &'a AgentName,
    /// Refuses positions that the game reads, but that no play leads to.
    pub is_legal: &'a dyn Fn(&str) -> bool,
}

/// A cell that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedCell {
    /// Its column, from the left.
    pub column: usize,
    /// Its row, from the bottom.
    pub row: usize,
    /// What it held.
    pub before: char,
    /// What it holds.
    pub after: char,
}

/// A change that sets the agent right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The cells.
    pub cells: Vec<ChangedCell>,
    /// The position after the change, with the exact value of every move.
    #[serde(flatten)]
    pub judged: Judged,
    /// The agent's move there.
    pub chosen: String,
}

/// How many changes of some number of pieces there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// How many are legal, keep the outcome and leave the wrong move wrong.
    pub legal: u64,
    /// How many of these set the agent right.
    pub right: u64,
}

/// The changes of a position, up to the least number of pieces by which one sets the agent right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Those of one piece, then those of two if none of one piece sets the agent right.
    pub by_pieces: Vec<Counted>,
    /// The first that sets the agent right; none if no change of two pieces does.
    pub first: Option<Change>,
}

impl Changes {
    /// How many pieces were added, removed or moved at the end: 1 or 2.
    pub fn pieces(&self) -> usize {
        self.by_pieces.len()
    }

    /// The changes of that many pieces.
    pub fn last(&self) -> Counted {
        self.by_pieces.last().copied().unwrap_or_default()
    }
}

/// The cells of a position as written, and the rest of the text.
struct Board<'a> {
    text: &'a str,
    /// Where in the text each cell stands, row after row from the top.
    places: Vec<usize>,
    columns: usize,
}

impl Board<'_> {
    fn read(text: &str) -> Option<Board<'_>> {
        let rows = text.split(' ').next()?;
        let columns = rows.split('/').next()?.len();
        let is_row = |row: &str| row.len() == columns && row.bytes().all(|cell| CELLS.contains(&cell));
        let places = (0..rows.len()).filter(|&place| rows.as_bytes()[place] != b'/').collect();
        rows.split('/').all(is_row).then_some(Board { text, places, columns })
    }

    fn cell(&self, place: usize) -> u8 {
        self.text.as_bytes()[place]
    }

    /// The text with other contents of some cells.
    fn with(&self, changes: &[(usize, u8)]) -> String {
        let mut text = self.text.to_string();
        for &(place, after) in changes {
            text.replace_range(place..=place, char::from(after).encode_utf8(&mut [0; 4]));
        }
        text
    }

    fn told(&self, changes: &[(usize, u8)]) -> Vec<ChangedCell> {
        let rows = self.places.len() / self.columns;
        let told = |&(place, after): &(usize, u8)| {
            let (column, line) = (place % (self.columns + 1), place / (self.columns + 1));
            let (before, after) = (char::from(self.cell(place)), char::from(after));
            ChangedCell { column, row: rows - 1 - line, before, after }
        };
        changes.iter().map(told).collect()
    }

    /// What a cell could hold instead.
    fn others(&self, place: usize) -> impl Iterator<Item = (usize, u8)> {
        let own = self.cell(place);
        CELLS.into_iter().filter(move |&cell| cell != own).map(move |cell| (place, cell))
    }

    /// All changes of this many pieces, in the order of the cells.
    fn changes(&self, pieces: usize) -> Vec<Vec<(usize, u8)>> {
        let mut found = Vec::new();
        for (number, &one) in self.places.iter().enumerate() {
            // A piece of the other colour is one piece less and one more.
            let count = |after: u8| if after == b'.' || self.cell(one) == b'.' { 1 } else { 2 };
            let wanted = self.others(one).filter(|&(_, after)| count(after) == pieces);
            found.extend(wanted.map(|change| vec![change]));
            for &other in &self.places[number + 1..] {
                for first in self.others(one) {
                    let both = self.others(other).map(|second| [first, second]);
                    let wanted = both.filter(|both| self.is_move(both) == (pieces == 1));
                    found.extend(wanted.map(|both| both.to_vec()));
                }
            }
        }
        found
    }

    /// Whether a change moves a piece from one cell to the other.
    fn is_move(&self, [(one, first), (other, second)]: &[(usize, u8); 2]) -> bool {
        let [before, after] = [(self.cell(*one), self.cell(*other)), (*first, *second)];
        (before.0 == b'.' || before.1 == b'.') && after == (before.1, before.0)
    }
}

impl LeastChange<'_> {
    /// Looks for the least change of a position in which the agent errs by `blunder`. The session ends up at another position.
    pub fn find(&self, session: &mut dyn Session, wrong: &Judged, blunder: &str) -> Result<Changes, Error> {
        let text = &wrong.position;
        let board = Board::read(text).ok_or_else(|| {
            Error::new(format!("{text}: expected rows of x, o and ., such as x.o/.x./... o"))
        })?;
        let mut found = Changes { by_pieces: Vec::new(), first: None };
        for pieces in 1..=PIECES_MAX {
            let mut counted = Counted::default();
            for change in board.changes(pieces) {
                let Some((judged, chosen)) =
                    self.answered(session, (wrong, blunder), &board.with(&change))?
                else {
                    continue;
                };
                counted.legal += 1;
                if judged.keeps(&chosen) == Some(true) {
                    counted.right += 1;
                    let cells = board.told(&change);
                    found.first.get_or_insert(Change { cells, judged, chosen });
                }
            }
            found.by_pieces.push(counted);
            if counted.right > 0 {
                break;
            }
        }
        Ok(found)
    }

    /// A changed position with its values and the agent's move. None if it is not legal, another player is to act, its
    /// outcome is another, or the wrong move is not wrong there.
    fn answered(
        &self,
        session: &mut dyn Session,
        (wrong, blunder): (&Judged, &str),
        text: &str,
    ) -> Result<Option<(Judged, String)>, Error> {
        session.set_position(&wrong.position)?;
        let (game, mover) = (session.name().to_string(), session.turn());
        let is_read = session.set_position(text).is_ok() && session.name() == game;
        if !is_read || session.turn() != mover || !(self.is_legal)(text) {
            return Ok(None);
        }
        let judged = Judged::by(session, self.judge, text)?;
        if judged.outcome() != wrong.outcome() || judged.keeps(blunder) != Some(false) {
            return Ok(None);
        }
        session.set_position(text)?;
        let best = session.think(self.agent, &mut ())?.best;
        let chosen = best.ok_or_else(|| Error::new(format!("{} resigned in {text}", self.agent)))?;
        Ok(Some((judged, chosen)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_catalog::session;
    use std::collections::HashSet;

    fn find(game: &str, position: &str, agent: &str, blunder: &str) -> Changes {
        let (mut session, judge) = (session(game).unwrap(), "exact".parse().unwrap());
        let judged = Judged::by(session.as_mut(), &judge, position).unwrap();
        let agent = agent.parse().unwrap();
        LeastChange { agent: &agent, judge: &judge, is_legal: &|_| true }
            .find(session.as_mut(), &judged, blunder)
            .unwrap()
    }

    /// The numbers of changes of one and of two pieces against those counted by hand, each with a text of its own.
    #[test]
    fn changes_are_complete() {
        let check = |text: &str, ones: usize, twos: usize| {
            let board = Board::read(text).unwrap();
            let texts = |pieces| -> HashSet<String> {
                board.changes(pieces).iter().map(|change| board.with(change)).collect()
            };
            let (one, two) = (texts(1), texts(2));
            assert_eq!((one.len(), two.len()), (ones, twos), "{text}");
            assert_eq!((board.changes(1).len(), board.changes(2).len()), (ones, twos), "{text}");
            assert!(one.is_disjoint(&two) && !one.contains(text) && !two.contains(text));
            one
        };
        // One piece: two additions in each of two empty cells, two removals, four moves. Two: four ways in each of six
        // pairs of cells, less the four moves, and two pieces of the other colour.
        let ones = check("x./.o x", 10, 22);
        for expect in ["../.o x", "x./.. x", ".x/.o x", "x./o. x", "xx/.o x", "xo/.o x"] {
            assert!(ones.contains(expect), "{expect}");
        }
        assert!(!ones.contains("o./.o x"), "a piece of the other colour is another piece");
        assert!(Board::read("3,4 1").is_none() && Board::read("x./x x").is_none());
    }

    /// Against a corner only the centre draws, and an agent of 20 simulations plays c1. The count is checked by a plain twin, and
    /// so is the first change.
    #[test]
    fn the_least_change_by_a_plain_twin() {
        let (game, position, agent) = ("tic-tac-toe", "x../.../... o", "uct simulations=20 seed=1");
        let found = find(game, position, agent, "c1");
        let first = found.first.clone().expect("a change");
        let (mut session, judge) = (session(game).unwrap(), "exact".parse().unwrap());
        let agent: AgentName = agent.parse().unwrap();
        // The outcome, that of the agent's move, and that of c1.
        let mut judged = |text: &str| -> Option<(i8, i8, i8)> {
            session.set_position(text).ok()?;
            let values = Judged::by(session.as_mut(), &judge, text).ok()?;
            session.set_position(text).ok()?;
            let best = session.think(&agent, &mut ()).ok()?.best?;
            let after = |action: &str| Some(Judged::outcome_after(values.value(action)?));
            Some((values.outcome(), after(&best)?, after("c1")?))
        };
        // A plain twin: every text that differs in one cell, or by a piece that stands elsewhere.
        let (mut legal, mut right) = (0, HashSet::new());
        let cells: Vec<usize> = (0..11).filter(|&place| place % 4 != 3).collect();
        for code in 0..3_usize.pow(9) {
            let mut text = position.to_string();
            for (number, &place) in cells.iter().enumerate() {
                let cell = [".", "x", "o"][code / 3_usize.pow(number as u32) % 3];
                text.replace_range(place..=place, cell);
            }
            let differ: Vec<usize> =
                cells.iter().copied().filter(|&at| text.as_bytes()[at] != position.as_bytes()[at]).collect();
            let count = |text: &str, piece: char| text.split(' ').next().unwrap().matches(piece).count();
            let same = ['x', 'o'].into_iter().all(|piece| count(&text, piece) == count(position, piece));
            let holes = differ.iter().filter(|&&at| position.as_bytes()[at] == b'.').count();
            if differ.len() != 2 || !same || holes != 1 {
                continue;
            }
            let Some((outcome, kept, blunder)) = judged(&text) else { continue };
            if outcome == 0 && blunder < 0 {
                legal += 1;
                right.extend((kept == 0).then_some(text));
            }
        }
        assert_eq!(judged(position), Some((0, -1, -1)), "the agent errs");
        assert_eq!(legal, 4, "x on another corner, or beside this one");
        assert_eq!(found.by_pieces, [Counted { legal, right: right.len() as u64 }]);
        assert!(right.contains(&first.judged.position), "{first:?}");
        assert_eq!(first.cells.len(), 2);
    }

    #[test]
    fn other_texts_are_refused() {
        let (mut session, judge) = (session("nim heaps=3,4").unwrap(), "exact".parse().unwrap());
        let judged = Judged { position: "3,4 1".into(), values: Vec::new() };
        let change = LeastChange { agent: &judge, judge: &judge, is_legal: &|_| true };
        let error = change.find(session.as_mut(), &judged, "1:1").unwrap_err().to_string();
        assert_eq!(error, "3,4 1: expected rows of x, o and ., such as x.o/.x./... o");
    }
}
