//! The commands that run experiments and handle their journals, as a shell calls them: right, empty, wrong.

use crate::shell::{Folder, aji, refused};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// The standard output and the standard error of a command that succeeds.
fn printed(arguments: &[&str]) -> (String, String) {
    let Output { status, stdout, stderr } = aji(arguments);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(stdout), text(stderr));
    assert!(status.success(), "{arguments:?}: {stderr}");
    (stdout, stderr)
}

/// A handmade journal of an experiment with four trials, some of them present.
fn journal(seed: u64, trials: &[u64]) -> String {
    let header = format!(
        r#"{{"journal":"aji","format":1,"experiment":"dice","parameters":{{"sides":6}},"seed":{seed},"trials":4,"version":"0.1.0","commit":"0123456789"}}"#
    );
    let line = |trial: &u64| {
        format!("{{\"trial\":{trial},\"record\":{{\"roll\":{},\"by\":\"a, b\"}}}}\n", trial + 1)
    };
    header + "\n" + &trials.iter().map(line).collect::<String>()
}

/// Writes files into a folder and returns their paths.
fn files<const N: usize>(folder: &Folder, contents: [String; N]) -> [String; N] {
    let mut number = 0;
    contents.map(|text| {
        number += 1;
        let name = format!("part-{number}.jsonl");
        folder.write(&name, &text);
        folder.file(&name)
    })
}

#[test]
fn shards_are_joined() {
    let folder = Folder::new("experiments/merge");
    let [odd, even] = files(&folder, [journal(7, &[3, 1]), journal(7, &[0, 2])]);
    let whole = folder.file("whole.jsonl");
    let (text, note) = printed(&["merge", &odd, &even, "--out", &whole]);
    assert_eq!(text, format!("joined 2 journals: 4 of 4 trials\nwritten to {whole}\n"));
    assert_eq!(note, "");
    assert_eq!(fs::read_to_string(&whole).expect("a file"), journal(7, &[0, 1, 2, 3]));
}

