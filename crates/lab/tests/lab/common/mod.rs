//! An experiment to run, a folder to run it in, and the bytes that should come out.

use aji_lab::{Ending, Error, Experiment, Origin, Outcome, Runner, Shard, Trial};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{fs, process};

pub const SEED: u64 = 7;

/// A random walk.
#[derive(Clone)]
pub struct Walk {
    pub trials: u64,
    pub steps: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walked {
    // Not in the order of the alphabet, so that a detour by a sorted table would show.
    pub steps: Vec<bool>,
    pub mean: f64,
    pub end: i64,
    pub first_up: Option<usize>,
    pub note: String,
}

impl Experiment for Walk {
    type Record = Walked;

    fn name(&self) -> String {
        "walk".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "steps": self.steps, "odds": 0.1 })
    }

    fn trials(&self) -> u64 {
        self.trials
    }

    fn run(&self, trial: Trial) -> Result<Walked, Error> {
        let mut rng = trial.rng();
        let steps: Vec<bool> = (0..rng.below(self.steps) + 1).map(|_| rng.unit() < 0.1).collect();
        let ups = steps.iter().filter(|&&up| up).count();
        Ok(Walked {
            mean: ups as f64 / steps.len() as f64 / 3.0,
            end: 2 * ups as i64 - steps.len() as i64,
            first_up: steps.iter().position(|&up| up),
            note: format!("\"{}\"\n", trial.seed_of("note") % 1000),
            steps,
        })
    }
}

pub fn runner(threads: usize) -> Runner {
    let origin = Origin { version: "1.0".into(), commit: "abc".into() };
    Runner { threads, origin, seed: SEED, ..Runner::default() }
}

pub fn shard(text: &str, threads: usize) -> Runner {
    Runner { shard: text.parse::<Shard>().unwrap(), ..runner(threads) }
}

/// Runs to the end.
pub fn run(runner: &Runner, walk: &Walk, path: &Path) -> Result<Outcome<Walked>, Error> {
    let outcome = runner.run(walk, Some(path), &(), &AtomicBool::new(false))?;
    assert_eq!(outcome.ending, Ending::Complete);
    Ok(outcome)
}

/// The bytes of the finished journal, put together by hand from the trials themselves.
pub fn expected(walk: &Walk) -> String {
    let header = format!(
        "{{\"journal\":\"aji\",\"format\":1,\"experiment\":\"walk\",\"parameters\":{},\"seed\":7,\"trials\":{},\
         \"version\":\"1.0\",\"commit\":\"abc\"}}\n",
        walk.parameters(),
        walk.trials
    );
    let line = |id| {
        let record = walk.run(Trial { id, seed: SEED }).unwrap();
        format!("{{\"trial\":{id},\"record\":{}}}\n", serde_json::to_string(&record).unwrap())
    };
    header + &(0..walk.trials).map(line).collect::<String>()
}

/// A folder that goes when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        Folder::below(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// One in memory where the system has that, for tests that finish thousands of journals: each waits for the disk.
    pub fn in_memory() -> Folder {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Folder::below(memory) } else { Folder::new() }
    }

    fn below(place: &Path) -> Folder {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("aji-lab-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = place.join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file of this text.
    pub fn with(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(&self.0).unwrap().map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The message of what should have failed, without the folder's path.
pub fn message<T>(result: Result<T, Error>, folder: &Folder) -> String {
    let Err(error) = result else { panic!("should have failed") };
    let text = error.to_string();
    assert!(!text.contains('\n'), "one line: {text}");
    text.replace(&format!("{}/", folder.0.display()), "")
}
