//! Clients that hold connections: too many, too slow, unused, or without reading.

mod client;

use aji_web::Patience;
use client::{Answer, Client};
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Short enough for a test, and longer than an answer of a busy machine takes.
const BRIEF: Duration = Duration::from_secs(1);

/// By then, whatever a server waits for is over.
const LATE: Duration = Duration::from_secs(30);

const PATIENT: Patience = Patience { connections: 100, head: LATE, body: LATE, stalled: LATE };

/// Asks on a connection that stays open, and reads the head and the body of the answer.
fn ask(stream: &mut TcpStream, path: &str) -> String {
    let port = stream.peer_addr().unwrap().port();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "no answer after {head:?}");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    head
}

/// Sends a byte every now and then until the server closes the connection. Returns what it answered.
fn trickle(stream: &mut TcpStream, bytes: &[u8]) -> Answer {
    let begun = Instant::now();
    for byte in bytes.iter().cycle() {
        assert!(begun.elapsed() < LATE, "the server still waits");
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        stream.set_read_timeout(Some(BRIEF / 20)).unwrap();
        if stream.peek(&mut [0]).is_ok() {
            break;
        }
    }
    stream.set_read_timeout(Some(LATE)).unwrap();
    Answer::read(stream)
}

/// Whether the server has closed a connection, or does so soon.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(LATE)).unwrap();
    match stream.read(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
fn connections_past_the_last_place_are_refused_until_one_is_free() {
    let client = Client::patient(Patience { connections: 3, ..PATIENT });
    let mut open: Vec<TcpStream> = (0..3).map(|_| client.connect()).collect();
    for stream in &mut open {
        assert!(ask(stream, "/api/catalog").starts_with("HTTP/1.1 200"));
    }
    let refused = client.get("/api/catalog");
    refused.refused(503, "3 connections are open, the most at a time");
    assert!(refused.head.contains("connection: close"), "{}", refused.head);
    // Those that were there still work.
    assert!(ask(&mut open[0], "/api/catalog").starts_with("HTTP/1.1 200"));
    open.pop();
    let begun = Instant::now();
    while client.get("/api/catalog").status != 200 {
        assert!(begun.elapsed() < LATE, "no place is free");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A flood of refused connections that say nothing does not keep the server from answering the others.
#[test]
fn silent_connections_past_the_last_place_are_closed() {
    let client = Client::patient(Patience { connections: 1, ..PATIENT });
    let mut own = client.connect();
    assert!(ask(&mut own, "/api/catalog").starts_with("HTTP/1.1 200"));
    let mut silent: Vec<TcpStream> = (0..100).map(|_| client.connect()).collect();
    assert!(ask(&mut own, "/api/catalog").starts_with("HTTP/1.1 200"));
    assert!(silent.iter_mut().all(is_closed));
}

#[test]
fn a_head_that_trickles_ends() {
    let client = Client::patient(Patience { head: BRIEF, ..PATIENT });
    let mut stream = client.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nx: ").unwrap();
    assert_eq!(trickle(&mut stream, b"slow").status, 0);
    assert_eq!(client.get("/api/catalog").status, 200);
}

#[test]
fn connections_without_requests_end() {
    let client = Client::patient(Patience { head: BRIEF, ..PATIENT });
    let mut silent = client.connect();
    let mut idle = client.connect();
    assert!(ask(&mut idle, "/api/catalog").starts_with("HTTP/1.1 200"));
    assert!(ask(&mut idle, "/api/catalog").starts_with("HTTP/1.1 200"));
    assert!(is_closed(&mut silent) && is_closed(&mut idle));
}

#[test]
fn a_body_that_trickles_is_refused() {
    let client = Client::patient(Patience { body: BRIEF, ..PATIENT });
    let mut stream = client.connect();
    let (port, kind) = (client.port(), "content-type: application/json");
    write!(
        stream,
        "POST /api/position HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{kind}\r\ncontent-length: 9999\r\n\r\n"
    )
    .unwrap();
    let answer = trickle(&mut stream, b" ");
    answer.refused(408, "the body took longer than 1s");
}

/// A long watch is neither slow nor idle.
#[test]
fn a_watcher_that_reads_stays() {
    let client = Client::patient(Patience { head: BRIEF, body: BRIEF, stalled: BRIEF, ..PATIENT });
    let asked =
        json!({ "place": { "game": "go size=5" }, "agent": "uct", "until_stopped": true, "interval": 50 });
    let id = client.post("/api/searches", &asked).json()["id"].as_u64().unwrap();
    let begun = Instant::now();
    let late = client.watch(id).find(|_| begun.elapsed() > BRIEF * 3);
    assert_eq!(late.expect("a snapshot").0, "snapshot");
}

/// A watcher that reads nothing is left, and then nobody watches: the search stops.
#[test]
fn a_watcher_that_does_not_read_is_left() {
    let client = Client::patient(Patience { stalled: BRIEF, ..PATIENT });
    let view = json!({ "opened": [[]], "levels": 4, "top": 7 });
    let asked = json!({
        "place": { "game": "connect-four" }, "agent": "uct", "until_stopped": true, "interval": 50, "view": view
    });
    let id = client.post("/api/searches", &asked).json()["id"].as_u64().unwrap();
    let mut stream = client.connect();
    write!(stream, "GET /api/searches/{id}/events HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n", client.port())
        .unwrap();
    let begun = Instant::now();
    while client.post(&format!("/api/searches/{id}/view"), &view).json().is_null() {
        assert!(begun.elapsed() < LATE, "the search still runs for a watcher that does not read");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(stream);
}

/// Heads that are too long, or no HTTP, end without a panic; the server goes on.
#[test]
fn heads_that_are_no_heads_are_refused() {
    let client = Client::start();
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(20_000));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(200));
    let cases: [(&[u8], u16); 5] = [
        (long.as_bytes(), 431),
        (many.as_bytes(), 431),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"GET /\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello", 400),
    ];
    for (head, status) in cases {
        let mut stream = client.connect();
        stream.write_all(head).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(Answer::read(&mut stream).status, status, "{}", String::from_utf8_lossy(head));
    }
    assert_eq!(client.get("/api/catalog").status, 200);
}

/// The server ends in time though a client holds a request that it never finishes.
#[test]
fn a_slow_client_does_not_keep_the_server() {
    let mut client = Client::patient(PATIENT);
    let mut stream = client.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let mut idle = client.connect();
    assert!(ask(&mut idle, "/api/catalog").starts_with("HTTP/1.1 200"));
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert!(is_closed(&mut idle));
}
