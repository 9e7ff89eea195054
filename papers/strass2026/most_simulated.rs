//! The lecture's remark ("MCTS with UCT: Remarks") that UCB1 guarantees that the most simulated move has the highest
//! average.
//!
//! It does not, and three arms show it in four pulls. This measures how often the two differ, at the root of real
//! searches and on bandits. Arms with equal pulls count as the same if one of them has the highest average.

use super::{C, LEVEL, ROOMY, counted, left_out, measured, point, random_position, session_at, think_on};
use aji_catalog::AgentName;
use aji_games::{Breakthrough, ConnectFour, Othello};
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table, Verdict};
use aji_lab::statistics::{clopper_pearson, wilson};
use aji_lab::{Error, Experiment, Lab, Trial};
use aji_search::bandit::{Arms, Ucb1};
use aji_search::{Arm, Named, Recommend, Rng, Select};
use serde::{Deserialize, Serialize};

/// The subjects: random positions of games after this many plies, and bandits.
const SUBJECTS: [&str; 4] = ["connect-four", "othello", "breakthrough", "bandit of five arms"];
const PLIES: std::ops::Range<usize> = 0..30;

/// A guarantee that fails less often than this at the largest budget is a good rule of thumb.
const SELDOM: f64 = 0.05;

/// The difference between the two choices.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Gap {
    /// Whether the most simulated arm does not have the highest average.
    differs: bool,
    /// How much higher the highest average is.
    shortfall: f32,
}

impl Gap {
    fn of(arms: impl IntoIterator<Item = Arm>) -> Gap {
        let arms: Arms = arms.into_iter().collect();
        let mean = |rule: Recommend| arms.view().means[rule.recommend(&arms.view()).expect("arms")];
        let shortfall = mean(Recommend::HighestMean) - mean(Recommend::MostPulls);
        Gap { differs: shortfall > 0.0, shortfall }
    }
}

struct MostSimulated {
    budgets: Vec<u64>,
    repeats: u64,
}

impl MostSimulated {
    /// One search that grows from budget to budget.
    fn search(&self, game: &str, start: impl Named, rng: &mut Rng) -> Result<Vec<Gap>, Error> {
        let mut session = session_at(game, &random_position(&start, PLIES, rng))?;
        let agent = AgentName { memory: ROOMY, seed: rng.bits(), ..format!("uct c={C}").parse()? };
        let (mut spent, mut gaps) = (0, Vec::new());
        for &budget in &self.budgets {
            let report = think_on(&mut *session, &agent, budget - spent)?;
            spent = budget;
            gaps.push(Gap::of(report.arms.iter().map(|arm| Arm { pulls: arm.pulls, mean: arm.mean })));
        }
        Ok(gaps)
    }

    /// Bernoulli arms whose expectations are uniform in 0..1.
    fn bandit(&self, rng: &mut Rng) -> Vec<Gap> {
        let odds: [f32; 5] = std::array::from_fn(|_| rng.unit());
        let (mut rule, mut arms, mut spent) = (Ucb1 { c: C }, Arms::new(odds.len()), 0);
        let mut gap = |&budget: &u64| {
            for _ in spent..budget {
                let chosen = rule.select(&arms.view(), rng);
                arms.add(chosen, if rng.unit() < odds[chosen] { 1.0 } else { 0.0 });
            }
            spent = budget;
            Gap::of(arms.view().arms())
        };
        self.budgets.iter().map(&mut gap).collect()
    }
}

impl Experiment for MostSimulated {
    /// The gap at each budget.
    type Record = Vec<Gap>;

    fn name(&self) -> String {
        "strass2026-most-simulated".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({
            "subjects": SUBJECTS, "plies": PLIES, "budgets": self.budgets, "repeats": self.repeats, "c": C
        })
    }

