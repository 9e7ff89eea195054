//! Arms, and the rules that pull them: the bandit half of Monte Carlo tree search.
//!
//! A [`Select`] rule looks at a [`View`] of some [`Arm`]s and says which to pull next; a [`Recommend`] says which arm
//! to settle on once the pulls are spent. One file a rule. This crate knows no games and no trees: a tree shows a
//! rule one node's arms at a time.
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

mod arm;
mod blinkered;
mod draw;
mod elimination;
mod epsilon;
mod gain;
mod gumbel;
mod halving;
mod highest_bound;
mod kg;
mod kl_ucb;
mod logarithm;
mod ocba;
mod posterior;
mod puct;
mod rave;
mod recommend;
mod rejects;
mod rng;
mod select;
mod split;
mod steady;
mod thompson;
mod top_two;
mod ucb1;
mod ucb_sqrt;
mod ucb_tuned;
mod uniform;
mod voi;

pub use arm::{
    ARM_WORDS, Arm, Arms, Block, PULLS_MAX, next_mean, next_mean_of_many, reward_some, spread,
    spread_of_one_more, untried_words,
};
pub use blinkered::{Blinkered, Horizon};
pub use epsilon::Epsilon;
pub use gumbel::Gumbel;
pub use halving::{Allowance, Halving};
pub use kg::KnowledgeGradient;
pub use kl_ucb::KlUcb;
pub use logarithm::ln;
pub use ocba::Ocba;
pub use puct::Puct;
pub use rave::{Rave, Schedule};
pub use recommend::Recommend;
pub use rejects::Rejects;
pub use rng::Rng;
pub use select::{Select, View};
pub use split::Split;
pub use steady::Steady;
pub use thompson::{Sample, Thompson};
pub use top_two::TopTwo;
pub use ucb_sqrt::UcbSqrt;
pub use ucb_tuned::UcbTuned;
pub use ucb1::Ucb1;
pub use uniform::Uniform;
pub use voi::{Bound, Ties, Voi};
