//! Agents by name: a preset word, then what differs from it. `uct c=0.7 root=epsilon time=2s seed=7`.
//!
//! The same line serves on the command line, in reports and in experiments. It is printed from its parts, and reads
//! back as the same agent.

use crate::Error;
use crate::error::unknown;
use crate::learner_name::{division, show_division};
use crate::search_name::{Preset, SearchName};
use crate::units::{bytes, count, show_bytes, show_time, switch, time};
use crate::words::Words;
use aji_search::learn::Division;
use aji_search::{Budget, STAGES_MAX, exact};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The simulations of a move where the name gives neither simulations nor time.
const SIMULATIONS_DEFAULT: u64 = 10_000;

/// The plies that alpha-beta looks ahead where the name gives neither a depth nor a budget.
const ALPHA_BETA_DEPTH_DEFAULT: usize = 6;

/// The memory of an agent where the name gives none: 1 GB.
const MEMORY_DEFAULT: u64 = 1_000_000_000;

/// The most samples of a stage that can be asked for.
const SAMPLES_MAX: u64 = 1_000_000;

/// The seed where the name gives none.
const SEED_DEFAULT: u64 = 1;

/// What a player goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentName {
    /// How it chooses.
    pub method: Method,
    /// `simulations=`
    pub simulations: Option<u64>,
    /// `time=`
    pub time: Option<Duration>,
    /// `memory=`, in bytes
    pub memory: u64,
    /// `seed=`
    pub seed: u64,
}

/// How an agent chooses.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Any action at random.
    Random,
    /// Monte Carlo search.
    Search(SearchName),
    /// Alpha-beta search.
    AlphaBeta(AlphaBetaName),
    /// Adaptive multistage sampling.
    Multistage {
        /// `samples=`
        samples: u32,
        /// `stages=`
        stages: u32,
    },
    /// Divide and conquer, in sums.
    Divide(Division),
    /// The solution of the game.
    Exact,
    /// A player of a few games only.
    Expert(Expert),
}

/// Players that know what kind of game they play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expert {
    /// Thermostrat, in sums.
    Thermo,
    /// Sentestrat, in sums.
    Sentestrat,
    /// The heaviest top counter, in Heap-Go.
    TopWeight,
}

impl Expert {
    /// The word of each, and what it plays.
    pub(crate) const KNOWN: [(&str, Expert, &str); 3] = [
        ("thermo", Expert::Thermo, "sums of games"),
        ("sentestrat", Expert::Sentestrat, "sums of games"),
        ("topweight", Expert::TopWeight, "heap-go"),
    ];

    pub(crate) fn word(self) -> &'static str {
        Expert::KNOWN.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }
}

/// The parts of an alpha-beta search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlphaBetaName {
    /// `depth=`, the plies to look ahead.
    pub depth: Option<usize>,
    /// `eval=`: what lies there is valued by the game's heuristic, or as a draw. By the heuristic where there is one, if
    /// the name does not say.
    pub eval: Option<bool>,
}

impl AgentName {
    /// The preset words, with what they are.
    pub const KNOWN: [(&str, &str); 11] = [
        (
            "uct",
            "Monte Carlo tree search with UCB1: c root below playout learn repair read ref cutoff eval depth recommend unit solver reuse wave full transpositions threads parallel",
        ),
        ("rave", "the same with MC-RAVE: what all moves as first say counts beside"),
        ("flat", "pure Monte Carlo search: every action in turn, no tree: the same options"),
        ("alphabeta", "the best for both as far as it sees: depth eval; simulations are positions visited"),
        ("ams", "adaptive multistage sampling, for one player: samples stages"),
        (
            "divide",
            "learns groups of a sum's parts, and plays the first of the order: group rounds c read threads",
        ),
        ("exact", "the solution of a small game, with chance or more players too: memory limits its size"),
        ("thermo", "moves by the thermographs of a sum's parts: thermostrat"),
        ("sentestrat", "the same: answers threats, else moves in the hottest part"),
        ("topweight", "moves where the top counter of Heap-Go is heaviest"),
        ("random", "any legal action"),
    ];