    fn trials(&self) -> u64 {
        self.repeats * SUBJECTS.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<Vec<Gap>, Error> {
        let mut rng = trial.rng();
        let subject = (trial.id % SUBJECTS.len() as u64) as usize;
        let game = SUBJECTS[subject];
        match subject {
            0 => self.search(game, ConnectFour::new(), &mut rng),
            1 => self.search(game, Othello::new(), &mut rng),
            2 => self.search(game, Breakthrough::new(), &mut rng),
            _ => Ok(self.bandit(&mut rng)),
        }
    }
}

/// How often the two differ, for one subject at one budget.
struct Rate {
    subject: usize,
    budget: u64,
    differing: u64,
    cases: u64,
    /// The mean shortfall of the cases that differ.
    shortfall: f64,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: Vec<u64> =
        lab.scale.pick(vec![30, 100, 300, 1000, 3000], vec![30, 100, 300, 1000, 3000, 10_000, 30_000]);
    let experiment = MostSimulated { budgets, repeats: lab.scale.pick(500, 2000) };
    let rates = rates(&experiment, &lab.run(&experiment)?);
    let (counterexample, breaks) = counterexample();
    Ok(Section {
        title: "The most simulated move and the highest average".into(),
        prose: vec![
            "The lecture remarks that \"the definition of the UCB1 values guarantees that the node with the \
             highest number of playouts is also the one with the highest average utility\". A \
             counterexample has three arms. They pay 0.6, 0 and 1 at first, and the third then pays 0. \
             After four pulls the third arm has the most pulls, and the first the highest average."
                .into(),
            format!(
                "We count how often the two differ, at the roots of searches of random positions ({} to {} \
                 random plies) and on bandits of five Bernoulli arms: {} cases each, with c = √2. Each \
                 search is checked at every budget.",
                PLIES.start,
                PLIES.end - 1,
                aji_catalog::thousands(experiment.repeats)
            ),
        ],
        tables: vec![counterexample, table(&rates)],
        figures: vec![figure(&rates)],
        claims: vec![guarantee(breaks, &rates), thumb(&rates)],
        left_out: left_out(
            lab,
            "up to 3,000 simulations instead of 30,000, 500 cases each instead of 2,000.",
        ),
        ..Section::default()
    })
}

fn rates(experiment: &MostSimulated, records: &[Vec<Gap>]) -> Vec<Rate> {
    let mut rates = Vec::new();
    for subject in 0..SUBJECTS.len() {
        for (index, &budget) in experiment.budgets.iter().enumerate() {
            let gaps: Vec<Gap> =
                records.iter().skip(subject).step_by(SUBJECTS.len()).map(|gaps| gaps[index]).collect();
            let differing = gaps.iter().filter(|gap| gap.differs).count() as u64;
            let total: f64 = gaps.iter().map(|gap| f64::from(gap.shortfall)).sum();
            rates.push(Rate {
                subject,
                budget,
                differing,
                cases: gaps.len() as u64,
                shortfall: total / differing as f64,
            });
        }
    }
    rates
}

/// The smallest case, pulled by the rule itself, and whether it breaks the guarantee.
fn counterexample() -> (Table, bool) {
    let rewards: [&[f32]; 3] = [&[0.6], &[0.0], &[1.0, 0.0]];
    let mut table = Table::new(
        "A counterexample of four pulls",
        &["pull", "arm", "reward", "pulls of the arms", "averages"],
    );
    let (mut rule, mut rng, mut arms) = (Ucb1 { c: C }, Rng::seeded(0), Arms::new(rewards.len()));
    for pull in 1..=4u32 {
        let chosen = rule.select(&arms.view(), &mut rng);
        // A rule that pulls other arms has no reward there; the table shows how far it came.
        let Some(&reward) = rewards[chosen].get(arms.view().pulls[chosen] as usize) else { break };
        arms.add(chosen, reward);
        let view = arms.view();
        let averages: Vec<String> = view.means.iter().map(|mean| format!("{mean:.2}")).collect();
        table.push(vec![
            pull.into(),
            (chosen + 1).into(),
            Cell::number(reward.into(), 1),
            view.pulls.iter().map(u32::to_string).collect::<Vec<_>>().join(" ").into(),
            averages.join(" ").into(),
        ]);
    }
    (table, Gap::of(arms.view().arms()).differs)
}

fn table(rates: &[Rate]) -> Table {
    let columns = ["subject", "simulations", "cases", "differ", "share", "95% interval", "shortfall"];
    let mut table = Table::new(
        "How often the most simulated move is not the one of highest average",
        &columns,
    )
    .with_note(
        "Wilson intervals. Shortfall: how much higher the highest average is, over the cases that differ.",
    );
    for rate in rates {
        let interval = wilson(rate.differing, rate.cases, LEVEL).expect("counts");
        table.push(vec![
            SUBJECTS[rate.subject].into(),
            rate.budget.into(),
            rate.cases.into(),
            rate.differing.into(),
            Cell::number(rate.differing as f64 / rate.cases as f64, 3),
            format!("{interval}").into(),
            Cell::number(rate.shortfall, 4),
        ]);
    }
    table
}

fn figure(rates: &[Rate]) -> Figure {
    let series = |subject: usize| {
        let points = rates.iter().filter(|rate| rate.subject == subject).map(|rate| {
            let share = rate.differing as f64 / rate.cases as f64;
            point(rate.budget as f64, share, wilson(rate.differing, rate.cases, LEVEL).expect("counts"))
        });
        Series::line(SUBJECTS[subject], points.collect())
    };
    Figure {
        name: "strass2026-most-simulated".into(),
        title: "Most simulated, yet not of highest average".into(),
        caption: "Share of positions (and bandits) in which the two differ, with Wilson intervals of 95%."
            .into(),
        x: Axis::log("simulations"),
        y: Axis::linear("share that differ"),
        series: (0..SUBJECTS.len()).map(series).collect(),
    }
}

const SAID: &str = "guarantees that the node with the highest number of playouts is also the one with the \
                    highest average utility (MCTS with UCT: Remarks)";

fn guarantee(breaks: bool, rates: &[Rate]) -> Claim {
    let (differing, cases) =
        (rates.iter().map(|rate| rate.differing).sum(), rates.iter().map(|rate| rate.cases).sum());
    let interval = clopper_pearson(differing, cases, LEVEL).expect("counts");
    let share = measured(differing as f64 / cases as f64, interval, cases);
    let what = format!(
        "UCB1 guarantees that the most simulated move has the highest average: cases that differ, {}, at all \
         budgets",
        counted(differing, cases)
    );
    let verdict = if breaks || differing > 0 { Verdict::Fails } else { Verdict::Holds };
    let rule = format!(
        "fails when any case differs, because a guarantee has no exceptions, or when the counterexample of \
         four pulls breaks it (it {}); holds otherwise",
        if breaks { "does" } else { "does not" }
    );
    Claim::decided(Statement::new(&what, SAID), share.value.into(), verdict, rule)
        .with_error(share.error().unwrap_or(0.0))
}

/// The remark as a rule of thumb, at the largest budget and for the subject where it does worst.
fn thumb(rates: &[Rate]) -> Claim {
    let largest = rates.iter().map(|rate| rate.budget).max().unwrap_or(0);
    let part = |rate: &Rate| {
        let interval = wilson(rate.differing, rate.cases, LEVEL).expect("counts");
        let share = measured(rate.differing as f64 / rate.cases as f64, interval, rate.cases);
        Claim::less(Statement::new(SUBJECTS[rate.subject], SAID), share, SELDOM)
    };
    let last: Vec<&Rate> = rates.iter().filter(|rate| rate.budget == largest).collect();
    let parts: Vec<Claim> = last.iter().map(|rate| part(rate)).collect();
    let what = format!(
        "As a rule of thumb: the two seldom differ at {} simulations",
        aji_catalog::thousands(largest)
    );
    let whole = Claim::all_of(Statement::new(&what, SAID), &parts);
    super::with_parts(whole, &parts, "share of cases that differ", &format!("below {SELDOM}"))
}
