//! Experiments made of pure trials, and what follows from them: journals, statistics, matches, reports.
//!
//! An [`Experiment`] defines a trial. A [`Runner`] spreads the trials over threads and machines, and writes a
//! journal, a file from which a killed run continues. The finished journal has the same bytes for any number of
//! threads, any interruption and any split into shards.
//!
//! ```
//! use aji_lab::{Error, Experiment, Runner, Trial};
//! use std::sync::atomic::AtomicBool;
//!
//! struct Dice;
//!
//! impl Experiment for Dice {
//!     type Record = usize;
//!     fn name(&self) -> String {
//!         "dice".into()
//!     }
//!     fn parameters(&self) -> serde_json::Value {
//!         serde_json::json!({ "sides": 6 })
//!     }
//!     fn trials(&self) -> u64 {
//!         1000
//!     }
//!     fn run(&self, trial: Trial) -> Result<usize, Error> {
//!         Ok(1 + trial.rng().below(6))
//!     }
//! }
//!
//! let runner = Runner { threads: 2, seed: 7, ..Runner::default() };
//! let outcome = runner.run(&Dice, None, &(), &AtomicBool::new(false)).unwrap();
//! let mean = outcome.values().sum::<usize>() as f64 / 1000.0;
//! assert!((mean - 3.5).abs() < 0.2);
//! ```

mod any_experiment;
pub mod bandit;
pub mod contest;
pub mod drawing;
pub mod duel;
mod error;
mod experiment;
mod export;
mod header;
mod journal;
mod journal_writer;
mod lab;
mod merge;
pub mod mistakes;
mod places;
mod progress;
mod ranges;
pub mod report;
mod runner;
mod shard;
pub mod statistics;
pub mod study;
pub mod training;
pub mod traps;
mod until;

pub use error::Error;
pub use experiment::{Experiment, Trial};
pub use export::export_csv;
pub use header::{Difference, FORMAT, Header, Origin};
pub use journal::{Entry, Journal};
pub use journal_writer::JournalWriter;
pub use lab::{Lab, Scale};
pub use merge::{MergeReport, merge};
pub use progress::Progress;
pub use ranges::{RANGES_SHOWN_MAX, Ranges};
pub use runner::{Ending, Outcome, Runner};
pub use shard::Shard;
pub use until::Until;
