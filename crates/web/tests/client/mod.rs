//! A server for a test, and a plain client of it.

#![allow(dead_code, reason = "each test program uses a part")]

use aji_catalog::Workbench;
use aji_lab::Origin;
use aji_web::{LabOptions, Options, Patience, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The memory of all searches of a test.
pub const MEMORY: u64 = 400_000_000;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. It ends when this is dropped.
pub struct Client {
    pub url: String,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A folder that goes when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("aji-web-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        // Examples, which share this file, have no such folder.
        let parent = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let path = parent.join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An answer: its status, its head in lines, and its body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Client {
    pub fn start() -> Client {
        Client::with(Client::options())
    }

    /// A server on this address that keeps unused searches for so long.
    pub fn on(address: &str, idle: Duration) -> Client {
        let address = address.parse().unwrap();
        Client::with(Options { address, idle, ..Client::options() })
    }

    /// A server that waits for its clients like this.
    pub fn patient(patience: Patience) -> Client {
        Client::with(Options { patience, ..Client::options() })
    }

    /// A server with journals in this folder, of this commit.
    pub fn with_lab(folder: &Folder, commit: &str) -> Client {
        let origin = Origin { version: "1".into(), commit: commit.into() };
        let lab = LabOptions { journals: folder.0.clone(), reports: folder.file("reports"), origin };
        Client::with(Options { lab, ..Client::options() })
    }

    fn options() -> Options {
        Options { port: 0, memory: MEMORY, threads: 2, idle: Duration::from_secs(60), ..Options::default() }
    }

    fn with(options: Options) -> Client {
        let server = Server::bind(Workbench::new(), options).expect("a free port");
        let (url, is_over) = (server.url(), Arc::new(AtomicBool::new(false)));
        let over = is_over.clone();
        let run = move || server.run(move || over.load(Ordering::Relaxed)).expect("a good end");
        Client { url, is_over, thread: Some(std::thread::spawn(run)) }
    }

    pub fn port(&self) -> u16 {
        let rest = self.url.rsplit(':').next().unwrap();
        rest.split('/').next().unwrap().parse().unwrap()
    }

    /// Ends the server and waits for its end.
    pub fn end(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic");
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port())).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "content-type: application/json\r\n", &body.to_string())
    }

    /// A request to the server under its own name.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = format!("host: 127.0.0.1:{}\r\n", self.port());
        self.send_as(method, path, &(host + headers), body)
    }

    /// A request with exactly these headers, beside those on the connection and the length.
    pub fn send_as(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // The server may answer before it has read all.
        let _ = stream.write_all(body.as_bytes());
        Answer::read(&mut stream)
    }

    /// Watches a search.
    pub fn watch(&self, id: u64) -> Events {
        self.events(&format!("/api/searches/{id}/events"))
    }

    /// Follows the events of an address.
    pub fn events(&self, path: &str) -> Events {
        let mut stream = self.connect();
        let port = self.port();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n").unwrap();
        Events(BufReader::new(stream))
    }
}

impl Client {
    /// Follows a study.
    pub fn follow(&self, path: &str, body: &Value) -> Events {
        let (mut stream, port, body) = (self.connect(), self.port(), body.to_string());
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close");
        let kind = "content-type: application/json";
        write!(stream, "{head}\r\n{kind}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        Events(BufReader::new(stream))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.end();
    }
}

impl Answer {
    /// All that the server sends until it closes the connection. Status 0 if it sends nothing.
    pub fn read(stream: &mut TcpStream) -> Answer {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.replace('\r', ""), body: body.into() }
    }

    /// The body of a good answer.
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// Checks that the request was refused with this status and a line that has this part.
    pub fn refused(&self, status: u16, part: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let told: Value =
            serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body));
        let error = told["error"].as_str().expect("an error");
        assert!(error.contains(part) && !error.is_empty(), "{error}: expected {part}");
    }
}

/// The events of a search.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// The last event.
    pub fn last(self) -> (String, Value) {
        Iterator::last(self).expect("an event")
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let mut event = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(name) = line.strip_prefix("event: ") {
                event = name.into();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((event, serde_json::from_str(data).expect("JSON")));
            } else if line == "0" {
                // The last chunk.
                return None;
            }
        }
    }
}

impl Client {
    /// Begins so many searches that run until they are stopped.
    pub fn searches(&self, count: usize) -> Vec<u64> {
        let view = json!({ "opened": [[]], "levels": 2, "top": 5 });
        let place = json!({ "game": "connect-four", "moves": ["d"] });
        let asked =
            json!({ "place": place, "agent": "uct", "until_stopped": true, "interval": 200, "view": view });
        (0..count).map(|_| self.post("/api/searches", &asked).json()["id"].as_u64().unwrap()).collect()
    }
}

/// What a watcher of a search was told.
pub struct Watched {
    /// The simulations of each snapshot.
    pub snapshots: Vec<u64>,
    /// Snapshots that other watchers of the search got between its first and its last.
    pub missed: usize,
    pub report: Value,
}

/// Watches searches in turns, each with a thread, as long as all want more: `wants_more` gets the snapshots of a watcher.
/// Then it stops the searches.
pub fn watch_all(
    client: &Client,
    searches: &[u64],
    watchers: usize,
    wants_more: impl Fn(usize) -> bool + Sync,
) -> Vec<Watched> {
    let waiting = AtomicUsize::new(watchers);
    let watch = |id: u64| {
        let (mut snapshots, mut is_waiting) = (Vec::new(), true);
        for (event, told) in client.watch(id) {
            if event != "snapshot" {
                assert_eq!(event, "report");
                return Watched { snapshots, missed: 0, report: told };
            }
            snapshots.push(told["found"]["simulations"].as_u64().expect("simulations"));
            if is_waiting && !wants_more(snapshots.len()) {
                is_waiting = false;
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
        }
        panic!("search {id}: the watch broke after {} snapshots", snapshots.len());
    };
    let mut watched: Vec<Watched> = std::thread::scope(|scope| {
        let watch = &watch;
        let threads: Vec<_> = (0..watchers)
            .map(|number| searches[number % searches.len()])
            .map(|id| scope.spawn(move || watch(id)))
            .collect();
        // A watcher that has ended already has failed.
        while waiting.load(Ordering::Relaxed) > 0 && !threads.iter().any(|thread| thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
        }
        for id in searches {
            assert_eq!(client.post(&format!("/api/searches/{id}/stop"), &json!({})).status, 200);
        }
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for first in 0..searches.len() {
        let of_search = || (first..watchers).step_by(searches.len());
        let all: BTreeSet<u64> = of_search().flat_map(|index| watched[index].snapshots.clone()).collect();
        for index in of_search() {
            let own = &watched[index].snapshots;
            let (Some(begin), Some(end)) = (own.first(), own.last()) else { continue };
            let between = all.range(begin..=end).count();
            watched[index].missed = between - own.len();
        }
    }
    watched
}
