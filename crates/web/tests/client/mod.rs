//! A server for a test, and a plain client of it.

#![allow(dead_code, reason = "each test program uses a part")]

use aji_catalog::Workbench;
use aji_web::{Options, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// An answer: its status, its head in lines, and its body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Client {
    pub fn start() -> Client {
        Client::on("127.0.0.1", Duration::from_secs(60))
    }

    /// A server on this address that keeps unused searches for so long.
    pub fn on(address: &str, idle: Duration) -> Client {
        let address = address.parse().unwrap();
        let options = Options { address, port: 0, memory: MEMORY, threads: 2, idle };
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

    fn connect(&self) -> TcpStream {
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
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.replace('\r', ""), body: body.into() }
    }

    /// Watches a search.
    pub fn watch(&self, id: u64) -> Events {
        let mut stream = self.connect();
        let port = self.port();
        write!(stream, "GET /api/searches/{id}/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n").unwrap();
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
