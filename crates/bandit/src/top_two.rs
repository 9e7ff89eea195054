//! Top-two Thompson sampling (Russo, Simple Bayesian algorithms for best-arm identification, 2016): pull the arm that
//! is best by drawn values with a chance of beta, otherwise draw anew until another arm is best and pull that one.
//! Thompson sampling alone would pull the best arm nearly always, and learn too little of its rivals.

use crate::thompson::Sample;
use crate::{Rng, Select, View};

/// Top-two Thompson sampling. There is no first sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopTwo {
    /// The chance to pull the best arm by drawn values.
    pub beta: f32,
    /// How values are drawn.
    pub sample: Sample,
}

/// How often all values are drawn in the hope that another arm is best. Then the second of the last draw is taken,
/// which is nearly always the one that would have come in the end.
const DRAWS_MAX: u32 = 10;

impl Default for TopTwo {
    fn default() -> TopTwo {
        TopTwo { beta: 0.5, sample: Sample::Beta }
    }
}

impl Select for TopTwo {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        let (best, mut second) = self.sample.best_two(view, rng);
        // Of a settled arm there is nothing to learn: its rival is next.
        let is_settled = view.spreads[best] == 0.0;
        if view.means.len() == 1 || (!is_settled && rng.unit() < self.beta) {
            return best;
        }
        for _ in 0..DRAWS_MAX {
            let (challenger, next) = self.sample.best_two(view, rng);
            if challenger != best {
                return challenger;
            }
            second = next;
        }
        second.unwrap_or(best)
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    /// The best arm is nearly certain, so it is pulled beta of the time, and its rival for the rest.
    #[test]
    fn the_rest_goes_to_the_rival() {
        let arms: Arms = [(400, 0.5), (400, 0.9), (400, 0.8)]
            .map(|(pulls, mean)| Arm { pulls, mean })
            .into_iter()
            .collect();
        let (mut rule, mut rng) = (TopTwo { beta: 0.7, ..TopTwo::default() }, Rng::seeded(4));
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[rule.select(&arms.view(), &mut rng)] += 1);
        assert!((6_800..7_200).contains(&counts[1]) && counts[0] == 0, "{counts:?}");
    }

    #[test]
    fn one_arm_is_pulled() {
        assert_eq!(TopTwo::default().select(&Arms::new(1).view(), &mut Rng::seeded(4)), 0);
    }
}
