//! The search, through the catalog: a session that follows the game, so that an agent keeps its tree from move to
//! move.

use crate::position::{SIZE_MAX, SIZE_MIN};
use crate::record::Record;
use crate::vertex::Vertex;
use aji_catalog::{AgentName, Error, Request, Session, Snapshot, agent_for, session};
use aji_games::GoRules;
use aji_search::{Player, Report};
use std::time::Duration;

/// Simulations for a move without any time.
pub(crate) const GLANCE: u64 = 200;

/// A session and the agent that thinks in it.
pub(crate) struct Thinking {
    agent: AgentName,
    /// Whether the agent is the strongest one known for the board, and changes with it.
    follows_board: bool,
    note: fn(&str),
    session: Box<dyn Session>,
}

/// The limits of one search, and the moves that it leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits<'a> {
    pub(crate) time: Option<Duration>,
    pub(crate) simulations: Option<u64>,
    pub(crate) avoided: &'a [Vertex],
}

/// Looks at a running search, and returns whether it should go on.
pub(crate) type Look<'a> = dyn FnMut(&mut Snapshot) -> bool + 'a;

impl Thinking {
    /// A session at the start of a record. Without an agent, the strongest one known for the board thinks. An error says why
    /// the agent plays no board at all. `note` receives lines for people.
    pub(crate) fn new(agent: Option<AgentName>, record: &Record, note: fn(&str)) -> Result<Thinking, Error> {
        let (session, follows_board) = (open(record)?, agent.is_none());
        let agent = agent.map_or_else(|| agent_for(&name(record)), Ok)?;
        if let Err(error) = session.accepts(&agent) {
            let plays = |record: Record| open(&record).is_ok_and(|other| other.accepts(&agent).is_ok());
            let komi = [record.komi(), GoRules::default().komi().into()];
            let mut boards = (SIZE_MIN..=SIZE_MAX).flat_map(|size| komi.map(|komi| Record::new(size, komi)));
            if !boards.any(plays) {
                return Err(error);
            }
            note(&format!("{error}; waiting for another board"));
        }
        Ok(Thinking { agent, follows_board, session, note })
    }

    pub(crate) fn agent(&self) -> &AgentName {
        &self.agent
    }

    pub(crate) fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Starts again for another board or komi.
    pub(crate) fn reopen(&mut self, record: &Record) -> Result<(), Error> {
        let name = name(record);
        if self.session.name() != name {
            self.session = open(record)?;
            if self.follows_board {
                let agent = agent_for(&name)?;
                if agent != self.agent {
                    (self.note)(&format!("{name}: {agent} plays from here, not {}", self.agent));
                }
                self.agent = agent;
            }
        }
        Ok(())
    }

    /// Follows a record's last move. If it cannot, the position is set again before the next search.
    pub(crate) fn follow(&mut self, before: &str, action: &str) {
        if self.session.text() == before {
            // Moves into one's own eyes are legal, but not searched.
            let _ = self.session.play(action);
        }
    }

    /// Thinks about a record with this player to move. Without any time it runs [few simulations](GLANCE). `look`
    /// sees a snapshot after each interval, and says whether to go on.
    pub(crate) fn think(
        &mut self,
        record: &Record,
        player: Player,
        limits: &Limits,
        (interval, look): (Duration, &mut Look),
    ) -> Result<Report<String>, Error> {
        self.face(record, player)?;
        let offered = self.session.actions();
        let avoided = limits.avoided.iter().map(Vertex::to_string).filter(|name| offered.contains(name));
        let none = limits.time == Some(Duration::ZERO);
        let agent = AgentName {
            time: limits.time.filter(|time| *time > Duration::ZERO),
            simulations: if none { Some(GLANCE) } else { limits.simulations },
            ..self.agent.clone()
        };
        let mut request = Request::new(agent).except(avoided).every(interval);
        let report = self.session.analyse(&request, look)?;
        let is_blind = report.arms.iter().all(|arm| arm.pulls == 0) && request.agent.time.is_some();
        if !is_blind || report.simulations > 0 {
            return Ok(report);
        }
        // On a busy machine the time may be over before the search starts. It still tries each move once.
        (request.agent.time, request.agent.simulations) = (None, Some(report.arms.len() as u64));
        self.session.analyse(&request, look)
    }

    /// Moves the session to a record's position. If possible it replays the moves, so that the search knows which
    /// positions must not repeat.
    fn face(&mut self, record: &Record, player: Player) -> Result<(), Error> {
        let text = record.position().text_for(player);
        if self.session.text() == text {
            return Ok(());
        }
        if record.is_in_turn() && player == record.position().mover() {
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

/// The catalog's name of a record's game. Moves into one's own eyes are not searched.
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
        Thinking::new("uct simulations=60 memory=20MB".parse().ok(), record, |_| ()).expect("it plays Go")
    }

    fn think(
        thinking: &mut Thinking,
        record: &Record,
        player: Player,
        simulations: u64,
        avoided: &[Vertex],
    ) -> Report<String> {
        let limits = Limits { simulations: Some(simulations), avoided, ..Limits::default() };
        thinking.think(record, player, &limits, (Duration::MAX, &mut |_| true)).expect("a report")
    }

    fn pulls(report: &Report<String>) -> u32 {
        report.arms.iter().map(|arm| arm.pulls).sum()
    }

    #[test]
    fn the_tree_is_kept_from_move_to_move() {
        let mut record = Record::new(3, 0.5);
        let mut thinking = thinking(&record);
        let report = think(&mut thinking, &record, 0, 600, &[]);
        let best = report.best.expect("a move");
        let before = record.position().text_for(0);
        assert!(record.play(0, Vertex::read(&best, 3).expect("a vertex")));
        thinking.follow(&before, &best);
        assert!(pulls(&think(&mut thinking, &record, 1, 60, &[])) > 60);
    }

    #[test]
    fn what_is_avoided_is_not_searched() {
        let mut record = Record::new(3, 0.5);
        let mut thinking = thinking(&record);
        let avoided = [Vertex::Point(0, 0), Vertex::Point(1, 1)];
        for expect in [60, 120] {
            let report = think(&mut thinking, &record, 0, 60, &avoided);
            assert_eq!((pulls(&report), report.arms.len()), (expect, 8), "the tree is kept");
        }
        assert_eq!(think(&mut thinking, &record, 0, 60, &[]).arms.len(), 10);
        // Occupied points are not moves, and a pass always is.
        assert!(record.play(0, Vertex::Point(0, 0)));
        let points: Vec<Vertex> = (0..9).map(|point| Vertex::Point(point % 3, point / 3)).collect();
        assert_eq!(think(&mut thinking, &record, 1, 60, &points).best.as_deref(), Some("pass"));
    }

    #[test]
    fn whoever_moves_is_searched() {
        let mut record = Record::new(5, 0.5);
        let mut thinking = thinking(&record);
        for (player, expect) in [(0, 60), (1, 60), (0, 60)] {
            let report = think(&mut thinking, &record, player, 60, &[]);
            assert_eq!(pulls(&report), expect, "a position of another player to move begins anew");
        }
        // Moves out of turn, into an own eye, and after two passes.
        for vertex in ["A2", "B1", "B2", "A1", "pass", "pass"] {
            assert!(record.play(0, Vertex::read(vertex, 5).expect("a vertex")), "{vertex}");
            think(&mut thinking, &record, 1, 10, &[]);
        }
        assert_eq!(thinking.session.text(), record.position().text_for(1));
    }
}
