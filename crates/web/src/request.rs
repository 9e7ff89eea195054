//! Reads the JSON of a request, and writes that of an answer.

use crate::failure::Failure;
use crate::limits::BODY_MAX;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The body of a request, read as JSON of this type.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Asked<T>, Failure> {
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
        let body = to_bytes(request.into_body(), BODY_MAX).await.map_err(too_large)?;
        serde_json::from_slice(&body).map(Asked).map_err(|error| Failure::wrong(format!("body: {error}")))
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
