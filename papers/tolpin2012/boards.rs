//! The games of the matches, with UCB1's best constant in each. Each line adds a game.

use crate::shared::meeting_cells;
use aji_catalog::AgentName;
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Table};
use aji_lab::{Error, Lab};

/// A game.
pub(super) struct Board {
    pub(super) label: &'static str,
    pub(super) game: &'static str,
    /// The constant of UCB1 with which UCT plays best at about a thousand simulations per move, by `aji tune`.
    pub(super) tuned: f32,
}

pub(super) const BOARDS: &[Board] = &[
    Board { label: "Connect Four", game: "connect-four", tuned: 0.45 },
    Board { label: "Hex 7x7", game: "hex size=7", tuned: 0.3 },
    Board { label: "Othello", game: "othello", tuned: 0.4 },
];

/// Random plies at the start of each pair of games.
pub(super) const OPENING_PLIES: usize = 4;

/// Two agents in one game.
pub(super) struct Pairing {
    pub(super) board: &'static Board,
    pub(super) a: String,
    pub(super) b: String,
    /// Whether the second agent gets the simulations that the first has spent.
    pub(super) equal_samples: bool,
    /// The number of the first pair, which determines its opening and seeds.
    pub(super) first_pair: u64,
}

/// Plays each pairing for this many pairs of games. `name` is the experiment's.
pub(super) fn meet(lab: &Lab, name: &str, pairings: &[Pairing], pairs: u64) -> Result<Vec<Meeting>, Error> {
    let play = |(number, pairing): (usize, &Pairing)| {
        let (a, b): (AgentName, AgentName) = (pairing.a.parse()?, pairing.b.parse()?);
        let contest = Contest::of_two(pairing.board.game, a, b, pairs)?
            .openings(OPENING_PLIES)?
            .first_round(pairing.first_pair)
            .named(&format!("tolpin2012-{name}-{}", number + 1));
        let contest = if pairing.equal_samples { contest.equal_samples()? } else { contest };
        let records = lab.run(&contest)?;
        Ok(Meeting::new(records.iter()).expect("pairs were played"))
    };
    pairings.iter().enumerate().map(play).collect()
}

/// The columns of a table of meetings, after those that name the agents.
pub(super) const MEETING_COLUMNS: [&str; 6] = ["won", "drawn", "lost", "score", "95% interval", "Elo"];

/// Adds a row to such a table.
pub(super) fn push(table: &mut Table, who: Vec<Cell>, meeting: &Meeting) {
    table.push(who.into_iter().chain(meeting_cells(meeting)).collect());
}
