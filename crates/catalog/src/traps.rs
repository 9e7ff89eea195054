//! The hunt for traps: positions in which a search plays a move that loses, and another search does not.
//!
//! A single move that turns the game may look good on average, and a search that averages walks into it. Positions are
//! drawn at random, both agents choose, and where they differ a judge (a solver with a large budget) proves what each
//! choice is worth. Nothing is picked by hand.

use crate::{AgentName, Error, Session};
use aji_search::{Rng, Turn};

/// Who walks into traps, who does not, and where they are looked for.
#[derive(Clone, Debug)]
pub struct TrapHunt {
    /// The agent that is to be trapped.
    pub prey: AgentName,
    /// The agent that is to see the trap.
    pub witness: AgentName,
    /// Proves what their choices are worth.
    pub judge: AgentName,
    /// Random plies before each position: from the first number to the second.
    pub plies: (usize, usize),
    /// The seed of the positions.
    pub seed: u64,
}

/// A position in which the prey plays a move that is proven worse than the witness's.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap {
    /// The position.
    pub position: String,
    /// What the prey plays.
    pub blunder: String,
    /// What that is worth to the player who moves: 0 is a loss, a half a draw.
    pub blunder_value: f32,
    /// What the witness plays.
    pub answer: String,
    /// What that is worth.
    pub answer_value: f32,
}

impl TrapHunt {
    /// Draws one position, and returns the trap if it is one. The session is left anywhere.
    pub fn attempt(
        &self,
        session: &mut dyn Session,
        start: &str,
        number: u64,
    ) -> Result<Option<Trap>, Error> {
        session.set_position(start)?;
        self.walk(session, number)?;
        if !matches!(session.turn(), Turn::Player(_)) {
            return Ok(None);
        }
        let position = session.text();
        let blunder = choice(session, &self.prey)?;
        let answer = choice(session, &self.witness)?;
        if blunder == answer {
            return Ok(None);
        }
        let (Some(answer_value), Some(blunder_value)) =
            (self.value(session, &position, &answer)?, self.value(session, &position, &blunder)?)
        else {
            return Ok(None);
        };
        let trap = Trap { position, blunder, blunder_value, answer, answer_value };
        Ok((blunder_value < answer_value).then_some(trap))
    }

    /// Plays random moves, as many as the number of the attempt draws.
    fn walk(&self, session: &mut dyn Session, number: u64) -> Result<(), Error> {
        let mut rng = Rng::seeded(self.seed.wrapping_add(number));
        let plies = self.plies.0 + rng.below(self.plies.1.saturating_sub(self.plies.0) + 1);
        for _ in 0..plies {
            let actions = session.actions();
            if actions.is_empty() {
                break;
            }
            session.play(&actions[rng.below(actions.len())])?;
        }
        Ok(())
    }

    /// What a move is worth to the player who makes it, if the judge can prove it.
    fn value(&self, session: &mut dyn Session, position: &str, action: &str) -> Result<Option<f32>, Error> {
        session.set_position(position)?;
        let mover = session.turn();
        session.play(action)?;
        if let (Some(payoff), Turn::Player(player)) = (session.payoff(), mover) {
            return Ok(Some(0.5 + 0.5 * payoff.of(player).clamp(-1.0, 1.0)));
        }
        let proven = session.think(&self.judge, &mut ())?.proven;
        Ok(proven.map(|value| if session.turn() == mover { value } else { 1.0 - value }))
    }
}

fn choice(session: &mut dyn Session, agent: &AgentName) -> Result<String, Error> {
    let report = session.think(agent, &mut ())?;
    report.best.ok_or_else(|| Error::new(format!("{agent} found no move")))
}
