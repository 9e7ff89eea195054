//! Knowledge gradient (Gupta & Miescke 1996; Frazier, Powell & Dayanik 2008): pull the arm whose next pull is
//! expected to raise the highest posterior mean by the most.
//!
//! The belief in an arm is Beta: its wins and losses plus one imagined win and one imagined loss, with mean m and count
//! a + b. One pull moves m by a standard deviation of s = sqrt(m (1 - m)) / (a + b + 1). Let M be the highest mean of
//! the other arms. Then the pull is worth s f(-|m - M| / s), f(z) = density(z) + z distribution(z): the form for a
//! normal change of the mean. The exact form for one win or loss is mostly 0, since a single pull seldom changes the
//! choice; this form still tells arms apart. The code compares logarithms, which do not underflow.
//!
//! There is no first sweep. An arm that paid at once may be pulled again before others are tried, which is better
//! with few pulls.

use crate::gain::{FORMULA, filled, most_to_gain};
use crate::{About, Filled, Recommend, Rng, Rule, Select, View};

/// The knowledge gradient rule. Recommend by the posterior mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnowledgeGradient;

impl Rule for KnowledgeGradient {
    const ABOUT: About = About {
        tries_all_first: false,
        formula: FORMULA,
        ..About::new("kg", "knowledge gradient: what one pull more would gain", Recommend::PosteriorMean)
    };

    fn fill(&self, view: &View, index: usize) -> Filled {
        filled(view, index, 1.0)
    }
}

impl Select for KnowledgeGradient {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        most_to_gain(view, 1.0)
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    fn select(arms: &[(u32, f32)]) -> usize {
        let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
        KnowledgeGradient.select(&arms.view(), &mut Rng::seeded(0))
    }

    /// Beta(2, 1): s = sqrt(2/9) / 4 = .118, its rival .167 below: worth .118 f(-1.414) = .0043. Beta(1, 1): s = 1/6,
    /// .167 below the best: worth f(-1) / 6 = .0139.
    #[test]
    fn untried_arms_by_hand() {
        assert_eq!(select(&[(1, 1.0), (0, 0.0)]), 1);
        assert_eq!(select(&[(1, 0.0), (0, 0.0)]), 1);
    }

    #[test]
    fn close_arms_and_uncertain_ones_are_pulled() {
        assert_eq!(select(&[(50, 0.8), (50, 0.2), (50, 0.3), (20, 0.79)]), 3);
        assert_eq!(select(&[(500_000, 0.9), (500_000, 0.1), (400_000, 0.2)]), 2);
    }
}
