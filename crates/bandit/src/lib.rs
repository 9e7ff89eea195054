//! Arms, and the rules that pull them: the bandit half of Monte Carlo tree search.
//!
//! A [`Select`] rule looks at a [`View`] of some [`Arm`]s and says which to pull next. A [`Recommend`] says which arm
//! to choose once the pulls are spent. Each rule has its own file; [`AnyRule`] is any of them. This crate knows no
//! games and no trees: a tree shows a rule one node's arms at a time.
//!
//! ```
//! use aji_bandit::{Arms, Recommend, Rng, Select, Ucb1};
//!
//! let odds = [0.2, 0.7, 0.5];
//! let mut arms = Arms::new(3);
//! let (mut rule, mut rng) = (Ucb1::default(), Rng::seeded(7));
//! for _ in 0..1000 {
//!     let chosen = rule.select(&arms.view(), &mut rng);
//!     let reward = if rng.unit() < odds[chosen] { 1.0 } else { 0.0 };
//!     arms.add(chosen, reward);
//! }
//! assert_eq!(Recommend::MostPulls.recommend(&arms.view()), Some(1));
//! ```

// The same seed gives the same bytes on every machine; tests may compare with the system's functions.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod any_rule;
mod arm;
mod blinkered;
mod dirichlet;
mod draw;
mod elimination;
mod epsilon;
mod filled;
mod gain;
mod gumbel;
mod halving;
mod highest_bound;
mod kg;
mod kl_ucb;
mod logarithm;
mod ocba;
mod pending;
mod policy;
mod posterior;
mod puct;
mod rave;
mod recommend;
mod rejects;
mod rng;
mod rule;
mod select;
mod setting;
mod split;
mod steady;
mod stopping;
mod thompson;
mod top_two;
mod ucb1;
mod ucb_sqrt;
mod ucb_tuned;
mod uniform;
mod vector;
mod voi;

pub use any_rule::*;
pub use arm::{
    ARM_WORDS, Arm, Arms, Block, PULLS_MAX, next_mean, next_mean_of_many, reward_some, spread,
    spread_of_one_more, untried_runs, untried_words,
};
pub use dirichlet::Dirichlet;
pub use filled::Filled;
pub use logarithm::ln;
pub use pending::Pending;
pub use policy::{improved_policy, visit_shares};
pub use recommend::Recommend;
pub use rng::Rng;
pub use rule::{About, Rule};
pub use select::{Select, View};
pub use setting::{
    CONSTANTS, Count, Expected, Number, SHARES, Setting, Slot, VisitSettings, Word, decimal_number,
    whole_number,
};
pub use split::Split;
pub use steady::Steady;
