//! Trainings of networks, seen from outside: gates that measure them, the page with their curves, experiments that
//! compare ways to train, attacks, which are trainings against a fixed victim, and trainings with a frozen opponent in a share
//! of the games.

mod attack;
mod attack_rules;
mod attack_stages;
mod cures;
mod curves;
mod gate;
mod lesson;
mod sparring;
mod trainings;

pub use attack::Attack;
pub use attack_rules::{ATTACK_FILE, ATTACK_OPTIONS, AttackRules, AttackWishes, STAGE_GAMES_DEFAULT, Seat};
pub use attack_stages::{AttackStage, StageScore};
pub use cures::{Attacked, AttackerMet, Chain, Cures, Learning};
pub use curves::Curves;
pub use gate::{Erred, Gate, GateRules, Judged, Met};
pub use lesson::lesson;
pub use sparring::{SPARRING_FILE, SPARRING_SHARE_DEFAULT, Sparring, SparringWishes};
pub use trainings::{Judgement, Trained, Trainings, Variant};
