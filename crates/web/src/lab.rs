//! Contests that the page starts and watches: matches, tournaments, tunings. And the reports of papers.
//!
//! A contest is that of `aji match`, `aji tournament` or `aji tune`, with the same journal. It belongs to the server and
//! not to the page: it goes on when the page is closed. All that is kept of it is its journal, so whatever kills the
//! server loses no finished round, and the rest is played when somebody asks for it.

mod asked;
mod games;
mod journals;
mod reports;
mod run;
mod runs;
mod shown;

pub use asked::WhichContest;
pub use games::{Games, WhichRounds, game, games};
pub use journals::{Entry, Journals};
pub use reports::{Report, Reports};
pub use runs::{Ready, Runs, Watched};
pub use shown::Shown;

use aji_lab::Origin;
use std::path::PathBuf;

/// Where contests and reports are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabOptions {
    /// The folder of the journals. The first contest makes it.
    pub journals: PathBuf,
    /// The folder in which `aji reproduce` has written reports, or one with such folders.
    pub reports: PathBuf,
    /// The program, for the journals: another program does not go on with them.
    pub origin: Origin,
}

impl Default for LabOptions {
    fn default() -> LabOptions {
        LabOptions {
            journals: "aji-journals".into(),
            reports: "reproduction".into(),
            origin: Origin { version: env!("CARGO_PKG_VERSION").into(), commit: String::new() },
        }
    }
}
