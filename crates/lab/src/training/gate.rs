//! Gates: every kept network plays an agent, and the network that was kept before it. What is learned does not depend
//! on gates; a gate depends on the network alone, so it can be run later too.

use crate::contest::{Contest, Meeting, PairRecord};
use crate::{Ending, Error, Origin, Runner, Shard};
use aji_catalog::{AgentName, Workbench};
use aji_train::{Training, network_name};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Random plies at the beginning of a gate's games.
const OPENING_PLIES: usize = 4;

/// How gates are held.
#[derive(Clone, Debug)]
pub struct GateRules {
    /// Whom networks play beside each other; none for no gates at all.
    pub opponent: Option<AgentName>,
    /// Pairs of games against each opponent.
    pub pairs: u64,
    /// Simulations of a network's move.
    pub simulations: u64,
    /// Games at a time.
    pub threads: usize,
    /// Which program this is.
    pub origin: Origin,
}

/// What a gate found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Simulations of the network's moves.
    pub simulations: u64,
    /// The matches.
    pub matches: Vec<Met>,
}

/// A match of a gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// The opponent: an agent, or the network of an earlier iteration.
    pub opponent: String,
    /// The iteration of that network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// Games.
    pub games: u64,
    /// The network's points: 1 for a win and a half for a draw.
    pub points: f64,
    /// The ends of the interval of the score, at 95%.
    pub low: f64,
    /// See [`low`](Met::low).
    pub high: f64,
}

impl Met {
    /// The share of points.
    pub fn score(&self) -> f64 {
        self.points / self.games.max(1) as f64
    }
}

/// Holds the gates of a run.
pub struct Gate {
    workbench: Workbench,
    game: String,
    rules: GateRules,
}

impl Gate {
    /// Gates for networks of this game. An error if the opponent cannot play it.
    pub fn new(workbench: &Workbench, game: &str, rules: GateRules) -> Result<Gate, Error> {
        if let Some(opponent) = &rules.opponent {
            workbench.session(game)?.accepts(opponent)?;
        }
        Ok(Gate { workbench: workbench.clone(), game: game.into(), rules })
    }

    /// Whether the last finished iteration keeps its network and has had no gate.
    pub fn is_due(&self, training: &Training) -> bool {
        let iteration = training.progress().iterations;
        let is_kept = keep_of(training).is_some_and(|keep| iteration > 0 && iteration.is_multiple_of(keep));
        let had = training.journal().gates.iter().any(|gate| gate.0 == iteration);
        self.rules.opponent.is_some() && is_kept && !had
    }

    /// Holds the gate of the last finished iteration, in the folder of its run. None if `stop` was set.
    pub fn run(&self, folder: &Path, training: &Training, stop: &AtomicBool) -> Result<Option<Value>, Error> {
        let iteration = training.progress().iterations;
        let before =
            keep_of(training).and_then(|keep| iteration.checked_sub(keep)).filter(|&before| before > 0);
        let mut judged = Judged { simulations: self.rules.simulations, matches: Vec::new() };
        let opponents = self.rules.opponent.iter().map(|agent| (agent.clone(), None));
        let mut opponents: Vec<(AgentName, Option<u64>)> = opponents.collect();
        if let Some(before) = before.filter(|&before| folder.join(network_name(before)).exists()) {
            opponents.push((self.player(folder, before)?, Some(before)));
        }
        for (opponent, number) in opponents {
            let network = self.player(folder, iteration)?;
            let name = number.map_or(opponent.to_string(), |number| format!("iteration {number}"));
            let Some(met) = self.meet(network, opponent, stop)? else { return Ok(None) };
            judged.matches.push(Met { opponent: name, iteration: number, ..met });
        }
        serde_json::to_value(judged).map(Some).map_err(|error| Error::new(error.to_string()))
    }

    /// The network of an iteration as a player. It draws nothing at random: openings make the games differ.
    fn player(&self, folder: &Path, iteration: u64) -> Result<AgentName, Error> {
        let path = folder.join(network_name(iteration));
        let text = path.display().to_string();
        if text.contains(char::is_whitespace) {
            return Err(Error::new(format!(
                "{text}: a gate needs a path without spaces; --gate none holds none"
            )));
        }
        let simulations = self.rules.simulations;
        Ok(self.workbench.agent_name(&format!("alphazero net={text} simulations={simulations}"))?)
    }

    fn meet(&self, network: AgentName, opponent: AgentName, stop: &AtomicBool) -> Result<Option<Met>, Error> {
        let agents = vec![network, opponent];
        let contest = Contest::on(&self.workbench, &self.game, agents, vec![(0, 1)], self.rules.pairs)?;
        let contest = contest.openings(OPENING_PLIES)?;
        let GateRules { threads, origin, .. } = self.rules.clone();
        let runner = Runner { threads, seed: 1, origin, shard: Shard::WHOLE };
        let outcome = runner.run(&contest, None, &(), stop)?;
        if outcome.ending == Ending::Stopped {
            return Ok(None);
        }
        let records: Vec<&PairRecord> = outcome.values().collect();
        let meeting = Meeting::new(records.iter().copied());
        let meeting = meeting.ok_or_else(|| Error::new("a gate without games"))?;
        let points = meeting.games.wins as f64 + 0.5 * meeting.games.draws as f64;
        let (low, high) = (meeting.score.interval.low, meeting.score.interval.high);
        let games = meeting.games.games();
        Ok(Some(Met { games, points, low, high, ..Met::default() }))
    }

    /// What a gate found, in one line.
    pub fn told(iteration: u64, found: &Value) -> String {
        let judged: Judged = serde_json::from_value(found.clone()).unwrap_or_default();
        let told = |met: &Met| {
            format!("{:.3} ({:.3} to {:.3}) against {}", met.score(), met.low, met.high, met.opponent)
        };
        let all: Vec<String> = judged.matches.iter().map(told).collect();
        format!("gate {iteration}, {} simulations: {}", judged.simulations, all.join(", "))
    }
}

/// From one kept network to the next.
fn keep_of(training: &Training) -> Option<u64> {
    training.run().options.get("keep")?.parse().ok().filter(|&keep| keep > 0)
}
