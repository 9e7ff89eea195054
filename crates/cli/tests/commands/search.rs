//! `aji search`: for people and machines, by every agent in every game; and traps, where it errs.

use crate::shell::{json, printed, refused};
use serde_json::Value;

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
fn search_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x"]);
    assert!(text.contains("x to move: c3"), "{text}");
    let text = printed(&["search", "connect-four", "--agent", "uct memory=100kB simulations=30000"]);
    assert!(text.contains("was full") && text.contains("the search went on"), "{text}");
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
        "go size=5",
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
    for game in &games[..13] {
        assert!(
            json(&["search", game, "--agent", "alphabeta depth=2", "--json"])["best"].is_string(),
            "{game}"
        );
    }
    for game in &games[13..] {
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
fn exact_play_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x", "--agent", "exact"]);
    assert!(text.contains("x to move: c3, worth 1.000") && text.contains("; solved"), "{text}");
    assert!(text.contains("action   value") || text.contains("action  value"), "{text}");
    let found = json(&["search", "connect-four", "--agent", "alphabeta depth=4", "--json"]);
    assert_eq!((&found["stopped"], &found["best"]), (&"depth".into(), &"d".into()), "{found}");
    refused(&["search", "connect-four", "--agent", "exact memory=1MB"], "exact: connect-four has more than");
    refused(&["search", "nim players=3", "--agent", "alphabeta"], "has 3 players");
}

#[test]
fn traps_are_found_and_told() {
    let hunt = ["traps", "hex size=5", "--plies", "4..14", "--tries", "150", "--most", "1", "--json"];
    let found: Value = serde_json::from_str(&printed(&hunt)).expect("a trap among 150 positions");
    assert!(found["blunder_value"].as_f64() < found["answer_value"].as_f64(), "{found}");
    refused(&["traps", "hex", "--plies", "9..3"], "expected a range of plies such as 8..24");
    refused(&["traps", "hex", "--witness", "uct solver=yes"], "expected on or off");
}
