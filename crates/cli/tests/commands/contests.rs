//! Games between agents from a shell: matches, tournaments, tuning, replays; with journals, killed, and in shards.

use crate::shell::{Folder, command};
use serde_json::Value;

const MATCH: [&str; 8] =
    ["match", "tic-tac-toe", "--a", "uct simulations=80", "--b", "random", "--games", "60"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&MATCH, more].concat()
}

#[test]
fn a_match_is_told_for_people_and_machines() {
    let folder = Folder::new("contests/match");
    let text = folder.printed(&MATCH);
    for word in ["tic-tac-toe, 60 games", "score of a", "Elo", "95%", "duplicates", "80 simulations"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let json: Value = serde_json::from_str(&folder.printed(&with(&["--json"]))).expect("JSON");
    let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    assert_eq!((json["game"].as_str(), json["b"].as_str()), (Some("tic-tac-toe"), Some("random")));
    assert_eq!(number("a_wins") + number("b_wins") + number("draws"), 60.0);
    assert_eq!(number("score"), (number("a_wins") + number("draws") / 2.0) / 60.0);
    assert!(
        number("low") < number("score") && number("score") < number("high") && number("low") > 0.6,
        "{json}"
    );
    assert!(number("elo_low") < number("elo") && number("duplicates") < 30.0, "{json}");
    // The same command, the same bytes, on any number of threads.
    let again = folder.printed(&with(&["--json", "--threads", "1"]));
    assert_eq!(serde_json::from_str::<Value>(&again).expect("JSON"), json);
}

#[test]
fn shards_join_to_the_whole() {
    let folder = Folder::new("contests/shards");
    let whole = folder.printed(&with(&["--json", "--journal", "whole.jsonl"]));
    for shard in ["1/3", "2/3", "3/3"] {
        let journal = format!("part{}.jsonl", &shard[..1]);
        folder.printed(&with(&["--shard", shard, "--journal", &journal]));
    }
    // A cluster names the shard by its environment.
    let mut command = command(&with(&["--journal", "slurm.jsonl"]));
    command.env("SLURM_ARRAY_TASK_ID", "2").env("SLURM_ARRAY_TASK_COUNT", "3");
    assert!(command.current_dir(folder.path()).output().expect("aji runs").status.success());
    assert_eq!(folder.read("slurm.jsonl"), folder.read("part3.jsonl"));
    folder.printed(&["merge", "part3.jsonl", "part1.jsonl", "part2.jsonl", "--out", "joined.jsonl"]);
    assert_eq!(folder.read("joined.jsonl"), folder.read("whole.jsonl"));
    assert_eq!(folder.printed(&with(&["--json", "--journal", "joined.jsonl"])), whole);
    folder.refused(&with(&["--shard", "1/3"]), "needs --journal FILE");
    folder.refused(&with(&["--journal", "whole.jsonl", "--seed", "2"]), "seed");
}

/// A finished match continues with more games, and ends with the same bytes as one run of all games.
#[test]
fn a_finished_match_is_extended() {
    let folder = Folder::new("contests/extended");
    let games = |games, journal| {
        let words = ["match", "tic-tac-toe", "--a", "uct simulations=20", "--b", "random", "--json"];
        [&words[..], &["--games", games, "--journal", journal]].concat()
    };
    let half = folder.printed(&games("40", "grown.jsonl"));
    let grown = folder.printed(&games("80", "grown.jsonl"));
    assert_ne!(half, grown);
    assert_eq!(folder.printed(&games("80", "whole.jsonl")), grown);
    assert_eq!(folder.read("grown.jsonl"), folder.read("whole.jsonl"));
    folder.refused(
        &games("40", "grown.jsonl"),
        "a run of --games 80 there, and --games 40 here; give --games 80 or more",
    );
}

/// The error names the option that differs, with both values.
#[test]
fn a_journal_of_another_match_is_refused_by_option() {
    let folder = Folder::new("contests/mismatch");
    folder.printed(&with(&["--journal", "kept.jsonl"]));
    let check = |arguments: &[&str], expect: &str| {
        folder.refused(&[arguments, &["--journal", "kept.jsonl"]].concat(), expect);
    };
    let changed = |place: usize, word| {
        let mut words = MATCH;
        words[place] = word;
        words
    };
    check(
        &changed(3, "uct simulations=90"),
        "--a was \"uct simulations=80\" there, and is \"uct simulations=90\" here",
    );
    check(&changed(5, "flat"), "--b was \"random\" there, and is \"flat\" here");
    check(&changed(1, "nim"), "the game was \"tic-tac-toe\" there, and is \"nim\" here");
    check(&with(&["--openings", "3"]), "--openings was 2 there, and is 3 here");
    check(&with(&["--seed", "2"]), "--seed was 1 there, and is 2 here");
    check(&with(&["--equal-samples", "--b", "x"]), "--b");
    check(&["bandit", "--repeats", "20"], "the command was match there, and is bandit here");
}

/// Words are tuned too: which rule at the root is best.
#[test]
fn words_are_tuned() {
    let folder = Folder::new("contests/words");
    let words = ["tune", "tic-tac-toe", "--agent", "uct simulations=30", "--games", "24"];
    let words =
        [&words[..], &["--vary", "playout=uniform,mast(temperature=0.5),lgr", "--svg", "words.svg"]].concat();
    let text = folder.printed(&words);
    assert!(text.contains("playout=mast(temperature=0.5)") && !text.contains("smoothed"), "{text}");
    let figure = folder.read("words.svg");
    assert!(["1 uniform", "2 mast(temperature=0.5)", "3 lgr"].iter().all(|word| figure.contains(word)));
    let json: Value =
        serde_json::from_str(&folder.printed(&[&words[..], &["--json"]].concat())).expect("JSON");
    let among = json["best_among"].as_array().expect("a list");
    assert!(
        json["best"].is_string() && json["best_low"].is_null() && among.contains(&json["best"]),
        "{json}"
    );
    assert!(json["values"][0]["smoothed"].is_null(), "{json}");
    folder.refused(&["tune", "hex", "--vary", "solver=on,on"], "root=ucb1,voi,kg");
}

/// The best number has the highest smoothed score, and the numbers that may be the best lie in the interval.
#[test]
fn numbers_are_tuned_by_their_smoothed_scores() {
    let folder = Folder::new("contests/smoothed");
    let words =
        ["tune", "tic-tac-toe", "--agent", "uct simulations=20", "--vary", "c=0.2..2", "--games", "40"];
    assert!(folder.printed(&words).contains("  by the smoothed score (at 95% the best is in "));
    let json: Value =
        serde_json::from_str(&folder.printed(&[&words[..], &["--json"]].concat())).expect("JSON");
    let number = |value: &Value| value.as_f64().expect("a number");
    let values = json["values"].as_array().expect("a list");
    let highest = values.iter().map(|value| number(&value["smoothed"])).fold(0.0, f64::max);
    let best = values.iter().find(|value| value["value"] == json["best"]).expect("the best value");
    assert_eq!(number(&best["smoothed"]), highest, "{json}");
    let interval = number(&json["best_low"])..=number(&json["best_high"]);
    let within: Vec<&Value> = values
        .iter()
        .map(|value| &value["value"])
        .filter(|value| interval.contains(&number(value)))
        .collect();
    assert_eq!(json["best_among"].as_array().expect("a list").iter().collect::<Vec<_>>(), within, "{json}");
}

/// A match that is killed and started again writes the same journal as one that is not.
#[test]
fn a_killed_match_goes_on() {
    let folder = Folder::new("contests/killed");
    let long = |journal| {
        let agents = ["--a", "uct simulations=2000", "--b", "uct c=0.5 simulations=2000", "--games", "60"];
        [&["match", "connect-four"], &agents[..], &["--journal", journal, "--json"]].concat()
    };
    let whole = folder.printed(&long("whole.jsonl"));
    let mut child = command(&long("killed.jsonl"))
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("aji starts");
    let killed = folder.file("killed.jsonl");
    let lines = || std::fs::read_to_string(&killed).map_or(0, |text| text.lines().count());
    while lines() < 4 && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("a child to kill");
    child.wait().expect("an end");
    assert_eq!(folder.printed(&long("killed.jsonl")), whole);
    assert_eq!(folder.read("killed.jsonl"), folder.read("whole.jsonl"));
}

/// A match that is killed between the two games of a round does not play the first one again.
#[test]
fn a_finished_game_of_a_killed_round_is_kept() {
    let folder = Folder::new("contests/kept");
    let long = |journal| {
        let agents = ["--a", "uct simulations=20000", "--b", "uct c=0.5 simulations=20000", "--games", "2"];
        [&["match", "connect-four"], &agents[..], &["--threads", "1", "--journal", journal, "--json"]]
            .concat()
    };
    let whole = folder.printed(&long("whole.jsonl"));
    let mut child = command(&long("killed.jsonl"))
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("aji starts");
    let kept = folder.file("killed.jsonl.games");
    let lines = || std::fs::read_to_string(&kept).map_or(0, |text| text.lines().count());
    while lines() < 2 && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("a child to kill");
    child.wait().expect("an end");
    assert_eq!(folder.read("killed.jsonl").lines().count(), 1, "no round is recorded yet");
    let games = folder.read("killed.jsonl.games");
    // A copy in which the kept game has another number shows that it is taken from there.
    std::fs::copy(folder.file("killed.jsonl"), folder.file("changed.jsonl")).expect("a copy");
    let changed = games.replace("\"carried\":[", "\"carried\":[7");
    std::fs::write(folder.file("changed.jsonl.games"), &changed).expect("a file");
    folder.printed(&long("changed.jsonl"));
    assert!(folder.read("changed.jsonl").contains("\"carried\":[7"), "the game was played again");
    assert_eq!(folder.printed(&long("killed.jsonl")), whole);
    assert_eq!(folder.read("killed.jsonl"), folder.read("whole.jsonl"));
    for file in [&kept, &folder.file("whole.jsonl.games")] {
        assert!(!std::fs::exists(file).expect("a folder"), "{file} is removed at the end");
    }
    // Games of another contest are not taken.
    std::fs::write(folder.file("other.jsonl.games"), changed.replacen("\"seed\":", "\"seed\":1", 1))
        .expect("a file");
    folder.printed(&long("other.jsonl"));
    assert_eq!(folder.read("other.jsonl"), folder.read("whole.jsonl"));
}

#[test]
fn a_test_ends_a_match_early() {
    let folder = Folder::new("contests/sprt");
    let arguments = ["match", "tic-tac-toe", "--a", "uct simulations=80", "--b", "random", "--games", "2000"];
    let text = folder.printed(&[&arguments[..], &["--sprt", "0,100"]].concat());
    assert!(
        text.contains("ended by the test")
            && text.contains("a difference of 100 Elo fits these games better than 0"),
        "{text}"
    );
    folder.refused(&with(&["--sprt", "20,0"]), "the lower first, such as 0,20");
    folder.refused(
        &with(&["--sprt", "0,20", "--shard", "1/2", "--journal", "x"]),
        "cannot be split so; run it whole, or in ranges of trials such as 0..100",
    );
}

#[test]
fn ranges_of_a_match_with_a_test_have_its_bytes() {
    let folder = Folder::new("contests/sprt-ranges");
    let arguments = |journal: &'static str, more: &[&'static str]| {
        let fixed = ["match", "tic-tac-toe", "--a", "uct simulations=80", "--b", "random", "--games", "60"];
        [&fixed[..], &["--sprt", "0,100", "--journal", journal], more].concat()
    };
    let whole = folder.printed(&arguments("whole.jsonl", &[]));
    assert!(whole.contains("ended by the test"), "{whole}");
    // Later trials know nothing of the test, which has decided before them.
    assert_eq!(folder.printed(&arguments("late.jsonl", &["--shard", "20..30"])), "");
    assert_eq!(folder.read("late.jsonl").lines().count(), 11);
    assert_eq!(folder.printed(&arguments("first.jsonl", &["--shard", "0..3"])), "");
    assert_eq!(folder.printed(&arguments("next.jsonl", &["--shard", "3..20"])), "");
    folder.printed(&["merge", "--out", "joined.jsonl", "first.jsonl", "next.jsonl", "late.jsonl"]);
    assert_eq!(folder.printed(&arguments("joined.jsonl", &["--shard", "0..3"])), "");
    assert_eq!(folder.read("joined.jsonl").lines().count(), 31);
    let told = folder.printed(&arguments("joined.jsonl", &["--shard", "0..20"]));
    assert!(
        told.starts_with("the test has decided after ") && told.ends_with("; the journal ends there\n"),
        "{told}"
    );
    assert_eq!(folder.read("joined.jsonl"), folder.read("whole.jsonl"));
}

