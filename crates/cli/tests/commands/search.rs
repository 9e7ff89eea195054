//! `aji search`: as text and JSON, by every agent in every game; and `aji traps`.

use crate::shell::{Folder, answered, json, printed, refused, with_input};
use serde_json::Value;

#[test]
fn search_as_json() {
    let found = json(&[
        "search",
        "connect-four",
        "--moves",
        "d d",
        "--agent",
        "uct simulations=3000 seed=5",
        "--json",
    ]);
    let keys = [
        "game",
        "agent",
        "seed",
        "simulations",
        "seconds",
        "nodes",
        "bytes",
        "stopped",
        "best",
        "value",
        "arms",
        "line",
    ];
    for key in keys {
        assert!(!found[key].is_null(), "{key} is missing in {found}");
    }
    assert_eq!((&found["game"], &found["seed"]), (&"connect-four".into(), &5.into()));
    assert_eq!((&found["simulations"], &found["stopped"]), (&3000.into(), &"simulations".into()));
    assert_eq!(found["agent"], "uct simulations=3000 seed=5");
    let arms = found["arms"].as_array().expect("a list");
    assert_eq!(arms.len(), 7);
    assert_eq!(arms.iter().filter_map(|arm| arm["pulls"].as_u64()).sum::<u64>(), 3000);
    assert!(
        arms.iter()
            .all(|arm| arm["mean"].is_number() && arm["error"].is_number() && arm["action"].is_string())
    );
    assert_eq!(found["line"][0], found["best"]);
}

/// A small network that has learned nothing.
const NETWORK: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../catalog/tests/catalog/goldens/connect-four.safetensors");

#[test]
fn networks_show_priors() {
    let agent = format!("alphazero net={NETWORK} simulations=60");
    let text = printed(&["search", "connect-four", "--agent", &agent]);
    let head: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(head.contains(&vec!["action", "prior", "pulls", "mean", "error"]), "{text}");
    let found = json(&["search", "connect-four", "--agent", &agent, "--json"]);
    let arms = found["arms"].as_array().expect("a list");
    let priors: f64 = arms.iter().filter_map(|arm| arm["prior"].as_f64()).sum();
    assert!((priors - 1.0).abs() < 1e-4 && found["evaluation"].is_number(), "{found}");
    let plain = json(&["search", "connect-four", "--agent", "uct simulations=60", "--json"]);
    assert!(plain["arms"][0]["prior"].is_null() && plain["evaluation"].is_null(), "{plain}");
    // The first simulation takes the action with the highest prior, and expands the position behind it.
    let told = printed(&["explain", "connect-four", "--agent", &agent, "--steps", "1"]);
    let best = arms.iter().reduce(|best, arm| match arm["prior"].as_f64() > best["prior"].as_f64() {
        true => arm,
        false => best,
    });
    let best = best.and_then(|arm| arm["action"].as_str()).expect("an action");
    assert!(told.contains(&format!("select    x takes {best} (0 pulls, prior ")), "{told}");
    assert!(told.contains("expand    the position gets its 7 actions, with priors"), "{told}");
    assert!(told.contains("simulate  the network values it") && !told.contains("wins by"), "{told}");
    let score = printed(&["match", "connect-four", "--a", &agent, "--b", "random", "--games", "2", "--json"]);
    assert!(score.contains("alphazero"), "{score}");
}

#[test]
fn wrong_networks_are_refused() {
    let folder = Folder::new("networks");
    std::fs::write(folder.file("torn"), &std::fs::read(NETWORK).expect("a file")[..900]).expect("written");
    let check = |game: &str, net: &str, expect: &str| {
        for agent in ["alphazero", "gumbel", "uct playout=net"] {
            refused(&["search", game, "--agent", &format!("{agent} net={net}")], expect);
        }
    };
    check("connect-four", "nowhere.safetensors", "net=nowhere.safetensors: no such file");
    check("connect-four", &folder.file("torn"), "no safetensors file");
    check("othello", NETWORK, "it plays connect-four, expected a network for othello");
    refused(
        &["search", "nim", "--agent", "alphazero"],
        "alphazero: networks cannot play nim, as it has no encoding",
    );
    refused(
        &["search", "breakthrough", "--agent", "gumbel"],
        "train one: aji train \"breakthrough\" --out DIR",
    );
}

/// A record of Go brings its own komi, which chooses the agent and is a part of the game's name.
#[test]
fn a_position_brings_its_komi() {
    let found = |game: &[&str], komi: &str| {
        let position = format!("(;GM[1]SZ[7]KM[{komi}];B[dd])");
        json(&[&["search"], game, &["--position", &position, "--json"]].concat())
    };
    let learned = found(&["go", "size=7", "komi=0.5"], "7.5");
    assert_eq!((&learned["game"], &learned["agent"]), (&"go size=7 komi=7.5".into(), &"alphazero".into()));
    let other = found(&["go", "size=7"], "0.5");
    assert_eq!(
        (&other["game"], &other["agent"]),
        (&"go size=7 komi=0.5".into(), &"rave playout=atari".into())
    );
    let position = other["position"].as_str().expect("text");
    let back = json(&["search", "go size=7 komi=0.5", "--position", position, "--json"]);
    assert_eq!((&back["game"], &back["agent"]), (&other["game"], &other["agent"]));
    refused(
        &["search", "go", "size=7", "komi=6.5", "--agent", "alphazero"],
        "its network learned go size=7 with komi=7.5",
    );
}

