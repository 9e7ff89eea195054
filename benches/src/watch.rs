//! The cost of watching: a search that gives its report many times per second against one without a watch, on Connect
//! Four.
//!
//! Both take turns, so a machine that slows down slows both. The table shows medians over the rounds.

use crate::report::table;
use aji_games::ConnectFour;
use aji_search::bandit::Ucb1;
use aji_search::{Agent, Budget, Progress, Search, Watch};
use cpu_time::ProcessTime;
use std::hint::black_box;
use std::time::Duration;

/// What to measure.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Watched {
    /// Reports per second. Each is a whole report with three lines.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    rate: u64,
    /// Simulations of each search.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// How many rounds to run.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
}

const LINES: usize = 3;
const MEMORY: usize = 1 << 30;

/// Takes a report whenever it is due.
struct Looks {
    interval: Duration,
    due: Duration,
    taken: u64,
}

impl Watch for Looks {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if progress.time() >= self.due {
            black_box(progress.report());
            self.due = progress.time() + self.interval;
            self.taken += 1;
        }
        true
    }
}

impl Watched {
    /// Measures, and returns the table.
    pub fn run(self) -> String {
        let (mut ratios, mut looks) = (Vec::new(), 0);
        for _ in 0..self.repeats {
            let interval = Duration::from_secs(1) / self.rate as u32;
            let mut watch = Looks { interval, due: interval, taken: 0 };
            let alone = self.seconds(&mut ());
            ratios.push(self.seconds(&mut watch) / alone);
            looks += watch.taken;
        }
        ratios.sort_by(f64::total_cmp);
        let share = |part: usize| format!("{:.3}", ratios[ratios.len() * part / 4]);
        let mut table = table(&["looks a search", "time, watched by alone", "middle half"]);
        table.add_row([
            (looks / self.repeats).to_string(),
            share(2),
            format!("{} to {}", share(1), share(3)),
        ]);
        let Watched { rate, simulations, repeats } = self;
        format!(
            "connect-four, {simulations} simulations, {rate} looks a second, {repeats} rounds\n\n{table}\n"
        )
    }

    fn seconds(self, watch: &mut dyn Watch) -> f64 {
        let search = Search::new(ConnectFour::new()).select(Ucb1 { c: crate::EXPLORATION });
        let mut search = search.memory(MEMORY).lines(LINES);
        let started = ProcessTime::now();
        let report = search.think(&ConnectFour::new(), Budget::simulations(self.simulations), watch);
        assert_eq!(report.simulations, self.simulations, "not the requested number of simulations");
        started.elapsed().as_secs_f64()
    }
}
