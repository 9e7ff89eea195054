//! Decision problems of one player, from the authors' companion paper and from works the paper cites. A rule for
//! simple regret at the root and UCB1 below it (SR+CR) is tested on sailing and on the Canadian traveller's problem.
//!
//! The optimum is known exactly there. A trial is one problem, and every scheme decides its first step. The regret is
//! the extra expected cost of that step over the best one, with the best steps after it.

use crate::shared::{LEVEL, left_out, measured_mean, think_on, with_parts};
use aji_catalog::{AgentName, session, thousands};
use aji_games::{CanadianTraveller, Sailing, SailingCosts};
use aji_lab::report::{Axis, Cell, Claim, Figure, Point, Section, Series, Statement, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use aji_search::{Named, Rng};
use serde_json::json;

/// A kind of problem.
struct Domain {
    label: &'static str,
    word: &'static str,
    /// The constant of UCB1 in the tree, for rewards in 0..=1, chosen on other problems of the same kind.
    c: f32,
    /// A problem and its name.
    problem: fn(u64) -> (String, Problem),
}

/// One problem.
enum Problem {
    Sailing(Sailing),
    Traveller(CanadianTraveller),
}

const SAILING_SIZE: usize = 5;
const VERTICES: usize = 7;
const BLOCKED: f32 = 0.8;

const DOMAINS: &[Domain] = &[
    Domain { label: "sailing 5x5", word: "sailing", c: 0.8, problem: sailing },
    Domain { label: "Canadian traveller, 7 vertices", word: "traveller", c: 0.25, problem: traveller },
];

/// A trip with random wind.
fn sailing(seed: u64) -> (String, Problem) {
    let wind = Rng::seeded(seed).below(8);
    let name = format!("sailing size={SAILING_SIZE} wind={wind}");
    (name, Problem::Sailing(Sailing::new(SAILING_SIZE, wind)))
}

/// A map that can be solved exactly: the first one from this seed on.
fn traveller(mut seed: u64) -> (String, Problem) {
    loop {
        let map = CanadianTraveller::new(VERTICES, seed, BLOCKED);
        if map.unknown_roads() <= CanadianTraveller::UNKNOWN_MAX {
            let name = format!("canadian-traveller vertices={VERTICES} seed={seed} blocked={BLOCKED}");
            return (name, Problem::Traveller(map));
        }
        seed = seed.wrapping_add(1);
    }
}

/// The rules at the root. Below it is UCB1 with the domain's constant.
const ROOTS: &[&str] = &["ucb1", "epsilon", "ucb_sqrt", "voi", "halving", "kg"];
const UCT: usize = 0;

/// The first step of each scheme, from one search each.
struct FirstSteps {
    domain: &'static Domain,
    budgets: Vec<u64>,
    problems: u64,
    costs: SailingCosts,
}

impl FirstSteps {
    /// A rule at the root and UCB1 below it. UCB1 at the root has the same constant.
    fn agent(&self, root: usize, seed: u64) -> Result<AgentName, Error> {
        let c = self.domain.c;
        let root = if root == UCT { String::new() } else { format!("root={} steady=0", ROOTS[root]) };
        Ok(AgentName { seed, ..format!("uct c={c} {root}").parse()? })
    }

    /// How much worse the first step of every search is than the best one. `game` names the problem.
    fn regrets<G: Named>(
        &self,
        game: &str,
        problem: &G,
        expected: &dyn Fn(&G) -> f64,
        seed: u64,
    ) -> Result<Vec<f64>, Error> {
        let mut actions = Vec::new();
        problem.actions(&mut actions);
        let mut costs = Vec::new();
        for &action in &actions {
            let mut after = problem.clone();
            after.play(action);
            costs.push((problem.action_name(action), expected(&after)));
        }
        let least = costs.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
        let mut regrets = Vec::new();
        for root in 0..ROOTS.len() {
            let agent = self.agent(root, seed)?;
            for &budget in &self.budgets {
                let step = think_on(&mut *session(game)?, &agent, budget)?.best;
                let cost = costs.iter().find(|(name, _)| step.as_ref() == Some(name));
                regrets.push(cost.map_or(0.0, |(_, cost)| cost - least));
            }
        }
        Ok(regrets)
    }
}

impl Experiment for FirstSteps {
    /// By root and then by budget.
    type Record = Vec<f64>;

    fn name(&self) -> String {
        format!("tolpin2012-decisions-{}", self.domain.word)
    }

    fn parameters(&self) -> serde_json::Value {
        let Domain { label, c, .. } = self.domain;
        json!({ "domain": label, "c": c, "roots": ROOTS, "budgets": self.budgets, "problems": self.problems })
    }

    fn trials(&self) -> u64 {
        self.problems
    }

    fn run(&self, trial: Trial) -> Result<Vec<f64>, Error> {
        let seed = trial.seed_of("search");
        let (name, problem) = (self.domain.problem)(trial.seed_of("problem"));
        match problem {
            Problem::Sailing(trip) => {
                self.regrets(&name, &trip, &|trip: &Sailing| trip.expected_cost(&self.costs), seed)
            }
            Problem::Traveller(trip) => self.regrets(&name, &trip, &CanadianTraveller::expected_cost, seed),
        }
    }
}

/// The result of one domain: the regrets by root and budget, and how much higher UCT's are than each root's.
struct Found {
    domain: &'static Domain,
    regrets: Vec<Vec<Estimate>>,
    saved: Vec<Vec<Estimate>>,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: Vec<u64> = lab.scale.pick(vec![100, 1000], vec![100, 300, 1000, 3000, 10_000]);
    let problems = lab.scale.pick(60, 500);
    let costs = Sailing::optimal_costs(SAILING_SIZE);
    let mut all = Vec::new();
    for domain in DOMAINS {
        let steps = FirstSteps { domain, budgets: budgets.clone(), problems, costs: costs.clone() };
        let records = lab.run(&steps)?;
        all.push(found(domain, budgets.len(), &records));
    }
    let claims = (1..ROOTS.len()).map(|root| better_than_uct(root, &budgets, &all)).collect();
    Ok(Section {
        title: "Sailing and the Canadian traveller".into(),
        prose: vec![
            format!(
                "The authors' companion paper (Tolpin and Shimony, MCTS based on simple regret, AAAI 2012) \
                 tries SR+CR on sailing: a rule for simple regret at the root, and UCB1 below. The paper \
                 names the Canadian traveller's problem. We take {} problems of each: sailing on \
                 {SAILING_SIZE}x{SAILING_SIZE} points with any wind, and maps of {VERTICES} vertices. Exact \
                 values judge the first step. `ucb1` at the root is UCT.",
                thousands(problems)
            ),
            format!(
                "Rewards are costs, scaled to 0..1 by the longest possible trip, so steps differ by little. \
                 The constant of UCB1 is {} and {}, tuned on other problems of the same kinds. The rules at \
                 the root keep their default settings.",
                DOMAINS[0].c, DOMAINS[1].c
            ),
        ],
        tables: all.iter().map(|found| table(found, &budgets)).collect(),
        figures: all.iter().map(|found| figure(found, &budgets)).collect(),
        claims,
        left_out: left_out(lab, "60 problems instead of 500, 100 and 1,000 samples instead of five budgets."),
        ..Section::default()
    })
}

fn found(domain: &'static Domain, budgets: usize, records: &[Vec<f64>]) -> Found {
    let over = |of: &dyn Fn(&[f64]) -> f64| {
        estimate(&records.iter().map(|record| of(record)).collect::<Vec<_>>()).expect("problems")
    };
    let grid = |of: &dyn Fn(usize, usize) -> Estimate| -> Vec<Vec<Estimate>> {
        (0..ROOTS.len()).map(|root| (0..budgets).map(|budget| of(root, budget)).collect()).collect()
    };
    let regrets = grid(&|root, budget| over(&|record| record[root * budgets + budget]));
    let saved = grid(&|root, budget| {
        over(&|record| record[UCT * budgets + budget] - record[root * budgets + budget])
    });
    Found { domain, regrets, saved }
}

fn table(found: &Found, budgets: &[u64]) -> Table {
    let mut columns = vec!["root".to_string()];
    columns.extend(budgets.iter().map(|&budget| thousands(budget)));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(format!("Regret of the first step: {}", found.domain.label), &columns)
        .with_note("Cost above that of the best step, by samples, with standard errors over problems.");
    for (root, regrets) in ROOTS.iter().zip(&found.regrets) {
        let cells = regrets.iter().map(|regret| Cell::estimate(regret.value, regret.error, 3));
        table.push([Cell::from(*root)].into_iter().chain(cells).collect());
    }
    table
}

fn figure(found: &Found, budgets: &[u64]) -> Figure {
    let series = |(root, regrets): (&&str, &Vec<Estimate>)| {
        let points = budgets.iter().zip(regrets).map(|(&budget, regret)| {
            let interval = regret.interval(LEVEL).expect("a level");
            Point { x: budget as f64, y: regret.value, low: interval.low, high: interval.high }
        });
        Series::line(*root, points.collect())
    };
    Figure {
        name: format!("tolpin2012-{}", found.domain.word),
        title: format!("Regret of the first step: {}", found.domain.label),
        caption:
            "Cost above that of the best step, with 95% intervals over problems; the rule at the root, UCB1 \
                  below."
                .into(),
        x: Axis::log("samples"),
        y: Axis::linear("regret"),
        series: ROOTS.iter().zip(&found.regrets).map(series).collect(),
    }
}

/// The claim that a rule at the root decides better than UCT, in both domains, at the largest budget.
fn better_than_uct(root: usize, budgets: &[u64], all: &[Found]) -> Claim {
    let said = "SR+CR MCTS ... outperforms UCT (companion paper)";
    let last = budgets.len() - 1;
    let part = |found: &Found| {
        let saved = measured_mean(&found.saved[root][last]);
        Claim::greater(Statement::new(found.domain.label, said), saved, 0.0)
    };
    let parts: Vec<Claim> = all.iter().map(part).collect();
    let what = format!(
        "5. {} at the root decides better than UCT with {} samples",
        ROOTS[root],
        thousands(budgets[last])
    );
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(whole, &parts, "regret of UCT less that of the other, on the same problems", "above 0")
}
