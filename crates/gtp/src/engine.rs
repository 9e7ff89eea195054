//! The state of an engine, and how it chooses moves.

use crate::Options;
use crate::analysis::{FOLLOWED_PLIES, Follow};
use crate::clock::Clock;
use crate::passing::{Aim, choose, ends_well};
use crate::position::Position;
use crate::record::Record;
use crate::status::Ending;
use crate::thinking::{Limits, Thinking};
use crate::vertex::Vertex;
use aji_catalog::{Error, Session, Snapshot, TreeNode};
use aji_search::{Player, Report, Stopped};
use std::time::{Duration, Instant};

/// It does not resign before the board has one stone per this many points.
const RESIGNS_FROM: usize = 5;

/// It does not resign before it was below the threshold at this many moves in a row.
const RESIGNS_AFTER: u32 = 2;

/// How often it checks for input while it thinks.
const LISTENS_EVERY: Duration = Duration::from_millis(10);

/// The longest analysis, if the controller does not stop it.
const ANALYSIS_MAX: Duration = Duration::from_secs(365 * 86_400);

/// The longest time it ponders.
const PONDER_MAX: Duration = Duration::from_secs(600);

/// The engine's answer when asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Play(Vertex),
    Resign,
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Decision::Play(vertex) => vertex.fmt(f),
            Decision::Resign => f.write_str("resign"),
        }
    }
}

/// A game in progress, and the agent that thinks about it.
pub(crate) struct Engine {
    record: Record,
    thinking: Thinking,
    pub(crate) clock: Clock,
    /// Whether it may read and write files.
    pub(crate) has_files: bool,
    resign: Option<f32>,
    ponders: bool,
    /// When it started to wait for the other player, if it may ponder.
    waits_since: Option<Instant>,
    /// The last search and its player, for commands that ask what it found.
    last: Option<(Player, Report<String>)>,
    /// How many moves in a row each player was below the threshold.
    low: [u32; 2],
}

impl Engine {
    /// An engine with an empty board. An error says which option is wrong.
    pub(crate) fn new(options: &Options) -> Result<Engine, Error> {
        let record = Record::new(options.size, options.komi);
        Ok(Engine {
            thinking: Thinking::new(options.agent.clone(), &record, options.note)?,
            record,
            clock: Clock::default(),
            has_files: options.files,
            resign: options.resign,
            ponders: options.ponder,
            waits_since: None,
            last: None,
            low: [0; 2],
        })
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn position(&self) -> &Position {
        self.record.position()
    }

    pub(crate) fn session(&self) -> &dyn Session {
        self.thinking.session()
    }

    /// Replaces the game.
    pub(crate) fn set_record(&mut self, record: Record) -> Result<(), Error> {
        self.thinking.reopen(&record)?;
        self.record = record;
        self.low = [0; 2];
        self.clock.restart();
        self.forget();
        Ok(())
    }

    pub(crate) fn set_komi(&mut self, komi: f64) -> Result<(), Error> {
        self.record.set_komi(komi);
        self.forget();
        self.thinking.reopen(&self.record)
    }

    /// Plays for either player. False if the move is not legal.
    pub(crate) fn play(&mut self, player: Player, vertex: Vertex) -> bool {
        let before = self.position().text_for(player);
        let is_legal = self.record.play(player, vertex);
        if is_legal {
            self.thinking.follow(&before, &vertex.to_string());
            self.forget();
        }
        is_legal
    }

    /// Takes the last move back. False if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        self.forget();
        self.record.undo()
    }

    /// Discards what belongs to another position.
    fn forget(&mut self) {
        self.last = None;
        self.waits_since = None;
    }

    /// Finds a move and plays it.
    pub(crate) fn move_for(
        &mut self,
        player: Player,
        aim: Aim,
        listener: Option<Listener>,
    ) -> Result<Decision, Error> {
        let started = Instant::now();
        let vertex = self.choose(player, aim, listener)?;
        self.clock.spend(player.into(), started.elapsed());
        if self.resigns(player) {
            return Ok(Decision::Resign);
        }
        // A later command may ask what the search found.
        let last = self.last.take();
        self.play(player, vertex);
        self.last = last;
        self.waits_since = self.ponders.then(Instant::now);
        Ok(Decision::Play(vertex))
    }

