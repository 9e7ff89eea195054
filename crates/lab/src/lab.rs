//! Where the experiments of a report are run: one runner, one scale, a folder of journals.

use crate::{Ending, Error, Experiment, Progress, Runner};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Enough to see that it works: minutes for everything together.
    Quick,
    /// What the report's claims rest on.
    Full,
}

impl Scale {
    /// The value for this scale.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }
}

/// A place to run experiments one after the other.
pub struct Lab<'a> {
    /// How they are run.
    pub runner: Runner,
    /// How much is run.
    pub scale: Scale,
    /// The folder of their journals, each named after its experiment; none keeps all in memory.
    pub journals: Option<PathBuf>,
    /// Who hears how far they are.
    pub progress: &'a dyn Progress,
    /// Set to end after the trials in flight.
    pub stop: &'a AtomicBool,
}

impl Lab<'_> {
    /// Runs an experiment to its end, or on from its journal. Returns its records by trial. Within a report each
    /// experiment needs a name of its own.
    pub fn run<E: Experiment>(&self, experiment: &E) -> Result<Vec<E::Record>, Error> {
        let journal = self.journals.as_ref().map(|folder| folder.join(experiment.name() + ".jsonl"));
        self.progress.entered(&experiment.name());
        let outcome = self.runner.run(experiment, journal.as_deref(), self.progress, self.stop)?;
        if outcome.ending == Ending::Stopped {
            let name = experiment.name();
            return Err(Error::new(match self.journals {
                Some(_) => format!("stopped in {name}; the same command goes on from there"),
                None => format!("stopped in {name}"),
            }));
        }
        Ok(outcome.records.into_iter().map(|(_, record)| record).collect())
    }
}
