//! `aji learn`: compares what an agent learns of Heap-Go with the temperatures of the heaps.

use super::{GameName, counted};
use crate::output::{print, table, text_table};
use crate::progress::{self, Bar};
use crate::{numbers, stop};
use aji_catalog::{AgentName, Workbench, thousands};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::study::{LearnedAction, LearnedOrder, MatchRate, study_order};
use aji_lab::{Error, Progress, Until};
use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Measure how well an agent learns which actions are hot, over random games of Heap-Go
#[derive(Args)]
#[command(after_help = "Examples:
  aji learn heap-go heaps=5 counters=5 --agent \"uct c=15 unit=points playout=maxi simulations=10000\"
  aji learn heap-go heaps=10 counters=10 --agent \"divide simulations=10000\" --games 20 --json
  aji learn heap-go --position R3B5/B2R7 --agent \"uct c=15 unit=points learn=ride\"

An agent that learns keeps an order of all actions, the best first. It matches in a pair of actions of different heaps
if the hotter one comes first; random orders match in half of the pairs. Errors are over games, since the pairs of one
game are correlated. `topweight` is the order by the heaps' top counters, without a search.")]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// An agent that learns: playout=maxi, learn=ride, learn=potential or divide
    #[arg(long, value_name = "NAME", default_value = "uct c=15 unit=points playout=maxi")]
    agent: String,

    /// How many random games, with seeds from 1 on
    #[arg(long, default_value_t = 100, value_parser = numbers::count(1..=1_000_000))]
    games: u64,

    /// Show the learned order of one position, such as R3B5/B2R7, beside the temperatures
    #[arg(long)]
    position: Option<String>,

    /// One JSON object: {game, agent, games, planned_games, interrupted, simulations, match_excluding_ties, error,
    /// match_strict, error_strict, pairs, ties, topweight: {match_excluding_ties, ..}}, with rates and their standard
    /// errors in percent; with --position {game, agent, simulations, actions: [{heap, counters, top_weight,
    /// temperature}]}, the best first
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    agent: String,
    games: u64,
    planned_games: u64,
    interrupted: bool,
    simulations: u64,
    pairs: u64,
    ties: u64,
    #[serde(flatten)]
    learned: Matched,
    /// The same by the heaps' top counters.
    topweight: Matched,
}

/// How often an order matches the temperatures, in percent.
#[derive(Serialize)]
struct Matched {
    match_excluding_ties: Option<f64>,
    error: Option<f64>,
    match_strict: Option<f64>,
    error_strict: Option<f64>,
}

#[derive(Serialize)]
struct Listed<'a> {
    game: &'a str,
    agent: String,
    simulations: u64,
    actions: Vec<ListedAction>,
}

#[derive(Serialize)]
struct ListedAction {
    heap: usize,
    counters: usize,
    top_weight: u32,
    temperature: f64,
}

/// Lets the agent learn, and prints how well it did.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let (game, agent) = (options.game.checked(workbench)?, options.agent.parse::<AgentName>()?);
    if let Some(position) = &options.position {
        let order = study_order(&game, Some(position), &agent, &mut Until(stop::flag()))?;
        if stop::is_asked() {
            progress::note("interrupted: the agent has learned from a part of its simulations");
        }
        return print(&if options.json { listed_json(&game, &agent, &order)? } else { listed_text(&order) });
    }
    if let Some(word) = game.split_whitespace().find(|word| is_fixed(word)) {
        bail!("{word} is one game: leave it out for --games, or give --position to see one order");
    }
    let orders = learn_all(&game, &agent, options.games)?;
    let (games, planned_games, interrupted) = (orders.len() as u64, options.games, stop::is_asked());
    if interrupted {
        progress::note(&format!(
            "interrupted after {} of {}",
            thousands(games),
            counted(planned_games, "game")
        ));
    }
    if orders.is_empty() {
        bail!("interrupted before a game ended");
    }
    let baseline: Vec<LearnedOrder> = orders.iter().map(LearnedOrder::by_top_weight).collect();
    let rates = rates(&orders);
    let told = Told {
        game: &game,
        agent: agent.to_string(),
        games,
        planned_games,
        interrupted,
        simulations: orders.iter().map(|order| order.simulations).max().unwrap_or(0),
        pairs: rates.iter().map(|rate| rate.pairs).sum(),
        ties: rates.iter().map(|rate| rate.ties).sum(),
        learned: matched(&rates),
        topweight: matched(&self::rates(&baseline)),
    };
    print(&if options.json { serde_json::to_string(&told)? + "\n" } else { told_text(&told) })
}

fn is_fixed(word: &str) -> bool {
    word.starts_with("seed=") || word.starts_with("start=")
}

