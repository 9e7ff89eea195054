//! Experiments as pure trials, and what is made of them: journals, statistics, matches, reports.

mod error;
mod experiment;
mod header;
mod journal;
mod journal_writer;
mod ranges;
pub mod report;
mod shard;
pub mod statistics;

pub use error::Error;
pub use experiment::{Experiment, Trial};
pub use header::{FORMAT, Header, Origin};
pub use journal::{Entry, Journal};
pub use journal_writer::JournalWriter;
pub use ranges::{RANGES_SHOWN_MAX, Ranges};
pub use shard::Shard;
