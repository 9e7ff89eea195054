//! Playouts with an end: for games that are long, or may have none.

use super::given_up;
use crate::{Evaluate, Game, Heuristic, Leaf, Payoff, Turn, ValueKind};
use aji_bandit::Rng;

/// Uniformly random actions for at most `plies`, and then a guess.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff<G> {
    /// The most plies a playout plays; with 0 the leaf itself is guessed.
    pub plies: u32,
    /// What a player can expect in a position that is not over. Without it such a game counts as [`given_up`].
    pub estimate: Option<fn(&G) -> Payoff>,
}

impl<G: Game> Cutoff<G> {
    /// Cut playouts count as draws, or as [`given_up`] says.
    pub fn draw(plies: u32) -> Cutoff<G> {
        Cutoff { plies, estimate: None }
    }
}

impl<G: Heuristic> Cutoff<G> {
    /// Cut playouts are valued by the game's heuristic.
    pub fn heuristic(plies: u32) -> Cutoff<G> {
        Cutoff { plies, estimate: Some(G::estimate) }
    }
}

impl<G: Game> Evaluate<G> for Cutoff<G> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            for _ in 0..self.plies {
                if leaf.game.turn() == Turn::Over {
                    break;
                }
                let action = leaf.game.random_action(rng, &mut leaf.scratch);
                leaf.game.play(action);
            }
            (leaf.payoff, leaf.kind) = match self.estimate {
                _ if leaf.game.turn() == Turn::Over => (leaf.game.payoff(), ValueKind::Result),
                Some(estimate) => (estimate(&leaf.game), ValueKind::Expected),
                None => (given_up(&leaf.game), ValueKind::Result),
            };
        }
    }

    /// Without plies it is the heuristic alone.
    fn is_random(&self) -> bool {
        self.plies > 0
    }
}
