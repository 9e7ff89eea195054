//! The search, by way of the catalog: a session that follows the game, so that an agent keeps its tree from move to move.

use crate::record::Record;
use crate::vertex::{Vertex, listed};
use aji_catalog::{AgentName, Error, Session, session};
use aji_search::{Player, Report};
use std::time::Duration;

/// Simulations of a move for which there is no time.
pub(crate) const GLANCE: u64 = 200;

/// A session and the agent that thinks in it.
pub(crate) struct Thinking {
    agent: AgentName,
    session: Box<dyn Session>,
    /// Points that it does not look at as the next move.
    barred: Vec<Vertex>,
}

impl Thinking {
    /// At the start of a record. An error says why the agent cannot play.
    pub(crate) fn new(agent: AgentName, record: &Record) -> Result<Thinking, Error> {
        let session = open(record)?;
        session.accepts(&agent)?;
        Ok(Thinking { agent, session, barred: Vec::new() })
    }

    pub(crate) fn agent(&self) -> &AgentName {
        &self.agent
    }

    pub(crate) fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Does not look at these as the next move, until it is told otherwise.
    pub(crate) fn bar(&mut self, points: Vec<Vertex>) {
        self.barred = points;
    }

    /// Begins anew for another board or komi.
    pub(crate) fn reopen(&mut self, record: &Record) -> Result<(), Error> {
        if self.session.name() != name(record) {
            self.session = open(record)?;
        }
        Ok(())
    }

    /// Goes one move further with a record that has just done so; what it cannot follow is set anew before it thinks.
    pub(crate) fn follow(&mut self, before: &str, action: &str) {
        if self.session.text() == before {
            // Moves into one's own eyes are legal, but not searched.
            let _ = self.session.play(action);
        }
    }

    /// Thinks about a record, if this player is to move. Without any time it takes a [glance](GLANCE).
    pub(crate) fn think(
        &mut self,
        record: &Record,
        player: Player,
        time: Option<Duration>,
        simulations: Option<u64>,
    ) -> Result<Report<String>, Error> {
        self.face(record, player)?;
        let none = time == Some(Duration::ZERO);
        let agent = AgentName {
            time: time.filter(|time| *time > Duration::ZERO),
            simulations: if none { Some(GLANCE) } else { simulations },
            ..self.agent.clone()
        };
        let report = self.session.think(&agent, &mut ())?;
        let is_blind = report.arms.iter().all(|arm| arm.pulls == 0) && agent.time.is_some();
        if !is_blind || report.simulations > 0 {
            return Ok(report);
        }
        // On a busy machine the time may be over before it has begun; one look at each move is due all the same.
        let agent = AgentName { time: None, simulations: Some(report.arms.len() as u64), ..agent };
        self.session.think(&agent, &mut ())
    }

    /// Turns to a record's position. It comes by its moves where that can be, which know of positions that must not come again.
    fn face(&mut self, record: &Record, player: Player) -> Result<(), Error> {
        let mut text = record.position().text_for(player);
        if !self.barred.is_empty() {
            text += &format!(" not={}", listed(self.barred.iter().copied()).replace(' ', ","));
        }
        if self.session.text() == text {
            return Ok(());
        }
        if self.barred.is_empty() && record.is_in_turn() && player == record.position().mover() {
            self.session.set_position(&record.start().text_for(record.first()))?;
            let arrived =
                record.moves().iter().all(|(_, vertex)| self.session.play(&vertex.to_string()).is_ok());
            if arrived && self.session.text() == text {
                return Ok(());
            }
        }
        self.session.set_position(&text)
    }
}

/// The game of a record in the catalog. Moves into one's own eyes are not searched.
fn name(record: &Record) -> String {
    format!("go size={} komi={} eyes=keep", record.size(), f32::from(record.komi_halves()) / 2.0)
}

fn open(record: &Record) -> Result<Box<dyn Session>, Error> {
    session(&name(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(record: &Record) -> Thinking {
        Thinking::new("uct simulations=60 memory=20MB".parse().expect("an agent"), record)
            .expect("it plays Go")
    }

    fn pulls(report: &Report<String>) -> u32 {
        report.arms.iter().map(|arm| arm.pulls).sum()
    }

    #[test]
    fn the_tree_is_kept_from_move_to_move() {
        let mut record = Record::new(3, 0.5);
        let mut thinking = thinking(&record);
        let report = thinking.think(&record, 0, None, Some(600)).expect("a report");
        let best = report.best.expect("a move");
        let before = record.position().text_for(0);
        assert!(record.play(0, Vertex::read(&best, 3).expect("a vertex")));
        thinking.follow(&before, &best);
        assert!(pulls(&thinking.think(&record, 1, None, Some(60)).expect("a report")) > 60);
    }

    #[test]
    fn what_is_barred_is_not_searched() {
        let record = Record::new(3, 0.5);
        let mut thinking = thinking(&record);
        thinking.bar(vec![Vertex::Point(0, 0), Vertex::Point(1, 1)]);
        for expect in [60, 120] {
            let report = thinking.think(&record, 0, None, Some(60)).expect("a report");
            assert_eq!((pulls(&report), report.arms.len()), (expect, 8), "the tree is kept");
        }
        thinking.bar(Vec::new());
        assert_eq!(thinking.think(&record, 0, None, Some(60)).expect("a report").arms.len(), 10);
    }

    #[test]
    fn whoever_moves_is_searched() {
        let mut record = Record::new(5, 0.5);
        let mut thinking = thinking(&record);
        for (player, expect) in [(0, 60), (1, 60), (0, 60)] {
            let report = thinking.think(&record, player, None, Some(60)).expect("a report");
            assert_eq!(pulls(&report), expect, "a position of another player to move begins anew");
        }
        // Twice in a row, into an own eye, and after two passes.
        for vertex in ["A2", "B1", "B2", "A1", "pass", "pass"] {
            assert!(record.play(0, Vertex::read(vertex, 5).expect("a vertex")), "{vertex}");
            assert!(thinking.think(&record, 1, None, Some(10)).is_ok(), "{vertex}");
        }
        assert_eq!(thinking.session.text(), record.position().text_for(1));
    }
}
