//! Many watchers of live searches for a minute. Slow, so it is ignored: `cargo test --release -p aji-web --test watchers --
//! --ignored --nocapture`.

mod client;

use client::Client;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Searches that run, and their watchers.
const SEARCHES: usize = 10;
const WATCHERS: usize = 100;

const TIME: Duration = Duration::from_secs(60);

/// An answer to another page takes no longer.
const ANSWER_MAX: Duration = Duration::from_millis(200);

/// A watcher hears nothing for at most so long.
const SILENCE_MAX: Duration = Duration::from_secs(5);

#[test]
#[ignore = "takes a minute"]
fn a_hundred_watchers_for_a_minute() {
    let client = Client::start();
    let view = json!({ "opened": [[]], "levels": 2, "top": 5 });
    let begin = |_| {
        let place = json!({ "game": "connect-four", "moves": ["d"] });
        let asked =
            json!({ "place": place, "agent": "uct", "until_stopped": true, "interval": 200, "view": view });
        client.post("/api/searches", &asked).json()["id"].as_u64().unwrap()
    };
    let searches: Vec<u64> = (0..SEARCHES).map(begin).collect();
    let is_over = AtomicBool::new(false);
    let (slowest, told) = std::thread::scope(|scope| {
        let watch = |number: usize| {
            let (client, is_over, id) = (&client, &is_over, searches[number % SEARCHES]);
            scope.spawn(move || {
                let (mut count, mut last, mut heard) = (0u64, 0, Instant::now());
                for (event, told) in client.watch(id) {
                    assert!(heard.elapsed() < SILENCE_MAX, "silent for {:?}", heard.elapsed());
                    heard = Instant::now();
                    let simulations = told["found"]["simulations"].as_u64().unwrap_or(u64::MAX);
                    assert!(simulations >= last, "{simulations} after {last}");
                    assert_eq!(event, "snapshot");
                    (count, last) = (count + 1, simulations);
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                }
                count
            })
        };
        let watchers: Vec<_> = (0..WATCHERS).map(watch).collect();
        let slowest = other_pages(&client, TIME);
        is_over.store(true, Ordering::Relaxed);
        let told: Vec<u64> = watchers.into_iter().map(|watcher| watcher.join().expect("no panic")).collect();
        (slowest, told)
    });
    let (least, most) = (told.iter().min().unwrap(), told.iter().max().unwrap());
    println!(
        "{WATCHERS} watchers of {SEARCHES} searches: {least} to {most} snapshots each; the slowest other answer took {slowest:?}"
    );
    if let Some(peak) = peak_memory() {
        println!("the most memory: {} MB", peak / 1_000_000);
        assert!(peak < client::MEMORY + 200_000_000, "{peak} bytes");
    }
    assert!(slowest < ANSWER_MAX, "{slowest:?}");
}

/// Asks for positions all the time. Returns the longest that an answer took.
fn other_pages(client: &Client, time: Duration) -> Duration {
    let asked = json!({ "place": { "game": "hex size=7", "moves": ["c3", "d4"] } });
    let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
    while begun.elapsed() < time {
        let sent = Instant::now();
        let shown: Value = client.post("/api/position", &asked).json();
        slowest = slowest.max(sent.elapsed());
        assert_eq!(shown["player"], 0);
        std::thread::sleep(Duration::from_millis(100));
    }
    slowest
}

/// The most memory that this process ever had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
