//! Reads the JSON of a request, and writes that of an answer.

use crate::failure::Failure;
use crate::limits::BODY_MAX;
use crate::server::Shared;
use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tokio::time::timeout;

/// The body of a request, read as JSON of this type.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<Shared>> for Asked<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> Result<Asked<T>, Failure> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        // A form of another page can send text without asking first, but not JSON.
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let message = format!("content-type \"{kind}\": expected application/json");
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let too_large = |_| {
            let message = format!("the body is longer than {BODY_MAX} bytes, or was cut off");
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
        };
        let time = shared.options.patience.body;
        let too_slow = |_| {
            let message = format!("the body took longer than {time:?}; send it at once");
            Failure::new(StatusCode::REQUEST_TIMEOUT, message)
        };
        let body = timeout(time, to_bytes(request.into_body(), BODY_MAX)).await.map_err(too_slow)?;
        let body = body.map_err(too_large)?;
        serde_json::from_slice(&body).map(Asked).map_err(|error| Failure::wrong(format!("body: {error}")))
    }
}

/// The part of an address that a route leaves open.
pub struct Part(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Part {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Part, Failure> {
        let part = Path::<String>::from_request_parts(parts, state).await;
        let wrong = |_| Failure::wrong(format!("{}: expected an address in UTF-8", parts.uri.path()));
        part.map(|Path(part)| Part(part)).map_err(wrong)
    }
}

/// An answer as JSON.
pub struct Told<T>(pub T);

impl<T: Serialize> IntoResponse for Told<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(body) => {
                let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
                (headers, body).into_response()
            }
            Err(error) => Failure::bug(error).into_response(),
        }
    }
}
