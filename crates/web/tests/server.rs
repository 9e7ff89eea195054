//! The server from outside: real connections, good and bad requests.

mod client;

use client::{Answer, Client};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn place(game: &str, moves: &[&str]) -> Value {
    json!({ "game": game, "moves": moves })
}

#[test]
fn a_position_has_board_players_and_actions() {
    let client = Client::start();
    let answer = client.post("/api/position", &json!({ "place": place("tic-tac-toe", &["b2", "a1"]) }));
    let shown = answer.json();
    assert_eq!(shown["text"], ".../.x./o.. x");
    assert_eq!(shown["moves"], json!([{ "action": "b2", "by": 0 }, { "action": "a1", "by": 1 }]));
    assert_eq!((&shown["turn"], &shown["player"]), (&json!("player"), &json!(0)));
    assert_eq!(shown["actions"].as_array().unwrap().len(), 7);
}

#[test]
fn chance_moves_alike_for_the_same_link() {
    let client = Client::start();
    let asked = json!({ "place": place("pig", &["roll"]), "luck": 7 });
    let [a, b] = [0, 1].map(|_| client.post("/api/position", &asked).json()["moves"].clone());
    assert_eq!(a, b);
    assert_eq!(a.as_array().unwrap().len(), 2, "{a}");
}

#[test]
fn a_player_who_gives_up_has_lost() {
    let client = Client::start();
    let asked = json!({ "place": { "game": "connect-four", "moves": ["d"], "resigned": true } });
    let shown = client.post("/api/position", &asked).json();
    assert_eq!((&shown["turn"], &shown["resigned"]), (&json!("over"), &json!(1)));
    assert_eq!(shown["payoff"][0], 1.0);
}

#[test]
fn games_of_go_go_out_and_come_in_as_sgf() {
    let client = Client::start();
    let game = json!({ "game": "go size=5 komi=7.5", "moves": ["C3", "D4", "pass"] });
    let sgf = client.post("/api/sgf/write", &game).json()["sgf"].clone();
    let read = client.post("/api/sgf/read", &json!({ "sgf": sgf })).json();
    assert_eq!((&read["game"], &read["moves"]), (&game["game"], &game["moves"]));
    let put = "(;GM[1]SZ[5]KM[0.5]AB[aa];W[cc];B[dd])";
    let read = client.post("/api/sgf/read", &json!({ "sgf": put })).json();
    assert_eq!(read["start"], "x..../...../...../...../..... o");
    let wrong = client.post("/api/sgf/read", &json!({ "sgf": "(;GM[1]SZ[5];B[cc];B[dd])" }));
    wrong.refused(400, "must take turns");
}

