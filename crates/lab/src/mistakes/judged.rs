//! A position with the exact value of every action.

use crate::Error;
use crate::experiment::fnv1a;
use aji_catalog::{AgentName, Session};
use aji_search::{Report, Turn};
use serde::{Deserialize, Serialize};

/// A position, and the values of its actions to the mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The position, as the game writes it.
    pub position: String,
    /// The actions in the game's order. Empty until a judge has valued them.
    pub values: Vec<Valued>,
}

/// An action, and the mover's payoff under best play after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Valued(pub String, pub f64);

/// The payoffs of a game that is won, drawn or lost.
const WIN_RANGE: (f32, f32) = (-1.0, 1.0);

/// Payoffs are rounded to this fraction of a point, because a report has them as rewards of 0 to 1 with seven digits.
const ROUNDED_TO: f64 = 1000.0;

/// 1 for a win of this payoff, 0 for a draw, -1 for a loss.
fn outcome(value: f64) -> i8 {
    if value > 0.0 { 1 } else { -i8::from(value < 0.0) }
}

impl Judged {
    /// Asks the judge for the value of every action. The session ends up at another position.
    pub fn by(session: &mut dyn Session, judge: &AgentName, position: &str) -> Result<Judged, Error> {
        session.set_position(position)?;
        let Turn::Player(_) = session.turn() else {
            return Err(Error::new(format!("{position}: no player is to move, so nobody can err")));
        };
        let report = valued_by(session, judge)?;
        let mut values = Vec::new();
        let range = session.points(judge).unwrap_or(WIN_RANGE);
        let proven = |name: &String| report.arms.iter().find(|arm| arm.action == *name)?.proven;
        for action in session.actions() {
            let value = match proven(&action) {
                Some(reward) => payoff(reward, range),
                None => value_after(session, judge, position, &action)?,
            };
            values.push(Valued(action, value));
        }
        Ok(Judged { position: position.into(), values })
    }

    /// Reads a line of a list: JSON as the command writes it, the text of a position, or moves from the start. The
    /// session ends up at another position.
    pub fn read(session: &mut dyn Session, start: &str, line: &str) -> Result<Judged, Error> {
        if line.starts_with('{') {
            let judged: Judged = serde_json::from_str(line).map_err(|error| Error::new(error.to_string()))?;
            session.set_position(&judged.position)?;
            return judged.checked(session);
        }
        let game = session.name().to_string();
        let unread = match session.set_position(line) {
            Ok(()) if session.name() != game => {
                let name = session.name();
                return Err(Error::new(format!("a position of {name}, expected one of {game}")));
            }
            Ok(()) => return Judged { position: session.text(), values: Vec::new() }.checked(session),
            Err(error) => error,
        };
        session.set_position(start)?;
        for (number, action) in line.split_whitespace().enumerate() {
            let wrong = |error| match number {
                0 => Error::new(format!("neither moves ({error}) nor a position ({unread})")),
                _ => Error::new(format!("{error} (move {})", number + 1)),
            };
            session.play(action).map_err(wrong)?;
        }
        Judged { position: session.text(), values: Vec::new() }.checked(session)
    }

    /// Refuses a position in which nobody can err, and values of other actions than those of the position.
    fn checked(self, session: &dyn Session) -> Result<Judged, Error> {
        let position = &self.position;
        let Turn::Player(_) = session.turn() else {
            return Err(Error::new(format!("{position}: no player is to move, so nobody can err")));
        };
        let actions = session.actions();
        let is_same = self.values.len() == actions.len()
            && self.values.iter().zip(&actions).all(|(valued, action)| valued.0 == *action);
        let is_finite = self.values.iter().all(|valued| valued.1.is_finite());
        if self.is_valued() && !(is_same && is_finite) {
            let actions = actions.join(" ");
            return Err(Error::new(format!(
                "{position}: expected a value for each of {actions}, in this order"
            )));
        }
        Ok(self)
    }

    /// Whether its actions have values.
    pub fn is_valued(&self) -> bool {
        !self.values.is_empty()
    }

    /// The value of an action.
    pub fn value(&self, action: &str) -> Option<f64> {
        self.values.iter().find(|valued| valued.0 == action).map(|valued| valued.1)
    }

    /// The value of the best action.
    pub fn best(&self) -> f64 {
        self.values.iter().map(|valued| valued.1).fold(f64::NEG_INFINITY, f64::max)
    }

    /// 1 if the mover wins under best play, 0 for a draw, -1 for a loss.
    pub fn outcome(&self) -> i8 {
        outcome(self.best())
    }

    /// The same after an action of this value.
    pub(crate) fn outcome_after(value: f64) -> i8 {
        outcome(value)
    }

    /// Whether an action keeps the outcome. None if it has no value here.
    pub fn keeps(&self, action: &str) -> Option<bool> {
        self.value(action).map(|value| outcome(value) == self.outcome())
    }

    /// How many actions keep the outcome.
    pub fn keeping(&self) -> usize {
        self.values.iter().filter(|valued| outcome(valued.1) == self.outcome()).count()
    }
}

/// The payoff that a reward of 0 to 1 stands for.
fn payoff(reward: f32, (low, high): (f32, f32)) -> f64 {
    rounded(f64::from(low) + f64::from(reward) * (f64::from(high) - f64::from(low)))
}

fn rounded(value: f64) -> f64 {
    // Adding 0 turns a negative zero into a zero.
    (value * ROUNDED_TO).round() / ROUNDED_TO + 0.0
}

/// The judge's report of the session's position.
fn valued_by(session: &mut dyn Session, judge: &AgentName) -> Result<Report<String>, Error> {
    let advice = "the judge must solve every position: take a smaller board, later positions (--plies), or a judge with more \
        memory (--judge \"exact memory=8GB\")";
    Ok(session.think(judge, &mut ()).map_err(|error| error.advise_instead(advice))?)
}

/// The value of an action that the judge's report of the position does not prove.
fn value_after(
    session: &mut dyn Session,
    judge: &AgentName,
    position: &str,
    action: &str,
) -> Result<f64, Error> {
    session.set_position(position)?;
    let mover = session.turn();
    session.play(action)?;
    let value = match (session.payoff(), mover) {
        (Some(payoff), Turn::Player(player)) => rounded(payoff.of(player).into()),
        _ => {
            let range = session.points(judge).unwrap_or(WIN_RANGE);
            let proven = valued_by(session, judge)?.proven;
            let open = || Error::new(format!("{judge} has no proof of {action} in {position}"));
            let value = payoff(proven.ok_or_else(open)?, range);
            if session.turn() == mover { value } else { -value + 0.0 }
        }
    };
    session.set_position(position)?;
    Ok(value)
}

/// Tells lists apart.
pub(super) fn fingerprint(positions: &[Judged]) -> String {
    let texts = positions.iter().flat_map(|judged| judged.position.bytes().chain([b'\n']));
    format!("{:016x}", fnv1a(texts))
}
