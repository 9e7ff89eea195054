//! One file per command.

pub mod attack;
pub mod bandit;
pub mod bench;
pub mod cgt;
pub mod completions;
mod contest;
pub mod duel;
pub mod explain;
pub mod export;
pub mod gtp;
pub mod laws;
pub mod learn;
pub mod list;
pub mod match_agents;
pub mod merge;
pub mod mistakes;
pub mod perft;
pub mod play;
pub mod replay;
pub mod reproduce;
pub mod search;
#[cfg(feature = "web")]
pub mod serve;
pub mod thermo;
pub mod tournament;
pub mod train;
mod training_run;
pub mod traps;
pub mod tune;

use crate::{progress, stop};
use aji_catalog::{AgentName, Session, Workbench, guide, thousands};
use aji_search::{Game, Turn};
use anyhow::{Result, anyhow};
use clap::error::ContextKind;
use clap::{Args, CommandFactory};
use std::fmt;
use std::io::IsTerminal;
use std::time::Duration;

/// A game by its name, of one word or several.
#[derive(Args)]
pub struct GameName {
    /// The game, with its options: `connect-four`, `hex size=5`
    #[arg(required = true)]
    game: Vec<String>,
}

impl GameName {
    /// Opens the game at its start. If that fails, the error says how to quote an agent, whose words may have been read
    /// as a game's.
    fn open(&self, workbench: &Workbench) -> Result<Box<dyn Session>> {
        let name = self.game.join(" ").replace(" = ", "=");
        workbench.session(&name).map_err(|error| match self.has_words_of_agents() {
            false => anyhow!("{error}"),
            true => anyhow!("{error}; the options of an agent need quotes, as in --agent \"uct c=0.7\""),
        })
    }

    /// Whether a word is an agent or its option, and no option of the game.
    fn has_words_of_agents(&self) -> bool {
        let options = guide(&self.game[0]).map_or(&[][..], |guide| guide.options);
        let is_own = |key: &str| options.iter().any(|(known, ..)| *known == key);
        let is_of_agents = |word: &String| match word.split_once('=') {
            Some((key, _)) => {
                let agents = AgentName::KNOWN.iter().filter_map(|(word, _)| AgentName::known_options(word));
                !is_own(key) && agents.flatten().any(|option| option.key == key)
            }
            None => AgentName::KNOWN.iter().any(|(known, _)| known == word),
        };
        self.game.iter().skip(1).any(is_of_agents)
    }

    /// The whole name of a game that exists.
    fn checked(&self, workbench: &Workbench) -> Result<String> {
        Ok(self.open(workbench)?.name().to_string())
    }
}

/// A game, and the moves that lead to its position.
#[derive(Args)]
pub struct Position {
    #[command(flatten)]
    game: GameName,

    /// Moves to play first, separated by spaces: "d4 e5"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl Position {
    /// Opens the game at its start.
    fn open_start(&self, workbench: &Workbench) -> Result<Box<dyn Session>> {
        self.game.open(workbench)
    }

    /// Opens the game, from a position if there is one, and plays the moves.
    fn open(&self, workbench: &Workbench, position: Option<&str>) -> Result<Box<dyn Session>> {
        let mut session = self.open_start(workbench)?;
        if let Some(position) = position {
            session.set_position(position)?;
        }
        for (index, name) in self.moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
            let hint = if name.contains(',') { "; moves are separated by spaces" } else { "" };
            session
                .play(name)
                .map_err(|error| anyhow!("{}: move {}: {error}{hint}", session.name(), index + 1))?;
        }
        Ok(session)
    }
}

/// The agent of this name, or the strongest one known for the game. Says what it costs if that is much.
fn agent_or_strongest(workbench: &Workbench, agent: Option<&str>, game: &str) -> Result<AgentName> {
    let agent = agent.map_or_else(|| workbench.agent_for(game), |name| workbench.agent_name(name))?;
    if let Some(cost) = agent.cost() {
        progress::note(&cost);
    }
    Ok(agent)
}

/// A reward of an agent's report as text, in the game's points if the agent plays for points.
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

/// "1 trap", "20,000 traps".
fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// A run that did only a part of its work: the exit code is 1.
#[derive(Debug)]
pub struct Unfinished(String);

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfinished {}

/// A mistake on the command line, in one line that points to the help of the command, if the command is known.
pub fn usage(error: &clap::Error, command: Option<&str>) -> anyhow::Error {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("bad arguments").trim_start_matches("error: ").to_string();
    let missing = error.get(ContextKind::InvalidArg).filter(|_| first.ends_with(':'));
    let detail = missing.map_or(String::new(), |arguments| format!(" {arguments}"));
    let values = lines.clone().find_map(|line| line.strip_prefix("[possible values: ")?.strip_suffix(']'));
    let values = values.map_or(String::new(), |values| format!("; expected one of {values}"));
    // No option needs `--` before its value.
    let is_tip = |line: &&str| line.starts_with("tip: ") && !line.starts_with("tip: to pass ");
    let tip = lines.find(is_tip).map_or(String::new(), |tip| format!("; {}", &tip[5..]));
    let known = crate::Cli::command();
    let command = command.filter(|word| known.find_subcommand(word).is_some());
    let command = command.map_or(String::new(), |word| format!("{word} "));
    anyhow!("{first}{detail}{values}{tip} (see aji {command}--help)")
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
    let (low, high) = session.position().payoff_range();
    // Whole points, or the digits that matter.
    let shown = |payoff: f32| match payoff.fract() {
        0.0 => payoff.to_string(),
        _ => points(payoff, high - low),
    };
    if session.players() == 1 {
        return format!("{} gets {}", session.player_name(0), shown(payoff[0]));
    }
    let best = payoff.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match payoff.iter().position(|&points| points == best) {
        Some(winner) if best > 0.0 => {
            let by = if best == 1.0 { String::new() } else { format!(" by {}", shown(best)) };
            format!("{} wins{by}", session.player_name(winner as u8))
        }
        _ => "a draw".into(),
    }
}

/// Budgets at least this long show a progress line.
const PROGRESS_FROM: Duration = Duration::from_secs(1);

/// How often the progress line is drawn.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Lets an agent think, with a progress line on a terminal if the budget is long. Ctrl-C stops it, and it answers with
/// what it has found.
fn think(session: &mut dyn Session, agent: &AgentName) -> Result<aji_search::Report<String>> {
    let shown = std::io::stderr().is_terminal();
    let mut next =
        if agent.time.is_some_and(|time| time >= PROGRESS_FROM) { Duration::ZERO } else { PROGRESS_FROM };
    let mut drawn = false;
    let _searching = stop::searching(session.stop_handle());
    let report = session.think(agent, &mut |simulations: u64, elapsed: Duration| {
        if shown && elapsed >= next {
            let of = agent.time.map_or(String::new(), |time| format!(" of {:.1}", time.as_secs_f32()));
            let count = counted(simulations, "simulation");
            progress::write(&format!("\rthinking: {:.1}{of} s, {count} ", elapsed.as_secs_f32()));
            next = elapsed + PROGRESS_EVERY;
            drawn = true;
        }
    });
    if drawn {
        progress::write(&format!("\r{:70}\r", ""));
    }
    Ok(report?)
}
