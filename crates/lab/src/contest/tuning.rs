//! The best value of one option of an agent, by games against the agent as it was.
//!
//! Each value of a grid plays the same openings against the same opponent, the agent without the change. Through the
//! logarithms of the odds goes a parabola, by least squares weighted by the games' certainty, over the logarithm of the
//! value where the grid is geometric. Its peak within the grid is the estimate, or the best value of the grid where the
//! parabola has no peak. The peak's interval is a bootstrap over rounds, since all values of a round share its opening.

use super::{Contest, Meeting, PairRecord};
use crate::Error;
use crate::statistics::{Bootstrap, Interval};
use aji_catalog::AgentName;
use aji_search::Rng;
use std::str::FromStr;

/// The most values of a grid.
pub const TUNING_POINTS_MAX: usize = 100;

/// A grid whose ends have at least this ratio has equal ratios between its values; a narrower one equal differences.
const GEOMETRIC_FROM: f64 = 4.0;

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
    /// Numbers that were all written whole give whole values.
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
    /// So many values from end to end, or those of the list.
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

    /// Whether values lie at equal ratios.
    pub fn is_geometric(&self) -> bool {
        let (low, high) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
        low > 0.0 && high / low >= GEOMETRIC_FROM
    }
}

/// To three digits, as a constant is written.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A contest that tunes an option.
pub struct Tuning {
    /// The games: every value against the agent as it was, which is the last of the agents.
    pub contest: Contest,
    /// The values, in the order of the contest's agents.
    pub values: Vec<f64>,
    range: TuningRange,
}

/// What tuning found.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// Each value's result against the agent as it was.
    pub meetings: Vec<Meeting>,
    /// The number of the value that scored best.
    pub best: usize,
    /// The peak of the fitted curve.
    pub peak: f64,
    /// Its interval, at 95%; none from fewer than two rounds.
    pub peak_interval: Option<Interval>,
    /// The fitted score by value, where there is a curve: intercept, slope and curvature of the logarithm of the odds.
    curve: Option<[f64; 3]>,
    is_geometric: bool,
}

impl Tuning {
    /// The contest of so many values of an agent's option, in so many rounds.
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
        Ok(Tuning { contest: Contest::new(game, agents, pairings, rounds)?.named("tuning"), values, range })
    }

    /// The same with random balanced openings of so many plies.
    pub fn openings(self, plies: usize) -> Result<Tuning, Error> {
        Ok(Tuning { contest: self.contest.openings(plies)?, ..self })
    }

    /// What the games say. An error if a value has none.
    pub fn tuned(&self, records: &[PairRecord], seed: u64) -> Result<Tuned, Error> {
        let of = |value: usize| Meeting::new(records.iter().filter(move |record| record.pairing == value));
        let meetings: Option<Vec<Meeting>> = (0..self.values.len()).map(of).collect();
        let meetings = meetings.ok_or_else(|| Error::new("tuning: a value without games"))?;
        let rounds = self.rounds(records);
        let is_geometric = self.range.is_geometric();
        let curve = self.curve(&rounds);
        let best = (0..meetings.len()).fold(0, |best, next| {
            if meetings[next].score.score > meetings[best].score.score { next } else { best }
        });
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: super::meeting::LEVEL };
        let peak_interval = bootstrap.percentile(&rounds, |rounds| self.peak(rounds), &mut Rng::seeded(seed));
        Ok(Tuned { meetings, best, peak: self.peak(&rounds), peak_interval, curve, is_geometric })
    }

    /// The points of every value in each round that was played to its end.
    fn rounds(&self, records: &[PairRecord]) -> Vec<Vec<f64>> {
        let in_order = records.chunks(self.values.len()).filter(|round| round.len() == self.values.len());
        in_order
            .map(|round| round.iter().map(|pair| pair.points().iter().sum::<f64>() / 2.0).collect())
            .collect()
    }

    /// Where a value lies on the axis of the curve.
    fn place(&self, value: f64) -> f64 {
        if self.range.is_geometric() { value.ln() } else { value }
    }

    /// The parabola through the logarithms of the odds. None with fewer than three values.
    fn curve(&self, rounds: &[Vec<f64>]) -> Option<[f64; 3]> {
        let count = rounds.len() as f64;
        let point = |value: usize| {
            // A half more on both sides keeps the odds finite.
            let points: f64 = rounds.iter().map(|round| round[value]).sum();
            let share = (points + 0.5) / (count + 1.0);
            let weight = share * (1.0 - share);
            (self.place(self.values[value]), (share / (1.0 - share)).ln(), weight)
        };
        let points: Vec<(f64, f64, f64)> = (0..self.values.len()).map(point).collect();
        parabola(&points)
    }

    fn peak(&self, rounds: &[Vec<f64>]) -> f64 {
        let (low, high) = (self.values[0], self.values[self.values.len() - 1]);
        match self.curve(rounds) {
            Some([_, slope, curvature]) if curvature < 0.0 => {
                let peak = -slope / (2.0 * curvature);
                let peak = if self.range.is_geometric() { peak.exp() } else { peak };
                peak.clamp(low, high)
            }
            _ => {
                let total = |value: usize| rounds.iter().map(|round| round[value]).sum::<f64>();
                let better = |best: usize, next: usize| if total(next) > total(best) { next } else { best };
                self.values[(0..self.values.len()).fold(0, better)]
            }
        }
    }
}

