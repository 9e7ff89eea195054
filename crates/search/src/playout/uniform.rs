//! Every legal action alike.

use super::Playout;
use crate::{Game, Leaf, Payoff};
use aji_bandit::Rng;

/// Uniformly random actions to the end, by the game's own [`Game::playout`] for one leaf and [`Game::playouts`] for
/// many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniform;

impl<G: Game> Playout<G> for Uniform {
    #[inline(always)]
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        leaf.game.playout(rng, &mut leaf.scratch)
    }

    #[inline(always)]
    fn playouts(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        match leaves {
            [leaf] => leaf.payoff = self.playout(leaf, rng),
            _ => G::playouts(leaves, rng),
        }
    }
}
