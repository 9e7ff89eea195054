//! The options of every command that runs trials: threads, seed, shard and journal; and the version of this program.

use crate::{numbers, progress};
use aji_lab::{Difference, Experiment, Header, Origin, Runner, Shard};
use anyhow::{Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

/// `0.1.0 (commit 3f2a91c07d)`.
pub const VERSION_AND_COMMIT: &str = env!("AJI_VERSION_AND_COMMIT");

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of this program. That of changed sources has a `+` in it.
pub const COMMIT: &str = env!("AJI_COMMIT");

/// The most trials at a time.
const THREADS_MAX: u64 = 4_096;

/// The version and commit of this program, as journals have them.
pub fn origin() -> Origin {
    Origin { version: VERSION.into(), commit: COMMIT.into() }
}

/// How trials run on this machine alone.
#[derive(Args)]
pub struct Running {
    /// How many trials run at a time [default: one per core]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=THREADS_MAX))]
    threads: Option<u64>,

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::any)]
    seed: u64,
}

impl Running {
    /// A runner of all trials.
    pub fn runner(&self) -> Runner {
        Runner { threads: self.threads(), seed: self.seed, origin: origin(), shard: Shard::WHOLE }
    }

    /// How many trials run at a time.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// How trials run if several machines may share them and a journal keeps them.
#[derive(Args)]
pub struct Trials {
    #[command(flatten)]
    running: Running,

    /// Record every trial in a file, and continue from it if it exists: a killed run loses nothing
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Run only a part of the trials, such as 1/3, or the range 100..200 of their numbers from 0; `aji merge` joins the
    /// journals. Array jobs of Slurm and indexed jobs of Kubernetes set it through the environment
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl Trials {
    /// A runner of the trials of this shard. Writes a note if the shard comes from the environment.
    pub fn runner(&self) -> Result<Runner> {
        let (shard, source) = match self.shard {
            Some(shard) => (shard, "--shard"),
            None => {
                let found = Shard::from_environment(|name| std::env::var(name).ok());
                let found = found.map_err(|error| anyhow::anyhow!("{error} with --shard I/N"))?;
                (found.unwrap_or(Shard::WHOLE), "the environment")
            }
        };
        if !shard.is_whole() && self.journal.is_none() {
            bail!(
                "shard {shard} of {source} needs --journal FILE, a separate file that aji merge joins with the others"
            );
        }
        if !shard.is_whole() && self.shard.is_none() {
            progress::note(&format!("shard {shard}, as the environment says; --shard 1/1 runs all"));
        }
        Ok(Runner { shard, ..self.running.runner() })
    }

    /// Refuses a journal of another run before any trial runs, and says which option differs. `option` maps a parameter
    /// of the experiment to its option. `count` is the option for the number of trials, with that number.
    pub fn check_journal<E: Experiment>(
        &self,
        experiment: &E,
        option: &dyn Fn(&str) -> Option<String>,
        count: &dyn Fn(u64) -> String,
    ) -> Result<()> {
        let Some(path) = self.journal.as_deref().filter(|path| path.is_file()) else { return Ok(()) };
        let wanted = self.running.runner().header(experiment);
        let Some(found) = Header::of_file(path)? else { return Ok(()) };
        let Some(Difference { field, here, wanted }) = found.difference(&wanted) else {
            if found.trials <= wanted.trials {
                return Ok(());
            }
            let (more, asked) = (count(found.trials), count(wanted.trials));
            bail!(
                "--journal {}: a run of {more} there, and {asked} here; give {more} or more, or name another file",
                path.display()
            );
        };
        if field == "commit" || field == "version" {
            bail!(
                "--journal {}: another build of aji wrote it ({field} {here}; this one is {wanted}); resume it with that build, or name another file",
                path.display()
            );
        }
        let named = match field.strip_prefix("parameter ") {
            Some(parameter) => option(parameter).unwrap_or_else(|| parameter.into()),
            None if field == "seed" => "--seed".into(),
            None if field == "experiment" => "the command".into(),
            None => field.clone(),
        };
        bail!(
            "--journal {}: {named} was {here} there, and is {wanted} here; give the same, or name another file",
            path.display()
        )
    }

    /// Where the trials are kept.
    pub fn journal(&self) -> Option<&Path> {
        self.journal.as_deref()
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.running.seed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        trials: Trials,
    }

    fn runner(arguments: &[&str]) -> Result<Runner, String> {
        let options = Options::try_parse_from([&["aji"], arguments].concat());
        options.map_err(|error| error.to_string())?.trials.runner().map_err(|error| error.to_string())
    }

    #[test]
    fn options_become_a_runner() {
        let whole = runner(&["--threads", "3", "--seed", "7"]).unwrap();
        assert_eq!((whole.threads, whole.seed, whole.shard), (3, 7, Shard::WHOLE));
        let shard = runner(&["--shard", "2/3", "--journal", "x.jsonl"]).unwrap().shard;
        assert_eq!(shard, Shard::new(1, 3).unwrap());
        assert!(runner(&["--shard", "1/1"]).is_ok());
    }

    #[test]
    fn mistakes_are_named() {
        let check = |arguments: &[&str], expect: &str| {
            let error = runner(arguments).unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check(&["--shard", "2/3"], "shard 2/3 of --shard needs --journal FILE");
        check(&["--shard", "0/3"], "shards count from 1, so 1/3 to 3/3");
        check(&["--shard", "x"], "expected two numbers such as 1/3");
        check(&["--threads", "0"], "0 is not in 1..=4096");
        check(&["--seed=-1"], "-1 is not in 0..");
    }
}
