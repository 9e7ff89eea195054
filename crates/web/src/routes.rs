//! The addresses under `/api`, one file a group.

mod bandit;
mod explain;
mod games;
mod lab;
mod positions;
mod rule;
mod search;
mod sgf;
mod sums;

use crate::failure::Failure;
use crate::server::Shared;
use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use std::sync::Arc;

/// All groups. A new one is a line.
pub fn all() -> Router<Arc<Shared>> {
    let all = [
        bandit::routes(),
        explain::routes(),
        games::routes(),
        lab::routes(),
        positions::routes(),
        rule::routes(),
        search::routes(),
        sgf::routes(),
        sums::routes(),
    ];
    all.into_iter().fold(Router::new(), Router::merge)
}

/// The answer at an address that does not exist.
pub async fn unknown(uri: Uri) -> Failure {
    Failure::missing(format!("{}: no such address; the page is at /", uri.path()))
}

/// The answer to a method that an address does not take.
pub async fn wrong_method(method: Method, uri: Uri) -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{method} {}: this address takes another method", uri.path()),
    )
}
