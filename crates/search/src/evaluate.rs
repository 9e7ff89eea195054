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
    /// The players' actions in a [recorded](crate::playout::recorded) playout; empty otherwise.
    pub played: Vec<Played>,
    /// All moves that were [played](Leaf::play) here, if somebody wants to know; explained simulations do.
    pub moves: Option<Vec<G::Action>>,
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
            moves: None,
        }
    }

    /// Plays a move of a playout. A playout that plays all its moves by this is explained move by move.
    #[inline(always)]
    pub fn play(&mut self, action: G::Action) {
        self.game.play(action);
        if let Some(moves) = &mut self.moves {
            moves.push(action);
        }
    }
}

/// Values leaves. [Playouts](crate::playout) do this, most of them one leaf at a time; a network values them together.
///
/// # The unit of an answer
///
/// [`Leaf::payoff`] holds one number for each player, by the player's number, as [`Game::payoff`] does. It is that
/// player's payoff in the game's unit, and never depends on who is to move. [`Leaf::kind`] says how to read the
/// numbers: as the result of a finished game, as an expected payoff within [`Game::payoff_range`], or as rewards in
/// 0..=1.
///
/// The usual mistake is a value from the side of the player to move, as engines for chess and Go give it. Nothing fails
/// then, but the search prefers moves that are good for the opponent. A game whose best moves are known shows the
/// mistake, and so does a match: the wrong search loses to uniform playouts.
///
/// ```
/// use aji_search::{Budget, Evaluate, Game, Leaf, Payoff, Player, Rng, Search, Turn, ValueKind};
///
/// // Take one to three stones; whoever takes the last one wins. A multiple of four loses for the player to move.
/// #[derive(Clone)]
/// struct Stones(u32, Player);
/// # impl Game for Stones {
/// #     type Action = u32;
/// #     fn turn(&self) -> Turn {
/// #         if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
/// #     }
/// #     fn actions(&self, out: &mut Vec<u32>) {
/// #         out.extend(1..=self.0.min(3))
/// #     }
/// #     fn play(&mut self, taken: u32) {
/// #         *self = Stones(self.0 - taken, 1 - self.1)
/// #     }
/// #     fn payoff(&self) -> Payoff {
/// #         Payoff::win(1 - self.1)
/// #     }
/// # }
///
/// struct Value {
///     by_player: bool,
/// }
///
/// impl Evaluate<Stones> for Value {
///     fn evaluate(&mut self, leaves: &mut [Leaf<Stones>], _rng: &mut Rng) {
///         for leaf in leaves {
///             let Stones(left, mover) = leaf.game;
///             let to_mover = if left % 4 == 0 { -1.0 } else { 1.0 };
///             let to_first = if mover == 0 { to_mover } else { -to_mover };
///             // `margin` takes player 0's payoff. Passing it the mover's value is the mistake.
///             leaf.payoff = Payoff::margin(if self.by_player { to_first } else { to_mover });
///             leaf.kind = ValueKind::Expected;
///         }
///     }
/// }
///
/// // The right move leaves a multiple of four.
/// let right_moves = |by_player| {
///     let is_right = |&stones: &u32| {
///         let mut search = Search::new(Stones(stones, 0)).evaluate(Value { by_player });
///         let taken = search.run(Budget::simulations(12)).best.unwrap();
///         (stones - taken) % 4 == 0
///     };
///     [21, 22, 23, 41, 42, 43].iter().filter(|stones| is_right(stones)).count()
/// };
/// assert_eq!(right_moves(true), 6);
/// assert!(right_moves(false) < 3);
/// ```
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

    /// Whether it values positions where chance acts. If it has a policy and does not, a simulation that reaches such a
    /// position goes on to one where a player acts.
    #[inline(always)]
    fn values_chance(&self) -> bool {
        true
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

    fn values_chance(&self) -> bool {
        (**self).values_chance()
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
