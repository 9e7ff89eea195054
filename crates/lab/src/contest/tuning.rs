//! Finds the best value of one option of an agent, by games against the unchanged agent.
//!
//! Each value of a grid plays the same openings against the same opponent, the agent without the change. Neighbours
//! in the grid play alike, so each score is smoothed with its neighbours' by the weights 1, 2, 1. The best value is
//! the one with the highest smoothed score. A bootstrap over rounds tells which other values could be the best; it
//! resamples whole rounds, because all values of a round share its opening. No curve is assumed. Words, such as the
//! names of rules, have no neighbours, so their scores are not smoothed.

use super::{Contest, Meeting, PairRecord};
use crate::Error;
use crate::statistics::{Bootstrap, Interval};
use aji_catalog::{AgentName, Method, Workbench};
use aji_search::Rng;
use aji_search::bandit::decimal_number;
use std::cmp::Ordering;
use std::str::FromStr;

/// The most values of a grid.
pub const TUNING_POINTS_MAX: usize = 100;

/// A grid whose ends have at least this ratio is geometric; a narrower one is linear.
const GEOMETRIC_FROM: f64 = 4.0;

/// With fewer rounds there is no interval for the best value: resamples of so few rounds are too much alike.
const ROUNDS_MIN: usize = 10;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 1_000;

/// An option and the range of its values: `c=0.1..2`, or a list: `c=0.5,1,2`, `root=ucb1,voi,kg`.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningRange {
    /// The option's word.
    pub option: String,
    /// The ends, or the list, in increasing order; for words, their places in the list, from 1.
    numbers: Vec<f64>,
    /// The list if its values are words; empty if they are numbers.
    words: Vec<String>,
    is_list: bool,
    /// Whether the values are integers.
    is_whole: bool,
}

impl FromStr for TuningRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<TuningRange, Error> {
        let wrong = || {
            Error::new(format!(
                "\"{text}\": expected an option and its values, such as c=0.1..2, cutoff=10,20,40 or root=ucb1,voi,kg"
            ))
        };
        let (option, values) = text.split_once('=').ok_or_else(wrong)?;
        let is_list = !values.contains("..");
        let words: Vec<&str> =
            if is_list { split_list(values) } else { values.split("..").map(str::trim).collect() };
        let count = if is_list { 2..=TUNING_POINTS_MAX } else { 2..=2 };
        let fits = option.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if option.is_empty() || !fits || !count.contains(&words.len()) {
            return Err(wrong());
        }
        let is_finite = |number: &f64| number.is_finite();
        let Some(numbers) =
            words.iter().map(|word| decimal_number(word).filter(is_finite)).collect::<Option<Vec<f64>>>()
        else {
            return if is_list { of_words(option, &words).ok_or_else(wrong) } else { Err(wrong()) };
        };
        if !numbers.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(Error::new(format!("\"{text}\": the values must increase")));
        }
        let is_whole = numbers.iter().all(|number| number.fract() == 0.0)
            && !words.iter().any(|word| word.contains('.'));
        Ok(TuningRange { option: option.into(), numbers, words: Vec::new(), is_list, is_whole })
    }
}

/// Splits a list at its commas, except those in parentheses.
fn split_list(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_comma = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    text.split(is_comma).map(str::trim).collect()
}

/// The range of a list of words without duplicates.
fn of_words(option: &str, words: &[&str]) -> Option<TuningRange> {
    let is_word = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
    let is_single = |place: usize| !words[..place].contains(&words[place]);
    let fits = words.iter().all(is_word) && (0..words.len()).all(is_single);
    fits.then(|| TuningRange {
        option: option.into(),
        numbers: (1..=words.len()).map(|place| place as f64).collect(),
        words: words.iter().map(|word| word.to_string()).collect(),
        is_list: true,
        is_whole: true,
    })
}

impl TuningRange {
    /// The values if they are words; none if they are numbers.
    pub fn words(&self) -> Option<&[String]> {
        (!self.words.is_empty()).then_some(&self.words)
    }

