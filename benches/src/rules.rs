//! The cost of a rule at the root: the time of one choice among 7 arms, made as in a search, against that of a
//! simulation of Connect Four, which has 7 moves, in the same run; and the time of a choice at every pull, among 7 arms
//! and more.
//!
//! A rule plays a bandit from its first pull, so that its state between pulls has the same cost as in a search. The
//! time of the same pulls without a rule is subtracted. All rules take turns. The table shows medians over the rounds.

use crate::measure::median;
use crate::report::table;
use aji_games::ConnectFour;
use aji_search::bandit::{
    Allowance, AnyRule, Arms, Halving, Sample, Steady, Thompson, ValueBound, View, Voi,
};
use aji_search::{Budget, Rng, Search, Select};
use std::hint::black_box;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Rules {
    /// Pulls of each bandit, and simulations of each search.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..))]
    pulls: u32,
    /// How many rounds to run.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
}

const ARMS: [usize; 4] = [7, 14, 28, 56];

/// The baseline without a rule: any arm.
#[derive(Clone, Copy)]
struct Any;

impl Select for Any {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        rng.below(view.means.len())
    }
}

/// Measures the nanoseconds per pull of a rule.
type Pull = Box<dyn Fn(usize, u32) -> f64>;

fn pull<S: Select + Clone + 'static>(rule: S) -> Pull {
    Box::new(move |count, pulls| {
        let (mut rule, mut rng, mut arms) = (rule.clone(), Rng::seeded(1), Arms::new(count));
        let mut squares = vec![0.25; count];
        let started = Instant::now();
        for left in (1..=pulls).rev() {
            let view = View { left: Some(left), squares: &squares, ..arms.view() };
            let chosen = rule.select(&view, &mut rng);
            // The means lie between 0.4 and 0.6, like those of moves in a game.
            let mean = 0.4 + 0.2 * chosen as f32 / count as f32;
            arms.add(chosen, f32::from(rng.unit() < mean));
            squares[chosen] = arms.view().means[chosen];
        }
        black_box(&arms);
        1e9 * started.elapsed().as_secs_f64() / f64::from(pulls)
    })
}

/// A rule that chooses at every pull, and the same rule as a search uses it at the root.
fn both<S: Select + Clone + 'static>(rule: S) -> [Pull; 2] {
    [pull(rule.clone()), pull(Steady::new(rule, Steady::<S>::SHARE))]
}

/// Every rule of the table, and the variants with a different cost.
fn rules() -> Vec<(String, [Pull; 2])> {
    let variants = [
        Voi { bound: ValueBound::Phi, ..Voi::default() }.into(),
        Halving { budget: Allowance::Anytime }.into(),
        Thompson { sample: Sample::Normal }.into(),
    ];
    let rules = AnyRule::all().into_iter().chain(variants);
    rules.map(|rule| (rule.to_string(), both(rule))).collect()
}

impl Rules {
    /// Measures, and returns the table.
    pub fn run(self) -> String {
        let (rules, none) = (rules(), pull(Any));
        let mut simulations = Vec::new();
        let mut times = vec![vec![Vec::new(); ARMS.len()]; rules.len()];
        let mut at_roots = vec![Vec::new(); rules.len()];
        for round in 0..self.repeats {
            simulations.push(self.simulation(round));
            for (place, &arms) in ARMS.iter().enumerate() {
                let without = none(arms, self.pulls);
                for ((_, [asked, _]), times) in rules.iter().zip(&mut times) {
                    times[place].push(asked(arms, self.pulls) - without);
                }
            }
            let without = none(ARMS[0], self.pulls);
            for ((_, [_, at_root]), times) in rules.iter().zip(&mut at_roots) {
                times.push(at_root(ARMS[0], self.pulls) - without);
            }
        }
        let simulation = median(simulations);
        let mut table =
            table(&["rule", "at the root", "of a simulation", "7 arms", "14 arms", "28 arms", "56 arms"]);
        for (((name, _), times), at_root) in rules.iter().zip(times).zip(at_roots) {
            let at_root = median(at_root).max(0.0);
            let share = format!("{:.1}%", 100.0 * at_root / simulation);
            let cells = times.into_iter().map(|times| format!("{:.0} ns", median(times).max(0.0)));
            table.add_row([name.clone(), format!("{at_root:.1} ns"), share].into_iter().chain(cells));
        }
        let Rules { pulls, repeats } = self;
        format!(
            "{pulls} pulls, {repeats} rounds; a simulation of Connect Four takes {simulation:.0} ns\n\n{table}\n"
        )
    }

    /// Nanoseconds of a simulation of Connect Four.
    fn simulation(self, seed: u64) -> f64 {
        let mut search = Search::new(ConnectFour::new()).seed(seed);
        let started = Instant::now();
        black_box(search.run(Budget::simulations(self.pulls.into())));
        1e9 * started.elapsed().as_secs_f64() / f64::from(self.pulls)
    }
}
