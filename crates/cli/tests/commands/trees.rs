//! `aji search --tree`: trees as files.

use crate::shell::{Folder, aji, printed, refused, temporary, well_formed};
use serde_json::Value;

fn tree_file(name: &str, arguments: &[&str]) -> String {
    let path = temporary(name);
    let all = [&["search"], arguments, &["--tree", &path]].concat();
    assert!(printed(&all).contains("simulations in"));
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
    // The old contents of the file are gone.
    std::fs::write(temporary("tree.json"), "x".repeat(100_000)).expect("a file");
    let text = tree_file("tree.json", &["connect-four", "--agent", "uct c=0.5"]);
    let tree: Value = serde_json::from_str(&text).expect("one JSON value");
    assert_eq!((&tree["pulls"], &tree["left_out"]), (&10_000.into(), &2.into()));
    check_node(&tree, 3, 5);
    let text = tree_file("whole.json", &["tic-tac-toe", "--depth", "9", "--top", "9", "--agent", "uct"]);
    let tree: Value = serde_json::from_str(&text).expect("one JSON value");
    check_node(&tree, 9, 9);
    let root = tree["children"].as_array().expect("a list");
    assert_eq!(root.iter().filter_map(|node| node["pulls"].as_u64()).sum::<u64>(), 10_000);
    // The simulation that made a node took none of its actions.
    let below = root[0]["children"].as_array().expect("a list").iter();
    let sum: u64 = below.filter_map(|node| node["pulls"].as_u64()).sum();
    assert_eq!(Some(sum + 1), root[0]["pulls"].as_u64());
}

#[test]
fn trees_for_graphviz() {
    let text = tree_file("tree.dot", &["hex size=5", "--agent", "uct", "--depth", "2", "--top", "3"]);
    assert!(text.starts_with("digraph tree {\n  label=\"hex size=5, uct\";\n") && text.ends_with("\n}\n"));
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("{"), count("}")), (1, 1));
    // The actions not shown at the root and at its three children are one node each.
    assert_eq!((count(" [label="), count(" -> ")), (1 + 3 + 9 + 4, 3 + 9 + 4));
    assert_eq!((count(" more, "), count("penwidth=3]")), (4, 1));
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
    let text =
        tree_file("boxes.svg", &["connect-four", "--depth", "1", "--top", "4", "--agent", "uct c=0.5"]);
    // The texts: a title, one player and three lines; three for each of four boxes and the root, less the root's mean;
    // the rest.
    assert_eq!(text.matches("</text>").count(), 5 + 5 * 3 - 1 + 1, "{text}");
    assert_eq!(
        (text.matches(">3 more, ").count(), text.matches("class=\"chosen\"").count()),
        (1, 1),
        "{text}"
    );
}

/// The solver proves moves of the last plies: their boxes have two frames, and JSON says so.
#[test]
fn proven_moves_look_proven() {
    let arguments = ["tic-tac-toe", "--moves", "b2 a1 a3 c1 b1", "--agent", "uct solver=on", "--depth", "1"];
    let picture = tree_file("proven.svg", &arguments);
    assert!(picture.contains(">=1.00<") || picture.contains(">=0.50<"), "{picture}");
    let tree: Value = serde_json::from_str(&tree_file("proven.json", &arguments)).expect("one JSON value");
    let children = tree["children"].as_array().expect("a list");
    assert!(children.iter().any(|child| child["proven"] == true), "{tree}");
    let plain = tree_file("plain.svg", &[&arguments[..3], &["--agent", "uct", "--depth", "1"]].concat());
    assert!(!plain.contains(">=") && plain.contains("class=\"chosen\""), "{plain}");
}

/// The picture in `docs/tree.md` is what the command beside it draws.
#[test]
fn the_documents_show_what_is_drawn() {
    let arguments = [
        "connect-four",
        "--moves",
        "d d d d d c c c c a",
        "--agent",
        "uct solver=on simulations=20000",
        "--depth",
        "3",
        "--top",
        "3",
    ];
    let shown = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/search-tree.svg");
    let shown = std::fs::read_to_string(shown).expect("a picture");
    assert!(tree_file("shown.svg", &arguments) == shown, "docs/search-tree.svg is out of date");
}

