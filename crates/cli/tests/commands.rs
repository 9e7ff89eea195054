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
        "heap-go heaps=4 counters=3 seed=2",
        "domineering",
        "clobber rows=4 columns=4",
        "toads-and-frogs rows=2",
        "sum game=clobber boards=xo+oxo/xox first=right",
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
        "uct solver=on",
    ];
    for game in &games[..12] {
        assert!(
            json(&["search", game, "--agent", "alphabeta depth=2", "--json"])["best"].is_string(),
            "{game}"
        );
    }
    for game in &games[12..] {
        refused(&["search", game, "--agent", "alphabeta"], "alphabeta: ");
    }
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
fn combinatorial_games() {
    assert_eq!(printed(&["cgt", "{3|-1} + +-5 > *"], ""), "false\n");
    assert_eq!(printed(&["cgt", "-^ + {0|*}"], ""), "0\n");
    let found = json(&["cgt", "temp({3|-1||-7})", "--json"]);
    assert_eq!(found, serde_json::json!({"expression": "temp({3|-1||-7})", "kind": "number", "value": "4"}));
    refused(&["cgt", "{3|x}"], "cgt: \"{3|x}\": expected a game, found \"x\" at 4");
    refused(&["cgt"], "EXPRESSION");
}

#[test]
fn heaps_and_boards_are_studied() {
    let found = json(&["thermo", "B3R5B5", "--json"]);
    assert_eq!(found["heap"], "B3R5B5");
    let expect = serde_json::json!([
        {"counters": 3, "mean": 2, "temperature": 6, "left_stop": 3, "right_stop": -3},
        {"counters": 2, "mean": -2.5, "temperature": 7.5, "left_stop": 0, "right_stop": -10},
        {"counters": 1, "mean": 0, "temperature": 5, "left_stop": 5, "right_stop": -5},
    ]);
    assert_eq!(found["states"], expect);
    let text = printed(&["thermo", "B6B1R4B7R3"], "");
    assert!(text.lines().nth(1).is_some_and(|line| line.contains("11/4") && line.contains("39/4")), "{text}");
    let found = json(&["thermo", "--game", "domineering", "../../..", "--json"]);
    assert_eq!((&found["form"], &found["mean"]), (&"{1/2|-2}".into(), &serde_json::json!(-0.75)));
    let file = temporary("thermograph.svg");
    printed(&["thermo", "B3R5B5", "--svg", &file], "");
    well_formed(&std::fs::read_to_string(&file).expect("a picture"));
    refused(&["thermo", "R3X5"], "heap \"R3X5\": expected R or B before a weight, found X at 3");
    refused(&["thermo", ""], "an empty heap");
    refused(&["thermo", "--game", "chess", ".."], "domineering");
    refused(&["thermo", "R3", "--svg", "/nowhere/at/all.svg"], "/nowhere/at/all.svg");
}

#[test]
fn agents_learn_orders() {
    let agent = "uct c=15 unit=points playout=maxi simulations=300";
    let found =
        json(&["learn", "heap-go", "heaps=3", "counters=3", "--agent", agent, "--games", "8", "--json"]);
    assert_eq!((&found["games"], &found["simulations"]), (&8.into(), &300.into()));
    // Three heaps of three counters have 27 pairs in different heaps.
    let pairs = found["pairs"].as_u64().unwrap() + found["ties"].as_u64().unwrap();
    assert_eq!(pairs, 8 * 27);
    let rate = found["match_excluding_ties"].as_f64().unwrap();
    assert!((50.0..=100.0).contains(&rate) && found["error"].as_f64().unwrap() > 0.0);
    assert!(found["match_strict"].as_f64().unwrap() <= rate);
    let again = json(&["learn", "heap-go heaps=3 counters=3", "--agent", agent, "--games", "8", "--json"]);
    assert_eq!(found, again);
    let text = printed(&["learn", "heap-go", "--games", "2", "--agent", "divide simulations=100"], "");
    assert!(text.contains("divide group=2 simulations=100") && text.contains("topweight"), "{text}");
    let listed = json(&["learn", "heap-go", "--position", "R3B5/B2R7", "--json"]);
    assert_eq!(listed["actions"].as_array().unwrap().len(), 4);
    assert!(printed(&["learn", "heap-go", "--position", "R3B5/B2R7"], "").contains("of 4 pairs match"));
    refused(&["learn", "hex"], "known: heap-go");
    refused(&["learn", ""], "an empty name is no game");
    refused(&["learn", "heap-go", "seed=3"], "seed=3 is one game");
    refused(&["learn", "heap-go", "--agent", "uct"], "learns no order");
    refused(&["learn", "heap-go", "--position", "X"], "expected R or B");
}

