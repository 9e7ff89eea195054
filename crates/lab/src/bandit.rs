//! Bandits that stand alone: what rules lose by the arms they pull, and by the arm they settle on.

mod problem;
mod study;

pub use problem::{ARMS_MAX, Means, Problem, Rewards};
pub use study::{BUDGET_MAX, BanditStudy, RuleRegret};
