//! The agent of each game where nobody says which.

use aji_catalog::{AgentName, GAMES, Method, agent_for, session};

#[test]
fn every_game_has_one_that_plays_it() {
    for entry in GAMES {
        let strongest: AgentName = entry.strongest.agent.parse().unwrap_or_else(|error| panic!("{error}"));
        let session = session(entry.word).unwrap_or_else(|error| panic!("{error}"));
        session.accepts(&strongest).unwrap_or_else(|error| panic!("{}: {error}", entry.word));
        assert_eq!(strongest.to_string(), entry.strongest.agent, "{}: as it is printed", entry.word);
        assert!(entry.strongest.shown_by.contains("`aji "), "{}: the command that shows it", entry.word);
    }
}

#[test]
fn small_games_are_solved() {
    let check = |game: &str, expect: &str| {
        let agent = agent_for(game).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(agent.to_string(), expect, "{game}");
    };
    for game in ["tic-tac-toe", "mnk", "nim", "nim players=3", "heap-go", "toads-and-frogs", "sum"] {
        check(game, "exact");
    }
    check("sailing", "exact");
    check("canadian-traveller", "exact");
    check("hex size=3", "exact");
    check("hex", "rave");
    check("mnk m=15 n=15 k=5", "rave");
    check("domineering rows=4 columns=4", "exact");
    check("domineering", "rave");
    check("go", "rave playout=atari");
    check("connect-four", "uct c=0.5");
    check("sailing size=10", "uct c=100 unit=points");
}

#[test]
fn unknown_games_have_none() {
    let error = agent_for("connect-fourr").expect_err("no such game").to_string();
    assert!(error.contains("connect-four"), "{error}");
}

/// Where nobody says which, Nim is played right by any seed, and the traveller does not take the taxi.
#[test]
fn defaults_play_well() {
    for (game, wrong) in [("nim", &["2:1", "3:1"][..]), ("canadian-traveller", &["taxi"][..])] {
        let agent = agent_for(game).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(agent.method, Method::Exact);
        let mut session = session(game).unwrap_or_else(|error| panic!("{error}"));
        let report = session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let best = report.best.expect("an action");
        assert!(!wrong.contains(&best.as_str()) && report.proven == report.value, "{game}: {best}");
    }
}
