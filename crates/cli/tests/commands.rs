//! The commands as a shell calls them: right, empty, wrong.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn aji(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aji"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("aji starts");
    // A command that does not read its input may have closed it already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("aji ends")
}

fn printed(arguments: &[&str], input: &str) -> String {
    let output = aji(arguments, input);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    assert_eq!(error, "", "{arguments:?}: nothing is shown on standard error in a pipe");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments, "")).expect("one JSON value")
}

/// Bad input: exit code 2, nothing on standard output, one line on standard error.
fn refused(arguments: &[&str], expect: &str) {
    let output = aji(arguments, "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("aji: ") && error.contains(expect), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn list_names_everything_once() {
    let text = printed(&["list"], "");
    for word in [
        "tic-tac-toe",
        "mnk",
        "connect-four",
        "othello",
        "hex",
        "breakthrough",
        "nim",
        "pig",
        "sailing",
        "2048",
        "canadian-traveller",
        "uct",
        "flat",
        "alphabeta",
        "exact",
        "random",
    ] {
        let lines = text.lines().filter(|line| line.split_whitespace().next() == Some(word)).count();
        assert_eq!(lines, 1, "{word} in\n{text}");
    }
}

#[test]
fn search_as_json() {
    let found = json(&[
        "search",
        "connect-four",
        "--moves",
        "d d",
        "--agent",
        "uct simulations=3000 seed=5",
        "--json",
    ]);
    let keys = [
        "game",
        "agent",
        "seed",
        "simulations",
        "seconds",
        "nodes",
        "bytes",
        "stopped",
        "best",
        "value",
        "arms",
        "line",
    ];
    for key in keys {
        assert!(!found[key].is_null(), "{key} is missing in {found}");
    }
    assert_eq!((&found["game"], &found["seed"]), (&"connect-four".into(), &5.into()));
    assert_eq!((&found["simulations"], &found["stopped"]), (&3000.into(), &"simulations".into()));
    assert_eq!(found["agent"], "uct simulations=3000 seed=5");
    let arms = found["arms"].as_array().expect("a list");
    assert_eq!(arms.len(), 7);
    assert_eq!(arms.iter().filter_map(|arm| arm["pulls"].as_u64()).sum::<u64>(), 3000);
    assert!(
        arms.iter()
            .all(|arm| arm["mean"].is_number() && arm["error"].is_number() && arm["action"].is_string())
    );
    assert_eq!(found["line"][0], found["best"]);
}

#[test]
fn the_same_seed_prints_the_same() {
    let run = || {
        let mut found = json(&["search", "hex size=5", "--json", "--agent", "uct c=0.7"]);
        found["seconds"] = 0.into();
        found.to_string()
    };
    assert_eq!(run(), run());
}

#[test]
fn every_agent_searches_every_game() {
    let games = [
        "tic-tac-toe",
        "mnk m=4 n=4 k=4",
        "connect-four",
        "othello",
        "hex size=5",
        "breakthrough",
        "nim heaps=3,4,5",
        "pig goal=30",
        "sailing",
        "2048",
        "canadian-traveller",
    ];
    let agents = [
        "uct",
        "flat",
        "random",
        "uct root=epsilon below=ucb_sqrt",
        "uct below=ucb_tuned",
        "uct root=uniform below=puct",
        "uct cutoff=5",
        "uct unit=points recommend=posterior",
        "uct depth=2",
        "alphabeta",
    ];
    for game in games {
        for agent in agents {
            let agent = format!("{agent} simulations=200 memory=10MB");
            let found = json(&["search", game, "--agent", &agent, "--json"]);
            assert!(found["best"].is_string(), "{game}, {agent}: {found}");
        }
    }
    for game in ["connect-four", "othello", "breakthrough"] {
        for agent in ["uct playout=epsilon simulations=50", "uct cutoff=4 eval=on simulations=200"] {
            assert!(
                json(&["search", game, "--agent", agent, "--json"])["best"].is_string(),
                "{game}, {agent}"
            );
        }
    }
}

#[test]
fn search_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x"], "");
    assert!(text.contains("x to move: c3"), "{text}");
    let text = printed(&["search", "connect-four", "--agent", "uct memory=100kB simulations=30000"], "");
    assert!(text.contains("was full") && text.contains("the search went on"), "{text}");
}

#[test]
fn exact_play_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x", "--agent", "exact"], "");
    assert!(text.contains("x to move: c3, worth 1.000") && text.contains("; solved"), "{text}");
    assert!(text.contains("action   value") || text.contains("action  value"), "{text}");
    let found = json(&["search", "connect-four", "--agent", "alphabeta depth=4", "--json"]);
    assert_eq!((&found["stopped"], &found["best"]), (&"depth".into(), &"d".into()), "{found}");
    refused(&["search", "connect-four", "--agent", "exact memory=1MB"], "exact: connect-four has more than");
    refused(&["search", "nim players=3", "--agent", "alphabeta"], "has 3 players");
}

#[test]
fn perft_counts() {
    assert_eq!(
        printed(&["perft", "tic-tac-toe", "3"], ""),
        "  1                    9\n  2                   72\n  3                  504\n"
    );
    let found = json(&["perft", "othello", "5", "--json"]);
    assert_eq!(found, serde_json::json!({"game": "othello", "counts": [4, 12, 56, 244, 1396]}));
    let found = json(&["perft", "tic-tac-toe", "9", "--moves", "a1 b1 a2 b2 a3", "--json"]);
    assert_eq!(found["counts"], serde_json::json!([0, 0, 0, 0, 0, 0, 0, 0, 0]), "x has won");
}

