//! Dirichlet noise on priors, as AlphaZero adds at the root (Silver et al. 2018). A random share replaces a part of
//! each prior, so that the search also tries arms that a confident policy dismisses.

use crate::Rng;
use crate::draw::gamma;

/// Dirichlet noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dirichlet {
    /// How even the noise is: small numbers put most of it on few arms. AlphaZero uses about 10 divided by the number
    /// of arms.
    pub alpha: f32,
    /// The part of each prior that noise replaces, from 0 to 1; AlphaZero uses a quarter.
    pub share: f32,
}

impl Default for Dirichlet {
    fn default() -> Dirichlet {
        Dirichlet { alpha: 0.3, share: 0.25 }
    }
}

impl Dirichlet {
    /// The least [`alpha`](Dirichlet::alpha).
    pub const ALPHA_MIN: f32 = 1e-3;

    /// Adds noise to priors that sum to 1. They still do afterwards.
    pub fn add_to(&self, priors: &mut [f32], rng: &mut Rng) {
        let alpha = f64::from(self.alpha.max(Dirichlet::ALPHA_MIN));
        let noise: Vec<f64> = priors.iter().map(|_| gamma(alpha, rng)).collect();
        let sum: f64 = noise.iter().sum();
        // With a tiny alpha all draws can underflow to 0.
        if sum <= 0.0 {
            return;
        }
        let share = f64::from(self.share.clamp(0.0, 1.0));
        for (prior, noise) in priors.iter_mut().zip(noise) {
            *prior = ((1.0 - share) * f64::from(*prior) + share * noise / sum) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Dirichlet share of k arms has the mean 1/k and the variance (k - 1) / (k^2 (k alpha + 1)).
    #[test]
    fn moments_are_those_of_the_distribution() {
        for (alpha, arms) in [(0.03, 40), (0.3, 7), (1.0, 3), (4.0, 5)] {
            let (mut rng, draws) = (Rng::seeded(1), 20_000);
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let mut priors = vec![1.0 / arms as f32; arms];
                Dirichlet { alpha, share: 1.0 }.add_to(&mut priors, &mut rng);
                assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                sum += f64::from(priors[0]);
                squares += f64::from(priors[0]) * f64::from(priors[0]);
            }
            let (mean, k) = (sum / f64::from(draws), arms as f64);
            let variance = squares / f64::from(draws) - mean * mean;
            let expect = (k - 1.0) / (k * k * (k * f64::from(alpha) + 1.0));
            assert!(
                (mean - 1.0 / k).abs() < 5.0 * (expect / f64::from(draws)).sqrt(),
                "alpha {alpha}: mean {mean}"
            );
            assert!(
                (variance / expect - 1.0).abs() < 0.1,
                "alpha {alpha}: variance {variance}, not {expect}"
            );
        }
    }

    #[test]
    fn a_share_is_left_of_each_prior() {
        let mut priors = [0.9, 0.1, 0.0];
        Dirichlet { alpha: 0.3, share: 0.25 }.add_to(&mut priors, &mut Rng::seeded(3));
        assert!(priors[0] >= 0.675 && priors[1] >= 0.075 && priors[2] > 0.0);
        let mut same = [0.9, 0.1, 0.0];
        Dirichlet { alpha: 0.3, share: 0.0 }.add_to(&mut same, &mut Rng::seeded(3));
        assert_eq!(same, [0.9, 0.1, 0.0]);
    }
}
