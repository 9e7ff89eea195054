//! `aji export`: a journal as a table that other programs read.

use crate::output::print;
use crate::output_file::OutputFile;
use crate::progress::note;
use aji_catalog::thousands;
use aji_lab::Journal;
use aji_lab::contest::games_csv;
use anyhow::{Result, bail};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Turn a journal into CSV
#[derive(Args)]
#[command(
    after_help = "A match, a tournament or a tuning gives one row per game, with columns of plain values. trial is the pair of games,
number is the game in it (1 or 2), and first is the agent that moved first. margin_a is how far a was ahead at the end,
choices_a is how many moves a chose, and reused_a is how many simulations its trees kept from move to move. An empty
cell means no value. Journals hold no times.

Other experiments give one row per trial: its number, then one column per field. Lists and objects are written as JSON.

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

/// Writes the records, and notes how many trials are missing.
pub fn run(options: &Options) -> Result<()> {
    let path = &options.journal;
    if options.out.as_deref().is_some_and(|out| is_same(path, out)) {
        bail!("--out {}: this is the journal itself; name another file", path.display());
    }
    let journal = Journal::read(path)?;
    let out = OutputFile::open_if("--out", options.out.as_ref())?;
    let text = games_csv(&journal)?.map_or_else(|| journal.csv(), Ok)?;
    match out {
        Some(out) => out.write(&text)?,
        None => print(&text)?,
    }
    let (records, trials) = (journal.len() as u64, journal.header.trials);
    if records < trials {
        note(&format!("{}: holds {} of {} trials", path.display(), thousands(records), thousands(trials)));
    }
    Ok(())
}

fn is_same(left: &Path, right: &Path) -> bool {
    fs::canonicalize(left).is_ok_and(|left| fs::canonicalize(right).is_ok_and(|right| left == right))
}
