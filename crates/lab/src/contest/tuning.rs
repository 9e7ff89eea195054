//! Finds the best value of one option of an agent, by games against the unchanged agent.
//!
//! Each value of a grid plays the same openings against the same opponent, the unchanged agent. Neighbouring values
//! play alike, so a value's score is smoothed with theirs, one to two to one. The best value has the highest smoothed
//! score. A bootstrap tells which other values could have come out best. It resamples rounds, since all values of a
//! round share its opening. No curve is assumed.

use super::{Contest, Meeting, PairRecord};
use crate::Error;
use crate::statistics::{Bootstrap, Interval};
use aji_catalog::{AgentName, Method};
use aji_search::Rng;
use std::cmp::Ordering;
use std::str::FromStr;

/// The most values of a grid.
pub const TUNING_POINTS_MAX: usize = 100;

/// A grid whose ends have at least this ratio is geometric; a narrower one is linear.
const GEOMETRIC_FROM: f64 = 4.0;

/// With fewer rounds there is no interval for the best value: their resamples are too much alike.
const ROUNDS_MIN: usize = 10;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 1_000;

/// An option and the range of its values: `c=0.1..2`, or a list: `c=0.5,1,2`.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningRange {
    /// The option's word.
    pub option: String,
    /// The ends, or the list, in increasing order.
    numbers: Vec<f64>,
    is_list: bool,
    /// If all numbers were written as integers, the values are integers.
    is_whole: bool,
}

impl FromStr for TuningRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<TuningRange, Error> {
        let wrong = || {
            Error::new(format!(
                "\"{text}\": expected an option and its range, such as c=0.1..2 or cutoff=10,20,40"
            ))
        };
        let (option, values) = text.split_once('=').ok_or_else(wrong)?;
        let is_list = !values.contains("..");
        let words: Vec<&str> =
            if is_list { values.split(',').collect() } else { values.split("..").collect() };
        let numbers: Result<Vec<f64>, _> = words.iter().map(|word| word.trim().parse::<f64>()).collect();
        let numbers = numbers.map_err(|_| wrong())?;
        let increases = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = option.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let count = if is_list { 2..=TUNING_POINTS_MAX } else { 2..=2 };
        if option.is_empty()
            || !fits
            || !count.contains(&numbers.len())
            || !numbers.iter().all(|n| n.is_finite())
        {
            return Err(wrong());
        }
        if !increases {
            return Err(Error::new(format!("\"{text}\": the values must increase")));
        }
        let is_whole = !words.iter().any(|word| word.contains(['.', 'e', 'E']));
        Ok(TuningRange { option: option.into(), numbers, is_list, is_whole })
    }
}

impl TuningRange {
    /// This many values from end to end, or those of the list.
    pub fn values(&self, points: usize) -> Vec<f64> {
        if self.is_list {
            return self.numbers.clone();
        }
        let (low, high) = (self.numbers[0], self.numbers[1]);
        let steps = points.clamp(2, TUNING_POINTS_MAX) - 1;
        let value = |step: usize| {
            let share = step as f64 / steps as f64;
            let value =
                if self.is_geometric() { low * (high / low).powf(share) } else { low + (high - low) * share };
            if self.is_whole { value.round() } else { rounded(value) }
        };
        let mut values: Vec<f64> = (0..=steps).map(value).collect();
        values.dedup();
        values
    }

    /// Whether the values are geometric.
    pub fn is_geometric(&self) -> bool {
        let (low, high) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
        low > 0.0 && high / low >= GEOMETRIC_FROM
    }
}

/// Rounds to three digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A contest that tunes an option.
pub struct Tuning {
    /// The games: every value against the unchanged agent, which is the last of the agents.
    pub contest: Contest,
    /// The values, in the order of the contest's agents.
    pub values: Vec<f64>,
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
    /// The range of values that contains the best, at 95%.
    pub best_interval: Interval,
}

impl Tuning {
    /// A contest of this many values of an agent's option, in this many rounds.
    pub fn new(
        game: &str,
        agent: &AgentName,
        range: TuningRange,
        points: usize,
        rounds: u64,
    ) -> Result<Tuning, Error> {
        let values = range.values(points);
        let varied = |&value: &f64| with_option(agent, &range.option, value);
        let mut agents = values.iter().map(varied).collect::<Result<Vec<_>, _>>()?;
        agents.push(agent.clone());
        let pairings = (0..values.len()).map(|value| (value, values.len())).collect();
        Ok(Tuning { contest: Contest::new(game, agents, pairings, rounds)?.named("tuning"), values })
    }