/// For any depth and number of actions, the picture has at most 40 rows.
#[test]
fn pictures_of_large_trees_stay_small() {
    let text = tree_file("bounded.svg", &["hex size=5", "--depth", "20", "--top", "400"]);
    let height = text.split("height=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a height");
    assert!((1_000..=1_300).contains(&height.parse::<u32>().expect("a number")), "{height}");
}

/// A position that several actions lead to is one node with several lines to it.
#[test]
fn graphs_of_transpositions() {
    let agent = "uct transpositions=on simulations=3k";
    let text = tree_file("graph.json", &["nim heaps=2,2", "--agent", agent, "--depth", "2", "--top", "9"]);
    let graph: Value = serde_json::from_str(&text).expect("one JSON value");
    let nodes = graph["nodes"].as_array().expect("a list");
    let shared = nodes.iter().position(|node| node["position"] == "1,1 1").expect("a shared position");
    let ways = graph["ways"].as_array().expect("a list").iter();
    assert_eq!(ways.filter(|way| way["to"] == shared).count(), 2, "{graph}");
    assert_eq!(nodes.iter().filter(|node| node["position"] == "1,1 1").count(), 1);
    let text = tree_file("graph.dot", &["nim heaps=2,2", "--agent", agent, "--depth", "2", "--top", "9"]);
    assert_eq!(text.matches(" -> ").count(), graph["ways"].as_array().map_or(0, Vec::len), "{text}");
    assert_eq!(text.matches("tooltip=").count(), nodes.len(), "{text}");
    let text = tree_file("graph.svg", &["tic-tac-toe", "--agent", agent, "--depth", "3", "--top", "3"]);
    well_formed(&text);
    assert!(text.contains("several actions lead there") && text.contains("stroke-width=\"3\""), "{text}");
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
    refused_tree(&["--tree", "/no/such/folder/tree.svg"], "--tree /no/such/folder/tree.svg: no such file");
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
    let path = temporary("large.dot");
    let output = aji(&["search", "hex", "--tree", &path, "--depth", "20", "--top", "400"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("more than the 5000 that are drawn; lower --depth or --top"), "{error}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("stopped by simulations"));
    assert!(!std::path::Path::new(&path).exists(), "nothing is left behind");
}

/// The strongest agent of a small game is exact play, which grows no tree.
#[test]
fn another_agent_in_place_of_exact_play_is_told() {
    let folder = Folder::new("trees/instead");
    let output = folder.aji(&["search", "tic-tac-toe", "--tree", "tree.svg"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error, "exact, the strongest agent known here, grows no tree: uct searches instead\n");
    assert!(output.status.success() && folder.read("tree.svg").starts_with("<svg"));
}

/// A tree of a search with a network has the priors, in all three forms, and says where it comes from.
#[test]
fn trees_have_priors() {
    let arguments = ["connect-four", "--agent", "alphazero simulations=40", "--depth", "2", "--top", "9"];
    let tree: Value = serde_json::from_str(&tree_file("priors.json", &arguments)).expect("one JSON value");
    assert_eq!((&tree["game"], &tree["agent"]), (&"connect-four".into(), &"alphazero simulations=40".into()));
    assert!(tree["evaluation"].is_number() && tree["prior"].is_null(), "{tree}");
    let children = tree["children"].as_array().expect("a list");
    assert!(!children.is_empty() && children.iter().all(|child| child["prior"].is_number()), "{tree}");
    assert!(tree_file("priors.dot", &arguments).contains(" p0."));
    let picture = tree_file("priors.svg", &arguments);
    assert!(picture.contains(" p0.") || picture.contains(" p1."), "{picture}");
    assert!(picture.contains("p and prior, simulations"), "{picture}");
    well_formed(&picture);
    let plain = tree_file("no-priors.svg", &["connect-four", "--agent", "uct simulations=40"]);
    assert!(!plain.contains("p and prior"), "{plain}");
    let path = temporary("told.svg");
    let text = printed(&["search", "tic-tac-toe", "--agent", "uct simulations=40", "--tree", &path]);
    assert!(text.ends_with(&format!("\nthe tree is in {path}\n")), "{text}");
}
