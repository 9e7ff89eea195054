//! Programs by name, in sessions. The tests of `aji-gtp-client`, which has the script, cover the protocol.

use aji_catalog::{AgentName, Session, session};
use aji_search::{Stopped, Turn};
use std::fs;
use std::path::PathBuf;

/// An empty log for this test, and the name of a program that writes it and gives these answers.
fn fake(test: &str, answers: &str) -> (PathBuf, AgentName) {
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.log"));
    let _ = fs::remove_file(&log);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../gtp-client/tests/programs/fake_gtp.sh");
    let name = format!("gtp(timeout=2s): sh '{script}' '{}' '' {answers}", log.display());
    (log, name.parse().expect("an agent"))
}

/// Lets the program think, and plays its move.
fn answer(session: &mut dyn Session, agent: &AgentName) {
    let chosen = session.think(agent, &mut ()).expect("a reply").best.expect("a move");
    session.play(&chosen).expect("a legal move");
}

#[test]
fn a_program_follows_the_game() {
    let (log, agent) = fake("follows", "C3 die D3");
    let mut session = session("go size=5 komi=0.5").expect("a game");
    answer(session.as_mut(), &agent);
    session.play("B2").expect("a legal move");
    assert_eq!(session.restarts(), 0);
    answer(session.as_mut(), &agent);
    assert_eq!((session.text().as_str(), session.restarts()), ("...../...../..xx./.o.../..... o", 1));
    let set_up = ["start", "boardsize 5", "clear_board", "komi 0.5"];
    let moves = ["play black C3", "play white B2", "genmove black"];
    let expect = [&set_up[..], &["genmove black"], &moves[1..], &set_up, &moves].concat();
    let heard = fs::read_to_string(log).expect("a log");
    assert_eq!(heard.lines().collect::<Vec<_>>(), expect);
}

#[test]
fn resigning_ends_the_game() {
    let (_, agent) = fake("resigns", "C3 Resign");
    let mut session = session("go size=5").expect("a game");
    answer(session.as_mut(), &agent);
    session.play("B2").expect("a legal move");
    let report = session.think(&agent, &mut ()).expect("a reply");
    assert_eq!((report.best, report.stopped), (None, Stopped::Resigned));
    assert_eq!(session.turn(), Turn::Player(0));
    session.resign().expect("black is to move");
    assert_eq!((session.turn(), session.resigned()), (Turn::Over, Some(0)));
    assert_eq!(session.payoff().map(|payoff| [payoff.of(0), payoff.of(1)]), Some([-1.0, 1.0]));
    assert!(session.actions().is_empty() && session.play("A1").is_err());
    assert!(session.resign().is_err() && session.undo());
    assert_eq!((session.turn(), session.payoff()), (Turn::Player(0), None));
}

#[test]
fn a_player_alone_cannot_resign() {
    assert!(session("sailing size=3").expect("a game").resign().is_err());
}

#[test]
fn errors_begin_with_the_name() {
    let (_, agent) = fake("illegal", "C3");
    let mut go = session("go size=5").expect("a game");
    go.play("C3").expect("a legal move");
    let error = go.think(&agent, &mut ()).expect_err("no reply").to_string();
    let expect = format!("{agent}: disagreement on legality: it plays C3 for white (o), which is not legal");
    assert!(error.starts_with(&expect) && error.contains("\n  3 . . x . . 3\n"), "{error}");
    let missing: AgentName = "gtp: no-such-program".parse().expect("an agent");
    let error = go.accepts(&missing).expect_err("no program").to_string();
    let expect = "gtp: no-such-program: no program no-such-program on the PATH or in /usr/games; \
                  install it, or give its path";
    assert_eq!(error, expect);
    let missing: AgentName = "gtp: ./no/such --mode gtp".parse().expect("an agent");
    let error = go.accepts(&missing).expect_err("no program").to_string();
    assert_eq!(error, "gtp: ./no/such --mode gtp: there is no file ./no/such");
}

#[test]
fn programs_play_go_alone() {
    let agent: AgentName = "gtp: sh".parse().expect("an agent");
    assert_eq!(session("go").unwrap().accepts(&agent), Ok(()));
    let error = session("hex size=5").unwrap().accepts(&agent).unwrap_err().to_string();
    assert_eq!(error, "gtp: sh: it plays only go, not hex size=5; use uct");
}
