//! What a search has found, as plain data for JSON.

use crate::{AgentName, Session};
use aji_search::{ArmReport, Line, Report, Stopped};
use serde::Serialize;

/// What is searched, and by whom: the parts of [`Found`] that a report does not know. It stays valid while the session
/// thinks.
#[derive(Clone, Debug)]
pub struct Searched {
    game: String,
    agent: String,
    seed: u64,
    position: String,
    /// The payoffs that rewards of 0 and 1 stand for, where the agent plays for points.
    points: Option<(f32, f32)>,
}

/// The report of a search, with the game, the agent and the position.
#[derive(Clone, Debug, Serialize)]
pub struct Found<'a> {
    /// The game, with its options.
    pub game: &'a str,
    /// The agent.
    pub agent: &'a str,
    /// The agent's seed.
    pub seed: u64,
    /// The position in one line.
    pub position: &'a str,
    /// The simulations of this run.
    pub simulations: u64,
    /// The simulations of the search that was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded: Option<u64>,
    /// Wall time of this run.
    pub seconds: f64,
    /// Edges in the tree.
    pub nodes: usize,
    /// The bytes of the tree.
    pub bytes: usize,
    /// How often a position was not expanded because the memory was full.
    pub left_out: u64,
    /// Why the search stopped.
    pub stopped: &'static str,
    /// The recommended action.
    pub best: Option<&'a str>,
    /// Its value, in 0..=1.
    pub value: Option<f32>,
    /// The value in the game's points, where the agent plays for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f32>,
    /// The proven value of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<f32>,
    /// The network's own value of the position, if the agent has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<f32>,
    /// The actions of the position.
    pub arms: Vec<FoundArm<'a>>,
    /// The best action, and the most simulated actions after it.
    pub line: &'a [String],
    /// The principal lines of the best actions, where more than one was asked for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub lines: &'a [Line<String>],
}

/// What was found about one action.
#[derive(Clone, Debug, Serialize)]
pub struct FoundArm<'a> {
    /// The action.
    pub action: &'a str,
    /// Simulations that began with it.
    pub pulls: u32,
    /// Their average reward, in 0..=1.
    pub mean: f32,
    /// The standard error of the mean.
    pub error: Option<f32>,
    /// The mean in the game's points, where the agent plays for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f32>,
    /// Its proven value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<f32>,
    /// The network's prior of the action, if the search has priors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f32>,
}

impl Searched {
    /// The position of this session, for this agent.
    pub fn new(session: &dyn Session, agent: &AgentName) -> Searched {
        Searched {
            game: session.name().into(),
            agent: agent.to_string(),
            seed: agent.seed,
            position: session.text(),
            points: session.points(agent),
        }
    }

    /// What this report found there.
    pub fn found<'a>(&'a self, report: &'a Report<String>) -> Found<'a> {
        let points = |reward: f32| self.points.map(|(low, high)| low + reward * (high - low));
        let arm = |arm: &'a ArmReport<String>| {
            let ArmReport { action, pulls, mean, error, proven, prior } = arm;
            let known = *pulls > 0 || report.value.is_some();
            let points = points(*mean).filter(|_| known);
            FoundArm {
                action,
                pulls: *pulls,
                mean: *mean,
                error: *error,
                points,
                proven: *proven,
                prior: *prior,
            }
        };
        Found {
            game: &self.game,
            agent: &self.agent,
            seed: self.seed,
            position: &self.position,
            simulations: report.simulations,
            loaded: None,
            seconds: report.time.as_secs_f64(),
            nodes: report.nodes,
            bytes: report.bytes,
            left_out: report.left_out,
            stopped: stopped_word(report.stopped),
            best: report.best.as_deref(),
            value: report.value,
            points: report.value.and_then(points),
            proven: report.proven,
            evaluation: report.evaluation,
            arms: report.arms.iter().map(arm).collect(),
            line: &report.line,
            lines: if report.lines.len() > 1 { &report.lines } else { &[] },
        }
    }
}

/// Why a search stopped, in one word.
pub fn stopped_word(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Simulations => "simulations",
        Stopped::Time => "time",
        Stopped::Handle => "interrupted",
        Stopped::Enough => "enough",
        Stopped::PullsMax => "pulls_max",
        Stopped::Nothing => "nothing",
        Stopped::Solved => "solved",
        Stopped::Depth => "depth",
        Stopped::TooLarge => "too_large",
        Stopped::Endless => "endless",
        Stopped::Resigned => "resigned",
    }
}
