//! One file a command.

pub mod bandit;
pub mod bench;
pub mod cgt;
pub mod completions;
mod contest;
pub mod explain;
pub mod export;
pub mod gtp;
pub mod learn;
pub mod list;
pub mod match_agents;
pub mod merge;
pub mod perft;
pub mod play;
pub mod replay;
pub mod reproduce;
pub mod search;
pub mod thermo;
pub mod tournament;
pub mod traps;
pub mod tune;

use aji_catalog::{AgentName, Session, agent_for, session};
use aji_search::Turn;
use anyhow::{Result, anyhow};
use clap::Args;
use clap::error::ContextKind;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// A game, and where it stands.
#[derive(Args)]
pub struct Position {
    /// The game, with its options: `connect-four`, `"hex size=5"`
    game: String,

    /// Moves to play first, separated by spaces: "d4 e5"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl Position {
    /// Opens the game, from a position if there is one, and plays the moves.
    fn open(&self, position: Option<&str>) -> Result<Box<dyn Session>> {
        let mut session = session(&self.game)?;
        if let Some(position) = position {
            session.set_position(position)?;
        }
        for (index, name) in self.moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
            session
                .play(name)
                .map_err(|error| anyhow!("{}: {error} (number {})", session.name(), index + 1))?;
        }
        Ok(session)
    }
}

/// The agent of this name, or the strongest one known for the game.
fn agent_or_strongest(agent: Option<&str>, game: &str) -> Result<AgentName> {
    Ok(agent.map_or_else(|| agent_for(game), str::parse)?)
}

/// What a reward of an agent's report is worth, in the game's points where it plays for points.
fn worth(session: &dyn Session, agent: &AgentName, reward: f32) -> String {
    match session.points(agent) {
        Some((low, high)) => format!("{} points", points(low + reward * (high - low), high - low)),
        None => format!("{reward:.3}"),
    }
}

/// Points of a game whose payoffs lie this far apart, with the digits that matter.
fn points(points: f32, range: f32) -> String {
    if range >= 1_000.0 { format!("{points:.1}") } else { format!("{points:.2}") }
}

/// A mistake on the command line, in one line.
pub fn usage(error: &clap::Error) -> anyhow::Error {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("bad arguments").trim_start_matches("error: ").to_string();
    let missing = error.get(ContextKind::InvalidArg).filter(|_| first.ends_with(':'));
    let detail = missing.map_or(String::new(), |arguments| format!(" {arguments}"));
    let tip =
        lines.find(|line| line.starts_with("tip: ")).map_or(String::new(), |tip| format!("; {}", &tip[5..]));
    anyhow!("{first}{detail}{tip} (see aji --help)")
}

/// Who is to act, or how the game ended.
fn state(session: &dyn Session) -> String {
    match session.turn() {
        Turn::Player(player) => format!("{} to move", session.player_name(player)),
        Turn::Chance => "chance to move".into(),
        Turn::Over => outcome(session),
    }
}

fn outcome(session: &dyn Session) -> String {
    let told = outcome_of(session, &session.payoff().unwrap_or_default().0);
    match session.resigned() {
        Some(player) => format!("{told}: {} resigned", session.player_name(player)),
        None => told,
    }
}

/// How a game with these payoffs ended.
fn outcome_of(session: &dyn Session, payoff: &[f32]) -> String {
    if session.players() == 1 {
        return format!("{} gets {}", session.player_name(0), payoff[0]);
    }
    let best = payoff.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match payoff.iter().position(|&points| points == best) {
        Some(winner) if best > 0.0 => {
            let by = if best == 1.0 { String::new() } else { format!(" by {best}") };
            format!("{} wins{by}", session.player_name(winner as u8))
        }
        _ => "a draw".into(),
    }
}

/// Budgets at least this long show how far they are.
const PROGRESS_FROM: Duration = Duration::from_secs(1);

/// How often the progress line is drawn.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Lets an agent think, with a progress line on a terminal if it takes its time.
fn think(session: &mut dyn Session, agent: &AgentName) -> Result<aji_search::Report<String>> {
    let shown = std::io::stderr().is_terminal();
    let mut next =
        if agent.time.is_some_and(|time| time >= PROGRESS_FROM) { Duration::ZERO } else { PROGRESS_FROM };
    let mut drawn = false;
    let report = session.think(agent, &mut |simulations: u64, elapsed: Duration| {
        if shown && elapsed >= next {
            let of = agent.time.map_or(String::new(), |time| format!(" of {:.1}", time.as_secs_f32()));
            let count = aji_catalog::thousands(simulations);
            eprint!("\rthinking: {:.1}{of} s, {count} simulations ", elapsed.as_secs_f32());
            // A progress line that cannot be drawn is not worth an error.
            let _ = std::io::stderr().flush();
            next = elapsed + PROGRESS_EVERY;
            drawn = true;
        }
    })?;
    if drawn {
        eprint!("\r{:70}\r", "");
    }
    Ok(report)
}
