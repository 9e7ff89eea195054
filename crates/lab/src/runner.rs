//! Runs the trials of an experiment on threads, and records them.
//!
//! Trials start in the order of their ids and end in any order. The result depends neither on the threads nor on when
//! the run was interrupted.

use crate::any_experiment::{AnyExperiment, AnyRecord, Each, Hidden, Records, Until};
use crate::{Error, Experiment, Header, JournalWriter, Origin, Progress, Ranges, Shard, Trial};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// How to run an experiment. Only the seed changes the result.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    /// How many trials run at a time; 0 means one per core.
    pub threads: usize,
    /// The trials to run.
    pub shard: Shard,
    /// The program that runs them.
    pub origin: Origin,
    /// The experiment's seed.
    pub seed: u64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<R> {
    /// The records by trial. If the run was stopped, some trials are missing.
    pub records: Vec<(u64, R)>,
    /// Why the run ended.
    pub ending: Ending,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every trial of the shard has a record.
    Complete,
    /// The trials so far were enough.
    Enough,
    /// The run was asked to stop. The same run on the same journal continues it.
    Stopped,
}

impl<R> Outcome<R> {
    /// The records without their trials, in order.
    pub fn values(&self) -> impl Iterator<Item = &R> + Clone {
        self.records.iter().map(|(_, record)| record)
    }

    /// Whether nothing is left to run.
    pub fn is_finished(&self) -> bool {
        self.ending != Ending::Stopped
    }
}

impl Runner {
    /// The header of this run's journal.
    pub fn header<E: Experiment>(&self, experiment: &E) -> Header {
        Header::new(&Hidden(experiment), self.seed, &self.origin)
    }

