//! `aji train`: a run that is begun, continued, killed and reported, and the input that is refused.

use crate::shell::{Folder, aji, command, json, printed, refused};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A small run of Tic-Tac-Toe into this folder.
const SMALL: &[&str] = &[
    "--net",
    "conv channels=8 blocks=1",
    "--agent",
    "gumbel simulations=6",
    "--with",
    "games=20 batch=32 keep=5",
    "--threads",
    "2",
];

fn train(out: &str, more: &[&str]) -> Vec<String> {
    let all = [&["train", "tic-tac-toe", "--out", out], SMALL, more].concat();
    all.into_iter().map(str::to_string).collect()
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// The bytes of a run's network.
fn learned(out: &Path) -> [Vec<u8>; 2] {
    ["network.safetensors", "checkpoint"].map(|name| fs::read(out.join(name)).expect("a file of the run"))
}

#[test]
fn a_run_is_trained_shown_and_played() {
    let folder = Folder::new("train");
    let out = folder.path().join("run").display().to_string();
    let arguments = train(&out, &["--games", "100", "--gate", "random", "--gate-games", "4"]);
    let output = aji(&words(&arguments));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(error.starts_with("gate 5, 64 simulations: ") && error.contains(" against random\n"), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with(&format!("{out}/network.safetensors: 5 iterations, 100 games, ")), "{text}");

    // A finished run that is started again reports the same and plays no second gate.
    let found = json(&["train", "--out", &out, "--games", "100", "--json"].map(|word| word));
    assert_eq!(
        (&found["games"], &found["iterations"], &found["interrupted"]),
        (&100.into(), &5.into(), &false.into())
    );

    // Against an agent with a time, the network plays by the same time.
    let more = ["--games", "200", "--gate", "uct time=1ms", "--gate-games", "2"];
    let output = aji(&[&["train", "--out", &out][..], &more].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(" against uct time=1ms, "), "{error}");
    let journal = fs::read_to_string(Path::new(&out).join("journal.jsonl")).unwrap();
    assert!(journal.contains("\"time\":0.001"), "{journal}");

    let text = printed(&["train", "--report", &out]);
    assert!(text.contains("report/index.html\n"), "{text}");
    let page = fs::read_to_string(Path::new(&out).join("report/index.html")).unwrap();
    for part in ["loss of the policy, by CPU-hours", "rating, by games", "gumbel simulations=6", "<svg"] {
        assert!(page.contains(part), "{part}");
    }
    let both = json(&["train", "--report", &out, &out, "--out", &out, "--json"]);
    assert_eq!(both["runs"].as_array().unwrap().len(), 2);
    assert_eq!(both["runs"][0]["last"]["games"], 200);

    let agent = format!("alphazero net={out}/network.safetensors simulations=20");
    let report = json(&["search", "tic-tac-toe", "--agent", &agent, "--json"]);
    assert!(report["best"].is_string(), "{report}");
}

#[test]
fn a_run_starts_from_a_network() {
    let folder = Folder::new("train-start");
    let [first, second, third] = ["a", "b", "c"].map(|name| folder.path().join(name).display().to_string());
    printed(&words(&train(&first, &["--games", "20", "--gate", "none"])));
    let network = format!("{first}/network.safetensors");
    let further = ["train", "tic-tac-toe", "--out", &second, "--start", &network];
    let more = ["--agent", "gumbel simulations=6", "--with", "games=20 batch=32", "--gate", "none"];
    let text = printed(&[&further[..], &more, &["--games", "20"]].concat());
    assert!(text.contains("1 iteration, 20 games"), "{text}");
    // The run resumes with or without --start.
    let goes_on = |more: &[&str]| {
        let output = aji(&[&["train", "--out", &second, "--gate", "none"], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    goes_on(&["--start", &network, "--games", "40"]);
    goes_on(&["--games", "60"]);

    let shipped = folder.path().join("shipped").display().to_string();
    let more =
        ["--with", "games=20 batch=32", "--agent", "gumbel simulations=6", "--gate", "none", "--games", "20"];
    let from_shipped = ["train", "tic-tac-toe", "--out", &shipped, "--start", "shipped"];
    let text = printed(&[&from_shipped[..], &more].concat());
    assert!(text.contains("1 iteration, 20 games"), "{text}");
    refused(
        &["train", "hex", "size=4", "--out", &third, "--start", "shipped"],
        "--start shipped: no network ships for hex size=4",
    );

    let wrong = |game: &'static str, file: &str, expect: &str| {
        refused(&["train", game, "--out", &third, "--start", file, "--games", "20"], expect);
    };
    wrong("tic-tac-toe", "nowhere.safetensors", "--start nowhere.safetensors: no such file");
    wrong("tic-tac-toe", file!(), "--start");
    wrong("connect-four", &network, "a network of tic-tac-toe, not of connect-four");
}

#[test]
fn options_are_explained() {
    let text = printed(&["train", "--list"]);
    for part in [
        "games ",
        "samples per training step: a whole number from 1 to 4096 [256]",
        "--agent alphazero, ",
        "considered     how many actions the root considers",
        "learning rate at the start: a number above 0 and up to 1 [0.002]",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = Folder::new("train-refused");
    let out = folder.path().join("run").display().to_string();
    let check = |words: &[&str], expect: &str| refused(&[&["train", "--out", &out], words].concat(), expect);
    check(&[], "there is no run here yet; to begin one, name a game");
    check(&["chess"], "unknown game \"chess\"");
    check(&["nim"], "networks cannot learn this game");
    check(&["pig"], "networks cannot learn this game");
    check(&["hex", "--net", "dense"], "expected conv or perceptron first");
    check(&["hex", "--agent", "uct"], "expected gumbel or alphazero first");
    check(&["hex", "--with", "batch=0"], "batch=0: expected a whole number from 1 to 4096");
    check(&["hex", "--with", "speed=1"], "unknown option \"speed\"");
    check(&["hex", "--memory", "1MB"], "expected at least");
    check(&["hex", "--memory", "much"], "an amount of memory such as 512MB");
    check(&["hex", "--hours", "0"], "expected hours such as 0.5 or 12");
    check(&["hex", "--gate", "chess"], "unknown agent \"chess\"");
    refused(&["train", "hex"], "--out");
    refused(&["train", "--report", &out], "no training is here");
    assert!(!Path::new(&out).join("checkpoint").exists());

    aji(&words(&train(&out, &["--games", "20", "--gate", "none"])));
    check(&["hex"], "this run has the game tic-tac-toe, not hex");
    check(&["--seed", "2"], "this run has the seed 1, not 2");
    check(&["--with", "batch=64"], "this run has the option batch=32, not batch=64");
    fs::write(Path::new(&out).join("checkpoint"), "torn").unwrap();
    check(&["--games", "40"], "checkpoint: it is too short");
}

/// Kills a training this many times at moments drawn from a seed, lets it go on each time, and compares with one that was not
/// killed. A run that ended before its kill does not count: a new one begins.
fn killed(name: &str, games: &str, kills: u64) {
    let folder = Folder::new(name);
    let [whole, torn] = ["whole", "torn"].map(|run| folder.path().join(run));
    let arguments = |out: &Path| train(&out.display().to_string(), &["--games", games, "--gate", "none"]);
    let begun = std::time::Instant::now();
    assert!(aji(&words(&arguments(&whole))).status.success());
    let longest = begun.elapsed().as_micros() as u64;
    let (mut rng, mut killed, mut ended) = (aji_search::Rng::seeded(kills), 0, 0);
    while killed < kills {
        let arguments = arguments(&torn);
        let mut child =
            command(&words(&arguments)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(rng.bits() % (longest / 2)));
        let is_running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        if is_running {
            killed += 1;
        } else {
            assert!(learned(&torn) == learned(&whole), "after {killed} kills");
            fs::remove_dir_all(&torn).unwrap();
            ended += 1;
            assert!(ended < 100 * kills, "{ended} runs ended before they were killed");
        }
    }
    assert!(aji(&words(&arguments(&torn))).status.success());
    assert!(learned(&torn) == learned(&whole), "after {kills} kills");
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    killed("train-killed", "160", 4);
}

/// `cargo test --release -p aji-cli --test commands twenty -- --ignored`
#[test]
#[ignore = "half a minute"]
fn twenty_kills_change_nothing() {
    killed("train-killed-often", "1000", 20);
}
