//! Trainings as trials.

use crate::common::Folder;
use aji_lab::training::{Trained, Trainings, Variant};
use aji_lab::{Error, Experiment, Trial};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn run(folder: &Path, stop: &AtomicBool, id: u64) -> Result<Trained, Error> {
    let variant = |name: &str, agent: &str| Variant {
        name: name.into(),
        agent: agent.into(),
        options: "games=8 window_start=500 openings=1 opening_plies=24".into(),
    };
    let trainings = Trainings {
        name: "trainings".into(),
        game: "connect-four".into(),
        net: "conv channels=8 blocks=1".into(),
        variants: vec![variant("few", "gumbel simulations=4"), variant("more", "gumbel simulations=8")],
        seeds: 2,
        stages: vec![5_000, 20_000],
        simulations: vec![1, 4],
        positions: 4,
        folder: folder.to_path_buf(),
        stop,
    };
    assert_eq!(trainings.trials(), 4);
    trainings.run(Trial { id, seed: 1 })
}

/// A training that is stopped, at any moment, resumes where it was and gives the same record. Its files go in the end.
#[test]
fn a_stopped_training_resumes() {
    let scratch = Folder::new();
    let folder = scratch.file("runs");
    let never = AtomicBool::new(false);
    let whole = run(&folder, &never, 3).expect("a training");
    assert_eq!((whole.variant, whole.seed, whole.stages.len()), (1, 2, 2));
    assert!(whole.stages[0].cost >= 5_000 && whole.stages[1].cost >= 20_000, "{whole:?}");
    assert!(whole.stages.iter().all(|stage| stage.mistakes.len() == 4), "{whole:?}");
    let mut stops = 0;
    let again = loop {
        let stop = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20 + 30 * stops));
                stop.store(true, Ordering::Relaxed);
            });
            run(&folder, &stop, 3)
        });
        match found {
            Ok(found) => break found,
            Err(error) => assert!(error.to_string().contains("the same command continues"), "{error}"),
        }
        stops += 1;
    };
    assert!(stops > 0, "it was never stopped");
    assert_eq!(again, whole);
    assert_ne!(run(&folder, &never, 2).expect("a training").stages, whole.stages, "another seed");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
}
