//! The agent that plays a game where nobody says which: the strongest one known.

use crate::games::open;
use crate::{AgentName, Error, Method};

/// The strongest agent known for a game.
pub struct Strongest {
    /// Its name.
    pub agent: &'static str,
    /// What shows that it is: the command, and the score of the first agent with its 95% interval.
    pub shown_by: &'static str,
    /// `exact` plays instead where it solves the start of the game within this many positions; 0: nowhere.
    pub solved_within: u64,
}

/// The strongest agent known for a game, by the game's name: `connect-four`, `hex size=5`. A game that is solved at once gets
/// `exact`. Every [entry](crate::Entry) says what shows that its agent is the strongest.
///
/// ```
/// assert_eq!(aji_catalog::agent_for("go")?.to_string(), "rave playout=atari");
/// assert_eq!(aji_catalog::agent_for("nim")?.to_string(), "exact");
/// # Ok::<(), aji_catalog::Error>(())
/// ```
pub fn agent_for(game: &str) -> Result<AgentName, Error> {
    let (entry, mut session) = open(game)?;
    let Strongest { agent, solved_within, .. } = entry.strongest;
    let exact = AgentName { method: Method::Exact, ..AgentName::default() };
    let trial = AgentName { simulations: Some(solved_within), ..exact.clone() };
    if solved_within > 0 && session.think(&trial, &mut ()).is_ok() { Ok(exact) } else { agent.parse() }
}
