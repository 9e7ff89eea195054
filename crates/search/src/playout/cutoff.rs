//! Playouts with an end: for games that are long, or may have none.

use super::given_up;
use crate::{Evaluate, Game, Heuristic, Leaf, Payoff, Turn};
use aji_bandit::Rng;

/// Uniformly random actions for at most `plies`, and then a guess.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff<G> {
    /// The most plies a playout plays; with 0 the leaf itself is guessed.
    pub plies: u32,
    /// The guess at a position that is not over.
    pub estimate: fn(&G) -> Payoff,
}

impl<G: Game> Cutoff<G> {
    /// Cut playouts count as draws, or as [`given_up`] says.
    pub fn draw(plies: u32) -> Cutoff<G> {
        Cutoff { plies, estimate: given_up }
    }
}

impl<G: Heuristic> Cutoff<G> {
    /// Cut playouts are valued by the game's heuristic.
    pub fn heuristic(plies: u32) -> Cutoff<G> {
        Cutoff { plies, estimate: G::estimate }
    }
}

impl<G: Game> Cutoff<G> {
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        for _ in 0..self.plies {
            if leaf.game.turn() == Turn::Over {
                break;
            }
            let action = leaf.game.random_action(rng, &mut leaf.scratch);
            leaf.game.play(action);
        }
        if leaf.game.turn() == Turn::Over { leaf.game.payoff() } else { (self.estimate)(&leaf.game) }
    }
}

impl<G: Game> Evaluate<G> for Cutoff<G> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
        }
    }
}
