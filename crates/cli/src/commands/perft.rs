//! `aji perft`: counts action sequences, the usual test of a game's rules.

use super::Position;
use crate::output::print;
use crate::{progress, stop};
use aji_catalog::{Workbench, thousands};
use aji_search::bandit::whole_number;
use anyhow::Result;
use clap::Args;
use serde::Serialize;

/// The deepest count allowed: no count beyond it would ever end.
const DEPTH_MAX: u64 = 100;

/// Count the action sequences of each length
#[derive(Args)]
#[command(
    after_help = "Example:\n  aji perft othello 6\n\nA sequence that ends the game early is counted only up to its own length."
)]
pub struct Options {
    #[command(flatten)]
    position: Position,

    /// The length of the longest sequences to count
    #[arg(value_parser = depth)]
    depth: u64,

    /// One JSON object: {game, counts, interrupted}
    #[arg(long)]
    json: bool,
}

/// Without a depth, the last word of the game stands in its place.
fn depth(text: &str) -> Result<u64, String> {
    let depth = whole_number(text).filter(|depth| (1..=DEPTH_MAX).contains(depth));
    depth.ok_or_else(|| {
        format!("expected a depth from 1 to {DEPTH_MAX} after the game, as in perft othello 6")
    })
}

#[derive(Serialize)]
struct Counts<'a> {
    game: &'a str,
    counts: Vec<u64>,
    interrupted: bool,
}

/// Prints each count as soon as it is known.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let session = options.position.open(workbench, None)?;
    let mut counts = Vec::new();
    if !options.json {
        print("length            sequences\n")?;
    }
    let _counting = stop::searching(session.stop_handle());
    for depth in 1..=options.depth as usize {
        let Some(count) = session.perft(depth) else {
            progress::note(&format!("interrupted while counting length {depth}"));
            break;
        };
        counts.push(count);
        if !options.json {
            print(&format!("{depth:>6} {:>20}\n", thousands(count)))?;
        }
    }
    if options.json {
        print(
            &(serde_json::to_string(&Counts {
                game: session.name(),
                counts,
                interrupted: stop::is_asked(),
            })? + "\n"),
        )?;
    }
    Ok(())
}