/// The orders learned in the games with seeds from 1 on, on all processors. Ctrl-C leaves the later ones out.
fn learn_all(game: &str, agent: &AgentName, games: u64) -> Result<Vec<LearnedOrder>, Error> {
    let (bar, next, done) = (Bar::new("learn"), AtomicU64::new(1), AtomicU64::new(0));
    let flag = stop::flag();
    bar.begun(0, games);
    let learn = |seed: u64| {
        let agent = AgentName { seed: agent.seed.wrapping_add(seed - 1), ..agent.clone() };
        let order = study_order(&format!("{game} seed={seed}"), None, &agent, &mut Until(flag));
        bar.recorded(seed, done.fetch_add(1, Ordering::Relaxed) + 1, games);
        (seed, order)
    };
    let work = || {
        let mut learned = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > games || stop::is_asked() {
                return learned;
            }
            let found = learn(seed);
            let is_wrong = found.1.is_err();
            // A game that was stopped has learned from fewer simulations.
            if !stop::is_asked() {
                learned.push(found);
            }
            if is_wrong {
                next.store(games + 1, Ordering::Relaxed);
                return learned;
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut learned: Vec<(u64, Result<LearnedOrder, Error>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    // The first game has the agent's own seed, so its error names the agent as it was given.
    learned.sort_by_key(|&(seed, _)| seed);
    learned.into_iter().map(|(_, order)| order).collect()
}

fn rates(orders: &[LearnedOrder]) -> Vec<MatchRate> {
    orders.iter().map(LearnedOrder::match_rate).collect()
}

fn matched(rates: &[MatchRate]) -> Matched {
    let over_games = |rate: fn(&MatchRate) -> Option<f64>| -> Option<Estimate> {
        estimate(&rates.iter().filter_map(rate).map(|rate| 100.0 * rate).collect::<Vec<_>>())
    };
    let [match_excluding_ties, error] = parts(over_games(MatchRate::excluding_ties));
    let [match_strict, error_strict] = parts(over_games(MatchRate::strict));
    Matched { match_excluding_ties, error, match_strict, error_strict }
}

/// A mean, and its standard error where there is one.
fn parts(estimate: Option<Estimate>) -> [Option<f64>; 2] {
    [
        estimate.map(|estimate| estimate.value),
        estimate.map(|estimate| estimate.error).filter(|error| error.is_finite()),
    ]
}

fn told_text(told: &Told) -> String {
    let games = match told.interrupted {
        true => {
            format!("interrupted after {} of {}", thousands(told.games), counted(told.planned_games, "game"))
        }
        false => thousands(told.games),
    };
    let head = text_table([
        vec!["game".into(), told.game.into()],
        vec!["games".into(), games],
        vec!["simulations".into(), format!("{} per game", thousands(told.simulations))],
        vec!["pairs".into(), format!("{}, and {}", thousands(told.pairs), counted(told.ties, "tie"))],
    ]);
    let percent = |mean: Option<f64>, error: Option<f64>| match (mean, error) {
        (Some(mean), Some(error)) => format!("{mean:.1} ± {error:.1}"),
        (Some(mean), None) => format!("{mean:.1}"),
        _ => "-".to_string(),
    };
    let row = |(name, matched): (&str, &Matched)| {
        vec![
            name.to_string(),
            percent(matched.match_excluding_ties, matched.error),
            percent(matched.match_strict, matched.error_strict),
        ]
    };
    let rows = [(told.agent.as_str(), &told.learned), ("topweight", &told.topweight)];
    head + "\n" + &table(&["agent", "% matched, ties excluded", "a tie is a miss"], rows.into_iter().map(row))
}

fn listed_text(order: &LearnedOrder) -> String {
    let mut by_heat: Vec<usize> = (0..order.actions.len()).collect();
    by_heat.sort_by_key(|&place| std::cmp::Reverse(order.actions[place].temperature));
    let mut rank = vec![0; by_heat.len()];
    for (place, &action) in by_heat.iter().enumerate() {
        rank[action] = place + 1;
    }
    let row = |(place, action): (usize, &LearnedAction)| {
        vec![
            (place + 1).to_string(),
            action.heap.to_string(),
            action.counters.to_string(),
            action.top_weight.to_string(),
            action.temperature.to_string(),
            rank[place].to_string(),
        ]
    };
    let rate = order.match_rate();
    let told = rate.excluding_ties().map_or("no pairs to compare".into(), |share| {
        format!("{} of {} pairs match, {:.1}%; {} ties", rate.matched, rate.pairs, 100.0 * share, rate.ties)
    });
    let head = ["place", "heap", "counters", "top weight", "temperature", "by temperature"];
    format!("{}\n{told}\n", table(&head, order.actions.iter().enumerate().map(row)))
}

fn listed_json(game: &str, agent: &AgentName, order: &LearnedOrder) -> Result<String> {
    let action = |action: &LearnedAction| ListedAction {
        heap: action.heap,
        counters: action.counters,
        top_weight: action.top_weight,
        temperature: action.temperature.to_f64(),
    };
    let listed = Listed {
        game,
        agent: agent.to_string(),
        simulations: order.simulations,
        actions: order.actions.iter().map(action).collect(),
    };
    Ok(serde_json::to_string(&listed)? + "\n")
}