    /// Runs every trial of the shard that is not in the journal yet. Once `stop` is set, no trial starts. Trials
    /// under way finish and are recorded, or are dropped if the experiment [can stop](Experiment::is_stoppable). Without a journal, everything stays in memory.
    pub fn run<E: Experiment>(
        &self,
        experiment: &E,
        journal: Option<&Path>,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> Result<Outcome<E::Record>, Error> {
        self.run_on(experiment, self.journal(experiment, journal)?, progress, stop, &mut |_| false)
    }

    /// Runs trials until they are enough. The runner asks `enough` about the first record, the first two, and so on,
    /// each once and in order. The first yes ends the run there, whatever other threads did beyond it. `enough` must
    /// depend only on the records, and its rule belongs in the experiment's parameters. It needs the first trials without a gap:
    /// all of them, or a range from 0 on, whose end does not mean that the run is over.
    pub fn run_until<E: Experiment>(
        &self,
        experiment: &E,
        journal: Option<&Path>,
        progress: &dyn Progress,
        stop: &AtomicBool,
        enough: &mut (dyn FnMut(&[E::Record]) -> bool + Send),
    ) -> Result<Outcome<E::Record>, Error> {
        self.check_prefix()?;
        self.run_on(experiment, self.journal(experiment, journal)?, progress, stop, enough)
    }

    /// An error if the shard lacks the first trials, for a run that may stop early.
    pub fn check_prefix(&self) -> Result<(), Error> {
        let shard = self.shard;
        let told = || {
            format!(
                "shard {shard}: a run that may stop early cannot be split so; run it whole, or in ranges of trials such as 0..100"
            )
        };
        if shard.is_prefix() { Ok(()) } else { Err(Error::new(told())) }
    }

    /// Like [`run_until`](Runner::run_until), on a journal that is already open.
    pub fn run_on<E: Experiment>(
        &self,
        experiment: &E,
        journal: Option<JournalWriter>,
        progress: &dyn Progress,
        stop: &AtomicBool,
        enough: &mut (dyn FnMut(&[E::Record]) -> bool + Send),
    ) -> Result<Outcome<E::Record>, Error> {
        let mut until = Until { trials: Vec::new(), records: Vec::new(), enough };
        let ending = self.run_any(&Hidden(experiment), journal, progress, stop, &mut until)?;
        Ok(Outcome { records: until.trials.into_iter().zip(until.records).collect(), ending })
    }

    /// Like [`run_on`](Runner::run_on), for whoever counts the records and does not keep them: `show` sees each trial's
    /// record once. Those before the first gap come in order, and `show` says whether they are enough. If the run was stopped,
    /// those after the gap follow, and the answer does not count.
    pub fn run_each<E: Experiment>(
        &self,
        experiment: &E,
        journal: Option<JournalWriter>,
        progress: &dyn Progress,
        stop: &AtomicBool,
        show: &mut (dyn FnMut(u64, &E::Record) -> bool + Send),
    ) -> Result<Ending, Error> {
        let mut each = Each { are_enough: false, show };
        self.run_any(&Hidden(experiment), journal, progress, stop, &mut each)
    }

    /// Opens the journal of this run, if there is one.
    pub fn journal<E: Experiment>(
        &self,
        experiment: &E,
        path: Option<&Path>,
    ) -> Result<Option<JournalWriter>, Error> {
        self.open(&Hidden(experiment), path)
    }

    pub(crate) fn open(
        &self,
        experiment: &dyn AnyExperiment,
        path: Option<&Path>,
    ) -> Result<Option<JournalWriter>, Error> {
        let header = || Header::new(experiment, self.seed, &self.origin);
        path.map(|path| JournalWriter::open(path, header(), self.shard)).transpose()
    }

    /// Runs the missing trials. Returns why the run ended.
    pub(crate) fn run_any(
        &self,
        experiment: &dyn AnyExperiment,
        journal: Option<JournalWriter>,
        progress: &dyn Progress,
        stop: &AtomicBool,
        records: &mut dyn Records,
    ) -> Result<Ending, Error> {
        let mut ledger = Ledger::new(self.shard, experiment.trials(), journal, records);
        let known = ledger.resume(experiment, progress)?;
        let size = ledger.size;
        let left = size - known.count();
        let ledger = Mutex::new(ledger);
        let next = AtomicU64::new(0);
        let over = AtomicBool::new(ledger.lock().expect(UNPOISONED).is_over());
        let work = || {
            while !stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                let position = next.fetch_add(1, Ordering::Relaxed);
                if position >= size {
                    break;
                }
                if known.contains(position) {
                    continue;
                }
                let result = attempt(experiment, Trial { id: self.shard.trial(position), seed: self.seed });
                if experiment.is_stoppable() && stop.load(Ordering::Relaxed) {
                    break;
                }
                let mut ledger = ledger.lock().expect(UNPOISONED);
                ledger.enter(position, result, progress);
                over.fetch_or(ledger.is_over(), Ordering::Relaxed);
            }
        };
        if left > 0 && !over.load(Ordering::Relaxed) {
            self.on_threads(left, &work, &over)?;
        }
        ledger.into_inner().expect(UNPOISONED).close()
    }

    /// Runs `work` on every thread, with no more threads than trials left. If a thread cannot start, the others end.
    fn on_threads(&self, left: u64, work: &(dyn Fn() + Sync), over: &AtomicBool) -> Result<(), Error> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let threads = threads.min(usize::try_from(left).unwrap_or(usize::MAX));
        thread::scope(|scope| {
            for _ in 0..threads {
                thread::Builder::new().spawn_scoped(scope, work).map_err(|error| {
                    over.store(true, Ordering::Relaxed);
                    Error::new(format!("cannot start {threads} threads: {error}"))
                })?;
            }
            Ok(())
        })
    }
}

const UNPOISONED: &str = "a thread that panics here ends the run";

/// Runs a trial. The record is parsed back from its JSON, so that a run and a resumed run see the same.
fn attempt(experiment: &dyn AnyExperiment, trial: Trial) -> Result<(String, AnyRecord), Error> {
    let id = trial.id;
    let record = catch_unwind(AssertUnwindSafe(|| experiment.run(trial)));
    let record = record.map_err(|panic| Error::new(format!("trial {id} panicked: {}", told(&*panic))))?;
    let text = record.map_err(|error| Error::new(format!("trial {id}: {error}")))?;
    let text =
        text.map_err(|error| Error::new(format!("trial {id}: its record cannot be written: {error}")))?;
    let record = experiment.read(&text).map_err(|error| {
        let cause = crate::journal::json_cause(&error);
        let hint =
            if text.contains("null") { " (a number that is not finite is written as null)" } else { "" };
        Error::new(format!("trial {id}: its record cannot be read back: {cause}{hint}"))
    })?;
    Ok((text, record))
}

