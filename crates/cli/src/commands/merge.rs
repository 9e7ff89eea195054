//! `aji merge`: joins the journals of shards.

use crate::output::print;
use aji_lab::{MergeReport, Ranges, merge};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Join the journals of shards into one
#[derive(Args)]
#[command(
    after_help = "The journals must come from the same experiment, seed and program. The output says which trials are missing or
duplicate. If none is missing, the file is the one that an undivided run would have written.

Example:
  aji merge part-1.jsonl part-2.jsonl part-3.jsonl --out whole.jsonl"
)]
pub struct Options {
    /// The journals
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,

    /// The journal to write, which may be one of the inputs
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The report as JSON. Trials are given as ranges of first and last.
#[derive(Serialize)]
struct Merged<'a> {
    out: &'a Path,
    journals: usize,
    trials: u64,
    records: u64,
    missing: Vec<(u64, u64)>,
    doubled: Vec<(u64, u64)>,
    torn: &'a [PathBuf],
}

/// Joins the journals, and prints which trials are missing or duplicate.
pub fn run(options: &Options) -> Result<()> {
    let report = merge(&options.journals, &options.out)?;
    let out = &options.out;
    if !options.json {
        return print(&format!("{report}\nwritten to {}\n", out.display()));
    }
    let MergeReport { journals, trials, records, missing, doubled, torn } = &report;
    let ranges = |ranges: &Ranges| ranges.iter().collect();
    let merged = Merged {
        out,
        journals: *journals,
        trials: *trials,
        records: *records,
        missing: ranges(missing),
        doubled: ranges(doubled),
        torn,
    };
    print(&(serde_json::to_string(&merged)? + "\n"))
}
