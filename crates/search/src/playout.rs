//! Ways to play a game to its end in order to value where it started.

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

/// A playout of so many plies is [given up](given_up): the game may have no end.
pub const PLAYOUT_PLIES_MAX: u32 = 100_000;

/// What a game that was given up counts as: a draw, or, where nobody can get 0 (a game that pays costs), the least that
/// can be got.
pub fn given_up<G: Game>(game: &G) -> Payoff {
    let (low, high) = game.payoff_range();
    if (low..=high).contains(&0.0) {
        return Payoff::DRAW;
    }
    Payoff(std::array::from_fn(|player| if player < game.players() { low } else { 0.0 }))
}
