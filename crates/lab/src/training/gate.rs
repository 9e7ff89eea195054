//! Gates: every kept network plays an agent, and the network that was kept before it. If the lab has positions of the
//! game with exact values, the gate counts the network's mistakes too. Training does not depend on gates. A gate
//! depends on the network alone, so it can also run later.

use crate::contest::{Contest, Meeting, PairRecord};
use crate::mistakes::{Answer, Mistakes, POSITION_SETS, PositionSet, Source, Tally};
use crate::{Ending, Error, Origin, Runner, Shard};
use aji_catalog::{AgentName, Workbench};
use aji_train::{Training, network_name};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Random plies at the beginning of a gate's games.
const OPENING_PLIES: usize = 4;

/// How gates are run.
#[derive(Clone, Debug)]
pub struct GateRules {
    /// The agent that networks play, beside each other; none for no gates at all. Against an agent whose budget is a
    /// time, the network has the same time for a move.
    pub opponent: Option<AgentName>,
    /// Pairs of games against each opponent.
    pub pairs: u64,
    /// Simulations of a network's move.
    pub simulations: u64,
    /// The number of games that run at a time.
    pub threads: usize,
    /// The program that runs them.
    pub origin: Origin,
}

/// The results of a gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Simulations of the network's moves.
    pub simulations: u64,
    /// The matches.
    pub matches: Vec<Met>,
    /// The mistakes in positions with exact values, if the lab has some of the game.
    #[serde(default)]
    pub mistakes: Vec<Erred>,
}

/// Mistakes in a list of positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Erred {
    /// The list.
    pub list: String,
    /// Simulations of a move: 1 is the bare network.
    pub simulations: u64,
    /// Positions.
    pub positions: u64,
    /// Positions in which the move made the outcome worse.
    pub mistakes: u64,
    /// The ends of the interval of their share, at 95%.
    pub low: f64,
    /// See [`low`](Erred::low).
    pub high: f64,
}

impl Erred {
    /// The mistakes that a tally counts.
    pub fn new(list: &str, simulations: u64, tally: &Tally) -> Result<Erred, Error> {
        let share = tally.share().ok_or_else(|| Error::new(format!("{list}: no positions")))?;
        let (low, high) = (share.interval.low, share.interval.high);
        let (positions, mistakes) = (tally.positions, tally.mistakes());
        Ok(Erred { list: list.into(), simulations, positions, mistakes, low, high })
    }

    /// The share of mistakes.
    pub fn share(&self) -> f64 {
        self.mistakes as f64 / self.positions.max(1) as f64
    }
}

/// A match of a gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// The opponent: an agent, or the network of an earlier iteration.
    pub opponent: String,
    /// The iteration of that network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The seconds of the network's moves, where they have a time and not a number of simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
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