/// What a request may get wrong: where, what, the status, and a part of the line that says so.
#[test]
fn bad_requests_are_told_what_was_wrong() {
    let client = Client::start();
    let search = |place: Value, agent: &str| json!({ "place": place, "agent": agent });
    let long = "x".repeat(20_000);
    let moves: Vec<&str> = vec!["d"; 10_001];
    let victim = "amcts victim=(gtp: rm -rf x)";
    let nested = "amcts victim=(".repeat(60);
    let cases: Vec<(&str, Value, u16, &str)> = vec![
        ("/api/position", json!({}), 400, "missing field `place`"),
        ("/api/position", json!([1, 2]), 400, "body:"),
        ("/api/position", json!({ "place": place("chess", &[]) }), 400, "unknown game \"chess\""),
        ("/api/position", json!({ "place": place("", &[]) }), 400, "game"),
        ("/api/position", json!({ "place": place("hex size=99", &[]) }), 400, "size"),
        ("/api/position", json!({ "place": place(&long, &[]) }), 400, "at most 16384"),
        (
            "/api/position",
            json!({ "place": place("connect-four", &["z"]) }),
            400,
            "move 1: move \"z\" is not legal",
        ),
        ("/api/position", json!({ "place": place("connect-four", &[&long]) }), 400, "bytes of a move"),
        ("/api/position", json!({ "place": place("connect-four", &moves) }), 400, "at most 10000"),
        ("/api/position", json!({ "place": { "game": "nim", "start": "x" } }), 400, "position"),
        ("/api/position", json!({ "place": { "game": "nim", "colour": 1 } }), 400, "unknown field `colour`"),
        ("/api/position", json!({ "place": place("nim", &[]), "luck": -1 }), 400, "body:"),
        (
            "/api/position",
            json!({ "place": { "game": "pig", "resigned": true, "moves": ["roll"] } }),
            400,
            "resign",
        ),
        (
            "/api/position",
            json!({ "place": place("heap-go heaps=1000 counters=1000", &[]) }),
            400,
            "too large",
        ),
        ("/api/game", json!({ "game": long }), 400, "at most"),
        ("/api/searches", search(place("nim", &[]), "utc"), 400, "did you mean uct?"),
        ("/api/searches", search(place("nim", &[]), "uct threads=200"), 400, "expected at most 2"),
        ("/api/searches", search(place("nim", &[]), "gtp: touch /tmp/x"), 400, "starts no programs"),
        ("/api/searches", search(place("go size=5", &[]), victim), 400, ""),
        (
            "/api/searches",
            search(place("connect-four", &[]), "alphazero net=/etc/passwd"),
            400,
            "reads no files",
        ),
        ("/api/searches", search(place("nim", &[]), &nested), 400, ""),
        ("/api/searches", search(place("nim", &[]), &long), 400, "agent's name"),
        (
            "/api/searches",
            json!({ "place": place("nim", &[]), "agent": "uct", "interval": 1 }),
            400,
            "interval 1",
        ),
        (
            "/api/searches",
            json!({ "place": place("nim", &[]), "agent": "uct", "view": { "opened": [], "levels": 99, "top": 1 } }),
            400,
            "levels",
        ),
        (
            "/api/explain",
            json!({ "place": place("nim", &[]), "agent": "random", "steps": 1 }),
            400,
            "no simulations to explain",
        ),
        (
            "/api/explain",
            json!({ "place": place("nim", &[]), "agent": "uct", "steps": 1_000 }),
            400,
            "1 to 100 explained",
        ),
        (
            "/api/explain",
            json!({ "place": place("nim", &[]), "agent": "uct", "steps": 1, "skip": 2_000_000 }),
            400,
            "at most 1000000",
        ),
        (
            "/api/explain",
            json!({ "place": place("nim", &[]), "agent": "uct transpositions=on", "steps": 1 }),
            400,
            "transpositions",
        ),
        ("/api/rule", json!({ "rule": "ucb9", "arms": [{ "pulls": 1, "mean": 0.5 }] }), 400, "unknown rule"),
        ("/api/rule", json!({ "rule": "ucb1", "arms": [] }), 400, "1 to 100"),
        ("/api/rule", json!({ "rule": "ucb1", "arms": [{ "pulls": 1, "mean": 7.0 }] }), 400, "0 to 1"),
        (
            "/api/rule",
            json!({ "rule": "ucb1", "arms": [{ "pulls": u32::MAX, "mean": 0.5 }, { "pulls": 1, "mean": 0.5 }] }),
            400,
            "pulls",
        ),
        ("/api/searches/9/stop", json!({}), 404, "no search 9"),
        ("/api/searches/x/stop", json!({}), 400, "expected a number"),
        ("/api/nothing", json!({}), 404, "no such address"),
        ("/api/sgf/read", json!({ "sgf": "hello" }), 400, ""),
        ("/api/sgf/write", place("nim", &[]), 400, "only games of go"),
    ];
    for (path, body, status, part) in cases {
        client.post(path, &body).refused(status, part);
    }
    // The server is still well.
    assert_eq!(client.get("/api/catalog").status, 200);
}

#[test]
fn malformed_bodies_are_refused() {
    let client = Client::start();
    let json = "content-type: application/json\r\n";
    let deep = "[".repeat(100_000);
    let huge = "x".repeat(300_000);
    let cases = [
        (json, "", 400, "body:"),
        (json, "{", 400, "body:"),
        (json, "\u{0}\u{1}", 400, "body:"),
        (json, deep.as_str(), 400, "body:"),
        (json, huge.as_str(), 413, "longer than"),
        ("content-type: text/plain\r\n", "{}", 415, "expected application/json"),
        ("", "{}", 415, "expected application/json"),
    ];
    for (headers, body, status, part) in cases {
        client.send("POST", "/api/position", headers, body).refused(status, part);
    }
    client.send("GET", "/api/position", "", "").refused(405, "another method");
    client.send("DELETE", "/api/catalog", "", "").refused(405, "another method");
    client.send("GET", "/page/../Cargo.toml", "", "").refused(404, "");
    client.send("GET", "/page/%2e%2e/Cargo.toml", "", "").refused(404, "");
}

#[test]
fn other_sites_may_not_ask() {
    let client = Client::start();
    let port = client.port();
    let get = |headers: &str| client.send_as("GET", "/api/catalog", headers, "");
    get(&format!("host: evil.example:{port}\r\n")).refused(403, "host \"evil.example");
    get("host: localhost:1\r\n").refused(403, "host");
    get("").refused(403, "host");
    let own = format!("host: localhost:{port}\r\n");
    assert_eq!(get(&own).status, 200);
    assert_eq!(get(&format!("host: 127.0.0.1:{port}\r\norigin: http://127.0.0.1:{port}\r\n")).status, 200);
    get(&format!("{own}origin: http://evil.example\r\n")).refused(403, "origin");
    get(&format!("{own}origin: null\r\n")).refused(403, "origin");
    get(&format!("{own}origin: http://127.0.0.1:{port}\r\n")).refused(403, "origin");
    get(&format!("{own}sec-fetch-site: cross-site\r\n")).refused(403, "sec-fetch-site");
    // A link from elsewhere may open the page itself.
    let page = client.send_as("GET", "/", &format!("{own}sec-fetch-site: cross-site\r\n"), "");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
}

