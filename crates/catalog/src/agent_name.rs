//! Agents by name: a preset word, then what differs from it. `uct c=0.7 root=epsilon time=2s seed=7`.
//!
//! The command line, reports and experiments all use this line. It is printed from its parts, and reads back as the
//! same agent.

use crate::attack_name::{AttackName, ModelName, VictimName};
use crate::error::unknown;
use crate::learner_name::{CouponsName, division, show_division};
use crate::own_agent::OwnAgents;
use crate::search_name::{Preset, SearchName};
use crate::units::{bytes, count, show_bytes, show_time, switch, time};
use crate::words::Words;
use crate::{Error, OwnAgentName, ProgramName};
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

/// The name of an agent, parsed.
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
    /// Temperatures by search, in sums.
    Coupons(CouponsName),
    /// The solution of the game.
    Exact,
    /// The best response to a victim, by exact values.
    Response(VictimName),
    /// A search that knows how its opponent plays.
    Attack(Box<AttackName>),
    /// A player of a few games only.
    Expert(Expert),
    /// Another program, in Go.
    Program(ProgramName),
    /// An agent that a [`Workbench`](crate::Workbench) was given.
    Own(OwnAgentName),
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
    /// `eval=`: whether the game's heuristic evaluates positions at that depth; otherwise they count as draws. By
    /// default the heuristic is used if the game has one.
    pub eval: Option<bool>,
}

impl AgentName {
    /// The preset words, each with a summary.
    pub const KNOWN: [(&str, &str); 16] = [
        ("uct", "Monte Carlo tree search with UCB1"),
        ("rave", "the same with MC-RAVE: all-moves-as-first (AMAF) statistics count too"),
        ("flat", "pure Monte Carlo search: every action in turn, no tree"),
        ("alphazero", "PUCT with the priors and values of a network: net symmetries lambda"),
        ("gumbel", "Gumbel search with a network, strong with few simulations"),
        ("alphabeta", "alpha-beta search: depth eval; simulations are positions visited"),
        ("ams", "adaptive multistage sampling, for one player: samples stages"),
        (
            "divide",
            "learns an order of actions from groups of a sum's parts, and plays the first: group rounds c read threads",
        ),
        (
            "coupons",
            "discovers the temperatures of a sum's parts by search among coupons, and looks ahead by them: levels ahead threads",
        ),
        (
            "exact",
            "solves a small game, also with chance or more players: memory limits its size; with victim=(NAME), the best response to that agent",
        ),
        (
            "amcts",
            "a search against one fixed opponent, whose replies it predicts: victim model look replies by, and the options of by",
        ),
        ("thermo", "Thermostrat: moves by the thermographs of a sum's parts"),
        ("sentestrat", "Sentestrat, also by thermographs: answers threats, else moves in the hottest part"),
        ("topweight", "moves where the top counter of Heap-Go is heaviest"),
        ("random", "any legal action"),
        (
            "gtp: COMMAND",
            "any program that speaks GTP, in Go, such as gtp: gnugo --mode gtp; gtp(timeout=30s): COMMAND",
        ),
    ];

    /// An agent of this method, with the options that every agent takes.
    pub(crate) fn of_method(method: Method, words: &mut Words) -> Result<AgentName, Error> {
        Ok(AgentName {
            method,
            simulations: words.take("simulations", |text| count(text, 1, u64::MAX))?,
            time: words.take("time", time)?,
            memory: words.take("memory", bytes)?.unwrap_or(MEMORY_DEFAULT),
            seed: words.take("seed", |text| count(text, 0, u64::MAX))?.unwrap_or(SEED_DEFAULT),
        })
    }

    /// The budget of a move. Exact play ends by itself.
    pub fn budget(&self) -> Budget {
        let samples = matches!(
            self.method,
            Method::Search(_)
                | Method::Attack(_)
                | Method::Divide(_)
                | Method::Coupons(_)
                | Method::Random
                | Method::Own(_)
        );
        let standard = (samples && !self.has_budget()).then_some(SIMULATIONS_DEFAULT);
        Budget { simulations: self.simulations.or(standard), time: self.time }
    }

