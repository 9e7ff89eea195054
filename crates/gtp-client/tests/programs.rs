//! The commands that a program gets, and the effect of its answers. The program is a script (`programs/fake_gtp.sh`)
//! that logs every command.

use aji_games::{Go, GoMove, GoRules, Ko, LargeGo, SmallGo};
use aji_gtp_client::{GtpPlayer, Program, find_program};
use aji_search::{Agent, Budget, Game, Named, Report, Stopped, Turn};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A game of Go, a program that plays it, and the program's log.
struct Opponent<const STRIDE: usize, const CELLS: usize> {
    game: Go<STRIDE, CELLS>,
    player: GtpPlayer<STRIDE, CELLS>,
    log: PathBuf,
}

/// A game of this size by the usual rules.
fn go(size: usize) -> SmallGo {
    SmallGo::new(size, GoRules::default())
}

impl<const STRIDE: usize, const CELLS: usize> Opponent<STRIDE, CELLS> {
    /// `test` names the log, so each test uses its own word. The script documents `refused` and `answers`.
    fn new(game: Go<STRIDE, CELLS>, test: &str, refused: &str, answers: &str) -> Self {
        let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.log"));
        let _ = fs::remove_file(&log);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/fake_gtp.sh").to_string();
        let mut arguments = vec![script, log.display().to_string(), refused.into()];
        arguments.extend(answers.split_whitespace().map(String::from));
        let path = find_program("sh").expect("a shell");
        let player = GtpPlayer::new(Program { path, arguments, timeout: Duration::from_secs(2) });
        Opponent { game, player, log }
    }

    /// The same from a position.
    fn at(self, position: &str) -> Self {
        Opponent { game: self.game.read(position).expect("a position"), ..self }
    }

    fn report(&mut self) -> Report<GoMove> {
        self.player.think(&self.game, Budget::default(), &mut ())
    }

    /// The program's move.
    fn think(&mut self) -> String {
        let best = self.report().best;
        let failure = || panic!("{:?}", self.player.failure());
        self.game.action_name(best.unwrap_or_else(failure))
    }

    fn play(&mut self, moves: &str) {
        for name in moves.split_whitespace() {
            let action = self.game.read_point(name).expect("a point");
            assert!(self.game.is_legal(action), "{name}");
            self.player.played(action);
            self.game.play(action);
        }
    }

    /// Lets the program think, and plays its move.
    fn answer(&mut self) {
        let chosen = self.think();
        self.play(&chosen);
    }

    fn heard(&self) -> Vec<String> {
        fs::read_to_string(&self.log).expect("a log").lines().map(String::from).collect()
    }

    /// Lets the program think and fail. Returns the error, which has all these parts.
    fn fails(&mut self, expect: &[&str]) -> String {
        assert_eq!(self.report().best, None);
        let error = self.player.failure().expect("an error");
        for part in expect {
            assert!(error.contains(part), "{part}: {error}");
        }
        error
    }
}

