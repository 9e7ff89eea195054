//! The expected gain of an unknown number over a known one, without underflow. The knowledge gradient and the
//! blinkered value are built from it.

use crate::filled::shown;
use crate::logarithm::{exp_real, ln_of_one, ln_real};
use crate::posterior::Posterior;
use crate::{Filled, View};
use std::sync::LazyLock;

/// ln sqrt(2 pi).
const LN_ROOT_TWO_PI: f64 = 0.918_938_533_204_672_8;

/// Up to here a series is summed; beyond, a continued fraction is quicker.
const SERIES_MAX: f64 = 2.5;

/// ln E max(0, Z - x) of a standard normal Z for x of at least 0, to nine digits. The expectation is f(-x) with f(z) =
/// density(z) + z distribution(z).
pub(crate) fn ln_gain(x: f64) -> f64 {
    let square = x * x;
    let ln_density = -0.5 * square - LN_ROOT_TWO_PI;
    if x < SERIES_MAX {
        // Divided by the density: 1 - x R, with R = (1 - distribution) / density = sqrt(pi / 2) e^(x^2 / 2) - x - x^3
        // / 3 - x^5 / 15 ...
        let (mut term, mut series, mut odd) = (x, x, 1.0);
        while term > 1e-12 {
            odd += 2.0;
            term *= square / odd;
            series += term;
        }
        let half = 0.5 * exp_real(-ln_density);
        return ln_density + ln_real(1.0 - x * (half - series));
    }
    // R = 1 / (x + t), t = 1 / (x + 2 / (x + 3 / ...)), so that 1 - x R = t / (x + t) loses no digits.
    let rest = (2..=FRACTION_TERMS).rev().fold(x, |rest, term| x + f64::from(term) / rest);
    let t = 1.0 / rest;
    ln_density + ln_real(t / (x + t))
}

/// Points of the table per unit.
const POINTS: f64 = 64.0;

/// Where the table ends.
const TABLE_MAX: f64 = 16.0;

/// [`ln_gain`] without the density at equal steps, and one more point to interpolate to.
static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let points = (TABLE_MAX * POINTS) as u32 + 2;
    (0..points).map(|point| f64::from(point) / POINTS).map(|x| ln_gain(x) + 0.5 * x * x).collect()
});

