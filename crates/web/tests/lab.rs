//! Contests that the page starts: played to their end, stopped, killed, gone on with; and what may be asked.

mod client;

use client::{Client, Folder};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Longer than any contest of a test.
const PATIENCE: Duration = Duration::from_secs(60);

fn match_of(more: Value) -> Value {
    let mut asked = json!({
        "kind": "match", "name": "m", "game": "tic-tac-toe", "games": 20, "seed": 3,
        "agents": ["uct simulations=40", "random"],
    });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked
}

/// A match that takes a while.
fn slow(name: &str) -> Value {
    match_of(
        json!({ "name": name, "agents": ["uct simulations=20000", "uct simulations=20000 c=0.5"], "games": 2000 }),
    )
}

/// Begins a contest.
fn begin(client: &Client, asked: &Value) -> String {
    client.post("/api/lab/runs", asked).json()["name"].as_str().unwrap().into()
}

/// The last event of a contest.
fn end(client: &Client, name: &str) -> Value {
    let (event, told) = client.events(&format!("/api/lab/runs/{name}/events")).last();
    assert_eq!(event, "ended", "{told}");
    told
}

/// Waits until so many games are played.
fn wait_for(client: &Client, name: &str, games: u64) -> Value {
    for (_, told) in client.events(&format!("/api/lab/runs/{name}/events")) {
        if told["games"].as_u64().unwrap() >= games {
            return told;
        }
    }
    panic!("{name} has ended before game {games}");
}

#[test]
fn a_match_runs_to_its_end() {
    let folder = Folder::new();
    let client = Client::with_lab(&folder, "commit");
    assert_eq!(client.get("/api/lab").json()["contests"], json!([]));
    let name = begin(&client, &match_of(json!({ "sprt": [0, 400] })));
    let told = end(&client, &name);
    assert_eq!(
        (&told["state"], &told["error"], &told["kind"]),
        (&json!("finished"), &Value::Null, &json!("match"))
    );
    let points = told["points"].as_array().unwrap();
    let width = |point: &Value| {
        point["interval"]["high"].as_f64().unwrap() - point["interval"]["low"].as_f64().unwrap()
    };
    assert!(width(points.last().unwrap()) < width(&points[0]), "{points:?}");
    let (test, result) = (&told["test"], &told["result"]);
    assert_eq!(test["hypotheses"], json!([0.0, 400.0]));
    assert_eq!(test["decision"]["verdict"], "accept-h1");
    assert!(test["decision"]["log_likelihood_ratio"].as_f64() >= test["bounds"]["high"].as_f64());
    assert_eq!(result["games"], told["games"]);
    assert!(result["score"].as_f64().unwrap() > 0.7 && result["games"].as_u64() < Some(20), "{result}");
    // Agents have little memory, and the journal says so.
    assert_eq!(told["plan"]["agents"], json!(["uct simulations=40 memory=16MB", "random"]));
    // The list knows it, and its games can be replayed.
    let listed = client.get("/api/lab").json();
    let contest = &listed["contests"][0];
    assert_eq!((&contest["name"], &contest["contest"]["extent"]["is_finished"]), (&json!("m"), &json!(true)));
    let games = client.post("/api/lab/runs/m/games", &json!({ "from": 1, "most": 2 })).json();
    assert_eq!((games["games"].as_array().unwrap().len(), &games["games"][0]["trial"]), (4, &json!(1)));
    let line = &games["games"][1];
    let game = client.get("/api/lab/runs/m/games/1/1").json();
    assert_eq!(game["moves"].as_array().unwrap().len() as u64, line["plies"].as_u64().unwrap());
    assert_eq!((&game["payoffs"], &game["agents"][0]), (&line["payoffs"], &json!("random")));
    let place =
        json!({ "place": { "game": game["game"], "start": null, "moves": game["moves"] }, "luck": null });
    let shown = client.post("/api/position", &place).json();
    assert_eq!((&shown["turn"], &shown["payoff"]), (&json!("over"), &game["payoffs"]));
}

