//! The output of the example `own_game`, which is a whole command line. `cargo test -p aji --features cli` builds both.

use std::path::PathBuf;
use std::process::Command;

/// The example, which cargo builds beside the tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("the folder of the build");
    folder.join("examples").join(format!("own_game{}", std::env::consts::EXE_SUFFIX))
}

/// Standard output, standard error and the exit code.
fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(example()).args(arguments).output();
    let output = output.expect("build it: cargo build -p aji --features cli --example own_game");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[track_caller]
fn check(arguments: &[&str], expect: &[&str]) {
    let (out, error, code) = run(arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {out}{error}");
    for expect in expect {
        assert!(out.contains(expect), "{arguments:?}: {expect} is not in {out}");
    }
}

#[test]
fn every_command_takes_an_own_game() {
    check(&["list"], &["stones", "take one to three stones; the last wins", "connect-four"]);
    check(&["list", "games", "stones"], &["options\n stones=  1..1000 (10)\n"]);
    check(
        &["laws", "stones"],
        &["stones keeps the laws of Game, PartialEq, Named in 30 random games of seed 1"],
    );
    check(&["search", "stones", "--agent", "uct simulations=2000"], &["take2"]);
    check(
        &["search", "stones", "--position", "7/1", "--agent", "alphabeta depth=9", "--json"],
        &["\"take3\""],
    );
    check(&["explain", "stones", "--steps", "1"], &["take1"]);
    // By hand: 3, then 3 + 2 + 1, then 112, 121, 211 and 111, then 1111.
    check(
        &["perft", "stones stones=4", "4", "--json"],
        &["{\"game\":\"stones stones=4\",\"counts\":[3,6,4,1],\"interrupted\":false}"],
    );
    let agents = ["--a", "uct simulations=300", "--b", "random"];
    check(
        &[&["match", "stones stones=21"], &agents[..], &["--games", "20"]].concat(),
        &["20 games in pairs", "score of a"],
    );
    check(
        &["tune", "stones", "--vary", "c=0.5,1", "--agent", "uct simulations=20", "--games", "4"],
        &["best: c="],
    );
    check(&["traps", "stones stones=20", "--tries", "3", "--plies", "1..3"], &["among 3 positions"]);
}

/// A match of an own game continues from its journal, and its games can be replayed.
#[test]
fn own_games_are_kept() {
    let folder = std::env::temp_dir().join(format!("aji-own-game-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (journal, games, tree) = (file("journal.jsonl"), file("games.jsonl"), file("tree.svg"));
    let words = ["match", "stones", "--a", "uct simulations=50", "--b", "random", "--games", "6"];
    let kept = [&words[..], &["--json", "--journal", &journal, "--save", &games]].concat();
    let first = run(&kept);
    assert_eq!((first.2, &first), (Some(0), &run(&kept)));
    check(&["replay", &games], &["6 games, every move legal"]);
    check(&["search", "stones", "--agent", "uct simulations=500", "--tree", &tree], &["take2"]);
    let drawn = std::fs::read_to_string(&tree).expect("a drawing");
    assert!(drawn.starts_with("<svg") && drawn.contains("take2"), "{drawn}");
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}

#[test]
fn mistakes_are_one_line() {
    let refused = |arguments: &[&str], expect: &str| {
        let (_, error, code) = run(arguments);
        assert!(code == Some(2) && error.contains(expect) && error.lines().count() == 1, "{error}");
    };
    refused(&["search", "stnes"], "did you mean stones?");
    refused(&["search", "stones stones=0"], "game stones: stones=0: expected a whole number from 1 to 1000");
    refused(&["search", "stones", "--agent", "exact"], "exact needs the trait Hashed");
    refused(&["search", "stones", "--position", "x"], "expected the stones and who is to move");
}
