//! The optional traits of a game as plain functions: one field for each trait, empty if the game lacks the trait.
//!
//! Code that works on a hidden game asks for an ability at run time. So a game needs only [`Game`] to be hidden, and a
//! missing trait gives a message, not a compile error.

use crate::{Encoded, Game, Hashed, Keyed, Named, Payoff, Player, Shape, Symmetric};
use std::fmt;

/// The optional traits that a game has.
///
/// ```
/// # use aji_search::{Abilities, AnyGame, Game, Named, Payoff, Player, Turn};
/// # #[derive(Clone)]
/// # struct Stones(u32, Player);
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
/// // A game with `Game` alone: an action's name is its place in the list, a position's text is the moves so far.
/// let mut game = AnyGame::with(Stones(5, 0), Abilities::none());
/// game.play(2);
/// assert_eq!((game.text(), game.action_name(1)), ("2".into(), "1".into()));
/// ```
pub struct Abilities<G: Game> {
    pub(crate) estimate: Option<fn(&G) -> Payoff>,
    pub(crate) compared: Option<Compared<G>>,
    pub(crate) named: Option<Names<G>>,
    pub(crate) hashed: Option<Hashes<G>>,
    pub(crate) keyed: Option<Keys<G>>,
    pub(crate) encoded: Option<Encodes<G>>,
    pub(crate) symmetric: Option<Images<G>>,
}

/// `PartialEq` and `Debug`.
pub(crate) struct Compared<G> {
    pub(crate) is_same: fn(&G, &G) -> bool,
    pub(crate) debug: fn(&G, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// [`Named`].
pub(crate) struct Names<G: Game> {
    pub(crate) action_name: fn(&G, G::Action) -> String,
    pub(crate) text: fn(&G) -> String,
    pub(crate) read: fn(&G, &str) -> Result<G, String>,
    pub(crate) board: fn(&G) -> String,
    pub(crate) player_name: fn(&G, Player) -> String,
}

/// [`Hashed`].
pub(crate) struct Hashes<G> {
    pub(crate) hash: fn(&G) -> u64,
    pub(crate) so_far: fn(&G) -> Option<Payoff>,
    pub(crate) whole_hash: fn(&G) -> u64,
}

/// [`Keyed`].
pub(crate) struct Keys<G: Game> {
    pub(crate) key_count: fn(&G) -> usize,
    pub(crate) key: fn(&G, G::Action) -> usize,
}

/// [`Encoded`].
pub(crate) struct Encodes<G: Game> {
    pub(crate) shape: fn(&G) -> Shape,
    pub(crate) features: fn(&G, &mut Vec<u32>),
    pub(crate) action_index: fn(&G, G::Action) -> usize,
    pub(crate) unseen: fn(&G) -> String,
}

/// [`Symmetric`].
pub(crate) struct Images<G> {
    pub(crate) symmetries: fn(&G) -> usize,
    pub(crate) cell_image: fn(&G, usize, usize) -> usize,
    pub(crate) index_image: fn(&G, usize, usize) -> usize,
}

impl<G: Game> Abilities<G> {
    /// A game with no trait but [`Game`].
    pub fn none() -> Abilities<G> {
        Abilities {
            estimate: None,
            compared: None,
            named: None,
            hashed: None,
            keyed: None,
            encoded: None,
            symmetric: None,
        }
    }

    /// A game with every trait, but no heuristic.
    pub fn all() -> Abilities<G>
    where
        G: Hashed + Keyed + Named + PartialEq + fmt::Debug,
    {
        Abilities::none().compared().named().hashed().keyed()
    }

    /// The same abilities, with a heuristic.
    pub fn estimate(self, estimate: fn(&G) -> Payoff) -> Abilities<G> {
        Abilities { estimate: Some(estimate), ..self }
    }

    /// The same abilities, for a game whose positions can be compared and shown.
    pub fn compared(self) -> Abilities<G>
    where
        G: PartialEq + fmt::Debug,
    {
        Abilities { compared: Some(Compared { is_same: G::eq, debug: <G as fmt::Debug>::fmt }), ..self }
    }

    /// The same abilities, for a game with text for positions and actions.
    pub fn named(self) -> Abilities<G>
    where
        G: Named,
    {
        let named = Names {
            action_name: G::action_name,
            text: G::text,
            read: G::read,
            board: G::board,
            player_name: G::player_name,
        };
        Abilities { named: Some(named), ..self }
    }

    /// The same abilities, for a game whose positions have hashes.
    pub fn hashed(self) -> Abilities<G>
    where
        G: Hashed,
    {
        let hashed = Hashes { hash: G::hash, so_far: G::so_far, whole_hash: G::whole_hash };
        Abilities { hashed: Some(hashed), ..self }
    }

    /// The same abilities, for a game whose actions have keys.
    pub fn keyed(self) -> Abilities<G>
    where
        G: Keyed,
    {
        Abilities { keyed: Some(Keys { key_count: G::key_count, key: G::key }), ..self }
    }

    /// The same abilities, for a game with an encoding for networks.
    pub fn encoded(self) -> Abilities<G>
    where
        G: Encoded,
    {
        let encoded = Encodes {
            shape: G::shape,
            features: G::features,
            action_index: G::action_index,
            unseen: G::unseen,
        };
        Abilities { encoded: Some(encoded), ..self }
    }

    /// The same abilities, for a game whose board has symmetries.
    pub fn symmetric(self) -> Abilities<G>
    where
        G: Symmetric,
    {
        let symmetric =
            Images { symmetries: G::symmetries, cell_image: G::cell_image, index_image: G::index_image };
        Abilities { symmetric: Some(symmetric), ..self.encoded() }
    }
}

/// Function pointers can be copied whatever the game's type. `derive` would require `G: Copy`.
macro_rules! copied {
    ($($name:ident: $bound:path),*) => {$(
        impl<G: $bound> Clone for $name<G> {
            fn clone(&self) -> $name<G> {
                *self
            }
        }

        impl<G: $bound> Copy for $name<G> {}
    )*};
}

copied!(Abilities: Game, Compared: Sized, Names: Game, Hashes: Sized, Keys: Game, Encodes: Game, Images: Sized);
