//! Tests of all commands together: lists, help, bad input.

use crate::shell::{Folder, aji, command, json, printed, refused};

#[test]
fn list_names_everything_once() {
    let text = printed(&["list"]);
    // A network has the name of its game.
    let (text, networks) = text.split_once("networks that ship").expect("a list of networks");
    assert!(networks.contains("\n othello size=6  conv "), "{networks}");
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
        "alphazero",
        "alphabeta",
        "exact",
        "thermo",
        "sentestrat",
        "topweight",
        "random",
    ] {
        let lines = text.lines().filter(|line| line.starts_with(&format!(" {word} "))).count();
        assert_eq!(lines, 1, "{word} in\n{text}");
    }
}

/// Lists of one kind, one thing with its options, and everything as JSON.
#[test]
fn lists_of_one_kind_and_of_one_thing() {
    let rules = printed(&["list", "rules"]);
    assert!(rules.starts_with("rules for root= and below=\n ucb1 ") && !rules.contains("hex"), "{rules}");
    let hex = printed(&["list", "games", "hex"]);
    assert!(
        hex.contains("x owns the top") && hex.contains(" size=  rows and columns of the board: 2..19 (11)\n"),
        "{hex}"
    );
    assert!(hex.contains("\ndefault agent: rave, or exact where it solves the start at once"), "{hex}");
    assert!(hex.contains("`aji match hex --a \"rave simulations=1000\""), "{hex}");
    let papers = printed(&["list", "papers", "tolpin2012"]);
    assert!(papers.contains("\nstudies\nbest_arm voi_against_uct "), "{papers}");
    let all = json(&["list", "--json"]);
    let count = |kind: &str| all[kind].as_array().map_or(0, Vec::len);
    assert_eq!((count("games"), count("agents"), count("papers")), (17, 16, 5));
    assert!(count("rules") > 10 && count("playouts") == 8, "{all}");
    let go = json(&["list", "games", "go", "--json"]);
    assert_eq!((&go["name"], &go["options"][1]["name"]), (&"go".into(), &"komi".into()));
    assert!(go["about"].as_str().is_some_and(|rules| rules.contains("Two passes")), "{go}");
    assert_eq!(go["agent"], "rave playout=atari");
    assert!(go["shown_by"].as_str().is_some_and(|text| text.contains("aji match go")), "{go}");
    let boards = go["boards"].as_array().expect("a list");
    assert_eq!((boards.len(), &boards[0]["game"]), (1, &"go size=7".into()));
    assert_eq!(
        printed(&["list", "games", "go"]).matches("default agent of go size=7: alphazero\n").count(),
        1
    );
    let networks = json(&["list", "networks", "--json"]);
    let games: Vec<&str> =
        networks.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(games, ["tic-tac-toe", "connect-four", "othello size=6", "hex size=7", "go size=7"]);
    let network = &networks[4]["network"];
    assert_eq!(
        (&network["games"], &network["steps"], &network["board"][0]),
        (&10_240.into(), &10_392.into(), &7.into())
    );
    assert!(
        network["parameters"].as_u64().is_some_and(|count| (90_000..110_000).contains(&count)),
        "{network}"
    );
    let told = printed(&["list", "networks", "go"]);
    assert!(
        told.contains("conv channels=32 blocks=3") && told.contains("what it scores: `aji match go size=7"),
        "{told}"
    );
    assert_eq!(told, printed(&["list", "networks", "go", "size=7"]));
    let six = printed(&["list", "games", "othello", "size=6"]);
    assert!(six.starts_with("othello size=6: ") && six.contains("  6 . . . . . .\n"), "{six}");
    assert!(six.contains("\ndefault agent: alphazero\n") && !six.contains("default agent of"), "{six}");
    assert_eq!(six, printed(&["list", "othello size=6"]));
    assert_eq!(six, printed(&["list", "othello", "size=6"]));
    let small = printed(&["list", "games", "hex", "size=3"]);
    assert!(small.contains("\ndefault agent: exact\nbecause: it solves the start at once"), "{small}");
    refused(&["list", "games", "othello", "size=5"], "size=5: expected 4 or 6 or 8");
    refused(&["list", "connect-fou"], "did you mean connect-four?");
    let uct = json(&["list", "agents", "uct", "--json"]);
    let keys: Vec<&str> = uct["options"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|option| option["name"].as_str())
        .collect();
    assert!(keys.contains(&"playout") && keys.contains(&"memory"), "{keys:?}");
}

/// Numbers are read as people write them, in options and in names.
#[test]
fn numbers_as_people_write_them() {
    let simulations =
        |name: &str| json(&["search", "tic-tac-toe", "--json", "--agent", name])["simulations"].clone();
    for text in ["1e3", "1k", "1_000", "1,000", "1000", "0.001M"] {
        assert_eq!(simulations(&format!("uct simulations={text}")), 1_000, "{text}");
        let words = ["bench", "--json", "--games", "nim", "--simulations", text];
        assert_eq!(json(&words)[0]["simulations"], 1_000, "{text}");
    }
    refused(
        &["search", "tic-tac-toe", "--agent", "uct simulations=1,00"],
        "simulations=1,00: expected a whole number",
    );
}

