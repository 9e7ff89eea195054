//! PUCT as in AlphaZero (Silver et al. 2018): mean + c P_i sqrt(n) / (1 + n_i), with the prior P_i of each arm.
//! There is no first sweep: an arm of small prior may never be pulled.

use crate::{Rng, Select, View};

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

impl Select for Puct {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        // Before the first pull sqrt(n) is 0; with 1 in its place the prior alone decides, as it should.
        let width = self.c * (view.pulls.max(1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, arm) in view.arms.iter().enumerate() {
            let mean = if arm.pulls() == 0 { self.untried } else { arm.mean() };
            let score = mean + width * view.prior_of(index) / (1.0 + arm.pulls() as f32);
            best = if score > best.0 { (score, index) } else { best };
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arm;

    #[test]
    fn prior_decides_first_and_the_mean_last() {
        let (mut rule, mut rng) = (Puct::default(), Rng::seeded(0));
        let prior = [0.1, 0.2, 0.7];
        let view = |arms, pulls| View { prior: &prior, ..View::new(arms, pulls) };
        assert_eq!(rule.select(&view(&[Arm::UNTRIED; 3], 0), &mut rng), 2);
        let arms = [Arm::new(3_000, 0.9), Arm::new(3_000, 0.5), Arm::new(4_000, 0.5)];
        assert_eq!(rule.select(&view(&arms, 10_000), &mut rng), 0);
    }

    /// c = 1, n = 100, so the width is 10: .4 + 10 * .5 / 10 = .9 against .5 + 10 * .25 / 5 = 1.0.
    #[test]
    fn score_by_hand() {
        let mut rule = Puct { c: 1.0, untried: 0.0 };
        let arms = [Arm::new(9, 0.4), Arm::new(4, 0.5), Arm::UNTRIED];
        let view = View { prior: &[0.5, 0.25, 0.09], ..View::new(&arms, 100) };
        assert_eq!(rule.select(&view, &mut Rng::seeded(0)), 1);
        // Raise the untried arm's prior to .11: 10 * .11 / 1 = 1.1.
        let view = View { prior: &[0.5, 0.25, 0.11], ..view };
        assert_eq!(rule.select(&view, &mut Rng::seeded(0)), 2);
    }
}
