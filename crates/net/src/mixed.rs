//! A network's value mixed with the result of a playout, as in AlphaGo: (1 - lambda) value + lambda result.

use aji_search::{Evaluate, Game, Leaf, Payoff, Rng, Utility, ValueKind};

/// Values leaves by a network and a playout together. The policy is the network's.
pub struct MixedEvaluation<G: Game> {
    network: Box<dyn Evaluate<G> + Send>,
    playout: Box<dyn Evaluate<G> + Send>,
    lambda: f32,
    utility: Utility,
    /// Copies of the leaves, for the playouts.
    leaves: Vec<Leaf<G>>,
}

impl<G: Game> MixedEvaluation<G> {
    /// The playout has the weight `lambda`. `utility` is what the search maximises.
    pub fn new(
        network: Box<dyn Evaluate<G> + Send>,
        playout: Box<dyn Evaluate<G> + Send>,
        lambda: f32,
        utility: Utility,
    ) -> MixedEvaluation<G> {
        MixedEvaluation { network, playout, lambda, utility, leaves: Vec::new() }
    }
}

impl<G: Game> Evaluate<G> for MixedEvaluation<G> {
    fn has_policy(&self) -> bool {
        true
    }

    /// A network sees positions from the side of the player to act.
    fn values_chance(&self) -> bool {
        false
    }

    fn is_random(&self) -> bool {
        self.lambda > 0.0 && self.playout.is_random()
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        self.network.evaluate(leaves, rng);
        for (place, leaf) in leaves.iter().enumerate() {
            match self.leaves.get_mut(place) {
                Some(twin) => twin.game.clone_from(&leaf.game),
                None => self.leaves.push(Leaf::new(leaf.game.clone())),
            }
            self.leaves[place].kind = ValueKind::Result;
        }
        let twins = &mut self.leaves[..leaves.len()];
        self.playout.evaluate(twins, rng);
        for (leaf, twin) in leaves.iter_mut().zip(twins) {
            let range = leaf.game.payoff_range();
            let value = self.utility.rewards_of(&leaf.payoff, leaf.kind, range);
            let result = self.utility.rewards_of(&twin.payoff, twin.kind, range);
            let mix = |player: usize| (1.0 - self.lambda) * value[player] + self.lambda * result[player];
            (leaf.payoff, leaf.kind) = (Payoff(std::array::from_fn(mix)), ValueKind::Reward);
        }
    }

    fn bytes(&self, game: &G) -> usize {
        self.network.bytes(game) + self.playout.bytes(game)
    }
}
