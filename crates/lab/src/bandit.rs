//! Stand-alone bandits: the regret of rules, from the arms they pull and from the arm they choose at the end.

mod problem;
mod study;

pub use problem::{ARMS_MAX, Means, Problem, Rewards};
pub use study::{BUDGET_MAX, BanditStudy, RuleRegret};
