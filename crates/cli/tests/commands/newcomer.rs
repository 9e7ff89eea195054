//! A newcomer at the shell: every command right, empty and wrong, in narrow and wide windows, without colour, with pipes that
//! close and disks that are full.

use crate::shell::{Folder, command};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// A correct command, and its standard input.
struct Right {
    arguments: &'static [&'static str],
    input: &'static str,
}

const fn right(arguments: &'static [&'static str]) -> Right {
    Right { arguments, input: "" }
}

/// Every command, right. [`prepared`] makes the files.
const RIGHT: &[Right] = &[
    right(&[]),
    right(&["--help"]),
    right(&["help", "match"]),
    right(&["--version"]),
    right(&["list"]),
    right(&["list", "games"]),
    right(&["list", "games", "hex"]),
    right(&["list", "agents", "uct"]),
    right(&["list", "agents", "gtp"]),
    right(&["list", "rules", "voi"]),
    right(&["list", "playouts", "atari"]),
    right(&["list", "papers", "kao2013"]),
    right(&["list", "--json"]),
    Right {
        arguments: &["play", "hex", "size=3", "--agent", "uct simulations=20"],
        input: "rules\nmoves\nhint\nquit\n",
    },
    Right { arguments: &["gtp", "--agent", "uct simulations=10"], input: "name\nquit\n" },
    right(&["search", "hex", "size=4", "--agent", "uct simulations=1_000"]),
    right(&["search", "tic-tac-toe", "--agent", "exact", "--position", "xx./oo./... x"]),
    Right { arguments: &["search", "nim", "--position", "-"], input: "3,4,5 1\n1,2,0 2\n" },
    right(&["explain", "tic-tac-toe", "--steps", "2"]),
    right(&["perft", "tic-tac-toe", "2"]),
    right(&[
        "traps",
        "tic-tac-toe",
        "--tries",
        "2",
        "--plies",
        "2..4",
        "--judge",
        "uct solver=on simulations=100",
    ]),
    right(&[
        "mistakes",
        "tic-tac-toe",
        "--agent",
        "uct simulations=20",
        "--plies",
        "2..4",
        "--positions",
        "5",
    ]),
    right(&["thermo", "B3R5B5"]),
    right(&[
        "learn",
        "heap-go",
        "heaps=2",
        "--games",
        "2",
        "--agent",
        "uct c=15 unit=points playout=maxi simulations=50",
    ]),
    right(&["bandit", "--arms", "4", "--budgets", "4,8", "--repeats", "20"]),
    right(&["match", "tic-tac-toe", "--a", "uct simulations=10", "--b", "random", "--games", "4"]),
    right(&["tournament", "tic-tac-toe", "--agents", "agents", "--games", "2"]),
    right(&[
        "tune",
        "tic-tac-toe",
        "--agent",
        "uct simulations=10",
        "--vary",
        "root=ucb1,voi",
        "--games",
        "2",
    ]),
    right(&["duel", "tic-tac-toe", "--victim", "uct simulations=5", "--attacker", "random", "--games", "2"]),
    right(&["laws", "nim"]),
    right(&["train", "--list"]),
    right(&["bench", "--games", "nim", "--simulations", "50"]),
    right(&["replay", "games.jsonl"]),
    right(&["reproduce", "--list"]),
    right(&["merge", "match.jsonl", "--out", "merged.jsonl"]),
    right(&["export", "match.jsonl"]),
    right(&["cgt", "{3|-1} + *"]),
    right(&["completions", "bash"]),
];