    /// What it may spend on a move. Exact play ends by itself.
    pub fn budget(&self) -> Budget {
        let samples = matches!(self.method, Method::Search(_) | Method::Divide(_) | Method::Random);
        let standard = (samples && !self.has_budget()).then_some(SIMULATIONS_DEFAULT);
        Budget { simulations: self.simulations.or(standard), time: self.time }
    }

    /// How far alpha-beta looks ahead: with a budget, as far as that goes.
    pub fn alpha_beta_depth(&self, name: &AlphaBetaName) -> usize {
        let standard = if self.has_budget() { exact::DEPTH_MAX } else { ALPHA_BETA_DEPTH_DEFAULT };
        name.depth.unwrap_or(standard)
    }

    /// Whether the other is the same agent, though it may have more or less to spend.
    pub(crate) fn is_same_but_budget(&self, other: &AgentName) -> bool {
        AgentName { simulations: other.simulations, time: other.time, ..self.clone() } == *other
    }

    /// Whether it keeps what it knows from one move to the next.
    pub fn reuses(&self) -> bool {
        !matches!(&self.method, Method::Search(search) if !search.reuse)
    }

    fn has_budget(&self) -> bool {
        self.simulations.is_some() || self.time.is_some()
    }
}

impl Default for AgentName {
    fn default() -> AgentName {
        let method = Method::Search(SearchName::preset(Preset::Uct));
        AgentName { method, simulations: None, time: None, memory: MEMORY_DEFAULT, seed: SEED_DEFAULT }
    }
}

impl AlphaBetaName {
    fn parse(words: &mut Words) -> Result<AlphaBetaName, Error> {
        let depth = words.take("depth", |text| count(text, 1, exact::DEPTH_MAX as u64))?;
        Ok(AlphaBetaName { depth: depth.map(|depth| depth as usize), eval: words.take("eval", switch)? })
    }
}

impl fmt::Display for AlphaBetaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("alphabeta")?;
        if let Some(depth) = self.depth {
            write!(f, " depth={depth}")?;
        }
        match self.eval {
            Some(eval) => f.write_str(if eval { " eval=on" } else { " eval=off" }),
            None => Ok(()),
        }
    }
}

impl FromStr for AgentName {
    type Err = Error;

