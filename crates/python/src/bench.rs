//! A workbench: games and agents by name, those of a user's Python code among them, and the commands over them.

use crate::evaluation::Called;
use crate::failure::{Failures, caught, error, guarded};
use crate::function::Function;
use crate::game::{Position, Start};
use crate::kind::{KEPT_DEFAULT, Kind};
use crate::patience::patiently;
use crate::session::PySession;
use crate::state::State;
use aji_catalog::{Error, Missing, Options, Own, Searched, Session, Workbench, search_together};
use aji_cli::embedded;
use aji_search::AnyEvaluation;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Games and agents by name.
#[pyclass(frozen, module = "aji._native")]
pub struct Bench {
    added: Mutex<Added>,
}

/// The games and evaluations beside the built-in ones.
#[derive(Clone, Default)]
struct Added {
    games: Vec<Arc<Opener>>,
    /// Evaluations, each with its word.
    evaluations: Vec<(String, Arc<Py<PyAny>>)>,
}

impl Bench {
    fn added(&self) -> MutexGuard<'_, Added> {
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A workbench for one session or one command, whose exceptions go to this slot. Its agents stop once there is one.
    fn workbench(&self, failures: &Failures) -> Workbench {
        let Added { games, evaluations } = self.added().clone();
        let mut workbench = Workbench::new();
        for opener in games {
            let failures = failures.clone();
            let (word, summary, options) =
                (opener.word.clone(), opener.summary.clone(), opener.options.clone());
            let open = move |words: &mut Options| opener.open(words.rest(), &failures);
            workbench = workbench.game(&word, open).about(&summary, &options);
        }
        for (word, function) in evaluations {
            let failures = failures.clone();
            let make = move || Box::new(Called::new(function.clone(), failures.clone())) as AnyEvaluation;
            workbench = workbench.evaluation(&word, make);
        }
        let failures = failures.clone();
        workbench.stopped_when(move || failures.is_set())
    }
}

/// Opens a game in Python by its options. The positions that are kept serve all sessions.
struct Opener {
    word: String,
    summary: String,
    options: String,
    make: Py<PyAny>,
    kept_max: usize,
    /// The starts that were made, by their options.
    starts: Mutex<HashMap<String, Start>>,
}

impl Opener {
    fn open(&self, options: Vec<(String, String)>, failures: &Failures) -> Result<Own<Position>, Error> {
        let name = options.iter().map(|(key, value)| format!(" {key}={value}")).collect::<String>();
        let known = self.starts().get(&name).cloned();
        let start = match known {
            Some(start) => start,
            None => Python::attach(|py| self.make(py, options)).map_err(|exception| {
                let told = Python::attach(|py| exception.value(py).to_string());
                failures.keep(exception);
                Error::new(format!("game {}: {}", self.word, told.replace('\n', " ")))
            })?,
        };
        self.starts().insert(name, start.clone());
        let has = start.kind.has;
        let own = Own::new(Position::new(start, failures.clone())).named().valued().lacks(lacks);
        let own = if has.hash { own.hashed().compared() } else { own };
        let own = if has.key { own.keyed() } else { own };
        Ok(if has.estimate { own.heuristic() } else { own })
    }

    fn make(&self, py: Python<'_>, options: Vec<(String, String)>) -> PyResult<Start> {
        let given = PyDict::new(py);
        for (key, value) in options {
            given.set_item(key, value)?;
        }
        let start = self.make.bind(py).call((), Some(&given))?;
        let kind = Kind::new(self.word.clone(), &start, self.kept_max)?;
        let state = State::new(&kind, start, 0)?;
        Ok(Start { kind: Arc::new(kind), state: Arc::new(state) })
    }

    fn starts(&self) -> MutexGuard<'_, HashMap<String, Start>> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an agent needs and a game lacks, as one tells it who writes games in Python.
fn lacks(what: Missing) -> String {
    match what {
        Missing::Hashed => "a method hash(), which tells positions apart, and this game has none",
        Missing::Keyed => "a method key() and key_count, which number actions, and this game lacks them",
        Missing::Encoded => {
            "an evaluation of this game: evaluate=, or net= with the word of one in the workbench"
        }
    }
    .into()
}

#[pymethods]
impl Bench {
    /// The built-in games and agents.
    #[new]
    fn new() -> Bench {
        Bench { added: Mutex::default() }
    }

    /// Another workbench with the same games and agents, to which more can be added.
    fn copy(&self) -> Bench {
        Bench { added: Mutex::new(self.added().clone()) }
    }

