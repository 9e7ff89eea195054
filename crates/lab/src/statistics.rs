//! Means, intervals, tests and ratings, from their formulas.
//!
//! Everything is plain f64 over slices and counts. Nothing here panics: what cannot be computed (too few values, a
//! level outside 0..1) is `None`, and a convention for a degenerate case stands where it is used. A level is the
//! coverage of an interval, such as 0.95. Values that are not numbers are not looked for; they spread.

pub mod distribution;
mod interval;
mod mean;
mod paired;
mod proportion;
mod slope;

pub use interval::Interval;
pub use mean::{Estimate, cluster_estimate, estimate, mean, standard_error, variance};
pub use paired::{Paired, paired};
pub use proportion::{clopper_pearson, wilson, wilson_of_rate};
pub use slope::{Line, line, log_log_line};
