//! An experiment without the type of its records.
//!
//! A runner sees experiments through this trait, so threads, journals and progress are compiled once. Each experiment
//! adds only the code that runs its trial and reads and writes its record.

use crate::{Error, Experiment, Trial};
use serde_json::Value;
use std::any::Any;

/// A record of a type that only its experiment knows.
pub(crate) type AnyRecord = Box<dyn Any + Send>;

/// An experiment without the type of its records.
pub(crate) trait AnyExperiment: Sync {
    fn name(&self) -> String;
    fn parameters(&self) -> Value;
    fn trials(&self) -> u64;

    /// Runs one trial. Returns its record as JSON.
    fn run(&self, trial: Trial) -> Result<serde_json::Result<String>, Error>;

    /// Whether trials end early, without a sound record, once the run is asked to stop.
    fn is_stoppable(&self) -> bool;

    /// Reads a record.
    fn read(&self, text: &str) -> serde_json::Result<AnyRecord>;
}

/// Hides the type of an experiment's records.
pub(crate) struct Hidden<'a, E>(pub(crate) &'a E);

impl<E: Experiment> AnyExperiment for Hidden<'_, E> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn parameters(&self) -> Value {
        self.0.parameters()
    }

    fn trials(&self) -> u64 {
        self.0.trials()
    }

    fn run(&self, trial: Trial) -> Result<serde_json::Result<String>, Error> {
        Ok(serde_json::to_string(&self.0.run(trial)?))
    }

    fn is_stoppable(&self) -> bool {
        self.0.is_stoppable()
    }

    fn read(&self, text: &str) -> serde_json::Result<AnyRecord> {
        Ok(Box::new(serde_json::from_str::<E::Record>(text)?))
    }
}

/// Collects a run's records, in order.
pub(crate) trait Records: Send {
    /// Adds a record. Those before the first gap come in order; if the run was stopped, those after it follow.
    fn add(&mut self, trial: u64, record: AnyRecord);

    /// Whether the records so far are enough. Called once after each record before the first gap.
    fn are_enough(&mut self) -> bool;
}

fn typed<R: 'static>(record: AnyRecord) -> R {
    *record.downcast().expect("a record of this experiment")
}

impl<R: Send + 'static> Records for Vec<R> {
    fn add(&mut self, _trial: u64, record: AnyRecord) {
        self.push(typed(record));
    }

    fn are_enough(&mut self) -> bool {
        false
    }
}

/// Whether the records so far are enough.
pub(crate) type Enough<'a, R> = &'a mut (dyn FnMut(&[R]) -> bool + Send);

/// Collects records until they are enough.
pub(crate) struct Until<'a, R> {
    pub(crate) trials: Vec<u64>,
    pub(crate) records: Vec<R>,
    pub(crate) enough: Enough<'a, R>,
}

impl<R: Send + 'static> Records for Until<'_, R> {
    fn add(&mut self, trial: u64, record: AnyRecord) {
        self.trials.push(trial);
        self.records.push(typed(record));
    }

    fn are_enough(&mut self) -> bool {
        (self.enough)(&self.records)
    }
}

/// Sees a trial's record, and says whether the records so far are enough.
pub(crate) type Show<'a, R> = &'a mut (dyn FnMut(u64, &R) -> bool + Send);

/// Shows each record once and keeps none.
pub(crate) struct Each<'a, R> {
    /// Whether the records so far are enough, by the last answer.
    pub(crate) are_enough: bool,
    pub(crate) show: Show<'a, R>,
}

impl<R: Send + 'static> Records for Each<'_, R> {
    fn add(&mut self, trial: u64, record: AnyRecord) {
        self.are_enough = (self.show)(trial, &typed(record));
    }

    fn are_enough(&mut self) -> bool {
        self.are_enough
    }
}
