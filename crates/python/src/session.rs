//! A game in progress.

use crate::failure::{Failures, caught, error};
use crate::patience::patiently;
use crate::thinking::{Mailbox, Thinking};
use aji_catalog::{
    Actions, AgentName, Explanation, Request, Searched, Session, Snapshot, StopHandle, Workbench,
};
use aji_search::{Game, Player, Rng, Turn};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A session, which one asks at a time.
struct Shared {
    session: Mutex<Box<dyn Session>>,
    is_held: AtomicBool,
    failures: Failures,
}

/// The right to ask a session. It ends when this is dropped.
struct Held(Arc<Shared>);

/// A game in progress.
#[pyclass(frozen, name = "Session", module = "aji._native")]
pub struct PySession {
    shared: Arc<Shared>,
    workbench: Workbench,
    stop: StopHandle,
    luck: Mutex<Rng>,
}

impl PySession {
    pub fn new(session: Box<dyn Session>, workbench: Workbench, failures: Failures) -> PySession {
        let stop = session.stop_handle();
        let shared =
            Arc::new(Shared { session: Mutex::new(session), is_held: AtomicBool::new(false), failures });
        PySession { shared, workbench, stop, luck: Mutex::new(Rng::seeded(1)) }
    }

    /// An error if an agent thinks in the session.
    fn hold(&self) -> PyResult<Held> {
        match self.shared.is_held.swap(true, Ordering::Acquire) {
            true => Err(error("an agent thinks in this session; stop it, or open another session")),
            false => Ok(Held(self.shared.clone())),
        }
    }

    /// Asks the session, unless an agent thinks in it.
    fn ask<T: Send>(&self, py: Python<'_>, question: impl Question<T>) -> PyResult<T> {
        let held = self.hold()?;
        py.detach(|| held.ask(question))
    }

    /// The same in a while: Ctrl-C stops it.
    fn ask_patiently<T: Send>(&self, py: Python<'_>, question: impl Question<T>) -> PyResult<T> {
        let held = self.hold()?;
        // An earlier stop may have come when nothing was under way.
        self.stop.rearm();
        patiently(py, &|| self.stop.stop(), || held.ask(question))
    }
}

/// What a session is asked. It may call a user's code.
trait Question<T>: FnOnce(&mut dyn Session) -> Result<T, aji_catalog::Error> + Send {}

impl<T, F: FnOnce(&mut dyn Session) -> Result<T, aji_catalog::Error> + Send> Question<T> for F {}

impl Held {
    fn ask<T>(&self, question: impl Question<T>) -> PyResult<T> {
        let mut session = self.0.session.lock().unwrap_or_else(PoisonError::into_inner);
        caught(&self.0.failures, || question(session.as_mut()).map_err(error))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.is_held.store(false, Ordering::Release);
    }
}

/// JSON of a result.
fn json_of(told: &impl Serialize) -> Result<String, aji_catalog::Error> {
    serde_json::to_string(told).map_err(|cause| aji_catalog::Error::new(cause.to_string()))
}

/// Who acts, as Python has it: a player's number, "chance", or None.
fn turn_of(turn: Turn) -> Value {
    match turn {
        Turn::Player(player) => player.into(),
        Turn::Chance => "chance".into(),
        Turn::Over => Value::Null,
    }
}

/// Everything about the position.
#[derive(Serialize)]
struct ToldPosition<'a> {
    game: &'a str,
    players: Vec<String>,
    turn: Value,
    actions: Vec<String>,
    text: String,
    payoff: Option<Vec<f32>>,
    resigned: Option<Player>,
    range: (f32, f32),
}

impl ToldPosition<'_> {
    fn of(session: &dyn Session) -> ToldPosition<'_> {
        let players = session.players();
        ToldPosition {
            game: session.name(),
            players: (0..players as Player).map(|player| session.player_name(player)).collect(),
            turn: turn_of(session.turn()),
            actions: session.actions(),
            text: session.text(),
            payoff: session.payoff().map(|payoff| payoff.0[..players].to_vec()),
            resigned: session.resigned(),
            range: session.position().payoff_range(),
        }
    }
}

/// Simulations, and the board of each.
#[derive(Serialize)]
struct ToldExplanation<'a> {
    explanation: &'a Explanation,
    boards: Vec<&'a str>,
}

