//! Turns pulls into a policy: the probability of each arm, for learning from a search or drawing a move from it.

use crate::Arm;
use crate::logarithm::{exp_real, ln_real};

/// Priors below this are raised to it before the logarithm.
pub(crate) const PRIOR_MIN: f64 = 1e-12;

/// The shares of the pulls, each to the power of 1/temperature. A temperature of 1 gives the shares themselves. A lower
/// one favours the most pulled arm, and 0 gives that arm alone, the first of equals. All shares are equal if nothing
/// was pulled.
pub fn visit_shares(pulls: &[u32], temperature: f32) -> Vec<f32> {
    let most = pulls.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return vec![1.0 / pulls.len() as f32; pulls.len()];
    }
    if temperature <= 0.0 {
        let best = pulls.iter().position(|&count| count == most);
        return (0..pulls.len()).map(|index| f32::from(u8::from(Some(index) == best))).collect();
    }
    let (top, sharpness) = (ln_real(most.into()), 1.0 / f64::from(temperature));
    let weight = |&count: &u32| match count {
        0 => 0.0,
        count => exp_real((ln_real(count.into()) - top) * sharpness),
    };
    normalised(pulls.iter().map(weight).collect())
}

/// The improved policy of Gumbel search (Danihelka et al. 2022, eq. 10 and 33): the softmax of ln prior + sigma(q).
/// The q of an untried arm is the mixed value. An empty `prior` means equal priors. `value` is the evaluation of the
/// position, from the chooser's side, if there was one.
///
/// ```text
/// sigma(q) = (c_visit + the most pulls of an arm) c_scale q
/// mixed value = (value + n (sum of prior q over tried arms) / (sum of their priors)) / (1 + n),  n all pulls
/// ```
pub fn improved_policy(
    arms: &[Arm],
    prior: &[f32],
    value: Option<f32>,
    c_visit: f32,
    c_scale: f32,
) -> Vec<f32> {
    let prior_of = |index: usize| prior.get(index).map_or(1.0 / arms.len() as f64, |&prior| f64::from(prior));
    let most = arms.iter().map(|arm| arm.pulls).max().unwrap_or(0);
    let scale = (f64::from(c_visit) + f64::from(most)) * f64::from(c_scale);
    let tried = arms.iter().enumerate().filter(|(_, arm)| arm.pulls > 0);
    let mixed = mixed_value(tried.map(|(index, arm)| (arm.pulls, prior_of(index), arm.mean)), value);
    let logits: Vec<f64> = (0..arms.len())
        .map(|index| {
            let q = if arms[index].pulls > 0 { f64::from(arms[index].mean) } else { mixed };
            ln_real(prior_of(index).max(PRIOR_MIN)) + scale * q
        })
        .collect();
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    normalised(logits.into_iter().map(|logit| exp_real(logit - highest)).collect())
}

/// The assumed value of an untried arm, from the pulls, the prior and the mean of each tried one.
pub(crate) fn mixed_value(tried: impl Iterator<Item = (u32, f64, f32)>, value: Option<f32>) -> f64 {
    let (mut pulls, mut sum, mut priors) = (0.0, 0.0, 0.0);
    for (count, prior, mean) in tried {
        let prior = prior.max(PRIOR_MIN);
        pulls += f64::from(count);
        sum += prior * f64::from(mean);
        priors += prior;
    }
    let of_tried = if priors > 0.0 { sum / priors } else { 0.5 };
    match value {
        Some(value) => (f64::from(value) + pulls * of_tried) / (1.0 + pulls),
        None => of_tried,
    }
}

fn normalised(weights: Vec<f64>) -> Vec<f32> {
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| (weight / sum) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: &[f32], expect: &[f32]) {
        let is_close =
            found.len() == expect.len() && found.iter().zip(expect).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(is_close, "{found:?}, not {expect:?}");
    }

    #[test]
    fn shares_by_hand() {
        check(&visit_shares(&[6, 3, 0, 1], 1.0), &[0.6, 0.3, 0.0, 0.1]);
        check(&visit_shares(&[6, 3, 0, 1], 0.5), &[36.0 / 46.0, 9.0 / 46.0, 0.0, 1.0 / 46.0]);
        check(&visit_shares(&[3, 6, 6], 0.0), &[0.0, 1.0, 0.0]);
        check(&visit_shares(&[0, 0], 1.0), &[0.5, 0.5]);
        // The power is taken of the shares, since that of the counts would overflow any float.
        check(&visit_shares(&[4_000_000_000, 3_999_999_999, 5], 0.001), &[0.5, 0.5, 0.0]);
    }

    /// With c_visit = 1 and at most one pull, sigma(q) is 2 q. The untried arm has the mixed value
    /// (0.4 + 2 x 0.575) / 3.
    #[test]
    fn improved_policy_by_hand() {
        let arms = [Arm { pulls: 1, mean: 0.8 }, Arm { pulls: 1, mean: 0.2 }, Arm { pulls: 0, mean: 0.0 }];
        let prior = [0.5, 0.3, 0.2];
        let mixed: f64 = (0.4 + 2.0 * (0.5 * 0.8 + 0.3 * 0.2) / 0.8) / 3.0;
        let weights = [0.5 * 1.6f64.exp(), 0.3 * 0.4f64.exp(), 0.2 * (2.0 * mixed).exp()];
        let sum: f64 = weights.iter().sum();
        let expect = weights.map(|weight| (weight / sum) as f32);
        check(&improved_policy(&arms, &prior, Some(0.4), 1.0, 1.0), &expect);
        // Without pulls the policy is the prior.
        check(&improved_policy(&[Arm { pulls: 0, mean: 0.0 }; 3], &prior, Some(0.4), 50.0, 1.0), &prior);
        // Without priors and values all arms are equal.
        check(&improved_policy(&[Arm { pulls: 0, mean: 0.0 }; 2], &[], None, 50.0, 1.0), &[0.5, 0.5]);
    }
}
