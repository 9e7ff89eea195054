//! Positions drawn by random play.

use super::Judged;
use crate::{Error, Trial};
use aji_catalog::{AgentName, Session};
use aji_search::{Rng, Turn};
use std::str::FromStr;

/// The most random games that are played to find one position.
pub const TRIES_MAX: u64 = 10_000;

/// A hard position has at most this many actions that keep its outcome.
const KEEPING_MAX: usize = 3;

/// Random games that are played to see whether any lasts long enough.
const GAMES_TRIED: u64 = 16;

/// Which positions to take among those that random play reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any position in which the game is not over.
    Random,
    /// Those in which neither side can win at once, the mover is not lost, and at most three actions keep the outcome.
    Hard,
}

impl Kind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Random => "random",
            Kind::Hard => "hard",
        }
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(word: &str) -> Result<Kind, Error> {
        let kind = [Kind::Random, Kind::Hard].into_iter().find(|kind| kind.word() == word);
        kind.ok_or_else(|| Error::new("expected random or hard"))
    }
}

/// How positions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Which of them.
    pub kind: Kind,
    /// The least and the most random plies that lead to a position. Each number is equally likely.
    pub plies: (usize, usize),
}

impl Draw {
    /// Refuses plies that no game reaches, and games with chance. The session ends up at another position.
    pub(super) fn check(&self, session: &mut dyn Session) -> Result<(), Error> {
        let start = session.text();
        for number in 0..GAMES_TRIED {
            session.set_position(&start)?;
            if walk(session, self.plies.0, &mut Rng::seeded(number))? {
                return Ok(());
            }
        }
        let ((from, to), name) = (self.plies, session.name());
        Err(Error::new(format!(
            "{from}..{to}: none of {GAMES_TRIED} random games of {name} lasted for {from} plies; begin earlier"
        )))
    }

    /// The position of a trial. The session stands at the start, and ends up at another position.
    pub(super) fn position(
        &self,
        session: &mut dyn Session,
        judge: &AgentName,
        trial: Trial,
    ) -> Result<Judged, Error> {
        let (start, mut rng) = (session.text(), Rng::seeded(trial.seed_of("position")));
        let (from, to) = self.plies;
        for _ in 0..TRIES_MAX {
            session.set_position(&start)?;
            let plies = from + rng.below(to.saturating_sub(from) + 1);
            if !walk(session, plies, &mut rng)? {
                continue;
            }
            let position = session.text();
            if self.kind == Kind::Hard && !is_quiet(session, &position)? {
                continue;
            }
            let judged = Judged::by(session, judge, &position)?;
            if self.kind == Kind::Random || (judged.outcome() >= 0 && judged.keeping() <= KEEPING_MAX) {
                return Ok(judged);
            }
        }
        let word = self.kind.word();
        Err(Error::new(format!(
            "{from}..{to}: none of {TRIES_MAX} random games led to a {word} position; choose other plies"
        )))
    }
}

/// Plays random moves. False if the game ends with them or before.
fn walk(session: &mut dyn Session, plies: usize, rng: &mut Rng) -> Result<bool, Error> {
    for _ in 0..plies {
        let actions = session.actions();
        if session.turn() == Turn::Chance {
            let name = session.name();
            return Err(Error::new(format!("{name}: mistakes are judged in games without chance")));
        }
        if actions.is_empty() {
            return Ok(false);
        }
        session.play(&actions[rng.below(actions.len())])?;
    }
    Ok(matches!(session.turn(), Turn::Player(_)))
}

/// Whether neither side can win at once. The opponent has such a threat if one action of its own wins after every
/// action of the mover, except that action itself. The session ends up at another position.
fn is_quiet(session: &mut dyn Session, position: &str) -> Result<bool, Error> {
    let actions = session.actions();
    if !winning(session)?.is_empty() {
        return Ok(false);
    }
    let mut replies = Vec::new();
    for action in &actions {
        session.set_position(position)?;
        session.play(action)?;
        replies.push(winning(session)?);
    }
    let wins_anyway = |reply: &String| {
        let mut others = actions.iter().zip(&replies).filter(|(action, _)| *action != reply).peekable();
        others.peek().is_some() && others.all(|(_, replies)| replies.contains(reply))
    };
    Ok(!replies.iter().flatten().any(wins_anyway))
}

/// The actions that win at once.
fn winning(session: &mut dyn Session) -> Result<Vec<String>, Error> {
    let (mover, mut winning) = (session.turn(), Vec::new());
    let Turn::Player(player) = mover else { return Ok(winning) };
    for action in session.actions() {
        session.play(&action)?;
        if session.payoff().is_some_and(|payoff| payoff.of(player) > 0.0) {
            winning.push(action);
        }
        session.undo();
    }
    Ok(winning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_catalog::Workbench;

    #[test]
    fn quiet_positions() {
        let check = |moves: &str, expect: bool| {
            let mut session = Workbench::new().session("connect-four").expect("ours");
            moves.split(' ').for_each(|action| drop(session.play(action).expect(action)));
            let position = session.text();
            assert_eq!(is_quiet(session.as_mut(), &position), Ok(expect), "{moves}");
        };
        check("d d c", true);
        // x has three in a row with both ends open; so has x to move.
        check("d d c c e", false);
        check("d d c c e g", false);
        // Three on top of each other.
        check("d c d c d", false);
        // A cell that cannot be reached yet is no threat.
        check("a b a b g c", true);
    }
}