/// Runs the gates of a training.
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

    /// Runs the gate of the last finished iteration, in the folder of its run. None if `stop` was set.
    pub fn run(&self, folder: &Path, training: &Training, stop: &AtomicBool) -> Result<Option<Value>, Error> {
        let iteration = training.progress().iterations;
        let before =
            keep_of(training).and_then(|keep| iteration.checked_sub(keep)).filter(|&before| before > 0);
        let mut judged = Judged { simulations: self.rules.simulations, ..Judged::default() };
        let opponents = self.rules.opponent.iter().map(|agent| (agent.clone(), None));
        let mut opponents: Vec<(AgentName, Option<u64>)> = opponents.collect();
        if let Some(before) = before.filter(|&before| folder.join(network_name(before)).exists()) {
            opponents.push((self.player(folder, before, self.rules.simulations)?, Some(before)));
        }
        for (opponent, number) in opponents {
            let time = opponent.budget().time.filter(|_| number.is_none()).map(|time| time.as_secs_f64());
            let network = match time {
                Some(seconds) => self.playing(folder, iteration, &format!("time={seconds}s"))?,
                None => self.player(folder, iteration, self.rules.simulations)?,
            };
            let name = number.map_or(opponent.to_string(), |number| format!("iteration {number}"));
            let Some(met) = self.meet(network, opponent, stop)? else { return Ok(None) };
            judged.matches.push(Met { opponent: name, iteration: number, time, ..met });
        }
        let is_ours = |list: &&PositionSet| list.game == self.game && !list.positions().is_empty();
        for list in POSITION_SETS.iter().filter(is_ours) {
            for simulations in [1, self.rules.simulations] {
                let network = self.player(folder, iteration, simulations)?;
                let Some(erred) = self.err(network, simulations, list, stop)? else { return Ok(None) };
                judged.mistakes.push(erred);
            }
        }
        serde_json::to_value(judged).map(Some).map_err(|error| Error::new(error.to_string()))
    }

    /// The network of an iteration as a player. It plays without randomness; the openings make the games differ.
    fn player(&self, folder: &Path, iteration: u64, simulations: u64) -> Result<AgentName, Error> {
        self.playing(folder, iteration, &format!("simulations={simulations}"))
    }

    /// The same with any budget for a move.
    fn playing(&self, folder: &Path, iteration: u64, budget: &str) -> Result<AgentName, Error> {
        let path = folder.join(network_name(iteration));
        let text = path.display().to_string();
        if text.contains(char::is_whitespace) {
            return Err(Error::new(format!(
                "{text}: a gate needs a path without spaces; --gate none holds none"
            )));
        }
        Ok(self.workbench.agent_name(&format!("alphazero net={text} {budget}"))?)
    }

    fn meet(&self, network: AgentName, opponent: AgentName, stop: &AtomicBool) -> Result<Option<Met>, Error> {
        let agents = vec![network, opponent];
        let contest = Contest::on(&self.workbench, &self.game, agents, vec![(0, 1)], self.rules.pairs)?;
        let contest = contest.openings(OPENING_PLIES)?;
        let outcome = self.runner().run(&contest, None, &(), stop)?;
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

    /// The mistakes of a network in a list of positions. None if `stop` was set.
    fn err(
        &self,
        network: AgentName,
        simulations: u64,
        list: &PositionSet,
        stop: &AtomicBool,
    ) -> Result<Option<Erred>, Error> {
        let (judge, source) = (self.workbench.agent_name("exact")?, Source::Listed(list.positions()));
        let mistakes = Mistakes::new(&self.workbench, &self.game, Some(network), judge, source)?;
        let outcome = self.runner().run(&mistakes, None, &(), stop)?;
        if outcome.ending == Ending::Stopped {
            return Ok(None);
        }
        let tally = Tally::of(outcome.values().collect::<Vec<&Answer>>().into_iter());
        Erred::new(list.name, simulations, &tally).map(Some)
    }

    fn runner(&self) -> Runner {
        let GateRules { threads, origin, .. } = self.rules.clone();
        Runner { threads, seed: 1, origin, shard: Shard::WHOLE }
    }

    /// The results of a gate, in one line.
    pub fn told(iteration: u64, found: &Value) -> String {
        let judged: Judged = serde_json::from_value(found.clone()).unwrap_or_default();
        let told = |met: &Met| {
            format!("{:.3} ({:.3} to {:.3}) against {}", met.score(), met.low, met.high, met.opponent)
        };
        let erred = |erred: &Erred| {
            let Erred { list, simulations, .. } = erred;
            format!("{:.1}% mistakes in {list} ({simulations})", 100.0 * erred.share())
        };
        let all = judged.matches.iter().map(told).chain(judged.mistakes.iter().map(erred));
        let all: Vec<String> = all.collect();
        format!("gate {iteration}, {} simulations: {}", judged.simulations, all.join(", "))
    }
}

/// The number of iterations from one kept network to the next.
fn keep_of(training: &Training) -> Option<u64> {
    training.run().options.get("keep")?.parse().ok().filter(|&keep| keep > 0)
}
