//! Programs that speak GTP as agents: what they are told, and what comes of what they say. The program is a script
//! (`programs/fake_gtp.sh`) that writes down what it hears.

use aji_catalog::{AgentName, Session, session};
use aji_search::{Report, Stopped, Turn};
use std::fs;
use std::path::PathBuf;

/// A program, and a game of Go to play.
struct Table {
    session: Box<dyn Session>,
    agent: AgentName,
    log: PathBuf,
}

impl Table {
    /// `test` is a word of the test's own; what the program refuses and answers is told in its script.
    fn new(game: &str, test: &str, refused: &str, answers: &str) -> Table {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let log = folder.join(format!("{test}.log"));
        let _ = fs::remove_file(&log);
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/fake_gtp.sh");
        let name = format!("gtp(timeout=2s): sh '{program}' '{}' '{refused}' {answers}", log.display());
        Table { session: session(game).expect("a game"), agent: name.parse().expect("an agent"), log }
    }

    fn try_think(&mut self) -> Result<Report<String>, String> {
        self.session.think(&self.agent, &mut ()).map_err(|error| error.to_string())
    }

    /// What the program plays, or none if it resigns.
    fn think(&mut self) -> Option<String> {
        self.try_think().expect("a reply").best
    }

    fn play(&mut self, moves: &str) {
        for name in moves.split_whitespace() {
            self.session.play(name).expect("a legal move");
        }
    }

    /// Lets the program think, and plays what it says.
    fn answer(&mut self) {
        let chosen = self.think().expect("a move");
        self.play(&chosen);
    }

    fn heard(&self) -> Vec<String> {
        fs::read_to_string(&self.log).expect("a log").lines().map(String::from).collect()
    }

    /// The error has all these.
    fn fails(&mut self, expect: &[&str]) -> String {
        let error = self.try_think().expect_err("no reply");
        for part in expect {
            assert!(error.contains(part), "{part}: {error}");
        }
        error
    }
}

#[test]
fn a_program_follows_the_game() {
    let mut table = Table::new("go size=5 komi=0.5", "follows", "", "C3 d3 PASS");
    table.answer();
    table.play("B2");
    table.answer();
    table.play("pass");
    table.answer();
    assert_eq!(table.session.turn(), Turn::Over);
    let expect = [
        "start",
        "boardsize 5",
        "clear_board",
        "komi 0.5",
        "genmove black",
        "play white B2",
        "genmove black",
        "play white pass",
        "genmove black",
    ];
    assert_eq!(table.heard(), expect);
}

/// Large boards have letters without I, and numbers of two digits.
#[test]
fn a_program_plays_large_boards() {
    let mut table = Table::new("go size=19", "large", "", "T19");
    table.play("J10");
    assert_eq!(table.think(), Some("T19".into()));
    assert_eq!(
        table.heard()[1..],
        ["boardsize 19", "clear_board", "komi 7.5", "play black J10", "genmove white"]
    );
}

#[test]
fn positions_are_set_up_with_a_ko_or_a_pass() {
    let check = |test, position: &str, expect: &[&str]| {
        let mut table = Table::new("go size=3", test, "", "pass");
        table.session.set_position(position).expect("a position");
        table.answer();
        assert_eq!(table.heard()[4..], *expect, "{position}");
    };
    check("stones", "..o/.x./x.. o", &["play black A1", "play black B2", "play white C3", "genmove white"]);
    check(
        "pass",
        "..o/.x./x.. x passed",
        &["play black A1", "play black B2", "play white C3", "play white pass", "genmove black"],
    );
    // Black has just taken at A1 from B1.
    let mut table = Table::new("go size=5", "ko", "", "A1");
    table.session.set_position("...../...../...../xo.../.xo.. o ko=A1").expect("a position");
    let error = table.fails(&["which is not legal", "it takes back a ko", "ko=positional suicide=off"]);
    assert!(error.contains("\n  2 x o . . . 2\n"), "{error}");
    let heard = table.heard();
    assert_eq!(heard[heard.len() - 3..], ["play white A1", "play black B1", "genmove white"]);
}

/// Who asks for a hint need not take it: the program has played it on its own board.
#[test]
fn a_move_that_is_not_played_is_taken_back() {
    let mut table = Table::new("go size=5", "hint", "", "C3 E5 E4");
    assert_eq!(table.think(), Some("C3".into()));
    table.play("D4 B2");
    assert_eq!(table.think(), Some("E5".into()));
    assert_eq!(table.think(), Some("E4".into()));
    let heard = table.heard();
    let again = ["boardsize 5", "clear_board", "komi 7.5", "play black D4", "play white B2", "genmove black"];
    assert_eq!(heard[5..], [again, again].concat());
}