    /// The same with random balanced openings of this many plies.
    pub fn openings(self, plies: usize) -> Result<Tuning, Error> {
        Ok(Tuning { contest: self.contest.openings(plies)?, ..self })
    }

    /// The result of the games. An error if a value has none.
    pub fn tuned(&self, records: &[PairRecord], seed: u64) -> Result<Tuned, Error> {
        let of = |value: usize| Meeting::new(records.iter().filter(move |record| record.pairing == value));
        let meetings: Option<Vec<Meeting>> = (0..self.values.len()).map(of).collect();
        let meetings = meetings.ok_or_else(|| Error::new("tuning: a value without games"))?;
        let rounds = self.rounds(records);
        let smoothed = smoothed(&rounds);
        let (best, best_interval) = (highest(&smoothed).0, self.best_interval(&rounds, seed));
        Ok(Tuned { meetings, smoothed, best, best_interval })
    }

    /// The range of the best value: from the first of the highest scores to the last, in all but a few resamples.
    fn best_interval(&self, rounds: &[Vec<f64>], seed: u64) -> Interval {
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: super::meeting::LEVEL };
        let value = |end: fn((usize, usize)) -> usize| {
            let best = |rounds: &[Vec<f64>]| self.values[end(highest(&smoothed(rounds)))];
            bootstrap.percentile(rounds, best, &mut Rng::seeded(seed))
        };
        match (value(|(first, _)| first), value(|(_, last)| last)) {
            (Some(first), Some(last)) if rounds.len() >= ROUNDS_MIN => {
                Interval { low: first.low, high: last.high }
            }
            _ => Interval { low: self.values[0], high: self.values[self.values.len() - 1] },
        }
    }

    /// The points of every value in each complete round.
    fn rounds(&self, records: &[PairRecord]) -> Vec<Vec<f64>> {
        let in_order = records.chunks(self.values.len()).filter(|round| round.len() == self.values.len());
        in_order
            .map(|round| round.iter().map(|pair| pair.points().iter().sum::<f64>() / 2.0).collect())
            .collect()
    }
}

/// The mean score of every value, smoothed with its neighbours in the grid.
fn smoothed(rounds: &[Vec<f64>]) -> Vec<f64> {
    let count = rounds.first().map_or(0, Vec::len);
    let mean = |value: usize| rounds.iter().map(|round| round[value]).sum::<f64>() / rounds.len() as f64;
    let means: Vec<f64> = (0..count).map(mean).collect();
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

/// The agent with one option changed.
fn with_option(agent: &AgentName, option: &str, value: f64) -> Result<AgentName, Error> {
    if let Method::Program(_) = agent.method {
        return Err(Error::new(format!("{agent}: the options of another program cannot be tuned here")));
    }
    let name = agent.to_string();
    let key = format!("{option}=");
    let others: Vec<&str> = name.split(' ').filter(|word| !word.starts_with(&key)).collect();
    Ok(format!("{} {option}={value}", others.join(" ")).parse::<AgentName>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let values = |text: &str| text.parse::<TuningRange>().map(|range| range.values(5));
        assert_eq!(values("c=0.1..1.6"), Ok(vec![0.1, 0.2, 0.4, 0.8, 1.6]));
        assert_eq!(values("c=1.0..2.0"), Ok(vec![1.0, 1.25, 1.5, 1.75, 2.0]));
        assert_eq!(values("cutoff=1..3"), Ok(vec![1.0, 2.0, 3.0]));
        assert_eq!(values("c=0.0..1.0"), Ok(vec![0.0, 0.25, 0.5, 0.75, 1.0]));
        assert_eq!(values("cutoff=10,20,80"), Ok(vec![10.0, 20.0, 80.0]));
        for wrong in ["", "c", "c=", "c=1", "c=1..x", "=1..2", "c=1..2..3", "c c=1..2", "c=1..inf"] {
            let error = values(wrong).unwrap_err().to_string();
            assert!(error.contains("such as c=0.1..2"), "{wrong}: {error}");
        }
        assert!(values("c=2..1").unwrap_err().to_string().contains("must increase"));
    }

    #[test]
    fn options_are_changed() {
        let changed = |agent: &str, option: &str, value| {
            let agent: AgentName = agent.parse().unwrap();
            with_option(&agent, option, value)
                .map(|agent| agent.to_string())
                .map_err(|error| error.to_string())
        };
        assert_eq!(changed("uct c=0.7 simulations=50", "c", 0.25), Ok("uct c=0.25 simulations=50".into()));
        assert_eq!(changed("uct", "simulations", 20.0), Ok("uct simulations=20".into()));
        assert!(changed("random", "c", 1.0).unwrap_err().contains("unknown option"));
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
