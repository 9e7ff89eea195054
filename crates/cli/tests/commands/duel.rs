//! `aji duel`: right, empty and wrong.

use crate::shell::{Folder, aji, json, refused};
use serde_json::Value;

/// The standard output. Standard error has a note on what the victim's searches cost.
fn printed(arguments: &[&str]) -> String {
    let output = aji(arguments);
    let notes = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && notes.contains("by the victim"), "{arguments:?}: {notes}");
    String::from_utf8(output.stdout).expect("text")
}

const VICTIM: &str = "uct simulations=20";

#[test]
fn an_attacker_wins_more_than_a_random_agent() {
    let attack = "amcts victim=(uct simulations=20) model=r simulations=60";
    let arguments = ["duel", "tic-tac-toe", "--victim", VICTIM, "--games", "30", "--json", "--attacker"];
    let by_attack: Value = serde_json::from_str(&printed(&[&arguments[..], &[attack]].concat())).unwrap();
    let by_random = json(&[&arguments[..], &["random"]].concat());
    assert!(by_attack["wins"].as_u64() > by_random["wins"].as_u64(), "{by_attack} {by_random}");
    let games = |found: &Value| {
        ["wins", "draws", "losses"].iter().map(|key| found[key].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((games(&by_attack), by_attack["games"].as_u64()), (30, Some(30)));
    assert!(by_attack["low"].as_f64() < by_attack["share"].as_f64());
}

/// A victim without random numbers plays the same game twice, and its line is shown with the board at its end.
#[test]
fn lines_are_shown() {
    let text = printed(&[
        "duel",
        "tic-tac-toe",
        "--victim",
        "alphabeta depth=1",
        "--attacker",
        "exact victim=(alphabeta depth=1)",
        "--attacker-first",
        "--games",
        "2",
        "--lines",
        "1",
    ]);
    assert!(text.contains("attacker wins  2, 1.000"), "{text}");
    assert!(text.contains("2 of 2 wins, and 2 of all games: "), "{text}");
    assert!(text.contains("(moves first)") && text.trim_end().ends_with("a b c"), "{text}");
}

/// The tree has the whole games and their boards. Without a won game no file is left.
#[test]
fn lines_are_drawn() {
    let folder = Folder::new("duel/line-tree");
    let file = folder.file("lines.svg");
    let drawn = |attacker: &str| {
        let arguments = ["duel", "tic-tac-toe", "--victim", "exact", "--games", "3", "--attacker", attacker];
        let output = aji(&[&arguments[..], &["--attacker-first", "--line-tree", &file]].concat());
        assert!(output.status.success());
        (String::from_utf8_lossy(&output.stderr).to_string(), std::fs::read_to_string(&file))
    };
    let (notes, none) = drawn("random");
    assert!(notes.contains("no line to draw, the attacker won no game") && none.is_err(), "{notes}");
    let arguments = ["duel", "tic-tac-toe", "--victim", "random", "--games", "30", "--attacker", "exact"];
    assert!(aji(&[&arguments[..], &["--line-tree", &file]].concat()).status.success());
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.contains("tic-tac-toe, exact against random") && svg.contains(" won</text>"), "{svg}");
    assert!(svg.contains(" a b c</text>"), "{svg}");
}

#[test]
fn games_begin_at_positions() {
    let found = json(&[
        "duel",
        "connect-four",
        "--victim",
        "random",
        "--attacker",
        "uct simulations=50",
        "--from",
        "connect-four-middle",
        "--games",
        "4",
        "--json",
    ]);
    assert_eq!((found["games"].as_u64(), found["duplicates"].as_u64()), (Some(4), Some(0)));
}

#[test]
fn errors_say_what_would_be_right() {
    let check = |arguments: &[&str], expect: &str| refused(&[&["duel"], arguments].concat(), expect);
    check(&["tic-tac-toe", "--victim", "uct"], "--attacker");
    check(&["pig players=3", "--victim", "uct", "--attacker", "uct"], "a duel has two players");
    check(&["tic-tac-toe", "--victim", "uct", "--attacker", "utc"], "did you mean uct?");
    check(
        &["tic-tac-toe", "--victim", "uct", "--attacker", "uct", "--line-tree", "lines.png"],
        "--line-tree lines.png: expected a name that ends in .svg",
    );
    check(
        &["tic-tac-toe", "--victim", "uct", "--attacker", "uct", "--from", "none.txt"],
        "--from none.txt: ",
    );
    check(
        &["tic-tac-toe", "--victim", "uct", "--attacker", "uct", "--from", "connect-four-early"],
        "line 1: ",
    );
}

/// A record of Go with another komi is a position of another game.
#[test]
fn records_of_another_komi_are_refused() {
    let folder = Folder::new("duel/komi");
    folder.write("records", "(;GM[1]SZ[5]KM[7.5];B[cc])\n(;GM[1]SZ[5]KM[0.5];B[cc])\n");
    let from = folder.file("records");
    let expect = "line 2: a position of go size=5 komi=0.5, expected one of go size=5";
    refused(&["duel", "go size=5", "--attacker", "random", "--victim", "random", "--from", &from], expect);
    refused(&["mistakes", "go size=5", "--agent", "random", "--from", &from], expect);
}

/// Without a won game there is no line, which is said.
#[test]
fn a_duel_without_a_win_has_no_line() {
    let arguments =
        ["duel", "tic-tac-toe", "--victim", "exact", "--attacker", "random", "--games", "4", "--lines", "2"];
    let output = aji(&arguments);
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(text.contains("\nno line to show: the attacker won no game\n"), "{text}");
    let one = ["duel", "tic-tac-toe", "--victim", "exact", "--attacker", "random", "--games", "1"];
    assert!(String::from_utf8_lossy(&aji(&one).stdout).starts_with("tic-tac-toe, 1 game\n"));
}
