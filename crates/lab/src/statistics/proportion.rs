//! Intervals of a proportion: k successes in n independent trials.
//!
//! Wilson (1927): all p with |k/n - p| <= z sqrt(p (1-p) / n). It is close to its level on average, narrow, and never
//! outside 0..1. Clopper & Pearson (1934): all p that neither tail of the binomial distribution rejects. It is never
//! below its level, and so wider; its ends are beta quantiles. Brown, Cai & DasGupta (2001) compare them.

use super::Interval;
use super::distribution::{beta_quantile, is_level, normal_reach};

/// Wilson's interval. Without trials it is 0 to 1. None if there are more successes than trials or the level is not
/// between 0 and 1.
pub fn wilson(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    if trials == 0 && successes == 0 {
        return wilson_of_rate(0.0, 0.0, level);
    }
    wilson_of_rate(successes as f64 / trials as f64, trials as f64, level)
}

/// Wilson's interval of a rate over a number of trials that need not be whole, such as an effective one. It is 0 to 1
/// without trials. None if the rate is outside 0..=1, the trials are negative or the level is not between 0 and 1.
pub fn wilson_of_rate(rate: f64, trials: f64, level: f64) -> Option<Interval> {
    let reach = normal_reach(level)?;
    if !(0.0..=1.0).contains(&rate) || trials.is_nan() || trials < 0.0 {
        return None;
    }
    if trials == 0.0 {
        return Some(Interval { low: 0.0, high: 1.0 });
    }
    // The lower root of the quadratic equation, in a form without cancellation. The upper end is one minus the lower
    // end of the failures.
    let square = reach * reach / trials;
    let low = |rate: f64| {
        let root = (square * (rate * (1.0 - rate) + square / 4.0)).sqrt();
        rate * rate / (rate + square / 2.0 + root)
    };
    // A rate of 0 or 1 gives that exact end, so that its Elo is infinite.
    let low_end = if rate == 0.0 { 0.0 } else { low(rate) };
    let high_end = if rate == 1.0 { 1.0 } else { 1.0 - low(1.0 - rate) };
    Some(Interval { low: low_end, high: high_end })
}

/// The exact interval of Clopper and Pearson. Without trials it is 0 to 1. None if there are more successes than
/// trials or the level is not between 0 and 1.
pub fn clopper_pearson(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    if successes > trials || !is_level(level) {
        return None;
    }
    let tail = (1.0 - level) / 2.0;
    let failures = trials - successes;
    // The upper end is one minus the lower end of the failures.
    let low = |successes: u64, failures: u64| match successes {
        0 => 0.0,
        _ => beta_quantile(tail, successes as f64, failures as f64 + 1.0),
    };
    Some(Interval { low: low(successes, failures), high: 1.0 - low(failures, successes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_tried_nothing_known() {
        let whole = Some(Interval { low: 0.0, high: 1.0 });
        assert_eq!(wilson(0, 0, 0.95), whole);
        assert_eq!(clopper_pearson(0, 0, 0.95), whole);
    }

    #[test]
    fn ends_are_exact() {
        assert_eq!(wilson(0, 7, 0.95).unwrap().low, 0.0);
        assert_eq!(wilson(7, 7, 0.95).unwrap().high, 1.0);
        assert_eq!(clopper_pearson(7, 7, 0.95).unwrap().high, 1.0);
        // Without successes the upper end solves (1 - p)^n = (1 - level) / 2.
        let high = clopper_pearson(0, 7, 0.95).unwrap().high;
        assert!((high - (1.0 - 0.025f64.powf(1.0 / 7.0))).abs() < 1e-14);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(wilson(8, 7, 0.95), None);
        assert_eq!(wilson(1, 0, 0.95), None);
        assert_eq!(wilson(3, 7, 0.0), None);
        assert_eq!(wilson_of_rate(f64::NAN, 7.0, 0.95), None);
        assert_eq!(wilson_of_rate(0.5, -1.0, 0.95), None);
        assert_eq!(clopper_pearson(8, 7, 0.95), None);
        assert_eq!(clopper_pearson(3, 7, 1.0), None);
    }
}