/// Each line of many brings its own.
#[test]
fn positions_bring_their_komi() {
    let lines = "(;GM[1]SZ[7]KM[7.5];B[dd])\n(;GM[1]SZ[7]KM[0.5];B[dd])\n";
    let text = answered(&["search", "go", "size=7", "--position", "-"], lines);
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let agents: Vec<&Value> = found.iter().map(|line| &line["agent"]).collect();
    assert_eq!(agents, ["alphazero", "rave playout=atari"]);
}

#[test]
fn search_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x"]);
    assert!(text.contains("x to move; best: c3"), "{text}");
    let text = printed(&["search", "connect-four", "--agent", "uct memory=100kB simulations=30000"]);
    assert!(text.contains("was full") && text.contains("the search went on"), "{text}");
}

#[test]
fn the_same_seed_prints_the_same() {
    let run = || {
        let mut found = json(&["search", "hex size=5", "--json", "--agent", "uct c=0.7"]);
        found["seconds"] = 0.into();
        found.to_string()
    };
    assert_eq!(run(), run());
}

#[test]
fn every_agent_searches_every_game() {
    let games = [
        "tic-tac-toe",
        "mnk m=4 n=4 k=4",
        "connect-four",
        "othello",
        "hex size=5",
        "breakthrough",
        "nim heaps=3,4,5",
        "go size=5",
        "heap-go heaps=4 counters=3 seed=2",
        "domineering",
        "clobber rows=4 columns=4",
        "toads-and-frogs rows=2",
        "sum game=clobber boards=xo+oxo/xox first=right",
        "pig goal=30",
        "sailing",
        "2048",
        "canadian-traveller",
    ];
    let agents = [
        "uct",
        "flat",
        "random",
        "uct root=epsilon below=ucb_sqrt",
        "uct below=ucb_tuned",
        "uct root=uniform below=puct",
        "uct cutoff=5",
        "uct unit=points recommend=posterior",
        "uct depth=2",
        "uct solver=on",
    ];
    for game in &games[..13] {
        assert!(
            json(&["search", game, "--agent", "alphabeta depth=2", "--json"])["best"].is_string(),
            "{game}"
        );
    }
    for game in &games[13..] {
        refused(&["search", game, "--agent", "alphabeta"], "alphabeta: ");
    }
    for game in games {
        for agent in agents {
            let agent = format!("{agent} simulations=200 memory=10MB");
            let found = json(&["search", game, "--agent", &agent, "--json"]);
            assert!(found["best"].is_string(), "{game}, {agent}: {found}");
        }
    }
    for game in ["connect-four", "othello", "breakthrough"] {
        for agent in ["uct playout=epsilon simulations=50", "uct cutoff=4 eval=on simulations=200"] {
            assert!(
                json(&["search", game, "--agent", agent, "--json"])["best"].is_string(),
                "{game}, {agent}"
            );
        }
    }
}

#[test]
fn exact_play_for_people() {
    let text = printed(&["search", "tic-tac-toe", "--position", "xx./oo./... x", "--agent", "exact"]);
    assert!(text.contains("x to move; best: c3, worth 1.000") && text.contains("; solved"), "{text}");
    assert!(text.contains("action   value") || text.contains("action  value"), "{text}");
    let found = json(&["search", "connect-four", "--agent", "alphabeta depth=4", "--json"]);
    assert_eq!((&found["stopped"], &found["best"]), (&"depth".into(), &"d".into()), "{found}");
    refused(&["search", "othello", "--agent", "exact memory=1MB"], "exact: othello has more than");
    refused(&["search", "nim players=3", "--agent", "alphabeta"], "has 3 players");
}

#[test]
fn traps_are_found_and_told() {
    let hunt = ["traps", "hex size=5", "--plies", "4..14", "--tries", "150", "--most", "1", "--json"];
    let found: Value = serde_json::from_str(&printed(&hunt)).expect("a trap among 150 positions");
    assert!(found["blunder_value"].as_f64() < found["answer_value"].as_f64(), "{found}");
    // Connect Four has a solver of its own, which judges by default.
    let four = printed(&["traps", "connect-four", "--prey", "uct simulations=1000", "--most", "1"]);
    assert!(four.contains("1 trap among ") && four.contains("prey and witness differed in "), "{four}");
    // Chance is drawn before an agent is asked, and exact play values what leads to chance.
    let pig =
        ["traps", "pig", "goal=10", "--prey", "random", "--plies", "0..9", "--most", "3", "--judge", "exact"];
    let pig = printed(&pig);
    assert!(pig.contains("3 traps among "), "{pig}");
    let plain = printed(&["traps", "hex size=3", "--plies", "1..4", "--tries", "5"]);
    assert_eq!(printed(&["traps", "hex size=3", "--plies", "1e0..0.004k", "--tries", "0.005k"]), plain);
    refused(&["traps", "hex", "--plies", "9..3"], "expected plies such as 12 or 8..24");
    refused(&["traps", "hex", "--witness", "uct solver=yes"], "expected on or off");
}

