//! Optimal computing budget allocation (Chen, Lin, Yucesan & Chick 2000), pull by pull. It pulls the arm furthest
//! below its optimal share: the shares that most probably make the best arm stand out.
//!
//! Let b be the arm of the best mean, s an arm's standard deviation and d its distance behind b. The shares are w_i =
//! (s_i / d_i)^2 for others, and w_b = s_b sqrt(sum of w_i^2 / s_i^2). Means and deviations include one imagined win
//! and one imagined loss, so that an arm that always paid the same does not look certain. Without mean squares the
//! rule assumes rewards of win or loss, whose squares are themselves.

use crate::filled::{Filled, shown};
use crate::{About, Recommend, Rng, Rule, Select, View};

/// OCBA. Untried arms come first, in order. Recommend by the posterior mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ocba;

/// The least distance behind the best, so that equal arms do not get infinite shares.
const BEHIND_MIN: f64 = 1e-4;

/// The least variance of a reward that is not certain.
const VARIANCE_MIN: f64 = 1e-9;

/// The mean and the variance of an arm's rewards; the variance of a proven arm is 0.
fn moments(view: &View, index: usize) -> (f64, f64) {
    let (mean, spread) = (f64::from(view.means[index]), f64::from(view.spreads[index]));
    if spread == 0.0 {
        return (mean, 0.0);
    }
    let square = view.squares.get(index).map_or(mean, |&square| f64::from(square));
    let pulls = 1.0 / (spread * spread);
    let [mean, square] = [mean, square].map(|mean| (mean * pulls + 1.0) / (pulls + 2.0));
    (mean, (square - mean * mean).max(VARIANCE_MIN))
}

/// The weight of an arm this far behind. The best of proven arms has none.
fn weight(variance: f64, behind: f64) -> f64 {
    variance / (behind * behind).max(BEHIND_MIN * BEHIND_MIN)
}

/// The arms that are not proven.
fn unproven(view: &View) -> impl Iterator<Item = usize> {
    (0..view.means.len()).filter(|&index| view.spreads[index] > 0.0)
}

/// The optimal shares of some arms, all of which have been tried.
struct Shares {
    /// The arm of the best mean, and that mean.
    best: usize,
    highest: f64,
    /// The weights of the other arms together, and that of the best arm.
    sum: f64,
    weight_of_best: f64,
    /// The pulls of the arms that are not proven.
    spent: f64,
}

impl Shares {
    fn of(view: &View) -> Shares {
        let means = (0..view.means.len()).map(|index| (index, moments(view, index).0));
        let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
        let (best, highest) = means.fold((0, f64::NEG_INFINITY), better);
        let (mut sum, mut squares) = (0.0, 0.0);
        for index in unproven(view).filter(|&index| index != best) {
            let (mean, variance) = moments(view, index);
            let weight = weight(variance, highest - mean);
            (sum, squares) = (sum + weight, squares + weight * weight / variance);
        }
        let weight_of_best = (moments(view, best).1 * squares).sqrt();
        let spent = unproven(view).map(|index| pulls(view.spreads[index])).sum();
        Shares { best, highest, sum, weight_of_best, spent }
    }

    /// The weight of one arm.
    fn weight(&self, view: &View, index: usize) -> f64 {
        let (mean, variance) = moments(view, index);
        if index == self.best { self.weight_of_best } else { weight(variance, self.highest - mean) }
    }

    /// The weights of all. A single arm has no weight, and gets all pulls.
    fn all(&self) -> f64 {
        (self.sum + self.weight_of_best).max(f64::MIN_POSITIVE)
    }

    /// How many pulls an arm is behind its share.
    fn lack(&self, view: &View, index: usize) -> f64 {
        self.weight(view, index) / self.all() * (self.spent + 1.0) - pulls(view.spreads[index])
    }
}

impl Rule for Ocba {
    const ABOUT: About = About {
        formula: "share · (n + 1) - nᵢ, where the shares are in proportion to w: variance / (distance behind the best mean)², and for the best arm √(variance · Σ w² / variance) over the others",
        ..About::new("ocba", "optimal computing budget allocation", Recommend::PosteriorMean)
    };

    fn fill(&self, view: &View, index: usize) -> Filled {
        if view.spreads.contains(&f32::INFINITY) {
            let number = if view.pulls[index] == 0 { f64::INFINITY } else { f64::NEG_INFINITY };
            let lines = vec!["Every action is tried once before the rule compares them.".into()];
            return Filled { lines, number: Some(number) };
        }
        let shares = Shares::of(view);
        let (weight, all, spent) = (shares.weight(view, index), shares.all(), shares.spent);
        let share = weight / all;
        let pulls = view.pulls[index];
        let lack = shares.lack(view, index);
        Filled::equation("score", &format!("{share:.5} · ({spent:.0} + 1) - {pulls}"), lack).after(format!(
            "share = w / Σ w = {} / {} = {share:.5}",
            shown(weight),
            shown(all)
        ))
    }
}

impl Select for Ocba {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        if let Some(untried) = view.spreads.iter().position(|&spread| spread == f32::INFINITY) {
            return untried;
        }
        let shares = Shares::of(view);
        let mut furthest = (f64::NEG_INFINITY, shares.best);
        for index in unproven(view) {
            let lack = shares.lack(view, index);
            furthest = if lack > furthest.0 { (lack, index) } else { furthest };
        }
        furthest.1
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }

    fn wants_squares(&self) -> bool {
        true
    }
}

/// The pulls of this spread, including pending ones.
fn pulls(spread: f32) -> f64 {
    1.0 / (f64::from(spread) * f64::from(spread))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    fn select(arms: &[(u32, f32)], squares: &[f32]) -> usize {
        let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
        Ocba.select(&View { squares, ..arms.view() }, &mut Rng::seeded(0))
    }

    /// 98 pulls each of means 50/98, 40/98 and 20/98. With the imagined pulls these are .51, .41, .21, with variances
    /// .2499, .2419, .1659. The weights of the others are 24.19 and 1.84. The best arm's is sqrt(.2499 (24.19^2 / .2419
    /// + 1.84^2 / .1659)) = 24.69, so it lacks the most. After 30 more pulls of the best arm the second lacks the most.
    #[test]
    fn shares_by_hand() {
        let mean = |wins: f32| wins / 98.0;
        assert_eq!(select(&[(98, mean(50.0)), (98, mean(40.0)), (98, mean(20.0))], &[]), 0);
        assert_eq!(select(&[(128, 0.51), (98, mean(40.0)), (98, mean(20.0))], &[]), 1);
    }

    /// Of two arms equally far behind, the one whose rewards vary gets more pulls.
    #[test]
    fn variances_decide() {
        assert_eq!(select(&[(400, 0.5), (100, 0.4), (100, 0.4)], &[0.26, 0.17, 0.30]), 2);
    }

    #[test]
    fn equal_arms_are_pulled_evenly() {
        assert_eq!(select(&[(5, 0.0), (5, 0.0), (4, 0.0)], &[0.0; 3]), 2);
        assert_eq!(select(&[(5, 1.0)], &[1.0]), 0);
    }
}