/// The first line of a panic's message.
fn told(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.and_then(|text| text.lines().next()).unwrap_or("no message")
}

/// The records so far, by position in the shard.
struct Ledger<'a> {
    shard: Shard,
    size: u64,
    /// The records before the first gap.
    prefix: &'a mut dyn Records,
    /// The number of records before the first gap.
    prefix_len: u64,
    /// The records after the first gap.
    later: BTreeMap<u64, AnyRecord>,
    /// Whether the prefix is enough. Then it no longer grows.
    is_enough: bool,
    journal: Option<JournalWriter>,
    /// The failed trial at the lowest position. Trials start in order, so all before it finish. So it is the same
    /// trial for any number of threads.
    failure: Option<(u64, Error)>,
    /// An error of writing the journal.
    broken: Option<Error>,
}

impl<'a> Ledger<'a> {
    fn new(shard: Shard, trials: u64, journal: Option<JournalWriter>, prefix: &'a mut dyn Records) -> Self {
        Ledger {
            shard,
            size: shard.size(trials),
            prefix,
            prefix_len: 0,
            later: BTreeMap::new(),
            is_enough: false,
            journal,
            failure: None,
            broken: None,
        }
    }

    /// Reads the records of the journal. Returns their positions.
    fn resume(&mut self, experiment: &dyn AnyExperiment, progress: &dyn Progress) -> Result<Ranges, Error> {
        let mut known = Ranges::default();
        if let Some(mut writer) = self.journal.take() {
            let journal = writer.journal();
            // Damage is found before the file is changed.
            for record in journal.parsed(&|text| experiment.read(text)) {
                let (trial, record) = record?;
                if let Some(position) = self.shard.position(trial) {
                    known.push(position);
                    self.place(position, record);
                }
            }
            if journal.torn {
                let path = journal.path.display();
                progress
                    .noted(&format!("{path}: the last line was torn; it is cut off and its trial run again"));
            }
            writer.begin()?;
            self.journal = Some(writer);
        }
        progress.begun(known.count(), self.size);
        Ok(known)
    }

    fn is_over(&self) -> bool {
        self.is_enough || self.failure.is_some() || self.broken.is_some()
    }

    fn enter(&mut self, position: u64, result: Result<(String, AnyRecord), Error>, progress: &dyn Progress) {
        if self.is_enough || self.broken.is_some() {
            return;
        }
        let (text, record) = match result {
            Ok(entry) => entry,
            Err(error) => {
                if self.failure.as_ref().is_none_or(|(lowest, _)| position < *lowest) {
                    self.failure = Some((position, error));
                }
                return;
            }
        };
        let trial = self.shard.trial(position);
        self.broken = self.journal.as_mut().and_then(|journal| journal.append(trial, text).err());
        if self.broken.is_none() {
            self.place(position, record);
            progress.recorded(trial, self.prefix_len + self.later.len() as u64, self.size);
        }
    }

    fn place(&mut self, position: u64, record: AnyRecord) {
        self.later.insert(position, record);
        while !self.is_enough
            && let Some(record) = self.later.remove(&self.prefix_len)
        {
            self.prefix.add(self.shard.trial(self.prefix_len), record);
            self.prefix_len += 1;
            self.is_enough = self.prefix.are_enough();
        }
    }

    /// Closes the journal and adds the records after the first gap.
    fn close(self) -> Result<Ending, Error> {
        if let Some(error) = self.broken {
            return Err(error);
        }
        // If the trials before a failure were enough, other runs may never have reached it.
        if let Some((_, error)) = self.failure.filter(|_| !self.is_enough) {
            return Err(error);
        }
        let ending = match self.prefix_len == self.size {
            _ if self.is_enough => Ending::Enough,
            true => Ending::Complete,
            false => Ending::Stopped,
        };
        if let Some(journal) = self.journal.filter(|_| ending != Ending::Stopped) {
            journal.finish(if self.is_enough { self.prefix_len } else { u64::MAX })?;
        }
        for (position, record) in self.later.into_iter().filter(|_| !self.is_enough) {
            self.prefix.add(self.shard.trial(position), record);
        }
        Ok(ending)
    }
}
