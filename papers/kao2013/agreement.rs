//! Beyond the paper: its own test of whether incentive learning suits a game, which it proposes but does not run. As
//! simulations grow, does the learned order agree more with that of the search?
//!
//! The order of the search is that of the mean values of the root's actions. The paper's test uses the means of the
//! same search, from which the order was learned. So the study also compares the order with another search, which has
//! more simulations and random playouts.

use super::match_rates::cell;
use super::{interval, measured};
use crate::shared::{left_out, point, random_position, session_at, think_on, with_parts};
use aji_catalog::{AgentName, thousands};
use aji_cgt::Side;
use aji_games::{Clobber, ConnectFour, Domineering, HeapGo, Hex, Size, Sum};
use aji_lab::report::{Axis, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use aji_search::{ArmReport, Keyed, Named, Rng};

const GAMES: [&str; 5] = ["Heap-Go 5x5", "Domineering 6x6", "Clobber 6x6", "Connect Four", "Hex 5x5"];

/// Random plies before a position.
const PLIES: std::ops::Range<usize> = 0..8;

/// Searches for wins use this exploration constant, relative to the range of payoffs; Heap-Go uses one in points.
const C: f32 = 1.4;
const C_IN_POINTS: f32 = 15.0;

/// The simulations between two repairs of the learned order. The order is always read right after one.
const REPAIR: u32 = 100;

/// The memory of a search.
const MEMORY: u64 = 256 << 20;

/// The two orders to compare with: that of the search that learns, and that of the other one.
const JUDGES: [&str; 2] = ["the same search", "another search"];

struct Agreement {
    budgets: Vec<u64>,
    /// The simulations of the other search.
    judge: u64,
    positions: u64,
}

impl Agreement {
    /// The agreement with each judge, by budget, in percent.
    fn of(
        &self,
        game: &str,
        uct: &str,
        position: &(impl Keyed + Named),
        rng: &mut Rng,
    ) -> Result<Vec<[f64; 2]>, Error> {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        let keys: Vec<usize> = actions.into_iter().map(|action| position.key(action)).collect();
        let mut agent = |more: &str| -> Result<AgentName, Error> {
            Ok(AgentName { memory: MEMORY, seed: rng.bits(), ..format!("{uct} {more}").parse()? })
        };
        let (judge, learner) = (agent("")?, agent(&format!("playout=maxi repair={REPAIR}"))?);
        let judged = think_on(&mut *session_at(game, position)?, &judge, self.judge)?.arms;
        let mut session = session_at(game, position)?;
        let (mut spent, mut agreements) = (0, Vec::new());
        for &budget in &self.budgets {
            let own = think_on(&mut *session, &learner, budget - spent)?.arms;
            spent = budget;
            let order = session.order().expect("it learns");
            let ranks: Vec<usize> = keys.iter().map(|&key| order.rank(key)).collect();
            agreements.push([agreeing(&own, &ranks), agreeing(&judged, &ranks)]);
        }
        Ok(agreements)
    }

    /// The same in a random position with something to order.
    fn in_game(
        &self,
        game: &str,
        uct: &str,
        start: &(impl Keyed + Named),
        rng: &mut Rng,
    ) -> Result<Vec<[f64; 2]>, Error> {
        let mut actions = Vec::new();
        loop {
            let position = random_position(start, PLIES, rng);
            actions.clear();
            position.actions(&mut actions);
            if actions.len() > 1 {
                return self.of(game, uct, &position, rng);
            }
        }
    }
}

/// The percentage of pairs of actions with different means in which the better one has the lower rank; 50 without
/// such pairs. An action has the same place among the arms and the ranks.
fn agreeing(arms: &[ArmReport<String>], ranks: &[usize]) -> f64 {
    let (mut agreeing, mut pairs) = (0, 0);
    for (place, one) in arms.iter().enumerate() {
        for (other, &rank) in
            arms.iter().zip(ranks).skip(place + 1).filter(|(other, _)| other.mean != one.mean)
        {
            pairs += 1;
            agreeing += u32::from((ranks[place] < rank) == (one.mean > other.mean));
        }
    }
    if pairs == 0 { 50.0 } else { 100.0 * f64::from(agreeing) / f64::from(pairs) }
}

impl Experiment for Agreement {
    /// By budget, in percent, with each of the judges.
    type Record = Vec<[f64; 2]>;

    fn name(&self) -> String {
        "kao2013-agreement".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({
            "games": GAMES, "plies": PLIES, "budgets": self.budgets, "judge": self.judge,
            "positions": self.positions, "c": C, "c in points": C_IN_POINTS, "repair": REPAIR,
        })
    }

    fn trials(&self) -> u64 {
        self.positions * GAMES.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<Vec<[f64; 2]>, Error> {
        let rng = &mut trial.rng();
        let six = Size::new(6, 6);
        let for_wins = &format!("uct c={C}");
        match trial.id % GAMES.len() as u64 {
            0 => {
                let seed = rng.bits();
                let game = format!("heap-go heaps=5 counters=5 seed={seed}");
                let uct = format!("uct unit=points c={C_IN_POINTS}");
                self.in_game(&game, &uct, &HeapGo::random(5, 5, 1..=10, seed), rng)
            }
            1 => {
                let start = Sum::new(&[Domineering::new(six)], Side::Left);
                self.in_game("domineering rows=6 columns=6", for_wins, &start, rng)
            }
            2 => {
                let start = Sum::new(&[Clobber::new(six)], Side::Left);
                self.in_game("clobber rows=6 columns=6", for_wins, &start, rng)
            }
            3 => self.in_game("connect-four", for_wins, &ConnectFour::new(), rng),
            _ => self.in_game("hex size=5", for_wins, &Hex::new(5), rng),
        }
    }
}

/// The agreement of a game with a judge at a budget, by position.
fn values(records: &[Vec<[f64; 2]>], game: usize, judge: usize, budget: usize) -> Vec<f64> {
    records.iter().skip(game).step_by(GAMES.len()).map(|record| record[budget][judge]).collect()
}

fn mean(values: &[f64]) -> Estimate {
    estimate(values).expect("two positions or more")
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let experiment = Agreement {
        budgets: lab.scale.pick(vec![100, 300, 1000, 3000], vec![100, 300, 1000, 3000, 10_000, 30_000]),
        judge: lab.scale.pick(10_000, 100_000),
        positions: lab.scale.pick(20, 200),
    };
    let records = lab.run(&experiment)?;
    Ok(Section {
        title: "Beyond the paper: does the learned order agree with the search?".into(),
        prose: vec![
            format!(
                "The paper proposes a test of whether incentive learning suits a problem: the learned order \
                 should agree more with the order of the search as simulations grow. In \
                 {} random positions of each game ({} to {} random plies) we compare the order learned \
                 by MAXI with that of the mean values of the root's actions. These are the means of the same \
                 search, and of another with {} simulations and random playouts. A random order would agree in 50%.",
                experiment.positions,
                PLIES.start,
                PLIES.end - 1,
                thousands(experiment.judge)
            ),
            "With 100 simulations the tree is hardly deeper than its root, and an order learned from the \
             root's means agrees with these means. So the first test starts high where there are many \
             actions, whatever the game. The second test does not."
                .into(),
        ],
        tables: (0..JUDGES.len()).map(|judge| table(&experiment, &records, judge)).collect(),
        figures: (0..JUDGES.len()).map(|judge| figure(&experiment, &records, judge)).collect(),
        claims: (0..JUDGES.len()).map(|judge| grows(&experiment, &records, judge)).collect(),
        left_out: left_out(
            lab,
            "20 positions instead of 200, 3,000 simulations at most instead of 30,000, another search of \
             10,000 instead of 100,000.",
        ),
        ..Section::default()
    })
}

fn table(experiment: &Agreement, records: &[Vec<[f64; 2]>], judge: usize) -> Table {
    let heads: Vec<String> = experiment.budgets.iter().map(|&budget| thousands(budget)).collect();
    let columns: Vec<&str> = ["game"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    let mut table = Table::new(format!("Agreement of the learned order with {}", JUDGES[judge]), &columns)
        .with_note("Percent of pairs of the root's actions, with half of its 95% interval over positions.");
    for (game, name) in GAMES.into_iter().enumerate() {
        let cells = (0..heads.len()).map(|budget| cell(&mean(&values(records, game, judge, budget)), 1));
        table.push([name.into()].into_iter().chain(cells).collect());
    }
    table
}

fn figure(experiment: &Agreement, records: &[Vec<[f64; 2]>], judge: usize) -> Figure {
    let series = |(game, name): (usize, &str)| {
        let points = experiment.budgets.iter().enumerate().map(|(place, &budget)| {
            let agreement = mean(&values(records, game, judge, place));
            point(budget as f64, agreement.value, interval(&agreement))
        });
        Series::line(name, points.collect())
    };
    Figure {
        name: format!("kao2013-agreement-{}", ["own", "other"][judge]),
        title: format!("Agreement of the learned order with {}", JUDGES[judge]),
        caption: "Percent of pairs of the root's actions, mean over positions with 95% intervals.".into(),
        x: Axis::log("simulations"),
        y: Axis::linear("agreement (%)"),
        series: GAMES.into_iter().enumerate().map(series).collect(),
    }
}

fn grows(experiment: &Agreement, records: &[Vec<[f64; 2]>], judge: usize) -> Claim {
    let said = "check whether the match rate between the output action sequence of incentive learning and \
                that of MCTS increases with increased simulations (VI); not tried there";
    let last = experiment.budgets.len() - 1;
    let part = |(game, name): (usize, &str)| {
        let (first, last) = (values(records, game, judge, 0), values(records, game, judge, last));
        let rise: Vec<f64> = last.iter().zip(&first).map(|(last, first)| last - first).collect();
        Claim::greater(Statement::new(name, said), measured(&mean(&rise)), 0.0)
    };
    let parts: Vec<Claim> = GAMES.into_iter().enumerate().map(part).collect();
    let what = format!(
        "{}. The learned order agrees more with {} as simulations grow, from {} to {}",
        ["9a", "9b"][judge],
        JUDGES[judge],
        thousands(experiment.budgets[0]),
        thousands(experiment.budgets[last])
    );
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(
        whole,
        &parts,
        "change of the agreement in each game, position by position, in percent",
        "above 0",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_by_hand() {
        let check = |means: &[f32], expect: f64| {
            let arm = |(action, &mean): (usize, &f32)| ArmReport::new(action.to_string(), 1, mean);
            let arms: Vec<ArmReport<String>> = means.iter().enumerate().map(arm).collect();
            let ranks: Vec<usize> = (0..means.len()).collect();
            assert_eq!(agreeing(&arms, &ranks), expect, "{means:?}");
        };
        check(&[0.9, 0.5, 0.1], 100.0);
        check(&[0.1, 0.5, 0.9], 0.0);
        // The pair with equal means does not count.
        check(&[0.5, 0.5, 0.1], 100.0);
        check(&[0.5, 0.1, 0.5], 50.0);
        check(&[0.5], 50.0);
    }
}
