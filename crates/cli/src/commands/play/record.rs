//! A game under way in a file: its name, its moves and its agent, as one line of JSON.

use aji_catalog::{AgentName, Session, Workbench};
use aji_lab::contest::SavedGame;
use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A game and its moves so far.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The game, with its options.
    game: String,
    /// Where it began; none at the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// All moves so far, including those of chance.
    pub moves: Vec<String>,
    /// The agent that plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether it made the first move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent_first: bool,
}

impl Record {
    /// A game at its start, or at a position.
    pub fn new(game: &str, position: Option<String>) -> Record {
        Record { game: game.into(), position, moves: Vec::new(), agent: None, agent_first: false }
    }

    /// Opens the game where it began.
    pub fn open(&self, workbench: &Workbench) -> Result<Box<dyn Session>> {
        let mut session = workbench.session(&self.game)?;
        if let Some(position) = &self.position {
            session.set_position(position)?;
        }
        Ok(session)
    }

    /// Notes the agent, and which player the person is.
    pub fn against(&mut self, agent: &AgentName, person: u8) {
        (self.agent, self.agent_first) = (Some(agent.to_string()), person > 0);
    }

    /// Writes the file. `option` precedes its name in error messages.
    pub fn save(&self, option: &str, path: &Path) -> Result<()> {
        let line = serde_json::to_string(self)? + "\n";
        fs::write(path, line).map_err(|error| anyhow!("{option}{}: {error}", path.display()))
    }

    /// Whether a line is a record.
    pub fn is_in(line: &str) -> bool {
        serde_json::from_str::<Record>(line).is_ok()
    }

    /// Reads the file and plays its moves.
    pub fn load(workbench: &Workbench, option: &str, path: &Path) -> Result<(Box<dyn Session>, Record)> {
        let wrong = |error: &dyn std::fmt::Display| anyhow!("{option}{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        if text.lines().next().is_some_and(|line| SavedGame::read(line).is_ok()) {
            return Err(wrong(&"these are finished games, which `aji replay` shows"));
        }
        let record: Record =
            serde_json::from_str(&text).map_err(|error| wrong(&format!("not a saved game: {error}")))?;
        let mut session = record.open(workbench).map_err(|error| wrong(&error))?;
        for (number, name) in record.moves.iter().enumerate() {
            session.play(name).map_err(|error| wrong(&format!("move {}: {error}", number + 1)))?;
        }
        Ok((session, record))
    }
}
