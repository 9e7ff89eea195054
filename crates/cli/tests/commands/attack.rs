//! `aji attack`: an attack that is begun, continued, killed and staged, and the input that is refused.

use crate::shell::{Folder, aji, command, json, printed, refused};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A small attack on Tic-Tac-Toe.
const SMALL: &[&str] = &[
    "--net",
    "conv channels=8 blocks=1",
    "--agent",
    "gumbel simulations=6",
    "--with",
    "games=20 batch=32",
    "--threads",
    "2",
];

fn attack<'a>(out: &'a str, victim: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all = ["attack", "tic-tac-toe", "--out", out, "--victim", victim, "--stage-games", "40"];
    [&all[..], SMALL, more].concat()
}

fn learned(out: &Path) -> [Vec<u8>; 3] {
    ["network.safetensors", "checkpoint", "attack.json"]
        .map(|name| fs::read(out.join(name)).expect("a file of the attack"))
}

#[test]
fn an_attack_is_begun_and_continued() {
    let folder = Folder::new("attack");
    let out = folder.path().join("run").display().to_string();
    let text = printed(&attack(&out, "uct simulations=2", &["--seat", "first", "--games", "100"]));
    assert!(text.starts_with(&format!("{out}/network.safetensors: 5 iterations, 100 games, ")), "{text}");
    for part in
        ["win rate", "simulations=1", "75%", "stages passed: ", " of 2\n", "the attacker's searches: "]
    {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let options = fs::read_to_string(format!("{out}/run.json")).unwrap();
    assert!(options.contains("\"openings\": \"0\""), "{options}");

    let output = aji(&["attack", "--out", &out, "--games", "140", "--json"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.starts_with("continuing after 5 iterations, 100 games"), "{error}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["games"], &found["seat"]), (&140.into(), &"first".into()));
    assert_eq!((&found["victim"], &found["stages_in_all"]), (&"uct simulations=2".into(), &2.into()));
    let stages = found["stages"].as_array().unwrap();
    assert_eq!(stages.iter().map(|stage| stage["games"].as_u64().unwrap()).sum::<u64>(), 140);
    let (rate, low) = (stages[0]["win_rate"].as_f64().unwrap(), stages[0]["low"].as_f64().unwrap());
    assert!(low < rate && rate <= stages[0]["high"].as_f64().unwrap());

    // The attacker is an agent like others, and self-play does not continue its folder.
    let agent = format!("alphazero net={out}/network.safetensors simulations=20");
    assert!(json(&["search", "tic-tac-toe", "--agent", &agent, "--json"])["best"].is_string());
    refused(&["train", "--out", &out, "--games", "200"], "this run is an attack, not self-play");

    let check = |words: &[&str], expect: &str| refused(&[&["attack", "--out", &out], words].concat(), expect);
    check(&["--victim", "random"], "this attack has the victim uct simulations=2, not random");
    check(&["--seat", "second"], "this attack has the seat first, not second");
    check(&["--stage-games", "50"], "this attack has the stage games 40, not 50");
    check(&["--unstaged"], "this attack has stages; leave --unstaged out");
    check(&["--against-checkpoints", "runs"], "this attack has checkpoints of none, not runs");
    check(&["--seed", "2"], "this run has the seed 1, not 2");
    check(&["hex"], "this run has the game tic-tac-toe, not hex");
    fs::remove_file(format!("{out}/attack.json")).unwrap();
    check(&[], "this run is not an attack");
}

/// The checkpoints of a training come first; the end tells the share of its cost.
#[test]
fn checkpoints_are_stages() {
    let folder = Folder::new("attack-checkpoints");
    let [victim, out] = ["victim", "run"].map(|name| folder.path().join(name).display().to_string());
    let training = ["train", "tic-tac-toe", "--out", &victim, "--gate", "none", "--games", "80"];
    printed(&[&training[..], &SMALL[..4], &["--with", "games=20 batch=32 keep=2"]].concat());
    let name = format!("alphazero net={victim}/network.safetensors simulations=3");
    let more = ["--against-checkpoints", &victim, "--games", "40", "--json"];
    let found = json(&attack(&out, &name, &more));
    assert_eq!(found["stages_in_all"], 4, "{found}");
    assert_eq!(
        (&found["stages"][0]["stage"], &found["stages"][0]["goal"]),
        (&"checkpoint 000002".into(), &0.5.into())
    );
    let share = found["share_of_victim"].as_f64().unwrap();
    assert!(share > 0.05 && share < 0.6, "{share}");
    let text = printed(&["attack", "--out", &out, "--games", "40"]);
    assert!(
        text.contains("nothing to do; 2 iterations") && text.contains("simulations in the victim's training"),
        "{text}"
    );

    // A network that changes is told.
    fs::copy(
        format!("{victim}/networks/000002.safetensors"),
        format!("{victim}/networks/000004.safetensors"),
    )
    .unwrap();
    refused(&["attack", "--out", &out, "--games", "60"], "has changed since the attack began");
    let other = folder.path().join("other").display().to_string();
    let on = |game: &'static str, victim: &str, checkpoints: &str, expect: &str| {
        let all = ["attack", game, "--out", &other, "--victim", victim, "--against-checkpoints", checkpoints];
        refused(&all, expect);
    };
    on("connect-four", "alphazero", &victim, "it plays tic-tac-toe, expected a network for connect-four");
    on("tic-tac-toe", "alphazero", &other, "there is no networks/*.safetensors");
    on("tic-tac-toe", "uct", &victim, "uct has no network; leave them out");
    assert!(!Path::new(&other).join("run.json").exists());
}

#[test]
fn what_cannot_be_attacked_is_refused() {
    let folder = Folder::new("attack-refused");
    let out = folder.path().join("run").display().to_string();
    let check = |words: &[&str], expect: &str| refused(&[&["attack", "--out", &out], words].concat(), expect);
    check(&[], "there is no run here yet; to begin one, name a game");
    check(&["tic-tac-toe"], "a new attack needs a victim, as in --victim \"uct simulations=100\"");
    check(&["tic-tac-toe", "--victim", "utc"], "did you mean uct?");
    check(&["tic-tac-toe", "--victim", "random", "--seat", "third"], "expected second or first");
    check(&["tic-tac-toe", "--victim", "uct time=1s"], "give simulations= in place of time=");
    check(&["go size=5", "--victim", "gtp: gnugo --mode gtp"], "use one of aji's agents");
    check(&["tic-tac-toe", "--victim", "thermo"], "it plays only sums of games");
    check(&["pig", "--victim", "random"], "pig: networks cannot learn this game");
    check(&["nim", "--victim", "random"], "nim: networks cannot learn this game");
    check(&["hex", "--victim", "random", "--with", "batch=0"], "batch=0: expected a whole number");
    check(&["hex", "--victim", "random", "--stage-games", "0"], "--stage-games");
    refused(&["attack", "hex", "--victim", "random"], "--out");
    assert!(!Path::new(&out).join("run.json").exists());
}

/// Kills an attack at several moments, lets it go on each time, and compares with one that was not killed.
#[test]
fn a_killed_attack_goes_on_to_the_same_bytes() {
    let folder = Folder::new("attack-killed");
    let [whole, torn] = ["whole", "torn"].map(|name| folder.path().join(name).display().to_string());
    let arguments = |out| attack(out, "uct simulations=3", &["--games", "160", "--seat", "first"]);
    let begun = std::time::Instant::now();
    assert!(aji(&arguments(&whole)).status.success());
    let longest = begun.elapsed();
    for part in [5, 3, 2] {
        let mut child =
            command(&arguments(&torn)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(longest.checked_div(part).unwrap_or(Duration::ZERO));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(aji(&arguments(&torn)).status.success());
    assert!(learned(Path::new(&torn)) == learned(Path::new(&whole)));
}

#[test]
fn an_attack_without_stages() {
    let folder = Folder::new("attack-unstaged");
    let out = folder.path().join("run").display().to_string();
    let begun = ["attack", "tic-tac-toe", "--out", &out, "--victim", "uct simulations=5", "--unstaged"];
    printed(&[&begun[..], SMALL, &["--games", "20"]].concat());
    let output = aji(&["attack", "--out", &out, "--games", "40", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["stages_in_all"], 1);
}

/// A victim goes on learning against the attacker in a share of the games, and resumes.
#[test]
fn a_network_trains_against_an_opponent() {
    let folder = Folder::new("train-opponent");
    let [start, out] = ["start", "run"].map(|name| folder.path().join(name).display().to_string());
    let small = [&SMALL[..4], &["--gate", "none", "--with", "games=20 batch=32"]].concat();
    printed(&[&["train", "tic-tac-toe", "--out", &start, "--games", "20"], &small[..]].concat());
    let network = format!("{start}/network.safetensors");
    let opponent = format!("alphazero net={network} simulations=4");
    let more = ["--start", &network, "--opponent", &opponent, "--opponent-seat", "first", "--games", "40"];
    printed(&[&["train", "tic-tac-toe", "--out", &out], &more[..], &small[..]].concat());
    let stored = fs::read_to_string(format!("{out}/opponent.json")).unwrap();
    assert!(stored.contains("\"seat\": \"first\"") && stored.contains("\"share\": 0.5"), "{stored}");
    assert!(aji(&["train", "--out", &out, "--games", "60", "--gate", "none"]).status.success());

    let check = |words: &[&str], expect: &str| refused(&[&["train", "--out", &out], words].concat(), expect);
    check(&["--opponent", "random"], "not random; leave it out to go on");
    check(&["--opponent-seat", "second"], "this run has the opponent's seat first, not second");
    check(&["--opponent-share", "0.25"], "this run has the opponent's share 0.5, not 0.25");
    check(&["--opponent-share", "2"], "expected a number from 0 to 1");
    refused(&["attack", "--out", &out], "this run is not an attack");
    refused(
        &["train", "--out", &start, "--opponent", "random"],
        "this run is self-play, without an opponent",
    );
    let new = folder.path().join("new").display().to_string();
    refused(&["train", "tic-tac-toe", "--out", &new, "--opponent-share", "0.25"], "needs an opponent");
    fs::write(&network, "no network").unwrap();
    check(&["--games", "80"], "safetensors");
}
