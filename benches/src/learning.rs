//! The cost of learning: a simulation that learns against one that does not, on Heap-Go.
//!
//! All learners take turns, so a machine that slows down slows all of them. The table shows medians over the rounds.

use crate::measure::median;
use crate::report::table;
use aji_games::HeapGo;
use aji_search::bandit::Ucb1;
use aji_search::learn::{Advice, Amaf, Learner, Learning, Potentials, ReadOut, Reading, Repair, Ride};
use aji_search::{Agent, Budget, Game, Keyed, Search, Utility};
use std::time::Instant;

/// What to measure.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Learned {
    /// Simulations of each search.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// How many rounds to run.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
}

/// Heaps and counters, and the goal: the most that a simulation with `playout=maxi` may cost, in simulations without
/// learning.
const SIZES: [(usize, usize, f64); 4] = [(5, 5, 2.0), (10, 10, 2.0), (172, 10, 3.0), (361, 3, 3.0)];

/// The exploration constant, in points.
const C: f32 = 15.0;

impl Learned {
    /// Measures, and returns the table.
    pub fn run(self) -> String {
        let head =
            ["heap-go", "no learning", "RIDE, list", "least squares", "potentials", "AMAF", "goal", "D"];
        let mut table = table(&head);
        for (heaps, counters, goal) in SIZES {
            let game = HeapGo::random(heaps, counters, 1..=10, 1);
            let bytes = Ride::new(Repair::ByKeys, ReadOut::List).bytes(game.key_count());
            let [plain, learned @ ..] = self.microseconds(&game);
            let times = learned.map(|time| format!("{:.2} x", time / plain));
            table.add_row(
                [format!("{heaps}x{counters}"), format!("{plain:.2} us")]
                    .into_iter()
                    .chain(times)
                    .chain([format!("{goal} x"), format!("{:.1} MB", bytes as f64 / 1e6)]),
            );
        }
        let Learned { simulations, repeats } = self;
        format!(
            "{simulations} simulations, {repeats} rounds; learners play by the order they learn\n\n{table}\n"
        )
    }

    /// The time of a simulation without learning and of each learner.
    fn microseconds(self, game: &HeapGo) -> [f64; 5] {
        let (low, high) = game.payoff_range();
        let search = || {
            let rule = Ucb1 { c: C / (high - low) };
            Search::new(game.clone()).utility(Utility::score(game)).select(rule)
        };
        let mut rounds: [Vec<f64>; 5] = Default::default();
        for _ in 0..self.repeats {
            rounds[0].push(self.time(game, search()));
            let ride = |read_out| Learning::new(Ride::new(Repair::ByKeys, read_out), Advice::First);
            rounds[1].push(self.time(game, search().evaluate(ride(ReadOut::List))));
            rounds[2].push(self.time(game, search().evaluate(ride(ReadOut::Potentials))));
            let potentials = Learning::new(Potentials::new(None), Advice::First);
            rounds[3].push(self.time(game, search().evaluate(potentials)));
            let amaf = Learning::new(Amaf::new(Reading::Difference, None), Advice::First);
            rounds[4].push(self.time(game, search().evaluate(amaf)));
        }
        rounds.map(median)
    }

    fn time(self, game: &HeapGo, mut agent: impl Agent<HeapGo>) -> f64 {
        let started = Instant::now();
        let report = agent.think(game, Budget::simulations(self.simulations), &mut ());
        assert_eq!(report.simulations, self.simulations, "not the requested number of simulations");
        1e6 * started.elapsed().as_secs_f64() / self.simulations as f64
    }
}
