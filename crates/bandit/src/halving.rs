//! Sequential Halving (Karnin, Koren & Somekh, Almost optimal exploration in multi-armed bandits, 2013). It splits
//! the budget evenly over ceil(log2 k) rounds. In each, it pulls all remaining arms equally often, and the better
//! half goes on.
//!
//! With a small budget a round still pulls every arm once, so the last rounds may be cut. The last arm gets the rest
//! of the budget. So the textbook's choice is the most pulled arm; of equals, the one of higher mean. The posterior
//! mean of all arms is a better choice: it also works within a round, and can restore an arm dismissed by bad luck.

use crate::elimination::{Round, current_round, next_of_round, rest_of_round};
use crate::filled::round_in_words;
use crate::{About, Filled, Recommend, Rng, Rule, Select, View, VisitSettings, Word};

/// Where the budget of a rule with rounds comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allowance {
    /// The pulls so far plus the remaining ones. If the remaining ones are not known, as `Anytime`.
    #[default]
    Fixed,
    /// A budget that doubles whenever it is spent. It includes the pulls so far.
    Anytime,
}

pub(crate) const ALLOWANCES: &[(&str, Allowance)] =
    &[("fixed", Allowance::Fixed), ("anytime", Allowance::Anytime)];

impl Allowance {
    /// The budget for a choice. A doubling budget is the smallest `least * 2^j` above the pulls spent.
    pub(crate) fn budget(self, view: &View, least: u64) -> u64 {
        let spent = u64::from(view.total);
        match (self, view.left) {
            (Allowance::Fixed, Some(left)) => spent + u64::from(left),
            _ => least.max(1) * (spent / least.max(1) + 1).next_power_of_two(),
        }
    }
}

/// Sequential Halving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halving {
    /// Where the budget comes from.
    pub budget: Allowance,
}

/// The number of rounds that halve this many arms down to one; at least one.
pub(crate) fn rounds_of(arms: usize) -> usize {
    arms.max(2).next_power_of_two().ilog2() as usize
}

/// Round `index` of those that spend this budget on this many arms.
pub(crate) fn round_of(index: usize, arms: usize, budget: u64) -> Round {
    let rounds = rounds_of(arms) as u64;
    let mut round = Round { survivors: arms, before: 0, target: 0 };
    for at in 0..=index {
        round.before = round.target;
        round.survivors = if at == 0 { arms } else { round.survivors.div_ceil(2) };
        let pulls = (budget / (round.survivors as u64 * rounds)).max(1);
        round.target = round.before.saturating_add(pulls.min(u32::MAX.into()) as u32);
    }
    round
}

impl Halving {
    /// The current round of a choice, and the budget.
    fn round(&self, view: &View) -> (Round, u64) {
        let (arms, rounds) = (view.means.len(), rounds_of(view.means.len()));
        let budget = self.budget.budget(view, (arms * rounds) as u64);
        (current_round(view, rounds, |index| round_of(index, arms, budget)), budget)
    }
}

impl Rule for Halving {
    const ABOUT: About = About::new("halving", "Sequential Halving", Recommend::PosteriorMean);

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "budget",
            "fixed: the pulls of the search; anytime: a budget that doubles when it is spent",
            &mut Word(&mut self.budget, ALLOWANCES),
        );
    }

    fn fill(&self, view: &View, _index: usize) -> Filled {
        let (round, budget) = self.round(view);
        Filled::words(round_in_words(view, round, budget))
    }
}

impl Select for Halving {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        next_of_round(view, self.round(view).0, |index| view.means[index].into())
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        let (round, budget) = self.round(view);
        rest_of_round(view, round, arm, share, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::Steady;
    use crate::elimination::tests::{at_round_ends, payer, pulls_of, textbook};
    use crate::{Arms, Recommend};
    use proptest::prelude::*;

    /// Eight arms and 96 pulls: 3 rounds of 32 pulls, 4, 8 and 16 each.
    #[test]
    fn rounds_by_hand() {
        let rounds: Vec<(usize, u32)> =
            (0..3).map(|index| round_of(index, 8, 96)).map(|round| (round.survivors, round.target)).collect();
        assert_eq!(rounds, [(8, 4), (4, 12), (2, 28)]);
        assert_eq!((rounds_of(1), rounds_of(2), rounds_of(5), rounds_of(8), rounds_of(9)), (1, 1, 3, 3, 4));
    }

    /// Seven arms and 3 rounds: 21, 42, 84 ...
    #[test]
    fn budgets_double() {
        let arms = Arms::new(7);
        let budget = |total| Allowance::Anytime.budget(&View { total, left: Some(5), ..arms.view() }, 21);
        assert_eq!([0, 20, 21, 41, 42, 83, 84].map(budget), [21, 21, 42, 42, 84, 84, 168]);
        assert_eq!(Allowance::Fixed.budget(&View { total: 3, left: Some(5), ..arms.view() }, 21), 8);
    }

    #[test]
    fn anytime_goes_on_for_ever_and_finds_the_best() {
        let (mut rule, mut rng, mut arms) =
            (Halving { budget: Allowance::Anytime }, Rng::seeded(1), Arms::new(10));
        for _ in 0..5_000 {
            let chosen = rule.select(&arms.view(), &mut rng);
            arms.add(chosen, if rng.unit() < 0.05 * chosen as f32 { 1.0 } else { 0.0 });
        }
        assert!(arms.view().pulls.iter().all(|&pulls| pulls > 30), "{:?}", arms.view().pulls);
        assert!(Recommend::MostPulls.recommend(&arms.view()) >= Some(8));
    }

    proptest! {
        #[test]
        fn pulls_are_the_textbooks(seed: u64, count in 1usize..40, budget in 1u32..2_000) {
            let rounds = (0..rounds_of(count)).map(|index| round_of(index, count, budget.into()));
            let rounds: Vec<(usize, u32)> = rounds.map(|round| (round.survivors, round.target)).collect();
            let expect = textbook(count, &rounds, payer(seed, count), budget);
            let rested = pulls_of(&mut Steady::new(Halving::default(), 4), count, payer(seed, count), budget);
            prop_assert_eq!(at_round_ends(&rounds, &rested), at_round_ends(&rounds, &expect));
            let found = pulls_of(&mut Halving::default(), count, payer(seed, count), budget);
            prop_assert_eq!(found, expect);
        }
    }
}
