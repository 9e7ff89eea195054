//! Rules on random bandits, all side by side: the regrets while the pulls go on. [`BanditStudy`](super::BanditStudy)
//! gives the regrets at the end of each budget instead.

use super::play::{KnownArm, Play};
use super::{BUDGET_MAX, Problem};
use crate::statistics::{Interval, estimate};
use crate::{Error, Trial};
use aji_catalog::BanditName;
use aji_search::Rng;
use serde::Serialize;

/// A curve has half as many points at equal steps. Those before them grow by a sixteenth from one to the next.
const POINTS: u32 = 160;

/// Rules on bandits, of which all have the same number of pulls.
#[derive(Clone, Debug)]
pub struct Race {
    problem: Problem,
    rules: Vec<BanditName>,
    budget: u32,
    bandits: Vec<Bandit>,
    pulls: u32,
}

/// A bandit, and each rule on it.
#[derive(Clone, Debug)]
struct Bandit {
    means: Vec<f64>,
    plays: Vec<Play>,
}

/// A regret: its mean over the bandits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RaceRegret {
    /// The mean.
    pub value: f64,
    /// Its interval of 95%; none with one bandit.
    pub interval: Option<Interval>,
}

/// The regrets of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RacePoint {
    /// By the arm that the rule would recommend now.
    pub simple: RaceRegret,
    /// By all pulls so far.
    pub cumulative: RaceRegret,
}

impl Race {
    /// No pulls yet. Trial number i of this seed is the bandit of the same trial of a [`BanditStudy`](super::BanditStudy).
    /// The rules know the budget.
    pub fn new(
        problem: Problem,
        rules: Vec<BanditName>,
        budget: u32,
        repeats: u64,
        seed: u64,
    ) -> Result<Race, Error> {
        problem.check()?;
        if rules.is_empty() || repeats == 0 {
            return Err(Error::new("expected at least one rule and one repeat"));
        }
        if !(1..=BUDGET_MAX).contains(&budget) {
            return Err(Error::new(format!("a budget of {budget} pulls: expected 1 to {BUDGET_MAX}")));
        }
        let bandit = |id| {
            let trial = Trial { id, seed };
            let means = problem.draw(&mut Rng::seeded(trial.seed_of("means")));
            let plays = rules.iter().map(|&rule| Play::new(rule, &means, trial)).collect();
            Bandit { means, plays }
        };
        let bandits = (0..repeats).map(bandit).collect();
        Ok(Race { problem, rules, budget, bandits, pulls: 0 })
    }

    /// The rules.
    pub fn rules(&self) -> &[BanditName] {
        &self.rules
    }

    /// The pulls of each rule on each bandit so far.
    pub fn pulls(&self) -> u32 {
        self.pulls
    }

    /// Goes on to this many pulls, at most the budget. `is_over` is asked between two bandits. If it says so, the race
    /// is left in the middle, and false is returned.
    pub fn advance(&mut self, to: u32, is_over: &dyn Fn() -> bool) -> bool {
        let (from, to) = (self.pulls, to.min(self.budget));
        for Bandit { means, plays } in &mut self.bandits {
            if is_over() {
                return false;
            }
            for play in plays {
                (from..to).for_each(|pull| play.pull(means, self.problem.rewards, self.budget - pull));
            }
        }
        self.pulls = to.max(from);
        true
    }

    /// The regrets now, by rule.
    pub fn points(&self) -> Vec<RacePoint> {
        let point = |rule: usize| {
            let found: Vec<[f64; 2]> =
                self.bandits.iter().map(|bandit| bandit.plays[rule].regrets(&bandit.means)).collect();
            let of = |part: usize| regret(&found.iter().map(|regrets| regrets[part]).collect::<Vec<_>>());
            RacePoint { simple: of(0), cumulative: of(1) }
        };
        (0..self.rules.len()).map(point).collect()
    }

    /// The true means of the first bandit.
    pub fn means(&self) -> &[f64] {
        &self.bandits[0].means
    }

    /// What each rule knows of the first bandit, and the arm that it recommends.
    pub fn known(&self) -> Vec<(Vec<KnownArm>, usize)> {
        self.bandits[0].plays.iter().map(|play| (play.known(), play.recommended())).collect()
    }
}

fn regret(values: &[f64]) -> RaceRegret {
    let value = values.iter().sum::<f64>() / values.len() as f64;
    let found = estimate(values).filter(|found| values.len() > 1 && found.error.is_finite());
    RaceRegret { value, interval: found.and_then(|found| found.interval(0.95)) }
}

/// Where a curve has its points: by equal steps, and more densely at the start, where regrets change fastest.
pub fn race_points(budget: u32) -> Vec<u32> {
    let mut points = Vec::new();
    let mut at = 0;
    while at < budget {
        at = (at + (at / 16).clamp(1, budget.div_ceil(POINTS / 2))).min(budget);
        points.push(at);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::{BanditStudy, Means, Rewards};
    use super::*;
    use crate::Experiment;

    fn problem() -> Problem {
        Problem { arms: 5, means: Means::Uniform, rewards: Rewards::Bernoulli }
    }

    /// At the end of its budget a race has the regrets of the study, in one step or in many.
    #[test]
    fn a_race_ends_as_the_study() {
        let rules = BanditName::read_all("ucb1, voi, thompson").expect("rules");
        let (budget, repeats, seed) = (60, 20, 7);
        let study = BanditStudy {
            name: "bandit".into(),
            problem: problem(),
            rules: rules.clone(),
            budgets: vec![budget],
            repeats,
        };
        let records: Vec<_> =
            (0..repeats).map(|id| study.run(Trial { id, seed }).expect("a trial")).collect();
        let expect = study.summary(&records).expect("trials");
        for steps in [vec![budget], race_points(budget)] {
            let mut race = Race::new(problem(), rules.clone(), budget, repeats, seed).expect("a race");
            assert!(steps.iter().all(|&to| race.advance(to, &|| false)));
            assert_eq!(race.pulls(), budget);
            for (point, expect) in race.points().iter().zip(&expect) {
                assert!((point.simple.value - expect.simple.value).abs() < 1e-12);
                assert!((point.cumulative.value - expect.cumulative.value).abs() < 1e-9);
                let (found, expect) = (point.simple.interval, expect.simple.interval(0.95));
                assert!((found.expect("many").low - expect.expect("many").low).abs() < 1e-9);
            }
            let known = race.known();
            assert!(known.iter().all(|(arms, _)| arms.iter().map(|arm| arm.pulls).sum::<u32>() == budget));
            assert!(
                known[0].0.iter().all(|arm| arm.bound.is_some_and(|bound| bound > f64::from(arm.average)))
            );
            assert!(known[1].0.iter().all(|arm| arm.bound.is_none()));
        }
    }

    #[test]
    fn one_bandit_has_no_interval_and_a_stop_leaves_it() {
        let rules = BanditName::read_all("ucb1").expect("rules");
        let mut race = Race::new(problem(), rules, 10, 1, 1).expect("a race");
        assert!(race.advance(10, &|| false) && race.points()[0].simple.interval.is_none());
        assert!(!race.advance(10, &|| true));
        for budget in [1, 2, 100, 1_000, 100_000_000] {
            let points = race_points(budget);
            assert!(points.is_sorted_by(|a, b| a < b) && points.last() == Some(&budget));
            assert!(points.len() < 400, "{budget}: {}", points.len());
        }
    }
}
