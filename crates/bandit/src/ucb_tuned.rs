//! UCB1-Tuned (Auer, Cesa-Bianchi & Fischer 2002, section 4): the width of the bound follows the rewards' variance,
//! mean + sqrt(ln n / n_i * min(1/4, V_i)), with V_i = variance + sqrt(2 ln n / n_i). No constant, no proof,
//! good results.

use crate::filled::shown;
use crate::logarithm::ln;
use crate::{About, Filled, Recommend, Rng, Rule, Select, View};

/// UCB1-Tuned. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UcbTuned;

/// The largest variance of a reward in 0..=1.
const VARIANCE_MAX: f32 = 0.25;

/// The mean of an arm's squared rewards. Without it, assume rewards of win or loss, whose squares are themselves.
fn square_of(view: &View, index: usize) -> f32 {
    view.squares.get(index).copied().unwrap_or(view.means[index])
}

fn bound(ln_total: f32, mean: f32, spread: f32, square: f32) -> f32 {
    let share = ln_total * spread * spread;
    let variance = (square - mean * mean).max(0.0) + (2.0 * share).sqrt();
    mean + (share * variance.min(VARIANCE_MAX)).sqrt()
}

impl Rule for UcbTuned {
    const ABOUT: About = About {
        formula: "mean + √(ln n / nᵢ · min(1/4, variance + √(2 ln n / nᵢ)))",
        is_bound: true,
        ..About::new("ucb_tuned", "UCB1-Tuned: the bound follows the variance", Recommend::MostPulls)
    };

    fn fill(&self, view: &View, index: usize) -> Filled {
        let (mean, square) = (view.means[index], square_of(view, index));
        let number = bound(ln(view.total.into()) as f32, mean, view.spreads[index], square).into();
        let variance = shown(f64::from(square - mean * mean).max(0.0));
        let share = format!("ln {} / {}", view.total, view.pulls[index]);
        let width = format!("√({share} · min(1/4, {variance} + √(2 · {share})))");
        let squares = format!("variance = mean of squares - mean² = {square:.5} - {mean:.5}² = {variance}");
        Filled::bound(mean, &width, number).after(squares)
    }
}

impl Select for UcbTuned {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        if let Some(untried) = view.untried() {
            return untried;
        }
        let ln_total = ln(u64::from(view.total)) as f32;
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, (&mean, &spread)) in view.means.iter().zip(view.spreads).enumerate() {
            let bound = bound(ln_total, mean, spread, square_of(view, index));
            best = if bound > best.0 { (bound, index) } else { best };
        }
        best.1
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }

    fn wants_squares(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    /// By hand: n = 100, n_i = 25, mean .5. Variance .01 gives V = .01 + sqrt(2 ln 100 / 25) = .617 > 1/4.
    /// At n_i = 10,000 of 20,000 the variance shows: V = .01 + .0445 and the bound .5 + sqrt(9.903e-4 * .0545).
    #[test]
    fn bound_by_hand() {
        let check = |total: u64, pulls: f32, square: f32, expect: f32| {
            let found = bound(ln(total) as f32, 0.5, 1.0 / pulls.sqrt(), square);
            assert!((found - expect).abs() < 1e-5, "{found} is not {expect}");
        };
        check(100, 25.0, 0.26, 0.5 + (0.184_206_8f32 * 0.25).sqrt());
        check(20_000, 10_000.0, 0.26, 0.5 + (9.903_488e-4f32 * (0.01 + 0.044_504_9)).sqrt());
    }

    #[test]
    fn steady_arm_gets_a_narrower_bound() {
        let arms: Arms = [Arm { pulls: 1000, mean: 0.5 }; 2].into_iter().collect();
        let view = View { squares: &[0.25, 0.5], ..arms.view() };
        assert_eq!(UcbTuned.select(&view, &mut Rng::seeded(0)), 1);
    }
}