/// The options of a game need no quotes.
#[test]
fn names_of_several_words() {
    let name = |words: &[&str]| json(&[words, &["--json"]].concat())["game"].clone();
    assert_eq!(name(&["search", "hex", "size=3", "--agent", "uct simulations=50"]), "hex size=3");
    assert_eq!(
        name(&["search", "--agent", "uct simulations=50", "mnk", "m=4", "n=4", "k=3"]),
        "mnk m=4 n=4 k=3"
    );
    assert_eq!(name(&["perft", "hex", "size=3", "2"]), "hex size=3");
    assert_eq!(name(&["explain", "nim", "heaps=1,2"]), "nim heaps=1,2");
    assert_eq!(
        name(&["match", "nim", "heaps=1,2", "--a", "random", "--b", "random", "--games", "2"]),
        "nim heaps=1,2"
    );
}

#[test]
fn laws_are_checked() {
    let kept = "tic-tac-toe keeps the laws of Game, PartialEq, Named, Hashed, Keyed, Encoded, Symmetric in 30 random games of seed 7\n";
    assert_eq!(printed(&["laws", "tic-tac-toe", "--seed", "7"]), kept);
    assert!(printed(&["laws", "hex", "size=5"]).starts_with("hex size=5 keeps the laws"));
    refused(&["laws"], "<GAME>");
    refused(&["laws", "hexx"], "did you mean hex?");
}

#[test]
fn completions_for_a_shell() {
    assert!(printed(&["completions", "bash"]).contains("perft"));
}

#[test]
fn without_a_command_there_is_help() {
    let help = printed(&[]);
    assert!(help.contains("Usage: aji <COMMAND>") && help.contains("Examples:"), "{help}");
    assert!(printed(&["search", "--help"]).contains("Examples:"));
}

#[test]
fn bad_input_is_one_line() {
    refused(&["search", "conect-four"], "did you mean connect-four?");
    refused(
        &["search", "connect-four", "--moves", "d h"],
        "connect-four: move 2: move \"h\" is not legal here; legal: a b c d e f g",
    );
    refused(&["search", "connect-four", "--moves", "d,d"], "; moves are separated by spaces");
    refused(&["list", "gmes"], "unknown kind \"gmes\"; did you mean games? known: games, agents, rules");
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
    refused(
        &["search", "tic-tac-toe", "--position", "xxx/.../... x"],
        "tic-tac-toe: position \"xxx/.../... x\": x begins and the players take turns",
    );
    refused(&["search", "connect-four", "--position", "xxo"], "position \"xxo\": expected the rows");
    refused(&["search", "hex", "--agent", "uct playout=epsilon"], "needs a heuristic");
    refused(&["search"], "GAME");
    refused(&["serch", "hex"], "unrecognized subcommand 'serch'");
    refused(
        &["explain", "hex", "--agent", "random"],
        "agent random has no simulations to explain; uct, rave, flat, alphazero and gumbel have",
    );
    refused(&["explain", "hex", "--steps", "0"], "0 is not in 1..=1000");
    refused(&["explain", "hex", "--steps", "1001"], "1001 is not in 1..=1000");
    refused(&["explain", "nim heaps=1", "--moves", "1:1"], "the game is over");
    refused(&["explain", "hex", "--agent", "uct memory=1kB"], "memory=1kB is too small");
    refused(&["perft", "hex", "0"], "expected a depth from 1 to 100 after the game");
    refused(&["perft", "hex", "x"], "invalid value 'x'");
    refused(&["bench", "--games", "hex,"], "unknown game");
    refused(
        &["bench", "--games", "nim", "--agent", "random"],
        "agent random simulations=20000: has no simulations",
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
        "length            sequences\n     1                    9\n     2                   72\n     3                  504\n"
    );
    let found = json(&["perft", "othello", "5", "--json"]);
    assert_eq!(
        found,
        serde_json::json!({"game": "othello", "counts": [4, 12, 56, 244, 1396], "interrupted": false})
    );
    let found = json(&["perft", "tic-tac-toe", "9", "--moves", "a1 b1 a2 b2 a3", "--json"]);
    assert_eq!(found["counts"], serde_json::json!([0, 0, 0, 0, 0, 0, 0, 0, 0]), "x has won");
}

