//! `aji tournament`: every agent plays every other, and gets a rating.

use super::GameName;
use super::contest::{self, Games, Played};
use crate::output::table;
use crate::stop;
use crate::trials::Trials;
use aji_catalog::{AgentName, Workbench, thousands};
use aji_lab::contest::{Contest, ContestKind, Standings, ToldTournament};
use aji_lab::statistics::Interval;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::PathBuf;

/// The most agents of a tournament.
const AGENTS_MAX: usize = 200;

/// Play every agent against every other: a rating table and a cross table
#[derive(Args)]
#[command(
    after_help = "FILE has one agent per line; empty lines and lines that begin with # are ignored. Ratings are in Elo
above the mean, by maximum likelihood, with intervals at 95%.

Examples:
  aji tournament connect-four --agent uct --agent 'uct c=0.5' --agent flat
  printf '%s\\n' 'uct' 'uct c=0.5' 'flat' 'alphabeta depth=4' > agents.txt
  aji tournament connect-four --agents agents.txt --games 100"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// An agent; once for each
    #[arg(long, value_name = "NAME", required_unless_present = "agents")]
    agent: Vec<String>,

    /// A file of agents, one per line
    #[arg(long, value_name = "FILE")]
    agents: Option<PathBuf>,

    #[command(flatten)]
    games: Games,

    #[command(flatten)]
    trials: Trials,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let game = options.game.checked(workbench)?;
    let agents = agents(workbench, options)?;
    let pairings = Contest::all_pairings(agents.len());
    let rounds = options.games.rounds(workbench.session(&game)?.players())?;
    let workbench = &workbench.clone().stopped_by(stop::flag());
    let contest = Contest::on(workbench, &game, agents, pairings, rounds)?;
    let contest = options.games.opened(contest)?.named(ContestKind::Tournament.word());
    let Some(played) = options.games.play(&contest, &options.trials, &option_of)? else { return Ok(()) };
    if played.games() == 0 {
        bail!("interrupted before a pair of games ended");
    }
    let standings = Standings::of(contest.agents().len(), contest.pairings(), played.course.tallies())?;
    let text = match options.json {
        true => {
            let told = ToldTournament::new(&contest.plan(), played.extent(&contest), &standings);
            serde_json::to_value(told)?.to_string() + "\n"
        }
        false => told(&contest, &played, &standings),
    };
    played.print(&text)
}

/// The option that a parameter of a tournament comes from.
fn option_of(parameter: &str) -> Option<String> {
    let place =
        parameter.strip_prefix("agents[").and_then(|place| place.strip_suffix(']')?.parse::<usize>().ok());
    match place {
        Some(place) => Some(format!("agent {} of --agent and --agents", place + 1)),
        None if ["agents", "pairings"].contains(&parameter) => {
            Some("the agents of --agent and --agents".into())
        }
        None => contest::option_of(parameter),
    }
}

fn told(contest: &Contest, played: &Played, standings: &Standings) -> String {
    let restarted = |(number, agent): (usize, &AgentName)| match contest.restarts(number) {
        0 => String::new(),
        times => format!("\n{agent}: restarted {} times in this run, after failures\n", thousands(times)),
    };
    format!(
        "{}, {}\n\n{}\nPoints of the row against the column:\n\n{}{}{}",
        contest.game(),
        played.told_games(),
        rating_table(contest, standings),
        cross_table(contest, standings),
        contest.agents().iter().enumerate().map(restarted).collect::<String>(),
        contest::ranks_note(contest)
    )
}

/// The agents of `--agent`, then those of the file.
fn agents(workbench: &Workbench, options: &Options) -> Result<Vec<AgentName>> {
    let mut lines: Vec<(String, String)> =
        options.agent.iter().map(|name| ("--agent".to_string(), name.clone())).collect();
    if let Some(path) = &options.agents {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let named = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines.extend(named.map(|(number, line)| (format!("{shown}, line {number}"), line.to_string())));
    }
    let mut agents: Vec<AgentName> = Vec::new();
    for (place, line) in &lines {
        let agent = workbench.agent_name(line).with_context(|| place.clone())?;
        if agents.contains(&agent) {
            bail!("{place}: {agent} is there twice; give one of them another seed");
        }
        agents.push(agent);
    }
    match agents.len() {
        0 | 1 => bail!("a tournament needs at least two agents; found {}", agents.len()),
        2..=AGENTS_MAX => Ok(agents),
        more => bail!("a tournament takes at most {AGENTS_MAX} agents; found {more}"),
    }
}

fn rating_table(contest: &Contest, standings: &Standings) -> String {
    let row = |(place, &agent): (usize, &usize)| {
        let rating = &standings.ratings[agent];
        let Interval { low, high } = standings.elo_interval(agent);
        let (points, games) = (standings.points[agent], standings.games[agent]);
        vec![
            format!("{}  {}", place + 1, contest.agents()[agent]),
            contest::elo(rating.value),
            format!("{} to {}", contest::elo(low), contest::elo(high)),
            format!("{points:.1}"),
            thousands(games),
            format!("{:.3}", points / games.max(1) as f64),
            contest::time(contest.time_of_move(agent)).trim_start_matches(", ").to_string(),
        ]
    };
    let rows = standings.order.iter().enumerate().map(row);
    table(&["agent", "Elo", "95%", "points", "games", "score", "per move"], rows)
}

fn cross_table(contest: &Contest, standings: &Standings) -> String {
    let order = &standings.order;
    let cell = |row: usize, column: usize| {
        let find = |a, b| contest.pairings().iter().position(|&pairing| pairing == (a, b));
        let meeting = |a, b| find(a, b).and_then(|pairing| standings.meetings[pairing].as_ref());
        let points = |score: f64, games: u64| format!("{:.1}", score * games as f64);
        match (meeting(row, column), meeting(column, row)) {
            (Some(own), _) => points(own.score.score, own.score.games),
            (_, Some(other)) => points(1.0 - other.score.score, other.score.games),
            _ => "-".into(),
        }
    };
    let numbers: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let head: Vec<&str> = [""].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let row = |(place, &agent): (usize, &usize)| {
        let name = format!("{}  {}", place + 1, contest.agents()[agent]);
        [name].into_iter().chain(order.iter().map(|&other| cell(agent, other))).collect()
    };
    table(&head, order.iter().enumerate().map(row))
}