#[test]
fn saved_games_are_replayed() {
    let folder = Folder::new("contests/replay");
    folder.printed(&with(&["--save", "games.jsonl"]));
    let text = folder.printed(&["replay", "games.jsonl"]);
    assert!(text.contains("60 games, every move legal") && text.lines().count() == 61, "{text}");
    let shown = folder.printed(&["replay", "games.jsonl", "--game", "2"]);
    assert!(shown.contains("(opening)") && shown.contains("random - uct simulations=80"), "{shown}");
    folder.refused(&["replay", "games.jsonl", "--game", "61"], "has 60 games; there is no number 61");
    folder.refused(&["replay", "nowhere"], "cannot read nowhere");
    folder.write("bad.jsonl", "hello\n");
    folder.refused(&["replay", "bad.jsonl"], "bad.jsonl, line 1: not a saved game");
    folder.write("bad.jsonl", "\n\nhello\n");
    folder.refused(&["replay", "bad.jsonl"], "bad.jsonl, line 3: not a saved game");
    folder.write("empty.jsonl", "\n");
    folder.refused(&["replay", "empty.jsonl"], "empty.jsonl has no games");
    folder.refused(&with(&["--save", "no/where.jsonl"]), "--save no/where.jsonl: no such file");
}

#[test]
fn a_tournament_ranks_its_agents() {
    let folder = Folder::new("contests/tournament");
    folder.write("agents", "# two and one\nrandom\n\nuct simulations=100\nuct simulations=5\n");
    let arguments = ["tournament", "tic-tac-toe", "--agents", "agents", "--games", "20"];
    let text = folder.printed(&arguments);
    assert!(text.contains("1  uct simulations=100") && text.contains("3  random"), "{text}");
    let json: Value =
        serde_json::from_str(&folder.printed(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    let ratings = json["ratings"].as_array().expect("ratings");
    assert_eq!((ratings.len(), json["meetings"].as_array().map(Vec::len)), (3, Some(3)));
    let rated = |key: &str| ratings[0][key].as_f64().expect("a number");
    assert!(
        rated("elo_low") < rated("elo") && rated("elo") < rated("elo_high") && rated("elo") > 0.0,
        "{json}"
    );
    for (text, expect) in [
        ("", "a tournament needs at least two agents; found 0"),
        ("uct\nutc\n", "agents, line 2: unknown agent"),
        ("uct\nuct c=1.4\n", "line 2: uct is there twice"),
    ] {
        folder.write("agents", text);
        folder.refused(&arguments, expect);
    }
    folder.refused(&["tournament", "hex", "--agents", "nowhere"], "cannot read nowhere");
    let named = ["tournament", "tic-tac-toe", "--agent", "random", "--games", "4", "--agent"];
    assert!(folder.printed(&[&named[..], &["uct simulations=5"]].concat()).contains("2  random"));
    folder.refused(&[&named[..], &["random"]].concat(), "--agent: random is there twice");
    folder
        .refused(&["tournament", "hex", "--agent", "uct"], "a tournament needs at least two agents; found 1");
}

#[test]
fn tuning_tells_the_best() {
    let folder = Folder::new("contests/tune");
    let arguments = [
        "tune",
        "tic-tac-toe",
        "--agent",
        "uct simulations=20",
        "--vary",
        "simulations=2..50",
        "--games",
        "40",
    ];
    let text = folder.printed(&[&arguments[..], &["--points", "4", "--svg", "tuned.svg"]].concat());
    assert!(text.contains("best: simulations=") && text.contains("95%"), "{text}");
    let svg = folder.read("tuned.svg");
    assert!(svg.starts_with("<svg"), "{svg}");
    for name in ["smoothed", "equal: 0.5", "best: simulations=", "best, 95%: "] {
        assert!(svg.contains(&format!("\n{name}")), "{name} in the legend of {svg}");
    }
    let json: Value =
        serde_json::from_str(&folder.printed(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(
        (json["option"].as_str(), json["values"].as_array().map(Vec::len)),
        (Some("simulations"), Some(8))
    );
    assert!(
        json["best"].as_f64() > Some(5.0) && json["best_low"].as_f64() <= json["best"].as_f64(),
        "{json}"
    );
    folder.refused(&["tune", "hex", "--vary", "c"], "such as c=0.1..2");
    folder.refused(&["tune", "hex", "--vary", "x=1..2"], "unknown option of agent uct: \"x\"");
    folder.refused(&["tune", "hex"], "--vary");
}

/// Games of three players come in rounds of rotated seats.
#[test]
fn three_players_meet() {
    let folder = Folder::new("contests/three");
    let words = [
        "match",
        "nim players=3 heaps=2,3,1",
        "--a",
        "uct simulations=200",
        "--b",
        "random",
        "--games",
        "60",
    ];
    let text = folder.printed(&words);
    assert!(text.contains("60 games in rounds of 6") && text.contains("score of a"), "{text}");
    assert!(
        text.contains("\nScores of 3 players") && text.replace('\n', " ").contains("scores 0.875, not 1."),
        "{text}"
    );
    let json: Value =
        serde_json::from_str(&folder.printed(&[&words[..], &["--json"]].concat())).expect("JSON");
    assert_eq!((json["rounds"].as_u64(), json["games"].as_u64()), (Some(10), Some(60)));
    assert_eq!(json["score_of_winner"].as_f64(), Some(0.875));
    assert!(json["low"].as_f64() > Some(0.5) && json["pairs"].is_null(), "{json}");
    folder.write("agents.txt", "uct simulations=100\nrandom\nrandom seed=2\n");
    let text =
        folder.printed(&["tournament", "pig players=3 goal=12", "--agents", "agents.txt", "--games", "12"]);
    assert!(
        text.contains("36 games in rounds of 6") && text.replace('\n', " ").contains("scores 0.875, not 1."),
        "{text}"
    );
}

#[test]
fn wrong_matches_are_refused() {
    let folder = Folder::new("contests/wrong");
    folder.refused(&["match", "hex"], "--a");
    folder.refused(&["match", "hexx", "--a", "uct", "--b", "uct"], "did you mean hex?");
    folder.refused(&["match", "hex", "--a", "utc", "--b", "uct"], "did you mean uct?");
    folder.refused(&["match", "pig", "--a", "uct", "--b", "alphabeta"], "has chance");
    let three = ["match", "pig players=3", "--a", "uct", "--b", "random"];
    folder.refused(&[&three[..], &["--games", "10"]].concat(), "a round of 3 players has 6 games");
    folder.refused(&[&three[..], &["--sprt", "0,20"]].concat(), "for games of one or two players");
    folder.refused(&[&three[..], &["--equal-samples"]].concat(), "samples are equalised in games of two");
    folder.refused(
        &["match", "hex", "--a", "uct", "--b", "uct", "--games", "7"],
        "give an even number, such as 8",
    );
    folder.refused(&["match", "hex", "--a", "uct", "--b", "uct", "--games", "0"], "0 is not in 1..");
    folder.refused(&with(&["--journal", "no/where.jsonl"]), "no/where.jsonl");
}

/// If one agent stops early, the other gets the same number of simulations.
#[test]
fn samples_are_equalised() {
    let folder = Folder::new("contests/equal");
    let words = ["match", "connect-four", "--a", "uct root=voi(stop=0.01) carry=on simulations=500"];
    let words = [&words[..], &["--b", "uct simulations=500", "--games", "4", "--equal-samples"]].concat();
    let text = folder.printed(&words);
    let spent = |agent: &str| {
        let line = text.lines().find(|line| line.contains(&format!("{agent}, per move"))).expect("a line");
        line.split_whitespace().nth(3).expect("a number").replace(',', "").parse::<f64>().expect("a number")
    };
    assert!((spent("a") - spent("b")).abs() < 100.0, "{text}");
    folder.refused(
        &["match", "sailing", "--a", "uct", "--b", "flat", "--games", "2", "--equal-samples"],
        "samples are equalised in games of two players; it has 1",
    );
    folder.refused(
        &["match", "hex", "--a", "uct", "--b", "uct time=1ms", "--games", "2", "--equal-samples"],
        "to equalise samples it needs simulations=",
    );
}
