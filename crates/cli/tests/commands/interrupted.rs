//! Ctrl-C: the command shows what it found so far, says that it was interrupted, and exits with 130.

#![cfg(target_os = "linux")]

use crate::shell::{Folder, command};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn started(mut command: Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("aji starts")
}

/// Waits until the program listens to Ctrl-C, which it does from the beginning of its work.
fn wait_until_it_listens(child: &mut Child) {
    let is_listening = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        // SIGINT is signal 2.
        caught & 2 != 0
    };
    while !is_listening(child.id()) {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it could be interrupted");
        std::thread::yield_now();
    }
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
}

fn ended(child: Child) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("aji ends");
    (status.code(), String::from_utf8(stdout).expect("text"), String::from_utf8(stderr).expect("text"))
}

#[test]
fn a_search_shows_what_it_has_found() {
    for (more, expect) in [(&[][..], "; interrupted\n"), (&["--json"][..], "\"stopped\":\"interrupted\"")] {
        let arguments = [&["search", "connect-four", "--agent", "uct time=1h"], more].concat();
        let mut child = started(command(&arguments));
        wait_until_it_listens(&mut child);
        interrupt(&child);
        let (code, text, error) = ended(child);
        assert_eq!((code, error.as_str()), (Some(130), ""), "{text}");
        assert!(text.contains(expect), "{text}");
    }
}

/// The running searches end, and no further line is begun.
#[test]
fn many_positions_end_early() {
    let arguments = ["search", "nim", "--position", "-", "--threads", "1", "--agent", "uct time=1h"];
    let mut child = started(command(&arguments));
    child.stdin.take().expect("a pipe").write_all(b"3,4,5 1\n3,4,5 2\n").expect("lines");
    wait_until_it_listens(&mut child);
    interrupt(&child);
    let (code, text, _) = ended(child);
    assert_eq!((code, text.lines().count()), (Some(130), 1), "{text}");
    assert!(text.contains("\"stopped\":\"interrupted\""), "{text}");
}

#[test]
fn a_hint_ends_early_and_the_game_goes_on() {
    let mut child = started(command(&["play", "connect-four", "--agent", "uct time=1h"]));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"hint\n").expect("a line");
    wait_until_it_listens(&mut child);
    interrupt(&child);
    input.write_all(b"moves\nquit\n").expect("lines");
    drop(input);
    let (code, text, error) = ended(child);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{text}");
    assert!(text.contains(" to you\n") && text.contains("a b c d e f g\n"), "{text}");
}

/// Starts a contest of many games, interrupts it after some, and checks what it says of them.
fn interrupted_contest(name: &str, arguments: &[&str], planned: u64) {
    for json in [false, true] {
        let folder = Folder::new(&format!("interrupted/{name}"));
        folder.write("agents", "random\nuct simulations=5\nuct simulations=9\n");
        let more: &[&str] = if json { &["--json"] } else { &[] };
        let mut all = command(&[arguments, &["--journal", "kept.jsonl"], more].concat());
        all.current_dir(folder.path());
        let mut child = started(all);
        let kept = folder.file("kept.jsonl");
        let lines = || fs::read_to_string(&kept).map_or(0, |text| text.lines().count());
        while lines() < 8 {
            assert!(child.try_wait().expect("a child").is_none(), "it ended before it could be interrupted");
            std::thread::yield_now();
        }
        interrupt(&child);
        let (code, text, error) = ended(child);
        let games = 2 * (lines() as u64 - 1);
        assert_eq!(code, Some(130), "{text}{error}");
        assert!(error.contains("the same command continues"), "{error}");
        if json {
            let told: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(
                (&told["interrupted"], &told["planned_games"]),
                (&true.into(), &planned.into()),
                "{text}"
            );
            assert_eq!(told["games"], games, "{text}");
        } else {
            let expect = format!("interrupted after {games} of ");
            assert!(text.replace(',', "").contains(&expect), "{expect}: {text}");
            assert!(text.replace(',', "").contains(&format!(" of {planned} games")), "{text}");
        }
    }
}

/// The table of the bandits so far, in text and in JSON.
#[test]
fn a_study_of_bandits_says_how_many() {
    for json in [false, true] {
        let folder = Folder::new("interrupted/bandit");
        let more: &[&str] = if json { &["--json"] } else { &[] };
        let words = ["bandit", "--rules", "ucb1", "--arms", "2", "--budgets", "4", "--repeats", "1e8"];
        let mut all = command(&[&words[..], &["--journal", "kept.jsonl"], more].concat());
        all.current_dir(folder.path());
        let mut child = started(all);
        let kept = folder.file("kept.jsonl");
        let lines = || fs::read_to_string(&kept).map_or(0, |text| text.lines().count());
        while lines() < 8 {
            assert!(child.try_wait().expect("a child").is_none(), "it ended before it could be interrupted");
            std::thread::yield_now();
        }
        interrupt(&child);
        let (code, text, error) = ended(child);
        let bandits = lines() as u64 - 1;
        assert_eq!(code, Some(130), "{text}{error}");
        assert!(error.contains("the same command continues"), "{error}");
        if json {
            let told: Value = serde_json::from_str(&text).expect("JSON");
            let row = &told[0];
            assert_eq!((&row["interrupted"], &row["bandits"]), (&true.into(), &bandits.into()), "{text}");
            assert_eq!(row["planned_bandits"], 100_000_000, "{text}");
        } else {
            let expect = format!("interrupted after {bandits} of 100000000 bandits; ");
            assert!(text.replace(',', "").contains(&expect), "{expect}: {text}");
            assert!(text.contains("simple regret") && text.contains("cumulative regret"), "{text}");
        }
    }
}

