//! A learner, and playouts that may follow its order.

use super::{Learner, Order, Trace};
use crate::playout::{OrderedRoom, recorded};
use crate::{Evaluate, Keyed, Leaf, Payoff};
use aji_bandit::Rng;

/// How a playout uses the learned order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// MAXI: always the first action in the order.
    First,
    /// Not at all: any action.
    None,
}

/// Evaluates leaves by playouts, and learns from every simulation.
#[derive(Clone, Debug)]
pub struct Learning<L> {
    learner: L,
    advice: Advice,
    keys: Option<usize>,
    room: OrderedRoom,
}

impl<L> Learning<L> {
    /// With this learner, which has learned nothing yet.
    pub fn new(learner: L, advice: Advice) -> Learning<L> {
        Learning { learner, advice, keys: None, room: OrderedRoom::default() }
    }

    /// The learner.
    pub fn learner(&self) -> &L {
        &self.learner
    }
}

impl<L: Learner> Learning<L> {
    fn playout<G: Keyed>(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        let keys = leaf.game.key_count();
        if self.keys != Some(keys) {
            self.learner.begin(keys, rng);
            self.keys = Some(keys);
        }
        let (order, room) = (self.learner.order(), &mut self.room);
        match (self.advice, self.learner.hears_playouts()) {
            (Advice::First, true) => recorded::ordered(leaf, order, room, rng),
            (Advice::First, false) => leaf.game.ordered_playout(order, room, rng, &mut leaf.scratch, |_| {}),
            (Advice::None, true) => recorded::random(leaf, rng),
            (Advice::None, false) => leaf.game.playout(rng, &mut leaf.scratch),
        }
    }
}

impl<G: Keyed, L: Learner> Evaluate<G> for Learning<L> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
        }
    }

    fn learns(&self) -> bool {
        true
    }

    #[inline]
    fn key(&self, game: &G, action: G::Action) -> u32 {
        game.key(action) as u32
    }

    #[inline]
    fn learn(&mut self, trace: &Trace) {
        // If the game ends in the tree before any playout, there is nothing to compare yet.
        if self.keys.is_some() {
            self.learner.learn(trace);
        }
    }

    fn bytes(&self, game: &G) -> usize {
        self.learner.bytes(game.key_count())
    }

    fn order(&self) -> Option<&Order> {
        self.keys.map(|_| self.learner.order())
    }
}
