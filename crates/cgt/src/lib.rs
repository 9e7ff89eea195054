//! Combinatorial games, exactly. There is no float in here, and no search.
//!
//! - [`Dyadic`]: rationals whose denominator is a power of two. Arithmetic is checked: what does not fit is [`Overflow`].
//! - [`Thermograph`]: how the stops of a game change as moves are taxed; its mast is the mean, its foot the temperature.
//! - [`Games`]: short games in canonical form, their sums and their order, how they cool, and what moves in them gain.
//! - [`Position`]: what a game has to say of itself to be studied.

mod dyadic;
mod form;
mod game_error;
mod position;
mod quick_map;
mod thermograph;

pub use dyadic::{Dyadic, Overflow};
pub use form::{Form, Games, Outcome, Relation, form_of};
pub use game_error::GameError;
pub use position::{Move, Position, Side, Thermographs, thermograph_of};
pub use thermograph::{Thermograph, Wall};
