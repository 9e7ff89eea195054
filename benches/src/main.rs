//! aji and its peers from crates.io on the same games, with the same playouts, in the same run.
//!
//! The speed of a machine varies from day to day, so only ratios count here. All engines run on one thread, in turns.
//! Times are CPU times of the process from the position to the answer, including making and freeing the tree. A time
//! counts only if the engine made the requested number of simulations.

mod contest;
mod engine;
mod games;
mod go;
mod learning;
mod measure;
mod net;
mod peers;
mod report;
mod rules;
mod threads;
mod watch;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use engine::{Engine, Settings};
use games::{Field, fields};
use go::GoBoards;
use learning::Learned;
use measure::{Errand, measure};
use net::Networks;
use rules::Rules;
use threads::Threads;
use watch::Watched;

/// The default of `Search::new`. With it, 100,000 simulations of Connect Four go 6.9 plies below the root on average;
/// with 0.7, which is 1.4 for rewards in -1..=1, they go 8.6.
const EXPLORATION: f32 = 1.4;

const ROUNDS: u64 = 11;
/// Rounds of a large field, in which a search takes seconds.
const ROUNDS_LARGE: u64 = 3;
const ROUNDS_QUICK: u64 = 3;
/// A quick run divides the simulations by this.
const QUICK: u64 = 10;

/// Runs aji and its peers on the same games, and compares their speed.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Options {
    /// The games to play, by name; all of them if none is named.
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(names()))]
    games: Vec<String>,
    /// The peers to run; all of them if none is named. aji and raw playouts always run.
    #[arg(long, value_delimiter = ',')]
    engines: Vec<Engine>,
    /// How many rounds to run [default: 11, or 3 if a search is large].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: Option<u64>,
    /// Also search Connect Four with ten million simulations, each search in its own process. This takes minutes and
    /// several gigabytes.
    #[arg(long)]
    large: bool,
    /// The exploration constant of every engine that lets it be set, for rewards in 0..=1.
    #[arg(long, default_value_t = EXPLORATION, value_parser = positive)]
    exploration: f32,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Three rounds with a tenth of the simulations, to see that everything works. The goals do not apply.
    #[arg(long)]
    quick: bool,
    #[command(subcommand)]
    errand: Option<Other>,
}

#[derive(Subcommand)]
enum Other {
    /// The speed of several threads, each with its own tree, against one.
    Threads(Threads),
    /// The cost of learning per simulation, on Heap-Go.
    Learning(Learned),
    /// The cost of one choice by each rule at the root, against a simulation of Connect Four.
    Rules(Rules),
    /// The Go board: playouts beside a peer's, copies, and searches as a share of raw speed.
    Go(GoBoards),
    /// The speed of evaluation and training of networks, as a share of the CPU's peak.
    Networks(Networks),
    /// The cost of watching a search.
    Watch(Watched),
    /// Runs one search and prints its measurements as JSON.
    #[command(hide = true)]
    Alone {
        #[arg(long, value_parser = PossibleValuesParser::new(names()))]
        game: String,
        #[command(flatten)]
        errand: Errand,
    },
}

/// The names of the games. A large field has the name of its game, so it is left out.
fn names() -> Vec<&'static str> {
    fields().iter().filter(|field| !field.large).map(|field| field.name).collect()
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number < f32::INFINITY => Ok(number),
        _ => Err("expected a number above 0".into()),
    }
}

impl Options {
    fn chosen(&self) -> impl Iterator<Item = Field> {
        let named = |field: &Field| self.games.is_empty() || self.games.iter().any(|name| name == field.name);
        fields().into_iter().filter(move |field| named(field) && (self.large || !field.large))
    }

    fn engines(&self) -> Vec<Engine> {
        let named = |engine: &Engine| self.engines.is_empty() || self.engines.contains(engine);
        let all = Engine::value_variants().iter().copied();
        all.filter(|engine| !engine.is_peer() || named(engine)).collect()
    }

    fn rounds(&self, field: &Field) -> u64 {
        let usual = if self.quick {
            ROUNDS_QUICK
        } else if field.large {
            ROUNDS_LARGE
        } else {
            ROUNDS
        };
        self.repeats.unwrap_or(usual)
    }
}

fn main() {
    let options = Options::parse();
    match options.errand {
        Some(Other::Threads(threads)) => return print!("{}", threads.run()),
        Some(Other::Networks(networks)) => return print!("{}", networks.run()),
        Some(Other::Watch(watched)) => return print!("{}", watched.run()),
        Some(Other::Rules(rules)) => return print!("{}", rules.run()),
        Some(Other::Go(boards)) => return print!("{}", boards.run()),
        Some(Other::Learning(learned)) => return print!("{}", learned.run()),
        Some(Other::Alone { game, errand }) => {
            let field = fields().into_iter().find(|field| field.name == game).expect("a name of the list");
            return println!("{}", serde_json::to_string(&errand.run(&field)).expect("plain data"));
        }
        None => {}
    }
    let mut outcomes = Vec::new();
    for field in options.chosen() {
        let simulations = if options.quick { field.simulations / QUICK } else { field.simulations };
        let settings = Settings { simulations, seed: 0, exploration: options.exploration };
        let outcome = measure(&field, &options.engines(), settings, options.rounds(&field));
        if !options.json {
            println!("{}", report::engines(&outcome));
        }
        outcomes.push(outcome);
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&outcomes).expect("plain data"));
    } else {
        print!("{}", report::goals(&outcomes, !options.quick));
    }
}
