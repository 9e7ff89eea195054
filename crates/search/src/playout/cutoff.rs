//! Playouts with a limit, for games that are long or may not end.

use super::given_up;
use crate::{Evaluate, Game, Heuristic, Leaf, Payoff, Turn, ValueKind};
use aji_bandit::Rng;

/// Uniformly random actions for at most `plies`, then an estimate.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff<G> {
    /// The most plies of a playout; with 0, the estimate is of the leaf itself.
    pub plies: u32,
    /// The expected payoff in a position that is not over. Without it such a game counts as [`given_up`].
    pub estimate: Option<fn(&G) -> Payoff>,
}

impl<G: Game> Cutoff<G> {
    /// Cut playouts count as draws, or as [`given_up`] says.
    pub fn draw(plies: u32) -> Cutoff<G> {
        Cutoff { plies, estimate: None }
    }
}

impl<G: Heuristic> Cutoff<G> {
    /// Cut playouts count as the game's heuristic says.
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
                leaf.play(action);
            }
            (leaf.payoff, leaf.kind) = match self.estimate {
                _ if leaf.game.turn() == Turn::Over => (leaf.game.payoff(), ValueKind::Result),
                Some(estimate) => (estimate(&leaf.game), ValueKind::Expected),
                None => (given_up(&leaf.game), ValueKind::Result),
            };
        }
    }

    /// With 0 plies only the heuristic is left.
    fn is_random(&self) -> bool {
        self.plies > 0
    }
}
