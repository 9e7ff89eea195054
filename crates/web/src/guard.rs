//! Who may ask: the checks before every request, and the headers of every answer.
//!
//! The server has no password on this machine. So it must refuse pages of other sites, which a browser on this machine
//! may show: they come with another `Origin`, or with another `Host` if their name was pointed at this machine (DNS
//! rebinding). On other addresses everybody in the network could ask, so a random token is needed.

use crate::failure::Failure;
use crate::server::Shared;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// What the page may load: its own files, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src \
    'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The cookie that holds the token.
const COOKIE_NAME: &str = "aji-token";

/// Answers the request if its sender may ask.
pub async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match checked(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(Refused::Page(token)) => welcome(&token),
        Err(Refused::With(failure)) => failure.into_response(),
    };
    let headers = response.headers_mut();
    // A report of a paper has a stricter policy.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    let mut set = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

/// Why a request goes no further.
enum Refused {
    /// It brought the token in its address: it gets the cookie, and comes again.
    Page(String),
    /// It may not ask.
    With(Failure),
}

fn forbidden(message: String) -> Refused {
    Refused::With(Failure::new(StatusCode::FORBIDDEN, message))
}

fn checked(shared: &Shared, request: &Request) -> Result<(), Refused> {
    let headers = request.headers();
    let host = text_of(headers, HOST);
    if !is_known_host(host, shared.address) {
        let expected = format!("expected {}", shared.url());
        return Err(forbidden(format!("host \"{host}\": {expected}; open the page at that address")));
    }
    let origin = text_of(headers, ORIGIN);
    if !origin.is_empty() && origin.strip_prefix("http://") != Some(host) {
        return Err(forbidden(format!(
            "origin \"{origin}\": expected http://{host}, this server's own page"
        )));
    }
    let from = text_of(headers, HeaderName::from_static("sec-fetch-site"));
    let is_page = request.uri().path() == "/";
    if matches!(from, "cross-site" | "same-site") && !is_page {
        return Err(forbidden(format!("sec-fetch-site {from}: only this server's own page may ask")));
    }
    let Some(token) = &shared.token else { return Ok(()) };
    if is_page && request.uri().query() == Some(&format!("token={token}")) {
        return Err(Refused::Page(token.clone()));
    }
    if has_token(headers, token) {
        return Ok(());
    }
    let message = "the token is missing or wrong; open the whole address that aji serve printed";
    Err(Refused::With(Failure::new(StatusCode::UNAUTHORIZED, message)))
}

/// The value of a header; empty if it is missing or no text.
fn text_of(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
}

/// Whether a host is this server: this machine itself, or with a token any address in numbers. A name could be anybody's.
fn is_known_host(host: &str, address: std::net::SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    if port != Some(address.port()) {
        return false;
    }
    let name = name.trim_start_matches('[').trim_end_matches(']');
    match name.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || !address.ip().is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

/// Whether the token comes along, in a cookie or as authorization.
fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let cookies = text_of(headers, COOKIE).split(';').filter_map(|cookie| cookie.trim().split_once('='));
    let in_cookie = cookies.filter(|(name, _)| *name == COOKIE_NAME).any(|(_, value)| same(value, token));
    let bearer = text_of(headers, AUTHORIZATION).strip_prefix("Bearer ");
    in_cookie || bearer.is_some_and(|bearer| same(bearer, token))
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
}

/// Sends the page again without the token in its address, which would stay in the browser's history.
fn welcome(token: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (axum::http::header::LOCATION, "/".into())])
        .into_response()
}
