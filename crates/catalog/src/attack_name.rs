//! Attacks by name: `amcts victim=(uct c=0.5 simulations=1000) model=r`. A part of an agent's name.

use crate::own_agent::OwnAgents;
use crate::search_name::{Preset, SearchName};
use crate::units::{choice, count, thousands};
use crate::words::Words;
use crate::{AgentName, Error, Method};
use std::fmt;

/// The most replies of a victim to one position that can be asked for.
const REPLIES_MAX: u64 = 100;

/// The simulations of `model=s` where the victim has no network and the name gives none.
const LOOK_DEFAULT: u64 = 100;

/// A search that knows how its opponent plays.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackName {
    /// The opponent, and how it is modelled.
    pub victim: VictimName,
    /// The attacker's own search; `by=` is its preset.
    pub search: SearchName,
}

/// A victim and its model.
#[derive(Clone, Debug, PartialEq)]
pub struct VictimName {
    /// `victim=(NAME)`
    pub agent: Box<AgentName>,
    /// `model=`
    pub model: ModelName,
    /// `look=`, if it is not the default.
    pub look: Option<u64>,
    /// `replies=`
    pub replies: u64,
}

/// How a search predicts its victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// `s`: the policy of the victim's network, or the visits of its search with few simulations.
    Policy,
    /// `s++`: the same, averaged over the symmetries of the board.
    AveragedPolicy,
    /// `r`: the victim's whole search.
    Search,
}

const MODELS: &[(&str, ModelName)] =
    &[("s", ModelName::Policy), ("s++", ModelName::AveragedPolicy), ("r", ModelName::Search)];

/// The options that name a victim and its model, each with what it takes and what it does.
pub(crate) const VICTIM_OPTIONS: [(&str, &str, &str); 4] = [
    ("victim", "(NAME), an agent in parentheses", "the opponent, whose play is predicted"),
    (
        "model",
        "s, s++ or r",
        "s: the policy of the victim's network, or the visits of its search with look= simulations; s++: the policy averaged over symmetries; r: the victim's whole search",
    ),
    ("look", "a whole number from 1", "the victim's simulations with model=s (1 with a network, else 100)"),
    (
        "replies",
        "a whole number from 1 to 100",
        "with model=r: searches with different seeds for one position; their moves are equally likely",
    ),
];

/// The option of the attacker's own search.
pub(crate) const BY_OPTION: (&str, &str, &str) = (
    "by",
    "uct, flat, alphazero or gumbel",
    "the attacker's own search, which takes all options of that one",
);

impl VictimName {
    /// An agent as a victim with this model. An error says why it cannot be one.
    pub fn new(agent: AgentName, model: ModelName) -> Result<VictimName, Error> {
        if let Some(why) = unfit(&agent) {
            return Err(Error::new(format!("victim {agent}: {why}")));
        }
        let victim = VictimName { agent: Box::new(agent), model, look: None, replies: 1 };
        victim.refusal().map_or(Ok(victim), |why| Err(Error::new(why)))
    }

    /// Reads the victim of an agent whose default model is this one. None if the name gives no victim.
    pub(crate) fn parse(
        words: &mut Words,
        standard: ModelName,
        own: &OwnAgents,
    ) -> Result<Option<VictimName>, Error> {
        let Some(text) = words.take("victim", |text| Ok(text.to_string()))? else { return Ok(None) };
        let wrong = |why: String| Error::new(format!("agent {}: victim={text}: {why}", words.name));
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let inside = inside.ok_or_else(|| {
            wrong("expected an agent's name in parentheses, as in victim=(uct simulations=1000)".into())
        })?;
        let agent = AgentName::read(inside, own).map_err(|error| wrong(error.to_string()))?;
        if let Some(why) = unfit(&agent) {
            return Err(wrong(why.into()));
        }
        let victim = VictimName {
            model: words.take("model", |text| choice(text, MODELS))?.unwrap_or(standard),
            look: words.take("look", |text| count(text, 1, u64::MAX))?,
            replies: words.take("replies", |text| count(text, 1, REPLIES_MAX))?.unwrap_or(1),
            agent: Box::new(agent),
        };
        victim.refusal().map_or(Ok(Some(victim)), |why| Err(Error::new(why)))
    }

