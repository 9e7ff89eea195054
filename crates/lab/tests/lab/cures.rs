//! Chains of attacks and cures as trials.

use crate::common::Folder;
use aji_lab::mistakes::POSITION_SETS;
use aji_lab::training::{Chain, Cures, Learning};
use aji_lab::{Error, Experiment, Trial};
use aji_net::{Description, Network};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const GAME: &str = "connect-four";

fn run(folder: &Path, stop: &AtomicBool) -> Result<Chain, Error> {
    let session = aji_catalog::session(GAME).unwrap();
    let shape = aji_search::Encoded::shape(session.position());
    let network = Network::new(shape, "conv channels=8 blocks=1".parse().unwrap(), 5).unwrap();
    let learning = |options: &str| Learning {
        agent: "gumbel simulations=3".into(),
        options: format!("games=8 window_start=500 {options}"),
        games: 16,
    };
    let positions = POSITION_SETS[0].positions().into_iter().take(3);
    let cures = Cures {
        name: "cures".into(),
        game: GAME.into(),
        start: network.to_bytes(&Description::default()).unwrap(),
        victim_simulations: 2,
        attacker_simulations: 4,
        attack: learning("openings=0.5"),
        cure: learning("openings=1"),
        rounds: 1,
        chains: 2,
        starts: positions.map(|judged| judged.position).collect(),
        positions: 4,
        folder: folder.to_path_buf(),
        stop,
    };
    assert_eq!(cures.trials(), 2);
    cures.run(Trial { id: 1, seed: 1 })
}

/// A chain that is stopped, at any moment, resumes where it was and gives the same record. Its files go in the end.
#[test]
fn a_stopped_chain_resumes() {
    let scratch = Folder::new();
    let folder = scratch.file("runs");
    let whole = run(&folder, &AtomicBool::new(false)).expect("a chain");
    let pairs: Vec<_> = whole.met.iter().map(|met| (met.attacker, met.victim)).collect();
    assert_eq!(pairs, [(None, 0), (None, 1), (Some(0), 0), (Some(0), 1), (Some(1), 1)]);
    assert!(whole.met.iter().all(|met| met.outcomes.len() == 3 && met.wins().count() == 3), "{whole:?}");
    assert!(whole.attacks.iter().all(|attack| attack.games == 16 && attack.simulations > 100), "{whole:?}");
    assert_eq!((whole.attacks.len(), whole.mistakes.len(), whole.mistakes[0].len()), (2, 2, 2));
    let mut stops = 0;
    let again = loop {
        let stop = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100 * 3u64.pow(stops)));
                stop.store(true, Ordering::Relaxed);
            });
            run(&folder, &stop)
        });
        match found {
            Ok(found) => break found,
            Err(error) => assert!(error.to_string().contains("the same command continues"), "{error}"),
        }
        stops += 1;
    };
    assert!(stops > 0, "it was never stopped");
    assert_eq!(again, whole);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
}
