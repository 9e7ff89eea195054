//! `aji traps`: looks for positions that a plain search misplays and a solver does not.

use super::{GameName, counted};
use crate::output::{print, width, wrapped};
use crate::{numbers, progress, stop};
use aji_catalog::{AgentName, Method, Session, Workbench, thousands};
use aji_lab::traps::{Attempt, Trap, TrapCount, TrapHunt};
use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use std::io::IsTerminal;

/// Find positions that a search misplays
#[derive(Args)]
#[command(
    after_help = "Positions are drawn by random play. Where prey and witness differ, the judge proves the value of each choice;
a position counts as a trap only if both proofs succeed and the choice of the prey is worse.

Examples:
  aji traps connect-four --prey \"uct simulations=1000\"
  aji traps hex size=5 --plies 4..14
  aji traps othello size=6 --plies 16..28 --prey \"uct simulations=300\"

Ctrl-C ends the hunt; the exit code is 130."
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

    /// The agent that proves the values of both choices [default: exact in games with their own solver, such as
    /// connect-four, and in small games; else uct solver=on simulations=300000]
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,

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

/// The judge of games that are too large for `exact`.
const JUDGE_OF_LARGE: &str = "uct solver=on simulations=300000";

/// The judge that was asked for, or one that proves as much as possible in this game.
fn judge(options: &Options, workbench: &Workbench, session: &dyn Session) -> Result<AgentName> {
    if let Some(name) = &options.judge {
        return Ok(workbench.agent_name(name)?);
    }
    let strongest = workbench.agent_for(session.name())?;
    let is_exact = session.is_self_solving() || matches!(strongest.method, Method::Exact);
    Ok(workbench.agent_name(if is_exact { "exact" } else { JUDGE_OF_LARGE })?)
}

/// Looks for traps, and prints each one as soon as it is found.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let mut session = options.game.open(workbench)?;
    let hunt = TrapHunt {
        prey: workbench.agent_name(&options.prey)?,
        witness: workbench.agent_name(&options.witness)?,
        judge: judge(options, workbench, session.as_ref())?,
        plies: options.plies,
        seed: options.seed,
    };
    let (start, shown) = (session.text(), std::io::stderr().is_terminal());
    for agent in [&hunt.prey, &hunt.witness, &hunt.judge] {
        session.accepts(agent)?;
    }
    hunt.check(session.as_mut(), &start).map_err(|error| anyhow!("--plies {error}"))?;
    let (mut count, stop) = (TrapCount::default(), stop::flag());
    while count.positions < options.tries && count.traps < options.most && !stop::is_asked() {
        if shown {
            progress::write(&format!("\r{} positions, {} traps ", count.positions, count.traps));
        }
        let attempt = hunt.attempt(session.as_mut(), &start, count.positions, stop)?;
        count.add(&attempt);
        if let Attempt::Trap(trap) = attempt {
            session.set_position(&trap.position)?;
            print(&if options.json { json(session.name(), &trap)? } else { text(&session.board(), &trap) })?;
        }
    }
    if shown {
        progress::write(&format!("\r{:40}\r", ""));
    }
    if stop::is_asked() {
        let (tried, planned) = (thousands(count.positions), thousands(options.tries));
        progress::note(&format!("interrupted after {tried} of {planned} positions"));
    }
    if options.json { Ok(()) } else { print(&wrapped(&told(options, count), width())) }
}

/// What became of all positions.
fn told(options: &Options, count: TrapCount) -> String {
    let TrapCount { positions, differed, unproven, traps } = count;
    let mut text = format!(
        "{} among {}; prey and witness differed in {}",
        counted(traps, "trap"),
        counted(positions, "position"),
        thousands(differed)
    );
    if unproven > 0 {
        text += &format!(", and the judge had no proof in {} of these", thousands(unproven));
    }
    if stop::is_asked() {
        text += &format!("; interrupted after {} of {}", thousands(positions), thousands(options.tries));
    } else if traps == 0 {
        text += if unproven > 0 {
            "; a stronger --judge, a weaker --prey or more --tries may find some"
        } else {
            "; a weaker --prey or more --tries may find some"
        };
    }
    text
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