#[test]
fn a_tournament_and_a_tuning_are_told() {
    let folder = Folder::new();
    let client = Client::with_lab(&folder, "commit");
    let agents = ["uct simulations=60", "random", "uct simulations=5"];
    let asked = json!({ "kind": "tournament", "game": "tic-tac-toe", "agents": agents, "games": 10 });
    let name = begin(&client, &asked);
    assert_eq!(name, "tournament-tic-tac-toe-1");
    let told = end(&client, &name);
    let result = &told["result"];
    let order: Vec<&str> = result["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rating| rating["agent"].as_str().unwrap())
        .collect();
    assert_eq!((order[0], order.len()), ("uct simulations=60 memory=16MB", 3));
    assert_eq!((&result["games"], result["meetings"].as_array().unwrap().len()), (&json!(30), 3));
    let asked = json!({
        "kind": "tuning", "game": "tic-tac-toe", "agents": ["uct simulations=10"], "vary": "simulations=2..64", "points": 4,
        "games": 24, "seed": 2,
    });
    let told = end(&client, &begin(&client, &asked));
    let result = &told["result"];
    assert_eq!(
        result["values"].as_array().unwrap().iter().map(|value| value["value"].clone()).collect::<Vec<_>>(),
        [2.0, 6.0, 20.0, 64.0]
    );
    assert!(
        result["best"].as_f64() > Some(5.0) && result["best_low"].as_f64() <= result["best"].as_f64(),
        "{result}"
    );
    assert_eq!((&told["plan"]["option"], &told["games"]), (&json!("simulations"), &json!(96)));
}

/// A run that is stopped again and again, by the page and with the server, has the journal of one that never was.
#[test]
fn a_run_goes_on_where_it_was() {
    let folder = Folder::new();
    let asked = |name: &str| {
        match_of(
            json!({ "name": name, "agents": ["uct simulations=20000", "uct simulations=15000"], "games": 40, "sprt": [-400, 400] }),
        )
    };
    let mut client = Client::with_lab(&folder, "commit");
    assert_eq!(end(&client, &begin(&client, &asked("whole")))["state"], "finished");
    begin(&client, &asked("parts"));
    wait_for(&client, "parts", 2);
    client.post("/api/lab/runs/parts/stop", &json!({})).json();
    let told = end(&client, "parts");
    assert_eq!((&told["state"], &told["result"]["interrupted"]), (&json!("stopped"), &json!(true)));
    let begun = told["games"].as_u64().unwrap();
    // Nobody watches when it goes on, and it ends with the server.
    client.post("/api/lab/runs/parts/go-on", &json!({})).json();
    wait_for(&client, "parts", begun + 2);
    client.end();
    let mut text = std::fs::read_to_string(folder.file("parts.jsonl")).unwrap();
    assert!(text.lines().count() > 2);
    // A kill may tear the last line.
    text.push_str("{\"trial\":19,\"rec");
    std::fs::write(folder.file("parts.jsonl"), text).unwrap();
    let client = Client::with_lab(&folder, "commit");
    assert_eq!(end(&client, "parts")["state"], "stopped");
    client.post("/api/lab/runs/parts/go-on", &json!({})).json();
    assert_eq!(end(&client, "parts")["state"], "finished");
    let bytes = |name: &str| std::fs::read(folder.file(&format!("{name}.jsonl"))).unwrap();
    assert_eq!(bytes("parts"), bytes("whole"));
    // What is finished stays as it is.
    client.post("/api/lab/runs/parts/go-on", &json!({})).json();
    assert_eq!(end(&client, "parts")["state"], "finished");
    assert_eq!(bytes("parts"), bytes("whole"));
    // Another program does not go on with it.
    let other = Client::with_lab(&folder, "other");
    other.post("/api/lab/runs/parts/go-on", &json!({})).refused(409, "commit commit, not commit other");
}

#[test]
fn at_most_two_run_and_all_end_with_the_server() {
    let folder = Folder::new();
    let mut client = Client::with_lab(&folder, "commit");
    begin(&client, &slow("one"));
    client.post("/api/lab/runs", &slow("one")).refused(409, "there is a journal of this name");
    client.post("/api/lab/runs/one/go-on", &json!({})).refused(409, "one is running");
    begin(&client, &slow("two"));
    client.post("/api/lab/runs", &slow("three")).refused(503, "2 contests run");
    let listed = client.get("/api/lab").json();
    assert!(
        listed["contests"].as_array().unwrap().iter().all(|entry| entry["contest"]["is_running"] == true),
        "{listed}"
    );
    client.post("/api/lab/runs/one/stop", &json!({})).json();
    assert_eq!(end(&client, "one")["state"], "stopped");
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < PATIENCE);
    assert!(!folder.file("three.jsonl").exists());
}

