//! Ways to play a game to its end in order to value where it started.

mod cutoff;
mod epsilon;
mod uniform;

pub use cutoff::Cutoff;
pub use epsilon::Epsilon;
pub use uniform::Uniform;

use crate::{Evaluate, Game, Leaf, Payoff};
use aji_bandit::Rng;

/// A playout of so many plies is given up and counts as a draw: the game may have no end.
pub const PLAYOUT_PLIES_MAX: u32 = 100_000;

/// A way to play on from a leaf to a payoff.
pub trait Playout<G: Game> {
    /// Plays on in the leaf's position, and returns the payoff reached.
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff;
}

impl<G: Game, P: Playout<G>> Evaluate<G> for P {
    #[inline(always)]
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
        }
    }
}