#[test]
fn a_program_follows_the_game() {
    let mut table = Opponent::new(
        SmallGo::new(5, GoRules { komi_halves: 1, ..GoRules::default() }),
        "follows",
        "",
        "C3 d3 PASS",
    );
    table.answer();
    table.play("B2");
    table.answer();
    table.play("pass");
    table.answer();
    assert_eq!(table.game.turn(), Turn::Over);
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

/// Large boards have column letters without I, and row numbers of two digits.
#[test]
fn a_program_plays_large_boards() {
    let mut table = Opponent::new(LargeGo::new(19, GoRules::default()), "large", "", "T19");
    table.play("J10");
    assert_eq!(table.think(), "T19");
    assert_eq!(
        table.heard()[1..],
        ["boardsize 19", "clear_board", "komi 7.5", "play black J10", "genmove white"]
    );
}

#[test]
fn positions_are_set_up_with_a_ko_or_a_pass() {
    let check = |test, position: &str, expect: &[&str]| {
        let mut table = Opponent::new(go(3), test, "", "pass").at(position);
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
    let mut table = Opponent::new(go(5), "ko", "", "A1").at("...../...../...../xo.../.xo.. o ko=A1");
    let error = table.fails(&["which is not legal", "it takes back a ko", "ko=positional suicide=off"]);
    assert!(error.contains("\n  2 x o . . . 2\n"), "{error}");
    let heard = table.heard();
    assert_eq!(heard[heard.len() - 3..], ["play white A1", "play black B1", "genmove white"]);
}

/// A hint need not be played, although the program has played it on its own board.
#[test]
fn a_move_that_is_not_played_is_taken_back() {
    let mut table = Opponent::new(go(5), "hint", "", "C3 E5 E4");
    assert_eq!(table.think(), "C3");
    table.play("D4 B2");
    assert_eq!(table.think(), "E5");
    assert_eq!(table.think(), "E4");
    let heard = table.heard();
    let again = ["boardsize 5", "clear_board", "komi 7.5", "play black D4", "play white B2", "genmove black"];
    assert_eq!(heard[5..], [again, again].concat());
}

#[test]
fn a_program_may_resign() {
    let mut table = Opponent::new(go(5), "resigns", "", "C3 Resign");
    table.answer();
    table.play("B2");
    let report = table.report();
    assert_eq!((report.best, report.stopped), (None, Stopped::Resigned));
    assert_eq!(table.player.failure(), None);
}

#[test]
fn disagreements_are_shown() {
    let mut table = Opponent::new(go(5), "illegal", "", "C3");
    table.play("C3");
    let error = table.fails(&[
        "disagreement on legality: it plays C3 for white (o), which is not legal by our rules",
        "there is a stone",
        "white (o) to move; position \"...../...../..x../...../..... o\"",
    ]);
    assert!(error.contains("\n  3 . . x . . 3\n"), "{error}");
    let mut table = Opponent::new(go(5), "suicide", "", "A1").at("...../...../...../x..../.x... o");
    table.fails(&["it is suicide"]);
    let mut table = Opponent::new(go(5), "refuses", "play white C3", "D4");
    table.answer();
    table.play("C3");
    let error =
        table.fails(&["it refuses C3 of white (o), which is legal by our rules", "\"? illegal move\""]);
    assert!(
        error.contains("\n  4 . . . x . 4\n  3 . . . . . 3\n") && error.contains("by the moves: D4"),
        "{error}"
    );
}

/// Black takes three stones, which repeats the position after the first move. Only the simple ko rule allows that.
#[test]
fn repetitions_are_shown() {
    let moves = "A1 B2 A2 B1 A1 A2";
    let mut table = Opponent::new(go(2), "repeats", "", "A1");
    table.play(moves);
    table.fails(&["it plays A1 for black (x)", "it makes an earlier position again", "ko=positional"]);
    let mut table = Opponent::new(
        SmallGo::new(2, GoRules { ko: Ko::Simple, ..GoRules::default() }),
        "repeats-simple",
        "",
        "A1",
    );
    table.play(moves);
    assert_eq!(table.think(), "A1");
}

#[test]
fn a_program_that_fails_once_is_started_anew() {
    for (number, trouble) in ["die", "garbage", "mute", "flood", "error"].into_iter().enumerate() {
        let test = format!("once{number}");
        let mut table = Opponent::new(go(5), &test, "", &format!("C3 {trouble} D4"));
        table.answer();
        table.play("B2");
        assert_eq!(table.think(), "D4", "{trouble}");
        assert_eq!(table.player.restarts(), 1, "{trouble}");
        let heard = table.heard();
        assert_eq!(heard.iter().filter(|line| *line == "start").count(), 2, "{heard:?}");
        // The new process gets the game from its beginning.
        let again = ["start", "boardsize 5", "clear_board", "komi 7.5", "play black C3", "play white B2"];
        assert_eq!(heard[heard.len() - 7..heard.len() - 1], again, "{trouble}");
    }
}

#[test]
fn a_program_that_fails_twice_is_given_up() {
    let check = |trouble: &str, expect: &[&str]| {
        let mut table = Opponent::new(go(5), &format!("twice-{trouble}"), "", trouble);
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
    let mut table = Opponent::new(go(5), "setup", "boardsize 5", "");
    table.fails(&["it cannot be set up: boardsize 5: it said \"? illegal move\""]);
    assert_eq!(table.heard(), ["start", "boardsize 5"]);
    let keeps_eyes = SmallGo::new(5, GoRules { fills_eyes: false, ..GoRules::default() });
    let mut table = Opponent::new(keeps_eyes, "eyes", "", "A1").at("...../...../...../xx.../.x... x");
    table.fails(&["an eye of its own; play with eyes=fill"]);
}
