//! The state of an engine, and how it moves.

use crate::Options;
use crate::clock::Clock;
use crate::passing::{Aim, choose, ends_well};
use crate::position::Position;
use crate::record::Record;
use crate::status::Ending;
use crate::thinking::Thinking;
use crate::vertex::Vertex;
use aji_catalog::{Error, Session, TreeNode};
use aji_search::{Player, Report, Rng};
use std::time::{Duration, Instant};

/// It does not resign before the board has a stone for so many points.
const RESIGNS_FROM: usize = 5;

/// Nor before it has found itself below the threshold at so many moves in a row.
const RESIGNS_AFTER: u32 = 2;

/// Thinks so long at a time while it listens.
pub(crate) const SLICE: Duration = Duration::from_millis(40);

/// Stops thinking on the other's time after this.
const PONDER_MAX: Duration = Duration::from_secs(600);

/// What an engine does when asked for a move.
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

/// A game under way, and whoever thinks about it.
pub(crate) struct Engine {
    record: Record,
    thinking: Thinking,
    pub(crate) clock: Clock,
    /// Whether files are read and written.
    pub(crate) has_files: bool,
    resign: Option<f32>,
    ponders: bool,
    /// Since when it may think on the other's time.
    waits_since: Option<Instant>,
    /// The last search, for who asks what it found.
    last: Option<(Player, Report<String>)>,
    /// Moves in a row at which each player found itself below the threshold.
    low: [u32; 2],
}

