//! Sums of games: values, thermographs, agents that learn them, agents that play by thermographs.

use crate::shell::{json, printed, refused, temporary, well_formed};

#[test]
fn combinatorial_games() {
    assert_eq!(printed(&["cgt", "{3|-1} + +-5 > *"]), "false\n");
    assert_eq!(printed(&["cgt", "-^ + {0|*}"]), "0\n");
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
    let text = printed(&["thermo", "B6B1R4B7R3"]);
    assert!(text.lines().nth(1).is_some_and(|line| line.contains("11/4") && line.contains("39/4")), "{text}");
    let found = json(&["thermo", "--game", "domineering", "../../..", "--json"]);
    assert_eq!((&found["form"], &found["mean"]), (&"{1/2|-2}".into(), &serde_json::json!(-0.75)));
    let file = temporary("thermograph.svg");
    printed(&["thermo", "B3R5B5", "--svg", &file]);
    well_formed(&std::fs::read_to_string(&file).expect("a picture"));
    refused(&["thermo", "R3X5"], "heap \"R3X5\": expected R or B before a weight, found X at 3");
    refused(&["thermo", ""], "an empty heap");
    refused(&["thermo", "--game", "chess", ".."], "domineering");
    // The picture in `docs/thermography.md`.
    printed(&["thermo", "B6B1R4B7R3", "--svg", &file]);
    let shown = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/thermograph.svg");
    let [drawn, shown] = [file.as_str(), shown].map(|path| std::fs::read_to_string(path).expect("a picture"));
    assert!(drawn == shown, "docs/thermograph.svg is out of date");
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
    let text = printed(&["learn", "heap-go", "--games", "2", "--agent", "divide simulations=100"]);
    assert!(text.contains("divide group=2 simulations=100") && text.contains("topweight"), "{text}");
    let listed = json(&["learn", "heap-go", "--position", "R3B5/B2R7", "--json"]);
    assert_eq!(listed["actions"].as_array().unwrap().len(), 4);
    assert!(printed(&["learn", "heap-go", "--position", "R3B5/B2R7"]).contains("of 4 pairs match"));
    refused(&["learn", "hex"], "known: heap-go");
    refused(&["learn", ""], "the name of the game is empty");
    refused(&["learn", "heap-go", "seed=3"], "seed=3 is one game");
    assert_eq!(
        (&found["game"], &found["interrupted"]),
        (&"heap-go heaps=3 counters=3".into(), &false.into())
    );
    assert!(found["topweight"]["match_excluding_ties"].is_number(), "{found}");
    refused(&["learn", "heap-go", "--agent", "uct"], "agent uct learns no order");
    refused(&["learn", "heap-go", "--position", "B2R6+R7R5"], "found + at 5; / separates heaps");
    refused(&["learn", "heap-go", "--position", "X"], "expected R or B");
}

/// Agents that play by thermographs play sums, and refuse other games.
#[test]
fn experts_play_what_they_know() {
    for agent in ["thermo", "sentestrat", "topweight", "exact"] {
        let found = json(&["search", "heap-go heaps=4 counters=4", "--agent", agent, "--json"]);
        assert!(found["best"].is_string(), "{agent}: {found}");
    }
    let hottest = json(&["search", "heap-go start=R1/B9/R2", "--agent", "thermo", "--json"]);
    assert_eq!(hottest["best"], "2");
    refused(&["search", "connect-four", "--agent", "thermo"], "thermo: it plays only sums of games");
    refused(&["search", "heap-go start=R3/X2"], "found X at 1");
    refused(&["search", "heap-go weights=9..1"], "weights such as 1..10");
}
