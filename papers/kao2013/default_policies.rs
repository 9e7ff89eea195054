//! Fig. 4: learning under the MAXI default policy and under the RAND default policy, at 5x5.

use super::match_rates::{Learned, cell, figure, measure, settings, tables};
use super::{FIVE, MAXI, RAND, measured, part_at};
use crate::shared::{LEVEL, left_out, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Claim, Measured, Part, Section, Statement, Table, Verdict};
use aji_lab::statistics::{Bootstrap, Estimate, paired};
use aji_lab::{Error, Lab};
use aji_search::Rng;

/// The range that counts as "almost ten times" MAXI's simulations: from 5 to 20.
const ALMOST_TEN: (f64, f64) = (12.5, 7.5);

/// The smallest budget of MAXI for which RAND's equivalent is sought.
const COMPARED_FROM: u64 = 1000;

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] = lab.scale.pick(
        &[100, 300, 1000, 3000, 10_000],
        &[100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
    );
    let games = lab.scale.pick(50, 200);
    let learned =
        measure(lab, "default-policies", &settings(FIVE, &[("MAXI", MAXI), ("RAND", RAND)], budgets), games)?;
    let (maxi, rand) = learned.split_at(budgets.len());
    let factors = factors(lab, maxi, rand);
    let mut tables = tables("Fig. 4", &learned);
    tables.push(comparison(maxi, rand, &factors));
    Ok(Section {
        title: "Fig. 4: the MAXI and the RAND default policy".into(),
        prose: vec![
            format!(
                "The same search learns the same differences under two default policies: `{MAXI}` and \
                 `{RAND}`, in {games} games of {FIVE}. Both see the same games, so their difference is \
                 taken game by game."
            ),
            "The factor is the number of simulations that RAND needs for the same mean rate, divided by MAXI's. We \
             take the point where RAND's curve, linear between budgets on the logarithmic axis, first \
             reaches that rate. Its interval comes from 2,000 bootstrap samples of games."
                .into(),
        ],
        tables,
        figures: vec![figure("default-policies", "Match rate at 5x5 under two default policies", &learned)],
        claims: vec![higher(maxi, rand), ten_times(&factors)],
        left_out: left_out(lab, "10,000 simulations at most instead of 1,000,000, 50 games instead of 200."),
        ..Section::default()
    })
}

/// MAXI's rate minus RAND's.
fn lead(maxi: &Learned, rand: &Learned) -> Estimate {
    paired(&maxi.by_game(), &rand.by_game()).expect("two games or more").difference
}

/// How many times MAXI's simulations RAND needs to learn the same.
struct Factor {
    budget: u64,
    value: f64,
    low: f64,
    high: f64,
    /// The largest factor that could be measured, at RAND's largest budget. The true factor may be larger.
    most: f64,
}

impl Factor {
    fn shown(&self) -> String {
        let end = |factor: f64| if factor < self.most { format!("{factor:.1}") } else { "more".into() };
        let at_least = if self.value < self.most { "" } else { "at least " };
        format!("{at_least}{:.1} ({:.1} to {})", self.value, self.low, end(self.high))
    }

    fn measured(&self) -> Measured {
        let high = if self.high < self.most { self.high } else { f64::INFINITY };
        Measured::between(self.value, self.low, high)
    }
}

fn factors(lab: &Lab, maxi: &[Learned], rand: &[Learned]) -> Vec<Factor> {
    let budgets: Vec<u64> = rand.iter().map(|learned| learned.setting.simulations).collect();
    let curves: Vec<Vec<f64>> = rand.iter().map(Learned::by_game).collect();
    let largest = budgets[budgets.len() - 1];
    let factor = |maxi: &Learned| {
        let budget = maxi.setting.simulations;
        // For each game, MAXI's rate and then RAND's at all budgets.
        let games: Vec<Vec<f64>> = maxi
            .by_game()
            .into_iter()
            .enumerate()
            .map(|(game, rate)| [rate].into_iter().chain(curves.iter().map(|curve| curve[game])).collect())
            .collect();
        let statistic = |games: &[Vec<f64>]| {
            let mean = |place: usize| games.iter().map(|game| game[place]).sum::<f64>() / games.len() as f64;
            let curve: Vec<(u64, f64)> = budgets.iter().copied().zip((1..).map(mean)).collect();
            needed(&curve, mean(0)) / budget as f64
        };
        let bootstrap = Bootstrap { resamples: 2000, level: LEVEL };
        let interval = bootstrap
            .percentile(&games, statistic, &mut Rng::seeded(lab.runner.seed))
            .expect("games to draw from");
        let most = largest as f64 / budget as f64;
        Factor { budget, value: statistic(&games), low: interval.low, high: interval.high, most }
    };
    let is_compared = |maxi: &&Learned| {
        let budget = maxi.setting.simulations;
        budget >= COMPARED_FROM && 10 * budget <= largest
    };
    maxi.iter().filter(is_compared).map(factor).collect()
}