    /// Adds a game, which `make` opens by its options.
    #[pyo3(signature = (word, make, summary = "", options = "", kept = KEPT_DEFAULT))]
    fn add_game(
        &self,
        word: &str,
        make: Function,
        summary: &str,
        options: &str,
        kept: usize,
    ) -> PyResult<()> {
        let is_word =
            !word.is_empty() && !word.contains(|letter: char| letter.is_whitespace() || letter == '=');
        if !is_word {
            return Err(error(format!("game {word:?}: expected a word without spaces")));
        }
        let (word, summary, options) = (word.into(), summary.into(), options.into());
        let opener =
            Opener { word, summary, options, make: make.0, kept_max: kept, starts: Mutex::default() };
        let mut added = self.added();
        added.games.retain(|other| other.word != opener.word);
        added.games.push(Arc::new(opener));
        Ok(())
    }

    /// Adds an evaluation of leaves, for `alphazero net=WORD`.
    fn add_evaluation(&self, word: &str, function: Function) {
        let mut added = self.added();
        added.evaluations.retain(|(other, _)| other != word);
        added.evaluations.push((word.into(), Arc::new(function.0)));
    }

    /// Runs a command of the command line. Returns its output, the error, and whether it was interrupted or did only a
    /// part of its work.
    fn command(&self, py: Python<'_>, words: Vec<String>) -> PyResult<(String, Option<String>, bool, bool)> {
        let failures = Failures::default();
        let workbench = self.workbench(&failures);
        let answer = patiently(py, &embedded::interrupt, || {
            caught(&failures, || Ok(embedded::answer(&words, &workbench)))
        })?;
        Ok((answer.text, answer.error, answer.is_interrupted, answer.is_partial))
    }

    /// Searches many positions of a game together, each given by its text or the start, and moves. The evaluation that the
    /// agent names values the leaves of all of them in a call. Returns a list of reports as JSON.
    fn search_together(
        &self,
        py: Python<'_>,
        game: String,
        positions: Vec<(Option<String>, Vec<String>)>,
        agent: String,
    ) -> PyResult<String> {
        let failures = Failures::default();
        let workbench = self.workbench(&failures);
        let evaluations = self.added().evaluations.clone();
        let is_over = Arc::new(AtomicBool::new(false));
        let work = || -> Result<String, Error> {
            let agent = workbench.agent_name(&agent)?;
            let sessions = opened(&workbench, &game, &positions)?;
            if let Some(first) = sessions.first() {
                first.accepts(&agent)?;
            }
            let positions: Vec<_> = sessions.iter().map(|session| session.position()).collect();
            let net = agent.search().and_then(|search| search.net.as_ref());
            let asked = evaluations.iter().find(|(word, _)| net == Some(word));
            let (_, function) =
                asked.ok_or_else(|| Error::new(format!("{agent}: net= names no evaluation")))?;
            let evaluation = Called::new(function.clone(), failures.clone()).stopped_by(is_over.clone());
            let reports = search_together(&positions, &agent, evaluation)?;
            let searched =
                sessions.iter().map(|session| Searched::new(session.as_ref(), &agent)).collect::<Vec<_>>();
            let found: Vec<_> =
                searched.iter().zip(&reports).map(|(searched, report)| searched.found(report)).collect();
            serde_json::to_string(&found).map_err(|cause| Error::new(cause.to_string()))
        };
        let stop = || is_over.store(true, Ordering::Relaxed);
        patiently(py, &stop, || caught(&failures, || work().map_err(error)))
    }

    /// Opens a game.
    fn session(&self, py: Python<'_>, name: String) -> PyResult<PySession> {
        let failures = Failures::default();
        let workbench = self.workbench(&failures);
        let opened = py.detach(|| caught(&failures, || workbench.session(&name).map_err(error)))?;
        Ok(PySession::new(opened, workbench, failures))
    }
}

/// Sessions at these positions of a game.
fn opened(
    workbench: &Workbench,
    game: &str,
    positions: &[(Option<String>, Vec<String>)],
) -> Result<Vec<Box<dyn Session>>, Error> {
    let open = |(number, (text, moves)): (usize, &(Option<String>, Vec<String>))| {
        let mut session = workbench.session(game)?;
        let wrong = |cause: Error| Error::new(format!("position {number}: {cause}"));
        if let Some(text) = text {
            session.set_position(text).map_err(wrong)?;
        }
        for action in moves {
            session.play(action).map_err(wrong)?;
        }
        Ok(session)
    };
    positions.iter().enumerate().map(open).collect()
}

/// Runs a command line of this process as the program `aji` does. Returns the exit code.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    embedded::set_quiet(false);
    py.detach(|| guarded(|| Ok(aji_cli::main_of(&words, &Workbench::new()))))
}

/// Leaves out progress and notes on standard error, or shows them.
#[pyfunction]
pub fn set_quiet(is_quiet: bool) {
    embedded::set_quiet(is_quiet);
}
