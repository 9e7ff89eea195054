//! Finds the best value of one option of an agent, by games against the unchanged agent.
//!
//! Each value of a grid plays the same openings against the same opponent, the agent without the change. Neighbours
//! in the grid play alike, so each score is smoothed with its neighbours' by the weights 1, 2, 1. The best value is
//! the one with the highest smoothed score. A bootstrap over rounds tells which other values could be the best; it
//! resamples whole rounds, because all values of a round share its opening. No curve is assumed. Words, such as the
//! names of rules, have no neighbours, so their scores are not smoothed.

use super::tuning_grid::is_geometric;
use super::{Contest, PairRecord, Tally, Tuned, TuningGrid};
use crate::Error;
use aji_catalog::{AgentName, Method, Workbench};
use aji_search::bandit::decimal_number;
use std::str::FromStr;

/// The most values of a grid.
pub const TUNING_POINTS_MAX: usize = 100;

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

    /// This many values of an agent's option, and the agents with them. The last agent is the unchanged one.
    pub fn agents(
        &self,
        workbench: &Workbench,
        agent: &AgentName,
        points: usize,
    ) -> Result<(TuningGrid, Vec<AgentName>), Error> {
        let between = (self.numbers[0] + 0.5).to_string();
        // Whole ends give whole values only if the option takes no others.
        let is_whole =
            self.is_whole && (self.is_list || with_option(workbench, agent, &self.option, &between).is_err());
        let labels: Vec<String> = match self.words() {
            Some(words) => words.to_vec(),
            None => {
                TuningRange { is_whole, ..self.clone() }.values(points).iter().map(f64::to_string).collect()
            }
        };
        let varied = |label: &String| with_option(workbench, agent, &self.option, label);
        let mut agents = labels.iter().map(varied).collect::<Result<Vec<_>, _>>()?;
        agents.push(agent.clone());
        Ok((TuningGrid::new(self.option.clone(), labels), agents))
    }

    /// Whether the values are geometric.
    pub fn is_geometric(&self) -> bool {
        self.words.is_empty() && is_geometric(&self.numbers)
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
    grid: TuningGrid,
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
        let (grid, agents) = range.agents(workbench, agent, points)?;
        let pairings = TuningGrid::pairings(grid.values.len());
        let contest = Contest::on(workbench, game, agents, pairings, rounds)?;
        let (values, labels) = (grid.values.clone(), grid.labels.clone());
        Ok(Tuning { contest: contest.tuning(grid.clone()), values, labels, grid })
    }

    /// The same with random balanced openings of this many plies.
    pub fn openings(self, plies: usize) -> Result<Tuning, Error> {
        Ok(Tuning { contest: self.contest.openings(plies)?, ..self })
    }

    /// The option and its values.
    pub fn grid(&self) -> &TuningGrid {
        &self.grid
    }

    /// The result of the games. An error if a value has none.
    pub fn tuned(&self, records: &[PairRecord], seed: u64) -> Result<Tuned, Error> {
        let mut tallies = vec![Tally::default(); self.values.len()];
        records.iter().for_each(|record| tallies[record.pairing].add(record));
        self.grid.tuned(&tallies, seed)
    }
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

    #[test]
    fn words_become_agents() {
        let agent = "uct simulations=20".parse().unwrap();
        let range = "root=ucb1,voi,kg".parse().unwrap();
        let tuning = Tuning::new(&Workbench::new(), "tic-tac-toe", &agent, range, 8, 12).unwrap();
        assert_eq!(tuning.contest.agents()[1].to_string(), "uct root=voi simulations=20");
        assert_eq!((tuning.labels.join(" "), tuning.grid.is_smooth), ("ucb1 voi kg".into(), false));
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
}
