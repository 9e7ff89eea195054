//! The values that a tuning tries, and what their games say of them.

use super::meeting::LEVEL;
use super::{Meeting, Tally};
use crate::Error;
use crate::statistics::{Bootstrap, Interval};
use aji_search::Rng;
use aji_search::bandit::decimal_number;
use std::cmp::Ordering;

/// A grid whose ends have at least this ratio is geometric; a narrower one is linear.
const GEOMETRIC_FROM: f64 = 4.0;

/// With fewer rounds there is no interval for the best value: resamples of so few rounds are too much alike.
const ROUNDS_MIN: usize = 10;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 1_000;

/// An option and the values of it that are tried.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningGrid {
    /// The option's word.
    pub option: String,
    /// The values as written in the agents' names.
    pub labels: Vec<String>,
    /// The values; for words, their places in the list, from 1.
    pub values: Vec<f64>,
    /// Whether neighbours play alike, so that scores are smoothed; false for words.
    pub is_smooth: bool,
}

/// The result of tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// Each value's result against the unchanged agent.
    pub meetings: Vec<Meeting>,
    /// Each value's score, smoothed.
    pub smoothed: Vec<f64>,
    /// The index of the best value, the first of several.
    pub best: usize,
    /// The values between which the best lies, at 95%.
    pub best_interval: Interval,
    /// The indices of the values that may be the best: numbers within [`best_interval`](Tuned::best_interval), and words
    /// that came out best in at least a fortieth of the resamples. All of them with too few rounds to tell.
    pub best_among: Vec<usize>,
}

impl TuningGrid {
    /// A grid of these values. They are words unless all are numbers.
    pub fn new(option: String, labels: Vec<String>) -> TuningGrid {
        let numbers: Option<Vec<f64>> = labels
            .iter()
            .map(|label| decimal_number(label).filter(|number: &f64| number.is_finite()))
            .collect();
        let is_smooth = numbers.is_some();
        let values = numbers.unwrap_or_else(|| (1..=labels.len()).map(|place| place as f64).collect());
        TuningGrid { option, labels, values, is_smooth }
    }

    /// Every value against the unchanged agent, which is the last of the agents.
    pub fn pairings(values: usize) -> Vec<(usize, usize)> {
        (0..values).map(|value| (value, values)).collect()
    }

    /// Whether the values are spaced by a factor.
    pub fn is_geometric(&self) -> bool {
        self.is_smooth && is_geometric(&self.values)
    }

    /// The result, by what the games of each value add up to. An error if a value has none.
    pub fn tuned(&self, tallies: &[Tally], seed: u64) -> Result<Tuned, Error> {
        let meetings: Option<Vec<Meeting>> = tallies.iter().map(Tally::meeting).collect();
        let meetings = meetings.filter(|meetings| meetings.len() == self.values.len());
        let meetings = meetings.ok_or_else(|| Error::new("tuning: a value without games"))?;
        let rounds = rounds(tallies);
        let smoothed = self.scores(&rounds);
        let (best, best_interval) = (highest(&smoothed).0, self.best_interval(&rounds, seed));
        let is_within =
            |value: &usize| (best_interval.low..=best_interval.high).contains(&self.values[*value]);
        let best_among = match self.is_smooth {
            true => (0..self.values.len()).filter(is_within).collect(),
            false => self.best_among(&rounds, seed),
        };
        Ok(Tuned { meetings, smoothed, best, best_interval, best_among })
    }

    /// The mean score of every value, smoothed where neighbours play alike.
    fn scores(&self, rounds: &[Vec<f64>]) -> Vec<f64> {
        if self.is_smooth { smoothed(rounds) } else { means(rounds) }
    }

