//! The mean and its error, over independent values and over values that share a cluster.
//!
//! The variance takes two passes, with a correction for the rounding of the mean (Chan, Golub & LeVeque 1983,
//! equation 1.7). For clusters the mean is a ratio of totals, sum S_g / sum m_g, over the sums and sizes of the
//! clusters. Its error is that of the ratio estimator (Cochran 1977, section 6.4): se^2 = G/(G-1) sum (S_g - m_g
//! mean)^2 / (sum m_g)^2 for G clusters. This is also the cluster-robust error of a regression on a constant.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::Interval;
use super::distribution::{normal_reach, student_reach};

/// Decimals of an estimate whose error is 0 or not finite.
const DECIMALS: usize = 3;

/// A value and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The degrees of freedom of the error if it was estimated from the spread of the values; None if it comes from a
    /// model.
    pub degrees: Option<u64>,
}

impl Estimate {
    /// The interval of this level around the value. It uses Student's t if the degrees of freedom are known, and
    /// otherwise the normal distribution. None if the level is not between 0 and 1.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        let reach = match self.degrees {
            Some(degrees) => student_reach(level, degrees as f64)?,
            None => normal_reach(level)?,
        };
        Some(Interval { low: self.value - reach * self.error, high: self.value + reach * self.error })
    }
}

/// `0.512 ± 0.013`: two significant digits of the error, or the precision of the format.
impl fmt::Display for Estimate {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let decimals = formatter.precision().unwrap_or_else(|| decimals_of(self.error));
        write!(formatter, "{:.decimals$} ± {:.decimals$}", self.value, self.error)
    }
}

/// The mean; None without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample variance, with denominator n - 1. None with fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let (count, mean) = (values.len() as f64, mean(values)?);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let drift: f64 = values.iter().map(|value| value - mean).sum();
    Some((squares - drift * drift / count) / (count - 1.0))
}

/// The standard error of the mean. None with fewer than two values.
pub fn standard_error(values: &[f64]) -> Option<f64> {
    Some((variance(values)? / values.len() as f64).sqrt())
}

/// The mean of independent values with its standard error. None with fewer than two values.
pub fn estimate(values: &[f64]) -> Option<Estimate> {
    let degrees = Some(values.len() as u64).map(|count| count.saturating_sub(1));
    Some(Estimate { value: mean(values)?, error: standard_error(values)?, degrees })
}

/// The mean of values in clusters, each value with the key of its cluster. Trials that share a game are not
/// independent; only the games are. All values have the same weight. None with fewer than two clusters.
pub fn cluster_estimate<Key: Ord>(values: impl IntoIterator<Item = (Key, f64)>) -> Option<Estimate> {
    // In order of the keys, so that sums do not depend on the order in which clusters arrive.
    let mut clusters: BTreeMap<Key, (f64, f64)> = BTreeMap::new();
    for (key, value) in values {
        let (sum, size) = clusters.entry(key).or_default();
        *sum += value;
        *size += 1.0;
    }
    estimate_of_clusters(&clusters.into_values().collect::<Vec<_>>())
}

/// The same from the sum and the size of each cluster.
pub fn estimate_of_clusters(clusters: &[(f64, f64)]) -> Option<Estimate> {
    if clusters.len() < 2 {
        return None;
    }
    let count = clusters.len() as f64;
    let total: f64 = clusters.iter().map(|(_, size)| size).sum();
    let mean = clusters.iter().map(|(sum, _)| sum).sum::<f64>() / total;
    let squares: f64 = clusters.iter().map(|(sum, size)| (sum - size * mean).powi(2)).sum();
    let error = (count / (count - 1.0) * squares).sqrt() / total;
    Some(Estimate { value: mean, error, degrees: Some(clusters.len() as u64 - 1) })
}

/// Values that are counted one by one and not kept (Welford 1962).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// The sum of the squares of the distances from the mean.
    squares: f64,
}

impl Moments {
    /// Counts a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    /// The mean of the values with its standard error, as [`estimate`] gives it. None with fewer than two values.
    pub fn estimate(&self) -> Option<Estimate> {
        let degrees = self.count.checked_sub(1).filter(|&degrees| degrees > 0)?;
        let variance = self.squares / degrees as f64;
        let error = (variance / self.count as f64).sqrt();
        Some(Estimate { value: self.mean, error, degrees: Some(degrees) })
    }
}

