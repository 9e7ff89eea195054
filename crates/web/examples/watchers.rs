//! Measures the server under load: 100 watchers of 10 live searches, while another page asks for positions.
//!
//! `cargo run --release -p aji-web --example watchers [SECONDS]` prints how many snapshots the watchers got, how many
//! they missed, how long the other page waited for its answers, and the most memory. Beside that it prints how long a
//! bare thread takes to answer on this machine at the same time, for the machine may be busy with other things.

#[path = "../tests/client/mod.rs"]
mod client;

use client::{Client, MEMORY, watch_all};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The time between two questions of the other page.
const PAUSE: Duration = Duration::from_millis(50);

fn main() {
    let seconds = std::env::args().nth(1).map_or(60, |text| text.parse().expect("a number of seconds"));
    let client = Client::start();
    let searches = client.searches(10);
    let begun = Instant::now();
    let time = Duration::from_secs(seconds);
    let (waits, bare, watched) = std::thread::scope(|scope| {
        let other = scope.spawn(|| other_page(&client, time));
        let bare = scope.spawn(|| bare_answers(time));
        let watched = watch_all(&client, &searches, 100, |_| begun.elapsed() < time);
        (other.join().expect("no panic"), bare.join().expect("no panic"), watched)
    });
    let counts = || watched.iter().map(|watched| watched.snapshots.len());
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let missed: usize = watched.iter().map(|watched| watched.missed).sum();
    println!(
        "100 watchers of 10 searches for {seconds} s: {least} to {most} snapshots each, {missed} missed in all"
    );
    show("answers to the other page", &waits);
    show("answers of a bare thread", &bare);
    if let Some(peak) = peak_memory() {
        let cap = MEMORY / 1_000_000;
        println!(
            "the most memory of server and watchers: {} MB; the searches may take {cap} MB",
            peak / 1_000_000
        );
    }
}

/// Prints the times of answers, which are sorted.
fn show(what: &str, waits: &[Duration]) {
    let at = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize];
    let (count, median, late, longest) = (waits.len(), at(0.5), at(0.99), at(1.0));
    println!("{count} {what}: {median:.1?} (median), {late:.1?} (99%), {longest:.1?} (longest)");
}

/// Sends a byte to a thread that sends it back, each time on a new connection. Returns how long each took, sorted.
fn bare_answers(time: Duration) -> Vec<Duration> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for stream in listener.incoming() {
                let (mut stream, mut byte) = (stream.expect("a connection"), [0]);
                stream.read_exact(&mut byte).expect("a byte");
                stream.write_all(&byte).expect("room for a byte");
                if byte[0] == 0 {
                    break;
                }
            }
        });
        let ask = |byte: u8| {
            let sent = Instant::now();
            let mut stream = TcpStream::connect(address).expect("a connection");
            stream.write_all(&[byte]).expect("room for a byte");
            stream.read_exact(&mut [0]).expect("a byte");
            sent.elapsed()
        };
        let (begun, mut waits) = (Instant::now(), Vec::new());
        while begun.elapsed() < time {
            waits.push(ask(1));
            std::thread::sleep(PAUSE);
        }
        ask(0);
        waits.sort();
        waits
    })
}

/// Asks for positions all the time. Returns how long each answer took, sorted.
fn other_page(client: &Client, time: Duration) -> Vec<Duration> {
    let asked = json!({ "place": { "game": "hex size=7", "moves": ["c3", "d4"] } });
    let (begun, mut waits) = (Instant::now(), Vec::new());
    while begun.elapsed() < time {
        let sent = Instant::now();
        assert_eq!(client.post("/api/position", &asked).json()["player"], 0);
        waits.push(sent.elapsed());
        std::thread::sleep(PAUSE);
    }
    waits.sort();
    waits
}

/// The most memory that this process ever had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