/// The table, ready for use.
pub(crate) struct GainTable(&'static [f64]);

impl GainTable {
    /// The table.
    pub(crate) fn get() -> GainTable {
        GainTable(TABLE.as_slice())
    }

    /// ln(s E max(0, Z - |difference| / s)) for a variance s^2 above 0.
    pub(crate) fn ln_worth(&self, variance: f64, difference: f64) -> f64 {
        ln_worth(self.0, variance, difference)
    }
}

/// ln(s E max(0, Z - difference / s)) for a variance s^2 above 0, to four digits, which is enough to compare. A table
/// gives it by x = difference / s. Beyond the table the expectation is density(x) / x^2 (1 - 3 / x^2 + 15 / x^4 ...).
#[inline(always)]
fn ln_worth(table: &[f64], variance: f64, difference: f64) -> f64 {
    let square = difference * difference / variance;
    let at = square.sqrt() * POINTS;
    let point = at as usize;
    let without_density = match table.get(point..).and_then(|rest| rest.first_chunk()) {
        Some([below, above]) => below + (above - below) * (at - point as f64) + 0.5 * ln_quick(variance),
        None => {
            let inverse = 1.0 / square;
            let series = 1.0 - inverse * (3.0 - 15.0 * inverse);
            ln_quick(variance.sqrt() * inverse * series) - LN_ROOT_TWO_PI
        }
    };
    without_density - 0.5 * square
}

/// ln x to six digits.
#[inline(always)]
fn ln_quick(x: f64) -> f64 {
    ln_of_one(x as f32).into()
}

/// The terms of the continued fraction, enough from [`SERIES_MAX`] on.
const FRACTION_TERMS: u32 = 24;

/// The arm whose next `pulls` pulls are expected to raise the highest mean by the most; the first of equals. If none
/// would, the arm of the highest mean. Let m be an arm's posterior mean, s the standard deviation of its next mean,
/// and M the highest mean of the others. Its pulls are worth s f(-|m - M| / s).
pub(crate) fn most_to_gain(view: &View, pulls: f64) -> usize {
    let (mut best, mut second) = ((f64::NEG_INFINITY, 0), f64::NEG_INFINITY);
    for index in 0..view.means.len() {
        let mean = Posterior::of(view, index).mean();
        if mean > best.0 {
            (best, second) = ((mean, index), best.0);
        } else if mean > second {
            second = mean;
        }
    }
    let (table, mut highest) = (TABLE.as_slice(), (f64::NEG_INFINITY, best.1));
    for index in 0..view.means.len() {
        let posterior = Posterior::of(view, index);
        let rival = if index == best.1 { second } else { best.0 };
        let variance = posterior.variance_of_next_mean(pulls);
        if variance > 0.0 {
            let worth = ln_worth(table, variance, posterior.mean() - rival);
            highest = if worth > highest.0 { (worth, index) } else { highest };
        }
    }
    highest.1
}

/// The formula of the rules that are built from it.
pub(crate) const FORMULA: &str = "s · f(-|m - M| / s), f(z) = density(z) + z · distribution(z); m is the mean of the belief in the arm, s the deviation of that mean after the pulls, M the highest m of the others";

/// What these rules say of an arm: what its next `pulls` pulls are worth.
pub(crate) fn filled(view: &View, index: usize, pulls: f64) -> Filled {
    let posterior = Posterior::of(view, index);
    let others = (0..view.means.len()).filter(|&other| other != index);
    let rival = others.map(|other| Posterior::of(view, other).mean()).fold(f64::NEG_INFINITY, f64::max);
    if rival == f64::NEG_INFINITY {
        return Filled::words("There is no other action to choose.".into());
    }
    let (mean, count) = (posterior.mean(), posterior.count());
    let deviation = posterior.variance_of_next_mean(pulls).sqrt();
    let worth = deviation * exp_real(ln_gain((mean - rival).abs() / deviation));
    let [m, k, s, r] = [mean, count, deviation, rival].map(shown);
    let terms = format!("{s} · f(-|{m} - {r}| / {s})");
    Filled::equation("score", &terms, worth)
        .after(format!("s = √({m} · (1 - {m}) · {pulls} / (({k} + 1) · ({k} + {pulls}))) = {s}"))
        .after(format!("m = (1 + {}) / (2 + {}) = {m}", shown(posterior.wins - 1.0), shown(count - 2.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numerically: E max(0, Z - x) is the integral of (z - x) density(z) above x.
    #[test]
    fn gains_agree_with_sums() {
        for x in [0.0, 0.1, 0.7, 1.0, 2.0, 2.49, 2.51, 3.0, 5.0, 8.0] {
            let step = 1e-4;
            let sum: f64 = (0..120_000)
                .map(|at| (f64::from(at) + 0.5) * step)
                .map(|over| over * (-0.5 * over * over - x * over).exp() * step)
                .sum();
            let expect = sum.ln() - 0.5 * x * x - LN_ROOT_TWO_PI;
            assert!((ln_gain(x) - expect).abs() < 1e-7, "{x}: {} is not {expect}", ln_gain(x));
        }
    }

    #[test]
    fn the_table_is_close() {
        for (step, deviation) in (0..400_000).zip([0.3, 1e-3, 1e-6, 1e-9].into_iter().cycle()) {
            let x = f64::from(step) * 1e-4;
            let found = ln_worth(&TABLE, deviation * deviation, x * deviation);
            let expect = ln_gain(x) + deviation.ln();
            assert!((found - expect).abs() < 1e-4, "{deviation} {x}: {found} is not {expect}");
        }
    }

    /// Far out the expectation is density(x) / x^2 (1 - 3 / x^2 + 15 / x^4 ...), where exp gives 0.
    #[test]
    fn far_gains_do_not_underflow() {
        for x in [50.0f64, 1e3, 1e6] {
            let expect =
                -0.5 * x * x - LN_ROOT_TWO_PI - 2.0 * x.ln() + (1.0 - 3.0 / (x * x) + 15.0 / x.powi(4)).ln();
            assert!((ln_gain(x) - expect).abs() < 1e-6 + 1e-14 * x * x, "{x}");
        }
        assert!((1..4_000).all(|step| ln_gain(f64::from(step) * 0.01) < ln_gain(f64::from(step - 1) * 0.01)));
    }
}
