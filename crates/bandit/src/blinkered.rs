//! The blinkered value of information (Hay, Russell, Tolpin & Shimony, Selecting computations, 2012): pull the arm to which all pulls that
//! are left could best go, if they went to one.
//!
//! The belief in an arm is that of wins and losses after one imagined win and loss, with mean m and count a + b. N pulls move m by a
//! standard deviation of s = sqrt(m (1 - m) / (a + b + 1) * N / (a + b + N)); they are worth s f(-|m - M| / s) as in
//! [`KnowledgeGradient`](crate::KnowledgeGradient), which is the same for N = 1. Where the pulls that are left are not known, N is what was
//! spent so far, as if the search were at its middle.

use crate::gain::most_to_gain;
use crate::{Rng, Select, View};

/// The blinkered rule. There is no first sweep. Recommend by the posterior mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blinkered;

impl Select for Blinkered {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        most_to_gain(view, view.left.unwrap_or(view.total).max(1).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::{Arm, Arms, KnowledgeGradient};
    use proptest::prelude::*;

    /// One pull alone moves only the arm of which little is known; many could lift the one that is close behind.
    #[test]
    fn the_budget_matters() {
        let arms: Arms =
            [(40, 0.75), (40, 0.7), (1, 0.0)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let select = |left| Blinkered.select(&View { left, ..arms.view() }, &mut Rng::seeded(0));
        assert_eq!((select(Some(1)), select(Some(10_000)), select(None)), (2, 1, 1));
    }

    proptest! {
        #[test]
        fn the_last_pull_goes_by_the_knowledge_gradient(arms in prop::collection::vec((0u32..30, 0u32..30), 1..20)) {
            let arms: Arms = arms.iter().map(|&(pulls, sum)| Arm { pulls, mean: sum.min(pulls) as f32 / pulls.max(1) as f32 }).collect();
            for left in [0, 1] {
                let view = View { left: Some(left), ..arms.view() };
                let [found, expect] = [Blinkered.select(&view, &mut Rng::seeded(0)), KnowledgeGradient.select(&view, &mut Rng::seeded(0))];
                prop_assert_eq!(found, expect);
            }
        }
    }
}
