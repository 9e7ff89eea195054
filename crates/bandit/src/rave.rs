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

use crate::highest_bound::lanes;
use crate::logarithm::sqrt_ln;
use crate::{
    About, Arm, CONSTANTS, Number, Recommend, Rng, Rule, SHARES, Select, Slot, View, VisitSettings, spread,
};
use wide::f32x8;

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

/// The arms of a vector.
const LANES: usize = 8;

impl Rave {
    /// The [values](Rave::value) of the arms from this one on, alike to the last bit.
    #[inline(always)]
    fn values(&self, view: &View, start: usize, width: f32) -> f32x8 {
        let (means, spreads) = (f32x8::new(lanes(view.means, start)), f32x8::new(lanes(view.spreads, start)));
        let amaf: [Arm; LANES] = lanes(view.amaf, start);
        let pulls = lanes(view.pulls, start).map(|pulls| pulls as f32);
        let (n, one) = (f32x8::new(pulls), f32x8::ONE);
        let (m, others) =
            (f32x8::new(amaf.map(|arm| arm.pulls as f32)), f32x8::new(amaf.map(|arm| arm.mean)));
        let beta = match self.schedule {
            Schedule::HandPicked { k } => {
                let k = f32x8::splat(k);
                m.simd_eq(f32x8::ZERO).select(f32x8::ZERO, (k / (f32x8::splat(3.0) * n + k)).sqrt())
            }
            Schedule::MinimumError { bias } => {
                let all = n + m + f32x8::splat(4.0 * bias * bias) * n * m;
                m / all.simd_eq(f32x8::ZERO).select(one, all)
            }
        };
        let beta = n.simd_eq(f32x8::ZERO).select(one, beta);
        let mut values = means + beta * (others - means);
        if width > 0.0 {
            values += f32x8::splat(width) * (one / (n + one).sqrt());
        }
        let is_unknown = (n + m).simd_eq(f32x8::ZERO);
        let values = is_unknown.select(f32x8::splat(f32::INFINITY), values);
        spreads.simd_eq(f32x8::ZERO).select(means, values)
    }

    /// For as many arms as a vector has, or more. The last vector goes over some arms again.
    fn select_of_many(&self, view: &View) -> usize {
        let (width, last) = (self.c * sqrt_ln(view.total), view.means.len() - LANES);
        let (mut best, mut started) = (self.values(view, 0, width), f32x8::ZERO);
        let mut start = 0;
        while start < last {
            start = (start + LANES).min(last);
            let next = self.values(view, start, width);
            started = next.simd_gt(best).select(f32x8::splat(start as f32), started);
            best = best.fast_max(next);
        }
        let (best, started) = (best.to_array(), started.to_array());
        let highest = best.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let at = |lane: usize| if best[lane] == highest { started[lane] as usize + lane } else { usize::MAX };
        (0..LANES).map(at).fold(usize::MAX, usize::min)
    }
}

/// The bias of a schedule that has one.
struct Bias<'a>(&'a mut Schedule);

impl Slot<f32> for Bias<'_> {
    fn value(&self) -> Option<f32> {
        if let Schedule::MinimumError { bias } = *self.0 { Some(bias) } else { None }
    }

    fn put(&mut self, bias: f32) {
        *self.0 = Schedule::MinimumError { bias };
    }
}

/// The k of a schedule that has one.
struct PullsOfEqualWeight<'a>(&'a mut Schedule);

impl Slot<f32> for PullsOfEqualWeight<'_> {
    fn value(&self) -> Option<f32> {
        if let Schedule::HandPicked { k } = *self.0 { Some(k) } else { None }
    }

    fn put(&mut self, k: f32) {
        *self.0 = Schedule::HandPicked { k };
    }
}

impl Rule for Rave {
    const ABOUT: About = About {
        tries_all_first: false,
        prints_defaults: true,
        alternatives: Some(("schedules", ["bias", "k"])),
        ..About::new(
            "rave",
            "means mixed with those of all moves as first, by bias or by k",
            Recommend::MostPulls,
        )
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit("c", &mut Number(&mut self.c, CONSTANTS));
        visit("bias", &mut Number(&mut Bias(&mut self.schedule), SHARES));
        visit("k", &mut Number(&mut PullsOfEqualWeight(&mut self.schedule), 1.0..=1e9));
    }
}

impl Select for Rave {
    const WANTS_AMAF: bool = true;

    /// The first of the highest value.
    #[inline]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        if view.means.len() >= LANES && view.amaf.len() == view.means.len() {
            return self.select_of_many(view);
        }
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
    use crate::{Arms, Rng};
    use proptest::prelude::*;

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

    proptest! {
        /// Vectors choose what the formula says, arm by arm: few distinct numbers, so that ties and unknown arms abound.
        #[test]
        fn vectors_agree_with_the_formula(
            known in prop::collection::vec((0u32..4, 0u8..4, 0u32..4, 0u8..4), 1..60),
            c in 0f32..1.0,
            is_hand_picked: bool,
        ) {
            let k = 3.0;
            let schedule = if is_hand_picked { Schedule::HandPicked { k } } else { Schedule::MinimumError { bias: 0.2 } };
            let mean = |pulls: u32, quarter: u8| if pulls == 0 { 0.0 } else { f32::from(quarter) / 4.0 };
            let arms: Arms = known.iter().map(|&(n, mean_of, ..)| arm(n, mean(n, mean_of))).collect();
            let amaf: Vec<Arm> = known.iter().map(|&(.., m, mean_of)| arm(m, mean(m, mean_of))).collect();
            let view = View { amaf: &amaf, ..arms.view() };
            for c in [0.0, c] {
                let mut rule = Rave { c, schedule };
                let mut best = (f32::NEG_INFINITY, 0);
                for index in 0..known.len() {
                    let value = rule.value(&view, index);
                    best = if value > best.0 { (value, index) } else { best };
                }
                prop_assert_eq!(rule.select(&view, &mut Rng::seeded(0)), best.1);
            }
        }
    }
}
