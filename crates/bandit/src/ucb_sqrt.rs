//! The square-root bound (Tolpin & Shimony, "MCTS based on simple regret", 2012): mean + sqrt(c sqrt(n) / n_i).
//! It explores more than UCB1 as pulls grow, which lowers simple regret: the loss of the arm finally taken.

use crate::filled::setting;
use crate::highest_bound::highest_bound;
use crate::{About, CONSTANTS, Filled, Number, Recommend, Rng, Rule, Select, View, VisitSettings};

/// UCB with sqrt(n) instead of ln n. Untried arms come first, in order.
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
    /// The upper confidence bound of one arm, which [`select`](Select::select) compares.
    pub fn bound(&self, view: &View, index: usize) -> f32 {
        view.means[index] + self.width(view.total) * view.spreads[index]
    }

    #[inline(always)]
    fn width(&self, total: u32) -> f32 {
        (self.c * (total as f32).sqrt()).sqrt().max(f32::MIN_POSITIVE)
    }
}

impl Rule for UcbSqrt {
    const ABOUT: About = About {
        prints_defaults: true,
        formula: "mean + √(c · √n / nᵢ)",
        is_bound: true,
        ..About::new("ucb_sqrt", "upper confidence bound with sqrt n", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "c",
            "how much the rule favours uncertain arms; inside the root, as in the paper",
            &mut Number(&mut self.c, CONSTANTS),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let width = format!("√({} · √{} / {})", setting(self.c), view.total, view.pulls[index]);
        Filled::bound(view.means[index], &width, self.bound(view, index).into())
    }
}

impl Select for UcbSqrt {
    #[inline(always)]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        highest_bound(view, self.width(view.total))
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    /// n = 10,000, so sqrt(n) = 100; c = .25; widths sqrt(25 / n_i): 1/2 for 100 pulls, 5/2 for 4.
    #[test]
    fn bound_by_hand() {
        let rule = UcbSqrt { c: 0.25 };
        let arms: Arms = [Arm { pulls: 100, mean: 0.5 }, Arm { pulls: 4, mean: 0.1 }].into_iter().collect();
        let view = View { total: 10_000, ..arms.view() };
        for (index, expect) in [1.0, 2.6].into_iter().enumerate() {
            let bound = rule.bound(&view, index);
            assert!((bound - expect).abs() < 1e-6, "{bound} is not {expect}");
        }
    }
}
