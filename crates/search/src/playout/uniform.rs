//! Uniformly random playouts.

use crate::{Evaluate, Game, Leaf};
use aji_bandit::Rng;

/// Uniformly random actions to the end, by the game's own [`Game::playout`] for one leaf and [`Game::playouts`] for
/// many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniform;

impl<G: Game> Evaluate<G> for Uniform {
    #[inline(always)]
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        match leaves {
            [leaf] => leaf.payoff = leaf.game.playout(rng, &mut leaf.scratch),
            _ => G::playouts(leaves, rng),
        }
    }
}
