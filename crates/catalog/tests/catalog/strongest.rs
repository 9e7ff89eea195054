//! The default agent of each game.

use aji_catalog::{AgentName, Entry, GAMES, Method, Session, agent_for, session};
use aji_search::Turn;

fn session_of(game: &str) -> Box<dyn Session> {
    session(game).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_game_has_one_that_plays_it() {
    for entry in GAMES {
        let strongest: AgentName = entry.strongest.agent.parse().unwrap_or_else(|error| panic!("{error}"));
        session_of(entry.word).accepts(&strongest).unwrap_or_else(|error| panic!("{}: {error}", entry.word));
        assert_eq!(strongest.to_string(), entry.strongest.agent, "{}: as it is printed", entry.word);
        assert!(entry.strongest.shown_by.contains("`aji "), "{}: the command that shows it", entry.word);
        for board in entry.strongest.boards {
            assert_eq!(agent_for(board.game).unwrap().to_string(), board.agent, "{}", board.game);
            session_of(board.game).accepts(&board.agent.parse().unwrap()).unwrap();
        }
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
    check("connect-four", "alphazero");
    check("hex size=7", "alphazero");
    check("othello size=6", "alphazero");
    check("othello", "alphabeta");
    check("go komi=7.5 size=7", "alphazero");
    check("go komi=6.5 size=7", "rave playout=atari");
    // The spelling of a board does not matter.
    for same in ["komi=7.50", "komi=7.5 eyes=keep", "ko=positional", "suicide=off eyes=fill", "komi=75e-1"] {
        check(&format!("go size=7 {same}"), "alphazero");
    }
    check("go size=7 ko=simple", "rave playout=atari");
    check("hex size=07", "alphazero");
    check("sailing size=10", "uct c=300 playout=mast(temperature=0.02) unit=points");
    check("clobber", "uct c=0.35 solver=on");
}

#[test]
fn unknown_games_have_none() {
    let error = agent_for("connect-fourr").expect_err("no such game").to_string();
    assert!(error.contains("connect-four"), "{error}");
}

/// The default agents play Nim right with any seed, and do not take the taxi of the Canadian traveller.
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

/// The 95% intervals of a text, "(0.591 to 0.714)".
fn intervals(text: &str) -> Vec<(f64, f64)> {
    let read = |part: &str| {
        let (low, rest) = part.split_once(" to ")?;
        Some((low.parse().ok()?, rest.split_once(')')?.0.parse().ok()?))
    };
    text.split('(').filter_map(read).collect()
}

/// A match shows that the agent of each game is stronger, or its entry says that no match does.
#[test]
fn matches_decide_for_the_strongest() {
    for Entry { word, strongest, .. } in GAMES {
        let boards = strongest.boards.iter().map(|board| board.shown_by);
        for text in boards.chain([strongest.shown_by]) {
            let intervals = intervals(text);
            let is_solved = text.contains("no agent plays better");
            let says_none = text.contains("none ");
            assert!(!intervals.is_empty() || is_solved, "{word}: {text}");
            let is_decided = intervals.iter().any(|&(low, high)| low > 0.5 && high <= 1.0);
            assert!(is_decided || is_solved || says_none, "{word}: {text}");
        }
    }
}

/// Every game of Toads and Frogs that has a move is solved at once. Those with the most rows are the largest.
#[test]
fn toads_and_frogs_are_solved() {
    let mut solved = 0;
    for toads in 0..=8 {
        for gap in 0..=8 - toads {
            for frogs in 0..=8 - toads - gap {
                let game = format!("toads-and-frogs rows=8 toads={toads} gap={gap} frogs={frogs}");
                let Ok(session) = session(&game) else { continue };
                if session.turn() != Turn::Over {
                    let agent = agent_for(&game).unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(agent.to_string(), "exact", "{game}");
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 50, "{solved} games");
}
