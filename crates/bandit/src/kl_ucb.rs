//! KL-UCB (Garivier & Cappe, The KL-UCB algorithm for bounded stochastic bandits and beyond, 2011). The bound of an
//! arm is the highest value q that its rewards still allow: n_i d(mean, q) = ln n + c ln ln n. Here d is the
//! divergence of wins and losses, d(p, q) = p ln(p / q) + (1 - p) ln((1 - p) / (1 - q)). Near 0 and 1 the bound is
//! much tighter than that of UCB1.

use crate::filled::{setting, shown};
use crate::logarithm::{exp_real, ln, ln_real};
use crate::{About, CONSTANTS, Filled, Number, Recommend, Rng, Rule, Select, View, VisitSettings};

/// KL-UCB. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KlUcb {
    /// The weight of ln ln n: 3 in the proof, 0 in practice.
    pub c: f32,
}

/// The most Newton steps for a bound; each doubles its digits.
const STEPS_MAX: u32 = 40;

/// A step this small, relative to the bound's distance from 0 and 1, is the last: the remaining error is about its
/// square.
const STEP_MIN: f64 = 1e-5;

/// x ln(x / y), which is 0 for x = 0.
fn term(x: f64, y: f64) -> f64 {
    if x > 0.0 { x * ln_real(x / y) } else { 0.0 }
}

/// The divergence of a win with probability q from one with probability p.
fn divergence(p: f64, q: f64) -> f64 {
    term(p, q) + term(1.0 - p, 1.0 - q)
}

/// The largest q above p with a divergence of at most `most`, by Newton's steps from a number nearby.
fn upper(p: f64, most: f64, near: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    // As d is convex, a step from below the root overshoots it, and steps from above go down to it.
    let (mut low, mut high) = (p, above(p, most));
    let mut q = if near > p { near.min(high) } else { high };
    for _ in 0..STEPS_MAX {
        let excess = divergence(p, q) - most;
        if excess > 0.0 {
            high = q
        } else {
            low = q
        }
        let step = excess * q * (1.0 - q) / (q - p).max(f64::MIN_POSITIVE);
        let next = (q - step).clamp(low, high);
        if (next - q).abs() <= STEP_MIN * q * (1.0 - q) {
            return next;
        }
        q = next;
    }
    q
}

/// An upper bound on it. d is at least (q - p)^2 / (2 v) with v the largest variance x (1 - x) from p to q. It is
/// also at least p ln p + (1 - p) ln((1 - p) / (1 - q)), which is tighter near 1.
fn above(p: f64, most: f64) -> f64 {
    let closest = p.max(0.5);
    let near = p + (2.0 * closest * (1.0 - closest) * most).sqrt();
    if near < NEAR_ONE {
        return near;
    }
    let entropy = term(p, 1.0) + term(1.0 - p, 1.0);
    (1.0 - exp_real((entropy - most) / (1.0 - p))).min(near)
}

/// Bounds above this count as near 1.
const NEAR_ONE: f64 = 0.9;

impl KlUcb {
    /// The largest allowed n_i d.
    fn most(&self, total: u32) -> f64 {
        let ln_total = ln(total.into());
        ln_total + f64::from(self.c) * ln_real(ln_total.max(1.0))
    }

    /// The bound of an arm, which [`select`](Select::select) compares; infinite while it is untried.
    pub fn bound(&self, view: &View, index: usize) -> f64 {
        let (mean, spread) = (f64::from(view.means[index]), f64::from(view.spreads[index]));
        match spread {
            0.0 => mean,
            f64::INFINITY => f64::INFINITY,
            _ => upper(mean, self.most(view.total) * spread * spread, 1.0),
        }
    }
}