#[test]
fn a_match_says_how_many_games() {
    let words = ["match", "tic-tac-toe", "--a", "uct simulations=9", "--b", "random", "--games", "1M"];
    interrupted_contest("match", &words, 1_000_000);
}

#[test]
fn a_tournament_says_how_many_games() {
    let words = ["tournament", "tic-tac-toe", "--agents", "agents", "--games", "1e6"];
    interrupted_contest("tournament", &words, 3_000_000);
}

#[test]
fn a_tuning_says_how_many_games() {
    let words =
        ["tune", "tic-tac-toe", "--agent", "uct simulations=9", "--vary", "c=0.5,1", "--games", "1,000,000"];
    interrupted_contest("tune", &words, 2_000_000);
}

/// Starts a command, interrupts it after some time, and checks what it says.
fn interrupted(arguments: &[&str], text_has: &[&str], error_has: &str) {
    let mut child = started(command(arguments));
    wait_until_it_listens(&mut child);
    std::thread::sleep(std::time::Duration::from_millis(700));
    interrupt(&child);
    let (code, text, error) = ended(child);
    assert_eq!(code, Some(130), "{text}{error}");
    assert!(error.contains(error_has), "{arguments:?}: {error}");
    for expect in text_has {
        assert!(text.contains(expect), "{arguments:?}: {text}{error}");
    }
}

#[test]
fn commands_without_a_journal_say_how_far_they_got() {
    let learn = ["learn", "heap-go", "heaps=2", "counters=2", "--games", "1M"];
    let text = ["interrupted after ", " of 1,000,000 games\n", "topweight"];
    interrupted(&learn, &text, " of 1,000,000 games\n");
    interrupted(
        &[&learn[..], &["--json"]].concat(),
        &["\"interrupted\":true", "\"topweight\":{"],
        "of 1,000",
    );
    let traps = ["traps", "tic-tac-toe", "--plies", "1..3", "--tries", "1M", "--prey", "random"];
    let text = [" among ", " differed in ", "; interrupted"];
    interrupted(&[&traps[..], &["--most", "1M"]].concat(), &text, "interrupted after ");
    let bench = ["bench", "--games", "tic-tac-toe, hex", "--simulations", "3M"];
    interrupted(&bench, &["share"], " of 2 games\n");
    let mistakes =
        ["mistakes", "tic-tac-toe", "--plies", "2..6", "--positions", "1M", "--agent", "uct simulations=20"];
    interrupted(&mistakes, &[", interrupted after ", " of 1,000,000\n"], " of 1,000,000 positions\n");
    let text = ["\"interrupted\":true"];
    interrupted(&[&mistakes[..], &["--json"]].concat(), &text, " of 1,000,000 positions\n");
    interrupted(&["perft", "othello", "90"], &["     1 "], "interrupted while counting length ");
    let perft = ["perft", "othello", "90", "--json"];
    interrupted(&perft, &["\"counts\":[4,12,", "\"interrupted\":true"], "interrupted");
}

/// Trials under way are dropped: a run of slow agents ends at once, not with its games.
#[test]
fn slow_trials_end_at_once() {
    let slow = "uct time=4s";
    let runs: [(&[&str], &str); 4] = [
        (
            &["match", "connect-four", "--a", slow, "--b", slow, "--games", "4"],
            "before a pair of games ended",
        ),
        (&["duel", "connect-four", "--attacker", slow, "--victim", slow], "before a game ended"),
        (
            &["mistakes", "hex", "size=6", "--plies", "1..2", "--agent", "random"],
            "before a position was judged",
        ),
        (&["mistakes", "hex", "size=3", "--agent", slow], "before a position was judged"),
    ];
    for (arguments, expect) in runs {
        let mut child = started(command(arguments));
        wait_until_it_listens(&mut child);
        std::thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        let asked = Instant::now();
        let (code, text, error) = ended(child);
        assert_eq!((code, text.as_str()), (Some(130), ""), "{error}");
        assert!(error.contains(expect) && asked.elapsed() < Duration::from_secs(3), "{arguments:?}: {error}");
    }
}

/// A simulation after another number of skipped ones than was asked for says so.
#[test]
fn an_explanation_begins_where_it_was_interrupted() {
    let explain = ["explain", "connect-four", "--skip", "10M", "--steps", "1", "--agent", "uct playout=mast"];
    interrupted(&explain, &["\nsimulation "], " of 10,000,000 simulations were skipped\n");
}

#[test]
fn exact_play_says_that_it_was_stopped() {
    interrupted(
        &["search", "hex", "size=6", "--agent", "exact memory=8GB"],
        &[],
        "exact memory=8GB: stopped after ",
    );
}