#[test]
fn what_is_missing_or_double_is_said() {
    let folder = Folder::new("experiments/merge-missing");
    let torn = journal(7, &[1, 2]) + "{\"trial\":0,\"rec";
    let [first, second, empty] = files(&folder, [journal(7, &[1]), torn, journal(7, &[])]);
    let out = folder.file("out.jsonl");
    let (text, _) = printed(&["merge", &first, &second, "--out", &out]);
    for line in ["2 of 4 trials", "missing 2 of 4: 0, 3", "duplicates, with the same record: 1", "was torn"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let (text, _) = printed(&["merge", &first, &second, "--out", &out, "--json"]);
    let json: Value = serde_json::from_str(&text).expect("one JSON value");
    let expect: Value = serde_json::json!({
        "out": out, "journals": 2, "trials": 4, "records": 2,
        "missing": [[0, 0], [3, 3]], "doubled": [[1, 1]], "torn": [second],
    });
    assert_eq!(json, expect);
    let alone = folder.file("alone.jsonl");
    let (text, _) = printed(&["merge", &empty, "--out", &alone]);
    assert!(text.contains("joined 1 journal: 0 of 4 trials\nmissing 4 of 4: 0-3"), "{text}");
}

#[test]
fn what_does_not_belong_together_is_not_joined() {
    let folder = Folder::new("experiments/merge-wrong");
    let changed = journal(7, &[1]).replace("\"roll\":2", "\"roll\":5");
    let contents = [journal(7, &[1]), journal(8, &[2]), changed, "no journal\n".into()];
    let [seven, eight, changed, other] = files(&folder, contents);
    let out = folder.file("out.jsonl");
    let check = |arguments: &[&str], expect: &str| {
        refused(&[&["merge"], arguments, &["--out", &out]].concat(), expect);
    };
    check(&[&seven, &eight], "a journal of seed 8, not seed 7");
    check(&[&seven, &changed], "line 2: trial 1 with another record");
    check(&[&seven, &other], "not a journal");
    check(&[&seven, "/no/such/file"], "cannot read /no/such/file: no such file");
    check(&[], "JOURNAL");
    refused(&["merge", &seven], "--out <FILE>");
    refused(&["merge", &seven, "--out", &eight], "name another file");
    refused(&["merge", &seven, "--out", "/no/such/folder/out"], "cannot write");
    assert!(!Path::new(&out).exists(), "nothing is left behind");
}

#[test]
fn journals_become_tables() {
    let folder = Folder::new("experiments/export");
    let [whole, part, empty] = files(&folder, [journal(7, &[2, 0, 1, 3]), journal(7, &[2]), journal(7, &[])]);
    let expect = "trial,roll,by\n0,1,\"a, b\"\n1,2,\"a, b\"\n2,3,\"a, b\"\n3,4,\"a, b\"\n";
    assert_eq!(printed(&["export", &whole]), (expect.into(), String::new()));
    let out = folder.file("out.csv");
    assert_eq!(printed(&["export", &whole, "--out", &out]), Default::default());
    assert_eq!(fs::read_to_string(&out).expect("a file"), expect);
    let (text, note) = printed(&["export", &part]);
    assert_eq!(text, "trial,roll,by\n2,3,\"a, b\"\n");
    assert_eq!(note, format!("{part}: holds 1 of 4 trials\n"));
    assert_eq!(printed(&["export", &empty]).0, "trial\n");
}

/// A match becomes one row per game, with a number or a word in every cell.
#[test]
fn games_become_rows() {
    let folder = Folder::new("experiments/games");
    let (a, b) = ("uct simulations=20", "random");
    folder.printed(&["match", "tic-tac-toe", "--a", a, "--b", b, "--games", "6", "--journal", "games.jsonl"]);
    let text = folder.printed(&["export", "games.jsonl"]);
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().expect("a head");
    let rows: Vec<Vec<&str>> = rows.collect();
    let column = |name: &str| {
        let place =
            head.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name} in {head:?}"));
        rows.iter().map(|row| row[place]).collect::<Vec<_>>()
    };
    assert_eq!(
        (rows.len(), column("trial"), column("number")),
        (6, vec!["0", "0", "1", "1", "2", "2"], vec!["1", "2", "1", "2", "1", "2"])
    );
    assert_eq!((column("a"), column("b"), column("game")), (vec![a; 6], vec![b; 6], vec!["tic-tac-toe"; 6]));
    assert_eq!(column("first"), ["a", "b", "a", "b", "a", "b"]);
    assert!(column("opening").iter().all(|opening| opening.split(' ').count() == 2));
    for name in ["score_a", "margin_a", "payoff_a", "payoff_b", "plies", "simulations_a", "choices_b"] {
        assert!(column(name).iter().all(|cell| cell.parse::<f64>().is_ok()), "{name}: {:?}", column(name));
    }
    // In a game of one player, a row has the numbers of one agent.
    folder.printed(&[
        "match",
        "sailing size=3",
        "--a",
        "uct simulations=9",
        "--b",
        "flat simulations=9",
        "--games",
        "2",
        "--journal",
        "alone.jsonl",
    ]);
    let text = folder.printed(&["export", "alone.jsonl"]);
    let row: Vec<&str> = text.lines().nth(2).expect("the game of b").split(',').collect();
    assert_eq!((row[5], row[11], row[12].parse::<f64>().is_ok()), ("b", "", true), "{text}");
}

#[test]
fn what_cannot_be_exported() {
    let folder = Folder::new("experiments/export-wrong");
    let [whole, damaged, other] =
        files(&folder, [journal(7, &[0]), journal(7, &[0]) + "{}\n{}\n", String::new()]);
    refused(&["export"], "JOURNAL");
    refused(&["export", "/no/such/file"], "cannot read /no/such/file: no such file");
    refused(&["export", &damaged], "line 3");
    refused(&["export", &other], "without a whole first line");
    refused(&["export", &whole, "--out", &whole], "the journal itself; name another file");
    refused(
        &["export", &whole, "--out", "/no/such/folder/out.csv"],
        "--out /no/such/folder/out.csv: no such",
    );
    assert_eq!(fs::read_to_string(&whole).expect("a file"), journal(7, &[0]));
}

#[test]
fn papers_are_listed() {
    assert!(printed(&["list"]).0.contains("papers for aji reproduce\n strass2026 "));
    let (text, note) = printed(&["reproduce", "--list", "--threads", "2"]);
    assert!(text.contains("strass2026: ") && text.contains("on 2 threads") && note.is_empty(), "{text}");
    let (text, _) = printed(&["reproduce", "strass2026", "--list", "--json"]);
    assert!(serde_json::from_str::<Value>(&text).expect("one JSON value").is_array());
    assert!(printed(&["reproduce", "--help"]).0.contains("[default: reproduction]"));
}