#[test]
fn other_addresses_need_the_token() {
    let client = Client::on("0.0.0.0", Duration::from_secs(60));
    // 0.0.0.0 is no address that others could open.
    assert!(!client.url.contains("//0.0.0.0"), "{}", client.url);
    let token = client.url.split("token=").nth(1).expect("a token").to_string();
    assert_eq!(token.len(), 32);
    let page = client.send("GET", "/", "", "");
    page.refused(401, "token");
    client.get("/api/catalog").refused(401, "token");
    client.send("GET", "/api/catalog", "authorization: Bearer wrong\r\n", "").refused(401, "token");
    assert_eq!(
        client.send("GET", "/api/catalog", &format!("authorization: Bearer {token}\r\n"), "").status,
        200
    );
    let welcome = client.send("GET", &format!("/?token={token}"), "", "");
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("HttpOnly; SameSite=Strict"), "{}", welcome.head);
    let cookie = format!("cookie: a=b; aji-token={token}\r\n");
    assert_eq!(client.send("GET", "/", &cookie, "").status, 200);
    client.send("GET", &format!("/?token={token}x"), "", "").refused(401, "token");
}

#[test]
fn a_search_is_watched_stopped_and_gone_on_with() {
    let client = Client::start();
    let begin = |moves: &[&str], keep: Value| {
        let place = place("connect-four", moves);
        let asked =
            json!({ "place": place, "agent": "uct", "until_stopped": true, "keep": keep, "interval": 50 });
        client.post("/api/searches", &asked).json()
    };
    let begun = begin(&[], Value::Null);
    assert_eq!(begun["kept"], false);
    let id = begun["id"].as_u64().unwrap();
    let mut events = client.watch(id);
    let (event, first) = events.next().expect("a snapshot");
    assert_eq!(event, "snapshot");
    assert_eq!(first["found"]["arms"].as_array().unwrap().len(), 7);
    let (_, second) = events.next().expect("another");
    assert!(second["found"]["simulations"].as_u64() > first["found"]["simulations"].as_u64());
    assert_eq!(client.post(&format!("/api/searches/{id}/stop"), &json!({})).status, 200);
    let (event, report) = events.last();
    assert_eq!((event.as_str(), &report["found"]["stopped"]), ("report", &json!("interrupted")));
    assert!(report["found"]["best"].is_string());
    // It goes on with the tree that it has, here and after a move.
    let pulls = |told: &Value| -> u64 {
        told["found"]["arms"].as_array().unwrap().iter().map(|arm| arm["pulls"].as_u64().unwrap()).sum()
    };
    let before = pulls(&report);
    assert_eq!(begin(&[], json!(id)), json!({ "id": id, "agent": begun["agent"], "kept": true }));
    let (_, told) = client.watch(id).next().expect("a snapshot");
    assert!(pulls(&told) > before, "{} after {before}", pulls(&told));
    let begun = begin(&["d"], json!(id));
    assert_eq!((&begun["kept"], begun["id"].as_u64()), (&json!(true), Some(id)));
    // Elsewhere it begins anew, and the old one is gone.
    let begun = begin(&["a"], json!(id));
    assert_eq!(begun["kept"], false);
    client.post(&format!("/api/searches/{id}/stop"), &json!({})).refused(404, "no search");
}

#[test]
fn simulations_are_explained_one_by_one() {
    let client = Client::start();
    let asked = json!({ "place": place("tic-tac-toe", &[]), "agent": "uct", "skip": 98, "steps": 2 });
    let told = client.post("/api/explain", &asked).json();
    assert_eq!(told["simulations"][0]["number"], 99);
    assert_eq!(told["simulations"].as_array().unwrap().len(), 2);
    assert_eq!(told["rules"][0]["rule"], "ucb1(c=1.4)");
}

