//! The page: files that the program carries, and that a browser runs as they are.

use crate::failure::Failure;
use crate::request::Part;
use crate::server::Shared;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The files of the folder `page`, each with its content.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),*]
    };
}

/// All files of the page. A test compares the list with the folder.
static FILES: &[(&str, &[u8])] = files![
    "index.html",
    "style.css",
    "icon.svg",
    "address.js",
    "api.js",
    "boards/connect_four.js",
    "boards/dominoes.js",
    "boards/go.js",
    "boards/grid.js",
    "boards/heaps.js",
    "boards/hex.js",
    "boards/index.js",
    "boards/numbers.js",
    "boards/stones.js",
    "boards/sum.js",
    "boards/targets.js",
    "boards/travel.js",
    "format.js",
    "main.js",
    "parts/arms.js",
    "parts/contest.js",
    "parts/contest_charts.js",
    "parts/contest_form.js",
    "parts/contest_games.js",
    "parts/contest_list.js",
    "parts/controls.js",
    "parts/examples.js",
    "parts/formula.js",
    "parts/heat_map.js",
    "parts/lecture.js",
    "parts/lines.js",
    "parts/moves.js",
    "parts/plot.js",
    "parts/position.js",
    "parts/ready.js",
    "parts/search.js",
    "parts/sgf.js",
    "parts/study.js",
    "parts/sums_board.js",
    "parts/sums_expression.js",
    "parts/sums_heap.js",
    "parts/sums_order.js",
    "parts/sums_value.js",
    "parts/thermograph.js",
    "parts/tree_canvas.js",
    "parts/value_line.js",
    "parts/values.js",
    "vendor/d3-hierarchy-LICENSE",
    "vendor/d3-hierarchy.js",
    "vendor/htm-LICENSE",
    "vendor/htm-preact.js",
    "vendor/preact-LICENSE",
    "views/analyse.js",
    "views/bandit.js",
    "views/index.js",
    "views/lab.js",
    "views/phases.js",
    "views/play.js",
    "views/sums.js",
    "views/tree.js",
];

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/", get(index)).route("/page/{*name}", get(named))
}

async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

async fn named(Part(name): Part, headers: HeaderMap) -> Response {
    file(&name, &headers)
}

/// A file, unless the browser has it.
fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some((name, content)) = FILES.iter().find(|(known, _)| *known == name) else {
        return Failure::missing(format!("/page/{name}: the page has no such file")).into_response();
    };
    let content = fresh(name, content);
    let tag = tag(&content);
    let cached =
        [(CONTENT_TYPE, kind(name).to_string()), (CACHE_CONTROL, "no-cache".into()), (ETAG, tag.clone())];
    match headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        true => (StatusCode::NOT_MODIFIED, cached).into_response(),
        false => (cached, content).into_response(),
    }
}

/// The content to send. A build for development reads the folder, so that a change shows when the page is loaded again.
fn fresh(name: &str, content: &'static [u8]) -> Cow<'static, [u8]> {
    #[cfg(debug_assertions)]
    if let Ok(changed) = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/page/").to_string() + name) {
        return Cow::Owned(changed);
    }
    let _ = name;
    Cow::Borrowed(content)
}

/// A name of this content. Browsers ask again by it, so a new program shows its own page.
fn tag(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}
