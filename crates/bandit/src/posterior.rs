//! The belief in an arm whose rewards are wins and losses, with one imagined win and one imagined loss: the Beta
//! posterior under a uniform prior.

use crate::View;

/// The belief in an arm's value: a Beta distribution of wins and losses, including the imagined ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    /// 1 + the sum of the rewards.
    pub wins: f64,
    /// 1 + the pulls - the sum of the rewards.
    pub losses: f64,
    /// The value is certain: it is the mean, and pulls teach nothing.
    pub proven: bool,
}

impl Posterior {
    /// The belief in one arm. It reads the spread instead of the pulls, because the spread also counts pending pulls.
    #[inline]
    pub fn of(view: &View, index: usize) -> Posterior {
        let (mean, spread) = (f64::from(view.means[index]), f64::from(view.spreads[index]));
        let proven = spread == 0.0;
        if proven {
            return Posterior { wins: mean, losses: 1.0 - mean, proven };
        }
        // An infinite spread means no pulls.
        let pulls = 1.0 / (spread * spread);
        Posterior { wins: 1.0 + mean * pulls, losses: 1.0 + (1.0 - mean) * pulls, proven }
    }

    /// Wins and losses together.
    pub fn count(&self) -> f64 {
        self.wins + self.losses
    }

    /// The expected value.
    pub fn mean(&self) -> f64 {
        self.wins / self.count()
    }

    /// The variance of the belief.
    pub fn variance(&self) -> f64 {
        if self.proven { 0.0 } else { self.mean() * (1.0 - self.mean()) / (self.count() + 1.0) }
    }

    /// The variance of the mean after this many more pulls: the part of the belief's variance that they would remove.
    pub fn variance_of_next_mean(&self, pulls: f64) -> f64 {
        if self.proven {
            return 0.0;
        }
        let (mean, count) = (self.mean(), self.count());
        mean * (1.0 - mean) * pulls / ((count + 1.0) * (count + pulls))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms, Block};

    /// Three wins of four pulls: Beta(4, 2) has the mean 2/3 and the variance 8 / (36 * 7).
    #[test]
    fn by_hand() {
        let arms: Arms = [Arm { pulls: 4, mean: 0.75 }, Arm { pulls: 0, mean: 0.0 }].into_iter().collect();
        let [tried, untried] = [0, 1].map(|index| Posterior::of(&arms.view(), index));
        assert!((tried.mean() - 2.0 / 3.0).abs() < 1e-6 && (tried.variance() - 8.0 / 252.0).abs() < 1e-6);
        assert_eq!((untried.mean(), untried.variance()), (0.5, 1.0 / 12.0));
    }

    /// One pull moves the mean of Beta(4, 2) to 5/7 or 4/7, with chances 2/3 and 1/3: a variance of (1/7)^2 * 2/9.
    #[test]
    fn what_a_pull_tells() {
        let posterior = Posterior { wins: 4.0, losses: 2.0, proven: false };
        assert!((posterior.variance_of_next_mean(1.0) - 2.0 / 441.0).abs() < 1e-12);
        // No number of pulls can teach more than there is to know.
        assert!((posterior.variance_of_next_mean(1e12) - posterior.variance()).abs() < 1e-12);
    }

    #[test]
    fn settled_arms_are_known() {
        let mut words: Vec<u32> = crate::untried_words(1).collect();
        Block::new(&mut words).prove(0, 0.25);
        let posterior = Posterior::of(&View::new(&words, 0), 0);
        assert_eq!(
            (posterior.mean(), posterior.variance(), posterior.variance_of_next_mean(5.0)),
            (0.25, 0.0, 0.0)
        );
    }
}
