//! Transcendental functions with the same bits on every machine. C libraries differ in the last digits.

use std::f64::consts::{LN_2, LOG2_E};

/// e^x, to a relative error of 1e-13. Below -700 it is 0, above 700 it stays at e^700.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let power = (x * LOG2_E + 0.5).floor();
    // |rest| is at most ln 2 / 2; the series to the 13th power leaves less than 1e-16.
    let rest = x - power * LN_2;
    let mut sum = 1.0;
    for term in (1..14).rev() {
        sum = 1.0 + sum * rest / f64::from(term);
    }
    sum * f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// 1 / (1 + e^-x).
pub fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + exp(-x))
    } else {
        let power = exp(x);
        power / (1.0 + power)
    }
}

/// The natural logarithm of a number above 0, to 1e-13.
pub fn ln(x: f64) -> f64 {
    let x = x.max(f64::MIN_POSITIVE);
    let bits = x.to_bits();
    let mut power = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        power += 1;
    }
    // 2 artanh(z) with z at most 0.172: the series to z^21 leaves less than 1e-17.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let mut sum = 0.0;
    for term in (0..11).rev() {
        sum = sum * square + 1.0 / f64::from(2 * term + 1);
    }
    2.0 * z * sum + power as f64 * LN_2
}

/// Turns logits into probabilities. Returns the logarithm of the sum that they were divided by.
pub fn softmax(numbers: &mut [f32]) -> f64 {
    let highest = f64::from(numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let mut sum = 0.0;
    for number in &*numbers {
        sum += exp(f64::from(*number) - highest);
    }
    for number in numbers {
        *number = (exp(f64::from(*number) - highest) / sum) as f32;
    }
    highest + ln(sum)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the system's functions are the oracle")]
mod tests {
    use super::*;
    use aji_bandit::Rng;

    #[test]
    fn functions_agree_with_the_system() {
        let mut rng = Rng::seeded(1);
        for _ in 0..20_000 {
            let x = f64::from(rng.unit() - 0.5) * 60.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "{x}");
            assert!((ln(x.exp()) - x).abs() < 1e-12 * (1.0 + x.abs()), "{x}");
            assert!((logistic(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-14, "{x}");
        }
        assert_eq!((exp(0.0), exp(-1e9), ln(1.0), logistic(0.0)), (1.0, 0.0, 0.0, 0.5));
        assert!(exp(1e9).is_finite() && ln(0.0).is_finite());
    }

    #[test]
    fn softmax_by_hand() {
        let mut numbers = [1000.0, 1000.0 + 3f32.ln()];
        let log = softmax(&mut numbers);
        assert!((numbers[0] - 0.25).abs() < 1e-5 && (numbers[1] - 0.75).abs() < 1e-5, "{numbers:?}");
        assert!((log - (1000.0 + 4f64.ln())).abs() < 1e-3);
    }
}
