//! Ways to play a game to its end in order to value where it started.

mod cutoff;
mod epsilon;
mod lgr;
mod mast;
mod ordered_room;
pub mod recorded;
mod uniform;

pub use cutoff::Cutoff;
pub use epsilon::Epsilon;
pub use lgr::Lgr;
pub use mast::{Mast, Preference};
pub use ordered_room::OrderedRoom;
pub use recorded::Recorded;
pub use uniform::Uniform;

use crate::learn::{Order, Trace};
use crate::{Evaluate, Game, Leaf, Payoff};
use aji_bandit::Rng;

/// A playout of so many plies is [given up](given_up): the game may have no end.
pub const PLAYOUT_PLIES_MAX: u32 = 100_000;

/// What a game that was given up counts as: a draw, or, where nobody can get 0 (a game that pays costs), the least that
/// can be got.
pub fn given_up<G: Game>(game: &G) -> Payoff {
    let (low, high) = game.payoff_range();
    if (low..=high).contains(&0.0) {
        return Payoff::DRAW;
    }
    Payoff(std::array::from_fn(|player| if player < game.players() { low } else { 0.0 }))
}

/// A way to play on from a leaf to a payoff.
pub trait Playout<G: Game> {
    /// Whether it wants to hear of simulations.
    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    /// Plays on in the leaf's position, and returns the payoff reached.
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff;

    /// Sets the payoff of each leaf, one after another. A playout that takes many leaves together faster should do so,
    /// but of one leaf alone it must make what [`playout`](Playout::playout) does, with the same random numbers.
    #[inline(always)]
    fn playouts(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
        }
    }

    /// Hears of a simulation, as [`Evaluate::learn`] does.
    fn learn(&mut self, _trace: &Trace<G::Action>) {}

    /// The key of an action, for [`learn`](Playout::learn).
    fn key(&self, _game: &G, _action: G::Action) -> u32 {
        0
    }

    /// The bytes that it takes, as [`Evaluate::bytes`] tells.
    fn bytes(&self, _game: &G) -> usize {
        0
    }

    /// The order of actions that it has learned, if it learns one.
    fn order(&self) -> Option<&Order> {
        None
    }
}

impl<G: Game, P: Playout<G>> Evaluate<G> for P {
    #[inline(always)]
    fn learns(&self) -> bool {
        Playout::learns(self)
    }

    #[inline(always)]
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        self.playouts(leaves, rng);
    }

    #[inline(always)]
    fn learn(&mut self, trace: &Trace<G::Action>) {
        Playout::learn(self, trace);
    }

    #[inline(always)]
    fn key(&self, game: &G, action: G::Action) -> u32 {
        Playout::key(self, game, action)
    }

    fn bytes(&self, game: &G) -> usize {
        Playout::bytes(self, game)
    }

    fn order(&self) -> Option<&Order> {
        Playout::order(self)
    }
}
