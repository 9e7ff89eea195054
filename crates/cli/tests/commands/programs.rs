//! Matches against programs that speak GTP, from a shell: a script with given behaviour, and GNU Go.

use crate::shell::Folder;
use serde_json::Value;
use std::fs;

/// A program that refuses one command and gives this answer to genmove: see `fake_gtp.sh`.
fn fake(refused: &str, answers: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../gtp-client/tests/programs/fake_gtp.sh");
    format!("gtp(timeout=2s): sh '{script}' log '{refused}' {answers}")
}

/// The error of a command that fails.
fn failed(folder: &Folder, arguments: &[&str], expect: &[&str]) -> String {
    let output = folder.aji(arguments);
    let error = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    for part in expect {
        assert!(error.contains(part), "{part}: {error}");
    }
    error
}

const GO: [&str; 4] = ["match", "go size=5", "--a", "uct simulations=30"];

fn against<'a>(program: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&GO[..], &["--b", program], more].concat()
}

/// A match whose journal was cut short continues with the missing pairs.
#[test]
fn a_match_with_a_program_goes_on() {
    let folder = Folder::new("programs/resume");
    let program = fake("", "pass");
    let arguments = against(&program, &["--games", "8", "--journal", "games.jsonl"]);
    let whole = folder.printed(&arguments);
    assert!(
        whole.contains("go size=5, 8 games in pairs") && whole.contains("fake_gtp.sh log '' pass"),
        "{whole}"
    );
    assert!(!whole.contains("resigned") && !whole.contains("restarts"), "{whole}");
    let journal = folder.read("games.jsonl");
    let header: Value = serde_json::from_str(journal.lines().next().expect("a header")).expect("JSON");
    assert_eq!(header["parameters"]["repeatable"], false);
    let kept: String = journal.split_inclusive('\n').take(3).collect();
    folder.write("games.jsonl", &kept[..kept.len() - 5]);
    fs::remove_file(folder.file("log")).expect("the program was started");
    assert!(folder.printed(&arguments).contains("8 games in pairs"));
    let starts = folder.read("log").matches("start\n").count();
    assert_eq!(starts, 6, "three pairs are played again, with a program for each game");
    let again = folder.read("games.jsonl");
    assert_eq!((again.lines().count(), again.lines().next()), (5, journal.lines().next()));
}

#[test]
fn a_program_may_resign() {
    let folder = Folder::new("programs/resign");
    let program = fake("", "resign");
    let text = folder.printed(&against(&program, &["--games", "4", "--save", "games.jsonl"]));
    for row in [" a wins       4", "resigned     0 games by a, 4 by b; each counts as a margin of 1"] {
        assert!(text.contains(row), "{row}: {text}");
    }
    let replayed = folder.printed(&["replay", "games.jsonl"]);
    assert!(replayed.contains("black (x) wins: white (o) resigned after 3 plies"), "{replayed}");
    assert!(replayed.contains("white (o) wins: black (x) resigned after 2 plies"), "{replayed}");
    assert!(folder.printed(&["replay", "games.jsonl", "--game", "1"]).contains("\nblack (x) wins"));
    let found = folder.printed(&["search", "go size=5", "--agent", &program]);
    assert!(found.contains("black (x) to move; it resigns"), "{found}");
    let played = folder.printed(&["play", "go size=5", "--agent-first", "--agent", &program]);
    assert!(played.ends_with("white (o) wins: black (x) resigned\n"), "{played}");
}

#[test]
fn a_disagreement_stops_the_match() {
    let folder = Folder::new("programs/disagreement");
    let program = fake("", "C3");
    let more = ["--games", "8", "--threads", "1", "--openings", "0", "--journal", "games.jsonl"];
    failed(
        &folder,
        &against(&program, &more),
        &[
            "aji: trial 0: gtp",
            "disagreement on legality: it plays C3 for",
            "there is a stone\n    A B C D E\n",
        ],
    );
    assert_eq!(folder.read("games.jsonl").lines().count(), 1);
}

#[test]
fn a_program_that_dies_is_restarted_once() {
    let folder = Folder::new("programs/death");
    let program = fake("", "die pass");
    let text = folder.printed(&against(&program, &["--games", "2", "--threads", "1"]));
    assert!(text.contains("restarts     0 of a's program, 1 of b's, in this run"), "{text}");
    let program = fake("", "pass pass pass die");
    let more = ["--games", "200", "--threads", "1", "--journal", "games.jsonl"];
    fs::remove_file(folder.file("log")).expect("the program was started");
    let error = failed(
        &folder,
        &against(&program, &more),
        &["it failed twice at the position", "genmove", "exit status: 3", "on standard error: out of luck"],
    );
    let lines: Vec<&str> = error.lines().filter(|line| line.starts_with("aji: ")).collect();
    assert_eq!((lines.len(), error.lines().last()), (1, lines.first().copied()), "{error}");
}

#[test]
fn wrong_programs_are_refused() {
    let folder = Folder::new("programs/wrong");
    let check = |arguments: &[&str], expect: &str| {
        let error = failed(&folder, arguments, &[expect]);
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    check(&against("gtp: no-such-program --mode gtp", &[]), "no program no-such-program on the PATH");
    check(&against("gtp gnugo", &[]), "expected a colon and a command");
    check(&against("gtp: 'gnugo", &[]), "a quote is not closed");
    check(&against("gtp: sh", &["--equal-samples"]), "a program does not report its samples");
    check(&["match", "hex", "--a", "uct", "--b", "gtp: sh"], "it plays only go, not hex");
    check(&["tune", "go", "--agent", "gtp: sh", "--vary", "c=1,2"], "cannot be tuned");
    check(&["search", "go size=5", "--agent", "gtp: false"], "boardsize 5: it has ended (exit status: 1)");
    check(&["search", "go size=5", "--agent", "gtp: sh", "--tree", "x.svg"], "grows no tree");
}

/// A match against GNU Go, which `./check` installs.
#[test]
fn gnu_go_plays() {
    let folder = Folder::new("programs/gnugo");
    let program = "gtp: gnugo --mode gtp --chinese-rules --capture-all-dead --level 0";
    let arguments = [
        "match",
        "go size=7",
        "--a",
        "uct simulations=20",
        "--b",
        program,
        "--games",
        "2",
        "--save",
        "games",
    ];
    let output = folder.aji(&arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("no program gnugo"), "GNU Go is missing: apt-get install gnugo, as ./check does");
    assert!(output.status.success(), "{error}");
    assert!(error.contains("the same command may give other games next time"), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("go size=7, 2 games in pairs") && text.contains(program), "{text}");
    assert!(folder.printed(&["replay", "games"]).contains("2 games, every move legal"));
}