    /// The error of options that do not work together.
    fn refusal(&self) -> Option<&'static str> {
        let has_policy = self.agent.has_policy();
        match self.model {
            ModelName::AveragedPolicy if !has_policy => {
                Some("model=s++ averages the policy of a network: give a victim with one, or model=s")
            }
            ModelName::Search if self.look.is_some() => {
                Some("look= belongs to model=s; model=r has the victim's own simulations")
            }
            ModelName::Policy | ModelName::AveragedPolicy if self.replies > 1 => {
                Some("replies= belongs to model=r: give it with that, or leave it out")
            }
            _ => None,
        }
    }

    /// The simulations that the victim gets for one look at a position.
    pub(crate) fn looks(&self) -> u64 {
        self.look.unwrap_or(if self.agent.has_policy() { 1 } else { LOOK_DEFAULT })
    }

    /// What asking the victim costs, for a note before the work.
    fn cost(&self) -> Option<String> {
        let (replies, agent) = (self.replies, &self.agent);
        let searches = if replies == 1 { "a search".into() } else { format!("{replies} searches") };
        match (self.model, agent.budget().simulations) {
            (ModelName::Search, Some(most)) => {
                Some(format!("{searches} of {} simulations by the victim", thousands(most)))
            }
            (ModelName::Search, None) => Some(format!("{searches} by the victim, {agent}")),
            _ => None,
        }
    }

    /// The options that differ from those of an agent with this default model.
    fn show(&self, standard: ModelName, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " victim=({})", self.agent)?;
        if self.model != standard {
            let word = MODELS.iter().find(|(_, model)| *model == self.model).map_or("", |(word, _)| word);
            write!(f, " model={word}")?;
        }
        if let Some(look) = self.look {
            write!(f, " look={look}")?;
        }
        if self.replies > 1 { write!(f, " replies={}", self.replies) } else { Ok(()) }
    }

    /// `exact` against this victim.
    pub(crate) fn show_exact(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("exact")?;
        self.show(ModelName::Search, f)
    }
}

/// Why an agent cannot be a victim.
fn unfit(agent: &AgentName) -> Option<&'static str> {
    match &agent.method {
        _ if agent.time.is_some() => {
            Some("its replies must not depend on the clock: give simulations= in place of time=")
        }
        Method::Program(_) => {
            Some("a program cannot be asked about positions out of order; use one of aji's agents")
        }
        Method::Attack(_) | Method::Response(_) => {
            Some("an attacker cannot be a victim; use an ordinary agent")
        }
        Method::Search(search) if search.threads > 1 => {
            Some("give it one thread, which plays the same moves")
        }
        _ => None,
    }
}

impl AttackName {
    pub(crate) fn parse(words: &mut Words, own: &OwnAgents) -> Result<AttackName, Error> {
        let victim = VictimName::parse(words, ModelName::Policy, own)?.ok_or_else(|| {
            Error::new("agent amcts: it needs a victim, as in amcts victim=(uct simulations=1000)")
        })?;
        let presets: Vec<(&str, Preset)> =
            Preset::all().into_iter().filter(|(_, preset)| *preset != Preset::Rave).collect();
        let preset = words.take("by", |text| choice(text, &presets))?.unwrap_or(Preset::Uct);
        let search = SearchName::parse(preset, words)?;
        let refusals = [
            (search.learns() || search.wants_amaf(), "learners, rave, mast and lgr"),
            (search.transpositions, "transpositions=on"),
            (search.solver, "solver=on"),
            (search.threads > 1, "threads="),
            (search.carry, "carry=on"),
        ];
        match refusals.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, what)) => Err(Error::new(format!("amcts does not work with {what}: leave it out"))),
            None => Ok(AttackName { victim, search }),
        }
    }

    /// Whether it may take this option of a search.
    pub(crate) fn takes(key: &str) -> bool {
        !["learn", "repair", "read", "ref", "transpositions", "solver", "threads", "share", "carry"]
            .contains(&key)
    }

    /// What each simulation costs beside the attacker's own search, if that is much.
    pub(crate) fn cost(&self) -> Option<String> {
        let cost = self.victim.cost()?;
        Some(format!("each simulation of amcts may need {cost}; replies are kept by position"))
    }
}

impl VictimName {
    /// The same for `exact`.
    pub(crate) fn cost_of_exact(&self) -> Option<String> {
        Some(format!("each position of the victim needs {}", self.cost()?))
    }
}

impl fmt::Display for AttackName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("amcts")?;
        self.victim.show(ModelName::Policy, f)?;
        if self.search.preset != Preset::Uct {
            write!(f, " by={}", self.search.preset.word())?;
        }
        self.search.show_options(f)
    }
}