/// Many positions give one line each, in their order, on any number of threads, as if each were searched alone.
#[test]
fn many_positions_in_order() {
    let folder = Folder::new("search/positions");
    folder.write("positions", "3,4,5 1\n\n  1,2,0 2  \nnonsense\n0,0,5 1\n");
    let words = ["search", "nim", "--agent", "uct simulations=2k", "--position"];
    let run = |more: &[&str]| {
        let output = folder.aji(&[&words[..], more].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert_eq!(error, "aji: 1 of 4 positions could not be searched\n");
        let text = String::from_utf8(output.stdout).expect("text");
        let line = |line: &str| {
            let mut value: Value = serde_json::from_str(line).expect("JSON");
            value["seconds"] = 0.into();
            value
        };
        text.lines().map(line).collect::<Vec<_>>()
    };
    let found = run(&["@positions"]);
    let column = |key: &str| found.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("input_line"), [1, 3, 4, 5].map(Value::from));
    assert_eq!(column("position"), ["3,4,5 1", "1,2,0 2", "nonsense", "0,0,5 1"].map(Value::from));
    assert!(
        found[2]["error"].as_str().is_some_and(|error| error.contains("position \"nonsense\"")),
        "{found:?}"
    );
    assert_eq!((&found[1]["best"], &found[3]["best"]), (&"2:1".into(), &"3:5".into()));
    assert_eq!(run(&["@positions", "--threads", "1"]), found);
    let mut alone =
        json(&["search", "nim", "--agent", "uct simulations=2k", "--position", "1,2,0 2", "--json"]);
    (alone["seconds"], alone["input_line"]) = (0.into(), 3.into());
    assert_eq!(alone, found[1]);
    let output = with_input(&["search", "nim", "--position", "-"], "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    refused(&["search", "nm", "--position", "-"], "unknown game");
    refused(&["search", "pig", "--agent", "alphabeta", "--position", "-"], "has chance");
}

/// The rows of the table of arms: each action with its mean and the error.
fn arms(text: &str) -> Vec<(String, f64, f64)> {
    let rows = text.lines().skip_while(|line| !line.starts_with(" action")).skip(1);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("a number: {line}"));
        let [.., worth, error] = cells[..] else { panic!("cells: {line}") };
        (cells[0].to_string(), number(worth), number(error))
    };
    rows.take_while(|line| !line.is_empty()).map(row).collect()
}

/// A game that is played for points shows points, by the default agent and by plain uct, and its arms can be told apart. As shares
/// of the range of scores all arms of 2048 read 0.0006, with an error of 0.0000.
#[test]
fn points_are_shown_where_a_game_is_played_for_them() {
    let games = [("2048", 100.0..100_000.0), ("sailing size=8", -2_000.0..-10.0)];
    for (game, range) in games {
        let default: &[&str] = &["search", game];
        for arguments in [default, &["search", game, "--agent", "uct simulations=1000"]] {
            let text = printed(arguments);
            assert!(text.contains(" points\n") && text.contains("  points  error\n"), "{text}");
            let arms = arms(&text);
            assert!(arms.len() > 1 && arms.iter().all(|arm| range.contains(&arm.1)), "{text}");
            assert!(arms.iter().all(|arm| arm.2 > 0.0), "every arm has an error: {text}");
            let differ = |place: usize| arms[..place].iter().all(|other| other.1 != arms[place].1);
            assert!((0..arms.len()).all(differ), "{text}");
        }
    }
    // A position of other heaps has a range of its own.
    for agent in ["exact", "alphabeta depth=9", "uct unit=points solver=on simulations=500"] {
        for (position, expect) in [("R3B5/B2R7", 3.0), ("B1", 1.0), ("B1 +100 L", 101.0)] {
            let found = json(&["search", "heap-go", "--position", position, "--agent", agent, "--json"]);
            assert!((found["points"].as_f64().unwrap() - expect).abs() < 1e-3, "{agent}: {found}");
        }
    }
    let lines = answered(&["search", "heap-go", "--position", "-", "--agent", "exact"], "B1\nB7\n");
    assert!(lines.contains("\"points\":1.0,") && lines.contains("\"points\":7.0,"), "{lines}");
    let text = printed(&["search", "heap-go", "start=B1"]);
    assert!(text.contains("worth 1.00 points, proven\n"), "{text}");
    let points = printed(&["search", "heap-go", "--agent", "uct c=15 unit=points simulations=500"]);
    assert!(points.contains(" points\n"), "{points}");
    let wins = printed(&["search", "heap-go", "--agent", "uct simulations=500"]);
    assert!(!wins.contains("points\n") && wins.contains("  mean  "), "{wins}");
}
