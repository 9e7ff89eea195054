//! The normal, Student and beta distributions: cumulative probabilities and quantiles, to about 1e-11.
//!
//! The incomplete beta function uses the continued fraction 8.17.22 of the NIST Digital Library of Mathematical
//! Functions, by the method of Lentz. statrs has it too, but stops after 140 terms. That is too few for matches of
//! many thousand games, which need about sqrt(a + b) terms. Quantiles are found by bisection.

use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::ln_gamma;

/// Terms of the continued fraction. Enough for parameters up to about 10^8.
const TERMS_MAX: u32 = 50_000;

/// Halvings of a quantile's bracket. The smallest positive f64 is 1074 halvings below 1. The search stops when the
/// ends are neighbours, usually after 60.
const HALVINGS_MAX: u32 = 1_100;

/// The probability that a standard normal number is at most `x`.
pub fn normal_cumulative(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The value that a standard normal number stays below with this probability. Infinite at 0 and 1, NaN outside.
pub fn normal_quantile(probability: f64) -> f64 {
    if !(0.0..=1.0).contains(&probability) {
        return f64::NAN;
    }
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * probability)
}

/// The half-width of a normal interval of this level, in standard errors. None if the level is not between 0 and 1.
pub fn normal_reach(level: f64) -> Option<f64> {
    is_level(level).then(|| -normal_quantile((1.0 - level) / 2.0))
}

/// The probability that a Student t with these degrees of freedom is at least as far from 0 as `t`, on either side.
pub fn student_two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    beta_cumulative(degrees / (degrees + t * t), degrees / 2.0, 0.5)
}

/// The half-width of a Student interval of this level, in standard errors. None if the level is not between 0 and 1,
/// or without degrees of freedom.
pub fn student_reach(level: f64, degrees: f64) -> Option<f64> {
    if !is_level(level) || degrees.is_nan() || degrees <= 0.0 {
        return None;
    }
    // Of the two complementary fractions, the smaller one is precise.
    let beyond = beta_quantile(1.0 - level, degrees / 2.0, 0.5);
    if beyond < 0.5 {
        return Some((degrees * (1.0 - beyond) / beyond).sqrt());
    }
    let within = beta_quantile(level, 0.5, degrees / 2.0);
    Some((degrees * within / (1.0 - within)).sqrt())
}

/// The regularised incomplete beta function: the probability that a beta(a, b) number is at most `x`. NaN unless both
/// parameters are positive.
pub fn beta_cumulative(x: f64, a: f64, b: f64) -> f64 {
    if x.is_nan() || a.is_nan() || b.is_nan() || a <= 0.0 || b <= 0.0 {
        return f64::NAN;
    }
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let logarithm = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    // The fraction converges fast on this side of the mean; on the other side its mirror image does.
    if x < (a + 1.0) / (a + b + 2.0) {
        logarithm.exp() * continued_fraction(x, a, b) / a
    } else {
        1.0 - logarithm.exp() * continued_fraction(1.0 - x, b, a) / b
    }
}

/// The value that a beta(a, b) number stays below with this probability. NaN unless both parameters are positive and
/// the probability is in 0..=1.
pub fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    let invalid = a.is_nan() || b.is_nan() || a <= 0.0 || b <= 0.0;
    if invalid || !(0.0..=1.0).contains(&probability) {
        return f64::NAN;
    }
    if probability == 0.0 || probability == 1.0 {
        return probability;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS_MAX {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if beta_cumulative(middle, a, b) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Whether this is a valid level of an interval: above 0 and below 1.
pub(crate) fn is_level(level: f64) -> bool {
    level > 0.0 && level < 1.0
}

/// The continued fraction of the incomplete beta function, 1/(1 + d1/(1 + d2/(1 + ...))).
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    // Replaces a zero denominator.
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let nonzero = |value: f64| if value.abs() < tiny { tiny } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for term in 1..=TERMS_MAX {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / nonzero(1.0 + coefficient * d);
            c = nonzero(1.0 + coefficient / c);
            factor = c * d;
            fraction *= factor;
        }
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expect: f64) {
        assert!((found - expect).abs() <= 1e-12 * expect.abs(), "{found} is not {expect}");
    }

    /// Beta(a, 1) has the cumulative x^a, Beta(1, b) has 1 - (1 - x)^b, and Student with one degree is Cauchy.
    #[test]
    fn closed_forms() {
        check(beta_cumulative(0.3, 7.0, 1.0), 0.3f64.powi(7));
        check(beta_cumulative(0.9, 1.0, 4.0), 1.0 - 0.1f64.powi(4));
        check(beta_quantile(0.25, 2.0, 1.0), 0.5);
        check(beta_quantile(1e-200, 2.0, 1.0), 1e-100);
        check(student_two_sided(1.0, 1.0), 0.5);
        check(student_reach(0.5, 1.0).unwrap(), 1.0);
        check(student_reach(0.95, 1.0).unwrap(), (std::f64::consts::FRAC_PI_2 * 0.95).tan());
        check(normal_cumulative(0.0), 0.5);
    }

    #[test]
    fn a_student_of_many_degrees_is_normal() {
        let (student, normal) = (student_reach(0.95, 1e7).unwrap(), normal_reach(0.95).unwrap());
        assert!((student - normal).abs() < 1e-6, "{student} is not {normal}");
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(normal_reach(1.0), None);
        assert_eq!(normal_reach(f64::NAN), None);
        assert_eq!(student_reach(0.95, 0.0), None);
        assert!(beta_cumulative(0.5, 0.0, 1.0).is_nan());
        assert!(beta_quantile(1.5, 1.0, 1.0).is_nan());
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert_eq!(student_two_sided(f64::NEG_INFINITY, 3.0), 0.0);
    }
}