    /// The values that are often enough among the highest.
    fn best_among(&self, rounds: &[Vec<f64>], seed: u64) -> Vec<usize> {
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: LEVEL };
        let is_often_best = |value: &usize| {
            let is_best = |rounds: &[Vec<f64>]| {
                let scores = self.scores(rounds);
                let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                f64::from(u8::from(scores.get(*value) == Some(&highest)))
            };
            let interval = bootstrap.percentile(rounds, is_best, &mut Rng::seeded(seed));
            rounds.len() < ROUNDS_MIN || interval.is_none_or(|interval| interval.high == 1.0)
        };
        (0..self.values.len()).filter(is_often_best).collect()
    }

    /// The range of the best value: from the first of the highest scores to the last, in all but a few resamples.
    fn best_interval(&self, rounds: &[Vec<f64>], seed: u64) -> Interval {
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: LEVEL };
        let value = |end: fn((usize, usize)) -> usize| {
            let best = |rounds: &[Vec<f64>]| self.values[end(highest(&self.scores(rounds)))];
            bootstrap.percentile(rounds, best, &mut Rng::seeded(seed))
        };
        match (value(|(first, _)| first), value(|(_, last)| last)) {
            (Some(first), Some(last)) if rounds.len() >= ROUNDS_MIN => {
                Interval { low: first.low, high: last.high }
            }
            _ => Interval { low: self.values[0], high: self.values[self.values.len() - 1] },
        }
    }
}

/// Whether numbers in increasing order should be spaced by a factor.
pub(super) fn is_geometric(numbers: &[f64]) -> bool {
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    low > 0.0 && high / low >= GEOMETRIC_FROM
}

/// The scores of every value in each round that all have played.
fn rounds(tallies: &[Tally]) -> Vec<Vec<f64>> {
    let whole = tallies.iter().map(|tally| tally.scores().len()).min().unwrap_or(0);
    (0..whole).map(|round| tallies.iter().map(|tally| tally.scores()[round]).collect()).collect()
}

/// The mean score of every value.
fn means(rounds: &[Vec<f64>]) -> Vec<f64> {
    let count = rounds.first().map_or(0, Vec::len);
    let mean = |value: usize| rounds.iter().map(|round| round[value]).sum::<f64>() / rounds.len() as f64;
    (0..count).map(mean).collect()
}

/// The mean score of every value, smoothed with its neighbours in the grid.
fn smoothed(rounds: &[Vec<f64>]) -> Vec<f64> {
    let means = means(rounds);
    let count = means.len();
    let smooth = |value: usize| {
        let near = value.saturating_sub(1)..(value + 2).min(count);
        let weight = |other: usize| if other == value { 2.0 } else { 1.0 };
        let all: f64 = near.clone().map(weight).sum();
        near.map(|other| weight(other) * means[other]).sum::<f64>() / all
    };
    (0..count).map(smooth).collect()
}

/// The indices of the first and the last of the highest.
fn highest(scores: &[f64]) -> (usize, usize) {
    (1..scores.len()).fold((0, 0), |(first, last), next| match scores[next].total_cmp(&scores[first]) {
        Ordering::Greater => (next, next),
        Ordering::Equal => (first, next),
        Ordering::Less => (first, last),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word that wins every game is the best, and its neighbours get nothing of it.
    #[test]
    fn words_are_not_smoothed() {
        let grid = TuningGrid::new("root".into(), ["ucb1", "voi", "kg"].map(String::from).to_vec());
        let rounds = vec![vec![0.5, 1.0, 0.0]; 12];
        assert_eq!((grid.scores(&rounds), grid.best_among(&rounds, 1)), (vec![0.5, 1.0, 0.0], vec![1]));
        assert_eq!(grid.best_among(&rounds[..3], 1), [0, 1, 2]);
        assert_eq!((grid.values.clone(), grid.is_geometric()), (vec![1.0, 2.0, 3.0], false));
    }

    #[test]
    fn numbers_are_known_by_their_looks() {
        let grid = |labels: &[&str]| {
            let grid = TuningGrid::new("c".into(), labels.iter().map(|label| label.to_string()).collect());
            (grid.values.clone(), grid.is_smooth, grid.is_geometric())
        };
        assert_eq!(grid(&["0.1", "0.5", "2"]), (vec![0.1, 0.5, 2.0], true, true));
        assert_eq!(grid(&["1", "2"]), (vec![1.0, 2.0], true, false));
        assert_eq!(grid(&["1", "on"]), (vec![1.0, 2.0], false, false));
    }

    #[test]
    fn scores_are_smoothed() {
        let rounds = [vec![0.0, 1.0, 0.0, 1.0], vec![0.0, 1.0, 1.0, 0.0]];
        assert_eq!(smoothed(&rounds), [1.0 / 3.0, 0.625, 0.625, 0.5]);
        assert_eq!(highest(&smoothed(&rounds)), (1, 2));
        assert_eq!(highest(&[1.0, 0.5, 1.0, 0.7]), (0, 2));
        assert_eq!(smoothed(&[]), [0.0; 0]);
    }
}
