//! Exact play, for games small enough: the oracle of the searches, and a player in its own right.
//!
//! [`AlphaBeta`] looks as deep as it may in games of two players without chance. [`MaxN`] solves games of one to four
//! players, with or without chance, that cannot come back to a position. [`ValueIteration`] solves those that can.
//! [`Solver`] is the agent that takes the one that solves the game.
//!
//! All recognise positions by their hash of 64 bits and nothing else: among five million positions the chance that any
//! two are taken for one is one in a million.

mod alpha_beta;
mod max_n;
mod memo;
mod pace;
mod solver;
mod table;
mod value_iteration;

pub use alpha_beta::{AlphaBeta, Found, LINE_MAX, MoveOrder, Worth};
pub use max_n::MaxN;
pub use solver::Solver;
pub use table::DEPTH_MAX;
pub use value_iteration::{SWEEPS_MAX, ValueIteration};

use crate::{PLAYERS_MAX, Stopped};

/// What each player can expect, in the game's own unit.
pub type Values = [f64; PLAYERS_MAX];

/// What came of solving a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Solution<A> {
    /// The values.
    Solved(Solved<A>),
    /// There are more positions than the memory cap holds; so many were counted.
    TooLarge {
        /// Positions found before giving up.
        positions: usize,
    },
    /// A position was met again on the way from itself, so the values cannot be found by looking ahead.
    Endless {
        /// Positions found before giving up.
        positions: usize,
    },
    /// The budget was spent before the end.
    Stopped {
        /// Positions found so far.
        positions: usize,
        /// What ended it.
        why: Stopped,
    },
}

impl<A> Solution<A> {
    /// The values, where the game was solved.
    pub fn solved(self) -> Option<Solved<A>> {
        match self {
            Solution::Solved(solved) => Some(solved),
            _ => None,
        }
    }
}

/// The values of a position and of its actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved<A> {
    /// An action as good as any to the player who acts, the first of those; none at chance or when the game is over.
    pub best: Option<A>,
    /// The values of the position.
    pub values: Values,
    /// The values of each action, or of each outcome of chance, in the game's order.
    pub actions: Vec<(A, Values)>,
    /// The best action and those that follow, as far as they are the players' choice and are remembered.
    pub line: Vec<A>,
    /// Different positions that were valued; of looking ahead, without those where the game is over.
    pub positions: usize,
    /// The most bytes that these take.
    pub bytes: usize,
    /// False where a depth limit cut the game short, or where the values had not settled.
    pub exact: bool,
}

/// A heuristic. Without one a game cut short is worth nothing to anyone.
pub(crate) type Estimate<G> = Option<fn(&G) -> crate::Payoff>;