/// Any rule answers to any arms.
#[test]
fn every_rule_chooses_an_arm() {
    let client = Client::start();
    let arms = json!([{ "pulls": 79, "mean": 60.0 / 79.0 }, { "pulls": 10, "mean": 0.1 }, { "pulls": 0, "mean": 0.0 }]);
    for (word, _) in aji_catalog::known_rules() {
        let told = client.post("/api/rule", &json!({ "rule": word, "arms": arms })).json();
        assert!(told["choice"].as_u64().unwrap() < 3, "{told}");
    }
    let lecture = json!([{ "pulls": 79, "mean": 60.0 / 79.0 }, { "pulls": 10, "mean": 0.1 }, { "pulls": 9, "mean": 0.0 }]);
    let told = client.post("/api/rule", &json!({ "rule": "ucb1(c=1.4142135)", "arms": lecture })).json();
    let bounds: Vec<f64> =
        told["bounds"].as_array().unwrap().iter().map(|bound| bound.as_f64().unwrap()).collect();
    for (found, expect) in bounds.iter().zip([1.100192, 1.057598, 1.009397]) {
        assert!((found - expect).abs() < 1e-5, "{found} is not {expect}");
    }
}

#[test]
fn a_search_ends_when_nobody_watches() {
    let client = Client::start();
    let asked = json!({ "place": place("go", &[]), "agent": "uct", "until_stopped": true });
    let id = client.post("/api/searches", &asked).json()["id"].as_u64().unwrap();
    let mut events = client.watch(id);
    assert!(events.next().is_some());
    let view = format!("/api/searches/{id}/view");
    let look = json!({ "opened": [[]], "levels": 1, "top": 3 });
    assert_eq!(client.post(&view, &look).json(), Value::Null, "it runs");
    let (_, told) = events.find(|(_, told)| told["trees"].is_array()).expect("a tree");
    assert_eq!(told["trees"][0]["tree"]["children"].as_array().unwrap().len(), 3);
    drop(events);
    let begun = Instant::now();
    while client.post(&view, &look).json().is_null() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it still runs");
        std::thread::sleep(Duration::from_millis(100));
    }
    // Several may look at the same tree at the same time.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert!(client.post(&view, &look).json()["trees"].is_array());
                }
            });
        }
    });
}

#[test]
fn searches_share_memory_and_are_limited() {
    let client = Client::start();
    let asked = json!({ "place": place("hex", &[]), "agent": "uct", "until_stopped": true });
    let mut shares = 0;
    let mut watched = Vec::new();
    for _ in 0..16 {
        let begun = client.post("/api/searches", &asked).json();
        let agent = begun["agent"].as_str().unwrap();
        let memory = agent.split("memory=").nth(1).unwrap().split(' ').next().unwrap();
        shares += aji_catalog::read_bytes(memory).unwrap();
        watched.push(client.watch(begun["id"].as_u64().unwrap()));
    }
    assert!(shares <= client::MEMORY, "{shares}");
    client.post("/api/searches", &asked).refused(503, "");
    // While they run, another page gets its answers.
    let begun = Instant::now();
    assert_eq!(client.get("/api/catalog").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    for events in &mut watched {
        assert!(events.next().is_some());
    }
}

#[test]
fn unused_searches_are_dropped() {
    let client = Client::on("127.0.0.1", Duration::from_millis(300));
    let asked = json!({ "place": place("nim", &[]), "agent": "uct simulations=100" });
    let id = client.post("/api/searches", &asked).json()["id"].as_u64().unwrap();
    assert_eq!(client.watch(id).last().0, "report");
    std::thread::sleep(Duration::from_secs(2));
    client.post(&format!("/api/searches/{id}/stop"), &json!({})).refused(404, "unused for too long");
}

#[test]
fn an_agent_that_cannot_play_says_so() {
    let client = Client::start();
    let asked = json!({ "place": place("connect-four", &[]), "agent": "thermo" });
    let answer = client.post("/api/searches", &asked).json();
    let (event, told) = client.watch(answer["id"].as_u64().unwrap()).last();
    assert_eq!(event, "failed");
    assert!(told["error"].as_str().unwrap().contains("thermo"), "{told}");
}

#[test]
fn the_end_of_the_server_ends_searches_and_watchers() {
    let mut client = Client::start();
    let asked = json!({ "place": place("go", &[]), "agent": "uct", "until_stopped": true });
    let id = client.post("/api/searches", &asked).json()["id"].as_u64().unwrap();
    let mut events = client.watch(id);
    assert!(events.next().is_some());
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(events.last().0, "closed");
}

#[test]
fn the_page_has_all_its_files() {
    let client = Client::start();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut folders = vec![folder.clone()];
    let mut count = 0;
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            let Answer { status, body, head } = client.get(&format!("/page/{name}"));
            assert_eq!((status, body), (200, std::fs::read_to_string(&path).unwrap()), "{name}");
            let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").to_string();
            let again =
                client.send("GET", &format!("/page/{name}"), &format!("if-none-match: {tag}\r\n"), "");
            assert_eq!(again.status, 304);
            count += 1;
        }
    }
    assert!(count > 20);
    client.get("/page/nothing.js").refused(404, "no such file");
}
