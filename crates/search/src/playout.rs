//! Ways to play a game to its end, to evaluate where it started.

mod cutoff;
mod epsilon;
mod lgr;
mod mast;
mod ordered_room;
pub mod recorded;
mod uniform;

pub use cutoff::Cutoff;
pub use epsilon::Epsilon;
pub use lgr::Lgr;
pub use mast::{Mast, Preference};
pub use ordered_room::OrderedRoom;
pub use recorded::Recorded;
pub use uniform::Uniform;

use crate::{Game, Payoff};

/// A playout of this many plies is [given up](given_up): the game may have no end.
pub const PLAYOUT_PLIES_MAX: u32 = 100_000;

/// The payoff of a game that was given up: a draw, or the lowest payoff if nobody can get 0 (a game that pays costs).
pub fn given_up<G: Game>(game: &G) -> Payoff {
    let (low, high) = game.payoff_range();
    if (low..=high).contains(&0.0) {
        return Payoff::DRAW;
    }
    Payoff(std::array::from_fn(|player| if player < game.players() { low } else { 0.0 }))
}
