//! MC-RAVE (Gelly & Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011): the mean of an
//! arm is mixed with that of the same choice made elsewhere, which many more pulls tell of, though they tell of something
//! else. The more pulls an arm has of its own, the less the others count.
//!
//! ```text
//! value = (1 - beta) mean + beta amaf + c sqrt(ln total / (n + 1))
//! ```
//!
//! with n the arm's pulls and m those elsewhere. With n + 1 instead of n an arm that is known from elsewhere need not be tried
//! first. Arms that nothing is known of are.

use crate::logarithm::sqrt_ln;
use crate::{Arm, Rng, Select, View, spread};

/// How much pulls elsewhere count, which is beta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// beta = sqrt(k / (3 n + k)): half at k pulls.
    HandPicked {
        /// The pulls at which both means count the same.
        k: f32,
    },
    /// beta = m / (n + m + 4 b^2 n m): the least squared error, if what pulls elsewhere tell is off by b.
    MinimumError {
        /// By how much the mean of pulls elsewhere is thought to be off, of rewards in 0..=1.
        bias: f32,
    },
}

impl Schedule {
    /// The weight of a mean of `others` pulls elsewhere beside one of `pulls`; 0 where there are no others.
    #[inline(always)]
    pub fn beta(self, pulls: u32, others: u32) -> f32 {
        let (n, m) = (pulls as f32, others as f32);
        match self {
            _ if others == 0 => 0.0,
            Schedule::HandPicked { k } => (k / (3.0 * n + k)).sqrt(),
            Schedule::MinimumError { bias } => m / (n + m + 4.0 * bias * bias * n * m),
        }
    }
}

/// RAVE with a schedule and an exploration constant. Without pulls elsewhere it is much like [`Ucb1`](crate::Ucb1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rave {
    /// How much an uncertain arm is favoured, for rewards in 0..=1. RAVE explores by itself: little or nothing is best.
    pub c: f32,
    /// How much pulls elsewhere count.
    pub schedule: Schedule,
}

impl Default for Rave {
    fn default() -> Rave {
        Rave { c: 0.0, schedule: Schedule::MinimumError { bias: 0.1 } }
    }
}

impl Rave {
    /// What [`select`](Select::select) compares; infinite for an arm that nothing is known of.
    #[inline(always)]
    pub fn value(&self, view: &View, index: usize) -> f32 {
        let (pulls, mean) = (view.pulls[index], view.means[index]);
        // What is proven needs no other opinion.
        if view.spreads[index] == 0.0 {
            return mean;
        }
        let amaf = view.amaf.get(index).copied().unwrap_or(Arm { pulls: 0, mean: 0.0 });
        if pulls == 0 && amaf.pulls == 0 {
            return f32::INFINITY;
        }
        let beta = if pulls == 0 { 1.0 } else { self.schedule.beta(pulls, amaf.pulls) };
        mean + beta * (amaf.mean - mean) + self.c * sqrt_ln(view.total) * spread(pulls + 1)
    }
}

impl Select for Rave {
    const WANTS_AMAF: bool = true;

    /// The first of the highest value.
    #[inline]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let mut best = (f32::NEG_INFINITY, 0);
        for index in 0..view.means.len() {
            let value = self.value(view, index);
            best = if value > best.0 { (value, index) } else { best };
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arms;

    fn arm(pulls: u32, mean: f32) -> Arm {
        Arm { pulls, mean }
    }

    #[test]
    fn schedules_by_hand() {
        let check = |schedule: Schedule, pulls, others, expect: f32| {
            let beta = schedule.beta(pulls, others);
            assert!((beta - expect).abs() < 1e-6, "{schedule:?} of {pulls} and {others}: {beta}");
        };
        let hand_picked = Schedule::HandPicked { k: 100.0 };
        check(hand_picked, 0, 5, 1.0);
        check(hand_picked, 100, 5, 0.5);
        check(hand_picked, 100, 0, 0.0);
        check(Schedule::MinimumError { bias: 0.0 }, 10, 30, 0.75);
        check(Schedule::MinimumError { bias: 0.5 }, 10, 30, 30.0 / 340.0);
    }

    #[test]
    fn means_are_mixed() {
        let arms: Arms = [arm(10, 0.5), arm(0, 0.0), arm(10, 0.4)].into_iter().collect();
        let mut rule = Rave { c: 0.0, schedule: Schedule::MinimumError { bias: 0.0 } };
        let mut check = |amaf: &[Arm], value: f32, chosen: usize| {
            let view = View { amaf, ..arms.view() };
            assert!((rule.value(&view, 0) - value).abs() < 1e-6 || rule.value(&view, 0) == value);
            assert_eq!(rule.select(&view, &mut Rng::seeded(0)), chosen);
        };
        // Nothing from elsewhere: the untried one.
        check(&[], 0.5, 1);
        check(&[arm(0, 0.0); 3], 0.5, 1);
        // Three quarters of 0.1 and one of 0.5; the untried arm as it was elsewhere.
        check(&[arm(30, 0.1), arm(30, 0.3), arm(30, 0.2)], 0.2, 1);
        check(&[arm(30, 0.1), arm(30, 0.1), arm(30, 0.2)], 0.2, 2);
        check(&[arm(30, 0.9), arm(30, 0.3), arm(30, 0.2)], 0.8, 0);
    }

    /// Exploration prefers what was pulled less.
    #[test]
    fn uncertain_arms_are_favoured() {
        let arms: Arms = [arm(90, 0.5), arm(10, 0.4)].into_iter().collect();
        let amaf = [arm(100, 0.5), arm(100, 0.4)];
        let view = View { amaf: &amaf, ..arms.view() };
        let select = |c| Rave { c, ..Rave::default() }.select(&view, &mut Rng::seeded(0));
        assert_eq!((select(0.0), select(1.4)), (0, 1));
    }
}
