//! `aji explain`: simulations in words.

use crate::shell::{command, json, printed};
use serde_json::Value;

/// The first simulation in full, the other first tries in a table, then the action with the highest bound.
#[test]
fn explain_for_people() {
    let text = printed(&["explain", "tic-tac-toe", "--steps", "10", "--agent", "uct seed=1"]);
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
    let hex = |agent: &str| printed(&["explain", "hex size=3", "--steps", "30", "--agent", agent]);
    let text = hex("uct");
    assert!(!text.contains("moves not told") && text.contains("bound"), "{text}");
    assert!(!hex("uct playout=mast").contains("not tell"));
    let text = hex("flat");
    assert!(!text.contains("bound") && text.contains("the tree may not grow deeper"), "{text}");
    let text = printed(&["explain", "hex", "--steps", "2"]);
    assert!(text.contains("and 119 untried; try --skip 121"), "{text}");
    let text = printed(&["explain", "tic-tac-toe", "--position", "xox/xxo/o.o x", "--steps", "2"]);
    assert!(
        text.contains("x takes b1, the only action") && text.contains("nothing: the game is over"),
        "{text}"
    );
}

/// The explained simulations are those of a search with the same agent.
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

/// PUCT takes the action of the highest score, mean + c prior sqrt(n) / (1 + pulls), with c = 1.25 and 1/2 for the mean
/// of an untried action.
#[test]
fn scores_of_puct_are_shown() {
    let arguments = ["explain", "tic-tac-toe", "--agent", "alphazero", "--skip", "20", "--steps", "5"];
    let found = json(&[&arguments[..], &["--json"]].concat());
    let mut choices = 0;
    for choice in
        found["simulations"].as_array().unwrap().iter().flat_map(|told| told["path"].as_array().unwrap())
    {
        let arms = choice["arms"].as_array().unwrap();
        let number = |arm: &Value, field: &str| arm[field].as_f64().unwrap();
        let visits = number(choice, "visits").max(1.0);
        let score = |arm: &Value| {
            arm["mean"].as_f64().unwrap_or(0.5)
                + 1.25 * number(arm, "prior") * visits.sqrt() / (1.0 + number(arm, "pulls"))
        };
        assert!(arms.iter().all(|arm| (number(arm, "score") - score(arm)).abs() < 1e-5), "{choice}");
        let chosen = &arms[choice["chosen"].as_u64().unwrap() as usize];
        assert!(arms.iter().all(|arm| score(arm) <= score(chosen) + 1e-5), "{choice}");
        choices += 1;
    }
    assert!(choices >= 10, "{choices}");
    let text = printed(&arguments);
    assert!(text.contains(", prior 0.") && text.contains(", score "), "{text}");
    assert!(text.contains(" action  pulls  mean  prior  score\n"), "{text}");
}

/// Lines end at the width of the window.
#[test]
fn lines_fit_the_window() {
    for columns in [40, 60] {
        for words in [
            &["explain", "tic-tac-toe", "--skip", "20", "--steps", "3"][..],
            &["search", "connect-four", "--agent", "uct"],
        ] {
            let output = command(words).env("COLUMNS", columns.to_string()).output().expect("aji runs");
            let text = String::from_utf8(output.stdout).expect("text");
            let wide = text.lines().find(|line| line.chars().count() > columns);
            assert_eq!(wide, None, "{columns}: {text}");
        }
    }
}

#[test]
fn rules_without_a_bound_are_named_as_such() {
    let text =
        printed(&["explain", "tic-tac-toe", "--agent", "uct root=thompson", "--skip", "30", "--steps", "1"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("; others: ") && text.contains("; Takes the highest of one drawn value"), "{text}");
}

/// The replies of a victim are predicted, not drawn by chance.
#[test]
fn victims_are_predicted() {
    let agent = "amcts victim=(uct simulations=20) model=r simulations=10";
    let output =
        crate::shell::aji(&["explain", "tic-tac-toe", "--agent", agent, "--skip", "60", "--steps", "1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("o (predicted) takes ") && !text.contains("chance"), "{text}");
}

/// A playout that counts is told with its moves, its result and its share.
#[test]
fn playouts_beside_a_network_are_told() {
    let told = |agent: &str| printed(&["explain", "tic-tac-toe", "--steps", "2", "--agent", agent]);
    let alone = told("alphazero lambda=1");
    assert!(!alone.contains("the network values it") && alone.contains(" wins\n"), "{alone}");
    let mixed = told("alphazero lambda=0.25");
    assert!(
        mixed.contains(" wins; that counts 0.25, and the") && mixed.contains("network's value 0.75"),
        "{mixed}"
    );
    let net = told("alphazero");
    assert!(net.contains("simulate  the network values it\n"), "{net}");
    let found =
        json(&["explain", "tic-tac-toe", "--steps", "1", "--agent", "alphazero lambda=0.25", "--json"]);
    let told = &found["simulations"][0];
    assert_eq!((&told["by_network"], &told["playout_share"]), (&true.into(), &0.25.into()));
    assert!(
        told["playout"].as_array().is_some_and(|moves| !moves.is_empty()) && told["payoff"].is_array(),
        "{told}"
    );
}

/// Only a rule that tries every action first leaves none untried after as many simulations.
#[test]
fn priors_are_told_as_they_are() {
    let text = printed(&["explain", "hex size=7", "--steps", "2", "--agent", "alphazero"]);
    assert!(text.contains(" ... and 48 untried\n"), "{text}");
    let text = printed(&["explain", "hex size=7", "--steps", "1", "--agent", "gumbel"]);
    assert!(text.contains("which has the highest prior of 49 untried"), "{text}");
    let text = printed(&["explain", "hex size=7", "--steps", "1", "--agent", "gumbel root=gumbel"]);
    assert!(text.contains("which its prior and the noise chose"), "{text}");
    let text = printed(&["explain", "connect-four", "--agent", "alphazero", "--skip", "300", "--steps", "1"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let back_up = text.split("back up").nth(1).expect("a line");
    assert!(back_up.contains("other means stay as they were") && !back_up.contains("0.48 -> 0.48"), "{text}");
    let priors: Vec<&str> = text.split("prior ").skip(1).collect();
    assert!(priors.iter().all(|prior| !prior.starts_with("0.00,") && !prior.starts_with("0.00)")), "{text}");
}
