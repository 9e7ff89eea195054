//! Runs the experiments of a report: one runner, one scale, a folder of journals.

use crate::any_experiment::{AnyExperiment, Hidden, Records};
use crate::{Ending, Error, Experiment, Progress, Runner, Shard};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Enough to see that it works: minutes for everything together.
    Quick,
    /// The size on which the report's claims rest.
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

/// Runs experiments one after the other.
pub struct Lab<'a> {
    /// How to run them. Of a shard, the first experiment whose journal is not complete runs only these trials, and the report ends
    /// there with an [error](Error::is_part). Once the journals of all shards are joined, the same report goes on.
    pub runner: Runner,
    /// How much to run.
    pub scale: Scale,
    /// The folder of their journals, each named after its experiment; none keeps everything in memory.
    pub journals: Option<PathBuf>,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// Set this to stop after the running trials.
    pub stop: &'a AtomicBool,
}

impl Lab<'_> {
    /// Runs an experiment to its end, or continues from its journal. Returns its records by trial. Within a report
    /// each experiment needs a unique name.
    pub fn run<E: Experiment>(&self, experiment: &E) -> Result<Vec<E::Record>, Error> {
        let mut records = Vec::new();
        self.run_any(&Hidden(experiment), &mut records)?;
        Ok(records)
    }

    fn run_any(&self, experiment: &dyn AnyExperiment, records: &mut dyn Records) -> Result<(), Error> {
        let name = experiment.name();
        let path = self.journals.as_ref().map(|folder| folder.join(format!("{name}.jsonl")));
        self.progress.entered(&name);
        let journal = self.runner.open(experiment, path.as_deref())?;
        let known = journal.as_ref().map_or(0, |journal| journal.journal().len() as u64);
        let shard = if known >= experiment.trials() { Shard::WHOLE } else { self.runner.shard };
        let runner = Runner { shard, ..self.runner.clone() };
        let ending = runner.run_any(experiment, journal, self.progress, self.stop, records)?;
        if ending == Ending::Stopped {
            return Err(Error::new(match self.journals {
                Some(_) => format!("stopped in {name}; the same command continues from there"),
                None => format!("stopped in {name}"),
            }));
        }
        if !shard.is_whole() {
            return Err(Error::part(format!(
                "{name}: shard {shard} is in its journal; join the shards with aji merge, and the same command goes on"
            )));
        }
        Ok(())
    }
}
