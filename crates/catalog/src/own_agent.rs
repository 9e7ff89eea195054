//! A user's own agents: a word, options, and a function that makes the agent for a position.

use crate::words::Words;
use crate::{AgentName, Error, Method};
use aji_search::{AnyAgent, AnyGame};
use std::fmt;
use std::sync::Arc;

/// The name of an agent that was added to a [`Workbench`](crate::Workbench).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAgentName {
    /// Its word.
    pub word: String,
    /// Its own options, each with its value, as they were written.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for OwnAgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)?;
        self.options.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// Makes an agent for the game of a position, by the options and the seed of its name.
type Make = dyn Fn(&mut Words, u64, &AnyGame) -> Result<AnyAgent, Error> + Send + Sync;

/// An agent by its word.
pub(crate) struct OwnAgent {
    pub(crate) word: String,
    pub(crate) summary: String,
    pub(crate) make: Box<Make>,
}

/// All agents that were added.
#[derive(Clone, Default)]
pub(crate) struct OwnAgents(Vec<Arc<OwnAgent>>);

impl OwnAgents {
    /// Adds an agent. It replaces one with the same word.
    pub(crate) fn add(&mut self, agent: OwnAgent) {
        self.0.retain(|other| other.word != agent.word);
        self.0.push(Arc::new(agent));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &OwnAgent> {
        self.0.iter().map(|agent| &**agent)
    }

    fn find(&self, word: &str) -> Option<&OwnAgent> {
        self.iter().find(|agent| agent.word == word)
    }

    /// Reads a name that begins with the word of one of these agents; none if it does not.
    pub(crate) fn read(&self, text: &str) -> Option<Result<AgentName, Error>> {
        let word = text.split_whitespace().next()?;
        self.find(word)?;
        let read = || {
            let mut words = Words::parse("agent", text)?;
            let none = OwnAgentName { word: word.into(), options: Vec::new() };
            let agent = AgentName::of_method(Method::Own(none), &mut words)?;
            let own = OwnAgentName { word: word.into(), options: words.rest() };
            Ok(AgentName { method: Method::Own(own), ..agent })
        };
        Some(read())
    }

    /// The agent of this name for the game of a position.
    pub(crate) fn make(&self, name: &OwnAgentName, seed: u64, game: &AnyGame) -> Result<AnyAgent, Error> {
        let word = &name.word;
        let absent = || {
            Error::new(format!("agent {word}: this session knows no such agent; open it by its workbench"))
        };
        let agent = self.find(word).ok_or_else(absent)?;
        let pairs: Vec<String> = name.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let mut words = Words::of("agent", word, pairs.iter().map(String::as_str))?;
        let made = (agent.make)(&mut words, seed, game)?;
        words.finish()?;
        Ok(made)
    }
}