    /// This many values from end to end, or those of the list. A word is represented by its place in the list, from 1.
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
        self.words.is_empty() && low > 0.0 && high / low >= GEOMETRIC_FROM
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
    /// The values, in the order of the contest's agents; for words, their places in the list, from 1.
    pub values: Vec<f64>,
    /// The values as written in the agents' names.
    pub labels: Vec<String>,
    /// Whether neighbours play alike, so that scores are smoothed; false for words.
    is_smooth: bool,
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

impl Tuning {
    /// A contest of this many values of an agent's option, in this many rounds.
    pub fn new(
        workbench: &Workbench,
        game: &str,
        agent: &AgentName,
        range: TuningRange,
        points: usize,
        rounds: u64,
    ) -> Result<Tuning, Error> {
        let mut range = range;
        let between = (range.numbers[0] + 0.5).to_string();
        // Whole ends give whole values only if the option takes no others.
        range.is_whole &= range.is_list || with_option(workbench, agent, &range.option, &between).is_err();
        let values = range.values(points);
        let labels = match range.words() {
            Some(words) => words.to_vec(),
            None => values.iter().map(f64::to_string).collect(),
        };
        let varied = |label: &String| with_option(workbench, agent, &range.option, label);
        let mut agents = labels.iter().map(varied).collect::<Result<Vec<_>, _>>()?;
        agents.push(agent.clone());
        let pairings = (0..values.len()).map(|value| (value, values.len())).collect();
        let contest = Contest::on(workbench, game, agents, pairings, rounds)?.named("tuning");
        Ok(Tuning { contest, values, labels, is_smooth: range.words().is_none() })
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
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: super::meeting::LEVEL };
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
        let bootstrap = Bootstrap { resamples: RESAMPLES, level: super::meeting::LEVEL };
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

    /// The points of every value in each complete round.
    fn rounds(&self, records: &[PairRecord]) -> Vec<Vec<f64>> {
        let in_order = records.chunks(self.values.len()).filter(|round| round.len() == self.values.len());
        in_order.map(|round| round.iter().map(PairRecord::score).collect()).collect()
    }
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

/// The agent with one option changed.
fn with_option(
    workbench: &Workbench,
    agent: &AgentName,
    option: &str,
    value: &str,
) -> Result<AgentName, Error> {
    if let Method::Program(_) = agent.method {
        return Err(Error::new(format!("{agent}: the options of another program cannot be tuned here")));
    }
    let name = agent.to_string();
    let key = format!("{option}=");
    let others: Vec<&str> = name.split(' ').filter(|word| !word.starts_with(&key)).collect();
    Ok(workbench.agent_name(&format!("{} {option}={value}", others.join(" ")))?)
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
        assert_eq!(values("simulations=1k,1e4,1_000_000"), Ok(vec![1e3, 1e4, 1e6]));
        assert_eq!(values("simulations=1k..5k"), Ok(vec![1e3, 1495.0, 2236.0, 3344.0, 5e3]));
        for wrong in [
            "",
            "c",
            "c=",
            "c=1",
            "c=1..x",
            "=1..2",
            "c=1..2..3",
            "c c=1..2",
            "c=1..inf",
            "c=x,,y",
            "c=x,x",
            "c=x y,z",
        ] {
            let error = values(wrong).unwrap_err().to_string();
            assert!(error.contains("such as c=0.1..2"), "{wrong}: {error}");
        }
        assert!(values("c=2..1").unwrap_err().to_string().contains("must increase"));
    }

    #[test]
    fn words_are_read() {
        let range: TuningRange = "root=ucb1(c=0.5),voi(ties=first,stop=0.1),kg".parse().unwrap();
        assert_eq!(range.words().unwrap(), ["ucb1(c=0.5)", "voi(ties=first,stop=0.1)", "kg"]);
        assert_eq!((range.values(8), range.is_geometric()), (vec![1.0, 2.0, 3.0], false));
        assert_eq!("c=0.5,1".parse::<TuningRange>().unwrap().words(), None);
    }

    /// A word that wins every game is the best, and its neighbours get nothing of it.
    #[test]
    fn words_are_not_smoothed() {
        let agent = "uct simulations=20".parse().unwrap();
        let range = "root=ucb1,voi,kg".parse().unwrap();
        let tuning = Tuning::new(&Workbench::new(), "tic-tac-toe", &agent, range, 8, 12).unwrap();
        assert_eq!(tuning.contest.agents()[1].to_string(), "uct root=voi simulations=20");
        let rounds = vec![vec![0.5, 1.0, 0.0]; 12];
        assert_eq!((tuning.scores(&rounds), tuning.best_among(&rounds, 1)), (vec![0.5, 1.0, 0.0], vec![1]));
        assert_eq!(tuning.best_among(&rounds[..3], 1), [0, 1, 2]);
    }

    #[test]
    fn options_are_changed() {
        let changed = |agent: &str, option: &str, value| {
            let agent: AgentName = agent.parse().unwrap();
            with_option(&Workbench::new(), &agent, option, value)
                .map(|agent| agent.to_string())
                .map_err(|error| error.to_string())
        };
        assert_eq!(changed("uct c=0.7 simulations=50", "c", "0.25"), Ok("uct c=0.25 simulations=50".into()));
        assert_eq!(changed("uct", "simulations", "20"), Ok("uct simulations=20".into()));
        assert!(changed("random", "c", "1").unwrap_err().contains("unknown option"));
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
