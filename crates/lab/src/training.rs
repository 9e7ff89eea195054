//! Trainings of networks, seen from outside: gates that measure them, the page with their curves, and experiments
//! that compare ways to train.

mod curves;
mod gate;
mod lesson;
mod trainings;

pub use curves::Curves;
pub use gate::{Erred, Gate, GateRules, Judged, Met};
pub use lesson::lesson;
pub use trainings::{Judgement, Trained, Trainings, Variant};