/// The simulations at which a curve first reaches a rate; the largest if it never does.
fn needed(curve: &[(u64, f64)], rate: f64) -> f64 {
    let Some(place) = curve.iter().position(|point| point.1 >= rate) else {
        return curve[curve.len() - 1].0 as f64;
    };
    let (above, high) = (curve[place].0 as f64, curve[place].1);
    let Some(&(below, low)) = place.checked_sub(1).map(|place| &curve[place]) else { return above };
    let part = (rate - low) / (high - low);
    below as f64 * (above / below as f64).powf(part)
}

fn comparison(maxi: &[Learned], rand: &[Learned], factors: &[Factor]) -> Table {
    let columns = ["simulations of MAXI", "MAXI - RAND (%)", "RAND needs (times that)"];
    let mut table = Table::new("MAXI against RAND", &columns).with_note(
        "The difference game by game, with half its 95% interval; the factor with its 95% interval.",
    );
    for (maxi, rand) in maxi.iter().zip(rand) {
        let budget = maxi.setting.simulations;
        let factor = factors.iter().find(|factor| factor.budget == budget);
        table.push(vec![
            thousands(budget).into(),
            cell(&lead(maxi, rand), 2),
            factor.map_or(String::new(), Factor::shown).into(),
        ]);
    }
    table
}

fn higher(maxi: &[Learned], rand: &[Learned]) -> Claim {
    let said = "the MAXI default policy has a higher match rate than the RAND default policy (V, Fig. 4)";
    let part = |(maxi, rand): (&Learned, &Learned)| {
        Claim::greater(part_at(maxi.setting.simulations, said), measured(&lead(maxi, rand)), 0.0)
    };
    let parts: Vec<Claim> = maxi.iter().zip(rand).map(part).collect();
    let what = "2a. MAXI learns more than RAND at 5x5, at every number of simulations";
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(whole, &parts, "match rate of MAXI less that of RAND, game by game, in percent", "above 0")
}

fn ten_times(factors: &[Factor]) -> Claim {
    let said = "to achieve the same match rate, the RAND default policy needs almost ten times as many \
                simulations (V)";
    let (expected, tolerance) = ALMOST_TEN;
    let part =
        |factor: &Factor| Claim::within(part_at(factor.budget, said), factor.measured(), expected, tolerance);
    let parts: Vec<Claim> = factors.iter().map(part).collect();
    let whole = Claim::all_of(
        Statement::new("2b. RAND needs almost ten times the simulations for what MAXI learns", said),
        &parts,
    );
    let shown: Vec<String> =
        factors.iter().map(|factor| format!("{}: {}", thousands(factor.budget), factor.shown())).collect();
    let rule = format!(
        "for each number of simulations of MAXI, how many times as many RAND needs. We take {} to {} \
         for almost ten: a part holds when its whole 95% interval lies there, fails when it lies wholly \
         outside, and is open otherwise; {}",
        expected - tolerance,
        expected + tolerance,
        Verdict::OF_PARTS
    );
    let shown_part = |(part, factor): (Part, &Factor)| Part { measured: factor.shown(), ..part };
    let parts = whole.parts.into_iter().zip(factors).map(shown_part).collect();
    Claim { measured: shown.join(", ").into(), rule, parts, ..whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_budgets_on_the_logarithmic_axis() {
        let check = |rate: f64, expect: f64| {
            let found = needed(&[(100, 60.0), (10_000, 80.0)], rate);
            assert!((found / expect - 1.0).abs() < 1e-9, "{rate}: {found}");
        };
        check(50.0, 100.0);
        check(60.0, 100.0);
        check(70.0, 1000.0);
        check(80.0, 10_000.0);
        check(90.0, 10_000.0);
    }
}
