//! `aji export`: a journal as a table that other programs read.

use crate::output::print;
use crate::progress::note;
use aji_catalog::thousands;
use aji_lab::Journal;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Turn a journal into CSV
#[derive(Args)]
#[command(
    after_help = "A line a trial, its number first, then a column a field. What does not fit in a cell is JSON in its cell.

Examples:
  aji export whole.jsonl > whole.csv
  aji export whole.jsonl --out whole.csv"
)]
pub struct Options {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,

    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
}

/// Writes the records, and says where some are missing.
pub fn run(options: &Options) -> Result<()> {
    let path = &options.journal;
    if options.out.as_deref().is_some_and(|out| is_same(path, out)) {
        bail!("--out {}: the journal itself; name another file", path.display());
    }
    let journal = Journal::read(path)?;
    let text = journal.csv()?;
    match &options.out {
        Some(out) => fs::write(out, text).map_err(|error| anyhow!("--out {}: {error}", out.display()))?,
        None => print(&text)?,
    }
    let (records, trials) = (journal.entries.len() as u64, journal.header.trials);
    if records < trials {
        note(&format!("{}: holds {} of {} trials", path.display(), thousands(records), thousands(trials)));
    }
    Ok(())
}

fn is_same(left: &Path, right: &Path) -> bool {
    fs::canonicalize(left).is_ok_and(|left| fs::canonicalize(right).is_ok_and(|right| left == right))
}
