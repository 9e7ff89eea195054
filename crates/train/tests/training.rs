//! Trainings: the same bytes on any number of threads and after any interruption, damaged files, and Tic-Tac-Toe
//! learned from nothing.

use aji_bandit::Puct;
use aji_games::{ConnectFour, TicTacToe};
use aji_net::{Design, Encoding, Network, NetworkEvaluation};
use aji_search::{Budget, Game, Hashed, Payoff, Player, Search, Symmetric, Turn};
use aji_train::{
    CACHE_BYTES, Counter, Folder, GameRecord, Learnable, Lesson, NETWORK, Plan, Run, START, SearchPlan,
    Settings, Stage, Training, Wishes, play_part,
};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A temporary folder of one test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("aji-train-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small(options: &str) -> Run {
    let wishes = Wishes {
        game: Some("tic-tac-toe".into()),
        net: Some("conv channels=8 blocks=1".into()),
        agent: Some("gumbel simulations=6".into()),
        options: Some(format!("games=24 batch=32 keep=2 window=300 window_start=100 {options}")),
        ..Wishes::default()
    };
    Run::new(&wishes).unwrap()
}

fn open(path: &Path, run: &Run) -> Result<Training, aji_train::Error> {
    let game = Arc::new(Lesson::symmetric(TicTacToe::new()));
    Training::open(Folder::open(path)?, run.clone(), game, "test")
}

/// Trains until there are this many iterations.
fn train(path: &Path, run: &Run, iterations: u64, threads: usize) -> Result<(), aji_train::Error> {
    let mut training = open(path, run)?;
    while training.progress().iterations < iterations {
        training.iterate(threads, &AtomicBool::new(false), &mut |_| {})?;
    }
    Ok(())
}

