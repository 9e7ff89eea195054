//! What a new leaf is worth. Leaves come in slices, so that many can be valued together.

use crate::learn::{Order, Played, Trace};
use crate::{Game, Payoff};
use aji_bandit::Rng;

/// A position at the edge of the tree, waiting to be valued.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position, which is not over. The evaluation may play on in it.
    pub game: G,
    /// The evaluation's answer, in the game's unit.
    pub payoff: Payoff,
    /// Room to work in; what it holds before and after means nothing.
    pub scratch: Vec<G::Action>,
    /// What the players did in a playout that is [recorded](crate::playout::recorded); nothing otherwise.
    pub played: Vec<Played>,
}

impl<G: Game> Leaf<G> {
    /// A leaf at this position, not yet valued.
    pub fn new(game: G) -> Leaf<G> {
        Leaf { game, payoff: Payoff::DRAW, scratch: Vec::new(), played: Vec::new() }
    }
}

/// Values leaves. The [playouts](crate::playout) do so, most of them one by one; a network takes them together.
pub trait Evaluate<G: Game> {
    /// Whether it wants to hear of simulations.
    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    /// Sets the payoff of each leaf.
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng);

    /// Hears of a simulation, once it was backed up.
    fn learn(&mut self, _trace: &Trace) {}

    /// The key of an action, for [`learn`](Evaluate::learn).
    fn key(&self, _game: &G, _action: G::Action) -> u32 {
        0
    }

    /// The bytes that it takes at most beside the tree, in this game. They count under the search's cap.
    fn bytes(&self, _game: &G) -> usize {
        0
    }

    /// The order of actions that it has learned, by their keys, if it learns one.
    fn order(&self) -> Option<&Order> {
        None
    }
}

impl<G: Game, E: Evaluate<G> + ?Sized> Evaluate<G> for Box<E> {
    fn learns(&self) -> bool {
        (**self).learns()
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        (**self).evaluate(leaves, rng);
    }

    fn learn(&mut self, trace: &Trace) {
        (**self).learn(trace);
    }

    fn key(&self, game: &G, action: G::Action) -> u32 {
        (**self).key(game, action)
    }

    fn bytes(&self, game: &G) -> usize {
        (**self).bytes(game)
    }

    fn order(&self) -> Option<&Order> {
        (**self).order()
    }
}
