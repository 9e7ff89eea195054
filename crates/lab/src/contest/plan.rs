//! What a journal says of its contest: enough to play on, and to tell of it.

use super::{Contest, TuningGrid};
use crate::statistics::Sprt;
use crate::{Error, Experiment, Header};
use aji_catalog::{AgentName, Workbench};
use serde::{Deserialize, Serialize};

/// What a contest is for. Its journal has the word as the name of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContestKind {
    /// Two agents.
    Match,
    /// Every agent against every other.
    Tournament,
    /// Values of an option against the unchanged agent.
    Tuning,
}

impl ContestKind {
    /// The name of the experiment.
    pub fn word(self) -> &'static str {
        match self {
            ContestKind::Match => "match",
            ContestKind::Tournament => "tournament",
            ContestKind::Tuning => "tuning",
        }
    }

    /// The kind with this word.
    pub fn of_word(word: &str) -> Option<ContestKind> {
        [ContestKind::Match, ContestKind::Tournament, ContestKind::Tuning]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// The parameters of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The game, with its options.
    pub game: String,
    /// The agents.
    pub agents: Vec<String>,
    /// Who plays whom, by index of the agents.
    pub pairings: Vec<(usize, usize)>,
    /// Random plies that each round begins with.
    pub opening_plies: usize,
    /// The test that ends a match.
    pub sprt: Option<Sprt>,
    /// Whether the second agent gets the simulations of the first.
    pub equal_samples: bool,
    /// The number of the first round.
    pub first_round: u64,
    /// Whether the same seed gives the same games.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub repeatable: bool,
    /// The option that is tuned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// Its values, in the order of the agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

impl Plan {
    /// The contest of a journal, by its header, and the number of its rounds. An error if the journal is of another
    /// experiment, or if its parts do not fit each other.
    pub fn of_header(header: &Header) -> Result<(ContestKind, Plan, u64), Error> {
        let name = &header.experiment;
        let kind = ContestKind::of_word(name).ok_or_else(|| {
            Error::new(format!("a journal of {name}; expected one of a match, a tournament or a tuning"))
        })?;
        let plan: Plan = serde_json::from_value(header.parameters.clone())
            .map_err(|error| Error::new(format!("a journal of a {name}: its parameters: {error}")))?;
        let (agents, pairings) = (plan.agents.len(), plan.pairings.len() as u64);
        let is_paired = plan.pairings.iter().all(|&(a, b)| a != b && a < agents && b < agents);
        let is_whole = pairings > 0 && header.trials > 0 && header.trials.is_multiple_of(pairings);
        let is_tuned = match (kind, &plan.option, &plan.values) {
            (ContestKind::Tuning, Some(_), Some(values)) => {
                values.len() + 1 == agents && plan.pairings == TuningGrid::pairings(values.len())
            }
            (ContestKind::Tuning, ..) => false,
            _ => plan.option.is_none() && plan.values.is_none(),
        };
        let is_match = kind != ContestKind::Match || (agents == 2 && plan.pairings == [(0, 1)]);
        if !is_paired || !is_whole || !is_tuned || !is_match {
            return Err(Error::new(format!("a journal of a {name}: its agents and its trials do not fit")));
        }
        Ok((kind, plan, header.trials / pairings))
    }

    /// The values of the option that is tuned.
    pub fn grid(&self) -> Option<TuningGrid> {
        Some(TuningGrid::new(self.option.clone()?, self.values.clone()?))
    }

    /// The contest, to play it in so many rounds.
    pub fn contest(&self, workbench: &Workbench, kind: ContestKind, rounds: u64) -> Result<Contest, Error> {
        let agents: Result<Vec<AgentName>, _> =
            self.agents.iter().map(|name| workbench.agent_name(name)).collect();
        let contest = Contest::on(workbench, &self.game, agents?, self.pairings.clone(), rounds)?;
        let contest = contest.openings(self.opening_plies)?.first_round(self.first_round).named(kind.word());
        let contest = if self.equal_samples { contest.equal_samples()? } else { contest };
        let contest = match self.sprt {
            Some(sprt) => contest.sprt(sprt),
            None => contest,
        };
        let contest = match self.grid() {
            Some(grid) => contest.tuning(grid),
            None => contest,
        };
        // A name may be read otherwise than it was meant, for example in a file that was changed by hand.
        match contest.parameters() == serde_json::to_value(self).unwrap_or_default() {
            true => Ok(contest),
            false => Err(Error::new(format!(
                "{}: the names of the game and its agents are not those that this program writes",
                self.game
            ))),
        }
    }
}