/// All files that a run leaves, except the journal, which contains times.
fn bytes_of(path: &Path) -> HashMap<String, Vec<u8>> {
    let mut files = HashMap::new();
    for folder in ["", "games", "networks"] {
        for entry in fs::read_dir(path.join(folder)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_file() && !name.contains("journal") {
                files.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

#[test]
fn threads_change_nothing() {
    let places = [1, 2, 3].map(|threads| {
        let place = Place::new(&format!("threads-{threads}"));
        train(&place.0, &small("sampled=3 full=0.7 fast=3 resign=0.2"), 4, threads).unwrap();
        place
    });
    let bytes = bytes_of(&places[0].0);
    assert!(bytes.contains_key(&format!("/{NETWORK}")) && bytes.contains_key("networks/000004.safetensors"));
    assert!(bytes == bytes_of(&places[1].0) && bytes == bytes_of(&places[2].0));
    let other = Place::new("threads-seed");
    train(&other.0, &Run { seed: 2, ..small("sampled=3 full=0.7 fast=3 resign=0.2") }, 4, 1).unwrap();
    assert_ne!(fs::read(other.0.join(NETWORK)).unwrap(), fs::read(places[0].0.join(NETWORK)).unwrap());
}

/// Plays these games of the next iteration as another process would: it knows the run and the network by their files.
fn played_elsewhere(training: &Training, first: u64, games: u64) -> Vec<u8> {
    let run = Run::from_bytes(&training.run().to_bytes()).unwrap();
    let network = training.wanted().unwrap().network;
    let lesson = Lesson::symmetric(TicTacToe::new());
    play_part(&run, &lesson, &network, (first, games), &AtomicBool::new(false)).unwrap().unwrap()
}

#[test]
fn games_played_elsewhere_change_nothing() {
    let run = small("sampled=3 full=0.7 fast=3 resign=0.2");
    let (here, there) = (Place::new("here"), Place::new("elsewhere"));
    train(&here.0, &run, 3, 2).unwrap();
    let mut training = open(&there.0, &run).unwrap();
    let mut old = Vec::new();
    for iteration in 1..=3 {
        let wanted = training.wanted().unwrap();
        assert_eq!((wanted.iteration, wanted.first, wanted.games), (iteration, 24 * (iteration - 1), 24));
        let part = |first: u64, games: u64| played_elsewhere(&training, wanted.first + first, games);
        let parts = [part(20, 4), part(0, 7), part(7, 13)];
        let mut refused = |parts: &[Vec<u8>], expect: &str| {
            let error = training.provide(parts).unwrap_err().to_string();
            assert!(error.contains(expect), "{error}");
        };
        refused(&parts[..2], "11 games were provided, expected each of");
        refused(&[parts[0].clone(), parts[0].clone(), parts[1].clone(), parts[2].clone()], "28 games were");
        refused(&[parts[0][..40].to_vec()], "part 0 of the games: its checksum is wrong");
        if iteration > 1 {
            refused(&old, "part 0 of the games: another network played its games");
        }
        training.provide(&parts).unwrap();
        let line = training.iterate(1, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap();
        assert_eq!((line.iteration, line.looks), (iteration, 0), "it played nothing itself");
        old = parts.to_vec();
    }
    drop(training);
    assert!(bytes_of(&here.0) == bytes_of(&there.0));
    let stranger = Place::new("stranger");
    let mut other = open(&stranger.0, &Run { seed: 2, ..run }).unwrap();
    let error = other.provide(&old).unwrap_err().to_string();
    assert!(error.contains("its games are of another run"), "{error}");
}

/// Games of self-play, by their numbers.
fn play(plan: &Plan, network: &Arc<Network>, first: u64, games: u64) -> Vec<GameRecord> {
    let stop = AtomicBool::new(false);
    let mut player = Lesson::symmetric(ConnectFour::new()).player(plan, CACHE_BYTES);
    let mut records = player.play(network, &Counter::new(first, games, &stop));
    records.sort_by_key(|record| record.number);
    records
}

/// A game is the same alone and among others, with a player that has played before, and with both rules.
#[test]
fn games_do_not_depend_on_each_other() {
    let shape = Lesson::symmetric(ConnectFour::new()).shape();
    let mut network = Network::new(shape, Design::Conv { channels: 8, blocks: 1 }, 3).unwrap();
    // The output layers start at zero, so give all parameters different values.
    let parameters: Vec<f32> =
        (0..network.parameters().len()).map(|place| ((place * 37 % 101) as f32 - 50.0) / 150.0).collect();
    let used: HashSet<usize> = network.used_parameters().into_iter().collect();
    let used_only = |(place, &value): (usize, &f32)| if used.contains(&place) { value } else { 0.0 };
    let parameters: Vec<f32> = parameters.iter().enumerate().map(used_only).collect();
    network.set_parameters(&parameters);
    let network = Arc::new(network);
    for search in ["gumbel simulations=12", "alphazero simulations=12"] {
        let settings = Settings::parse("sampled=4 full=0.6 fast=4 resign=0.1").unwrap();
        let plan = Plan { search: search.parse::<SearchPlan>().unwrap(), settings, seed: 5 };
        let many = play(&plan, &network, 0, 150);
        assert_eq!(many.len(), 150);
        for number in [0, 7, 77, 149] {
            assert_eq!(
                play(&plan, &network, number as u64, 1),
                many[number..=number],
                "{search}, game {number}"
            );
        }
        assert_eq!(play(&plan, &network, 140, 10), many[140..]);
        let different: HashSet<&[u8]> = many.iter().map(|record| &record.bytes[..]).collect();
        assert!(different.len() > 100, "{} of 150 games differ", different.len());
    }
}

/// Interrupts a training at the given calls of its watcher, one after the other, and resumes it each time.
fn interrupted(path: &Path, run: &Run, iterations: u64, moments: &[usize]) {
    for &moment in moments {
        let (stop, mut calls) = (AtomicBool::new(false), 0);
        let mut training = open(path, run).unwrap();
        while training.progress().iterations < iterations {
            let mut told = |_: Stage| {
                calls += 1;
                stop.fetch_or(calls == moment, Ordering::Relaxed);
            };
            if training.iterate(2, &stop, &mut told).unwrap().is_none() {
                break;
            }
        }
    }
    train(path, run, iterations, 2).unwrap();
}

#[test]
fn interruptions_change_nothing() {
    let (run, whole) = (small(""), Place::new("whole"));
    train(&whole.0, &run, 4, 2).unwrap();
    let place = Place::new("interrupted");
    interrupted(&place.0, &run, 4, &[1, 3, 20, 33, 2, 40, 7]);
    assert!(bytes_of(&whole.0) == bytes_of(&place.0));
    let lines = fs::read_to_string(place.0.join(aji_train::JOURNAL)).unwrap();
    assert_eq!(lines.lines().count(), 4, "a line for each iteration:\n{lines}");
}

/// The disk is full after any number of bytes, so that every file is torn somewhere. The training reports it, and
/// resumes when there is room.
#[test]
fn a_full_disk_loses_nothing() {
    let (run, whole) = (small(""), Place::new("roomy"));
    train(&whole.0, &run, 3, 1).unwrap();
    let mut errors = 0;
    for room in [0, 10, 700, 1_500, 5_000, 12_000, 30_000, 50_000, 80_000, 110_000] {
        let place = Place::new(&format!("full-{room}"));
        let game = Arc::new(Lesson::symmetric(TicTacToe::new()));
        let folder = Folder::open(&place.0).unwrap();
        folder.fill_after(room);
        let error = Training::open(folder, run.clone(), game, "test").and_then(|mut training| {
            while training.progress().iterations < 3 {
                training.iterate(1, &AtomicBool::new(false), &mut |_| {})?;
            }
            Ok(())
        });
        if let Err(error) = error {
            assert!(error.to_string().contains("nothing that was finished is lost"), "{error}");
            errors += 1;
        }
        train(&place.0, &run, 3, 1).unwrap();
        assert!(bytes_of(&whole.0) == bytes_of(&place.0), "room for {room} bytes");
    }
    assert!(errors >= 8, "{errors}");
}

/// Files that a kill can leave beside finished ones, and a torn file of games, which is played again.
#[test]
fn torn_files_are_made_again() {
    let (run, whole) = (small(""), Place::new("untorn"));
    train(&whole.0, &run, 3, 1).unwrap();
    let place = Place::new("torn");
    train(&place.0, &run, 2, 1).unwrap();
    let games = fs::read(place.0.join("games/000002.games")).unwrap();
    fs::write(place.0.join("games/000003.games"), &games[..games.len() / 2]).unwrap();
    fs::write(place.0.join("games/000003.games.new"), b"half").unwrap();
    fs::write(place.0.join("checkpoint.new"), b"half").unwrap();
    fs::remove_file(place.0.join(NETWORK)).unwrap();
    let journal = place.0.join(aji_train::JOURNAL);
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, lines.clone() + "{\"iteration\":{\"itera").unwrap();
    train(&place.0, &run, 3, 1).unwrap();
    fs::remove_file(place.0.join("checkpoint.new")).ok();
    assert!(bytes_of(&whole.0) == bytes_of(&place.0));
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&lines) && after.lines().count() == 3);
    // Intact games of another network are played again too.
    let place = Place::new("foreign");
    train(&place.0, &run, 2, 1).unwrap();
    fs::write(place.0.join("games/000003.games"), &games).unwrap();
    train(&place.0, &run, 3, 1).unwrap();
    assert!(bytes_of(&whole.0) == bytes_of(&place.0));
}

#[test]
fn damaged_files_are_refused_in_one_line() {
    let (run, place) = (small(""), Place::new("damaged"));
    train(&place.0, &run, 2, 1).unwrap();
    let check = |file: &str, bytes: Option<&[u8]>, expect: &str| {
        let path = place.0.join(file);
        let whole = fs::read(&path).unwrap();
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let error = match open(&place.0, &run) {
            Ok(_) => panic!("{file}: a damaged file was taken"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expect) && !error.contains('\n'), "{error}");
        fs::write(&path, whole).unwrap();
    };
    let whole = fs::read(place.0.join("checkpoint")).unwrap();
    check("checkpoint", Some(b""), "checkpoint: it is too short");
    check("checkpoint", Some(b"something else entirely"), "it is a file of another kind");
    for place in [9, 100, whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        check("checkpoint", Some(&damaged), "torn or damaged");
    }
    check("checkpoint", Some(&whole[..whole.len() - 9]), "torn or damaged");
    check("games/000002.games", None, "the checkpoint needs it, and it is gone");
    check("games/000002.games", Some(&whole), "it is a file of another kind");
    let first = fs::read(place.0.join("games/000001.games")).unwrap();
    check("games/000002.games", Some(&first), "these are not the games that the checkpoint knows");
    check("run.json", Some(b"{"), "run.json: not a run");
    check("run.json", Some(&Run { seed: 9, ..run.clone() }.to_bytes()), "a run with other settings");
    let other = Place::new("other-run");
    train(&other.0, &Run { seed: 9, ..run.clone() }, 1, 1).unwrap();
    check(
        "checkpoint",
        Some(&fs::read(other.0.join("checkpoint")).unwrap()),
        "it belongs to a run with other settings",
    );
    let _training = open(&place.0, &run).unwrap();
    assert!(open(&place.0, &run).err().unwrap().to_string().ends_with("another training is running here"));
}

/// A run starts from the network of another, resumes to the same bytes, and refuses other networks.
#[test]
fn runs_start_from_networks() {
    let (before, straight, resumed) = (Place::new("before"), Place::new("straight"), Place::new("resumed"));
    train(&before.0, &small(""), 2, 1).unwrap();
    let start = fs::read(before.0.join(NETWORK)).unwrap();
    let (known, about) = Network::from_bytes(&start).unwrap();
    let wishes = Wishes {
        game: Some("tic-tac-toe".into()),
        agent: Some("gumbel simulations=6".into()),
        options: Some("games=24 batch=32".into()),
        start: Some(start.clone()),
        ..Wishes::default()
    };
    let run = Run::new(&wishes).unwrap();
    assert_eq!(run.net, "conv channels=8 blocks=1");

    let error = open(&straight.0, &run).err().unwrap().to_string();
    assert!(error.ends_with("start.safetensors: the run starts from it, and it is gone"), "{error}");
    for place in [&straight, &resumed] {
        fs::create_dir_all(&place.0).unwrap();
        fs::write(place.0.join(START), &start).unwrap();
    }
    assert_eq!(open(&straight.0, &run).unwrap().averaged().parameters(), known.parameters());
    train(&straight.0, &run, 3, 1).unwrap();
    train(&resumed.0, &run, 1, 2).unwrap();
    train(&resumed.0, &run, 3, 2).unwrap();
    assert!(bytes_of(&straight.0) == bytes_of(&resumed.0));
    let (_, after) = Network::from_bytes(&fs::read(straight.0.join(NETWORK)).unwrap()).unwrap();
    assert_eq!((about.games, after.games), (48, 48 + 72));

    assert_eq!(run.check(&wishes), Ok(()));
    let other = fs::read(straight.0.join(NETWORK)).unwrap();
    let error = run.check(&Wishes { start: Some(other.clone()), ..wishes.clone() }).unwrap_err().to_string();
    assert!(error.contains("this run has a start with the checksum"), "{error}");
    fs::write(resumed.0.join(START), &other).unwrap();
    let error = open(&resumed.0, &run).err().unwrap().to_string();
    assert!(error.contains("not the network that the run started from"), "{error}");
    let error = Run::new(&Wishes { net: Some("perceptron".into()), ..wishes.clone() }).unwrap_err();
    let expect = "is conv channels=8 blocks=1, which does not grow to perceptron";
    assert!(error.to_string().contains(expect), "{error}");
    let larger =
        Run::new(&Wishes { net: Some("conv channels=16 blocks=2".into()), ..wishes.clone() }).unwrap();
    let grown = Place::new("grown");
    fs::create_dir_all(&grown.0).unwrap();
    fs::write(grown.0.join(START), &start).unwrap();
    train(&grown.0, &larger, 1, 1).unwrap();
    let (network, _) = Network::from_bytes(&fs::read(grown.0.join(NETWORK)).unwrap()).unwrap();
    assert_eq!(network.design().to_string(), "conv channels=16 blocks=2");
    let torn = Wishes { start: Some(start[..start.len() / 2].to_vec()), ..wishes };
    assert!(Run::new(&torn).is_err());
}

#[test]
fn wishes_that_differ_are_told() {
    let run = small("");
    let check = |wishes: Wishes, expect: &str| {
        let error = run.check(&wishes).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    let none = Wishes::default();
    assert_eq!(run.check(&none), Ok(()));
    assert_eq!(
        run.check(&Wishes { options: Some("games=24".into()), seed: Some(1), ..none.clone() }),
        Ok(())
    );
    check(Wishes { game: Some("hex".into()), ..none.clone() }, "this run has the game tic-tac-toe, not hex");
    check(Wishes { net: Some("perceptron".into()), ..none.clone() }, "not perceptron hidden=256,128");
    check(Wishes { agent: Some("alphazero".into()), ..none.clone() }, "this run has the agent gumbel");
    check(Wishes { options: Some("batch=8".into()), ..none.clone() }, "the option batch=32, not batch=8");
    check(Wishes { seed: Some(3), ..none.clone() }, "this run has the seed 1, not 3");
    check(Wishes { memory: Some(200_000_000), ..none.clone() }, "this run has the memory 1000000000");
    check(
        Wishes { against: Some(b"uct".into()), ..none.clone() },
        "this run is self-play, without an opponent",
    );
    let run =
        Run::new(&Wishes { game: Some("tic-tac-toe".into()), against: Some(b"uct".into()), ..none.clone() });
    let run = run.unwrap();
    assert_eq!(run.check(&Wishes { against: Some(b"uct".into()), ..none.clone() }), Ok(()));
    let error = run.check(&none).unwrap_err().to_string();
    assert_eq!(error, "this run has an opponent, so it is not plain self-play");
    let error = run.check(&Wishes { against: Some(b"rave".into()), ..none }).unwrap_err().to_string();
    assert!(error.starts_with("this run has an opponent with the checksum"), "{error}");
}

/// The window stays within its memory, and the journal says that it is short.
#[test]
fn memory_bounds_the_window() {
    let place = Place::new("memory");
    let run = Run { memory: 12_000, ..small("window=100k window_start=100k") };
    let mut training = open(&place.0, &run).unwrap();
    let mut lines = Vec::new();
    for _ in 0..6 {
        lines.extend(training.iterate(1, &AtomicBool::new(false), &mut |_| {}).unwrap());
    }
    let last = lines.last().unwrap();
    assert!(!lines[0].is_window_short && last.is_window_short && last.window < last.samples);
    let on_disk: u64 = bytes_of(&place.0)
        .iter()
        .filter(|(name, _)| name.starts_with("games"))
        .map(|(_, bytes)| bytes.len() as u64)
        .sum();
    assert!(on_disk < 9_000, "{on_disk}");
}

/// The move that a search with a network chooses.
fn move_of<G: Symmetric + Hashed>(network: &Arc<Network>, game: &G, simulations: u64) -> G::Action {
    let evaluation = NetworkEvaluation::new(network.clone(), Encoding::symmetric(), 0);
    let mut search = Search::of(game.clone(), Puct::default(), evaluation).solver(true);
    search.run(Budget::simulations(simulations)).best.expect("a move")
}

/// Plays the network against every possible reply. Returns its worst result.
fn worst(network: &Arc<Network>, game: &TicTacToe, own: Player, simulations: u64) -> f32 {
    let mut actions = Vec::new();
    match game.turn() {
        Turn::Player(player) if player == own => actions.push(move_of(network, game, simulations)),
        Turn::Player(_) => game.actions(&mut actions),
        _ => {
            let Payoff(points) = game.payoff();
            return points[usize::from(own)];
        }
    }
    let after = actions.into_iter().map(|action| {
        let mut after = *game;
        after.play(action);
        worst(network, &after, own, simulations)
    });
    after.fold(f32::INFINITY, f32::min)
}

/// From nothing, in seconds: the network loses no game, whatever the other side does, both with 8 simulations a move and
/// by its policy alone.
#[test]
fn tic_tac_toe_is_learned_from_nothing() {
    let (place, start) = (Place::new("learned"), TicTacToe::new());
    let wishes = Wishes {
        game: Some("tic-tac-toe".into()),
        net: Some("conv channels=16 blocks=1".into()),
        agent: Some("gumbel simulations=16".into()),
        options: Some("games=100 batch=64 rate=0.005 rate_steps=3000 opening_plies=4".into()),
        ..Wishes::default()
    };
    let mut training = open(&place.0, &Run::new(&wishes).unwrap()).unwrap();
    let nothing = Arc::new(training.averaged());
    let at_first = [1, 8].map(|simulations| worst(&nothing, &start, 1, simulations));
    assert_eq!(at_first, [-1.0; 2], "simulations alone do not do it");
    for _ in 0..40 {
        let line = training.iterate(2, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap();
        println!("{} games: policy {:.4}, value {:.4}", line.games, line.policy_loss, line.value_loss);
    }
    let learned = Arc::new(training.averaged());
    for own in [0, 1] {
        let results = [1, 8].map(|simulations| worst(&learned, &start, own, simulations));
        assert_eq!(results, [0.0; 2], "as player {own}");
    }
}

/// A small training gives the same bytes on every machine.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    for (agent, expect) in [
        ("gumbel simulations=6", 16_985_798_171_915_762_528u64),
        ("alphazero simulations=6", 8_330_891_633_651_020_161),
    ] {
        let place = Place::new(&format!("golden-{}", &agent[..5]));
        let run =
            Run { agent: agent.parse::<SearchPlan>().unwrap().to_string(), ..small("sampled=2 full=0.8") };
        train(&place.0, &run, 3, 2).unwrap();
        let bytes = fs::read(place.0.join(NETWORK)).unwrap();
        let sum = bytes.iter().fold(0u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        assert_eq!(sum, expect, "{agent}");
    }
}