/// Players by thermographs play sums, and say so of other games.
#[test]
fn experts_play_what_they_know() {
    for agent in ["thermo", "sentestrat", "topweight", "exact"] {
        let found = json(&["search", "heap-go heaps=4 counters=4", "--agent", agent, "--json"]);
        assert!(found["best"].is_string(), "{agent}: {found}");
    }
    let hottest = json(&["search", "heap-go start=R1/B9/R2", "--agent", "thermo", "--json"]);
    assert_eq!(hottest["best"], "2");
    refused(&["search", "connect-four", "--agent", "thermo"], "thermo: it plays sums of games");
    refused(&["search", "heap-go start=R3/X2"], "found X at 1");
    refused(&["search", "heap-go weights=9..1"], "weights such as 1..10");
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

/// The first simulation in full, the other first tries in a table, then the action with the highest bound.
#[test]
fn explain_for_people() {
    let text = printed(&["explain", "tic-tac-toe", "--steps", "10", "--agent", "uct seed=1"], "");
    let expect = "\
tic-tac-toe, uct

  3 . . .
  2 . . .
  1 . . .
    a b c

x to move

simulation 1
  select    x takes a1, the first of 9 untried actions
  expand    not yet: a position gets its actions on its second visit
              3 . . .
              2 . . .
              1 x . .
                a b c
  simulate  b3 a3 b1 c2 c1 b2 c3 a2: x wins
  back up   worth 1 to x, 0 to o: a1 1.00 (1 pull)

simulations 2 to 9: other actions of the root are tried for the first time
      2  b1  6 random moves  x wins  mean 1.00
      3  c1  6 random moves  x wins  mean 1.00
      4  a2  5 random moves  o wins  mean 0.00
      5  b2  6 random moves  x wins  mean 1.00
      6  c2  7 random moves  o wins  mean 0.00
      7  a3  7 random moves  o wins  mean 0.00
      8  b3  7 random moves  o wins  mean 0.00
      9  c3  7 random moves  o wins  mean 0.00

simulation 10
  select    x takes a1 (1 pull, mean 1.00, bound 3.08, first of 4 equals); others: b1 3.08, c1 3.08,
            b2 3.08, ...
  expand    visited for the second time, the position gets its 8 actions; o tries b1 first
              3 . . .
              2 . . .
              1 x o .
                a b c
  simulate  c1 b2 a3 c3 c2 b3: o wins
  back up   worth 0 to x, 1 to o: b1 1.00 (1 pull), a1 1.00 -> 0.50 (2 pulls)

the root after 10 simulations

 action  pulls  mean  bound
 a1          2  0.50   2.00
 b1          1  1.00   3.12
 c1          1  1.00   3.12
 a2          1  0.00   2.12
 b2          1  1.00   3.12
 c2          1  0.00   2.12
 a3          1  0.00   2.12
 b3          1  0.00   2.12
 c3          1  0.00   2.12
";
    assert_eq!(text, expect);
}

#[test]
fn explain_where_there_are_no_bounds_and_no_moves() {
    let hex = |agent: &str| printed(&["explain", "hex size=3", "--steps", "30", "--agent", agent], "");
    let text = hex("uct");
    assert!(text.contains("played out in one go") && text.contains("bound"), "{text}");
    let text = hex("flat");
    assert!(!text.contains("bound") && text.contains("the tree may not grow deeper"), "{text}");
    let text = printed(&["explain", "hex", "--steps", "2"], "");
    assert!(text.contains("and 119 untried; --skip 121 begins when each has been tried"), "{text}");
    let text = printed(&["explain", "tic-tac-toe", "--position", "xox/xxo/o.o x", "--steps", "2"], "");
    assert!(
        text.contains("x takes b1, the only action") && text.contains("nothing: the game is over"),
        "{text}"
    );
}

/// Told simulations are those of a search with the same agent.
#[test]
fn explain_as_json() {
    let told = json(&["explain", "connect-four", "--skip", "290", "--steps", "10", "--json"]);
    let simulations = told["simulations"].as_array().expect("a list");
    let numbers: Vec<_> = simulations.iter().filter_map(|simulation| simulation["number"].as_u64()).collect();
    assert_eq!(numbers, (291..=300).collect::<Vec<_>>());
    let found = json(&["search", "connect-four", "--agent", "uct simulations=300", "--json"]);
    let arms = |value: &Value| -> Vec<_> {
        let arms = value["arms"].as_array().expect("a list").iter();
        arms.map(|arm| (arm["action"].clone(), arm["pulls"].clone(), arm["mean"].clone())).collect()
    };
    assert_eq!(arms(&told), arms(&found));
    for simulation in simulations {
        for choice in simulation["path"].as_array().expect("a list") {
            let chosen = &choice["arms"][choice["chosen"].as_u64().expect("an index") as usize];
            assert_eq!(chosen["action"], choice["action"]);
            let bounds = choice["arms"].as_array().expect("a list").iter().map(|arm| arm["bound"].as_f64());
            let highest = bounds.map(|bound| bound.unwrap_or(f64::INFINITY)).fold(0.0, f64::max);
            let bound = chosen["bound"].as_f64().unwrap_or(f64::INFINITY);
            assert!(bound == highest || highest - bound < 1e-5, "UCB1 takes the highest bound: {choice}");
        }
    }
}

/// A file of this name that nobody else writes.
fn temporary(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

fn tree_file(name: &str, arguments: &[&str]) -> String {
    let path = temporary(name);
    let all = [&["search"], arguments, &["--tree", &path]].concat();
    assert!(printed(&all, "").contains("simulations in"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Checks a node and all below: no more levels and actions than asked for, no more pulls below than above.
fn check_node(node: &Value, depth: usize, top: usize) {
    let children = node["children"].as_array().expect("a list");
    let pulls = |node: &Value| node["pulls"].as_u64().expect("a count");
    assert!(children.len() <= top && (depth > 0 || children.is_empty()), "{node}");
    let below: Vec<u64> = children.iter().map(pulls).collect();
    assert!(below.iter().sum::<u64>() <= pulls(node) && below.is_sorted_by(|a, b| a >= b), "{below:?}");
    for child in children {
        assert!(
            child["action"].is_string() && ["x", "o"].contains(&child["player"].as_str().expect("a name"))
        );
        assert!((0.0..=1.0).contains(&child["mean"].as_f64().expect("a number")) && pulls(child) > 0);
        assert_ne!(child["player"], node["player"], "players take turns");
        check_node(child, depth - 1, top);
    }
}

#[test]
fn trees_as_json() {
    // What the file held before is gone.
    std::fs::write(temporary("tree.json"), "x".repeat(100_000)).expect("a file");
    let text = tree_file("tree.json", &["connect-four"]);
    let tree: Value = serde_json::from_str(&text).expect("one JSON value");
    assert_eq!((&tree["pulls"], &tree["left_out"]), (&10_000.into(), &2.into()));
    check_node(&tree, 3, 5);
    let text = tree_file("whole.json", &["tic-tac-toe", "--depth", "9", "--top", "9", "--agent", "uct"]);
    let tree: Value = serde_json::from_str(&text).expect("one JSON value");
    check_node(&tree, 9, 9);
    let root = tree["children"].as_array().expect("a list");
    assert_eq!(root.iter().filter_map(|node| node["pulls"].as_u64()).sum::<u64>(), 10_000);
    // The simulation that made a node went to none of its actions.
    let below = root[0]["children"].as_array().expect("a list").iter();
    let sum: u64 = below.filter_map(|node| node["pulls"].as_u64()).sum();
    assert_eq!(Some(sum + 1), root[0]["pulls"].as_u64());
}

#[test]
fn trees_for_graphviz() {
    let text = tree_file("tree.dot", &["hex size=5", "--depth", "2", "--top", "3"]);
    assert!(text.starts_with("digraph tree {\n  label=\"hex size=5, uct\";\n") && text.ends_with("\n}\n"));
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("{"), count("}")), (1, 1));
    assert_eq!((count(" [label="), count(" -> ")), (1 + 3 + 9, 3 + 9));
    for line in text.lines() {
        assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        assert!(line.ends_with([';', '{', '}']), "{line}");
    }
}

#[test]
fn trees_as_pictures() {
    for (name, arguments) in [
        ("hex.svg", vec!["hex size=5", "--depth", "2", "--top", "3"]),
        ("nim.SVG", vec!["nim heaps=1,2 players=3", "--depth", "20", "--agent", "flat"]),
    ] {
        let text = tree_file(name, &arguments);
        well_formed(&text);
        assert!(text.contains("share of simulations"), "the legend is missing");
    }
    let text = tree_file("boxes.svg", &["connect-four", "--depth", "1", "--top", "4"]);
    // A title, a legend of one player and a line; four boxes and the root of three texts, less the root's mean, and +3.
    assert_eq!(text.matches("</text>").count(), 3 + 5 * 3 - 1 + 1, "{text}");
}

/// Every tag is closed in its order, and no attribute is left open.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for (index, part) in text.split('<').enumerate().skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("tag {index} has no end: {part}"));
        assert!(!after.contains('>') && tag.matches('"').count() % 2 == 0, "{part}");
        let name = tag.split_whitespace().next().expect("a name");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{part}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        let entities = after.split('&').skip(1);
        assert!(
            entities
                .into_iter()
                .all(|entity| ["amp;", "lt;", "gt;"].iter().any(|name| entity.starts_with(name)))
        );
    }
    assert!(open.is_empty() && text.starts_with("<svg "), "{open:?} are not closed");
}

/// A search that would take an hour is refused at once.
#[test]
fn bad_tree_files_are_refused_before_the_search() {
    let refused_tree = |arguments: &[&str], expect: &str| {
        refused(&[&["search", "hex", "--agent", "uct time=1h"], arguments].concat(), expect);
    };
    refused_tree(
        &["--tree", "tree.png"],
        "--tree tree.png: expected a name that ends in .json, .dot or .svg",
    );
    refused_tree(&["--tree", "tree"], "expected a name that ends in");
    refused_tree(&["--tree", "/no/such/folder/tree.svg"], "--tree /no/such/folder/tree.svg: No such file");
    let path = temporary("never.svg");
    refused_tree(&["--tree", &path, "--depth", "0"], "0 is not in 1..=20");
    refused_tree(&["--tree", &path, "--depth", "21"], "21 is not in 1..=20");
    refused_tree(&["--tree", &path, "--top", "0"], "0 is not in 1..=65534");
    refused_tree(&["--depth", "2"], "--tree <FILE>");
    refused(&["search", "hex", "--agent", "random", "--tree", &path], "agent random grows no tree");
    refused(&["search", "hex", "--agent", "uct memory=1kB", "--tree", &path], "memory=1kB is too small");
    assert!(!std::path::Path::new(&path).exists(), "nothing is left behind");
}

/// What the search found is shown even if its tree is too large to be drawn.
#[test]
fn a_tree_too_large_to_draw() {
    let path = temporary("large.svg");
    let output = aji(&["search", "hex", "--tree", &path, "--depth", "20", "--top", "400"], "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("more than the 5000 that are drawn; lower --depth or --top"), "{error}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("stopped by simulations"));
    assert!(!std::path::Path::new(&path).exists(), "nothing is left behind");
}