    /// Finds a move.
    pub(crate) fn choose(
        &mut self,
        player: Player,
        aim: Aim,
        listener: Option<Listener>,
    ) -> Result<Vertex, Error> {
        if aim == Aim::Win && ends_well(self.position(), player) {
            self.last = None;
            return Ok(Vertex::Pass);
        }
        let report = self.search(player, listener)?;
        let vertex = choose(&report, self.position(), player, aim);
        self.last = Some((player, report));
        Ok(vertex)
    }

    /// Thinks about a move, as long as the clock and the agent's own limits allow.
    fn search(&mut self, player: Player, listener: Option<Listener>) -> Result<Report<String>, Error> {
        let agent = self.thinking.agent();
        let by_clock = self.clock.budget(player.into(), self.position().empty_points());
        let time = by_clock.into_iter().chain(agent.time).min();
        // Without any limit, the agent's default applies.
        let simulations = if time.is_none() { agent.budget().simulations } else { agent.simulations };
        let limits = Limits { time, simulations, avoided: &[] };
        let Some(Listener { interval, avoided, tell }) = listener else {
            return self.thinking.think(&self.record, player, &limits, (Duration::MAX, &mut |_| true));
        };
        let record = &self.record;
        let mut look = |snapshot: &mut Snapshot| {
            if let Some(report) = snapshot.report() {
                tell(record, &report, &|action| snapshot.tree(&[action], FOLLOWED_PLIES, 1));
            }
            true
        };
        let limits = Limits { avoided, ..limits };
        let report = self.thinking.think(record, player, &limits, (interval, &mut look))?;
        tell(&self.record, &report, &|action| self.follow(action));
        Ok(report)
    }

    /// Thinks about the position with this player to move, until `look` returns false. It is called every few
    /// milliseconds.
    pub(crate) fn analyse(
        &mut self,
        player: Player,
        avoided: &[Vertex],
        look: &mut dyn FnMut(&Record, &mut Snapshot) -> bool,
    ) -> Result<Report<String>, Error> {
        let (record, limits) =
            (&self.record, Limits { time: Some(ANALYSIS_MAX), simulations: None, avoided });
        let mut look = |snapshot: &mut Snapshot| look(record, snapshot);
        let report = self.thinking.think(record, player, &limits, (LISTENS_EVERY, &mut look))?;
        self.last = Some((player, report.clone()));
        Ok(report)
    }

    /// Ponders, if that is useful, while `goes_on` returns true. It is called every few milliseconds.
    pub(crate) fn ponder(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        let Some(since) = self.waits_since.filter(|_| self.position().passes() < 2) else { return };
        let left = PONDER_MAX.saturating_sub(since.elapsed());
        if left == Duration::ZERO {
            return;
        }
        let (player, limits) = (self.position().mover(), Limits { time: Some(left), ..Limits::default() });
        let found = self.thinking.think(&self.record, player, &limits, (LISTENS_EVERY, &mut |_| goes_on()));
        // A search that ended by itself has nothing more to think about.
        if !found.is_ok_and(|report| report.stopped == Stopped::Handle) {
            self.waits_since = None;
        }
    }

    /// The last search. Without one, searches for the player to move.
    pub(crate) fn last_report(&mut self) -> Result<&(Player, Report<String>), Error> {
        if self.last.is_none() {
            let player = self.position().mover();
            let report = self.search(player, None)?;
            self.last = Some((player, report));
        }
        self.last.as_ref().ok_or_else(|| Error::new("nothing was found"))
    }

    /// Whether it resigns after the last search.
    fn resigns(&mut self, player: Player) -> bool {
        let Some(threshold) = self.resign else { return false };
        let value = self.last.as_ref().and_then(|(_, report)| report.value);
        let is_low = value.is_some_and(|value| value < threshold);
        let low = &mut self.low[usize::from(player)];
        *low = if is_low { *low + 1 } else { 0 };
        let points = self.record.size().pow(2);
        *low >= RESIGNS_AFTER && self.record.moves().len() >= points / RESIGNS_FROM
    }

