//! Epsilon-greedy: the best mean so far, and sometimes a random arm. With epsilon 1/2 it is the simple-regret rule of
//! Tolpin & Shimony's companion paper.

use crate::{About, Filled, Number, Recommend, Rng, Rule, SHARES, Select, View, VisitSettings};

/// Epsilon-greedy. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epsilon {
    /// The share of pulls that go to a random arm.
    pub epsilon: f32,
}

impl Default for Epsilon {
    fn default() -> Epsilon {
        Epsilon { epsilon: 0.5 }
    }
}

impl Rule for Epsilon {
    const ABOUT: About =
        About { prints_defaults: true, ..About::new("epsilon", "epsilon-greedy", Recommend::HighestMean) };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "epsilon",
            "the share of pulls that go to a random arm",
            &mut Number(&mut self.epsilon, SHARES),
        );
    }

    fn fill(&self, _view: &View, _index: usize) -> Filled {
        let epsilon = self.epsilon;
        Filled::words(format!(
            "With probability ε = {epsilon} any action, else the first with the highest mean."
        ))
    }
}

impl Select for Epsilon {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        if let Some(untried) = view.untried() {
            return untried;
        }
        if rng.unit() < self.epsilon {
            return rng.below(view.means.len());
        }
        Recommend::HighestMean.recommend(view).unwrap_or(0)
    }

    /// Equally long for every arm: a longer rest for much pulled arms would give them more than their random share.
    fn rest(&self, view: &View, _arm: usize, share: u32) -> u32 {
        view.total / share / view.means.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    #[test]
    fn explores_at_its_rate() {
        let arms: Arms = [0.2, 0.9, 0.3].map(|mean| Arm { pulls: 5, mean }).into_iter().collect();
        let (mut rule, mut rng) = (Epsilon { epsilon: 0.3 }, Rng::seeded(5));
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[rule.select(&arms.view(), &mut rng)] += 1;
        }
        // The other arms get a tenth each; the standard deviation is 52.
        assert!((2_800..3_200).contains(&counts[0]) && (2_800..3_200).contains(&counts[2]), "{counts:?}");
    }
}
