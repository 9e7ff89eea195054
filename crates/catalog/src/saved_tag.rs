//! The tag of a saved search: its game, position and agent.

use crate::units::show_bytes;
use crate::{AgentName, Error};
use aji_search::{LoadError, Named};
use std::fmt;

/// The tag of a saved search: three lines, one for each part.
pub(crate) struct SavedTag {
    game: String,
    position: String,
    agent: String,
}

impl SavedTag {
    /// The tag of this agent's search from here. The agent's budget is not part of it.
    pub(crate) fn new(game: &str, position: &impl Named, agent: &AgentName) -> SavedTag {
        let AgentName { memory, .. } = AgentName::default();
        let agent = AgentName { simulations: None, time: None, memory, ..agent.clone() };
        SavedTag { game: game.into(), position: position.text(), agent: agent.to_string() }
    }

    /// Why a search was not loaded under this tag, in one line.
    pub(crate) fn refusal(&self, error: &LoadError) -> Error {
        Error::new(match error {
            LoadError::Tag(saved) => self.difference(saved),
            LoadError::TooLarge { memory_min } => {
                let least = show_bytes(memory_min.div_ceil(1000) * 1000);
                format!("memory= is too small: the saved search needs {least}")
            }
            other => other.to_string(),
        })
    }

    /// The first difference between this tag and that of a file.
    fn difference(&self, saved: &str) -> String {
        let here = [("game", &self.game), ("position", &self.position), ("agent", &self.agent)];
        let differing = here.into_iter().zip(saved.lines()).find(|((_, here), saved)| here != saved);
        match differing {
            Some(((what, here), saved)) => format!("it was saved of another {what}: {saved}, not {here}"),
            None => format!("it was saved of something else: {saved:?}"),
        }
    }
}

impl fmt::Display for SavedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.game, self.position, self.agent)
    }
}
