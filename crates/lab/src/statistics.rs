//! Means, intervals, tests and ratings, from their formulas.
//!
//! Everything is plain f64 over slices and counts. Nothing here panics: a result that cannot be computed (too few
//! values, a level outside 0..1) is `None`. Conventions for degenerate cases are documented where they apply. A level
//! is the coverage of an interval, such as 0.95. Nothing checks for NaN; it propagates.
//!
//! ```
//! use aji_lab::statistics::{PairCounts, Score, Sprt, Verdict};
//!
//! // 200 pairs of games, the sides swapped within a pair: how many gave 0, 0.5, 1, 1.5 and 2 points.
//! let pairs = PairCounts([10, 30, 80, 55, 25]);
//! let score = Score::of_pairs(pairs, 0.95).expect("pairs were played");
//! assert!(score.interval.low > 0.5 && score.elo > 0.0);
//!
//! let test = Sprt::new(0.0, 30.0, 0.05, 0.05).expect("bounds in order");
//! assert_eq!(test.of_pairs(pairs).verdict, Verdict::AcceptH1);
//! ```

mod bootstrap;
pub mod distribution;
mod elo;
mod interval;
mod mean;
mod median;
mod outcomes;
mod paired;
mod proportion;
mod rating;
mod slope;
mod sprt;

pub use bootstrap::Bootstrap;
pub use elo::{Score, elo, expected_score};
pub use interval::Interval;
pub use mean::{
    Estimate, Moments, cluster_estimate, estimate, estimate_of_clusters, mean, standard_error, variance,
};
pub use median::median_ranks;
pub use outcomes::{GameCounts, PairCounts};
pub use paired::{Paired, paired};
pub use proportion::{clopper_pearson, wilson, wilson_of_rate};
pub use rating::{PRIOR_GAMES, Ratings, ratings};
pub use slope::{Line, line, log_log_line};
pub use sprt::{Decision, REGULAR_COUNT, Sprt, Verdict};
