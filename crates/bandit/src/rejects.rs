//! Successive Rejects (Audibert, Bubeck & Munos, Best arm identification in multi-armed bandits, 2010): k - 1 rounds,
//! each of which dismisses the worst arm at its end. With a budget of n pulls, round r = 1, 2 ... pulls every
//! remaining arm up to
//!
//! ```text
//! n_r = ceil((n - k) / (L (k + 1 - r))),  L = 1/2 + 1/2 + 1/3 + ... + 1/k
//! ```
//!
//! times, and at least once. Without a known budget the rule uses a doubling one, as [`Halving`](crate::Halving) does.
//! The last arm gets the rest. Recommend as there.

use crate::elimination::{Round, current_round, next_of_round, rest_of_round};
use crate::filled::round_in_words;
use crate::halving::ALLOWANCES;
use crate::{About, Allowance, Filled, Recommend, Rng, Rule, Select, View, VisitSettings, Word};

/// Successive Rejects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rejects {
    /// Where the budget comes from.
    pub budget: Allowance,
    /// L for the last number of arms. It is cached, because it is a sum over all.
    sum: (usize, f64),
}

/// 1/2 + 1/2 + 1/3 + ... + 1/k.
fn sum_of(arms: usize) -> f64 {
    0.5 + (2..=arms).map(|arm| 1.0 / arm as f64).sum::<f64>()
}

/// The pulls of each remaining arm after this many rounds.
fn target(rounds: usize, arms: usize, sum: f64, budget: u64) -> u32 {
    if rounds == 0 {
        return 0;
    }
    let spare = budget.saturating_sub(arms as u64) as f64;
    ((spare / (sum * (arms + 1 - rounds) as f64)).ceil() as u32).max(1)
}

impl Rejects {
    /// The rule, with the known budget or a doubling one.
    pub fn new(budget: Allowance) -> Rejects {
        Rejects { budget, ..Rejects::default() }
    }

    /// The current round of a choice, and the budget. `sum` must be that of these arms.
    fn round(&self, view: &View) -> (Round, u64) {
        let arms = view.means.len();
        let budget = self.budget.budget(view, 2 * arms as u64);
        let target = |rounds| target(rounds, arms, self.sum.1, budget);
        let round =
            |index| Round { survivors: arms - index, before: target(index), target: target(index + 1) };
        // A single arm has one round.
        (current_round(view, arms.max(2) - 1, round), budget)
    }
}

impl Rule for Rejects {
    const ABOUT: About = About::new("rejects", "Successive Rejects", Recommend::PosteriorMean);

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "budget",
            "fixed: the pulls of the search; anytime: a budget that doubles when it is spent",
            &mut Word(&mut self.budget, ALLOWANCES),
        );
    }

    fn fill(&self, view: &View, _index: usize) -> Filled {
        let (round, budget) =
            Rejects { sum: (view.means.len(), sum_of(view.means.len())), ..*self }.round(view);
        Filled::words(round_in_words(view, round, budget))
    }
}

impl Select for Rejects {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let arms = view.means.len();
        if self.sum.0 != arms {
            self.sum = (arms, sum_of(arms));
        }
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
    use crate::Steady;
    use crate::elimination::tests::{at_round_ends, payer, pulls_of, textbook};
    use proptest::prelude::*;

    /// Four arms: L = 1/2 + 1/2 + 1/3 + 1/4 = 19/12. With 42 pulls, 38 / (19/12) = 24: up to 24/4 = 6, 24/3 = 8, 24/2
    /// = 12.
    #[test]
    fn rounds_by_hand() {
        assert!((sum_of(4) - 19.0 / 12.0).abs() < 1e-12);
        assert_eq!([0, 1, 2, 3].map(|rounds| target(rounds, 4, 19.0 / 12.0 - 1e-12, 42)), [0, 7, 9, 13]);
        assert_eq!([1, 2, 3].map(|rounds| target(rounds, 4, 19.0 / 12.0 + 1e-12, 42)), [6, 8, 12]);
    }

    proptest! {
        #[test]
        fn pulls_are_the_textbooks(seed: u64, count in 1usize..30, budget in 1u32..1_500) {
            let target = |rounds| target(rounds, count, sum_of(count), budget.into());
            let rounds: Vec<(usize, u32)> =
                (0..count.max(2) - 1).map(|index| (count - index, target(index + 1))).collect();
            let expect = textbook(count, &rounds, payer(seed, count), budget);
            let rested = pulls_of(&mut Steady::new(Rejects::default(), 4), count, payer(seed, count), budget);
            prop_assert_eq!(at_round_ends(&rounds, &rested), at_round_ends(&rounds, &expect));
            let found = pulls_of(&mut Rejects::default(), count, payer(seed, count), budget);
            prop_assert_eq!(found, expect);
        }
    }
}
