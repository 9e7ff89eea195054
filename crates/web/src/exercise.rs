//! Runs any bytes as requests: for fuzzing, and for tests with random requests.
//!
//! The requests go to the router in this process, without connections. They are separated by a line of three equals
//! signs; each is a line with method and path, lines of headers, an empty line, and a body:
//!
//! ```text
//! POST /api/rule
//! content-type: application/json
//!
//! {"rule": "ucb1", "arms": [{"pulls": 1, "mean": 0.5}]}
//! ===
//! GET /api/catalog
//! ```

use crate::lab::LabOptions;
use crate::server::{Options, Shared, router, runtime};
use aji_catalog::Workbench;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use futures_util::StreamExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// Requests of an input; the others are left out.
const REQUESTS_MAX: usize = 20;

/// The memory of all searches of an input.
const MEMORY: u64 = 64_000_000;

/// The bytes of an answer.
const ANSWER_MAX: usize = 8_000_000;

/// Events that are read of a stream, and how long one is waited for. A stream may be longer, or slow.
const EVENTS_MAX: usize = 3;
const EVENT_WAIT: Duration = Duration::from_millis(200);

/// The address of the server, which nobody listens on.
const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7700);

/// Sends these bytes as requests. Panics if the server panics, if an answer is neither proper nor an error in one line
/// of JSON, or if one says that the server has a mistake.
pub fn exercise(input: &[u8]) {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| runtime().expect("threads"));
    let folder = std::env::temp_dir().join(format!("aji-exercise-{}", std::process::id()));
    let lab = LabOptions {
        journals: folder.join("journals"),
        reports: folder.join("reports"),
        ..LabOptions::default()
    };
    let options = Options { memory: MEMORY, threads: 1, lab, ..Options::default() };
    let shared = Arc::new(Shared::new(Workbench::new(), options, ADDRESS, None));
    let router = router(shared.clone());
    runtime.block_on(async {
        for request in parts(input, b"\n===\n").into_iter().take(REQUESTS_MAX).filter_map(read) {
            check(&router, request).await;
        }
    });
    shared.close();
    // What contests wrote. There is nothing to remove if none began.
    let _ = std::fs::remove_dir_all(folder);
}

/// The parts of a text between separators.
fn parts<'a>(text: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(separator.len()).position(|part| part == separator) {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    parts.push(rest);
    parts
}

/// A request from its text; none if a connection would not take it. It has the server's host unless it names another.
fn read(text: &[u8]) -> Option<Request<Body>> {
    let at = text.windows(2).position(|part| part == b"\n\n");
    let (head, body) = at.map_or((text, &[][..]), |at| (&text[..at], &text[at + 2..]));
    let mut lines = head.split(|byte| *byte == b'\n');
    let mut first = lines.next()?.splitn(2, |byte| *byte == b' ');
    let mut request = Request::builder().method(first.next()?).uri(first.next()?);
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        request = request.header(&line[..colon], line[colon + 1..].trim_ascii());
    }
    if request.headers_ref().is_some_and(|headers| !headers.contains_key(HOST)) {
        request = request.header(HOST, ADDRESS.to_string());
    }
    request.body(Body::from(body.to_vec())).ok()
}

/// Sends a request, and checks the answer.
async fn check(router: &Router, request: Request<Body>) {
    let told = format!("{} {}", request.method(), request.uri());
    let has_body = request.method() != "HEAD";
    let service = TowerToHyperService::new(router.clone());
    let response = service.call(request).await.unwrap_or_else(|never| match never {});
    let (status, kind) = (response.status(), kind(response.headers()));
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{told}");
    assert!(response.headers().contains_key(CONTENT_SECURITY_POLICY), "{told}: {status}");
    if kind == "text/event-stream" {
        assert_eq!(status, StatusCode::OK, "{told}");
        check_events(&told, response).await;
        return;
    }
    let body = to_bytes(response.into_body(), ANSWER_MAX).await.expect("a body of this size");
    if !has_body || status.is_redirection() {
        assert!(body.is_empty(), "{told}: {status}");
    } else if !status.is_success() {
        assert_eq!(kind, "application/json", "{told}: {status}");
        check_error(&told, &body);
    } else if kind == "application/json" {
        assert!(serde_json::from_slice::<Value>(&body).is_ok(), "{told}");
    }
}

fn kind(headers: &HeaderMap) -> String {
    headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("").into()
}

/// Checks that a body tells of an error, and in one line.
fn check_error(told: &str, body: &[u8]) {
    let body: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{told}: {error}"));
    let error = body["error"].as_str().unwrap_or_else(|| panic!("{told}: {body}"));
    assert!(!error.is_empty() && !error.contains('\n'), "{told}: {error}");
    assert!(!error.contains("a mistake in the"), "{told}: {error}");
}

/// Checks the first events of a stream, and leaves it.
async fn check_events(told: &str, response: Response) {
    let mut events = response.into_body().into_data_stream();
    for _ in 0..EVENTS_MAX {
        let Ok(Some(Ok(event))) = timeout(EVENT_WAIT, events.next()).await else { return };
        let event = std::str::from_utf8(&event).expect("text");
        if event.starts_with(':') {
            continue;
        }
        let data = event.lines().find_map(|line| line.strip_prefix("data: ")).expect("data of the event");
        if event.starts_with("event: failed") {
            check_error(told, data.as_bytes());
        } else {
            assert!(serde_json::from_str::<Value>(data).is_ok(), "{told}: {event}");
        }
    }
}
