//! PUCT as in AlphaZero (Silver et al. 2018): mean + c P_i sqrt(n) / (1 + n_i), with the prior P_i of each arm.
//! There is no first sweep: an arm of small prior may never be pulled.

use crate::filled::{setting, shown};
use crate::{
    About, Arm, CONSTANTS, Filled, Number, Recommend, Rng, Rule, SHARES, Select, View, VisitSettings,
};

/// PUCT. Without priors, all arms have equal priors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// The weight of the prior term.
    pub c: f32,
    /// The assumed reward of an untried arm.
    pub untried: f32,
}

impl Default for Puct {
    fn default() -> Puct {
        Puct { c: 1.25, untried: 0.5 }
    }
}

impl Puct {
    /// The score of an arm; the rule takes the arm with the highest. `total` is the pulls of all arms.
    #[inline(always)]
    pub fn score(&self, arm: Arm, prior: f32, total: u32) -> f32 {
        // Before the first pull sqrt(n) is 0. With 1 instead, the prior alone decides, as it should.
        let width = self.c * (total.max(1) as f32).sqrt();
        let mean = if arm.pulls == 0 { self.untried } else { arm.mean };
        mean + width * prior / (1.0 + arm.pulls as f32)
    }
}

impl Rule for Puct {
    const ABOUT: About = About {
        tries_all_first: false,
        prints_defaults: true,
        formula: "mean + c · p · √n / (1 + nᵢ)",
        ..About::new("puct", "AlphaZero's rule; all priors equal without a network", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit("c", "the weight of the priors", &mut Number(&mut self.c, CONSTANTS));
        visit("untried", "the assumed reward of an untried action", &mut Number(&mut self.untried, SHARES));
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let (arm, prior) = (view.arm(index), view.prior_of(index));
        let score = self.score(arm, prior, view.total);
        let mean = if arm.pulls == 0 { setting(self.untried) } else { shown(arm.mean.into()) };
        let (c, p, n) = (setting(self.c), shown(prior.into()), view.total.max(1));
        let terms = format!("{mean} + {c} · {p} · √{n} / (1 + {})", arm.pulls);
        let width = score - if arm.pulls == 0 { self.untried } else { arm.mean };
        let terms = format!("{terms} = {mean} + {}", shown(width.into()));
        Filled::equation("score", &terms, score.into())
    }
}

impl Select for Puct {
    const READS_PRIOR: bool = true;

    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        // Among equal scores the higher prior decides: the sum of a small prior and a half loses digits.
        let mut best = ((f32::NEG_INFINITY, 0.0), 0);
        for (index, arm) in view.arms().enumerate() {
            let prior = view.prior_of(index);
            // A proven arm has nothing left to explore.
            let is_proven = view.spreads[index] == 0.0;
            let score = (self.score(arm, if is_proven { 0.0 } else { prior }, view.total), prior);
            best = if score > best.0 { (score, index) } else { best };
        }
        best.1
    }

    fn untried(&self, _view: &View) -> Option<f32> {
        Some(self.untried)
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arms;

    fn check(rule: Puct, arms: &[(u32, f32)], total: u32, prior: &[f32], expect: usize) {
        let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
        let view = View { prior, total, ..arms.view() };
        assert_eq!({ rule }.select(&view, &mut Rng::seeded(0)), expect, "{rule:?} of {arms:?}");
    }

    #[test]
    fn prior_decides_first_and_the_mean_last() {
        let prior = [0.1, 0.2, 0.7];
        check(Puct::default(), &[(0, 0.0); 3], 0, &prior, 2);
        check(Puct::default(), &[(0, 0.0); 2], 0, &[1e-9, 2e-9], 1);
        check(Puct::default(), &[(3_000, 0.9), (3_000, 0.5), (4_000, 0.5)], 10_000, &prior, 0);
    }

    /// Proven arms of value 0 and 1 wait until no other can be better.
    #[test]
    fn proven_arms_are_not_explored() {
        let arms: Arms = [(1, 0.0), (9, 0.3)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let view = View { prior: &[0.9, 0.1], total: 10, ..arms.view() };
        assert_eq!(Puct::default().select(&view, &mut Rng::seeded(0)), 0);
        let proven = View { spreads: &[0.0, 0.3], ..view };
        assert_eq!(Puct::default().select(&proven, &mut Rng::seeded(0)), 1);
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
