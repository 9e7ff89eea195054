//! Fig. 1: the best of 32 arms. The simple regret of each rule, by pulls.
//!
//! All rules get the same bandits with the same rewards, so their regrets can be compared bandit by bandit.

use crate::shared::{LEVEL, left_out, measured_mean, with_parts};
use aji_catalog::{BanditName, thousands};
use aji_lab::bandit::{BanditStudy, Means, Problem, Rewards, RuleRegret};
use aji_lab::report::{Axis, Cell, Claim, Figure, Point, Section, Series, Statement, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Lab};

const ARMS: usize = 32;
const BUDGETS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// The budgets from which VOI is expected to have at most three quarters of UCB1's regret.
const FROM_128: std::ops::Range<usize> = 2..6;

/// Rules by label. The first ones are named below. Each line adds a rule.
const RULES: &[(&str, &str)] = &[
    ("UCB1, c² = 2", "ucb1 c=1.41421356"),
    ("UCB1, c² = 0.1", "ucb1 c=0.31622777"),
    ("VOI", "voi"),
    ("VOI, first of ties", "voi ties=first"),
    ("VOI, most pulls", "voi recommend=pulls"),
    ("knowledge gradient", "kg"),
    ("blinkered", "blinkered"),
    ("VOI by phi", "voi bound=phi"),
    ("VOI, most pulled of ties", "voi ties=most"),
    ("VOI, highest mean", "voi recommend=mean"),
    ("UCB1, c² = 2, posterior mean", "ucb1 c=1.41421356 recommend=posterior"),
    ("UCB1, c² = 0.1, posterior mean", "ucb1 c=0.31622777 recommend=posterior"),
    ("sequential halving", "halving"),
    ("sequential halving, anytime", "halving budget=anytime"),
    ("successive rejects", "rejects"),
    ("Thompson", "thompson"),
    ("top-two Thompson", "toptwo"),
    ("OCBA", "ocba"),
    ("square-root UCB", "ucb_sqrt"),
    ("epsilon-greedy", "epsilon"),
    ("UCB1-Tuned", "ucb_tuned"),
    ("KL-UCB", "kl_ucb"),
    ("Gumbel", "gumbel"),
    ("uniform", "uniform"),
];
const UCB1: usize = 0;
const UCB1_TUNED: usize = 1;
const VOI: usize = 2;
const VOI_FIRST: usize = 3;
const VOI_MOST_PULLS: usize = 4;
const GRADIENT: usize = 5;
const BLINKERED: usize = 6;

/// The rules in the figure.
const DRAWN: [usize; 7] = [UCB1, UCB1_TUNED, VOI, VOI_FIRST, GRADIENT, BLINKERED, 12];

/// The regrets of all trials, by rule and then by budget.
struct Regrets {
    study: BanditStudy,
    records: Vec<Vec<[f64; 2]>>,
}

impl Regrets {
    fn simple(&self, record: &[[f64; 2]], rule: usize, budget: usize) -> f64 {
        record[rule * BUDGETS.len() + budget][0]
    }

