//! How often an agent errs, judged by exact values. A mistake is a move that turns a win into a draw or a loss, or a
//! draw into a loss.
//!
//! A [`Mistakes`] is an experiment; its trial is one position. The position is drawn by random play ([`Draw`]) or
//! comes from a list. A judge (by default `exact`) values every action, and the agent chooses one. If a list already
//! has the values, the judge is not asked again. Without an agent the trials only make such a list.
//!
//! It handles games of two players without chance.

mod draw;
mod judged;
mod least_change;
mod sets;
mod tally;

pub use draw::{Draw, Kind, TRIES_MAX};
pub use judged::{Judged, Valued};
pub use least_change::{Change, ChangedCell, Changes, Counted, LeastChange};
pub use sets::{POSITION_SETS, PositionSet};
pub use tally::{Share, Tally};

use crate::{Error, Experiment, Trial};
use aji_catalog::{AgentName, Method, Session, Workbench};
use serde::{Deserialize, Serialize};

/// Where the positions come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// This many, drawn by random play.
    Drawn(Draw, u64),
    /// A list.
    Listed(Vec<Judged>),
}

/// An agent, and the positions in which it may err.
pub struct Mistakes {
    name: String,
    workbench: Workbench,
    game: String,
    agent: Option<AgentName>,
    judge: AgentName,
    source: Source,
}

/// The record of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The position, with the value of every action.
    #[serde(flatten)]
    pub judged: Judged,
    /// The agent's action, if there is an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}

impl Answer {
    /// Whether the agent's action worsens the outcome. False without an agent.
    pub fn is_mistake(&self) -> bool {
        let value = self.chosen.as_ref().and_then(|chosen| self.judged.value(chosen));
        value.is_some_and(|value| Judged::outcome_after(value) < self.judged.outcome())
    }
}

impl Mistakes {
    /// Checks that the game has two players, and that judge and agent can play it.
    pub fn new(
        workbench: &Workbench,
        game: &str,
        agent: Option<AgentName>,
        judge: AgentName,
        source: Source,
    ) -> Result<Mistakes, Error> {
        let mut session = workbench.session(game)?;
        if session.players() != 2 {
            let (name, players) = (session.name(), session.players());
            return Err(Error::new(format!(
                "{name}: mistakes are judged in games of two players; it has {players}"
            )));
        }
        for agent in agent.iter().chain([&judge]) {
            session.accepts(agent)?;
        }
        if let Source::Drawn(draw, _) = &source {
            draw.check(session.as_mut())?;
        }
        let game = session.name().to_string();
        Ok(Mistakes { name: "mistakes".into(), workbench: workbench.clone(), game, agent, judge, source })
    }

    /// Names the experiment.
    pub fn named(self, name: &str) -> Mistakes {
        Mistakes { name: name.into(), ..self }
    }

    /// The game, with its options.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Whether the same seed gives the same answers: the agent has no clock and is no external program.
    pub fn is_repeatable(&self) -> bool {
        let repeats = |agent: &AgentName| agent.time.is_none() && !matches!(agent.method, Method::Program(_));
        self.agent.as_ref().is_none_or(repeats)
    }

    /// The range of the game's payoffs if it is played for points.
    pub fn points(&self) -> Result<Option<(f32, f32)>, Error> {
        Ok(self.workbench.session(&self.game)?.points(&self.judge))
    }

    /// The position of a trial, with the values of its actions.
    fn judged(&self, session: &mut dyn Session, trial: Trial) -> Result<Judged, Error> {
        match &self.source {
            Source::Drawn(draw, _) => draw.position(session, &self.judge, trial),
            Source::Listed(positions) => {
                let judged = &positions[trial.id as usize];
                if judged.is_valued() {
                    return Ok(judged.clone());
                }
                Judged::by(session, &self.judge, &judged.position)
            }
        }
    }
}

impl Experiment for Mistakes {
    type Record = Answer;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> serde_json::Value {
        let (drawn, list) = match &self.source {
            Source::Drawn(draw, _) => (Some(draw), None),
            Source::Listed(positions) => (None, Some(judged::fingerprint(positions))),
        };
        serde_json::json!({
            "game": self.game,
            "agent": self.agent.as_ref().map(AgentName::to_string),
            "judge": self.judge.to_string(),
            "kind": drawn.map(|draw| draw.kind.word()),
            "plies": drawn.map(|draw| draw.plies),
            "list": list,
            "repeatable": self.is_repeatable(),
        })
    }

    fn trials(&self) -> u64 {
        match &self.source {
            Source::Drawn(_, count) => *count,
            Source::Listed(positions) => positions.len() as u64,
        }
    }

    fn is_stoppable(&self) -> bool {
        self.workbench.is_stoppable()
    }

    fn run(&self, trial: Trial) -> Result<Answer, Error> {
        let mut session = self.workbench.session(&self.game)?;
        let judged = self.judged(session.as_mut(), trial)?;
        let Some(agent) = &self.agent else { return Ok(Answer { judged, chosen: None }) };
        session.set_position(&judged.position)?;
        let seed = agent.seed.wrapping_add(trial.seed_of("agent"));
        let report = session.think(&AgentName { seed, ..agent.clone() }, &mut ())?;
        let resigned = || Error::new(format!("{agent} resigned in {}", judged.position));
        let chosen = report.best.ok_or_else(resigned)?;
        if judged.value(&chosen).is_none() {
            return Err(Error::new(format!("{}: no value is known for {chosen}", judged.position)));
        }
        Ok(Answer { judged, chosen: Some(chosen) })
    }
}
