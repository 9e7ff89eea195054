//! Studies from outside: bandits, and sums of games.

mod client;

use client::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn race(more: Value) -> Value {
    let mut asked =
        json!({ "rules": "ucb1, voi", "means": "0.9,0.5,0.2", "pulls": 300, "repeats": 10, "seed": 3 });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked
}

/// All points of the curves that a race tells, and its last event.
fn raced(client: &Client, more: Value) -> (Vec<Value>, Value) {
    let mut events = client.follow("/api/bandit", &race(more));
    let (event, begun) = events.next().expect("an event");
    assert_eq!((event.as_str(), &begun["rules"]), ("begun", &json!(["ucb1(c=1.4)", "voi"])));
    assert_eq!(begun["means"].as_array().unwrap().len(), 3);
    let mut points = Vec::new();
    for (event, told) in events {
        match event.as_str() {
            "points" => points.extend(told["points"].as_array().unwrap().clone()),
            "done" => return (points, told),
            _ => panic!("{event}"),
        }
    }
    panic!("no end");
}

#[test]
fn rules_on_bandits_grow_stop_and_go_on() {
    let client = Client::start();
    let (whole, done) = raced(&client, json!({}));
    assert_eq!(done, json!({ "pulls": 300, "whole": true }));
    assert_eq!(whole.last().unwrap()["pulls"], 300);
    let (first, done) = raced(&client, json!({ "until": 100 }));
    assert_eq!(done, json!({ "pulls": 100, "whole": false }));
    let (rest, _) = raced(&client, json!({ "after": 100 }));
    // A part that was stopped and the part after it are the whole.
    let last = first.last().unwrap().clone();
    let joined: Vec<Value> = first.into_iter().filter(|point| whole.contains(point)).chain(rest).collect();
    assert_eq!(joined, whole);
    let regret = &last["regrets"][0]["cumulative"];
    assert!(regret["interval"]["low"].as_f64() < regret["value"].as_f64(), "{regret}");
}

#[test]
fn the_first_bandit_has_its_arms() {
    let client = Client::start();
    let events = client.follow("/api/bandit", &race(json!({ "repeats": 1 })));
    let (_, told) = events.take_while(|(event, _)| event != "done").last().expect("points");
    let known = told["known"][0]["arms"].as_array().unwrap();
    let pulls: u64 = known.iter().map(|arm| arm["pulls"].as_u64().unwrap()).sum();
    assert_eq!(pulls, 300);
    assert!(known.iter().all(|arm| arm["bound"].as_f64() > arm["average"].as_f64()));
    assert!(told["known"][1]["arms"][0]["bound"].is_null());
    assert!(told["points"][0]["regrets"][0]["simple"]["interval"].is_null());
    let rules = client.get("/api/bandit/rules").json();
    assert!(rules.as_array().unwrap().iter().any(|rule| rule["name"] == "ucb1(c=1.4)"), "{rules}");
}

#[test]
fn heaps_boards_and_expressions_have_their_values() {
    let client = Client::start();
    let states = client.post("/api/sums/heap", &json!({ "heap": "R3B5R7B2" })).json();
    assert_eq!(states.as_array().unwrap().len(), 4);
    let graph = &states[0]["graph"];
    assert_eq!((&graph["mean"]["text"], &graph["temperature"]["text"]), (&json!("-1"), &json!("6")));
    assert_eq!(states[0]["gains"].as_array().unwrap().len(), 2);
    let board = json!({ "game": "domineering", "board": "../.." });
    let told = client.post("/api/sums/board", &board).json();
    assert_eq!((&told["form"], &told["graph"]["temperature"]["value"]), (&json!("+-1"), &json!(1.0)));
    assert_eq!(told["incentives"][0], json!(["{2|0}"]));
    let told = client.post("/api/sums/board/states", &board).json();
    assert_eq!((&told["left_out"], &told["is_whole"]), (&json!(0), &json!(true)));
    assert_eq!((&told["rows"][1]["state"], &told["rows"][1]["form"]), (&json!("./."), &json!("1")));
    let told = client.post("/api/sums/expression/states", &json!({ "expression": "{3|-1||-7}" })).json();
    assert_eq!(told["rows"][1]["graph"]["temperature"]["text"], "2");
    let told = client.post("/api/sums/expression/states", &json!({ "expression": "^ ? *" })).json();
    assert_eq!(told, Value::Null);
    let told = client.post("/api/sums/expression", &json!({ "expression": "{3|-1||-7}" })).json();
    assert_eq!((&told["kind"], &told["game"]["graph"]["mean"]["text"]), (&json!("game"), &json!("-3")));
    let told = client.post("/api/sums/expression", &json!({ "expression": "^ ? *" })).json();
    assert_eq!(told, json!({ "kind": "relation", "value": "||", "game": null }));
}

