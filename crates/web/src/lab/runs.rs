//! All contests: those that are played, and those that were.

use super::asked::{memory_of_round, of_journal, threads_of};
use super::run::{Run, UpTo};
use super::shown::{Fixed, State};
use super::{Entry, Journals, LabOptions, Shown, WhichContest};
use crate::failure::Failure;
use crate::limits::{CONTEST_SHARE, CONTESTS_MAX, JOURNAL_MAX, JOURNAL_MEMORY};
use crate::live::News;
use crate::server::Shared;
use aji_catalog::{Workbench, show_bytes};
use aji_lab::contest::{Contest, ContestKind};
use aji_lab::{Ending, Header, JournalWriter, Runner, Shard};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch::Receiver;

/// All contests of a server, by the names of their journals.
pub struct Runs {
    pub journals: Journals,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    running: BTreeMap<String, Arc<Run>>,
    /// Why runs have ended early.
    failures: BTreeMap<String, String>,
}

/// A contest to watch.
pub enum Watched {
    /// It is played.
    Running(Receiver<News>),
    /// It is not.
    Still(Box<Shown>),
}

/// A contest that is about to be played.
pub struct Ready {
    run: Arc<Run>,
    contest: Contest,
    runner: Runner,
    journal: JournalWriter,
    memory: u64,
}

impl Runs {
    /// Those whose journals are in the folder.
    pub fn new(options: &LabOptions) -> Runs {
        Runs { journals: Journals::new(options.journals.clone()), known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contest of this name, if it is played.
    fn running(&self, name: &str) -> Option<Arc<Run>> {
        self.known().running.get(name).cloned()
    }

    /// All journals, and which of them are played.
    pub fn list(&self) -> Result<Vec<Entry>, Failure> {
        self.journals.list(&|name| self.running(name).is_some())
    }

    /// Begins to watch a contest.
    pub fn watch(&self, workbench: &Workbench, name: &str) -> Result<Watched, Failure> {
        if let Some(run) = self.running(name) {
            return Ok(Watched::Running(run.subscribe()));
        }
        let kept = self.journals.read(name)?;
        let failure = self.known().failures.get(name).cloned();
        let players = workbench.session(&kept.plan.game)?.players();
        let state = if kept.extent.is_finished { State::Finished } else { State::Stopped };
        let fixed = Fixed {
            name: name.into(),
            kind: kept.kind,
            plan: kept.plan,
            rounds: kept.rounds,
            players,
            seed: kept.journal.header.seed,
            round_games: Contest::round_games(players),
        };
        Ok(Watched::Still(Box::new(Shown::new(&fixed, &kept.course, state, failure))))
    }

    /// Stops a contest, if it is played.
    pub fn stop(&self, name: &str) -> Result<(), Failure> {
        match self.running(name) {
            Some(run) => run.stop(),
            None => drop(self.journals.open(name)?),
        }
        Ok(())
    }

    /// Stops all.
    pub fn close(&self) {
        self.known().running.values().for_each(|run| run.stop());
    }

    /// Prepares the contest that the page asks for.
    pub fn new_contest(&self, shared: &Shared, asked: &WhichContest) -> Result<Ready, Failure> {
        let (stop, workbench) = stoppable(&shared.workbench);
        let contest = asked.contest(&workbench, shared.options.threads)?;
        let word = contest.game().split(' ').next().unwrap_or_default();
        let memory = affordable(shared, &contest)?;
        let mut known = self.known();
        room(&known)?;
        let stem = format!("{}-{word}", asked.kind.word());
        let name = self.journals.new_name(asked.name.as_deref(), &stem)?;
        self.ready(shared, &mut known, (name, asked.kind, asked.seed), contest, stop, memory)
    }

    /// Prepares to go on with the contest of a journal.
    pub fn go_on(&self, shared: &Shared, name: &str) -> Result<Ready, Failure> {
        let (journal, kind, plan, rounds) = self.journals.open(name)?;
        let (stop, workbench) = stoppable(&shared.workbench);
        let contest = of_journal(&plan, kind, rounds, &workbench, shared.options.threads)?;
        let memory = affordable(shared, &contest)?;
        let mut known = self.known();
        room(&known)?;
        let seed = journal.header.seed;
        self.ready(shared, &mut known, (name.into(), kind, seed), contest, stop, memory)
    }

    /// Opens the journal, and marks the contest as running.
    fn ready(
        &self,
        shared: &Shared,
        known: &mut Known,
        (name, kind, seed): (String, ContestKind, u64),
        contest: Contest,
        stop: Arc<AtomicBool>,
        (threads, memory): (usize, u64),
    ) -> Result<Ready, Failure> {
        if known.running.contains_key(&name) {
            return Err(Failure::conflict(format!("{name} is running; stop it first")));
        }
        let origin = shared.options.lab.origin.clone();
        let runner = Runner { threads, seed, origin, shard: Shard::WHOLE };
        let header: Header = runner.header(&contest);
        let rounds = header.trials / contest.pairings().len() as u64;
        let path = self.journals.path(&name)?;
        let journal = JournalWriter::open(&path, header, runner.shard).map_err(Failure::conflict)?;
        let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let journal = journal.through(|out| Box::new(UpTo::new(out, bytes)));
        let players = contest.players();
        let round_games = Contest::round_games(players);
        let plan = contest.plan();
        let fixed = Fixed { name: name.clone(), kind, plan, rounds, players, seed, round_games };
        let run = Arc::new(Run::new(fixed, stop));
        known.failures.remove(&name);
        known.running.insert(name, run.clone());
        Ok(Ready { run, contest, runner, journal, memory })
    }

    /// Notes how a run has ended, and tells those who watch it.
    fn ended(&self, run: &Run, state: State, error: Option<String>) {
        let name = &run.fixed.name;
        let mut known = self.known();
        known.running.remove(name);
        if let Some(error) = &error {
            known.failures.insert(name.clone(), error.clone());
        }
        drop(known);
        run.tell_end(state, error);
    }
}

impl Ready {
    /// The name of its journal.
    pub fn name(&self) -> &str {
        &self.run.fixed.name
    }

    /// Plays it, on a thread that may block.
    pub fn play(self, shared: &Shared) {
        let Ready { run, contest, runner, journal, memory } = self;
        let mut ended = Ended { shared, run: &run, state: State::Stopped, error: Some(MISTAKE.into()) };
        let lent = shared.searches.lend(memory);
        let played = match &lent {
            // The journal is closed before anybody hears of the end.
            Ok(_) => run.play(&contest, &runner, journal).map_err(|error| error.to_string()),
            Err(failure) => Err(failure.line().to_string()),
        };
        (ended.state, ended.error) = match played {
            Ok(Ending::Complete | Ending::Enough) => (State::Finished, None),
            Ok(Ending::Stopped) => (State::Stopped, None),
            Err(error) => (State::Stopped, Some(error)),
        };
    }
}

/// Messages round to it.
const MEGABYTE: u64 = 1_000_000;

/// What is told if a run panics.
const MISTAKE: &str = "the run failed; this is a mistake in the program";

/// Marks the end of a run, also if it panics.
struct Ended<'a> {
    shared: &'a Shared,
    run: &'a Run,
    state: State,
    error: Option<String>,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.shared.runs.ended(self.run, self.state, self.error.take());
    }
}

