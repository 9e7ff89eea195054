//! Trainings of networks, seen from outside: gates that measure them, and the page with their curves.

mod curves;
mod gate;

pub use curves::Curves;
pub use gate::{Gate, GateRules, Judged, Met};