    /// How the position will end, estimated by playouts.
    pub(crate) fn ending(&self) -> Ending {
        Ending::of(self.position())
    }

    /// What the last search expects after an action, to the depth of an analysis line.
    pub(crate) fn follow(&self, action: &str) -> Option<TreeNode> {
        self.session().tree(&[action], FOLLOWED_PLIES, 1)
    }
}

/// Receives reports during a search, and says which moves to leave out.
pub(crate) struct Listener<'a> {
    /// The time between reports. One more comes at the end.
    pub(crate) interval: Duration,
    pub(crate) avoided: &'a [Vertex],
    pub(crate) tell: &'a mut Tell<'a>,
}

/// Receives a report of a record's position, and a function that finds what follows its moves.
pub(crate) type Tell<'a> = dyn FnMut(&Record, &Report<String>, &Follow) + 'a;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeSystem;

    fn engine(agent: &str, resign: Option<f32>) -> Engine {
        let agent = Some(agent.parse().expect("an agent"));
        Engine::new(&Options { agent, size: 5, resign, ..Options::default() }).expect("it plays Go")
    }

    fn moved(engine: &mut Engine, player: Player) -> Decision {
        engine.move_for(player, Aim::Win, None).expect("a move")
    }

    #[test]
    fn lost_games_are_given_up() {
        let decisions = |resign| {
            let mut engine = engine("uct simulations=50 memory=20MB", resign);
            engine.set_komi(100.0).expect("a komi");
            (0..8).map(|ply| moved(&mut engine, ply % 2)).collect::<Vec<_>>()
        };
        assert!(!decisions(None).contains(&Decision::Resign));
        let decisions = decisions(Some(0.05));
        let first = decisions.iter().position(|decision| *decision == Decision::Resign);
        assert_eq!(first, Some(6), "black, once there are five stones: {decisions:?}");
    }

    /// Without an agent of its own, the engine plays by the strongest one known for each board.
    #[test]
    fn the_agent_follows_the_board() {
        let mut engine = Engine::new(&Options::default()).expect("it plays Go");
        let agents = [9, 7, 19].map(|size| {
            engine.set_record(Record::new(size, 7.5)).expect("a board");
            engine.thinking.agent().to_string()
        });
        assert_eq!(agents, ["rave playout=atari", "alphazero", "rave playout=atari"]);
        engine.set_record(Record::new(7, 7.5)).expect("a board");
        engine.set_komi(0.5).expect("a komi");
        assert_eq!(engine.thinking.agent().to_string(), "rave playout=atari", "the network learned komi 7.5");
    }

    #[test]
    fn the_clock_limits_a_search() {
        let mut engine = engine("uct memory=20MB", None);
        engine.clock = Clock::new(TimeSystem::kgs(&["absolute", "1.35"]).expect("a clock"));
        moved(&mut engine, 0);
        let (_, report) = engine.last_report().expect("a report");
        assert_eq!(report.stopped, aji_search::Stopped::Time);
        engine.clock.set(0, Duration::ZERO, 0);
        moved(&mut engine, 0);
        assert_eq!(engine.last_report().expect("a report").1.simulations, crate::thinking::GLANCE);
    }

    #[test]
    fn pondering_grows_the_tree() {
        let mut engine = engine("uct simulations=50 memory=20MB", None);
        let looks = |engine: &mut Engine| {
            let mut looks = 0;
            engine.ponder(&mut || {
                looks += 1;
                looks < 3
            });
            looks
        };
        assert_eq!(looks(&mut engine), 0, "nobody has moved");
        engine.ponders = true;
        moved(&mut engine, 0);
        assert_eq!([looks(&mut engine), looks(&mut engine)], [3, 3], "it goes on after a question");
        engine.play(1, Vertex::Point(0, 0));
        assert_eq!(looks(&mut engine), 0, "it is our turn");
        let (_, report) = engine.last_report().expect("a report");
        assert!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>() > 50);
    }
}
