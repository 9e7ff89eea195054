//! Trainings of networks, seen from outside: gates that measure them, the page with their curves, experiments that
//! compare ways to train, and attacks, which are trainings against a fixed victim.

mod attack;
mod attack_rules;
mod attack_stages;
mod curves;
mod gate;
mod lesson;
mod trainings;

pub use attack::Attack;
pub use attack_rules::{ATTACK_FILE, ATTACK_OPTIONS, AttackRules, AttackWishes, STAGE_GAMES_DEFAULT, Seat};
pub use attack_stages::{AttackStage, StageScore};
pub use curves::Curves;
pub use gate::{Erred, Gate, GateRules, Judged, Met};
pub use lesson::lesson;
pub use trainings::{Judgement, Trained, Trainings, Variant};
