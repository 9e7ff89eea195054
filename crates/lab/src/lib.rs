//! Experiments as pure trials, and what is made of them: journals, statistics, matches, reports.

mod error;
mod experiment;
pub mod report;
mod shard;
pub mod statistics;

pub use error::Error;
pub use experiment::{Experiment, Trial};
pub use shard::Shard;