/// A negative number is a value, so the error is that of the value.
#[test]
fn negative_numbers_are_values() {
    let pair = ["match", "tic-tac-toe", "--a", "random", "--b", "random", "--games", "2"];
    let with = |more: &[&'static str]| [&pair[..], more].concat();
    assert!(printed(&with(&["--sprt", "-20,0"])).contains("log-likelihood ratio"));
    refused(&with(&["--seed", "-1"]), "-1 is not in 0..");
    refused(&with(&["--openings", "-2"]), "-2 is not in 0..=1000");
    refused(&["search", "hex", "--tree", "tree.svg", "--depth", "-1"], "-1 is not in 1..=");
    refused(&["perft", "othello", "-2"], "expected a depth from 1 to 100");
    for wrong in [&["perft", "othello", "-x"][..], &["list", "games", "--all"], &with(&["--sed", "-1"])] {
        let error = String::from_utf8(command(wrong).output().expect("aji runs").stderr).expect("text");
        assert!(error.contains("unexpected argument") && !error.contains("-- "), "{error}");
    }
}

/// Each command says which other command reads a file of games.
#[test]
fn files_of_games_find_their_command() {
    let folder = Folder::new("general/games");
    folder.printed(&[
        "match",
        "tic-tac-toe",
        "--a",
        "random",
        "--b",
        "random",
        "--games",
        "2",
        "--save",
        "two",
    ]);
    folder.refused(
        &["play", "--load", "two"],
        "--load two: these are finished games, which `aji replay` shows",
    );
    folder.printed(&["play", "tic-tac-toe", "--agent", "random", "--save", "one"]);
    folder.refused(&["replay", "one"], "one: a game of `aji play`; `aji play --load one` continues it");
}

#[test]
fn pictures_have_the_ending_of_pictures() {
    let folder = Folder::new("general/pictures");
    folder.refused(
        &["thermo", "B3R5", "--svg", "heap.png"],
        "--svg heap.png: expected a name that ends in .svg",
    );
    folder.refused(&["bandit", "--svg", "regret"], "expected a name that ends in .svg");
    folder.printed(&["thermo", "B3R5", "--svg", "heap.SVG"]);
}

/// A name alone is explained, whatever its kind.
#[test]
fn things_are_found_by_their_name() {
    assert_eq!(printed(&["list", "hex"]), printed(&["list", "games", "hex"]));
    assert_eq!(json(&["list", "voi", "--json"]), json(&["list", "rules", "voi", "--json"]));
    let both = printed(&["list", "gumbel"]);
    assert!(both.starts_with("gumbel: Gumbel search") && both.matches("gumbel: ").count() == 2, "{both}");
    refused(&["list", "hex", "size"], "unknown kind \"hex\"");
}

/// The hint about quotes is for words of agents.
#[test]
fn quotes_are_advised_where_they_help() {
    let hint = "the options of an agent need quotes";
    refused(&["search", "hex", "c=0.7"], hint);
    refused(&["search", "hex", "--agent", "uct", "simulations=9"], hint);
    for wrong in ["size=99", "sise=4"] {
        let error = String::from_utf8(command(&["search", "hex", wrong]).output().expect("aji runs").stderr);
        let error = error.expect("text");
        assert!(error.contains("game hex: ") && !error.contains(hint), "{error}");
    }
}

#[test]
fn one_of_a_thing_is_singular() {
    let text = printed(&["search", "hex", "size=4", "--agent", "uct simulations=1"]);
    assert!(text.contains("\n1 simulation in "), "{text}");
    let text = printed(&["search", "domineering", "rows=2", "columns=2", "--agent", "exact"]);
    assert!(!text.contains("0 positions") && text.contains("solved"), "{text}");
    let text =
        printed(&["bandit", "--arms", "1", "--repeats", "9", "--budgets", "4", "--rules", "ucb1, voi"]);
    assert!(text.starts_with("1 arm, 9 bandits; ± is the standard error\n"), "{text}");
    assert!(text.contains("\n rule ") && text.contains("4 pulls\n ucb1(c=1.4) "), "{text}");
}

/// A benchmark of all games leaves out those that the agent cannot play, and says so.
#[test]
fn a_benchmark_leaves_out_games() {
    let output = aji(&["bench", "--agent", "alphazero", "--simulations", "2", "--json"]);
    let (text, notes) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let speeds: serde_json::Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {notes}"));
    let games: Vec<&str> =
        speeds.as_array().expect("a list").iter().filter_map(|speed| speed["game"].as_str()).collect();
    assert_eq!(games, ["tic-tac-toe", "connect-four"], "{notes}");
    assert!(notes.contains("left out nim: alphazero: networks cannot play nim"), "{notes}");
    refused(&["bench", "--agent", "alphazero", "--games", "hex, connect-four"], "no network ships for hex");
}

/// The options of a training as JSON.
#[test]
fn options_of_training_as_json() {
    let all = json(&["train", "--list", "--json"]);
    let names = |list: &serde_json::Value| -> Vec<String> {
        list.as_array()
            .expect("a list")
            .iter()
            .map(|one| one["name"].as_str().expect("a name").into())
            .collect()
    };
    assert!(names(&all["with"]).contains(&"batch".into()), "{all}");
    assert_eq!(names(&all["agents"]), ["gumbel", "alphazero"]);
    assert!(names(&all["agents"][0]["options"]).contains(&"simulations".into()), "{all}");
    let text = printed(&["train", "--list"]);
    assert!(text.starts_with("Options of --with:\n  games "), "{text}");
}