#[test]
fn bad_contests_are_told_what_was_wrong() {
    let folder = Folder::new();
    let client = Client::with_lab(&folder, "commit");
    let check = |more: Value, status: u16, part: &str| {
        client.post("/api/lab/runs", &match_of(more)).refused(status, part)
    };
    let tuning = |vary: &str| json!({ "kind": "tuning", "agents": ["uct"], "vary": vary });
    for (more, part) in [
        (json!({ "kind": "war" }), "unknown variant `war`"),
        (json!({ "colour": 1 }), "unknown field `colour`"),
        (json!({ "game": "chess" }), "chess"),
        (json!({ "game": "x".repeat(20_000) }), "bytes of the game's name"),
        (json!({ "agents": ["uct"] }), "agents: 1 found, expected 2 to 2"),
        (json!({ "agents": ["uct", "uct q=1"] }), "unknown option"),
        (json!({ "agents": ["uct", "x".repeat(2_000)] }), "bytes of the agent's name"),
        (json!({ "agents": ["uct", "gtp: rm -rf /"] }), "starts no programs"),
        (json!({ "agents": ["uct", "alphazero net=/etc/passwd"] }), "reads no files"),
        (json!({ "agents": ["uct", "uct threads=64"] }), "threads=64"),
        (json!({ "agents": ["uct", "uct memory=1GB"] }), "needs 1080MB"),
        (json!({ "kind": "tournament", "agents": vec!["random"; 17] }), "agents: 17 found, expected 2 to 16"),
        (json!({ "kind": "tournament", "sprt": [0, 10] }), "are for a match"),
        (json!({ "games": 0 }), "games: 0 found, expected 1 to 20000"),
        (json!({ "games": 3 }), "such as 4"),
        (json!({ "games": 30_000 }), "games: 30000 found"),
        (json!({ "openings": 101 }), "openings: 101 found, expected 0 to 100"),
        (json!({ "sprt": [10, 0] }), "the lower first"),
        (json!({ "sprt": [0, 1e9] }), "the lower first"),
        (json!({ "seed": -1 }), "expected u64"),
        (json!({ "name": "" }), "name: expected 1 to 80 letters"),
        (json!({ "name": "../m" }), "name: expected 1 to 80 letters"),
        (json!({ "name": "a/b" }), "name: expected 1 to 80 letters"),
        (json!({ "name": ".m" }), "name: expected 1 to 80 letters"),
        (json!({ "name": "m\u{0}" }), "name: expected 1 to 80 letters"),
        (json!({ "name": "m".repeat(81) }), "name: expected 1 to 80 letters"),
        (tuning(""), "such as c=0.1..2"),
        (tuning("q=1..2"), "unknown option"),
        (tuning("net=/etc/passwd,/etc/hosts"), "need a search with a network"),
        (tuning("threads=1..64"), "aji serve --threads"),
        (
            json!({ "kind": "tuning", "agents": ["alphazero"], "vary": "net=/etc/passwd,/etc/hosts" }),
            "reads no files",
        ),
        (json!({ "kind": "tuning", "agents": ["uct"] }), "vary: expected an option"),
        (json!({ "kind": "tuning", "agents": ["uct"], "vary": "c=1..2", "points": 2 }), "points: 2 found"),
        (
            json!({ "kind": "tuning", "agents": ["uct"], "vary": "c=1..2", "points": 50, "games": 2_000 }),
            "games of all agents: 100000 found",
        ),
    ] {
        check(more, 400, part);
    }
    assert!(!folder.file("..").join("m.jsonl").exists());
    assert_eq!(std::fs::read_dir(folder.file(".")).unwrap().count(), 0, "nothing was written");
}

