//! What is not of one command: lists, help, bad input.

use crate::shell::{aji, json, printed, refused};

#[test]
fn list_names_everything_once() {
    let text = printed(&["list"]);
    for word in [
        "tic-tac-toe",
        "mnk",
        "connect-four",
        "othello",
        "hex",
        "breakthrough",
        "nim",
        "go",
        "heap-go",
        "domineering",
        "clobber",
        "toads-and-frogs",
        "sum",
        "pig",
        "sailing",
        "2048",
        "canadian-traveller",
        "uct",
        "flat",
        "alphabeta",
        "exact",
        "thermo",
        "sentestrat",
        "topweight",
        "random",
    ] {
        let lines = text.lines().filter(|line| line.split_whitespace().next() == Some(word)).count();
        assert_eq!(lines, 1, "{word} in\n{text}");
    }
}

#[test]
fn laws_are_checked() {
    let kept =
        "tic-tac-toe keeps the laws of Game, PartialEq, Named, Hashed, Keyed in 30 random games of seed 7\n";
    assert_eq!(printed(&["laws", "tic-tac-toe", "--seed", "7"]), kept);
    refused(&["laws"], "<GAME>");
    refused(&["laws", "hexx"], "did you mean hex?");
}

#[test]
fn completions_for_a_shell() {
    assert!(printed(&["completions", "bash"]).contains("perft"));
}

#[test]
fn without_a_command_there_is_help() {
    let output = aji(&[]);
    let help = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && help.contains("Usage: aji <COMMAND>"), "{help}");
    assert!(printed(&["search", "--help"]).contains("Examples:"));
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
    refused(&["explain", "hex", "--agent", "random"], "agent random has no simulations to tell of");
    refused(&["explain", "hex", "--steps", "0"], "0 is not in 1..=1000");
    refused(&["explain", "hex", "--steps", "1001"], "1001 is not in 1..=1000");
    refused(&["explain", "nim heaps=1", "--moves", "1:1"], "the game is over");
    refused(&["explain", "hex", "--agent", "uct memory=1kB"], "memory=1kB is too small");
    refused(&["perft", "hex", "0"], "0 is not in 1..=100");
    refused(&["perft", "hex", "x"], "invalid value 'x'");
    refused(&["bench", "--games", "hex,"], "unknown game");
    refused(
        &["bench", "--games", "nim", "--agent", "random"],
        "agent random simulations=20000: does no simulations",
    );
    refused(&["completions", "shell"], "invalid value 'shell'");
    refused(&["play", "connect-four", "--agent", "uct c=big"], "expected a number from 0");
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
fn perft_counts() {
    assert_eq!(
        printed(&["perft", "tic-tac-toe", "3"]),
        "  1                    9\n  2                   72\n  3                  504\n"
    );
    let found = json(&["perft", "othello", "5", "--json"]);
    assert_eq!(found, serde_json::json!({"game": "othello", "counts": [4, 12, 56, 244, 1396]}));
    let found = json(&["perft", "tic-tac-toe", "9", "--moves", "a1 b1 a2 b2 a3", "--json"]);
    assert_eq!(found["counts"], serde_json::json!([0, 0, 0, 0, 0, 0, 0, 0, 0]), "x has won");
}