    fn from_str(text: &str) -> Result<AgentName, Error> {
        let mut words = Words::parse("agent", text)?;
        let method = match words.name {
            "uct" => Method::Search(SearchName::parse(Preset::Uct, &mut words)?),
            "rave" => Method::Search(SearchName::parse(Preset::Rave, &mut words)?),
            "flat" => Method::Search(SearchName::parse(Preset::Flat, &mut words)?),
            "alphabeta" => Method::AlphaBeta(AlphaBetaName::parse(&mut words)?),
            "ams" => Method::Multistage {
                samples: words.take("samples", |text| count(text, 1, SAMPLES_MAX))?.unwrap_or(16) as u32,
                stages: words.take("stages", |text| count(text, 1, STAGES_MAX.into()))?.unwrap_or(3) as u32,
            },
            "divide" => Method::Divide(division(&mut words)?),
            "exact" => Method::Exact,
            "random" => Method::Random,
            word if let Some(known) = Expert::KNOWN.iter().find(|known| known.0 == word) => {
                Method::Expert(known.1)
            }
            other => return Err(unknown("agent", other, &AgentName::KNOWN.map(|(word, _)| word))),
        };
        let agent = AgentName {
            method,
            simulations: words.take("simulations", |text| count(text, 1, u64::MAX))?,
            time: words.take("time", time)?,
            memory: words.take("memory", bytes)?.unwrap_or(MEMORY_DEFAULT),
            seed: words.take("seed", |text| count(text, 0, u64::MAX))?.unwrap_or(SEED_DEFAULT),
        };
        words.finish()?;
        Ok(agent)
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Method::Random => f.write_str("random")?,
            Method::Search(search) => write!(f, "{search}")?,
            Method::AlphaBeta(alpha_beta) => write!(f, "{alpha_beta}")?,
            Method::Multistage { samples, stages } => write!(f, "ams samples={samples} stages={stages}")?,
            Method::Divide(division) => show_division(division, f)?,
            Method::Exact => f.write_str("exact")?,
            Method::Expert(expert) => f.write_str(expert.word())?,
        }
        if let Some(simulations) = self.simulations {
            write!(f, " simulations={simulations}")?;
        }
        if let Some(time) = self.time {
            write!(f, " time={}", show_time(time))?;
        }
        if self.memory != MEMORY_DEFAULT {
            write!(f, " memory={}", show_bytes(self.memory))?;
        }
        if self.seed != SEED_DEFAULT { write!(f, " seed={}", self.seed) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        let check = |text: &str, printed: &str| {
            let agent: AgentName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(agent.to_string(), printed);
            assert_eq!(printed.parse(), Ok(agent));
        };
        check("uct", "uct");
        check(" uct   c=1.4 ", "uct");
        check("uct seed=7 c=0.7 simulations=20k", "uct c=0.7 simulations=20000 seed=7");
        check("uct transpositions=on c=0.7 seed=2", "uct c=0.7 transpositions=on seed=2");
        check("uct transpositions=off", "uct");
        check(
            "uct root=epsilon below=ucb_sqrt(c=0.5)",
            "uct below=ucb_sqrt(c=0.5) root=epsilon(epsilon=0.5)",
        );
        check("flat time=1500ms memory=64MB", "flat time=1.5s memory=64MB");
        check("flat root=ucb1 recommend=posterior", "flat root=ucb1(c=1.4) recommend=posterior");
        check(
            "uct playout=epsilon cutoff=40 eval=on unit=points",
            "uct playout=epsilon(epsilon=0.1) cutoff=40 eval=on unit=points",
        );
        check("uct unit=win", "uct unit=win");
        check("uct c=15 unit=points playout=maxi", "uct c=15 playout=maxi learn=ride unit=points");
        check("uct c=1.4 unit=points", "uct c=1.4 unit=points");
        check("uct below=ucb1(c=0.7) unit=points", "uct below=ucb1(c=0.7) unit=points");
        check("uct learn=ride repair=0 read=squares", "uct learn=ride repair=0 read=squares");
        check("uct playout=potential repair=50", "uct playout=maxi learn=potential repair=50");
        check("uct playout=random", "uct");
        check("uct learn=rave read=mover", "uct learn=rave read=mover");
        check("uct learn=bouzy repair=9", "uct learn=bouzy repair=9");
        check("uct playout=mast", "uct playout=mast(temperature=0.2)");
        check("uct playout=mast(epsilon=0.4)", "uct playout=mast(epsilon=0.4)");
        check("uct playout=lgr below=rave(k=300) ref=50", "uct below=rave(c=0,k=300) playout=lgr ref=50");
        check("uct below=rave", "uct below=rave(c=0,bias=0.1)");
        check("rave", "rave");
        check("rave playout=atari simulations=50", "rave playout=atari simulations=50");
        check("rave below=rave(k=300)", "rave below=rave(c=0,k=300)");
        check("rave below=ucb1(c=0.5)", "rave below=ucb1(c=0.5)");
        check("rave c=0.5 unit=points", "rave below=rave(c=0.5,bias=0.1) unit=points");
        check("flat reuse=off solver=on", "flat solver=on reuse=off");
        check("uct wave=8 c=0.5", "uct c=0.5 wave=8");
        check("uct full=recycle memory=1MB", "uct full=recycle memory=1MB");
        check("uct parallel=tree threads=2", "uct threads=2 parallel=tree");
        check("uct parallel=root threads=4", "uct threads=4");
        check("random seed=3", "random seed=3");
        check("alphabeta", "alphabeta");
        check("alphabeta eval=off time=2s depth=8", "alphabeta depth=8 eval=off time=2s");
        check("alphabeta eval=on memory=64MB", "alphabeta eval=on memory=64MB");
        check("exact memory=2GB", "exact memory=2GB");
        check("ams stages=2", "ams samples=16 stages=2");
        check("divide", "divide group=2");
        check("divide rounds=9 c=20 read=list threads=2", "divide group=2 rounds=9 c=20 read=list threads=2");
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let check = |text: &str, expect: &str| {
            let error = text.parse::<AgentName>().unwrap_err().to_string();
            assert!(error.contains(expect) && !error.contains('\n'), "{text}: {error}");
        };
        check("", "an empty name is no agent");
        check("utc", "unknown agent \"utc\"; did you mean uct? known: uct, rave, flat, alphabeta,");
        check("uct cc=1", "unknown option of agent uct: \"cc\"; did you mean c?");
        check("uct 7", "expected key=value, found \"7\"");
        check("uct c=1 c=2", "c= is given twice");
        check("uct c=-1", "agent uct: c=-1: expected a number from 0 to 1000000");
        check("uct c=1 below=ucb1", "c= is the constant of the usual rule");
        check("uct simulations=0", "simulations=0: expected a whole number from 1");
        check("uct time=0s", "expected a time such as");
        check("uct memory=12", "expected an amount of memory such as 512MB");
        check("uct root=ucb2", "unknown rule \"ucb2\"; did you mean ucb1?");
        check("uct root=ucb1(c=x)", "rule ucb1: c=x: expected a number");
        check("uct root=ucb1(c=1", "expected ) at the end");
        check("uct playout=epsilon(3)", "expected key=value, found \"3\"");
        check("uct eval=on", "give cutoff=PLIES");
        check("uct playout=maxi wave=8", "learning does not work with wave=");
        check("uct playout=maxi cutoff=8", "what learns plays to the end");
        check("uct playout=lgr learn=ride", "learn= goes with playout=maxi or uniform");
        check("uct below=rave learn=ride", "the rule rave hears playouts of uniform, mast and lgr");
        check("uct below=rave(k=3,bias=1)", "bias= and k= are two schedules");
        check("uct below=rave wave=8", "learning does not work with wave=");
        check("uct ref=8", "ref= belongs to the rule rave");
        check("uct playout=mast(epsilon=1,temperature=1)", "not both");
        check("uct repair=8", "give learn=ride with them");
        check("uct learn=potential read=list", "read= belongs to learn=ride");
        check("uct learn=rider", "learn=rider: expected ride or potential or rave or bouzy");
        check("uct full=on", "full=on: expected leave or recycle");
        check("uct transpositions=on solver=on", "transpositions=on does not work with solver=on");
        check("uct wave=8 transpositions=on", "transpositions=on does not work with wave=");
        check("uct full=recycle transpositions=on", "transpositions=on does not work with full=recycle");
        check("uct transpositions=on threads=2", "transpositions=on does not work with threads=");
        check("uct threads=0", "threads=0: expected a whole number from 1 to 256");
        check("uct parallel=leaf", "parallel=leaf: expected root or tree");
        check("uct wave=0", "wave=0: expected a whole number from 1 to 1024");
        check("random c=1", "unknown option of agent random: \"c\"");
        check("alphabeta depth=0", "depth=0: expected a whole number from 1 to 16382");
        check("alphabeta eval=yes", "eval=yes: expected on or off");
        check("alphabeta c=1", "unknown option of agent alphabeta: \"c\"");
        check("divide group=0", "group=0: expected a whole number from 1");
        check("exact depth=3", "unknown option of agent exact: \"depth\"");
    }

    #[test]
    fn exact_play_has_its_own_limits() {
        let check = |text: &str, depth: usize, simulations: Option<u64>| {
            let agent: AgentName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let Method::AlphaBeta(name) = &agent.method else { panic!("{text} is alpha-beta") };
            assert_eq!(
                (agent.alpha_beta_depth(name), agent.budget().simulations),
                (depth, simulations),
                "{text}"
            );
        };
        check("alphabeta", ALPHA_BETA_DEPTH_DEFAULT, None);
        check("alphabeta time=1s", exact::DEPTH_MAX, None);
        check("alphabeta time=1s depth=4", 4, None);
        check("alphabeta simulations=9", exact::DEPTH_MAX, Some(9));
        assert_eq!("exact".parse().map(|agent: AgentName| agent.budget()), Ok(Budget::default()));
    }
}
