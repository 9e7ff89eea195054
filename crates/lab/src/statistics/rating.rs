//! Ratings of the players of a tournament: the model of Bradley & Terry (1952) by maximum likelihood, in Elo.
//!
//! Player i expects sigma(r_i - r_j) of a game against j, sigma(r) = 1 / (1 + exp(-r)); a draw is half a win and half a
//! loss. Newton's method on the logarithm of the likelihood, which is concave. Standard errors are from the inverse of
//! the Fisher information, in the plane where the ratings' mean is 0.
//!
//! A perfect score has no finite rating, and players that never met no common scale. So every player also drew
//! `PRIOR_GAMES` games against a virtual player of rating 0. It pulls ratings together by about as much as so many games
//! can, and makes errors as much smaller.
//!
//! The errors take games for independent wins and losses: with many draws they are too large, and where a pair's games
//! repeat each other too small. Resampling the pairs by `Bootstrap` knows neither fault.

use serde::Serialize;

use super::mean::Estimate;

/// Games that every player is taken to have drawn against a virtual player of rating 0.
pub const PRIOR_GAMES: f64 = 1.0;

/// Steps of Newton's method, each halved at most as often. Ten are many.
const STEPS_MAX: u32 = 100;

/// A step of less than this, in natural units of rating, is the last.
const STEP_MIN: f64 = 1e-13;

/// Elo in a natural unit of rating: 400 / ln 10.
const ELO: f64 = 400.0 * std::f64::consts::LOG10_E;

/// The ratings of players that met each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Each player's Elo and its standard error against the mean of all, which is 0.
    pub players: Vec<Estimate>,
    /// The covariance of the ratings, in Elo squared.
    pub covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// How many Elo the first player is above the second. Its error is not that of two independent ratings. None if
    /// there is no such player.
    pub fn difference(&self, first: usize, second: usize) -> Option<Estimate> {
        let value = self.players.get(first)?.value - self.players.get(second)?.value;
        let covariance = |row: usize, column: usize| self.covariance[row][column];
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        Some(Estimate { value, error: variance.max(0.0).sqrt(), degrees: None })
    }
}

/// The ratings from a square table of points: `points[i][j]` is what player i won from player j, a win 1 and a draw half.
/// Both entries of two players add up to their number of games; the diagonal is ignored. None if the table is not square,
/// empty, or has an entry that is negative or not finite.
pub fn ratings(points: &[Vec<f64>]) -> Option<Ratings> {
    let count = points.len();
    let valid = |row: &Vec<f64>| row.len() == count && row.iter().all(|won| won.is_finite() && *won >= 0.0);
    if count == 0 || !points.iter().all(valid) {
        return None;
    }
    let natural = likeliest(points)?;
    let centre = natural.iter().sum::<f64>() / count as f64;
    let covariance = centred(invert(&information(points, &natural))?);
    let estimate = |player: usize| Estimate {
        value: ELO * (natural[player] - centre),
        error: covariance[player][player].max(0.0).sqrt(),
        degrees: None,
    };
    Some(Ratings { players: (0..count).map(estimate).collect(), covariance })
}

/// The expected score of a player this much above the other, in natural units.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The likeliest ratings, in natural units. None if they do not settle, which rounding alone could cause.
fn likeliest(points: &[Vec<f64>]) -> Option<Vec<f64>> {
    let mut ratings = vec![0.0; points.len()];
    let mut reached = log_likelihood(points, &ratings);
    for _ in 0..STEPS_MAX {
        let inverse = invert(&information(points, &ratings))?;
        let slope = gradient(points, &ratings);
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        let length = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let moved =
            |part: f64| -> Vec<f64> { ratings.iter().zip(&step).map(|(r, s)| r + part * s).collect() };
        // Far from the top a whole step can overshoot; some part of it climbs.
        let mut parts = (0..STEPS_MAX).map(|halvings| 0.5f64.powi(halvings as i32));
        let climbed = parts.find_map(|part| {
            let ratings = moved(part);
            let likelihood = log_likelihood(points, &ratings);
            (likelihood > reached).then_some((ratings, likelihood))
        });
        match climbed {
            Some((higher, likelihood)) if length >= STEP_MIN => (ratings, reached) = (higher, likelihood),
            // At the top the likelihood is flat to the last digit, but the gradient still points the way.
            _ => return (length < 1e-3).then(|| moved(1.0)),
        }
    }
    None
}

/// The logarithm of the likelihood of ratings in natural units, the prior included.
fn log_likelihood(points: &[Vec<f64>], ratings: &[f64]) -> f64 {
    // ln sigma(d) without overflow: for a d far below 0 it is d.
    let logarithm = |difference: f64| difference.min(0.0) - (-difference.abs()).exp().ln_1p();
    let mut sum = 0.0;
    for (player, row) in points.iter().enumerate() {
        for (other, won) in row.iter().enumerate().filter(|(other, _)| *other != player) {
            sum += won * logarithm(ratings[player] - ratings[other]);
        }
        sum += PRIOR_GAMES / 2.0 * (logarithm(ratings[player]) + logarithm(-ratings[player]));
    }
    sum
}