/// A workbench whose agents stop by the flag.
fn stoppable(workbench: &Workbench) -> (Arc<AtomicBool>, Workbench) {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    (stop, workbench.clone().stopped_when(move || flag.load(Ordering::Relaxed)))
}

/// An error if too many contests are played.
fn room(known: &Known) -> Result<(), Failure> {
    match known.running.len() < CONTESTS_MAX {
        true => Ok(()),
        false => {
            Err(Failure::full(format!("{CONTESTS_MAX} contests run, the most at a time; stop one first")))
        }
    }
}

/// How many rounds may run at a time, and their memory in bytes: at most a part of the memory of all searches.
fn affordable(shared: &Shared, contest: &Contest) -> Result<(usize, u64), Failure> {
    let (most, of_round) = (shared.options.memory / CONTEST_SHARE, memory_of_round(contest));
    let needed = |rounds: usize| JOURNAL_MEMORY.saturating_add(of_round.saturating_mul(rounds as u64));
    let rounds = (shared.options.threads / threads_of(contest).max(1)).max(1);
    if needed(1) > most {
        let (needed, journal) = (show_bytes(needed(1)), show_bytes(JOURNAL_MEMORY));
        return Err(Failure::wrong(format!(
            "the contest needs {needed} ({journal} of it for a journal of {}), and may have a third of the memory, {}; give the agents less by memory=, or use aji serve --memory with more",
            show_bytes(JOURNAL_MAX),
            show_bytes(most / MEGABYTE * MEGABYTE)
        )));
    }
    let mut failure = Failure::full("no memory");
    for rounds in (1..=rounds).rev().filter(|&rounds| needed(rounds) <= most) {
        match shared.searches.lend(needed(rounds)) {
            Ok(_) => return Ok((rounds, needed(rounds))),
            Err(refused) => failure = refused,
        }
    }
    Err(failure)
}