#[test]
fn an_order_is_learned_live() {
    let client = Client::start();
    let asked = json!({ "heaps": "R3B5R7/B9R2B4", "simulations": 3_000, "seed": 1 });
    let events: Vec<_> = client.follow("/api/sums/learn", &asked).collect();
    assert_eq!(events.last().unwrap(), &("done".to_string(), json!({ "simulations": 3_000 })));
    let (event, told) = &events[events.len() - 2];
    assert_eq!(
        (event.as_str(), &told["simulations"], told["pairs"].as_u64().is_some()),
        ("order", &json!(3_000), true)
    );
    assert_eq!(told["actions"].as_array().unwrap().len(), 6);
    let of = |row: usize, column: usize| told["differences"][row][column].as_f64();
    assert!((0..6).all(|row| (0..6).all(|column| of(row, column) == of(column, row).map(|other| -other))));
    let part = json!({ "heaps": "R3B5R7/B9R2B4", "simulations": 500, "after": 499, "seed": 1 });
    let events: Vec<_> = client.follow("/api/sums/learn", &part).collect();
    assert_eq!(events.iter().map(|(event, _)| event.as_str()).collect::<Vec<_>>(), ["order", "done"]);
}

/// Studies end when nobody reads them, and with the server.
#[test]
fn studies_end_with_their_readers() {
    let mut client = Client::start();
    let slow = race(json!({ "pace": 500 }));
    let mut running: Vec<_> = (0..4).map(|_| client.follow("/api/bandit", &slow)).collect();
    assert!(running.iter_mut().all(|events| events.next().is_some()));
    client.post("/api/bandit", &slow).refused(503, "4 studies run");
    running.truncate(2);
    let begun = Instant::now();
    let mut events = client.follow("/api/bandit", &slow);
    while events.next().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no place is free");
        std::thread::sleep(Duration::from_millis(100));
        events = client.follow("/api/bandit", &slow);
    }
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

/// A board whose exact value takes minutes and more than a gigabyte without limits.
#[test]
fn exact_studies_end_with_their_clients_and_keep_the_memory() {
    let client = Client::start();
    let board = json!({ "game": "clobber", "board": "xoxo/oxox/xoxo/oxox/xoxo" });
    // A client that sends its request and leaves.
    let leave = || drop(client.follow("/api/sums/board", &board));
    (0..8).for_each(|_| leave());
    let small = json!({ "game": "clobber", "board": "xo" });
    let begun = Instant::now();
    while client.post("/api/sums/board", &small).status == 503 {
        assert!(begun.elapsed() < Duration::from_secs(5), "the clients have left, but no place is free");
        std::thread::sleep(Duration::from_millis(50));
    }
    client.post("/api/sums/board", &board).refused(400, "more than 100 MB of memory");
}

/// What a request may get wrong, and a part of the line that says so.
#[test]
fn bad_studies_are_told_what_was_wrong() {
    let client = Client::start();
    let long = "x".repeat(3_000);
    let rules = ["ucb1"; 7].join(",");
    let learn = |heaps: &str| json!({ "heaps": heaps, "simulations": 10 });
    let cases: Vec<(&str, Value, &str)> = vec![
        ("bandit", json!({ "means": "uniform", "pulls": 10 }), "missing field `rules`"),
        ("bandit", race(json!({ "rules": "" })), "rule"),
        ("bandit", race(json!({ "rules": "ucb7" })), "did you mean ucb1"),
        ("bandit", race(json!({ "rules": rules })), "rules: 7 found, expected 1 to 6"),
        ("bandit", race(json!({ "rules": long })), "bytes of the rules"),
        ("bandit", race(json!({ "means": "0.5,2" })), "means: \"0.5,2\": expected uniform"),
        ("bandit", race(json!({ "means": "uniform" })), "arms: 0 found, expected 2 to 100"),
        ("bandit", race(json!({ "means": "uniform", "arms": 101 })), "arms: 101 found"),
        ("bandit", race(json!({ "arms": 4 })), "3 means for 4 arms"),
        ("bandit", race(json!({ "rewards": "cash" })), "expected bernoulli"),
        ("bandit", race(json!({ "pulls": 0 })), "pulls: 0 found, expected 1 to 1000000"),
        ("bandit", race(json!({ "repeats": 10_001 })), "repeats: 10001 found"),
        ("bandit", race(json!({ "pulls": 1_000_000, "repeats": 10_000 })), "pulls of all rules and repeats"),
        ("bandit", race(json!({ "pace": 5_000 })), "pace: 5000 found"),
        ("bandit", race(json!({ "colour": 1 })), "unknown field `colour`"),
        ("sums/heap", json!({ "heap": "R3X5" }), "expected R or B"),
        ("sums/heap", json!({ "heap": "" }), "an empty heap"),
        ("sums/heap", json!({ "heap": "R1".repeat(101) }), "counters of the heap: 101 found, at most 100"),
        ("sums/board", json!({ "game": "chess", "board": "." }), "game to study"),
        ("sums/board", json!({ "game": "clobber", "board": "xq" }), "clobber"),
        ("sums/board", json!({ "game": "domineering", "board": ".".repeat(21) }), "at most 20"),
        ("sums/expression", json!({ "expression": "1 +" }), "expected a game, found the end at 4"),
        ("sums/expression", json!({ "expression": "(".repeat(2_001) }), "bytes of the expression"),
        ("sums/learn", learn("R3"), "one action has no order"),
        ("sums/learn", learn("R3B"), "heap 1"),
        ("sums/learn", learn(&["B1"; 61].join("/")), "counters of all heaps: 61 found, at most 60"),
        ("sums/learn", json!({ "heaps": "R3B5", "simulations": 0 }), "simulations: 0 found"),
        ("sums/learn", json!({ "heaps": "R3B5", "simulations": 9, "c": -1 }), "c: -1 found"),
    ];
    for (path, asked, part) in cases {
        client.post(&format!("/api/{path}"), &asked).refused(400, part);
    }
}
