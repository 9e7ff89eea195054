//! The default agent of a game: the strongest one known.

use crate::{AgentName, Error, Method, Session, Workbench};

/// The strongest agent known for a game.
pub struct Strongest {
    /// Its name.
    pub agent: &'static str,
    /// The evidence: the command, and the score of the first agent with its 95% interval.
    pub shown_by: &'static str,
    /// `exact` plays instead if it solves the start of the game within this many positions; 0: never.
    pub solved_within: u64,
}

/// The strongest agent known for a game, by the game's name: `connect-four`, `hex size=5`. A game that is solved at once gets
/// `exact`. Every [entry](crate::Entry) has the evidence that its agent is the strongest.
///
/// ```
/// assert_eq!(aji_catalog::agent_for("go")?.to_string(), "rave playout=atari");
/// assert_eq!(aji_catalog::agent_for("nim")?.to_string(), "exact");
/// # Ok::<(), aji_catalog::Error>(())
/// ```
pub fn agent_for(game: &str) -> Result<AgentName, Error> {
    Workbench::new().agent_for(game)
}

impl Strongest {
    /// The agent that plays a session of the game from its start.
    pub(crate) fn agent_in(&self, session: &mut dyn Session) -> Result<AgentName, Error> {
        let exact = AgentName { method: Method::Exact, ..AgentName::default() };
        let trial = AgentName { simulations: Some(self.solved_within), ..exact.clone() };
        match self.solved_within > 0 && session.think(&trial, &mut ()).is_ok() {
            true => Ok(exact),
            false => self.agent.parse(),
        }
    }
}