/// How the logarithm of the likelihood grows with each rating: points won less points expected.
fn gradient(points: &[Vec<f64>], ratings: &[f64]) -> Vec<f64> {
    let surplus = |player: usize| {
        let others = (0..points.len()).filter(|other| *other != player);
        let real: f64 = others
            .map(|other| {
                let games = points[player][other] + points[other][player];
                points[player][other] - games * expected(ratings[player] - ratings[other])
            })
            .sum();
        real + PRIOR_GAMES * (0.5 - expected(ratings[player]))
    };
    (0..points.len()).map(surplus).collect()
}

/// The Fisher information about ratings in natural units, the prior included.
fn information(points: &[Vec<f64>], ratings: &[f64]) -> Vec<Vec<f64>> {
    let spread = |difference: f64| expected(difference) * expected(-difference);
    let count = points.len();
    let mut information = vec![vec![0.0; count]; count];
    for player in 0..count {
        information[player][player] += PRIOR_GAMES * spread(ratings[player]);
        for other in (0..count).filter(|other| *other != player) {
            let games = points[player][other] + points[other][player];
            let weight = games * spread(ratings[player] - ratings[other]);
            information[player][player] += weight;
            information[player][other] -= weight;
        }
    }
    information
}

/// The covariance in Elo of ratings less their mean, from that of ratings in natural units.
fn centred(covariance: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = covariance.len() as f64;
    let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let whole = means.iter().sum::<f64>() / count;
    let entry = |row: usize, column: usize| {
        ELO * ELO * (covariance[row][column] - means[row] - means[column] + whole)
    };
    (0..means.len()).map(|row| (0..means.len()).map(|column| entry(row, column)).collect()).collect()
}

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan; such a matrix needs no pivoting. None if a
/// pivot is not positive.
fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let mut left = matrix.to_vec();
    let unit = |row: usize| (0..count).map(|column| f64::from(u8::from(row == column))).collect();
    let mut right: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for pivot in 0..count {
        let divisor = left[pivot][pivot];
        if divisor.is_nan() || divisor <= 0.0 {
            return None;
        }
        for side in [&mut left, &mut right] {
            side[pivot].iter_mut().for_each(|entry| *entry /= divisor);
        }
        let pivots = [left[pivot].clone(), right[pivot].clone()];
        for row in (0..count).filter(|row| *row != pivot) {
            let factor = left[row][pivot];
            for (side, pivots) in [&mut left, &mut right].into_iter().zip(&pivots) {
                side[row].iter_mut().zip(pivots).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo;

    /// Two players alone are as far apart as their score says, but for the prior.
    #[test]
    fn two_players() {
        let found = ratings(&[vec![0.0, 75_000.0], vec![25_000.0, 0.0]]).unwrap();
        let difference = found.difference(0, 1).unwrap();
        assert!((difference.value - elo(0.75)).abs() < 0.01, "{difference}");
        // The error of a logit is 1 / sqrt(n p (1 - p)).
        let error = ELO / (100_000.0f64 * 0.75 * 0.25).sqrt();
        assert!((difference.error - error).abs() < 1e-4, "{difference}");
        assert!((found.players[0].value + found.players[1].value).abs() < 1e-9);
    }

    /// The best player won every game, the worst none, and one did not play.
    #[test]
    fn perfect_scores_are_finite() {
        let found = ratings(&[
            vec![0.0, 1e6, 1e6, 0.0],
            vec![0.0, 0.0, 1e6, 0.0],
            vec![0.0, 0.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0, 0.0],
        ])
        .unwrap();
        let values: Vec<f64> = found.players.iter().map(|player| player.value).collect();
        assert!(values[0] > values[1] && values[1] > values[2], "{values:?}");
        assert!(
            found.players.iter().all(|player| player.value.is_finite() && player.error > 0.0),
            "{found:?}"
        );
        assert!(values.iter().sum::<f64>().abs() < 1e-9);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(ratings(&[]), None);
        assert_eq!(ratings(&[vec![0.0, 1.0]]), None);
        assert_eq!(ratings(&[vec![0.0, -1.0], vec![1.0, 0.0]]), None);
        assert_eq!(ratings(&[vec![0.0, f64::NAN], vec![1.0, 0.0]]), None);
        assert_eq!(ratings(&[vec![0.0]]).unwrap().players[0].value, 0.0);
        assert_eq!(ratings(&[vec![0.0]]).unwrap().difference(0, 1), None);
    }
}
