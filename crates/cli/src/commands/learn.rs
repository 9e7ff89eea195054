//! `aji learn`: compares what an agent learns of Heap-Go with the temperatures of the heaps.

use super::GameName;
use crate::numbers;
use crate::output::{print, table, text_table};
use crate::progress::Bar;
use aji_catalog::{AgentName, Workbench, thousands};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::study::{LearnedAction, LearnedOrder, MatchRate, study_order};
use aji_lab::{Error, Progress};
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

    /// One JSON object: {agent, games, simulations, match_excluding_ties, error, match_strict, error_strict, pairs, ties},
    /// with rates and their standard errors in percent; with --position {agent, simulations, actions: [{heap, counters,
    /// top_weight, temperature}]}, the best first
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Learned {
    agent: String,
    games: u64,
    simulations: u64,
    match_excluding_ties: Option<f64>,
    error: Option<f64>,
    match_strict: Option<f64>,
    error_strict: Option<f64>,
    pairs: u64,
    ties: u64,
}

#[derive(Serialize)]
struct Listed {
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
        let order = study_order(&game, Some(position), &agent)?;
        return print(&if options.json { listed_json(&agent, &order)? } else { listed_text(&order) });
    }
    if let Some(word) = game.split_whitespace().find(|word| is_fixed(word)) {
        bail!("{word} is one game: leave it out for --games, or give --position to see one order");
    }
    let orders = learn_all(&game, &agent, options.games)?;
    let baseline: Vec<LearnedOrder> = orders.iter().map(LearnedOrder::by_top_weight).collect();
    let (learned, baseline) = (learned(agent.to_string(), &orders), learned("topweight".into(), &baseline));
    if options.json {
        return print(&(serde_json::to_string(&learned)? + "\n"));
    }
    print(&learned_text(&game, &[learned, baseline]))
}

fn is_fixed(word: &str) -> bool {
    word.starts_with("seed=") || word.starts_with("start=")
}

/// The orders learned in the games with seeds from 1 on, on all processors.
fn learn_all(game: &str, agent: &AgentName, games: u64) -> Result<Vec<LearnedOrder>, Error> {
    let (bar, next, done) = (Bar::new("learn"), AtomicU64::new(1), AtomicU64::new(0));
    bar.begun(0, games);
    let learn = |seed: u64| {
        let agent = AgentName { seed: agent.seed.wrapping_add(seed - 1), ..agent.clone() };
        let order = study_order(&format!("{game} seed={seed}"), None, &agent);
        bar.recorded(seed, done.fetch_add(1, Ordering::Relaxed) + 1, games);
        order.map(|order| (seed, order))
    };
    let work = || {
        let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        seeds.take_while(|&seed| seed <= games).map(learn).collect::<Result<Vec<_>, Error>>()
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let learned: Vec<Result<Vec<(u64, LearnedOrder)>, Error>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut orders = learned.into_iter().collect::<Result<Vec<_>, Error>>()?.concat();
    orders.sort_by_key(|&(seed, _)| seed);
    Ok(orders.into_iter().map(|(_, order)| order).collect())
}

fn learned(agent: String, orders: &[LearnedOrder]) -> Learned {
    let rates: Vec<MatchRate> = orders.iter().map(LearnedOrder::match_rate).collect();
    let over_games = |rate: fn(&MatchRate) -> Option<f64>| -> Option<Estimate> {
        estimate(&rates.iter().filter_map(rate).map(|rate| 100.0 * rate).collect::<Vec<_>>())
    };
    let (excluding, strict) = (over_games(MatchRate::excluding_ties), over_games(MatchRate::strict));
    let [mean, error] = parts(excluding);
    let [mean_strict, error_strict] = parts(strict);
    Learned {
        agent,
        games: orders.len() as u64,
        simulations: orders.iter().map(|order| order.simulations).max().unwrap_or(0),
        match_excluding_ties: mean,
        error,
        match_strict: mean_strict,
        error_strict,
        pairs: rates.iter().map(|rate| rate.pairs).sum(),
        ties: rates.iter().map(|rate| rate.ties).sum(),
    }
}

/// A mean, and its standard error where there is one.
fn parts(estimate: Option<Estimate>) -> [Option<f64>; 2] {
    [
        estimate.map(|estimate| estimate.value),
        estimate.map(|estimate| estimate.error).filter(|error| error.is_finite()),
    ]
}

fn learned_text(game: &str, all: &[Learned]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let head = text_table([
        vec!["game".into(), game.into()],
        vec!["games".into(), thousands(first.games)],
        vec!["simulations".into(), format!("{} per game", thousands(first.simulations))],
        vec!["pairs".into(), format!("{}, and {} ties", thousands(first.pairs), thousands(first.ties))],
    ]);
    let percent = |mean: Option<f64>, error: Option<f64>| match (mean, error) {
        (Some(mean), Some(error)) => format!("{mean:.1} ± {error:.1}"),
        (Some(mean), None) => format!("{mean:.1}"),
        _ => "-".to_string(),
    };
    let row = |learned: &Learned| {
        vec![
            learned.agent.clone(),
            percent(learned.match_excluding_ties, learned.error),
            percent(learned.match_strict, learned.error_strict),
        ]
    };
    head + "\n" + &table(&["agent", "% matched, ties excluded", "a tie is a miss"], all.iter().map(row))
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

fn listed_json(agent: &AgentName, order: &LearnedOrder) -> Result<String> {
    let action = |action: &LearnedAction| ListedAction {
        heap: action.heap,
        counters: action.counters,
        top_weight: action.top_weight,
        temperature: action.temperature.to_f64(),
    };
    let listed = Listed {
        agent: agent.to_string(),
        simulations: order.simulations,
        actions: order.actions.iter().map(action).collect(),
    };
    Ok(serde_json::to_string(&listed)? + "\n")
}