#[test]
fn resigning_ends_the_game() {
    let mut table = Table::new("go size=5", "resigns", "", "C3 Resign");
    table.answer();
    table.play("B2");
    let report = table.try_think().expect("a reply");
    assert_eq!((report.best, report.stopped), (None, Stopped::Resigned));
    assert_eq!(table.session.turn(), Turn::Player(0));
    table.session.resign().expect("black is to move");
    assert_eq!((table.session.turn(), table.session.resigned()), (Turn::Over, Some(0)));
    assert_eq!(table.session.payoff().map(|payoff| [payoff.of(0), payoff.of(1)]), Some([-1.0, 1.0]));
    assert!(table.session.actions().is_empty() && table.session.play("A1").is_err());
    assert!(table.session.resign().is_err() && table.session.undo());
    assert_eq!((table.session.turn(), table.session.payoff()), (Turn::Player(0), None));
    let mut alone = session("sailing size=3").expect("a game");
    assert!(alone.resign().is_err());
}

#[test]
fn disagreements_are_shown() {
    let mut table = Table::new("go size=5", "illegal", "", "C3");
    table.play("C3");
    let error = table.fails(&[
        "disagreement on legality: it plays C3 for white (o), which is not legal by our rules",
        "there is a stone",
        "white (o) to move; position \"...../...../..x../...../..... o\"",
    ]);
    assert!(error.starts_with("gtp(timeout=2s): sh ") && error.contains("\n  3 . . x . . 3\n"), "{error}");
    let mut table = Table::new("go size=5", "suicide", "", "A1");
    table.session.set_position("...../...../...../x..../.x... o").expect("a position");
    table.fails(&["it is suicide"]);
    let mut table = Table::new("go size=5", "refuses", "play white C3", "D4");
    table.answer();
    table.play("C3");
    let error =
        table.fails(&["it refuses C3 of white (o), which is legal by our rules", "\"? illegal move\""]);
    assert!(
        error.contains("\n  4 . . . x . 4\n  3 . . . . . 3\n") && error.contains("by the moves: D4"),
        "{error}"
    );
}

/// Black takes three stones, and all is as after the first move: legal by the simple rule alone.
#[test]
fn repetitions_are_shown() {
    let moves = "A1 B2 A2 B1 A1 A2";
    let mut table = Table::new("go size=2", "repeats", "", "A1");
    table.play(moves);
    table.fails(&["it plays A1 for black (x)", "it makes an earlier position again", "ko=positional"]);
    let mut table = Table::new("go size=2 ko=simple", "repeats-simple", "", "A1");
    table.play(moves);
    assert_eq!(table.think(), Some("A1".into()));
}

#[test]
fn a_program_that_fails_once_is_started_anew() {
    for (number, trouble) in ["die", "garbage", "mute", "flood", "error"].into_iter().enumerate() {
        let test = format!("once{number}");
        let mut table = Table::new("go size=5", &test, "", &format!("C3 {trouble} D4"));
        table.answer();
        table.play("B2");
        assert_eq!(table.think(), Some("D4".into()), "{trouble}");
        assert_eq!(table.session.restarts(), 1, "{trouble}");
        let heard = table.heard();
        assert_eq!(heard.iter().filter(|line| *line == "start").count(), 2, "{heard:?}");
        // The game is told from its beginning.
        let again = ["start", "boardsize 5", "clear_board", "komi 7.5", "play black C3", "play white B2"];
        assert_eq!(heard[heard.len() - 7..heard.len() - 1], again, "{trouble}");
    }
}

#[test]
fn a_program_that_fails_twice_is_given_up() {
    let check = |trouble: &str, expect: &[&str]| {
        let mut table = Table::new("go size=5", &format!("twice-{trouble}"), "", trouble);
        let error = table.fails(expect);
        assert!(!error.contains('\n') && error.contains("genmove black: "), "{error}");
        assert!(error.contains("it failed twice at the position \"...../"), "{error}");
        assert_eq!(table.heard().iter().filter(|line| *line == "start").count(), 2);
    };
    check("die", &["it has ended (exit status: 3)", "on standard error: out of luck"]);
    check("garbage", &["expected = or ?, it said \"what now?\""]);
    check("hang", &["no answer within 2s"]);
    check("Z9", &["expected a point of the board, pass or resign, it said \"Z9\""]);
    check("error", &["it said \"? no idea\""]);
    check("flood", &["a line of more than 65536 bytes"]);
    check("mute", &["it has closed its output"]);
}

#[test]
fn what_cannot_be_set_up_is_said_at_once() {
    let mut table = Table::new("go size=5", "setup", "boardsize 5", "");
    table.fails(&["it cannot be set up: boardsize 5: it said \"? illegal move\""]);
    assert_eq!(table.heard(), ["start", "boardsize 5"]);
    let mut table = Table::new("go size=5 eyes=keep", "eyes", "", "A1");
    table.session.set_position("...../...../...../xx.../.x... x").expect("a position");
    table.fails(&["an eye of its own; play with eyes=fill"]);
}

#[test]
fn programs_play_go_alone() {
    let agent: AgentName = "gtp: sh".parse().expect("an agent");
    assert_eq!(session("go").unwrap().accepts(&agent), Ok(()));
    let error = session("hex size=5").unwrap().accepts(&agent).unwrap_err().to_string();
    assert_eq!(error, "gtp: sh: it plays go, and hex size=5 is none; use uct");
    let missing: AgentName = "gtp: no-such-program".parse().expect("an agent");
    assert!(session("go").unwrap().accepts(&missing).is_err());
}
