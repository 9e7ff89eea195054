//! Texts for newcomers: rules of games and options of all names, and graphs with the names of their actions.

use aji_catalog::{AgentName, GAMES, PlayoutName, guide, known_rule_options, session};
use std::collections::BTreeSet;

/// Every game has rules of a few short sentences, and every option of its entry is explained.
#[test]
fn every_game_has_a_guide() {
    for game in GAMES {
        let guide = guide(game.word).unwrap_or_else(|| panic!("{} has no guide", game.word));
        assert!(guide.rules.contains("A move is") && !guide.rules.contains("  "), "{}", game.word);
        for sentence in guide.rules.split(['.', ';']) {
            assert!(sentence.split_whitespace().count() <= 30, "{}: {sentence}", game.word);
        }
        for (key, what, takes) in guide.options {
            assert!(game.options.contains(&format!("{key}=")), "{}: {key} in {}", game.word, game.options);
            assert!(!what.is_empty() && !takes.is_empty(), "{}: {key}", game.word);
        }
        let keys = game.options.split_whitespace().filter_map(|word| word.split_once('='));
        for (key, _) in keys {
            assert!(guide.options.iter().any(|option| option.0 == key), "{}: {key}=", game.word);
        }
    }
}

/// Every listed option can be given, and none is listed twice.
#[test]
fn options_exist() {
    for (word, _) in AgentName::KNOWN.into_iter().filter(|(word, _)| !word.starts_with("gtp")) {
        let options = AgentName::known_options(word).expect(word);
        for option in &options {
            // Any text except the empty one names a file.
            let wrong = if option.key == "net" { "net=".into() } else { format!("{}=?", option.key) };
            let victim = if ["look", "model", "replies", "by"].contains(&option.key)
                || word == "amcts" && option.key != "victim"
            {
                "victim=(uct) "
            } else {
                ""
            };
            let error = format!("{word} {victim}{wrong}").parse::<AgentName>().unwrap_err().to_string();
            assert!(error.contains(&format!("{wrong}: expected")), "{error}");
            assert_eq!(options.iter().filter(|other| other.key == option.key).count(), 1);
        }
    }
    for (word, _) in PlayoutName::KNOWN {
        for option in PlayoutName::known_options(word).expect(word) {
            let name = format!("uct playout={word}({}=?)", option.key);
            let error = name.parse::<AgentName>().unwrap_err().to_string();
            assert!(error.contains(&format!("{}=?: expected", option.key)), "{error}");
        }
    }
    let ucb1 = &known_rule_options("ucb1").expect("a rule")[0];
    assert_eq!((ucb1.key, ucb1.takes.as_str()), ("c", "a number from 0 to 1000000 (1.4)"));
    assert!(ucb1.summary.contains("uncertain arms"), "{ucb1:?}");
    assert_eq!((AgentName::known_options("utc"), known_rule_options("utc")), (None, None));
}

/// Two stones in two heaps: both orders of taking one from each lead to the same position, which is drawn once.
#[test]
fn shared_positions_are_drawn_once() {
    let mut session = session("nim heaps=2,2").expect("a game");
    let agent = "uct transpositions=on simulations=2000".parse().expect("an agent");
    assert_eq!(session.graph(3, 9), None);
    session.think(&agent, &mut ()).expect("a report");
    assert!(session.tree(&[], 3, 9).is_none());
    let graph = session.graph(2, 9).expect("a graph");
    let positions: BTreeSet<&str> = graph.nodes.iter().map(|node| node.position.as_str()).collect();
    assert_eq!(positions.len(), graph.nodes.len(), "{graph:?}");
    let shared = graph.nodes.iter().position(|node| node.position == "1,1 1").expect("the shared position");
    let ways: Vec<&str> =
        graph.ways.iter().filter(|way| way.to == shared).map(|way| way.action.as_str()).collect();
    assert_eq!(BTreeSet::from_iter(ways), BTreeSet::from(["1:1", "2:1"]));
    assert_eq!((graph.nodes[0].visits, graph.nodes[shared].level), (2000, 2));
    assert!(graph.ways.iter().all(|way| graph.nodes[way.to].level <= graph.nodes[way.from].level + 1));
}
