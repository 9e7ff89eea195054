//! UCB1 (Auer, Cesa-Bianchi & Fischer 2002), and with it UCT (Kocsis & Szepesvari 2006): the arm with the highest
//! upper confidence bound, mean + c sqrt(ln n / n_i). Theory says c = sqrt(2); practice says less.

use crate::filled::setting;
use crate::highest_bound::{highest_bound, highest_bounds};
use crate::logarithm::sqrt_ln;
use crate::{About, CONSTANTS, Filled, Number, Pending, Recommend, Rng, Rule, Select, View, VisitSettings};

/// UCB1 with its exploration constant. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ucb1 {
    /// How much the rule favours uncertain arms, for rewards in 0..=1.
    pub c: f32,
}

impl Default for Ucb1 {
    fn default() -> Ucb1 {
        Ucb1 { c: 1.4 }
    }
}

impl Ucb1 {
    /// The factor of an arm's spread in its bound. It stays above 0, so that an untried arm (of infinite spread)
    /// always has an infinite bound. The factor of a greedy rule is too small to change a finite one.
    #[inline(always)]
    fn width(&self, total: u32) -> f32 {
        (self.c * sqrt_ln(total)).max(f32::MIN_POSITIVE)
    }

    /// The upper confidence bound of one arm, which [`select`](Select::select) compares; infinite while it is untried.
    pub fn bound(&self, view: &View, index: usize) -> f32 {
        view.means[index] + self.width(view.total) * view.spreads[index]
    }
}

impl Rule for Ucb1 {
    const ABOUT: About = About {
        prints_defaults: true,
        formula: "mean + c · √(ln n / nᵢ)",
        is_bound: true,
        ..About::new("ucb1", "upper confidence bound with ln n", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "c",
            "how much the rule favours uncertain arms, for rewards from 0 to 1",
            &mut Number(&mut self.c, CONSTANTS),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let width = format!("{} · √(ln {} / {})", setting(self.c), view.total, view.pulls[index]);
        Filled::bound(view.means[index], &width, self.bound(view, index).into())
    }
}

impl Select for Ucb1 {
    #[inline(always)]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        highest_bound(view, self.width(view.total))
    }

    #[inline(always)]
    fn select_ahead(&mut self, view: &View, pending: &mut Pending, picks: &mut [u16]) -> bool {
        let width = self.width(view.total);
        if !highest_bounds(view, width, picks) {
            pending.select_by_spreads(view, picks, |view| highest_bound(view, width));
        }
        true
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    fn bounds(c: f32, view: &View) -> Vec<f32> {
        (0..view.means.len()).map(|index| Ucb1 { c }.bound(view, index)).collect()
    }

    /// The lecture's tree: a node of 98 playouts with three children.
    #[test]
    fn indices_of_the_lecture() {
        let children = [(60.0, 79), (1.0, 10), (0.0, 9)];
        let arms: Arms =
            children.iter().map(|&(wins, pulls)| Arm { pulls, mean: wins / pulls as f32 }).collect();
        let found = bounds(std::f32::consts::SQRT_2, &arms.view());
        for (found, expect) in found.iter().zip([1.100192, 1.057598, 1.009397]) {
            assert!((found - expect).abs() < 1e-6, "{found} is not {expect}");
        }
    }

    /// The lecture's bandit: nine plays of three arms, with the printed indices to two decimals.
    #[test]
    fn table_of_the_lecture() {
        let mut rule = Ucb1 { c: std::f32::consts::SQRT_2 };
        let (mut arms, mut rng) = (Arms::new(3), Rng::seeded(0));
        let rewards = [0.3, 0.0, 1.0, 0.0, 0.3, 0.5, 1.0, 0.0, 0.3];
        let choices = [0, 1, 2, 2, 0, 1, 2, 2, 0];
        let printed = [
            [1.78, 1.48, 2.48],
            [1.97, 1.67, 1.68],
            [1.57, 1.79, 1.77],
            [1.64, 1.59, 1.84],
            [1.69, 1.64, 1.81],
            [1.74, 1.69, 1.52],
        ];
        for (plays, (reward, choice)) in rewards.into_iter().zip(choices).enumerate() {
            if plays >= 3 {
                for (found, printed) in bounds(rule.c, &arms.view()).iter().zip(printed[plays - 3]) {
                    assert!((found - printed).abs() < 0.0051, "after {plays}: {found} is not {printed}");
                }
            }
            assert_eq!(rule.select(&arms.view(), &mut rng), choice, "after {plays} plays");
            arms.add(choice, reward);
        }
    }

    #[test]
    fn greedy_still_tries_every_arm() {
        let mut rule = Ucb1 { c: 0.0 };
        let (mut arms, mut rng) = (Arms::new(4), Rng::seeded(0));
        for expect in [0, 1, 2, 3, 1, 1] {
            let chosen = rule.select(&arms.view(), &mut rng);
            assert_eq!(chosen, expect);
            arms.add(chosen, if chosen == 1 { 1.0 } else { 0.5 });
        }
    }
}