/// A run that would take an hour is refused at once.
#[test]
fn bad_reproductions_are_refused_before_they_begin() {
    let folder = Folder::new("experiments/reproduce-wrong");
    folder.write("file", "");
    folder.write("index.html", "of somebody");
    let check = |arguments: &[&str], expect: &str| refused(&[&["reproduce"], arguments].concat(), expect);
    check(
        &["stras2026"],
        "unknown paper \"stras2026\"; did you mean strass2026? known: strass2026, kao2013, tolpin2012, silver2018, gleave2023, all",
    );
    check(&["all", "--out", &folder.file("file/below")], "file/below: cannot write there: not a directory");
    check(&["all", "--out", &folder.file("")], "has an index.html that aji did not write");
    check(
        &[],
        "which paper? expected strass2026, kao2013, tolpin2012, silver2018, gleave2023 or all (see aji reproduce --help)",
    );
    check(&["--threads", "0"], "0 is not in 1..=4096");
    check(&["--seed", "x"], "invalid value 'x'");
    check(&["strass2026", "--shard", "3/2"], "shard \"3/2\": there is no shard 3 of 2");
}

#[test]
fn the_version_names_the_commit() {
    let (text, _) = printed(&["--version"]);
    let inside = text.strip_prefix("aji 0.1.0 (commit ").and_then(|text| text.strip_suffix(")\n"));
    let commit = inside.unwrap_or_else(|| panic!("{text}"));
    let is_hash = |text: &str| text.chars().all(|character| character.is_ascii_hexdigit());
    assert!(commit == "unknown" || commit.split('+').all(is_hash), "{text}");
}

#[test]
fn rules_are_compared_on_bandits() {
    let folder = Folder::new("experiments/bandit");
    let words = ["bandit", "--rules", "ucb1 c=0.3, voi recommend=pulls", "--arms", "8"];
    let words = [&words[..], &["--budgets", "8,16,..,32", "--repeats", "50"]].concat();
    let told: Value = serde_json::from_str(&printed(&[&words[..], &["--json"]].concat()).0).expect("JSON");
    let rows = told.as_array().expect("a list");
    assert_eq!(rows.len(), 6);
    for (row, budget) in rows.iter().zip([8, 16, 32, 8, 16, 32]) {
        let (regret, error) = (row["simple_regret"].as_f64().unwrap(), row["error"].as_f64().unwrap());
        assert!((0.0..1.0).contains(&regret) && error > 0.0, "{row}");
        assert!(row["cumulative_regret"].as_f64().unwrap() > regret, "{row}");
        assert_eq!((row["budget"].as_u64(), &row["recommendation"]), (Some(budget), &Value::from("pulls")));
    }
    assert_eq!((&rows[0]["rule"], &rows[5]["rule"]), (&"ucb1(c=0.3)".into(), &"voi recommend=pulls".into()));
    let (text, _) = printed(&[&words[..], &["--threads", "1", "--svg", &folder.file("regret.svg")]].concat());
    assert!(text.contains("8 arms, 50 bandits") && text.contains("cumulative regret"), "{text}");
    // Fewer rules than budgets: the rules are the columns.
    assert!(
        text.contains("\n pulls ") && text.contains("  ucb1(c=0.3)  ") && text.contains("\n 32 "),
        "{text}"
    );
    assert!(folder.read("regret.svg").contains("</svg>"));
}

#[test]
fn bad_bandits_are_refused() {
    refused(&["bandit", "--rules", "voy"], "unknown rule \"voy\"");
    refused(&["bandit", "--rules", ""], "the name of the rule is empty");
    refused(&["bandit", "--budgets", "0"], "expected a number of pulls from 1 to 100000000");
    refused(&["bandit", "--means", "beta:1"], "expected uniform, beta:A,B or means such as 0.9,0.5");
    refused(&["bandit", "--means", "0.5,0.6", "--arms", "3"], "2 means for 3 arms");
    refused(&["bandit", "--rewards", "x"], "expected bernoulli, beta or gauss");
    refused(&["bandit", "--arms", "0"], "0 arms: expected 1 to 10000");
    refused(&["bandit", "--repeats", "1"], "1 is not in 2..");
}
