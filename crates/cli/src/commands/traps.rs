//! `aji traps`: looks for positions that a plain search misplays and a solver does not.

use super::GameName;
use crate::output::print;
use crate::{numbers, progress};
use aji_catalog::Workbench;
use aji_lab::traps::{Trap, TrapHunt};
use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use std::io::IsTerminal;

/// Find positions that a search misplays
#[derive(Args)]
#[command(
    after_help = "Positions are drawn by random play. Where prey and witness differ, the judge proves the value of each choice;
a position counts as a trap only if both proofs succeed and the choice of the prey is worse.

Example:
  aji traps connect-four --tries 2000 --plies 10..24"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The agent to trap
    #[arg(long, value_name = "NAME", default_value = "uct simulations=10000")]
    prey: String,

    /// The agent that should avoid the trap
    #[arg(long, value_name = "NAME", default_value = "uct solver=on simulations=10000")]
    witness: String,

    /// The agent that proves the values of both choices
    #[arg(long, value_name = "NAME", default_value = "uct solver=on simulations=300000")]
    judge: String,

    /// Random plies before each position
    #[arg(long, value_name = "N|FROM..TO", default_value = "8..24", value_parser = plies)]
    plies: (usize, usize),

    /// Positions to try
    #[arg(long, default_value_t = 500, value_parser = numbers::count(1..=u64::MAX))]
    tries: u64,

    /// Stop after this many traps
    #[arg(long, default_value_t = 10, value_parser = numbers::count(1..=u64::MAX))]
    most: u64,

    /// The seed of the positions
    #[arg(long, default_value_t = 1, value_parser = numbers::any)]
    seed: u64,

    /// One JSON object per trap
    #[arg(long)]
    json: bool,
}

/// The most random plies before a position.
const PLIES_MAX: u64 = 10_000;

/// A range of plies; one number is a range of its own.
pub(super) fn plies(text: &str) -> Result<(usize, usize), String> {
    let expected = || "expected plies such as 12 or 8..24".to_string();
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let read = |text| numbers::count(0..=PLIES_MAX)(text).map_err(|_| expected());
    let (from, to) = (read(from)?, read(to)?);
    if from <= to { Ok((from as usize, to as usize)) } else { Err(expected()) }
}

#[derive(Serialize)]
struct Found<'a> {
    game: &'a str,
    position: &'a str,
    blunder: &'a str,
    blunder_value: f32,
    answer: &'a str,
    answer_value: f32,
}

/// Looks for traps, and prints each one as soon as it is found.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let mut session = options.game.open(workbench)?;
    let hunt = TrapHunt {
        prey: workbench.agent_name(&options.prey)?,
        witness: workbench.agent_name(&options.witness)?,
        judge: workbench.agent_name(&options.judge)?,
        plies: options.plies,
        seed: options.seed,
    };
    let (start, shown) = (session.text(), std::io::stderr().is_terminal());
    for agent in [&hunt.prey, &hunt.witness, &hunt.judge] {
        session.accepts(agent)?;
    }
    hunt.check(session.as_mut(), &start).map_err(|error| anyhow!("--plies {error}"))?;
    let (mut found, mut tried) = (0, 0);
    while tried < options.tries && found < options.most {
        if shown {
            progress::write(&format!("\r{tried} positions, {found} traps "));
        }
        if let Some(trap) = hunt.attempt(session.as_mut(), &start, tried)? {
            found += 1;
            session.set_position(&trap.position)?;
            print(&if options.json { json(session.name(), &trap)? } else { text(&session.board(), &trap) })?;
        }
        tried += 1;
    }
    if shown {
        progress::write(&format!("\r{:40}\r", ""));
    }
    if options.json { Ok(()) } else { print(&format!("{found} traps among {tried} positions\n")) }
}

fn json(game: &str, trap: &Trap) -> Result<String> {
    let Trap { position, blunder, blunder_value, answer, answer_value } = trap;
    let found =
        Found { game, position, blunder, blunder_value: *blunder_value, answer, answer_value: *answer_value };
    Ok(serde_json::to_string(&found)? + "\n")
}

fn text(board: &str, trap: &Trap) -> String {
    let word = |value: f32| match value {
        0.0 => "loses",
        0.5 => "draws",
        1.0 => "wins",
        _ => "is worth less",
    };
    format!(
        "{}\n{board}\n{} {}, {} {}\n\n",
        trap.position,
        trap.blunder,
        word(trap.blunder_value),
        trap.answer,
        word(trap.answer_value)
    )
}
