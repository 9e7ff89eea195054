//! Beyond the paper: which rule finds the best arm with the fewest pulls. The paper leaves open which horizon to look
//! ahead when few pulls are left for many arms. `stopping` has no horizon: it leaves an arm as soon as it is not worth
//! the price of a pull.
//!
//! All rules of a problem get the same bandits with the same rewards. Two problems draw their means from distributions that
//! no rule here assumes.

use crate::shared::{left_out, measured_mean, with_parts};
use aji_catalog::{BanditName, thousands};
use aji_lab::bandit::{BanditStudy, Means, Problem, Rewards};
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Lab};

const BUDGETS: [u32; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/// The rules by label. The first is compared with each of the others.
const RULES: [(&str, &str); 7] = [
    ("stopping", "stopping"),
    ("knowledge gradient", "kg"),
    ("blinkered", "blinkered"),
    ("VOI", "voi"),
    ("top-two Thompson", "toptwo"),
    ("OCBA", "ocba"),
    ("KL-UCB, posterior mean", "kl_ucb recommend=posterior"),
];

struct Case {
    name: &'static str,
    said: &'static str,
    arms: usize,
    means: Means,
    /// The bandits of the quick and of the full run.
    repeats: (u64, u64),
}

const CASES: [Case; 5] = [
    Case {
        name: "32",
        said: "32 arms, means uniform",
        arms: 32,
        means: Means::Uniform,
        repeats: (12, 4_000),
    },
    Case { name: "8", said: "8 arms, means uniform", arms: 8, means: Means::Uniform, repeats: (6, 4_000) },
    Case {
        name: "128",
        said: "128 arms, means uniform",
        arms: 128,
        means: Means::Uniform,
        repeats: (3, 1_000),
    },
    Case {
        name: "32-low",
        said: "32 arms, means from Beta(1, 3)",
        arms: 32,
        means: Means::Beta(1.0, 3.0),
        repeats: (6, 2_000),
    },
    Case {
        name: "32-high",
        said: "32 arms, means from Beta(3, 1)",
        arms: 32,
        means: Means::Beta(3.0, 1.0),
        repeats: (6, 2_000),
    },
];

/// The regrets to reach with 32 arms of uniform means, by pulls.
const TARGETS: [(u32, f64); 2] = [(128, 0.0205), (1024, 0.0018)];

/// The simple regrets of a case, by bandit, and then by rule and budget.
struct Regrets {
    case: &'static Case,
    records: Vec<Vec<[f64; 2]>>,
}

impl Regrets {
    fn measure(lab: &Lab, case: &'static Case) -> Result<Regrets, Error> {
        let study = BanditStudy {
            name: format!("tolpin2012-fewer-samples-{}", case.name),
            problem: Problem { arms: case.arms, means: case.means.clone(), rewards: Rewards::Bernoulli },
            rules: RULES.iter().map(|(_, name)| name.parse()).collect::<Result<Vec<BanditName>, _>>()?,
            budgets: lab.scale.pick(&BUDGETS[..6], &BUDGETS[..]).to_vec(),
            repeats: lab.scale.pick(case.repeats.0, case.repeats.1),
        };
        Ok(Regrets { case, records: lab.run(&study)? })
    }

    fn budgets(&self) -> usize {
        self.records[0].len() / RULES.len()
    }

    fn mean(&self, of: impl Fn(&dyn Fn(usize) -> f64) -> f64, budget: usize) -> Estimate {
        let one = |record: &Vec<[f64; 2]>| of(&|rule| record[rule * self.budgets() + budget][0]);
        estimate(&self.records.iter().map(one).collect::<Vec<_>>()).expect("bandits")
    }

    fn table(&self) -> Table {
        let heads: Vec<String> =
            BUDGETS[..self.budgets()].iter().map(|&pulls| thousands(pulls.into())).collect();
        let columns: Vec<&str> = ["rule"].into_iter().chain(heads.iter().map(String::as_str)).collect();
        let note = format!("With standard errors over {} bandits.", thousands(self.records.len() as u64));
        let mut table =
            Table::new(format!("Simple regret by pulls, {}", self.case.said), &columns).with_note(note);
        for (rule, (label, _)) in RULES.iter().enumerate() {
            let cell = |budget| {
                let regret = self.mean(|of| of(rule), budget);
                Cell::estimate(regret.value, regret.error, 4)
            };
            table.push([Cell::from(*label)].into_iter().chain((0..self.budgets()).map(cell)).collect());
        }
        table
    }

    /// The rule, other than the first, that loses the least with this budget.
    fn best_other(&self, budget: usize) -> usize {
        let regret = |rule: &usize| self.mean(|of| of(*rule), budget).value;
        (1..RULES.len()).min_by(|one, other| regret(one).total_cmp(&regret(other))).unwrap_or(1)
    }

    /// That the first rule is no worse than the best of the others with any budget.
    fn no_worse(&self, letter: char) -> Claim {
        let said = "which horizon to look ahead is left open (6); the measure is ours";
        let part = |budget: usize| {
            let other = self.best_other(budget);
            let lead = measured_mean(&self.mean(|of| of(0) - of(other), budget));
            let name = format!("{} ({}):", thousands(BUDGETS[budget].into()), RULES[other].0);
            // A tenth of the other's regret is the margin.
            let margin = 0.1 * self.mean(|of| of(other), budget).value;
            Claim::less(Statement::new(name, said), lead, margin)
        };
        let parts: Vec<Claim> = (0..self.budgets()).map(part).collect();
        let what = format!(
            "6{letter}. {}: `stopping` loses at most a tenth more than the best other rule",
            self.case.said
        );
        let measure =
            "regret of `stopping` less that of the best other rule with these pulls, bandit by bandit";
        with_parts(
            Claim::all_of(Statement::new(&what, said), &parts),
            &parts,
            measure,
            "below a tenth of the other's regret",
        )
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let all = CASES.iter().map(|case| Regrets::measure(lab, case)).collect::<Result<Vec<_>, _>>()?;
    let target = |&(pulls, most): &(u32, f64)| {
        let budget = BUDGETS.iter().position(|&budget| budget == pulls).unwrap_or_default();
        let what = format!(
            "6. With {} pulls of 32 arms of uniform means `stopping` loses less than {most}",
            thousands(pulls.into())
        );
        let said = "the best of the rules before loses 0.0217 and 0.0019; the number is ours";
        Claim::less(Statement::new(&what, said), measured_mean(&all[0].mean(|of| of(0), budget)), most)
    };
    let targets: Vec<Claim> = TARGETS.iter().map(target).collect();
    let compared = ('a'..).zip(&all).map(|(letter, regrets)| regrets.no_worse(letter));
    Ok(Section {
        title: "Beyond the paper: decisions with fewer samples".into(),
        prose: vec![
            "`stopping` imagines that one arm is pulled until going on is not worth the price of a pull, and pulls the arm for \
             which the highest price would be paid. The others here are the best rules of Fig. 1. Each budget is a run of its \
             own. The number of pulls that `stopping` looks ahead, 16, was chosen on bandits of other seeds with 32 arms of \
             uniform means."
                .into(),
            "The best other rule is chosen with hindsight, from the same bandits, which favours it.".into(),
        ],
        tables: all.iter().map(Regrets::table).collect(),
        claims: targets.into_iter().chain(compared).collect(),
        left_out: left_out(lab, "3 to 12 bandits instead of 1,000 to 4,000, and at most 1,024 pulls."),
        ..Section::default()
    })
}
