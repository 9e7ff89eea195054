//! The gain from threads: the simulations of several threads against those of one in equal wall time, on Connect Four.
//!
//! All configurations take turns, so a machine that slows down slows all of them. The table shows medians over the
//! rounds.

use crate::report::table;
use aji_games::ConnectFour;
use aji_search::bandit::Ucb1;
use aji_search::{Agent, Budget, RootParallel, Search};
use std::time::Instant;

/// What to measure.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Threads {
    /// How many threads run at a time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: u64,
    /// Simulations of each thread.
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// How many rounds to run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
}

const WAVES: [usize; 3] = [1, 8, 32];
const MEMORY: usize = 4_000_000_000;

impl Threads {
    /// Measures, and returns the table.
    pub fn run(self) -> String {
        let mut table = table(&["wave", "one thread", "a tree each", "sharing"]);
        for wave in WAVES {
            let [one, each, sharing] = self.speeds(wave);
            table.add_row([
                wave.to_string(),
                format!("{:.2} M/s", one / 1e6),
                format!("{:.2} x", each / one),
                format!("{:.2} x", sharing / one),
            ]);
        }
        let Threads { threads, simulations, repeats } = self;
        format!(
            "connect-four, {simulations} simulations a thread, {threads} threads, {repeats} rounds\n\n{table}\n"
        )
    }

    /// Simulations per second of one thread, of several with a tree each, and of several that share what they learn.
    fn speeds(self, wave: usize) -> [f64; 3] {
        let mut rounds: [Vec<f64>; 3] = Default::default();
        let (all, count) = (self.threads * self.simulations, self.threads as usize);
        for _ in 0..self.repeats {
            rounds[0].push(speed(search(wave), self.simulations));
            rounds[1].push(speed(RootParallel::new(search(wave), count), all));
            rounds[2].push(speed(RootParallel::new(search(wave).share(true), count), all));
        }
        rounds.map(|mut speeds| {
            speeds.sort_by(f64::total_cmp);
            speeds[speeds.len() / 2]
        })
    }
}

fn search(wave: usize) -> Search<ConnectFour> {
    Search::new(ConnectFour::new()).select(Ucb1 { c: crate::EXPLORATION }).memory(MEMORY).wave(wave)
}

fn speed(mut agent: impl Agent<ConnectFour>, simulations: u64) -> f64 {
    let started = Instant::now();
    let report = agent.think(&ConnectFour::new(), Budget::simulations(simulations), &mut ());
    assert_eq!(
        (report.simulations, report.left_out),
        (simulations, 0),
        "not the requested number of simulations"
    );
    drop(agent);
    simulations as f64 / started.elapsed().as_secs_f64()
}
