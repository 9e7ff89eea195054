//! Every legal action alike.

use super::Playout;
use crate::{Game, Leaf, Payoff};
use aji_bandit::Rng;

/// Uniformly random actions to the end, by the game's own [`Game::playout`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniform;

impl<G: Game> Playout<G> for Uniform {
    #[inline(always)]
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        leaf.game.playout(rng, &mut leaf.scratch)
    }
}
