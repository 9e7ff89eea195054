//! The value of a new leaf. Leaves come in slices, so that many can be evaluated together.

use crate::learn::{Order, Played, Trace};
use crate::{Game, Payoff};
use aji_bandit::Rng;

/// How to read the numbers of a [`Leaf::payoff`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueKind {
    /// Each player's payoff in a game that was played to its end. If the search maximises wins, only the sign counts.
    #[default]
    Result,
    /// Each player's expected payoff. It keeps its size: if the search maximises wins, it is scaled by the game's
    /// range of payoffs.
    Expected,
    /// A reward in 0..=1 for each player, whatever the search maximises.
    Reward,
}

/// A position at the edge of the tree, to be evaluated.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position, which is not over. The evaluation may play on in it.
    pub game: G,
    /// The evaluation's answer, in the game's unit unless [`kind`](Leaf::kind) says otherwise.
    pub payoff: Payoff,
    /// How to read the answer. An evaluation that gives only results need not set it.
    pub kind: ValueKind,
    /// The position's actions, in the game's order, for an evaluation [with a policy](Evaluate::has_policy). Without
    /// a policy they have no meaning.
    pub actions: Vec<G::Action>,
    /// The evaluation's policy: a weight for each action, on any scale. An evaluation with a policy sets it; empty
    /// means uniform.
    pub policy: Vec<f32>,
    /// A buffer whose content has no meaning before or after.
    pub scratch: Vec<G::Action>,
    /// What the players did in a [recorded](crate::playout::recorded) playout; empty otherwise.
    pub played: Vec<Played>,
}

impl<G: Game> Leaf<G> {
    /// A leaf at this position, not yet evaluated.
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

/// Evaluates leaves. [Playouts](crate::playout) do so, most of them one by one; a network takes them together.
pub trait Evaluate<G: Game> {
    /// Whether it learns from simulations.
    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    /// Whether it also rates each action. A leaf is then evaluated on its first visit, before its node opens. The
    /// node opens with the policy as priors, which rules such as [`Puct`](aji_bandit::Puct) read. Such an evaluation
    /// does not change the leaf's position.
    #[inline(always)]
    fn has_policy(&self) -> bool {
        false
    }

    /// Whether evaluating the same position again gives new information, as a random playout does. If not,
    /// simulations that reach the same leaf together share one evaluation.
    #[inline(always)]
    fn is_random(&self) -> bool {
        true
    }

    /// Sets the payoff of each leaf, and its policy if it has one.
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng);

    /// Learns from a simulation, after it was backed up.
    fn learn(&mut self, _trace: &Trace) {}

    /// The key of an action, for [`learn`](Evaluate::learn).
    fn key(&self, _game: &G, _action: G::Action) -> u32 {
        0
    }

    /// The most bytes it uses beside the tree in this game. They count under the search's cap.
    fn bytes(&self, _game: &G) -> usize {
        0
    }

    /// The order of actions it has learned, by their keys, if it learns one.
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
