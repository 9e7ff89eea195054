//! A user's own game, with the traits that it has beside [`Game`](aji_search::Game).

use crate::maker::Maker;
use aji_search::{Encoded, Hashed, Heuristic, Keyed, Named, Playable, Symmetric};
use std::fmt::Debug;

/// A game for a [`Workbench`](crate::Workbench), and what it can do.
///
/// A game needs no trait but `Game`. Each method declares one more. An agent that needs an undeclared trait says so in
/// one line.
///
/// ```
/// use aji_catalog::{Own, Workbench};
/// # use aji_games::TicTacToe as Dots;
///
/// let workbench = Workbench::new().game("dots", |_| Ok(Own::new(Dots::new()).named().hashed()));
/// # let mut session = workbench.session("dots")?;
/// # session.think(&workbench.agent_name("uct simulations=50")?, &mut ())?;
/// # Ok::<(), aji_catalog::Error>(())
/// ```
pub struct Own<G: Playable> {
    pub(crate) game: G,
    pub(crate) maker: Maker<G>,
}

impl<G: Playable> Own<G> {
    /// A game with no trait but `Game`. Actions are named by their place in the list, positions by the moves that led
    /// there.
    pub fn new(game: G) -> Own<G> {
        Own { game, maker: Maker::plain() }
    }

    /// It has `Named`: boards, and text for positions and actions.
    pub fn named(self) -> Own<G>
    where
        G: Named,
    {
        Own { maker: self.maker.named(), ..self }
    }

    /// It has `Hashed`: `exact` and `transpositions=on` can play it, and alpha-beta has a use for its table.
    pub fn hashed(self) -> Own<G>
    where
        G: Hashed,
    {
        Own { maker: self.maker.hashed(), ..self }
    }

    /// It has `Keyed`: `rave`, `learn=`, `playout=mast` and `playout=lgr` can play it.
    pub fn keyed(self) -> Own<G>
    where
        G: Keyed,
    {
        Own { maker: self.maker.keyed(), ..self }
    }

    /// Its positions can be compared and shown: the laws check more, and messages show positions.
    pub fn compared(self) -> Own<G>
    where
        G: PartialEq + Debug,
    {
        Own { maker: self.maker.compared(), ..self }
    }

    /// It has `Heuristic`: `eval=on`, `playout=epsilon` and alpha-beta use it.
    pub fn heuristic(self) -> Own<G>
    where
        G: Heuristic,
    {
        Own { maker: self.maker.estimate(G::estimate), ..self }
    }

    /// It has `Encoded`: networks can play it (`alphazero`, `gumbel`, `playout=net`) and learn it.
    pub fn encoded(self) -> Own<G>
    where
        G: Encoded + Hashed,
    {
        Own { maker: self.maker.encoded(), ..self }
    }

    /// Its leaves may be valued by an evaluation of yours, which needs no encoding: see
    /// [`Workbench::evaluation`](crate::Workbench::evaluation).
    pub fn valued(self) -> Own<G> {
        Own { maker: self.maker.valued(), ..self }
    }

    /// It has `Symmetric`, and with it `Encoded`: networks learn from every image of a position.
    pub fn symmetric(self) -> Own<G>
    where
        G: Symmetric + Hashed,
    {
        Own { maker: self.maker.symmetric(), ..self }
    }

    /// Says in other words what an agent needs and the game lacks, for games of another language. They follow "rave needs".
    pub fn lacks(self, words: fn(Missing) -> String) -> Own<G> {
        Own { maker: self.maker.lacks(words), ..self }
    }

    /// Compiles UCT with uniform playouts for this game alone: faster where a move takes nanoseconds, at the price of build time.
    pub fn fast(self) -> Own<G> {
        Own { maker: self.maker.fast(), ..self }
    }
}

/// A trait that an agent needs and a game lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// `Hashed`, which recognises positions.
    Hashed,
    /// `Keyed`, which gives actions keys.
    Keyed,
    /// `Encoded`, which shows positions to networks.
    Encoded,
}

impl Missing {
    /// What an agent needs, as one tells it who writes games in Rust.
    pub(crate) fn in_rust(self) -> String {
        let (name, does, declare) = match self {
            Missing::Hashed => ("Hashed", "recognises positions", "hashed"),
            Missing::Keyed => ("Keyed", "gives actions keys", "keyed"),
            Missing::Encoded => ("Encoded", "shows positions to networks", "encoded"),
        };
        format!(
            "the trait {name}, which {does}, and this game lacks it; implement it and declare it by Own::{declare}"
        )
    }
}

/// What [`Workbench::game`](crate::Workbench::game) accepts: the game itself, or an [`Own`] with its traits declared.
pub trait IntoOwn {
    /// The game's type.
    type Game: Playable;

    /// The game with its traits.
    fn into_own(self) -> Own<Self::Game>;
}

impl<G: Playable> IntoOwn for G {
    type Game = G;

    fn into_own(self) -> Own<G> {
        Own::new(self)
    }
}

impl<G: Playable> IntoOwn for Own<G> {
    type Game = G;

    fn into_own(self) -> Own<G> {
        self
    }
}
