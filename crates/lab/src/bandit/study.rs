//! Rules on random bandits. All rules get the same bandits and the same rewards: the k-th pull of an arm pays every
//! rule the same.

use super::Problem;
use super::play::Play;
use crate::statistics::{Estimate, Moments};
use crate::{Error, Experiment, Trial};
use aji_catalog::BanditName;
use aji_search::Rng;
use serde_json::json;

/// The most pulls of one run.
pub const BUDGET_MAX: u32 = 100_000_000;

/// Rules and budgets. Each trial is one bandit.
#[derive(Clone, Debug)]
pub struct BanditStudy {
    /// The name of this study.
    pub name: String,
    /// The bandits.
    pub problem: Problem,
    /// The rules that play them.
    pub rules: Vec<BanditName>,
    /// The pulls of a run. Every budget has runs of its own, in which the rule knows the budget.
    pub budgets: Vec<u32>,
    /// The number of bandits.
    pub repeats: u64,
}

/// The mean regret of a rule with one budget.
#[derive(Clone, Copy, Debug)]
pub struct RuleRegret {
    /// The index of the rule.
    pub rule: usize,
    /// The pulls.
    pub budget: u32,
    /// Simple regret: by the arm chosen at the end.
    pub simple: Estimate,
    /// Cumulative regret: by all pulls.
    pub cumulative: Estimate,
}

/// Counts the regrets of a study, bandit by bandit, without keeping them.
#[derive(Clone, Debug, Default)]
pub struct BanditTally {
    bandits: u64,
    /// The simple and the cumulative regret, by rule and then by budget.
    cells: Vec<[Moments; 2]>,
}

impl BanditTally {
    /// Counts the record of another bandit.
    pub fn add(&mut self, record: &[[f64; 2]]) {
        self.bandits += 1;
        self.cells.resize(record.len(), Default::default());
        for (cell, regrets) in self.cells.iter_mut().zip(record) {
            cell.iter_mut().zip(regrets).for_each(|(moments, &regret)| moments.add(regret));
        }
    }

    /// The bandits so far.
    pub fn bandits(&self) -> u64 {
        self.bandits
    }

    /// The means, by rule and then by budget. None with fewer than two bandits.
    pub fn summary(&self, study: &BanditStudy) -> Option<Vec<RuleRegret>> {
        let budgets = |rule| study.budgets.iter().map(move |&budget| (rule, budget));
        let cells = (0..study.rules.len()).flat_map(budgets).enumerate();
        cells
            .map(|(cell, (rule, budget))| {
                let [simple, cumulative] = self.cells.get(cell)?;
                let (simple, cumulative) = (simple.estimate()?, cumulative.estimate()?);
                Some(RuleRegret { rule, budget, simple, cumulative })
            })
            .collect()
    }
}

impl BanditStudy {
    /// An error if the study is invalid.
    pub fn check(&self) -> Result<(), Error> {
        self.problem.check()?;
        if self.rules.is_empty() || self.budgets.is_empty() {
            return Err(Error::new("expected at least one rule and one budget"));
        }
        let is_possible = |&&budget: &&u32| !(1..=BUDGET_MAX).contains(&budget);
        match self.budgets.iter().find(is_possible) {
            Some(budget) => {
                Err(Error::new(format!("a budget of {budget} pulls: expected 1 to {BUDGET_MAX}")))
            }
            None => Ok(()),
        }
    }

    /// The regret of one rule on one bandit: by the arm chosen at the end, and by all pulls.
    fn play(&self, name: BanditName, budget: u32, means: &[f64], trial: Trial) -> [f64; 2] {
        let mut play = Play::new(name, means, trial);
        (1..=budget).rev().for_each(|left| play.pull(means, self.problem.rewards, left));
        play.regrets(means)
    }

    /// The means over the trials, by rule and then by budget. None with fewer than two trials.
    pub fn summary(&self, records: &[Vec<[f64; 2]>]) -> Option<Vec<RuleRegret>> {
        let mut tally = BanditTally::default();
        records.iter().for_each(|record| tally.add(record));
        tally.summary(self)
    }
}

impl Experiment for BanditStudy {
    /// The simple and the cumulative regret, by rule and then by budget.
    type Record = Vec<[f64; 2]>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> serde_json::Value {
        let rules: Vec<String> = self.rules.iter().map(BanditName::to_string).collect();
        json!({ "problem": self.problem, "rules": rules, "budgets": self.budgets })
    }

    fn trials(&self) -> u64 {
        self.repeats
    }

    fn run(&self, trial: Trial) -> Result<Vec<[f64; 2]>, Error> {
        let means = self.problem.draw(&mut Rng::seeded(trial.seed_of("means")));
        let mut record = Vec::with_capacity(self.rules.len() * self.budgets.len());
        for &name in &self.rules {
            for &budget in &self.budgets {
                record.push(self.play(name, budget, &means, trial));
            }
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Means, Rewards};
    use super::*;
    use crate::Runner;
    use std::sync::atomic::AtomicBool;

    fn study(rules: &str, arms: usize, budgets: &[u32], repeats: u64) -> BanditStudy {
        BanditStudy {
            name: "bandit".into(),
            problem: Problem { arms, means: Means::Uniform, rewards: Rewards::Bernoulli },
            rules: BanditName::read_all(rules).expect("rules"),
            budgets: budgets.to_vec(),
            repeats,
        }
    }

    fn run(study: &BanditStudy) -> Vec<RuleRegret> {
        let outcome = Runner::default().run(study, None, &(), &AtomicBool::new(false)).expect("a run");
        let records: Vec<_> = outcome.values().cloned().collect();
        study.summary(&records).expect("trials")
    }

    /// After one pull of each of 32 arms, the rule chooses an arm that paid, if any did. Its mean is 2/3 on average,
    /// and that of the best arm 32/33. Each of the pulls loses the best mean minus a half.
    #[test]
    fn one_sweep_by_a_closed_form() {
        let found = run(&study("ucb1 recommend=mean, uniform", 32, &[32], 4_000));
        for regret in &found {
            let expect = 32.0 / 33.0 - 2.0 / 3.0;
            assert!((regret.simple.value - expect).abs() < 4.0 * regret.simple.error, "{regret:?}");
            let expect = 32.0 * (32.0 / 33.0 - 0.5);
            assert!((regret.cumulative.value - expect).abs() < 4.0 * regret.cumulative.error, "{regret:?}");
        }
        // The arms and rewards are the same.
        assert_eq!(found[0].simple, found[1].simple);
    }

    #[test]
    fn more_pulls_lose_less_at_the_end_and_more_on_the_way() {
        let found = run(&study("ucb1 c=0.3", 8, &[20, 200], 500));
        assert!(found[1].simple.value + 4.0 * found[1].simple.error < found[0].simple.value);
        assert!(found[1].cumulative.value > found[0].cumulative.value);
    }

    #[test]
    fn mistakes_are_named() {
        let error = study("ucb1", 0, &[1], 1).check().expect_err("no arms").to_string();
        assert_eq!(error, "0 arms: expected 1 to 10000");
        let error = study("ucb1", 2, &[0], 1).check().expect_err("no pulls").to_string();
        assert_eq!(error, "a budget of 0 pulls: expected 1 to 100000000");
    }
}