impl Tuned {
    /// The fitted score of a value.
    pub fn fitted(&self, value: f64) -> Option<f64> {
        let [intercept, slope, curvature] = self.curve?;
        let x = if self.is_geometric { value.ln() } else { value };
        Some(1.0 / (1.0 + (-(intercept + slope * x + curvature * x * x)).exp()))
    }
}

/// The agent with one option changed.
fn with_option(agent: &AgentName, option: &str, value: f64) -> Result<AgentName, Error> {
    let name = agent.to_string();
    let key = format!("{option}=");
    let others: Vec<&str> = name.split(' ').filter(|word| !word.starts_with(&key)).collect();
    Ok(format!("{} {option}={value}", others.join(" ")).parse::<AgentName>()?)
}

/// The parabola of least squares through points (x, y, weight). None if fewer than three places tell it.
fn parabola(points: &[(f64, f64, f64)]) -> Option<[f64; 3]> {
    // The normal equations, around the mean place so that they are well conditioned.
    let all: f64 = points.iter().map(|point| point.2).sum();
    let middle = points.iter().map(|point| point.0 * point.2).sum::<f64>() / all;
    let mut rows = [[0.0; 4]; 3];
    for &(x, y, weight) in points {
        let powers = [1.0, x - middle, (x - middle).powi(2)];
        for (row, power) in rows.iter_mut().zip(powers) {
            for (cell, other) in row.iter_mut().zip(powers.into_iter().chain([y])) {
                *cell += weight * power * other;
            }
        }
    }
    for pivot in 0..3 {
        let largest = (pivot..3).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))?;
        rows.swap(pivot, largest);
        let head = rows[pivot];
        if head[pivot].abs() < 1e-12 * all {
            return None;
        }
        for (number, row) in rows.iter_mut().enumerate() {
            if number != pivot {
                let share = row[pivot] / head[pivot];
                row.iter_mut().zip(head).for_each(|(cell, above)| *cell -= share * above);
            }
        }
    }
    let [a, b, c] = [0, 1, 2].map(|row| rows[row][3] / rows[row][row]);
    Some([a - b * middle + c * middle * middle, b - 2.0 * c * middle, c])
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
    fn parabolas_are_found() {
        let curve = |x: f64| 0.25 - 3.0 * x + 0.5 * x * x;
        let points: Vec<_> = [1.0, 2.0, 4.0, 7.0].map(|x| (x, curve(x), 1.0 + x)).into();
        let found = parabola(&points).unwrap();
        for (found, expect) in found.into_iter().zip([0.25, -3.0, 0.5]) {
            assert!((found - expect).abs() < 1e-9, "{found} {expect}");
        }
        assert_eq!(parabola(&points[..2]), None);
    }
}