/// Every command with missing or wrong arguments, and a part of the error, which is one line.
const WRONG: &[(&[&str], &str)] = &[
    (&["lst"], "unrecognized subcommand 'lst'"),
    (&["list", "gams"], "did you mean games?"),
    (&["list", "games", "hexx"], "unknown game \"hexx\"; did you mean hex?"),
    (&["list", "agents", "utc"], "unknown agent \"utc\"; did you mean uct?"),
    (&["play"], "see aji play --help"),
    (&["play", "hex", "sice=5"], "unknown option of game hex: \"sice\""),
    (&["play", "--load", "nowhere.json"], "--load nowhere.json: no such file"),
    (&["play", "hex", "--save", "no/where.json"], "--save no/where.json: no such file"),
    (&["gtp", "--size", "x"], "see aji gtp --help"),
    (&["search"], "see aji search --help"),
    (&["search", "hex", "size=5", "more"], "expected key=value, found \"more\""),
    (&["search", "hex", "--position", "@nowhere"], "--position @nowhere: no such file"),
    (&["search", "hex", "--position", "-", "--tree", "x.svg"], "--tree: works with one position"),
    (
        &["search", "hex", "--agent", "alphabeta", "--tree", "x.svg"],
        "grows no tree; uct, rave, flat, alphazero and gumbel do",
    ),
    (
        &["search", "hex", "--agent", "exact", "--tree", "x.svg"],
        "grows no tree; uct, rave, flat, alphazero and gumbel do",
    ),
    (&["search", "hex", "--save", "no/where"], "--save no/where: no such file"),
    (&["search", "hex", "--threads", "2"], "--position"),
    (
        &["search", "hex", "--agent", "uct", "c=0.7"],
        "the options of an agent need quotes, as in --agent \"uct c=0.7\"",
    ),
    (&["explain"], "see aji explain --help"),
    (&["perft", "hex"], "invalid value 'hex' for '<DEPTH>'"),
    (&["perft"], "see aji perft --help"),
    (&["traps"], "see aji traps --help"),
    (
        &["traps", "tic-tac-toe", "--plies", "9..20"],
        "--plies 9..20: of 16 random games of tic-tac-toe the longest",
    ),
    (&["mistakes"], "see aji mistakes --help"),
    (&["duel"], "see aji duel --help"),
    (
        &["duel", "tic-tac-toe", "--victim", "uct", "--attacker", "uct", "--from", "nowhere"],
        "--from nowhere: no such file",
    ),
    (&["train"], "see aji train --help"),
    (&["train", "hexx", "--out", "run"], "unknown game \"hexx\"; did you mean hex?"),
    (&["attack", "tic-tac-toe", "--victim", "uct"], "see aji attack --help"),
    (&["laws"], "see aji laws --help"),
    (&["serve", "--memory", "1"], "expected an amount of memory such as 512MB"),
    (&["thermo"], "see aji thermo --help"),
    (&["thermo", "B3", "--svg", "no/where.svg"], "--svg no/where.svg: no such file"),
    (&["learn"], "see aji learn --help"),
    (&["bandit", "--svg", "no/where.svg"], "--svg no/where.svg: no such file"),
    (&["bandit", "--repeats", "many"], "expected a whole number such as 2000, 20k or 1e6"),
    (&["match", "hex"], "see aji match --help"),
    (&["match", "hex", "--a", "uct", "--b", "uct", "--games", "1e"], "expected a whole number"),
    (&["match", "tic-tac-toe", "--a", "uct", "--b", "uct", "--save", "no/x"], "--save no/x: no such file"),
    (&["tournament", "hex"], "see aji tournament --help"),
    (&["tournament", "hex", "--agents", "nowhere"], "cannot read nowhere"),
    (&["tune", "hex"], "see aji tune --help"),
    (&["tune", "hex", "--vary", "root=ucb1,vio"], "unknown rule \"vio\"; did you mean voi?"),
    (&["tune", "hex", "--vary", "c=1..2", "--svg", "no/where.svg"], "--svg no/where.svg: no such file"),
    (&["replay"], "see aji replay --help"),
    (&["reproduce", "kao2012"], "did you mean kao2013?"),
    (&["merge"], "see aji merge --help"),
    (&["export"], "see aji export --help"),
    (&["export", "match.jsonl", "--out", "no/where.csv"], "--out no/where.csv: no such file"),
    (&["bench", "--games", "chess"], "unknown game \"chess\""),
    (&["cgt"], "see aji cgt --help"),
    (&["cgt", "{3|"], "cgt: \"{3|\""),
    (&["completions"], "see aji completions --help"),
];

