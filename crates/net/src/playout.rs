//! A network as a playout policy: it gives the probabilities of every move.

use crate::evaluation::NetworkEvaluation;
use crate::math::{exp, ln};
use aji_search::playout::given_up;
use aji_search::{Evaluate, Game, Leaf, PLAYOUT_PLIES_MAX, Rng, Turn, ValueKind};

/// Plays games to their end by a network's policy. The playouts of several leaves run side by side, so that the network
/// evaluates their positions in batches.
pub struct NetworkPlayout<G: Game> {
    network: NetworkEvaluation<G>,
    temperature: f32,
    /// The positions of a ply in which a player has a choice, and the leaf of each.
    choices: Vec<Leaf<G>>,
    owners: Vec<usize>,
}

impl<G: Game> NetworkPlayout<G> {
    /// Playouts in which an action's weight is its policy to the power of 1/temperature.
    pub fn new(network: NetworkEvaluation<G>, temperature: f32) -> NetworkPlayout<G> {
        NetworkPlayout { network, temperature, choices: Vec::new(), owners: Vec::new() }
    }

    /// Plays on to the next choice between several actions, and adds it to the batch, unless the game ends before.
    fn reach_choice(&mut self, leaf: &mut Leaf<G>, owner: usize, rng: &mut Rng) {
        let place = self.owners.len();
        if place == self.choices.len() {
            self.choices.push(Leaf::new(leaf.game.clone()));
        }
        let choice = &mut self.choices[place];
        for _ in 0..PLAYOUT_PLIES_MAX {
            let action = match leaf.game.turn() {
                Turn::Over => return,
                Turn::Chance => leaf.game.random_action(rng, &mut leaf.scratch),
                Turn::Player(_) => {
                    choice.actions.clear();
                    leaf.game.playout_actions(&mut choice.actions);
                    if choice.actions.len() != 1 {
                        choice.game.clone_from(&leaf.game);
                        self.owners.push(owner);
                        return;
                    }
                    choice.actions[0]
                }
            };
            leaf.game.play(action);
        }
    }
}

/// Draws an index by weights to the power of 1/temperature. All weights are above 0, or nearly so.
fn drawn(weights: &[f32], temperature: f32, rng: &mut Rng) -> usize {
    let highest = weights.iter().copied().fold(0.0, f32::max);
    let weight = |&weight: &f32| match weight {
        _ if temperature == 1.0 => f64::from(weight),
        weight if weight <= 0.0 => 0.0,
        weight => exp(ln(f64::from(weight) / f64::from(highest)) / f64::from(temperature)),
    };
    let mut left = f64::from(rng.unit()) * weights.iter().map(weight).sum::<f64>();
    for (place, share) in weights.iter().map(weight).enumerate() {
        left -= share;
        if left < 0.0 {
            return place;
        }
    }
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

impl<G: Game> Evaluate<G> for NetworkPlayout<G> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for _ in 0..PLAYOUT_PLIES_MAX {
            self.owners.clear();
            for (owner, leaf) in leaves.iter_mut().enumerate() {
                self.reach_choice(leaf, owner, rng);
            }
            if self.owners.is_empty() {
                break;
            }
            let choices = &mut self.choices[..self.owners.len()];
            self.network.evaluate(choices, rng);
            for (choice, &owner) in choices.iter().zip(&self.owners) {
                let place = drawn(&choice.policy, self.temperature, rng);
                leaves[owner].game.play(choice.actions[place]);
            }
        }
        for leaf in leaves {
            let is_over = leaf.game.turn() == Turn::Over;
            leaf.payoff = if is_over { leaf.game.payoff() } else { given_up(&leaf.game) };
            leaf.kind = ValueKind::Result;
        }
    }

    fn bytes(&self, game: &G) -> usize {
        self.network.bytes(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of 1 : 2 : 1 become 1 : 4 : 1 at a temperature of 1/2, and 1 : 1.41 : 1 at 2.
    #[test]
    fn draws_follow_the_temperature() {
        let mut rng = Rng::seeded(4);
        for (temperature, expect) in [(1.0, 15_000), (0.5, 20_000), (2.0, 12_426), (0.001, 30_000)] {
            let count = (0..30_000).filter(|_| drawn(&[0.25, 0.5, 0.25], temperature, &mut rng) == 1).count();
            assert!(count.abs_diff(expect) < 400, "{temperature}: {count} is far from {expect}");
        }
        assert!((0..1_000).all(|_| drawn(&[0.0, 1.0, 0.0], 1.0, &mut rng) == 1));
    }
}
