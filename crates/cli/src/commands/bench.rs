//! `aji bench`: the speed of the search, alone and as a share of the speed of raw playouts.

use crate::output::{print, table};
use crate::{numbers, progress, stop};
use aji_catalog::{AgentName, Session, Workbench, thousands};
use aji_lab::Until;
use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Measure the speed of the search on each game
#[derive(Args)]
#[command(
    after_help = "Searches and raw playouts (random games from the start, no tree) take turns, and the table shows
medians. The share of the raw speed shows what the tree costs, on any machine.

Example:
  aji bench --games \"connect-four, hex size=11\" --simulations 100000"
)]
pub struct Options {
    /// The games, separated by a comma and a space [default: all]
    #[arg(long, value_name = "GAMES")]
    games: Option<String>,

    /// Who searches
    #[arg(long, value_name = "NAME", default_value = "uct")]
    agent: String,

    /// Simulations of each search
    #[arg(long, default_value_t = 20_000, value_parser = numbers::count(1..=u64::MAX))]
    simulations: u64,

    /// A list of JSON objects: {game, simulations, per_second, raw_per_second, share}
    #[arg(long)]
    json: bool,
}

/// Time spent on each game.
const TIME: Duration = Duration::from_millis(600);

/// The least number of rounds for a median.
const ROUNDS_MIN: usize = 5;

#[derive(Serialize)]
struct Speed {
    game: String,
    simulations: u64,
    per_second: f64,
    raw_per_second: f64,
    share: f64,
}

/// Measures each game and prints a table.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let mut agent = workbench.agent_name(&options.agent)?;
    (agent.simulations, agent.time) = (Some(options.simulations), None);
    let names: Vec<String> = match &options.games {
        Some(games) => games.split(", ").map(String::from).collect(),
        None => workbench.games().into_iter().map(|game| game.word).collect(),
    };
    let sessions: Vec<_> = names.iter().map(|name| workbench.session(name)).collect::<Result<_, _>>()?;
    let (sessions, unfit) =
        sessions.into_iter().partition::<Vec<_>, _>(|session| session.accepts(&agent).is_ok());
    for session in &unfit {
        let why = session.accepts(&agent).err().map_or(String::new(), |error| error.to_string());
        // An agent that plays none of the games is a mistake, and so is a game by name that it does not play.
        if sessions.is_empty() || options.games.is_some() {
            bail!("{why}");
        }
        progress::note(&format!("left out {}: {why}", session.name()));
    }
    let shown = std::io::stderr().is_terminal();
    let (mut speeds, all, flag) = (Vec::new(), sessions.len(), stop::flag());
    for mut session in sessions {
        if shown {
            progress::write(&format!("\rmeasuring {:40}", session.name()));
        }
        let speed = measure(session.as_mut(), &agent, options.simulations, Until(flag));
        if stop::is_asked() {
            break;
        }
        speeds.push(speed?);
    }
    if shown {
        progress::write(&format!("\r{:50}\r", ""));
    }
    if stop::is_asked() {
        progress::note(&format!("interrupted after {} of {all} games", speeds.len()));
    }
    if options.json {
        return print(&(serde_json::to_string(&speeds)? + "\n"));
    }
    let rows = speeds.iter().map(|speed| {
        let (found, raw) = (thousands(speed.per_second as u64), thousands(speed.raw_per_second as u64));
        vec![
            speed.game.clone(),
            thousands(speed.simulations),
            found,
            raw,
            format!("{:.1}%", 100.0 * speed.share),
        ]
    });
    print(&table(&["game", "simulations", "per second", "raw per second", "share"], rows))
}

/// The speed of one game. If the flag is set, the numbers are of no use.
fn measure(
    session: &mut dyn Session,
    agent: &AgentName,
    simulations: u64,
    mut until: Until,
) -> Result<Speed> {
    let (mut searches, mut playouts) = (Vec::new(), Vec::new());
    let started = Instant::now();
    let start = session.text();
    let mut done = simulations;
    while !until.is_stopped() && (searches.len() < ROUNDS_MIN || started.elapsed() < TIME) {
        let begun = Instant::now();
        std::hint::black_box(session.playouts(simulations, searches.len() as u64));
        playouts.push(begun.elapsed().as_secs_f64());
        // Setting the position drops the last search, so each search starts in new memory, like a user's first.
        session.set_position(&start)?;
        let begun = Instant::now();
        let report = session.think(agent, &mut until)?;
        searches.push(begun.elapsed().as_secs_f64());
        done = report.simulations;
        if done == 0 {
            bail!("agent {agent}: has no simulations to count; searches such as uct have");
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    };
    // A search may stop before it has used its budget.
    let (per_second, raw_per_second) =
        (done as f64 / median(searches), simulations as f64 / median(playouts));
    let share = per_second / raw_per_second;
    Ok(Speed { game: session.name().to_string(), simulations: done, per_second, raw_per_second, share })
}
