//! A request that cannot be answered: a status, and one line that says what was wrong and what would be right.

use aji_catalog::Error;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::fmt::Display;

/// The answer `{"error": ...}` with its status.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    /// A failure with this status and message.
    pub fn new(status: StatusCode, message: impl Display) -> Failure {
        Failure { status, message: message.to_string() }
    }

    /// The request itself is wrong.
    pub fn wrong(message: impl Display) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// A text or list of the request is longer than allowed.
    pub fn too_long(what: &str, found: usize, most: usize) -> Failure {
        Failure::wrong(format!("{what}: {found} found, at most {most} allowed"))
    }

    /// What was asked for does not exist.
    pub fn missing(message: impl Display) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// The request contradicts what is running.
    pub fn conflict(message: impl Display) -> Failure {
        Failure::new(StatusCode::CONFLICT, message)
    }

    /// The server has no room for it.
    pub fn full(message: impl Display) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The line of the answer.
    pub fn line(&self) -> &str {
        &self.message
    }

    /// What the answer says.
    pub fn told(&self) -> serde_json::Value {
        serde_json::json!({ "error": self.message })
    }

    /// The server itself went wrong.
    pub fn bug(message: impl Display) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{message}; this is a mistake in the server"))
    }
}

/// An error if a number is not in this range.
pub fn within(what: &str, found: u64, least: u64, most: u64) -> Result<(), Failure> {
    match (least..=most).contains(&found) {
        true => Ok(()),
        false => Err(Failure::wrong(format!("{what}: {found} found, expected {least} to {most}"))),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::wrong(error)
    }
}

impl From<aji_lab::Error> for Failure {
    fn from(error: aji_lab::Error) -> Failure {
        Failure::wrong(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = self.told().to_string();
        (self.status, [(CONTENT_TYPE, "application/json")], body).into_response()
    }
}
