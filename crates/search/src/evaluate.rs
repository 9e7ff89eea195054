//! What a new leaf is worth. Leaves come in slices, so that many can be valued together.

use crate::learn::{Order, Played, Trace};
use crate::{Game, Payoff};
use aji_bandit::Rng;

/// How the numbers of a [`Leaf::payoff`] are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueKind {
    /// What each player got in a game that was played to its end. Where the win is searched for, only the sign counts.
    #[default]
    Result,
    /// What each player can expect to get. It keeps its size: where the win is searched for, it counts by its place in the
    /// game's range of payoffs.
    Expected,
    /// A reward in 0..=1 for each player, whatever is searched for.
    Reward,
}

/// A position at the edge of the tree, waiting to be valued.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position, which is not over. The evaluation may play on in it.
    pub game: G,
    /// The evaluation's answer, in the game's unit unless [`kind`](Leaf::kind) says otherwise.
    pub payoff: Payoff,
    /// How the answer is to be read. An evaluation of which all answers are results need not set it.
    pub kind: ValueKind,
    /// The position's actions, in the game's order, for an evaluation [with a policy](Evaluate::has_policy); for others they mean
    /// nothing.
    pub actions: Vec<G::Action>,
    /// The evaluation's policy: a weight for each of the actions, on any scale. One with a policy sets it; empty means that all
    /// actions are alike.
    pub policy: Vec<f32>,
    /// Room to work in; what it holds before and after means nothing.
    pub scratch: Vec<G::Action>,
    /// What the players did in a playout that is [recorded](crate::playout::recorded); nothing otherwise.
    pub played: Vec<Played>,
}

impl<G: Game> Leaf<G> {
    /// A leaf at this position, not yet valued.
    pub fn new(game: G) -> Leaf<G> {
        Leaf {
            game,
            payoff: Payoff::DRAW,
            kind: ValueKind::Result,
            actions: Vec::new(),
            policy: Vec::new(),
            scratch: Vec::new(),
            played: Vec::new(),
        }
    }
}

/// Values leaves. The [playouts](crate::playout) do so, most of them one by one; a network takes them together.
pub trait Evaluate<G: Game> {
    /// Whether it wants to hear of simulations.
    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    /// Whether it also says how good each action looks. A leaf is then valued before its node opens, on its first visit; the node
    /// opens with the policy for its priors, which rules such as [`Puct`](aji_bandit::Puct) read. Such an evaluation leaves the
    /// leaf's position as it is.
    #[inline(always)]
    fn has_policy(&self) -> bool {
        false
    }

    /// Whether another look at the same position tells something new, as a random playout does. If not, simulations that come
    /// to one leaf together share one look.
    #[inline(always)]
    fn is_random(&self) -> bool {
        true
    }

    /// Sets the payoff of each leaf, and its policy if it has one.
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
    fn has_policy(&self) -> bool {
        (**self).has_policy()
    }

    fn is_random(&self) -> bool {
        (**self).is_random()
    }

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