impl Engine {
    /// An empty board. An error says which option is wrong.
    pub(crate) fn new(options: &Options) -> Result<Engine, Error> {
        let record = Record::new(options.size, options.komi);
        Ok(Engine {
            thinking: Thinking::new(options.agent.clone(), &record)?,
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

    /// Does not look at these as the next move, until it is told otherwise.
    pub(crate) fn bar(&mut self, points: Vec<Vertex>) {
        self.thinking.bar(points);
    }

    /// Takes over another game.
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

    /// Plays for either player. False if that is not legal.
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

    /// What was found is of another position.
    fn forget(&mut self) {
        self.last = None;
        self.waits_since = None;
    }

    /// Finds a move, and plays it. Where there is an interval, `tell` hears after each what has been found.
    pub(crate) fn move_for(
        &mut self,
        player: Player,
        aim: Aim,
        interval: Option<Duration>,
        tell: &mut Tell,
    ) -> Result<Decision, Error> {
        let started = Instant::now();
        let vertex = self.choose(player, aim, interval, tell)?;
        self.clock.spend(player.into(), started.elapsed());
        if self.resigns(player) {
            return Ok(Decision::Resign);
        }
        // What it thought of the move may be asked for after it.
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
        interval: Option<Duration>,
        tell: &mut Tell,
    ) -> Result<Vertex, Error> {
        if aim == Aim::Win && ends_well(self.position(), player) {
            self.last = None;
            return Ok(Vertex::Pass);
        }
        let report = self.search(player, interval, tell)?;
        let vertex = choose(&report, self.position(), player, aim);
        self.last = Some((player, report));
        Ok(vertex)
    }

    /// Thinks for a move, as long as the clock and the agent's name allow.
    fn search(
        &mut self,
        player: Player,
        interval: Option<Duration>,
        tell: &mut Tell,
    ) -> Result<Report<String>, Error> {
        let agent = self.thinking.agent();
        let by_clock = self.clock.budget(player.into(), self.position().empty_points());
        let time = by_clock.into_iter().chain(agent.time).min();
        // Without any limit an agent has one of its own.
        let simulations = if time.is_none() { agent.budget().simulations } else { agent.simulations };
        let Some(interval) = interval else {
            return self.thinking.think(&self.record, player, time, simulations);
        };
        let (started, mut done) = (Instant::now(), 0);
        loop {
            let left = time.map(|time| time.saturating_sub(started.elapsed()));
            let slice = left.map_or(interval, |left| left.min(interval));
            let count = simulations.map(|all| all - done);
            let report = self.thinking.think(&self.record, player, Some(slice), count)?;
            done += report.simulations;
            tell(self, &report);
            let is_spent =
                simulations.is_some_and(|all| done >= all) || left.is_some_and(|left| left <= slice);
            if is_spent || report.time < slice / 2 {
                return Ok(report);
            }
        }
    }

    /// Thinks a little about the position, if this player is to move, for who wants to know what it finds.
    pub(crate) fn think_slice(&mut self, player: Player, slice: Duration) -> Result<Report<String>, Error> {
        let report = self.thinking.think(&self.record, player, Some(slice), None)?;
        self.last = Some((player, report.clone()));
        Ok(report)
    }

    /// Thinks a little on the other player's time. False if there is no use in it.
    pub(crate) fn ponder_slice(&mut self) -> bool {
        let is_due = self.waits_since.is_some_and(|since| since.elapsed() < PONDER_MAX);
        if !is_due || self.position().passes() >= 2 {
            return false;
        }
        let player = self.position().mover();
        let report = self.thinking.think(&self.record, player, Some(SLICE), None);
        // Who is done at once has nothing to think about.
        let goes_on = report.is_ok_and(|report| report.time >= SLICE / 2);
        if !goes_on {
            self.waits_since = None;
        }
        goes_on
    }

    /// What the last search found; of the player to move, if there is none yet.
    pub(crate) fn last_report(&mut self) -> Result<&(Player, Report<String>), Error> {
        if self.last.is_none() {
            let player = self.position().mover();
            let report = self.search(player, None, &mut |_, _| {})?;
            self.last = Some((player, report));
        }
        self.last.as_ref().ok_or_else(|| Error::new("nothing was found"))
    }

    /// Whether what it has just thought of a move makes it give up.
    fn resigns(&mut self, player: Player) -> bool {
        let Some(threshold) = self.resign else { return false };
        let value = self.last.as_ref().and_then(|(_, report)| report.value);
        let is_low = value.is_some_and(|value| value < threshold);
        let low = &mut self.low[usize::from(player)];
        *low = if is_low { *low + 1 } else { 0 };
        let points = self.record.size().pow(2);
        *low >= RESIGNS_AFTER && self.record.moves().len() >= points / RESIGNS_FROM
    }

    /// How the position ends, as playouts guess.
    pub(crate) fn ending(&self) -> Ending {
        Ending::of(self.position())
    }

    /// Whose each point is in the end, from 1 for black to -1 for white, as so many playouts guess that follow moves by turns,
    /// the first of them this player's.
    pub(crate) fn owners_after(&self, player: Player, moves: &[&str], playouts: usize) -> Vec<f32> {
        let mut position = self.position().clone();
        let players = [player, 1 - player].into_iter().cycle();
        for (player, name) in players.zip(moves) {
            let vertex = Vertex::read(name, position.size());
            let Some(vertex) = vertex.filter(|&vertex| position.is_legal(player, vertex)) else { break };
            position.play(player, vertex);
        }
        position.owners(playouts, &mut Rng::seeded(0))
    }

    /// What the last search's tree knows of what follows each action.
    pub(crate) fn tree(&self, depth: usize, top: usize) -> Option<TreeNode> {
        self.session().tree(depth, top)
    }
}

/// Hears of a search as it goes on.
pub(crate) type Tell<'a> = dyn FnMut(&Engine, &Report<String>) + 'a;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeSystem;

    fn engine(agent: &str, resign: Option<f32>) -> Engine {
        let agent = agent.parse().expect("an agent");
        Engine::new(&Options { agent, size: 5, resign, ..Options::default() }).expect("it plays Go")
    }

    fn moved(engine: &mut Engine, player: Player) -> Decision {
        engine.move_for(player, Aim::Win, None, &mut |_, _| {}).expect("a move")
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
    fn scores_are_guessed_after_the_moves_to_come() {
        let engine = engine("uct simulations=50 memory=20MB", None);
        let lead = |moves: &[&str]| engine.owners_after(0, moves, 400).iter().sum::<f32>();
        let [before, after, answered] =
            [&[][..], &["C3", "pass", "B2", "pass", "D4"], &["C3", "junk", "B2"]].map(lead);
        assert!(after > before + 5.0, "{before} and {after}");
        assert_eq!(answered, lead(&["C3"]), "what is no move ends the line");
        assert!(engine.position().is_empty());
    }

    #[test]
    fn pondering_grows_the_tree() {
        let mut engine = engine("uct simulations=50 memory=20MB", None);
        assert!(!engine.ponder_slice(), "nobody has moved");
        engine.ponders = true;
        moved(&mut engine, 0);
        let slices = (0..3).filter(|_| engine.ponder_slice()).count();
        assert_eq!(slices, 3);
        engine.play(1, Vertex::Point(0, 0));
        assert!(!engine.ponder_slice(), "it is our turn");
        let (_, report) = engine.last_report().expect("a report");
        assert!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>() > 50);
    }
}