/// A folder with the files that the commands read.
fn prepared(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("agents", "random\nuct simulations=5\n");
    let words = ["match", "tic-tac-toe", "--a", "uct simulations=5", "--b", "random", "--games", "2"];
    folder.printed(&[&words[..], &["--journal", "match.jsonl", "--save", "games.jsonl"]].concat());
    folder
}

fn started(folder: &Folder, right: &Right, set_up: impl Fn(&mut Command)) -> Child {
    let mut command = command(right.arguments);
    command.current_dir(folder.path()).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    set_up(&mut command);
    let mut child = command.spawn().expect("aji starts");
    // A command that reads nothing may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(right.input.as_bytes());
    child
}

fn output(folder: &Folder, right: &Right, columns: &str) -> Output {
    let child = started(folder, right, |command| {
        command.env("COLUMNS", columns);
    });
    child.wait_with_output().expect("aji ends")
}

/// Every command works in every window. Lines of tables and lists are no wider than the window, and there are no
/// colours.
#[test]
fn right_commands_in_every_window() {
    let folder = prepared("newcomer/right");
    for right in RIGHT {
        for columns in [20, 80, 200] {
            let Output { status, stdout, stderr } = output(&folder, right, &columns.to_string());
            let (text, error) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
            let arguments = right.arguments;
            assert!(status.success(), "{arguments:?}: {error}");
            assert!(!error.contains("panicked") && !text.is_empty(), "{arguments:?}: {error}");
            assert!(!text.contains('\u{1b}') && !error.contains('\u{1b}'), "{arguments:?} has colours");
            let is_listed = arguments.first() == Some(&"list") && !arguments.contains(&"--json");
            let wide = text.lines().find(|line| line.chars().count() > columns);
            assert!(!is_listed || wide.is_none(), "{arguments:?} in {columns}: {wide:?}");
        }
    }
}

/// The columns of a table share a narrow window. No word is broken: a table that cannot fit is wider.
#[test]
fn tables_are_wrapped() {
    let folder = prepared("newcomer/tables");
    let commands: [&[&str]; 4] = [
        &["search", "tic-tac-toe", "--agent", "uct simulations=100"],
        &["match", "tic-tac-toe", "--a", "uct simulations=10 memory=20MB", "--b", "random", "--games", "4"],
        &["tune", "tic-tac-toe", "--agent", "uct simulations=10", "--vary", "c=0.5,1", "--games", "2"],
        &["reproduce", "--list"],
    ];
    for arguments in commands {
        let right = Right { arguments, input: "" };
        let printed = |columns: usize| {
            let Output { stdout, .. } = command_output(&folder, &right, columns);
            String::from_utf8_lossy(&stdout).into_owned()
        };
        // The last lines have times.
        let words = |text: &str| {
            let timeless = text.lines().filter(|line| !line.contains("/s)") && !line.contains(" ms"));
            let words = timeless.flat_map(str::split_whitespace).map(String::from);
            words.filter(|word| word.len() > 1).collect::<BTreeSet<String>>()
        };
        let (narrow, wide) = (words(&printed(20)), words(&printed(200)));
        let broken: Vec<_> = wide.difference(&narrow).filter(|word| !is_timed(word)).collect();
        assert!(broken.is_empty(), "{arguments:?}: {broken:?}");
        for columns in [60, 80, 200] {
            let text = printed(columns);
            // Only lines of tables begin with one space.
            let is_table = |line: &&str| line.starts_with(' ') && !line.starts_with("  ");
            let wide = text.lines().filter(is_table).find(|line| line.chars().count() > columns);
            assert_eq!(wide, None, "{arguments:?} in {columns}:\n{text}");
        }
    }
}

/// True for a number that is another in each run.
fn is_timed(word: &str) -> bool {
    word.chars().next().is_some_and(|letter| letter.is_ascii_digit() || letter == '(')
        || ["MB;", "kB;", "nodes", "by", "in", "simulations", "stopped", "s,", "ms"].contains(&word)
}

