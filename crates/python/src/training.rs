//! A training whose games are played by other processes.

use crate::failure::{error, guarded};
use crate::patience::patiently;
use aji_catalog::{Workbench, read_bytes};
use aji_lab::training::lesson;
use aji_train::{Folder, Iteration, Run, START, Training, Wishes, play_part};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A training in a folder. It learns here, and its games may be played elsewhere.
#[pyclass(frozen, module = "aji._native")]
pub struct Trainer {
    training: Mutex<Training>,
}

impl Trainer {
    fn held(&self) -> MutexGuard<'_, Training> {
        self.training.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the training, while Python's other threads go on.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Training) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| guarded(|| work(&mut self.held())))
    }
}

/// The word for the network that ships, in place of a file.
const SHIPPED: &str = "shipped";

/// The network to start from. A file of that name goes before the one that ships.
fn started(path: &Path, game: Option<&str>) -> Result<Vec<u8>, String> {
    match game {
        Some(game) if path.as_os_str() == SHIPPED && !path.exists() => {
            Workbench::new().network_file(game).map_err(|cause| format!("start {SHIPPED}: {cause}"))
        }
        _ => std::fs::read(path).map_err(|cause| format!("start {}: {cause}", path.display())),
    }
}

/// The training in a folder, begun or resumed with these wishes.
fn opened(out: &Path, wishes: &Wishes) -> Result<Training, String> {
    let found = Run::find(&Folder::read_only(out)).map_err(|cause| cause.to_string())?;
    let here = |cause: aji_train::Error| format!("{}: {cause}", out.display());
    let run = match found {
        Some(run) if run.against.is_some() => {
            return Err(format!(
                "{}: a run against an opponent plays its games itself; use aji train",
                out.display()
            ));
        }
        Some(run) => run.check(wishes).map(|()| run).map_err(here)?,
        None => Run::new(wishes).map_err(|cause| cause.to_string())?,
    };
    let session = Workbench::new().session(&run.game).map_err(|cause| cause.to_string())?;
    let game = lesson(&*session).map_err(|cause| cause.to_string())?;
    let folder = Folder::open(out).map_err(|cause| cause.to_string())?;
    if let Some(start) = &wishes.start {
        folder.write(START, start).map_err(|cause| cause.to_string())?;
    }
    Training::open(folder, run, game, aji_cli::embedded::COMMIT).map_err(|cause| cause.to_string())
}

#[pymethods]
impl Trainer {
    /// Begins a run in a folder, or goes on with the one that is there.
    #[new]
    #[pyo3(signature = (out, game = None, net = None, agent = None, options = None, seed = None, memory = None, start = None))]
    #[allow(clippy::too_many_arguments, reason = "the options of a run, which Python names")]
    fn new(
        py: Python<'_>,
        out: PathBuf,
        game: Option<String>,
        net: Option<String>,
        agent: Option<String>,
        options: Option<String>,
        seed: Option<u64>,
        memory: Option<&str>,
        start: Option<PathBuf>,
    ) -> PyResult<Trainer> {
        let open = || {
            // The whole name of the game is the one that a run keeps.
            let whole =
                |name: String| Workbench::new().session(&name).map(|session| session.name().to_string());
            let game = game.map(whole).transpose().map_err(error)?;
            let bytes = |text| {
                read_bytes(text).map_err(|expected| error(format!("memory {text}: expected {expected}")))
            };
            let memory = memory.map(bytes).transpose()?;
            let start = start.map(|path| started(&path, game.as_deref())).transpose().map_err(error)?;
            let wishes = Wishes { game, net, agent, options, seed, memory, start, against: None };
            opened(&out, &wishes).map_err(error)
        };
        let training = py.detach(|| guarded(open))?;
        Ok(Trainer { training: Mutex::new(training) })
    }

    /// The games of the next iteration: its number, the first game, how many, and the files of the network and of the run.
    #[allow(clippy::type_complexity, reason = "five values for Python")]
    fn wanted<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(u64, u64, u64, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (wanted, run) = self.with(py, |training| {
            let wanted = training.wanted().map_err(error)?;
            Ok((wanted, training.run().to_bytes()))
        })?;
        let (network, run) = (PyBytes::new(py, &wanted.network), PyBytes::new(py, &run));
        Ok((wanted.iteration, wanted.first, wanted.games, network, run))
    }

    /// Takes the games of the next iteration, in parts that `play_games` made.
    fn provide(&self, py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<()> {
        let parts: Vec<Vec<u8>> = parts.iter().map(|part| part.to_vec()).collect();
        self.with(py, |training| training.provide(&parts).map_err(error))
    }

    /// Runs the next iteration on so many threads: it plays the games unless they were provided, and learns. Returns its line
    /// of the journal as JSON.
    #[pyo3(signature = (threads = 1))]
    fn iterate(&self, py: Python<'_>, threads: usize) -> PyResult<String> {
        let is_over = AtomicBool::new(false);
        let stop = || is_over.store(true, Ordering::Relaxed);
        patiently(py, &stop, || {
            let line: Option<Iteration> =
                self.held().iterate(threads.max(1), &is_over, &mut |_| {}).map_err(error)?;
            let line = line.ok_or_else(|| error("the iteration was stopped; open the training again"))?;
            serde_json::to_string(&line).map_err(error)
        })
    }

    /// The finished iterations, games, samples and steps.
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, u64, u64, u64)> {
        self.with(py, |training| {
            let progress = training.progress();
            Ok((progress.iterations, progress.games, progress.samples, progress.steps))
        })
    }

    /// The lines of the journal as JSON.
    fn journal(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |training| serde_json::to_string(&training.journal().iterations).map_err(error))
    }
}

/// Plays games of a run with a network, both as their files, on one thread. The bytes depend on nothing else.
#[pyfunction]
pub fn play_games<'py>(
    py: Python<'py>,
    run: &[u8],
    network: &[u8],
    first: u64,
    games: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let is_over = AtomicBool::new(false);
    let stop = || is_over.store(true, Ordering::Relaxed);
    let part = patiently(py, &stop, || {
        let run = Run::from_bytes(run).map_err(error)?;
        let session = Workbench::new().session(&run.game).map_err(error)?;
        let game = lesson(&*session).map_err(error)?;
        let part = play_part(&run, &*game, network, (first, games), &is_over).map_err(error)?;
        part.ok_or_else(|| error("stopped before all games were played"))
    })?;
    Ok(PyBytes::new(py, &part))
}