impl Rule for KlUcb {
    const ABOUT: About = About {
        formula: "the largest q with nᵢ d(mean, q) = ln n + c ln ln n, where d(a, b) = a ln(a/b) + (1 - a) ln((1 - a)/(1 - b))",
        is_bound: true,
        ..About::new("kl_ucb", "upper confidence bound of wins and losses", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "c",
            "the weight of ln ln n: 3 in the proof, 0 in practice",
            &mut Number(&mut self.c, CONSTANTS),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let (bound, pulls, n) = (self.bound(view, index), view.pulls[index], view.total);
        // The weight of ln ln n, which counts from n = e on.
        let more = if self.c > 0.0 && n > 2 {
            format!(" + {} · ln ln {n}", setting(self.c))
        } else {
            String::new()
        };
        let (mean, q, most) = (shown(view.means[index].into()), shown(bound), shown(self.most(n)));
        // Near 1 the divergence depends on the bound's last digits.
        let equation = format!("{pulls} · d({mean}, {bound:.6}) = ln {n}{more} = {most}");
        Filled { lines: vec![equation, format!("bound = {q}")], number: Some(bound) }
    }
}

impl Select for KlUcb {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        if let Some(untried) = view.spreads.iter().position(|&spread| spread == f32::INFINITY) {
            return untried;
        }
        let most = self.most(view.total);
        let width = (0.5 * most).sqrt();
        // As d is at least 2 (q - p)^2, no arm's bound is higher than this. The loop starts with the arm for which it
        // is highest, since few arms have a higher bound.
        let furthest = |index: usize| f64::from(view.means[index]) + width * f64::from(view.spreads[index]);
        let further = |best: usize, next: usize| if furthest(next) > furthest(best) { next } else { best };
        let first = (0..view.means.len()).reduce(further).unwrap_or(0);
        let mut best = (self.bound(view, first), first);
        for index in (0..view.means.len()).filter(|&index| index != first) {
            let (mean, spread) = (f64::from(view.means[index]), f64::from(view.spreads[index]));
            let most = most * spread * spread;
            // The arm's bound is above the best so far if the divergence from its mean to that best is allowed. Bounds
            // are close together, so the best so far is a good start for Newton's steps.
            let is_higher = furthest(index) > best.0 && (mean >= best.0 || divergence(mean, best.0) < most);
            if is_higher {
                let bound = if spread == 0.0 { mean } else { upper(mean, most, best.0) };
                best = if bound > best.0 { (bound, index) } else { best };
            }
        }
        best.1
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};
    use proptest::prelude::{prop, prop_assert, proptest};

    /// d(0, q) = -ln(1 - q); d(1/2, q) = -ln(4 q (1 - q)) / 2, which is x at q = (1 + sqrt(1 - e^(-2 x))) / 2.
    #[test]
    fn closed_forms() {
        for most in [1e-9, 1e-4, 0.01, 0.1, 1.0, 5.0f64] {
            let at_half = 0.5 + 0.5 * (-(-2.0 * most).exp_m1()).sqrt();
            for (p, expect) in [(0.0, -(-most).exp_m1()), (0.5, at_half), (1.0, 1.0)] {
                for near in [0.0, 0.5, 0.51, 0.9, 1.0] {
                    let found = upper(p, most, near);
                    assert!((found - expect).abs() < 1e-8, "{p} {most}: {found} is not {expect}");
                }
            }
        }
    }

    #[test]
    fn the_bound_has_its_divergence() {
        for p in [0.001, 0.1, 0.3, 0.77, 0.999] {
            for most in [1e-6, 0.003, 0.2, 3.0] {
                let q = upper(p, most, 1.0);
                assert!(
                    (divergence(p, q) - most).abs() < 1e-6 * (1.0 + most) + 1e-6 / (1.0 - q),
                    "{p} {most}: {q}"
                );
            }
        }
    }

    proptest! {
        /// Whichever arm is looked at first, the choice has the highest bound.
        #[test]
        fn the_choice_has_the_highest_bound(arms in prop::collection::vec((1u32..2_000, 0f32..=1.0), 1..40)) {
            let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
            let bound = |index| KlUcb::default().bound(&arms.view(), index);
            let highest = (0..arms.view().means.len()).map(bound).fold(0.0, f64::max);
            let chosen = KlUcb::default().select(&arms.view(), &mut Rng::seeded(0));
            prop_assert!(highest - bound(chosen) < 1e-8, "{} {}", highest, bound(chosen));
        }
    }

    /// 0 wins of 10 against 5 of 40, n = 50: 1 - e^(-.3912) = .324 against q with d(.125, q) = .0978, about .31.
    #[test]
    fn bounds_by_hand() {
        let arms: Arms =
            [(10, 0.0), (40, 0.125)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let [first, second] = [0, 1].map(|index| KlUcb::default().bound(&arms.view(), index));
        assert!((first - 0.323_76).abs() < 1e-4 && (0.29..0.324).contains(&second), "{first} {second}");
        assert_eq!(KlUcb::default().select(&arms.view(), &mut Rng::seeded(0)), 0);
    }
}
