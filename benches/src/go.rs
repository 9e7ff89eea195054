//! The Go board: light playouts beside those of `go_game_board`, the time of a copy, and the speed of a search as a
//! share of raw playouts.
//!
//! Our playouts are uniform over the allowed points: they draw empty points without replacement until one is allowed.
//! Those of `go_game_board` are from its own benchmark: every legal point that is not an eye has the same weight, or
//! ten times that next to the last move. All take turns, and ratios are taken within a round. The table shows medians
//! over the rounds and the range of the middle half. `--alone` runs one of them for a tool that counts instructions.

use crate::measure::median;
use crate::report::table;
use aji_games::{GoRules, LargeGo, SmallGo};
use aji_search::bandit::Rave;
use aji_search::playout::Recorded;
use aji_search::{Budget, Game, Keyed, Rng, Search};
use cpu_time::ProcessTime;
use std::hint::black_box;

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub struct GoBoards {
    /// Playouts and simulations of each measurement.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..))]
    playouts: u64,
    /// How many rounds to run.
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
    /// Run only this one, once, without measuring.
    #[arg(long)]
    alone: Option<Alone>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Alone {
    /// Our light playouts on 9x9.
    Light,
    /// Our light playouts on 19x19.
    Large,
    /// Those of `go_game_board`.
    Peer,
    /// UCT on 9x9.
    Uct,
    /// RAVE on 9x9.
    Rave,
}

fn small() -> SmallGo {
    SmallGo::new(9, GoRules::default())
}

fn large() -> LargeGo {
    LargeGo::new(19, GoRules::default())
}

fn playouts<G: Game>(start: &G, count: u64, seed: u64) {
    let (mut game, mut rng, mut scratch) = (start.clone(), Rng::seeded(seed), Vec::new());
    for _ in 0..count {
        game.clone_from(start);
        black_box(game.playout(&mut rng, &mut scratch));
    }
}

/// The mean number of stones of a playout.
fn stones<G: Keyed>(start: &G, count: u64) -> f64 {
    let (mut game, mut rng, mut stones) = (start.clone(), Rng::seeded(0), 0u64);
    for _ in 0..count {
        game.clone_from(start);
        game.recorded_playout(&mut rng, &mut Vec::new(), |_| stones += 1);
    }
    stones as f64 / count as f64
}

fn peer(count: u64) {
    black_box(go_game_board::Benchmark::new().run(count as usize, None));
}

fn uct(count: u64, seed: u64) {
    black_box(Search::new(small()).seed(seed).run(Budget::simulations(count)));
}

fn rave(count: u64, seed: u64) {
    let search = Search::new(small()).seed(seed).select(Rave::default()).amaf(0).evaluate(Recorded);
    black_box({ search }.run(Budget::simulations(count)));
}

fn copies(count: u64) {
    let (start, mut game) = (small(), small());
    for _ in 0..count {
        game.clone_from(black_box(&start));
        black_box(&mut game);
    }
}

/// Nanoseconds of each of `count` repeats.
fn each(count: u64, run: impl FnOnce()) -> f64 {
    let started = ProcessTime::now();
    run();
    1e9 * started.elapsed().as_secs_f64() / count as f64
}

/// Nanoseconds of each measurement of a round.
struct Round {
    light: f64,
    peer: f64,
    large: f64,
    uct: f64,
    rave: f64,
    copy: f64,
}

impl Round {
    fn measure(count: u64, seed: u64) -> Round {
        Round {
            peer: each(count, || peer(count)),
            large: each(count / 4, || playouts(&large(), count / 4, seed)),
            light: each(count, || playouts(&small(), count, seed)),
            uct: each(count, || uct(count, seed)),
            rave: each(count, || rave(count, seed)),
            copy: each(100 * count, || copies(100 * count)),
        }
    }
}

impl GoBoards {
    /// Measures, and returns the table.
    pub fn run(self) -> String {
        let count = self.playouts;
        if let Some(alone) = self.alone {
            match alone {
                Alone::Light => playouts(&small(), count, 1),
                Alone::Large => playouts(&large(), count, 1),
                Alone::Peer => peer(count),
                Alone::Uct => uct(count, 1),
                Alone::Rave => rave(count, 1),
            }
            return String::new();
        }
        let rounds: Vec<Round> = (0..self.repeats).map(|round| Round::measure(count, round)).collect();
        let stones = stones(&large(), 200) / stones(&small(), 1000);
        let mut table = table(&["what", "each", "against", "ratio", "middle half"]);
        let mut row = |what: &str, time: fn(&Round) -> f64, against: &str, ratio: &dyn Fn(&Round) -> f64| {
            let each = median(rounds.iter().map(time).collect());
            let mut ratios: Vec<f64> = rounds.iter().map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            let at = |share: usize| ratios[share * (ratios.len() - 1) / 4];
            let half = format!("{:.2} to {:.2}", at(1), at(3));
            let cells =
                [format!("{each:.0} ns"), against.into(), format!("{:.2}", median(ratios.clone())), half];
            table.add_row([what.into()].into_iter().chain(cells));
        };
        row("light playout, 9x9", |round| round.light, "go_game_board: times as fast", &|round| {
            round.peer / round.light
        });
        row("light playout, 19x19", |round| round.large, "9x9: growth by that of stones played", &|round| {
            round.large / round.light / stones
        });
        row("UCT, 9x9", |round| round.uct, "raw playouts: share", &|round| round.light / round.uct);
        row("RAVE, 9x9", |round| round.rave, "raw playouts: share", &|round| round.light / round.rave);
        let copy = median(rounds.iter().map(|round| round.copy).collect());
        format!(
            "{count} playouts and simulations, {} rounds; CPU time\n\n{table}\n\na copy of a 9x9 game: {copy:.0} ns\n",
            self.repeats
        )
    }
}