#[test]
fn bench_as_json() {
    let found = json(&["bench", "--json", "--games", "tic-tac-toe, nim heaps=3,4,5", "--simulations", "500"]);
    let rows = found.as_array().expect("a list");
    assert_eq!((rows.len(), &rows[1]["game"]), (2, &"nim heaps=3,4,5".into()));
    for row in rows {
        for key in ["simulations", "per_second", "raw_per_second", "share"] {
            assert!(row[key].as_f64().is_some_and(|number| number > 0.0), "{key} in {row}");
        }
    }
}

#[test]
fn completions_for_a_shell() {
    assert!(printed(&["completions", "bash"], "").contains("perft"));
}

#[test]
fn a_whole_game_through_a_pipe() {
    let agent = "random seed=3";
    let text = printed(&["play", "tic-tac-toe", "--agent", agent], "help\nmoves\na1\nundo\nhint\nresign\n");
    assert!(
        text.contains("list the legal moves") && text.contains("a1 b1 c1") && text.contains("x resigns"),
        "{text}"
    );
    let text = printed(&["play", "nim heaps=1", "--first"], "");
    assert!(text.contains("player 1: 1:1") || text.contains("player 1 to move: 1:1"), "{text}");
    assert!(text.contains("player 1 wins"), "{text}");
    let text = printed(&["play", "nim heaps=2", "--agent", "uct simulations=100"], "1:2\n");
    assert!(text.contains("player 1 wins"), "{text}");
    let text = printed(&["play", "connect-four", "--agent", "uct simulations=50"], "d\n");
    assert!(text.contains("the input has ended"), "{text}");
}

/// The program draws for chance, between the moves of both sides.
#[test]
fn a_game_of_chance_through_a_pipe() {
    let agent = "uct simulations=100";
    let text = printed(&["play", "pig goal=10", "--agent", agent], &"roll\nhold\n".repeat(200));
    let drawn = text.lines().filter(|line| line.starts_with("chance: ")).count();
    assert!(drawn > 3 && text.contains("player 1: roll") && text.contains(" wins\n"), "{text}");
    let text = printed(&["play", "2048 seed=3", "--agent", agent], "undo\nhint\nmoves\n");
    assert!(text.contains("there is nothing to undo"), "{text}");
    let text = printed(&["play", "sailing size=3", "--agent", agent, "--first"], "");
    assert!(text.contains("chance: ") && text.contains("sailor gets -"), "{text}");
}

#[test]
fn bad_input_is_one_line() {
    refused(&["search", "conect-four"], "did you mean connect-four?");
    refused(
        &["search", "connect-four", "--moves", "d h"],
        "move \"h\" is not legal here; legal: a b c d e f g (number 2)",
    );
    refused(&["search", "breakthrough", "--moves", "b3"], "ambiguous");
    refused(&["search", "nim heaps=1", "--moves", "1:1"], "the game is over");
    refused(&["search", "hex size=1"], "expected a whole number from 2 to 19");
    refused(
        &["search", "connect-four", "--agent", "uct simulations=0"],
        "simulations=0: expected a whole number from 1",
    );
    refused(
        &["search", "connect-four", "--agent", "uct memory=1kB"],
        "memory=1kB is too small: this position needs",
    );
    refused(&["search", "connect-four", "--position", "xxo"], "position \"xxo\": expected the rows");
    refused(&["search", "hex", "--agent", "uct playout=epsilon"], "needs a heuristic");
    refused(&["search"], "GAME");
    refused(&["serch", "hex"], "unrecognized subcommand 'serch'");
    refused(&["perft", "hex", "0"], "0 is not in 1..=100");
    refused(&["perft", "hex", "x"], "invalid value 'x'");
    refused(&["bench", "--games", "hex,"], "unknown game");
    refused(&["completions", "shell"], "invalid value 'shell'");
    refused(&["play", "connect-four", "--agent", "uct c=big"], "expected a number from 0");
}

#[test]
fn without_a_command_there_is_help() {
    let output = aji(&[], "");
    let help = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && help.contains("Usage: aji <COMMAND>"), "{help}");
    assert!(printed(&["search", "--help"], "").contains("Examples:"));
}

/// A mistake in a script of moves is not passed over.
#[test]
fn a_bad_move_in_a_pipe_ends_the_game() {
    let output = aji(&["play", "tic-tac-toe", "--agent", "random"], "a1\nz9\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("move \"z9\" is not legal here"), "{error}");
}

#[test]
fn traps_are_found_and_told() {
    let hunt = ["traps", "hex size=5", "--plies", "4..14", "--tries", "150", "--most", "1", "--json"];
    let found: Value = serde_json::from_str(&printed(&hunt, "")).expect("a trap among 150 positions");
    assert!(found["blunder_value"].as_f64() < found["answer_value"].as_f64(), "{found}");
    refused(&["traps", "hex", "--plies", "9..3"], "expected a range of plies such as 8..24");
    refused(&["traps", "hex", "--witness", "uct solver=yes"], "expected on or off");
}