/// The decimals that show two significant digits of an error.
fn decimals_of(error: f64) -> usize {
    if !error.is_finite() || error <= 0.0 {
        return DECIMALS;
    }
    // Rounds to two digits first: 0.0996 prints as 0.10, not as 0.100.
    let text = format!("{error:.1e}");
    let exponent: i32 = text.split_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
    (1 - exponent).max(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(mean(&values), Some(5.0));
        assert_eq!(variance(&values), Some(32.0 / 7.0));
        assert_eq!(estimate(&values).unwrap().degrees, Some(7));
    }

    /// A large offset does not hide a small spread.
    #[test]
    fn variance_is_stable() {
        let values: Vec<f64> = [4.0, 7.0, 13.0, 16.0].iter().map(|value| value + 1e9).collect();
        assert_eq!(variance(&values), Some(30.0));
        let (one_by_one, at_once) = (counted(&values).unwrap(), estimate(&values).unwrap());
        assert_eq!((one_by_one.value, one_by_one.degrees), (at_once.value, at_once.degrees));
        assert!((one_by_one.error / at_once.error - 1.0).abs() < 1e-9, "{one_by_one:?} {at_once:?}");
    }

    fn counted(values: &[f64]) -> Option<Estimate> {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        moments.estimate()
    }

    #[test]
    fn values_counted_one_by_one() {
        assert_eq!((counted(&[]), counted(&[3.0])), (None, None));
        let values: Vec<f64> = (0..1000).map(|step| f64::from(step * step % 77) / 7.0).collect();
        let (one_by_one, at_once) = (counted(&values).unwrap(), estimate(&values).unwrap());
        assert!((one_by_one.value - at_once.value).abs() < 1e-12);
        assert!((one_by_one.error - at_once.error).abs() < 1e-12);
        assert_eq!(one_by_one.degrees, at_once.degrees);
    }

    #[test]
    fn too_few_values() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[3.0]), Some(3.0));
        assert_eq!(estimate(&[]), None);
        assert_eq!(estimate(&[3.0]), None);
        assert_eq!(cluster_estimate([(1, 2.0), (1, 3.0)]), None);
        assert_eq!(cluster_estimate::<u64>([]), None);
    }

    /// Clusters of one value are independent values; a cluster that repeats its value counts once.
    #[test]
    fn clusters_at_their_extremes() {
        let values = [0.2, 0.9, 0.4, 0.7, 0.1];
        let alone = estimate(&values).unwrap();
        let single = cluster_estimate(values.iter().copied().enumerate()).unwrap();
        let twice = cluster_estimate((0..10).map(|trial| (trial / 2, values[trial / 2]))).unwrap();
        for found in [single, twice] {
            assert!((found.value - alone.value).abs() < 1e-15, "{found} is not {alone}");
            assert!((found.error - alone.error).abs() < 1e-15, "{found} is not {alone}");
            assert_eq!(found.degrees, alone.degrees);
        }
    }

    #[test]
    fn prints_two_digits_of_the_error() {
        let check = |value, error, expect: &str| {
            assert_eq!(Estimate { value, error, degrees: None }.to_string(), expect);
        };
        check(0.51234, 0.0131, "0.512 ± 0.013");
        check(0.51234, 0.0996, "0.51 ± 0.10");
        check(-35.2, 12.6, "-35 ± 13");
        check(1234.5, 350.0, "1234 ± 350");
        check(0.5, 0.0, "0.500 ± 0.000");
        let estimate = Estimate { value: 0.5, error: 0.01, degrees: None };
        assert_eq!(format!("{estimate:.1}"), "0.5 ± 0.0");
    }

    #[test]
    fn no_interval_without_a_level() {
        let estimate = Estimate { value: 0.5, error: 0.01, degrees: Some(9) };
        assert_eq!(estimate.interval(0.0), None);
        assert_eq!(estimate.interval(1.0), None);
        // Student's t of nine degrees reaches 2.262 errors, the normal distribution 1.960.
        assert!((estimate.interval(0.95).unwrap().high - 0.52262).abs() < 1e-5);
        let normal = Estimate { degrees: None, ..estimate };
        assert!((normal.interval(0.95).unwrap().high - 0.51960).abs() < 1e-5);
    }
}
