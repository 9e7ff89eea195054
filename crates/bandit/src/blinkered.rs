//! The blinkered value of information (Hay, Russell, Tolpin & Shimony, Selecting computations, 2012). Imagine that
//! all remaining pulls go to a single arm, and pull the arm where they would be worth the most.
//!
//! The belief in an arm is Beta: its wins and losses plus one imagined win and one imagined loss, with mean m and count
//! a + b. N pulls move m by a standard deviation of s = sqrt(m (1 - m) / (a + b + 1) * N / (a + b + N)). They are worth
//! s f(-d / s), d = |m - M|, as in [`KnowledgeGradient`](crate::KnowledgeGradient), which is this rule with N = 1.
//!
//! The paper's N is the number of remaining pulls. Towards the end that makes the rule as short-sighted as the
//! knowledge gradient. It is better to use at least the number of pulls spent so far. That number is also N if the
//! remaining pulls are not known.

use crate::gain::{FORMULA, filled, most_to_gain};
use crate::{About, Filled, Recommend, Rng, Rule, Select, View, VisitSettings, Word};

/// How many pulls are assumed to go to one arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Horizon {
    /// The remaining pulls or the spent pulls, whichever is more.
    #[default]
    Longer,
    /// The remaining pulls; the spent pulls if those are not known.
    Left,
}

const HORIZONS: &[(&str, Horizon)] = &[("longer", Horizon::Longer), ("left", Horizon::Left)];

/// The blinkered rule. There is no first sweep. Recommend by the posterior mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blinkered {
    /// How many pulls are assumed to go to one arm.
    pub horizon: Horizon,
}

impl Blinkered {
    /// The pulls that are assumed to go to one arm.
    fn pulls(&self, view: &View) -> f64 {
        let pulls = match (self.horizon, view.left) {
            (Horizon::Longer, Some(left)) => left.max(view.total),
            (Horizon::Left, Some(left)) => left,
            (_, None) => view.total,
        };
        pulls.max(1).into()
    }
}

impl Rule for Blinkered {
    const ABOUT: About = About {
        tries_all_first: false,
        formula: FORMULA,
        ..About::new("blinkered", "what many pulls of one arm would gain", Recommend::PosteriorMean)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "horizon",
            "how many pulls are assumed to go to one arm",
            &mut Word(&mut self.horizon, HORIZONS),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        filled(view, index, self.pulls(view))
    }
}

impl Select for Blinkered {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        most_to_gain(view, self.pulls(view))
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::{Arm, Arms, KnowledgeGradient};
    use proptest::prelude::*;

    /// A single pull moves only the arm with few pulls; many pulls could lift the one that is close behind.
    #[test]
    fn the_budget_matters() {
        let arms: Arms =
            [(40, 0.75), (40, 0.7), (1, 0.0)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let select =
            |horizon, left| Blinkered { horizon }.select(&View { left, ..arms.view() }, &mut Rng::seeded(0));
        let left = [Some(1), Some(10_000), None];
        assert_eq!(left.map(|left| select(Horizon::Left, left)), [2, 1, 1]);
        assert_eq!(left.map(|left| select(Horizon::Longer, left)), [1, 1, 1]);
    }

    proptest! {
        #[test]
        fn the_last_pull_goes_by_the_knowledge_gradient(arms in prop::collection::vec((0u32..30, 0u32..30), 1..20)) {
            let arm = |&(pulls, sum): &(u32, u32)| {
                Arm { pulls, mean: sum.min(pulls) as f32 / pulls.max(1) as f32 }
            };
            let arms: Arms = arms.iter().map(arm).collect();
            for left in [0, 1] {
                let view = View { left: Some(left), ..arms.view() };
                let found = Blinkered { horizon: Horizon::Left }.select(&view, &mut Rng::seeded(0));
                let expect = KnowledgeGradient.select(&view, &mut Rng::seeded(0));
                prop_assert_eq!(found, expect);
            }
        }
    }
}
