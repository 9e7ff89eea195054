//! Combinatorial games, exactly. There is no float in here, and no search.
//!
//! - [`Dyadic`]: rationals whose denominator is a power of two. Arithmetic is checked: what does not fit is [`Overflow`].
//! - [`Thermograph`]: how the stops of a game change as moves are taxed; its mast is the mean, its foot the temperature.
//! - [`Position`]: what a game has to say of itself to be studied.

mod dyadic;
mod position;
mod thermograph;

pub use dyadic::{Dyadic, Overflow};
pub use position::{Move, Position, Side, Thermographs, thermograph_of};
pub use thermograph::{Thermograph, Wall};
