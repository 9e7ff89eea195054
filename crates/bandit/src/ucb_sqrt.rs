//! The square-root bound (Tolpin & Shimony, "MCTS based on simple regret", 2012): mean + sqrt(c sqrt(n) / n_i).
//! It explores more than UCB1 as pulls grow, which lowers simple regret: the loss of the arm finally taken.

use crate::{Rng, Select, View, first_best};

/// UCB with sqrt(n) in the place of ln n. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UcbSqrt {
    /// The constant, inside the root as in the paper.
    pub c: f32,
}

impl Default for UcbSqrt {
    fn default() -> UcbSqrt {
        UcbSqrt { c: 0.3 }
    }
}

impl UcbSqrt {
    fn width(&self, pulls: u32) -> f32 {
        (self.c * (pulls as f32).sqrt()).sqrt().max(f32::MIN_POSITIVE)
    }
}

impl Select for UcbSqrt {
    #[inline]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let width = self.width(view.pulls);
        first_best(view.arms, |arm| arm.mean() + width * arm.spread())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arm;

    /// n = 10,000, so sqrt(n) = 100; c = .25; widths sqrt(25 / n_i): 1/2 for 100 pulls, 5/2 for 4.
    #[test]
    fn bound_by_hand() {
        let rule = UcbSqrt { c: 0.25 };
        for (pulls, mean, expect) in [(100, 0.5, 1.0), (4, 0.1, 2.6)] {
            let arm = Arm::new(pulls, mean);
            assert!((arm.mean() + rule.width(10_000) * arm.spread() - expect).abs() < 1e-6);
        }
    }
}
