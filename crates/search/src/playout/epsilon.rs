//! Greedy playouts by a heuristic, with some random actions.

use super::PLAYOUT_PLIES_MAX;
use crate::{Evaluate, Game, Heuristic, Leaf, Payoff, Turn, ValueKind};
use aji_bandit::Rng;

/// Takes the action whose result looks best to the player who acts. With probability `epsilon`, and at chance nodes,
/// the action is random. Ties are broken at random.
#[derive(Clone, Copy, Debug)]
pub struct Epsilon<G> {
    /// The share of random actions.
    pub epsilon: f32,
    /// The most plies of a playout before the last position is estimated.
    pub plies: u32,
    /// The estimate of a position.
    pub estimate: fn(&G) -> Payoff,
}

impl<G: Heuristic> Epsilon<G> {
    /// With the game's own heuristic, to the end of the game.
    pub fn heuristic(epsilon: f32) -> Epsilon<G> {
        Epsilon { epsilon, plies: PLAYOUT_PLIES_MAX, estimate: G::estimate }
    }
}

impl<G: Game> Epsilon<G> {
    fn look(&self, game: &G) -> Payoff {
        if game.turn() == Turn::Over { game.payoff() } else { (self.estimate)(game) }
    }

    fn greedy_action(&self, leaf: &mut Leaf<G>, player: crate::Player, rng: &mut Rng) -> G::Action {
        leaf.scratch.clear();
        leaf.game.playout_actions(&mut leaf.scratch);
        let mut after = leaf.game.clone();
        let (mut best, mut action, mut equals) = (f32::NEG_INFINITY, leaf.scratch[0], 0);
        for &candidate in &leaf.scratch {
            after.clone_from(&leaf.game);
            after.play(candidate);
            let look = self.look(&after).of(player);
            equals = if look > best { 1 } else { equals + u32::from(look == best) };
            if look > best || (look == best && rng.below(equals as usize) == 0) {
                (best, action) = (look, candidate);
            }
        }
        action
    }
}

impl<G: Game> Epsilon<G> {
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        for _ in 0..self.plies {
            let action = match leaf.game.turn() {
                Turn::Over => return leaf.game.payoff(),
                Turn::Player(player) if rng.unit() >= self.epsilon => self.greedy_action(leaf, player, rng),
                _ => leaf.game.random_action(rng, &mut leaf.scratch),
            };
            leaf.play(action);
        }
        self.look(&leaf.game)
    }
}

impl<G: Game> Evaluate<G> for Epsilon<G> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
            let is_over = leaf.game.turn() == Turn::Over;
            leaf.kind = if is_over { ValueKind::Result } else { ValueKind::Expected };
        }
    }
}
