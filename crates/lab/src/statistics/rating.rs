//! Ratings of the players of a tournament: the model of Bradley & Terry (1952) by maximum likelihood, in Elo.
//!
//! Player i expects the score sigma(r_i - r_j) against j, with sigma(r) = 1 / (1 + exp(-r)). A draw is half a win and
//! half a loss. Newton's method maximises the log-likelihood, which is concave. Standard errors come from the inverse
//! of the Fisher information, in the plane where the mean rating is 0.
//!
//! A perfect score has no finite rating, and players that never met have no common scale. So every player also draws
//! `PRIOR_GAMES` games against a virtual player of rating 0. These games pull ratings together about as much as the
//! same number of real games could, and shrink the errors accordingly.
//!
//! The errors assume independent wins and losses. With many draws they are too large; if the games of a pair repeat
//! each other, they are too small. Resampling the pairs with `Bootstrap` has neither fault.

use serde::Serialize;

use super::mean::Estimate;

/// Draws against a virtual player of rating 0 that every player is given.
pub const PRIOR_GAMES: f64 = 1.0;

/// The most steps of Newton's method, and the most halvings of each. Ten are already many.
const STEPS_MAX: u32 = 100;

/// A step shorter than this, in natural units of rating, is the last.
const STEP_MIN: f64 = 1e-13;

/// Elo per natural unit of rating: 400 / ln 10.
const ELO: f64 = 400.0 * std::f64::consts::LOG10_E;

/// The ratings of players that met each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Each player's Elo and its standard error, relative to the mean of all, which is 0.
    pub players: Vec<Estimate>,
    /// The covariance of the ratings, in Elo squared.
    pub covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// How many Elo the first player is above the second. The error accounts for the correlation of the two ratings.
    /// None if there is no such player.
    pub fn difference(&self, first: usize, second: usize) -> Option<Estimate> {
        let value = self.players.get(first)?.value - self.players.get(second)?.value;
        let covariance = |row: usize, column: usize| self.covariance[row][column];
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        Some(Estimate { value, error: variance.max(0.0).sqrt(), degrees: None })
    }
}

/// The ratings from a square table: `points[i][j]` is the points of player i against player j, 1 for a win and 0.5
/// for a draw. The two entries of a pair of players add up to their games; the diagonal is ignored. None if the table
/// is not square, is empty, or has an entry that is negative or not finite.
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

/// The expected score of a player this far above the other, in natural units.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The ratings of maximum likelihood, in natural units. None if they do not converge, which only rounding could
/// cause.
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
        // Far from the maximum a whole step can overshoot, but some part of it climbs.
        let mut parts = (0..STEPS_MAX).map(|halvings| 0.5f64.powi(halvings as i32));
        let climbed = parts.find_map(|part| {
            let ratings = moved(part);
            let likelihood = log_likelihood(points, &ratings);
            (likelihood > reached).then_some((ratings, likelihood))
        });
        match climbed {
            Some((higher, likelihood)) if length >= STEP_MIN => (ratings, reached) = (higher, likelihood),
            // At the maximum the likelihood is flat to the last digit, but the gradient still gives the direction.
            _ => return (length < 1e-3).then(|| moved(1.0)),
        }
    }
    None
}

/// The log-likelihood of ratings in natural units, including the prior.
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

/// The gradient of the log-likelihood: for each player, points won minus points expected.
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

/// The Fisher information about ratings in natural units, including the prior.
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

/// The covariance in Elo of ratings minus their mean, from the covariance in natural units.
fn centred(covariance: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = covariance.len() as f64;
    let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let whole = means.iter().sum::<f64>() / count;
    let entry = |row: usize, column: usize| {
        ELO * ELO * (covariance[row][column] - means[row] - means[column] + whole)
    };
    (0..means.len()).map(|row| (0..means.len()).map(|column| entry(row, column)).collect()).collect()
}

/// The inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination, which needs no pivoting here.
/// None if a pivot is not positive.
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

    /// Two players differ by what their score says, except for the prior.
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
