//! Combinatorial games, exactly. This crate uses no floats and no search.
//!
//! - [`Dyadic`]: rationals whose denominator is a power of two. Arithmetic is checked: a result that does not fit is
//!   [`Overflow`].
//! - [`Thermograph`]: how the stops of a game change as moves are taxed. Its mast stands at the mean and begins at
//!   the temperature.
//! - [`Games`]: short games in canonical form, their sums, order, cooling and incentives.
//! - [`evaluate`]: expressions in the usual notation.
//! - [`Position`]: the trait of games that can be studied.
//!
//! ```
//! use aji_cgt::{Games, Side, evaluate};
//!
//! let mut games = Games::new();
//! let threat = games.read("{3|-1||-7}").unwrap();
//! assert_eq!(games.mean(threat).unwrap().to_string(), "-3");
//! let twice = games.plus(threat, threat).unwrap();
//! assert_eq!(games.written(twice).unwrap(), "{-4|-8}");
//! assert_eq!(evaluate("{0|*} + * ? 0").unwrap().to_string(), "||");
//! ```

mod dyadic;
mod expression;
mod form;
mod game_error;
mod graphs;
mod notation;
mod position;
mod quick_map;
mod thermograph;

pub use dyadic::{Dyadic, Overflow};
pub use expression::{FUNCTIONS, Value, evaluate, evaluate_within};
pub use form::{Ending, Form, Forms, GameLimits, Games, Outcome, Relation, SumPlay, form_of};
pub use game_error::GameError;
pub use graphs::{FormGraphs, Graphs, Thermographs, thermograph_of};
pub use notation::NotationError;
pub use position::{Move, Position, Side};
pub use thermograph::{Thermograph, Wall};
