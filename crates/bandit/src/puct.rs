//! PUCT as in AlphaZero (Silver et al. 2018): mean + c P_i sqrt(n) / (1 + n_i), with the prior P_i of each arm.
//! There is no first sweep: an arm of small prior may never be pulled.

use crate::{About, CONSTANTS, Number, Recommend, Rng, Rule, SHARES, Select, View, VisitSettings};

/// PUCT. Without priors, all arms have the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// The weight of the prior term.
    pub c: f32,
    /// What an untried arm is taken to pay.
    pub untried: f32,
}

impl Default for Puct {
    fn default() -> Puct {
        Puct { c: 1.25, untried: 0.5 }
    }
}

impl Puct {
    /// The first arm with the highest score after `total` pulls, each arm with so many pulls more than the view says.
    #[inline(always)]
    fn highest(&self, view: &View, total: u32, more: impl Fn(usize) -> u32) -> usize {
        // Before the first pull sqrt(n) is 0; with 1 in its place the prior alone decides, as it should.
        let width = self.c * (total.max(1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, arm) in view.arms().enumerate() {
            let mean = if arm.pulls == 0 { self.untried } else { arm.mean };
            let pulls = arm.pulls + more(index);
            let score = mean + width * view.prior_of(index) / (1.0 + pulls as f32);
            best = if score > best.0 { (score, index) } else { best };
        }
        best.1
    }
}

impl Rule for Puct {
    const ABOUT: About = About {
        tries_all_first: false,
        prints_defaults: true,
        ..About::new("puct", "AlphaZero's rule; all priors alike", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit("c", &mut Number(&mut self.c, CONSTANTS));
        visit("untried", &mut Number(&mut self.untried, SHARES));
    }
}

impl Select for Puct {
    const READS_PRIOR: bool = true;

    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        self.highest(view, view.total, |_| 0)
    }

    /// The score depends on pulls, not on spreads, so several choices keep count of those before them.
    fn select_ahead(&mut self, view: &View, picks: &mut [u16]) -> bool {
        let mut ahead = vec![0; view.means.len()];
        for (before, pick) in picks.iter_mut().enumerate() {
            let chosen = self.highest(view, view.total.saturating_add(before as u32), |index| ahead[index]);
            ahead[chosen] += 1;
            *pick = chosen as u16;
        }
        true
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    fn check(rule: Puct, arms: &[(u32, f32)], total: u32, prior: &[f32], expect: usize) {
        let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
        let view = View { prior, total, ..arms.view() };
        assert_eq!({ rule }.select(&view, &mut Rng::seeded(0)), expect, "{rule:?} of {arms:?}");
    }

    #[test]
    fn prior_decides_first_and_the_mean_last() {
        let prior = [0.1, 0.2, 0.7];
        check(Puct::default(), &[(0, 0.0); 3], 0, &prior, 2);
        check(Puct::default(), &[(3_000, 0.9), (3_000, 0.5), (4_000, 0.5)], 10_000, &prior, 0);
    }

    /// Choices ahead are choices one after another, each after a pull that left the mean as it was.
    #[test]
    fn arms_ahead_are_arms_in_turn() {
        let mut rng = Rng::seeded(4);
        for round in 0..300 {
            let mut rule = Puct { c: 4.0 * rng.unit(), untried: rng.unit() };
            let count = 1 + rng.below(20);
            let mut known: Vec<Arm> = (0..count)
                .map(|_| match rng.below(6) as u32 {
                    0 => Arm { pulls: 0, mean: 0.0 },
                    pulls => Arm { pulls, mean: rng.unit() },
                })
                .collect();
            let prior: Vec<f32> = (0..count).map(|_| rng.unit()).collect();
            let arms: Arms = known.iter().copied().collect();
            let total = arms.view().total + (round % 2);
            let view = View { prior: &prior, total, ..arms.view() };
            let mut picks = vec![0; 1 + rng.below(40)];
            assert!(rule.select_ahead(&view, &mut picks));
            for (total, pick) in (total..).zip(picks) {
                let arms: Arms = known.iter().copied().collect();
                let view = View { prior: &prior, total, ..arms.view() };
                assert_eq!(usize::from(pick), rule.select(&view, &mut rng));
                let Arm { pulls, mean } = known[usize::from(pick)];
                let mean = if pulls == 0 { rule.untried } else { mean };
                known[usize::from(pick)] = Arm { pulls: pulls + 1, mean };
            }
        }
    }

    /// c = 1, n = 100, so the width is 10: .4 + 10 * .5 / 10 = .9 against .5 + 10 * .25 / 5 = 1.0; and the untried
    /// arm 10 * .09 / 1 = .9, or 1.1 with a prior of .11.
    #[test]
    fn score_by_hand() {
        let (rule, arms) = (Puct { c: 1.0, untried: 0.0 }, [(9, 0.4), (4, 0.5), (0, 0.0)]);
        check(rule, &arms, 100, &[0.5, 0.25, 0.09], 1);
        check(rule, &arms, 100, &[0.5, 0.25, 0.11], 2);
    }
}