    /// `memory=`, at most `usize::MAX`.
    pub(crate) fn memory_bytes(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX)
    }

    /// How far alpha-beta looks ahead: with a budget, as far as the budget allows.
    pub fn alpha_beta_depth(&self, name: &AlphaBetaName) -> usize {
        let standard = if self.has_budget() { exact::DEPTH_MAX } else { ALPHA_BETA_DEPTH_DEFAULT };
        name.depth.unwrap_or(standard)
    }

    /// Whether the other is the same agent, except for its budget.
    pub(crate) fn is_same_but_budget(&self, other: &AgentName) -> bool {
        AgentName { simulations: other.simulations, time: other.time, ..self.clone() } == *other
    }

    /// Whether it keeps what it knows from one move to the next.
    pub fn reuses(&self) -> bool {
        self.search().is_none_or(|search| search.reuse)
    }

    /// Its Monte Carlo search, if it is one.
    pub fn search(&self) -> Option<&SearchName> {
        match &self.method {
            Method::Search(search) => Some(search),
            Method::Attack(attack) => Some(&attack.search),
            _ => None,
        }
    }

    /// Whether it is a search in which a network gives priors.
    pub fn has_policy(&self) -> bool {
        matches!(&self.method, Method::Search(search) if search.has_policy())
    }

    /// What a move costs beside the agent's own search, if that is much: a note to print before the work.
    pub fn cost(&self) -> Option<String> {
        match &self.method {
            Method::Attack(attack) => attack.cost(),
            Method::Response(victim) => victim.cost_of_exact(),
            _ => None,
        }
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
        AgentName::read(text, &OwnAgents::default())
    }
}

impl AgentName {
    /// Reads a name. It may be one of these agents, or have one as its victim.
    pub(crate) fn read(text: &str, own: &OwnAgents) -> Result<AgentName, Error> {
        if let Some(found) = own.read(text) {
            return found;
        }
        if ProgramName::is_meant(text) {
            return Ok(AgentName { method: Method::Program(text.trim().parse()?), ..AgentName::default() });
        }
        let mut words = Words::parse("agent", text)?;
        let method = match words.name {
            "alphabeta" => Method::AlphaBeta(AlphaBetaName::parse(&mut words)?),
            "ams" => Method::Multistage {
                samples: words.take("samples", |text| count(text, 1, SAMPLES_MAX))?.unwrap_or(16) as u32,
                stages: words.take("stages", |text| count(text, 1, STAGES_MAX.into()))?.unwrap_or(3) as u32,
            },
            "divide" => Method::Divide(division(&mut words)?),
            "coupons" => Method::Coupons(CouponsName::parse(&mut words)?),
            "exact" => match VictimName::parse(&mut words, ModelName::Search, own)? {
                Some(victim) => Method::Response(victim),
                None => Method::Exact,
            },
            "amcts" => Method::Attack(Box::new(AttackName::parse(&mut words, own)?)),
            "random" => Method::Random,
            word if let Some(preset) = Preset::of_word(word) => {
                Method::Search(SearchName::parse(preset, &mut words)?)
            }
            word if let Some(known) = Expert::KNOWN.iter().find(|known| known.0 == word) => {
                Method::Expert(known.1)
            }
            other => return Err(unknown("agent", other, &AgentName::KNOWN.map(|(word, _)| word))),
        };
        let agent = AgentName::of_method(method, &mut words)?;
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
            Method::Coupons(coupons) => write!(f, "{coupons}")?,
            Method::Exact => f.write_str("exact")?,
            Method::Response(victim) => victim.show_exact(f)?,
            Method::Attack(attack) => write!(f, "{attack}")?,
            Method::Expert(expert) => f.write_str(expert.word())?,
            // A program takes seeds and budgets, if any, from its command.
            Method::Program(program) => return write!(f, "{program}"),
            Method::Own(own) => write!(f, "{own}")?,
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
