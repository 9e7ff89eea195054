//! `aji mistakes`: right, empty, wrong.

use crate::shell::{Folder, aji, refused};
use serde_json::Value;
use std::fs;

fn printed(arguments: &[&str]) -> String {
    let output = aji(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    let text = printed(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("one JSON object")
}

const TIC_TAC_TOE: [&str; 6] = ["mistakes", "tic-tac-toe", "--plies", "1..6", "--positions", "60"];

#[test]
fn exact_play_makes_none() {
    let found = json(&[&TIC_TAC_TOE[..], &["--agent", "exact"]].concat());
    assert_eq!((&found["mistakes"], &found["positions"]), (&0.into(), &60.into()), "{found}");
    let could_err = found["could_err"].as_u64().expect("a count");
    assert!(0 < could_err && could_err < 60, "{found}");
    assert_eq!(
        (found["share"]["interval"]["low"].as_f64(), &found["points_lost"]),
        (Some(0.0), &Value::Null)
    );
    let found =
        json(&["mistakes", "domineering", "rows=4", "columns=4", "--agent", "exact", "--plies", "1..3"]);
    assert_eq!(found["mistakes"], 0, "{found}");
}

/// Random moves err as often as the values say they should.
#[test]
fn random_moves_err_by_chance() {
    let mut many = TIC_TAC_TOE.to_vec();
    many.truncate(4);
    let found = json(&[&many[..], &["--agent", "random", "--positions", "400"]].concat());
    let expect = found["share_of_random_moves"].as_f64().expect("a share");
    let interval = &found["share"]["interval"];
    let (low, high) = (interval["low"].as_f64().expect("low"), interval["high"].as_f64().expect("high"));
    assert!(low < expect && expect < high && expect > 0.1, "{found}");
    let parts = ["win_to_draw", "win_to_loss", "draw_to_loss"].map(|part| found[part].as_u64().expect(part));
    assert_eq!(found["mistakes"].as_u64(), Some(parts.iter().sum()));
}

#[test]
fn points_are_told_where_there_are_any() {
    let game = ["mistakes", "heap-go", "heaps=4", "counters=3", "--plies", "0..3", "--positions", "20"];
    let text = printed(&[&game[..], &["--agent", "random"]].concat());
    assert!(text.contains("points lost") && text.contains("where possible"), "{text}");
    let exact = json(&[&game[..], &["--agent", "exact"]].concat());
    assert_eq!(
        (&exact["mistakes"], exact["points_lost"]["value"].as_f64()),
        (&0.into(), Some(0.0)),
        "{exact}"
    );
}

/// A list with values gives the same as drawing the positions again, on any number of threads, and a run continues from
/// its journal.
#[test]
fn lists_and_journals() {
    let folder = Folder::new("mistakes/lists");
    let (list, journal) = (folder.file("list.jsonl"), folder.file("journal.jsonl"));
    assert_eq!(printed(&[&TIC_TAC_TOE[..], &["--make", &list]].concat()), "");
    let made = fs::read_to_string(&list).expect("a list");
    assert_eq!(made.lines().count(), 60);
    let agent = ["--agent", "uct simulations=20", "--journal", &journal];
    let whole = json(&[&TIC_TAC_TOE[..], &agent, &["--threads", "1"]].concat());
    let kept = fs::read_to_string(&journal).expect("a journal");
    let half: String = kept.lines().take(30).map(|line| line.to_string() + "\n").collect();
    fs::write(&journal, half).expect("a file");
    let resumed = json(&[&TIC_TAC_TOE[..], &agent, &["--threads", "2"]].concat());
    assert_eq!(resumed, whole);
    assert_eq!(fs::read_to_string(&journal).expect("a journal"), kept);
    let from = json(&["mistakes", "tic-tac-toe", "--agent", "uct simulations=20", "--from", &list]);
    for field in ["mistakes", "could_err", "share", "win_to_loss"] {
        assert_eq!(from[field], whole[field], "{field}");
    }
    refused(
        &[
            &TIC_TAC_TOE[..4],
            &["--positions", "70", "--kind", "hard", "--agent", "uct simulations=20", "--journal", &journal],
        ]
        .concat(),
        "--kind was \"random\" there, and is \"hard\" here",
    );
}

#[test]
fn positions_of_a_file() {
    let folder = Folder::new("mistakes/files");
    folder.write("moves.txt", "# a comment\nd d c\n\n......./......./......./......./......./..xx... o\n");
    let file = folder.file("moves.txt");
    refused(&["mistakes", "connect-four", "--from", &file], "line 4: ");
    folder.write("late.txt", "xx./oo./... x\na1 b2 c3\n");
    let found = json(&["mistakes", "tic-tac-toe", "--agent", "exact", "--from", &folder.file("late.txt")]);
    assert_eq!((&found["positions"], &found["mistakes"]), (&2.into(), &0.into()), "{found}");
    let found = json(&[
        "mistakes",
        "connect-four",
        "--agent",
        "random",
        "--from",
        "connect-four-middle",
        "--positions",
        "50",
    ]);
    assert_eq!(found["positions"], 50);
    assert!(found["share"]["interval"]["high"].as_f64() > Some(0.6), "{found}");
    folder.write("empty.txt", "# nothing\n");
    refused(&["mistakes", "hex", "--from", &folder.file("empty.txt")], "there is no position in it");
    folder.write("short.jsonl", "{\"position\":\"xx./oo./... x\",\"values\":[[\"c1\",1.0]]}\n");
    refused(
        &["mistakes", "tic-tac-toe", "--from", &folder.file("short.jsonl")],
        "expected a value for each of",
    );
    folder.write("torn.jsonl", "{\"position\":\"xx./o");
    refused(&["mistakes", "tic-tac-toe", "--from", &folder.file("torn.jsonl")], "line 1: ");
    folder.write("over.txt", "xxx/oo./... o\n");
    refused(&["mistakes", "tic-tac-toe", "--from", &folder.file("over.txt")], "no player is to move");
}

#[test]
fn wrong_questions() {
    let check = |arguments: &[&str], expect: &str| refused(&[&["mistakes"], arguments].concat(), expect);
    check(&["hex", "--kind", "easy"], "expected random or hard");
    check(&["hex", "--plies", "9..3"], "expected plies such as 12 or 8..24");
    check(&["tic-tac-toe", "--plies", "9..12"], "none of 16 random games of tic-tac-toe lasted for 9 plies");
    check(&["nim", "players=3"], "mistakes are judged in games of two players; it has 3");
    check(&["pig"], "mistakes are judged in games without chance");
    check(
        &["hex", "--from", "nowhere"],
        "the lists that come with aji are connect-four-early and connect-four-middle",
    );
    check(&["hex", "--make", "x", "--agent", "uct"], "cannot be used with");
    check(&["othello", "--judge", "exact memory=1MB", "--plies", "2..4"], "exact: othello has more than");
}

/// Without --plies, positions are drawn from the plies that the game has.
#[test]
fn short_games_have_fewer_plies() {
    let text = printed(&["mistakes", "tic-tac-toe", "--agent", "random", "--positions", "5"]);
    assert!(text.starts_with("tic-tac-toe, random positions after 4..8 plies, seed 1\n"), "{text}");
    let text = printed(&["mistakes", "mnk m=3 n=3", "--agent", "random", "--positions", "5", "--plies", "2"]);
    assert!(text.contains("after 2..2 plies"), "{text}");
    refused(&["mistakes", "pig", "--agent", "random"], "without chance");
}

/// A judge that cannot solve the positions says what would do.
#[test]
fn a_judge_without_room_says_what_would_do() {
    let wrong =
        ["mistakes", "hex", "size=5", "--agent", "random", "--plies", "1", "--judge", "exact memory=1MB"];
    refused(&wrong, "take a smaller board, later positions (--plies), or a judge with more memory (--judge");
}
