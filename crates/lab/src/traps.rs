//! The hunt for traps: positions in which one agent plays a move that is proven worse than another agent's.
//!
//! A losing move may look good on average if only one reply refutes it. A search that averages then plays it. The
//! hunt draws positions at random and lets both agents choose. If they differ, a judge (a solver with a large budget)
//! proves the value of each choice. Nothing is picked by hand.

use crate::{Error, Until};
use aji_catalog::{AgentName, Session};
use aji_search::{Rng, Turn};
use std::sync::atomic::AtomicBool;

/// The agents of a hunt, and the positions that it draws.
#[derive(Clone, Debug)]
pub struct TrapHunt {
    /// The agent that should fall into the trap.
    pub prey: AgentName,
    /// The agent that should see the trap.
    pub witness: AgentName,
    /// The agent that proves the values of their choices.
    pub judge: AgentName,
    /// The least and the most random plies that lead to a position.
    pub plies: (usize, usize),
    /// The seed of the positions.
    pub seed: u64,
}

/// A position in which the prey's move is proven worse than the witness's.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap {
    /// The position.
    pub position: String,
    /// The prey's move.
    pub blunder: String,
    /// The value of the prey's move to the player who makes it: 0 is a loss, a half a draw, 1 a win.
    pub blunder_value: f32,
    /// The witness's move.
    pub answer: String,
    /// The value of the witness's move.
    pub answer_value: f32,
}

/// What became of a position that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// The flag was set before all agents had answered.
    Stopped,
    /// The random game ended before a player could choose.
    Over,
    /// Prey and witness chose the same.
    Agreed,
    /// They differed, and the judge could not prove both choices.
    Unproven,
    /// They differed, and the choice of the prey is not worse.
    NotWorse,
    /// The choice of the prey is proven worse.
    Trap(Trap),
}

/// How many positions came to which end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrapCount {
    /// All positions.
    pub positions: u64,
    /// Those in which prey and witness differed.
    pub differed: u64,
    /// Those of them that the judge could not prove.
    pub unproven: u64,
    /// The traps.
    pub traps: u64,
}

impl TrapCount {
    /// Counts a position, unless its attempt was stopped.
    pub fn add(&mut self, attempt: &Attempt) {
        if *attempt == Attempt::Stopped {
            return;
        }
        self.positions += 1;
        self.differed += u64::from(!matches!(attempt, Attempt::Over | Attempt::Agreed));
        self.unproven += u64::from(*attempt == Attempt::Unproven);
        self.traps += u64::from(matches!(attempt, Attempt::Trap(_)));
    }
}

/// Random games that are played to see whether any lasts long enough.
const GAMES_TRIED: u64 = 16;

impl TrapHunt {
    /// Refuses plies that no game reaches: plays random games until one lasts for the least plies. The session ends up at
    /// another position.
    pub fn check(&self, session: &mut dyn Session, start: &str) -> Result<(), Error> {
        let mut longest = 0;
        for number in 0..GAMES_TRIED {
            session.set_position(start)?;
            let mut rng = Rng::seeded(self.seed.wrapping_add(number));
            let played = random_plies(session, self.plies.0, &mut rng)?;
            if session.turn() != Turn::Over {
                return Ok(());
            }
            longest = longest.max(played);
        }
        let ((from, to), name) = (self.plies, session.name());
        Err(Error::new(format!(
            "{from}..{to}: of {GAMES_TRIED} random games of {name} the longest ended after {longest}; begin below that"
        )))
    }

    /// Draws the position of this number, and looks whether it is a trap. The session ends up at another position.
    /// Once `stop` is set, the attempt ends within about a millisecond.
    pub fn attempt(
        &self,
        session: &mut dyn Session,
        start: &str,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Attempt, Error> {
        let attempt = self.attempt_until(session, start, number, Until(stop));
        if Until(stop).is_stopped() { Ok(Attempt::Stopped) } else { attempt }
    }

    fn attempt_until(
        &self,
        session: &mut dyn Session,
        start: &str,
        number: u64,
        until: Until,
    ) -> Result<Attempt, Error> {
        session.set_position(start)?;
        self.walk(session, number)?;
        if !matches!(session.turn(), Turn::Player(_)) {
            return Ok(Attempt::Over);
        }
        let position = session.text();
        let blunder = choice(session, &self.prey, until)?;
        let answer = choice(session, &self.witness, until)?;
        if blunder == answer {
            return Ok(Attempt::Agreed);
        }
        let (Some(answer_value), Some(blunder_value)) = (
            self.value(session, &position, &answer, until)?,
            self.value(session, &position, &blunder, until)?,
        ) else {
            return Ok(Attempt::Unproven);
        };
        let trap = Trap { position, blunder, blunder_value, answer, answer_value };
        Ok(if blunder_value < answer_value { Attempt::Trap(trap) } else { Attempt::NotWorse })
    }

    /// Plays random moves. The number of the attempt seeds the moves and their number.
    fn walk(&self, session: &mut dyn Session, number: u64) -> Result<(), Error> {
        let mut rng = Rng::seeded(self.seed.wrapping_add(number));
        let plies = self.plies.0 + rng.below(self.plies.1.saturating_sub(self.plies.0) + 1);
        random_plies(session, plies, &mut rng).map(drop)
    }

    /// The value of a move to the player who makes it. `None` if the judge cannot prove it.
    fn value(
        &self,
        session: &mut dyn Session,
        position: &str,
        action: &str,
        mut until: Until,
    ) -> Result<Option<f32>, Error> {
        session.set_position(position)?;
        let mover = session.turn();
        session.play(action)?;
        if let (Some(payoff), Turn::Player(player)) = (session.payoff(), mover) {
            return Ok(Some(0.5 + 0.5 * payoff.of(player).clamp(-1.0, 1.0)));
        }
        if session.turn() == Turn::Chance {
            // Agents think where a player chooses.
            session.set_position(position)?;
            let report = session.think(&self.judge, &mut until)?;
            return Ok(report.arms.iter().find(|arm| arm.action == action).and_then(|arm| arm.proven));
        }
        let proven = session.think(&self.judge, &mut until)?.proven;
        Ok(proven.map(|value| if session.turn() == mover { value } else { 1.0 - value }))
    }
}

/// Plays random moves, until the game ends at the latest. Chance is drawn by its odds, and goes on until a player can
/// choose. Returns the number of moves.
fn random_plies(session: &mut dyn Session, plies: usize, rng: &mut Rng) -> Result<usize, Error> {
    let mut played = 0;
    while played < plies || session.turn() == Turn::Chance {
        if session.draw_chance(rng).is_none() {
            let actions = session.actions();
            if actions.is_empty() {
                return Ok(played);
            }
            session.play(&actions[rng.below(actions.len())])?;
        }
        played += 1;
    }
    Ok(played)
}

fn choice(session: &mut dyn Session, agent: &AgentName, mut until: Until) -> Result<String, Error> {
    let report = session.think(agent, &mut until)?;
    report.best.ok_or_else(|| Error::new(format!("{agent} found no move")))
}