#[pymethods]
impl PySession {
    /// The name of the game, with its options.
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |session| Ok(session.name().to_string()))
    }

    /// The position as JSON: players, turn, actions, text, payoff.
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |session| json_of(&ToldPosition::of(session)))
    }

    /// Who acts, as JSON.
    fn turn(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |session| json_of(&turn_of(session.turn())))
    }

    /// The names of the legal actions.
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |session| Ok(session.actions()))
    }

    /// The odds of the outcomes of chance.
    fn odds(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        self.ask(py, |session| {
            let (game, mut outcomes) = (session.position(), Vec::new());
            if game.turn() == Turn::Chance {
                game.actions(&mut outcomes);
            }
            Ok(outcomes.into_iter().map(|outcome| game.weight(outcome)).collect())
        })
    }

    /// The board, several lines.
    fn board(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |session| Ok(session.board()))
    }

    /// The features that a network sees, with the sizes (planes, rows, columns), and the numbers of the actions.
    #[allow(clippy::type_complexity, reason = "three lists for Python")]
    fn encoding(
        &self,
        py: Python<'_>,
    ) -> PyResult<Option<((usize, usize, usize, usize), Vec<u32>, Vec<usize>)>> {
        use aji_search::Encoded;
        self.ask(py, |session| {
            let game = session.position();
            if !game.has().encoded {
                return Ok(None);
            }
            let (shape, mut features, mut actions) = (game.shape(), Vec::new(), Vec::new());
            game.features(&mut features);
            if matches!(game.turn(), Turn::Player(_)) {
                game.actions(&mut actions);
            }
            let numbers = actions.into_iter().map(|action| game.action_index(action)).collect();
            Ok(Some(((shape.planes, shape.rows, shape.columns, shape.actions), features, numbers)))
        })
    }

    /// Starts over at a position given in text.
    fn set_position(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.ask(py, |session| session.set_position(text))
    }

    /// Plays an action by its name. Returns its whole name.
    fn play(&self, py: Python<'_>, action: &str) -> PyResult<String> {
        self.ask(py, |session| session.play(action))
    }

    /// Draws an outcome of chance. None if a player is to act.
    fn draw(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.ask(py, |session| {
            let mut luck = self.luck.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(session.draw_chance(&mut luck))
        })
    }

    /// Seeds the outcomes of chance.
    fn seed(&self, seed: u64) {
        *self.luck.lock().unwrap_or_else(PoisonError::into_inner) = Rng::seeded(seed);
    }

    /// The player to act gives up.
    fn resign(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, |session| session.resign())
    }

    /// Takes back the last action. False at the start.
    fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, |session| Ok(session.undo()))
    }

    /// The whole name of an agent; None for the strongest one known for the game.
    #[pyo3(signature = (agent = None))]
    fn agent(&self, py: Python<'_>, agent: Option<&str>) -> PyResult<String> {
        self.ask(py, |session| {
            let agent = self.agent_name(session, agent)?;
            session.accepts(&agent)?;
            Ok(agent.to_string())
        })
    }

    /// Begins a search on a thread of its own. With an interval, in seconds, it leaves a snapshot that often.
    #[pyo3(signature = (agent = None, only = None, without = None, every = None))]
    fn begin(
        &self,
        py: Python<'_>,
        agent: Option<&str>,
        only: Option<Vec<String>>,
        without: Option<Vec<String>>,
        every: Option<f64>,
    ) -> PyResult<Thinking> {
        let held = self.hold()?;
        let actions = match (only, without) {
            (Some(_), Some(_)) => return Err(error("give only= or without=, not both")),
            (Some(names), None) => Actions::Only(names),
            (None, Some(names)) => Actions::Except(names),
            (None, None) => Actions::All,
        };
        let interval = match every {
            Some(seconds) if seconds.is_nan() => return Err(error("every: NaN found, expected seconds")),
            Some(seconds) => Duration::from_secs_f64(seconds.clamp(0.001, 1e6)),
            None => Duration::MAX,
        };
        let agent = py.detach(|| held.ask(|session| self.agent_name(session, agent)))?;
        let request = Request { actions, ..Request::new(agent).every(interval) };
        self.stop.rearm();
        Thinking::begin(self.stop.clone(), move |mailbox| {
            held.ask(|session| think(session, &request, mailbox))
        })
    }

    /// Explains simulations, as JSON.
    #[pyo3(signature = (agent = None, skip = 0, steps = 1))]
    fn explain(&self, py: Python<'_>, agent: Option<&str>, skip: u64, steps: u64) -> PyResult<String> {
        self.ask_patiently(py, |session| {
            let agent = self.agent_name(session, agent)?;
            let explanation = session.explain(&agent, skip, steps)?;
            let boards = explanation.simulations.iter().map(|one| one.board.as_str()).collect();
            json_of(&ToldExplanation { explanation: &explanation, boards })
        })
    }

    /// The tree of the last search below these actions, as JSON.
    #[pyo3(signature = (path = Vec::new(), depth = 3, top = 5))]
    fn tree(&self, py: Python<'_>, path: Vec<String>, depth: usize, top: usize) -> PyResult<String> {
        self.ask(py, |session| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            json_of(&session.tree(&path, depth, top))
        })
    }

    /// The same as a drawing, with the best action marked.
    #[pyo3(signature = (path = Vec::new(), depth = 3, top = 5, best = None))]
    fn tree_svg(
        &self,
        py: Python<'_>,
        path: Vec<String>,
        depth: usize,
        top: usize,
        best: Option<&str>,
    ) -> PyResult<Option<String>> {
        self.ask(py, |session| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let tree = session.tree(&path, depth, top);
            Ok(tree.map(|tree| aji_lab::drawing::svg(&tree, session.name(), best)))
        })
    }

    /// What the last search knows at a node, as JSON.
    #[pyo3(signature = (path = Vec::new()))]
    fn node(&self, py: Python<'_>, path: Vec<String>) -> PyResult<String> {
        self.ask(py, |session| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            json_of(&session.node(&path))
        })
    }

    /// The last search as bytes.
    fn save(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.ask(py, |session| {
            let mut bytes = Vec::new();
            let wrong = |cause: std::io::Error| aji_catalog::Error::new(cause.to_string());
            session.save(&mut bytes).map(|()| bytes).map_err(wrong)
        })
    }

    /// Loads a search that was saved here by the same agent. Returns its simulations.
    fn load(&self, py: Python<'_>, agent: &str, bytes: &[u8]) -> PyResult<u64> {
        self.ask(py, |session| {
            let agent = self.agent_name(session, Some(agent))?;
            session.load(&agent, &mut &*bytes)
        })
    }

    /// The number of sequences of actions of this length. None if it was stopped.
    fn perft(&self, py: Python<'_>, length: usize) -> PyResult<Option<u64>> {
        self.ask_patiently(py, |session| Ok(session.perft(length)))
    }

    /// The traits whose laws hold. An error names the broken law.
    fn check_laws(&self, py: Python<'_>, seed: u64) -> PyResult<Vec<&'static str>> {
        self.ask_patiently(py, |session| {
            session.check_laws(seed).map_err(|broken| aji_catalog::Error::new(broken.to_string()))
        })
    }

    /// The mean payoff of player 0 over so many playouts.
    fn playouts(&self, py: Python<'_>, count: u64, seed: u64) -> PyResult<f32> {
        self.ask_patiently(py, |session| Ok(session.playouts(count, seed) / count.max(1) as f32))
    }
}

impl PySession {
    fn agent_name(
        &self,
        session: &dyn Session,
        agent: Option<&str>,
    ) -> Result<AgentName, aji_catalog::Error> {
        match agent {
            Some(name) => self.workbench.agent_name(name),
            None => self.workbench.agent_for(session.name()),
        }
    }
}

/// Thinks, leaves snapshots, and returns the report as JSON.
fn think(
    session: &mut dyn Session,
    request: &Request,
    mailbox: &Mailbox,
) -> Result<String, aji_catalog::Error> {
    let searched = Searched::new(session, &request.agent);
    let report = session.analyse(request, &mut |snapshot: &mut Snapshot| {
        if let Some(report) = snapshot.report()
            && let Ok(told) = json_of(&searched.found(&report))
        {
            mailbox.leave(told);
        }
        true
    })?;
    json_of(&searched.found(&report))
}
