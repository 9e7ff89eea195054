//! Exact play for small games: the reference for the searches, and a player in its own right.
//!
//! [`AlphaBeta`] searches to a depth limit in games of two players without chance. [`MaxN`] solves games of one to
//! four players, with or without chance, that cannot return to a position. [`ValueIteration`] solves those that can.
//! [`Solver`] is the agent that takes the one that solves the game.
//!
//! All of them identify positions by their 64-bit hash alone. Among five million positions, the probability that any
//! two collide is one in a million.

mod alpha_beta;
mod fallback;
mod max_n;
mod memo;
mod pace;
mod solver;
mod table;
mod value_iteration;

pub use alpha_beta::{AlphaBeta, Found, LINE_MAX, MoveOrder, Score, Worth};
pub use fallback::Fallback;
pub use max_n::MaxN;
pub use solver::Solver;
pub use table::DEPTH_MAX;
pub use value_iteration::{SWEEPS_MAX, ValueIteration};

use crate::{PLAYERS_MAX, Stopped};

/// Each player's expected payoff, in the game's own unit.
pub type Values = [f64; PLAYERS_MAX];

/// The result of solving a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Solution<A> {
    /// The values.
    Solved(Solved<A>),
    /// There are more positions than the memory cap holds.
    TooLarge {
        /// Positions found before giving up.
        positions: usize,
    },
    /// A position can be reached again from itself, so looking ahead cannot find the values.
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
    /// The values, if the game was solved.
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
    /// The first of the best actions for the player who acts; none at chance nodes or when the game is over.
    pub best: Option<A>,
    /// The values of the position.
    pub values: Values,
    /// The values of each action, or of each outcome of chance, in the game's order.
    pub actions: Vec<(A, Values)>,
    /// The best action and those that follow, as far as players choose them and they are remembered.
    pub line: Vec<A>,
    /// Distinct positions that were evaluated. Looking ahead does not count those where the game is over.
    pub positions: usize,
    /// The most bytes that these take.
    pub bytes: usize,
    /// False if a depth limit cut the game short, or if the values had not settled.
    pub exact: bool,
}

/// A heuristic. Without one, a game cut short is worth 0 to everyone.
pub(crate) type Estimate<G> = Option<fn(&G) -> crate::Payoff>;
