//! Evaluations of [`AnyGame`] for searches that know their game's type.

use crate::{Abilities, AnyGame, Evaluate, Game, Leaf, Playable, Rng, ValueKind};

/// An evaluation that works on any game.
pub type AnyEvaluation = Box<dyn Evaluate<AnyGame> + Send>;

/// Lets an evaluation of [`AnyGame`] value the leaves of a game of known type. It gets a hidden copy of each leaf, so
/// it is compiled once for all games. That suits evaluations that take microseconds, such as networks. The search does
/// not report simulations to an evaluation that [learns](Evaluate::learns).
pub struct HiddenLeaves<G: Game> {
    evaluation: AnyEvaluation,
    abilities: Abilities<G>,
    /// The copies, kept for their buffers.
    leaves: Vec<Leaf<AnyGame>>,
}

impl<G: Playable> HiddenLeaves<G> {
    /// The evaluation may use only these abilities of a leaf.
    pub fn new(evaluation: AnyEvaluation, abilities: Abilities<G>) -> HiddenLeaves<G> {
        HiddenLeaves { evaluation, abilities, leaves: Vec::new() }
    }

    fn hide(&self, game: &G) -> AnyGame {
        AnyGame::with(game.clone(), self.abilities)
    }
}

impl<G: Playable> Evaluate<G> for HiddenLeaves<G> {
    fn has_policy(&self) -> bool {
        self.evaluation.has_policy()
    }

    fn values_chance(&self) -> bool {
        self.evaluation.values_chance()
    }

    fn is_random(&self) -> bool {
        self.evaluation.is_random()
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        let has_policy = self.has_policy();
        for (place, leaf) in leaves.iter().enumerate() {
            let game = self.hide(&leaf.game);
            match self.leaves.get_mut(place) {
                Some(copy) => copy.game = game,
                None => self.leaves.push(Leaf::new(game)),
            }
            let copy = &mut self.leaves[place];
            copy.kind = ValueKind::Result;
            copy.actions.clear();
            copy.policy.clear();
            if has_policy {
                copy.game.actions(&mut copy.actions);
            }
        }
        let copies = &mut self.leaves[..leaves.len()];
        self.evaluation.evaluate(copies, rng);
        for (leaf, copy) in leaves.iter_mut().zip(copies) {
            (leaf.payoff, leaf.kind) = (copy.payoff, copy.kind);
            leaf.policy.clone_from(&copy.policy);
        }
    }

    fn bytes(&self, game: &G) -> usize {
        self.evaluation.bytes(&self.hide(game))
    }
}
