//! Stand-alone bandits: the regret of rules, from the arms they pull and from the arm they choose at the end.

mod play;
mod problem;
mod race;
mod study;

pub use play::KnownArm;
pub use problem::{ARMS_MAX, Means, Problem, Rewards};
pub use race::{Race, RacePoint, RaceRegret, race_points};
pub use study::{BUDGET_MAX, BanditStudy, BanditTally, RuleRegret};
