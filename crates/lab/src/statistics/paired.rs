//! The paired t-test (Student 1908): two measurements of each trial, compared by their differences.
//!
//! t = mean difference / its standard error, with n - 1 degrees of freedom.

use serde::Serialize;

use super::distribution::student_two_sided;
use super::mean::{Estimate, estimate};

/// The comparison of two paired samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The mean of `a - b`.
    pub difference: Estimate,
    /// The mean difference in standard errors. Infinite if all differences are equal and not 0; 0 if all are 0. JSON
    /// has `null` for infinity.
    pub t: f64,
    /// The two-sided p-value: the probability of a t at least this far from 0 if there were no difference.
    pub p: f64,
}

/// Compares two samples whose values are paired one by one. None with fewer than two pairs, or if the lengths differ.
pub fn paired(a: &[f64], b: &[f64]) -> Option<Paired> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let difference = estimate(&differences)?;
    let t = if difference.value == 0.0 { 0.0 } else { difference.value / difference.error };
    let p = student_two_sided(t, (differences.len() - 1) as f64);
    Some(Paired { difference, t, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_all_alike() {
        let same = paired(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((same.t, same.p), (0.0, 1.0));
        let shifted = paired(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]).unwrap();
        assert_eq!((shifted.t, shifted.p), (f64::NEG_INFINITY, 0.0));
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(paired(&[], &[]), None);
        assert_eq!(paired(&[1.0], &[2.0]), None);
        assert_eq!(paired(&[1.0, 2.0], &[2.0]), None);
    }
}
