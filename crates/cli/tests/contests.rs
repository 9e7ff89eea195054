//! Games between agents as a shell plays them: matches, tournaments, tuning, replays; kept, killed, shared out.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn aji(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aji")).args(arguments).current_dir(folder).output().expect("aji runs")
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = aji(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(folder: &Path, arguments: &[&str], expect: &str) {
    let output = aji(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("aji: ") && error.contains(expect), "{arguments:?}: {error}");
}

const MATCH: [&str; 8] =
    ["match", "tic-tac-toe", "--a", "uct simulations=80", "--b", "random", "--games", "60"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&MATCH, more].concat()
}

#[test]
fn a_match_is_told_for_people_and_machines() {
    let folder = folder("match");
    let text = printed(&folder, &MATCH);
    for word in ["tic-tac-toe, 60 games", "score of a", "Elo", "95%", "duplicates", "80 simulations"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let json: Value = serde_json::from_str(&printed(&folder, &with(&["--json"]))).expect("JSON");
    let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    assert_eq!((json["game"].as_str(), json["b"].as_str()), (Some("tic-tac-toe"), Some("random")));
    assert_eq!(number("a_wins") + number("b_wins") + number("draws"), 60.0);
    assert_eq!(number("score"), (number("a_wins") + number("draws") / 2.0) / 60.0);
    assert!(
        number("low") < number("score") && number("score") < number("high") && number("low") > 0.6,
        "{json}"
    );
    assert!(number("elo_low") < number("elo") && number("duplicates") < 30.0, "{json}");
    // The same command, the same bytes, on any number of threads.
    let again = printed(&folder, &with(&["--json", "--threads", "1"]));
    assert_eq!(serde_json::from_str::<Value>(&again).expect("JSON"), json);
}

#[test]
fn shards_join_to_the_whole() {
    let folder = folder("shards");
    let whole = printed(&folder, &with(&["--json", "--journal", "whole.jsonl"]));
    for shard in ["1/3", "2/3", "3/3"] {
        let journal = format!("part{}.jsonl", &shard[..1]);
        printed(&folder, &with(&["--shard", shard, "--journal", &journal]));
    }
    // A cluster names the shard by its environment.
    let mut command = Command::new(env!("CARGO_BIN_EXE_aji"));
    command.args(with(&["--journal", "slurm.jsonl"])).current_dir(&folder);
    command.env("SLURM_ARRAY_TASK_ID", "2").env("SLURM_ARRAY_TASK_COUNT", "3");
    assert!(command.output().expect("aji runs").status.success());
    let bytes = |name: &str| std::fs::read(folder.join(name)).expect("a journal");
    assert_eq!(bytes("slurm.jsonl"), bytes("part3.jsonl"));
    printed(&folder, &["merge", "part3.jsonl", "part1.jsonl", "part2.jsonl", "--out", "joined.jsonl"]);
    assert_eq!(bytes("joined.jsonl"), bytes("whole.jsonl"));
    assert_eq!(printed(&folder, &with(&["--json", "--journal", "joined.jsonl"])), whole);
    refused(&folder, &with(&["--shard", "1/3"]), "needs --journal FILE");
    refused(&folder, &with(&["--journal", "whole.jsonl", "--seed", "2"]), "seed");
}

/// Killed in the middle, started again: the same journal as if nothing had happened.
#[test]
fn a_killed_match_goes_on() {
    let folder = folder("killed");
    let long = |journal| {
        let agents = ["--a", "uct simulations=2000", "--b", "uct c=0.5 simulations=2000", "--games", "60"];
        [&["match", "connect-four"], &agents[..], &["--journal", journal, "--json"]].concat()
    };
    let whole = printed(&folder, &long("whole.jsonl"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_aji"))
        .args(long("killed.jsonl"))
        .current_dir(&folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("aji starts");
    let killed = folder.join("killed.jsonl");
    let lines = || std::fs::read_to_string(&killed).map_or(0, |text| text.lines().count());
    while lines() < 4 && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("a child to kill");
    child.wait().expect("an end");
    assert_eq!(printed(&folder, &long("killed.jsonl")), whole);
    let bytes = |name: &str| std::fs::read(folder.join(name)).expect("a journal");
    assert_eq!(bytes("killed.jsonl"), bytes("whole.jsonl"));
}

#[test]
fn a_test_ends_a_match_early() {
    let folder = folder("sprt");
    let arguments = ["match", "tic-tac-toe", "--a", "uct simulations=80", "--b", "random", "--games", "2000"];
    let text = printed(&folder, &[&arguments[..], &["--sprt", "0,100"]].concat());
    assert!(
        text.contains("ended by the test") && text.contains("a is rather 100 Elo above b than 0"),
        "{text}"
    );
    refused(&folder, &with(&["--sprt", "20,0"]), "the lower first, such as 0,20");
    refused(&folder, &with(&["--sprt", "0,20", "--shard", "1/2", "--journal", "x"]), "cannot be divided");
}

#[test]
fn saved_games_are_replayed() {
    let folder = folder("replay");
    printed(&folder, &with(&["--save", "games.jsonl"]));
    let text = printed(&folder, &["replay", "games.jsonl"]);
    assert!(text.contains("60 games, every move legal") && text.lines().count() == 61, "{text}");
    let shown = printed(&folder, &["replay", "games.jsonl", "--game", "2"]);
    assert!(shown.contains("(opening)") && shown.contains("random - uct simulations=80"), "{shown}");
    refused(&folder, &["replay", "games.jsonl", "--game", "61"], "has 60 games; there is no number 61");
    refused(&folder, &["replay", "nowhere"], "cannot read nowhere");
    std::fs::write(folder.join("bad.jsonl"), "hello\n").expect("a file");
    refused(&folder, &["replay", "bad.jsonl"], "bad.jsonl, line 1: not a saved game");
    std::fs::write(folder.join("bad.jsonl"), "\n\nhello\n").expect("a file");
    refused(&folder, &["replay", "bad.jsonl"], "bad.jsonl, line 3: not a saved game");
    std::fs::write(folder.join("empty.jsonl"), "\n").expect("a file");
    refused(&folder, &["replay", "empty.jsonl"], "empty.jsonl has no games");
    refused(&folder, &with(&["--save", "no/where.jsonl"]), "cannot write no/where.jsonl");
}

#[test]
fn a_tournament_ranks_its_agents() {
    let folder = folder("tournament");
    std::fs::write(
        folder.join("agents"),
        "# two and one\nrandom\n\nuct simulations=100\nuct simulations=5\n",
    )
    .expect("a file");
    let arguments = ["tournament", "tic-tac-toe", "--agents", "agents", "--games", "20"];
    let text = printed(&folder, &arguments);
    assert!(text.contains("1  uct simulations=100") && text.contains("3  random"), "{text}");
    let json: Value =
        serde_json::from_str(&printed(&folder, &[&arguments[..], &["--json"]].concat())).expect("JSON");
    let ratings = json["ratings"].as_array().expect("ratings");
    assert_eq!((ratings.len(), json["meetings"].as_array().map(Vec::len)), (3, Some(3)));
    let rated = |key: &str| ratings[0][key].as_f64().expect("a number");
    assert!(
        rated("elo_low") < rated("elo") && rated("elo") < rated("elo_high") && rated("elo") > 0.0,
        "{json}"
    );
    for (text, expect) in [
        ("", "0 agents; a tournament needs two"),
        ("uct\nutc\n", "agents, line 2: unknown agent"),
        ("uct\nuct c=1.4\n", "line 2: uct is there twice"),
    ] {
        std::fs::write(folder.join("agents"), text).expect("a file");
        refused(&folder, &arguments, expect);
    }
    refused(&folder, &["tournament", "hex", "--agents", "nowhere"], "cannot read nowhere");
}

#[test]
fn tuning_tells_the_best() {
    let folder = folder("tune");
    let arguments = [
        "tune",
        "tic-tac-toe",
        "--agent",
        "uct simulations=20",
        "--vary",
        "simulations=2..50",
        "--games",
        "40",
    ];
    let text = printed(&folder, &[&arguments[..], &["--points", "4", "--svg", "tuned.svg"]].concat());
    assert!(text.contains("best: simulations=") && text.contains("95%"), "{text}");
    let svg = std::fs::read_to_string(folder.join("tuned.svg")).expect("a figure");
    assert!(svg.starts_with("<svg") && svg.contains("smoothed"), "{svg}");
    let json: Value =
        serde_json::from_str(&printed(&folder, &[&arguments[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(
        (json["option"].as_str(), json["values"].as_array().map(Vec::len)),
        (Some("simulations"), Some(8))
    );
    assert!(
        json["best"].as_f64() > Some(5.0) && json["best_low"].as_f64() <= json["best"].as_f64(),
        "{json}"
    );
    refused(&folder, &["tune", "hex", "--vary", "c"], "such as c=0.1..2");
    refused(&folder, &["tune", "hex", "--vary", "x=1..2"], "unknown option of agent uct: \"x\"");
    refused(&folder, &["tune", "hex"], "--vary");
}

#[test]
fn wrong_matches_are_refused() {
    let folder = folder("wrong");
    refused(&folder, &["match", "hex"], "--a");
    refused(&folder, &["match", "hexx", "--a", "uct", "--b", "uct"], "did you mean hex?");
    refused(&folder, &["match", "hex", "--a", "utc", "--b", "uct"], "did you mean uct?");
    refused(&folder, &["match", "pig", "--a", "uct", "--b", "alphabeta"], "has chance");
    refused(&folder, &["match", "pig players=3", "--a", "uct", "--b", "random"], "games of one or two");
    refused(
        &folder,
        &["match", "hex", "--a", "uct", "--b", "uct", "--games", "7"],
        "give an even number, such as 8",
    );
    refused(&folder, &["match", "hex", "--a", "uct", "--b", "uct", "--games", "0"], "0 is not in 1..");
    refused(&folder, &with(&["--journal", "no/where.jsonl"]), "no/where.jsonl");
}

/// Where one agent stops early, the other gets as many simulations as it has spent.
#[test]
fn samples_are_equalised() {
    let folder = folder("equal");
    let words = ["match", "connect-four", "--a", "uct root=voi(stop=0.01) carry=on simulations=500"];
    let words = [&words[..], &["--b", "uct simulations=500", "--games", "4", "--equal-samples"]].concat();
    let text = printed(&folder, &words);
    let spent = |agent: &str| {
        let line = text.lines().find(|line| line.contains(&format!("a move of {agent}"))).expect("a line");
        line.split_whitespace().nth(4).expect("a number").replace(',', "").parse::<f64>().expect("a number")
    };
    assert!((spent("a") - spent("b")).abs() < 100.0, "{text}");
    refused(
        &folder,
        &["match", "sailing", "--a", "uct", "--b", "flat", "--games", "2", "--equal-samples"],
        "samples are not equalised",
    );
    refused(
        &folder,
        &["match", "hex", "--a", "uct", "--b", "uct time=1ms", "--games", "2", "--equal-samples"],
        "to equalise samples it needs simulations=",
    );
}