    /// The mean over bandits of one rule's regret minus `times` another's.
    fn difference(&self, one: usize, times: f64, other: usize, budget: usize) -> Estimate {
        let of = |record: &Vec<[f64; 2]>| {
            self.simple(record, one, budget) - times * self.simple(record, other, budget)
        };
        estimate(&self.records.iter().map(of).collect::<Vec<_>>()).expect("bandits")
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let repeats = lab.scale.pick(100, 10_000);
    let rules = RULES.iter().map(|(_, name)| name.parse()).collect::<Result<Vec<BanditName>, _>>()?;
    let study = BanditStudy {
        name: "tolpin2012-best-arm".into(),
        problem: Problem { arms: ARMS, means: Means::Uniform, rewards: Rewards::Bernoulli },
        rules,
        budgets: BUDGETS.to_vec(),
        repeats,
    };
    let records = lab.run(&study)?;
    let regrets = Regrets { study, records };
    let summary = regrets.study.summary(&regrets.records).expect("bandits");
    Ok(Section {
        title: "The best of 32 arms".into(),
        prose: vec![
            format!(
                "Fig. 1: {ARMS} arms that pay 0 or 1, their means uniform, {} bandits. Each budget is a run \
                 of its own. VOI is equation 4. Of several arms with the highest mean it draws one as \
                 alpha; in the end it takes the arm with the highest posterior mean (s + 1) / (n + 2). UCB1 \
                 takes the most pulled arm. Rules that know the budget (halving, rejects, VOI by phi, \
                 blinkered) use it.",
                thousands(repeats)
            ),
            "The paper does not say which of several arms with the same mean is alpha, nor which arm is \
             taken in the end. So the table has several readings. With 32 pulls all rules that pull each \
             arm once are the same, and their expected regret is 32/33 - 2/3 = 0.303."
                .into(),
        ],
        tables: vec![table(&summary)],
        figures: vec![figure(&summary)],
        claims: vec![
            worse_than_voi(&regrets, UCB1, "1a. UCB1 with c² = 2 is worse than VOI at every budget above 32"),
            three_quarters(&regrets),
            worse_than_voi(
                &regrets,
                UCB1_TUNED,
                "1c. UCB1 with c² = 0.1 is worse than VOI at every budget above 32",
            ),
            ties_decide(&regrets),
            recommendation_decides(&regrets),
            no_worse_than_gradient(&regrets),
        ],
        left_out: left_out(lab, "100 bandits instead of 10,000."),
        ..Section::default()
    })
}

fn table(summary: &[RuleRegret]) -> Table {
    let mut columns = vec!["rule".to_string()];
    columns.extend(BUDGETS.iter().map(|&budget| thousands(budget.into())));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table =
        Table::new("Simple regret by pulls", &columns).with_note("With standard errors over bandits.");
    for (rule, (label, _)) in RULES.iter().enumerate() {
        let cells = summary.iter().filter(|regret| regret.rule == rule);
        let cells = cells.map(|regret| Cell::estimate(regret.simple.value, regret.simple.error, 4));
        table.push([Cell::from(*label)].into_iter().chain(cells).collect());
    }
    table
}

fn figure(summary: &[RuleRegret]) -> Figure {
    let point = |regret: &RuleRegret| {
        let interval = regret.simple.interval(LEVEL).expect("a level");
        Point { x: regret.budget.into(), y: regret.simple.value, low: interval.low, high: interval.high }
    };
    let series = |rule: usize| {
        let points = summary.iter().filter(|regret| regret.rule == rule).map(point).collect();
        Series::line(RULES[rule].0, points)
    };
    Figure {
        name: "tolpin2012-best-arm".into(),
        title: "The best of 32 arms".into(),
        caption: "Simple regret by pulls, with 95% intervals over bandits.".into(),
        x: Axis::log("pulls"),
        y: Axis::log("simple regret"),
        series: DRAWN.map(series).to_vec(),
    }
}

/// A claim with one part per budget, that a difference of regrets is above 0, or below.
fn by_budget(
    what: &str,
    (said, measure, is_above): (&str, &str, bool),
    budgets: std::ops::Range<usize>,
    difference: impl Fn(usize) -> Estimate,
) -> Claim {
    let part = |budget: usize| {
        let found = measured_mean(&difference(budget));
        let statement = Statement::new(format!("{}:", thousands(BUDGETS[budget].into())), said);
        if is_above { Claim::greater(statement, found, 0.0) } else { Claim::less(statement, found, 0.0) }
    };
    let parts: Vec<Claim> = budgets.map(part).collect();
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(whole, &parts, measure, if is_above { "above 0" } else { "below 0" })
}

fn worse_than_voi(regrets: &Regrets, rule: usize, what: &str) -> Claim {
    let said = "UCB1 is always considerably worse than the VOI-aware sampling policy (5.1)";
    let measure = "regret of UCB1 less that of VOI, bandit by bandit";
    by_budget(what, (said, measure, true), 1..BUDGETS.len(), |budget| {
        regrets.difference(rule, 1.0, VOI, budget)
    })
}

fn three_quarters(regrets: &Regrets) -> Claim {
    let said = "considerably worse (5.1)";
    let measure = "regret of VOI less three quarters of UCB1's, bandit by bandit";
    let what = "1b. VOI has less than three quarters of the regret of UCB1 with c² = 2, from 128 pulls on";
    by_budget(what, (said, measure, false), FROM_128, |budget| regrets.difference(VOI, 0.75, UCB1, budget))
}

fn ties_decide(regrets: &Regrets) -> Claim {
    let said = "an arm α with the highest sample mean (3); it does not say which of several";
    let measure = "regret of VOI with the first of tied arms less that with a random one, bandit by bandit";
    let what =
        "2a. VOI loses more if alpha is always the first of several best arms than if it is a random one";
    by_budget(what, (said, measure, true), FROM_128, |budget| regrets.difference(VOI_FIRST, 1.0, VOI, budget))
}

fn recommendation_decides(regrets: &Regrets) -> Claim {
    let said = "the paper does not say which arm is taken in the end";
    let measure = "regret of VOI taking the most pulled arm less that of taking the highest posterior mean";
    let what = "2b. Taking the most pulled arm in the end raises the regret of VOI";
    by_budget(what, (said, measure, true), FROM_128, |budget| {
        regrets.difference(VOI_MOST_PULLS, 1.0, VOI, budget)
    })
}

fn no_worse_than_gradient(regrets: &Regrets) -> Claim {
    let said = "the measure is ours";
    let measure = "regret of `blinkered` less that of the knowledge gradient, bandit by bandit";
    let what = "2c. `blinkered`, the value of all remaining pulls, loses less than the knowledge gradient";
    by_budget(what, (said, measure, false), 0..BUDGETS.len(), |budget| {
        regrets.difference(BLINKERED, 1.0, GRADIENT, budget)
    })
}
