//! The default agent of a game: the strongest one known.

use crate::{AgentName, Error, Method, Session, Workbench};
use aji_search::{AnyGame, Encoded};

/// The strongest agent known for a game.
pub struct Strongest {
    /// Its name.
    pub agent: &'static str,
    /// The evidence: the command, and the score of the first agent with its 95% interval.
    pub shown_by: &'static str,
    /// `exact` plays instead if it solves the start of the game within this many positions; 0: never.
    pub solved_within: u64,
    /// The boards on which another agent is stronger, such as those for which a network ships.
    pub boards: &'static [OnBoard],
}

/// The strongest agent known on one board of a game.
#[derive(serde::Serialize)]
pub struct OnBoard {
    /// The name of the game with this board.
    pub game: &'static str,
    /// The agent's name.
    pub agent: &'static str,
    /// The evidence, as in [`Strongest`].
    pub shown_by: &'static str,
}

/// The strongest agent known for a game, by the game's name: `connect-four`, `hex size=5`. A game that is solved at once gets
/// `exact`. Every [entry](crate::Entry) has the evidence that its agent is the strongest.
///
/// ```
/// assert_eq!(aji_catalog::agent_for("go")?.to_string(), "rave playout=atari");
/// assert_eq!(aji_catalog::agent_for("go size=7")?.to_string(), "alphazero");
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
        if self.solved_within > 0 && session.think(&trial, &mut ()).is_ok() {
            return Ok(exact);
        }
        self.board_of(session).map_or(self.agent, |board| board.agent).parse()
    }

    /// The board of this session, if another agent is stronger there.
    pub fn board_of(&self, session: &dyn Session) -> Option<&'static OnBoard> {
        let is_here = |board: &&OnBoard| {
            let other = crate::session(board.game);
            other.is_ok_and(|other| is_same_board(session.position(), other.position()))
        };
        self.boards.iter().find(is_here)
    }
}

/// Whether two starts of the same game have the same board. Networks tell boards apart by their shape, and by the rules that
/// it does not show.
fn is_same_board(one: &AnyGame, other: &AnyGame) -> bool {
    if one.has().encoded {
        one.shape() == other.shape() && one.unseen() == other.unseen()
    } else {
        one == other
    }
}