/// No name leads out of the folder, and nothing in it leads astray.
#[test]
fn names_and_files_are_checked() {
    let folder = Folder::new();
    let client = Client::with_lab(&folder, "commit");
    let outside = folder.file("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("secret.jsonl"), "secret").unwrap();
    for name in ["outside%2Fsecret", "..%2Fsecret", "%2e%2e%2fsecret", ".secret", "secret%00", "%ff", "a%20b"]
    {
        for (method, path) in [("GET", "events"), ("GET", "games/0/0"), ("POST", "go-on"), ("POST", "stop")] {
            let answer = client.send(method, &format!("/api/lab/runs/{name}/{path}"), "", "");
            assert_eq!(answer.status, 400, "{name} {path}: {}", answer.body);
            assert!(!answer.body.contains("secret\""), "{}", answer.body);
        }
        client.get(&format!("/api/lab/reports/{name}")).refused(if name == "%ff" { 400 } else { 404 }, "");
    }
    client.get("/api/lab/runs/none/events").refused(404, "no journal none");
    client.post("/api/lab/runs/none/stop", &json!({})).refused(404, "no journal none");
    let ours = |parameters: &str, trials: u64| {
        format!(
            "{{\"journal\":\"aji\",\"format\":1,\"experiment\":\"match\",\"parameters\":{parameters},\"seed\":1,\"trials\":{trials},\"version\":\"1\",\"commit\":\"commit\"}}\n"
        )
    };
    let plan = |agents: &str| {
        format!(
            "{{\"agents\":{agents},\"equal_samples\":false,\"first_round\":0,\"game\":\"nim\",\"opening_plies\":0,\"pairings\":[[0,1]],\"sprt\":null}}"
        )
    };
    let program = ours(&plan("[\"random\",\"gtp: touch /tmp/aji-was-here\"]"), 5);
    let cases: Vec<(&str, String, u16, &str)> = vec![
        ("text", "hello".into(), 400, "not a journal"),
        ("torn", "{\"journal\":\"aji\",\"form".into(), 400, "without a whole first line"),
        ("dice", ours("{}", 5).replace("\"match\"", "\"dice\""), 400, "a journal of dice"),
        ("bare", ours("{}", 5), 400, "missing field"),
        ("endless", ours(&plan("[\"random\",\"uct\"]"), 0), 400, "do not fit"),
        ("odd", ours(&plan("[\"random\"]"), 4), 400, "do not fit"),
        (
            "record",
            ours(&plan("[\"random\",\"uct\"]"), 4) + "{\"trial\":0,\"record\":{\"a\":1}}\n",
            400,
            "line 2",
        ),
        (
            "pairing",
            ours(&plan("[\"random\",\"uct\"]"), 4)
                + "{\"trial\":0,\"record\":{\"pairing\":7,\"opening\":[],\"games\":[]}}\n",
            400,
            "another pairing",
        ),
    ];
    for (name, text, status, part) in &cases {
        std::fs::write(folder.file(&format!("{name}.jsonl")), text).unwrap();
        client.get(&format!("/api/lab/runs/{name}/events")).refused(*status, part);
    }
    let listed = client.get("/api/lab").json();
    let entries = listed["contests"].as_array().unwrap();
    assert_eq!(entries.len(), cases.len());
    assert!(entries.iter().filter(|entry| entry["error"].is_string()).count() >= 6, "{listed}");
    // A program that a journal names is shown, and not started.
    std::fs::write(folder.file("program.jsonl"), program).unwrap();
    assert_eq!(end(&client, "program")["state"], "stopped");
    client.post("/api/lab/runs/program/go-on", &json!({})).refused(400, "starts no programs");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("secret.jsonl"), folder.file("link.jsonl")).unwrap();
        client.get("/api/lab/runs/link/events").refused(400, "not a plain file");
        assert!(!client.get("/api/lab").body.contains("\"link\""));
    }
    let large = std::fs::File::create(folder.file("large.jsonl")).unwrap();
    large.set_len(20_000_000).unwrap();
    client.get("/api/lab/runs/large/events").refused(400, "a journal of 20000000 bytes");
}

#[test]
fn reports_are_shown_in_a_sandbox() {
    let folder = Folder::new();
    let client = Client::with_lab(&folder, "commit");
    let reports = folder.file("reports");
    for (place, text) in [
        (
            reports.join("kao2013/results"),
            "<html><title>Rates &amp; moves</title><script>alert(1)</script></html>",
        ),
        (reports.join("tolpin2012"), "no title"),
        (reports.join("empty"), ""),
        (reports.clone(), "<title>All</title>"),
    ] {
        std::fs::create_dir_all(&place).unwrap();
        if !text.is_empty() {
            std::fs::write(place.join("index.html"), text).unwrap();
        }
    }
    let listed = client.get("/api/lab").json();
    let expect = json!([
        { "name": "reproduction", "title": "All" },
        { "name": "kao2013", "title": "Rates & moves" },
        { "name": "tolpin2012", "title": "tolpin2012" },
    ]);
    assert_eq!(listed["reports"], expect);
    let page = client.get("/api/lab/reports/kao2013");
    assert_eq!(page.status, 200);
    assert!(
        page.head.contains(
            "content-security-policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox;"
        ),
        "{}",
        page.head
    );
    assert_eq!(page.head.matches("content-security-policy").count(), 1);
    client.get("/api/lab/reports/empty").refused(404, "no report");
    client.get("/api/lab/reports/..").refused(404, "");
}