fn command_output(folder: &Folder, right: &Right, columns: usize) -> Output {
    output(folder, right, &columns.to_string())
}

/// A mistake gives one line that says what is wrong, and leaves no files behind.
#[test]
fn wrong_commands_say_why() {
    let folder = prepared("newcomer/wrong");
    let before = names(&folder);
    for (arguments, expect) in WRONG {
        folder.refused(arguments, expect);
    }
    assert_eq!(names(&folder), before, "nothing is left behind");
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

/// A closed pipe ends every command without an error.
#[test]
fn closed_pipes_end_quietly() {
    let folder = prepared("newcomer/closed");
    for right in RIGHT {
        let mut child = started(&folder, right, |_| ());
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().expect("aji ends");
        let error = String::from_utf8_lossy(&stderr);
        assert_eq!((status.code(), error.as_ref()), (Some(0), ""), "{:?}", right.arguments);
    }
}

/// Whatever happens to standard error, the work is done and its result is printed.
#[cfg(target_os = "linux")]
#[test]
fn standard_error_stops_nothing() {
    let folder = prepared("newcomer/errors");
    // This command notes on standard error that its games cannot be repeated, and shows progress there.
    let noisy = Right {
        arguments: &["match", "tic-tac-toe", "--a", "uct time=1ms", "--b", "random", "--games", "2"],
        input: "",
    };
    for right in RIGHT.iter().chain([&noisy]) {
        let full = || File::options().write(true).open("/dev/full").expect("a device");
        let on_full_disk = started(&folder, right, |command| {
            command.stderr(full());
        });
        let Output { status, stdout, .. } = on_full_disk.wait_with_output().expect("aji ends");
        assert!(status.success() && !stdout.is_empty(), "{:?}", right.arguments);
        let mut unheard = started(&folder, right, |_| ());
        drop(unheard.stderr.take());
        let Output { status, stdout, .. } = unheard.wait_with_output().expect("aji ends");
        assert!(status.success() && !stdout.is_empty(), "{:?}", right.arguments);
    }
    for (arguments, _) in WRONG {
        let wrong = Right { arguments, input: "" };
        let mut child = started(&folder, &wrong, |_| ());
        drop(child.stderr.take());
        assert_eq!(child.wait().expect("aji ends").code(), Some(2), "{arguments:?}");
    }
}

/// If a file cannot be written in the end, the error comes after the result.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_no_result_back() {
    let folder = prepared("newcomer/full");
    let commands: [(&[&str], &str, &str); 5] = [
        (&["search", "tic-tac-toe", "--tree", "full.svg"], "--tree", "x to move"),
        (
            &["bandit", "--arms", "4", "--budgets", "4,8", "--repeats", "20", "--svg", "full.svg"],
            "--svg",
            "regret",
        ),
        (&["thermo", "B3R5B5", "--svg", "full.svg"], "--svg", "temperature"),
        (
            &[
                "tune",
                "tic-tac-toe",
                "--vary",
                "c=1,2",
                "--agent",
                "uct simulations=5",
                "--games",
                "2",
                "--svg",
                "full.svg",
            ],
            "--svg",
            "best: c=",
        ),
        (
            &[
                "match",
                "tic-tac-toe",
                "--a",
                "random",
                "--b",
                "uct simulations=5",
                "--games",
                "2",
                "--save",
                "full.svg",
            ],
            "--save",
            "score of a",
        ),
    ];
    std::os::unix::fs::symlink("/dev/full", folder.file("full.svg")).expect("a link");
    for (arguments, option, expect) in commands {
        let Output { status, stdout, stderr } = folder.aji(arguments);
        let (text, error) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!(status.code(), Some(2), "{arguments:?}: {error}");
        assert!(text.contains(expect), "{arguments:?}: {text}");
        let full = format!("aji: {option} full.svg: no space left on device\n");
        assert!(error.ends_with(&full), "{error}");
    }
}
