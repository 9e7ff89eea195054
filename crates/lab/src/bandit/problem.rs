//! Random bandits: the means of their arms, and how the rewards vary around them.

use crate::Error;
use aji_search::Rng;
use aji_search::bandit::decimal_number;
use rand_distr::{Beta, Distribution};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};
use std::str::FromStr;

/// The most arms.
pub const ARMS_MAX: usize = 10_000;

/// A kind of bandit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// The number of arms.
    pub arms: usize,
    /// Their mean rewards.
    pub means: Means,
    /// The distribution of rewards.
    pub rewards: Rewards,
}

/// The mean rewards of arms, drawn independently.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// Uniform in 0..1.
    Uniform,
    /// From a beta distribution.
    Beta(f64, f64),
    /// These, in random order.
    List(Vec<f64>),
}

/// The distribution of an arm's rewards, in 0..=1, given its mean m.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewards {
    /// 1 or 0.
    Bernoulli,
    /// From Beta(4 m, 4 (1 - m)).
    Beta,
    /// From a normal distribution with standard deviation 1/4. It is truncated on both sides at the distance to the
    /// nearer of 0 and 1, which preserves the mean.
    Gauss,
}

/// a + b of rewards from Beta(a, b).
const CONCENTRATION: f64 = 4.0;

/// The standard deviation of normal rewards, before truncation.
const DEVIATION: f64 = 0.25;

impl Problem {
    /// An error if the problem is invalid.
    pub fn check(&self) -> Result<(), Error> {
        if !(1..=ARMS_MAX).contains(&self.arms) {
            return Err(Error::new(format!("{} arms: expected 1 to {ARMS_MAX}", self.arms)));
        }
        match &self.means {
            Means::List(means) if means.len() != self.arms => {
                let (given, arms) = (means.len(), self.arms);
                Err(Error::new(format!("{given} means for {arms} arms: expected one mean for each arm")))
            }
            _ => Ok(()),
        }
    }

    /// Draws the means of one bandit.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        match &self.means {
            Means::Uniform => (0..self.arms).map(|_| unit(rng)).collect(),
            Means::Beta(a, b) => (0..self.arms).map(|_| beta(*a, *b, rng)).collect(),
            Means::List(means) => {
                let mut means = means.clone();
                for last in (1..means.len()).rev() {
                    means.swap(last, rng.below(last + 1));
                }
                means
            }
        }
    }
}

impl Rewards {
    /// Draws the reward of one pull of an arm with this mean.
    pub fn draw(self, mean: f64, rng: &mut Rng) -> f32 {
        match self {
            Rewards::Bernoulli => f32::from(unit(rng) < mean),
            Rewards::Beta => beta(CONCENTRATION * mean, CONCENTRATION * (1.0 - mean), rng) as f32,
            Rewards::Gauss => {
                let reach = mean.min(1.0 - mean) / DEVIATION;
                let normal = Normal::standard();
                let low = normal.cdf(-reach);
                let place = low + (1.0 - 2.0 * low) * unit(rng);
                let away = DEVIATION * normal.inverse_cdf(place).clamp(-reach, reach);
                (mean + away).clamp(0.0, 1.0) as f32
            }
        }
    }
}

/// A number in 0..1 with 53 bits.
fn unit(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// A number from Beta(a, b). If a or b is 0, all its weight is at one end.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    Beta::new(a, b).map_or(if a > b { 1.0 } else { 0.0 }, |beta| beta.sample(rng))
}

impl FromStr for Means {
    type Err = Error;

    /// `uniform`, `beta:2,5`, or a list such as `0.9,0.8,0.8`.
    fn from_str(text: &str) -> Result<Means, Error> {
        let wrong = || Error::new(format!("\"{text}\": expected uniform, beta:A,B or means such as 0.9,0.5"));
        let numbers = |text: &str, low: f64, high: f64| -> Result<Vec<f64>, Error> {
            let number =
                |text: &str| decimal_number(text.trim()).filter(|number| (low..=high).contains(number));
            text.split(',').map(|text| number(text).ok_or_else(wrong)).collect()
        };
        if text == "uniform" {
            return Ok(Means::Uniform);
        }
        let Some(shape) = text.strip_prefix("beta:") else {
            return Ok(Means::List(numbers(text, 0.0, 1.0)?));
        };
        match numbers(shape, 1e-3, 1e6)?[..] {
            [a, b] => Ok(Means::Beta(a, b)),
            _ => Err(wrong()),
        }
    }
}

impl FromStr for Rewards {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rewards, Error> {
        match text {
            "bernoulli" => Ok(Rewards::Bernoulli),
            "beta" => Ok(Rewards::Beta),
            "gauss" => Ok(Rewards::Gauss),
            _ => Err(Error::new(format!("\"{text}\": expected bernoulli, beta or gauss"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every kind, rewards have the right mean and stay within 0..=1.
    #[test]
    fn rewards_have_their_means() {
        let mut rng = Rng::seeded(1);
        for rewards in [Rewards::Bernoulli, Rewards::Beta, Rewards::Gauss] {
            for mean in [0.0, 0.03, 0.4, 0.9, 1.0] {
                let drawn: Vec<f32> = (0..40_000).map(|_| rewards.draw(mean, &mut rng)).collect();
                assert!(drawn.iter().all(|reward| (0.0..=1.0).contains(reward)));
                let found = drawn.iter().map(|&reward| f64::from(reward)).sum::<f64>() / 40_000.0;
                // The standard error is at most 0.0025.
                assert!((found - mean).abs() < 0.01, "{rewards:?} of {mean}: {found}");
            }
        }
    }

    #[test]
    fn means_are_read_and_drawn() {
        let mut rng = Rng::seeded(2);
        let mut draw = |means: &str, arms| {
            let problem = Problem { arms, means: means.parse().expect(means), rewards: Rewards::Bernoulli };
            problem.check().expect(means);
            problem.draw(&mut rng)
        };
        let mean = |means: Vec<f64>| means.iter().sum::<f64>() / means.len() as f64;
        assert!((mean(draw("uniform", 10_000)) - 0.5).abs() < 0.02);
        assert!((mean(draw("beta:1,3", 10_000)) - 0.25).abs() < 0.02);
        let mut listed = draw("0.9, 0.1,0.5", 3);
        listed.sort_by(f64::total_cmp);
        assert_eq!(listed, [0.1, 0.5, 0.9]);
    }

    #[test]
    fn mistakes_are_named() {
        for text in ["", "beta", "beta:1", "beta:1,0", "0.5,2", "x"] {
            let error = text.parse::<Means>().expect_err(text).to_string();
            assert_eq!(error, format!("\"{text}\": expected uniform, beta:A,B or means such as 0.9,0.5"));
        }
        let problem = Problem { arms: 3, means: Means::List(vec![0.5]), rewards: Rewards::Bernoulli };
        assert_eq!(
            problem.check().expect_err("too few").to_string(),
            "1 means for 3 arms: expected one mean for each arm"
        );
    }
}
