//! The bootstrap (Efron 1979): the interval of any statistic, from its values on samples drawn from the sample
//! itself.
//!
//! The percentile interval takes the quantiles of these values. BCa (Efron 1987) corrects the quantiles for bias and
//! acceleration. The bias z0 is the normal quantile of the share of values below the statistic (ties half). The
//! acceleration is a = sum d_i^3 / (6 (sum d_i^2)^(3/2)). Here d_i is the mean of the leave-one-out statistics minus
//! the one without value i. The quantile at Phi(z) becomes the one at Phi(z0 + (z0 + z) / (1 - a (z0 + z))).
//!
//! It is not for small samples: with fewer than about twenty values its intervals are too narrow.

use aji_search::Rng;

use super::Interval;
use super::distribution::{is_level, normal_cumulative, normal_quantile};

/// How to resample. Values that are not independent belong in one element of the sample, such as the list of values
/// of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How many samples to draw. With 10,000, the ends of an interval move by about 1% of its width.
    pub resamples: usize,
    /// The level of the interval.
    pub level: f64,
}

impl Bootstrap {
    /// The percentile interval. None for an empty sample, without resamples, if the level is not between 0 and 1, or
    /// if the statistic of a resample is not finite.
    pub fn percentile<T: Clone>(
        &self,
        values: &[T],
        statistic: impl Fn(&[T]) -> f64,
        rng: &mut Rng,
    ) -> Option<Interval> {
        let statistics = self.resampled(values, &statistic, rng)?;
        let tail = (1.0 - self.level) / 2.0;
        Some(Interval { low: quantile(&statistics, tail), high: quantile(&statistics, 1.0 - tail) })
    }

    /// The interval corrected for bias and acceleration. None if [`Bootstrap::percentile`] is, with fewer than two
    /// values, or if all resamples lie on one side of the statistic.
    pub fn bca<T: Clone>(
        &self,
        values: &[T],
        statistic: impl Fn(&[T]) -> f64,
        rng: &mut Rng,
    ) -> Option<Interval> {
        let acceleration = acceleration(values, &statistic)?;
        let statistics = self.resampled(values, &statistic, rng)?;
        let bias = normal_quantile(part_below(&statistics, statistic(values)));
        if !bias.is_finite() {
            return None;
        }
        let end = |probability: f64| {
            let shifted = bias + normal_quantile(probability);
            quantile(&statistics, normal_cumulative(bias + shifted / (1.0 - acceleration * shifted)))
        };
        let tail = (1.0 - self.level) / 2.0;
        Some(Interval { low: end(tail), high: end(1.0 - tail) })
    }

    /// The statistic on every resample, sorted.
    fn resampled<T: Clone>(
        &self,
        values: &[T],
        statistic: &impl Fn(&[T]) -> f64,
        rng: &mut Rng,
    ) -> Option<Vec<f64>> {
        if values.is_empty() || self.resamples == 0 || !is_level(self.level) {
            return None;
        }
        let mut resample = values.to_vec();
        let mut statistics = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            resample.iter_mut().for_each(|value| value.clone_from(&values[rng.below(values.len())]));
            statistics.push(statistic(&resample));
        }
        statistics.sort_by(f64::total_cmp);
        statistics.iter().all(|value| value.is_finite()).then_some(statistics)
    }
}

/// The acceleration of a statistic, by leaving out one value at a time. None with fewer than two values, or if it is
/// not finite.
fn acceleration<T: Clone>(values: &[T], statistic: &impl Fn(&[T]) -> f64) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let without = |left_out: usize| {
        let rest: Vec<T> = [&values[..left_out], &values[left_out + 1..]].concat();
        statistic(&rest)
    };
    let statistics: Vec<f64> = (0..values.len()).map(without).collect();
    let mean = statistics.iter().sum::<f64>() / values.len() as f64;
    let power = |exponent| statistics.iter().map(|value| (mean - value).powi(exponent)).sum::<f64>();
    let squares = power(2);
    if squares == 0.0 {
        return Some(0.0);
    }
    let acceleration = power(3) / (6.0 * squares.powf(1.5));
    acceleration.is_finite().then_some(acceleration)
}

/// The share of sorted values below a value; an equal one counts half.
fn part_below(sorted: &[f64], value: f64) -> f64 {
    let below = sorted.partition_point(|&other| other < value);
    let up_to = sorted.partition_point(|&other| other <= value);
    (below + up_to) as f64 / (2 * sorted.len()) as f64
}

/// The quantile of at least one sorted value, by linear interpolation (type 7 of Hyndman & Fan 1996).
fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let position = probability.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::mean;

    const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 500, level: 0.9 };

    fn mean_of(values: &[f64]) -> f64 {
        mean(values).unwrap_or(f64::NAN)
    }

    #[test]
    fn quantiles_by_hand() {
        let sorted = [1.0, 2.0, 4.0];
        for (probability, expect) in [(0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.75, 3.0), (1.0, 4.0)] {
            assert_eq!(quantile(&sorted, probability), expect);
        }
        assert_eq!(part_below(&sorted, 2.0), 0.5);
        assert_eq!(part_below(&sorted, 3.0), 2.0 / 3.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..30).map(|value| f64::from(value * value % 17)).collect();
        let run = |seed| BOOTSTRAP.bca(&values, mean_of, &mut Rng::seeded(seed)).unwrap();
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(1).contains(mean_of(&values)));
    }

    #[test]
    fn values_all_alike() {
        let point = Some(Interval { low: 2.0, high: 2.0 });
        assert_eq!(BOOTSTRAP.percentile(&[2.0; 5], mean_of, &mut Rng::seeded(1)), point);
        assert_eq!(BOOTSTRAP.bca(&[2.0; 5], mean_of, &mut Rng::seeded(1)), point);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        let rng = &mut Rng::seeded(1);
        assert_eq!(BOOTSTRAP.percentile(&[], mean_of, rng), None);
        assert_eq!(BOOTSTRAP.bca(&[1.0], mean_of, rng), None);
        assert_eq!(BOOTSTRAP.percentile(&[1.0, 2.0], |_| f64::NAN, rng), None);
        assert_eq!(BOOTSTRAP.bca(&[1.0, 2.0], |_| f64::NAN, rng), None);
        assert_eq!(Bootstrap { resamples: 0, ..BOOTSTRAP }.percentile(&[1.0, 2.0], mean_of, rng), None);
        assert_eq!(Bootstrap { level: 1.0, ..BOOTSTRAP }.percentile(&[1.0, 2.0], mean_of, rng), None);
    }
}
