//! Many watchers of live searches: nothing is lost. The example `watchers` measures how long other pages wait.

mod client;

use client::{Client, watch_all};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searches that run, their watchers, and the snapshots that each watcher waits for.
const SEARCHES: usize = 10;
const WATCHERS: usize = 100;
const SNAPSHOTS: usize = 4;

#[test]
fn a_hundred_watchers_lose_nothing() {
    let client = Client::start();
    let searches = client.searches(SEARCHES);
    let answers = AtomicUsize::new(0);
    let watched = std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let enough = |snapshots: usize| snapshots < SNAPSHOTS;
            watch_all(&client, &searches, WATCHERS, enough)
        });
        // Meanwhile another page gets its answers.
        while !watching.is_finished() {
            let asked = json!({ "place": { "game": "hex size=7", "moves": ["c3", "d4"] } });
            assert_eq!(client.post("/api/position", &asked).json()["player"], 0);
            answers.fetch_add(1, Ordering::Relaxed);
        }
        watching.join().expect("no panic")
    });
    assert_eq!(watched.len(), WATCHERS);
    for watched in &watched {
        assert!(watched.snapshots.len() >= SNAPSHOTS, "{:?}", watched.snapshots);
        assert!(watched.snapshots.is_sorted(), "{:?}", watched.snapshots);
    }
    // Every watcher of a search hears of its end, and all hear the same.
    for (index, id) in searches.iter().enumerate() {
        let reports: Vec<&Value> =
            watched.iter().skip(index).step_by(SEARCHES).map(|watched| &watched.report).collect();
        assert_eq!(reports.len(), WATCHERS / SEARCHES);
        assert_eq!(reports[0]["found"]["stopped"], "interrupted", "search {id}");
        assert!(reports.iter().all(|report| *report == reports[0]), "search {id}");
    }
    assert!(answers.into_inner() > 0);
}
