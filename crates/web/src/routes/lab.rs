//! Contests that the page starts, watches and stops, and reports of papers.

use crate::failure::Failure;
use crate::lab::{self, Watched, WhichContest};
use crate::live::News;
use crate::request::{Asked, Told};
use crate::server::Shared;
use aji_lab::contest::SavedGame;
use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, once, unfold};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::watch::Receiver;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/lab", get(list))
        .route("/lab/runs", post(begin))
        .route("/lab/runs/{name}/events", get(events))
        .route("/lab/runs/{name}/go-on", post(go_on))
        .route("/lab/runs/{name}/stop", post(stop))
        .route("/lab/runs/{name}/games", post(games))
        .route("/lab/runs/{name}/games/{trial}/{number}", get(game))
        .route("/lab/reports/{name}", get(report))
}

/// What an address names. An address that is no text gets a JSON error as others do.
struct Named<T>(T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named<T>, Failure> {
        let Path(named) = Path::from_request_parts(parts, state)
            .await
            .map_err(|error| Failure::wrong(format!("address: {error}")))?;
        Ok(Named(named))
    }
}

/// What the lab has.
#[derive(Serialize)]
struct Lab {
    /// The folder of the journals.
    folder: String,
    contests: Vec<lab::Entry>,
    /// The folder of the reports.
    reports_folder: String,
    reports: Vec<lab::Report>,
}

async fn list(State(shared): State<Arc<Shared>>) -> Result<Told<Lab>, Failure> {
    let listed = shared.work(|shared| {
        let options = &shared.options.lab;
        Ok(Lab {
            folder: options.journals.display().to_string(),
            contests: shared.runs.list()?,
            reports_folder: options.reports.display().to_string(),
            reports: lab::Reports(&options.reports).list(),
        })
    });
    listed.await.map(Told)
}

/// A contest that is played now.
#[derive(Serialize)]
struct Begun {
    name: String,
}

async fn begin(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichContest>,
) -> Result<Told<Begun>, Failure> {
    play(&shared, move |shared| shared.runs.new_contest(shared, &asked)).await
}

async fn go_on(
    State(shared): State<Arc<Shared>>,
    Named(name): Named<String>,
) -> Result<Told<Begun>, Failure> {
    play(&shared, move |shared| shared.runs.go_on(shared, &name)).await
}

/// Plays a contest on a thread of its own.
async fn play(
    shared: &Arc<Shared>,
    ready: impl FnOnce(&Shared) -> Result<lab::Ready, Failure> + Send + 'static,
) -> Result<Told<Begun>, Failure> {
    let ready = shared.work(ready).await?;
    let begun = Begun { name: ready.name().into() };
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || ready.play(&shared));
    Ok(Told(begun))
}

/// Done, and nothing to tell.
#[derive(Serialize)]
struct Done {}

async fn stop(State(shared): State<Arc<Shared>>, Named(name): Named<String>) -> Result<Told<Done>, Failure> {
    shared.work(move |shared| shared.runs.stop(&name)).await?;
    Ok(Told(Done {}))
}

/// The events of a contest.
type Events = Sse<KeepAliveStream<BoxStream<'static, Result<Event, Infallible>>>>;

async fn events(State(shared): State<Arc<Shared>>, Named(name): Named<String>) -> Result<Events, Failure> {
    let full = |_| Failure::full("too many watchers; close a page that watches something");
    let place = shared.watchers.clone().try_acquire_owned().map_err(full)?;
    let watched = shared.work(move |shared| shared.runs.watch(&shared.workbench, &name)).await?;
    let events = match watched {
        Watched::Still(shown) => {
            let only = event(&News::new("ended", &shown));
            once(async move { only }).boxed()
        }
        Watched::Running(news) => unfold((news, place, false), told).boxed(),
    };
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Who watches: the news, a place among all watchers, and whether the last was told.
type Watcher = (Receiver<News>, OwnedSemaphorePermit, bool);

/// The next event.
async fn told((mut news, place, is_done): Watcher) -> Option<(Result<Event, Infallible>, Watcher)> {
    if is_done {
        return None;
    }
    loop {
        news.changed().await.ok()?;
        let latest = news.borrow_and_update().clone();
        // Empty before the first telling.
        if !latest.data.is_empty() {
            return Some((event(&latest), (news, place, latest.is_last())));
        }
    }
}

fn event(news: &News) -> Result<Event, Infallible> {
    Ok(Event::default().event(news.event).data(&*news.data))
}

async fn games(
    State(shared): State<Arc<Shared>>,
    Named(name): Named<String>,
    Asked(which): Asked<lab::WhichRounds>,
) -> Result<Told<lab::Games>, Failure> {
    shared.work(move |shared| lab::games(&shared.runs.journals, &name, &which)).await.map(Told)
}

async fn game(
    State(shared): State<Arc<Shared>>,
    Named((name, trial, number)): Named<(String, String, String)>,
) -> Result<Told<SavedGame>, Failure> {
    let wrong = || Failure::wrong(format!("game {trial}/{number}: expected two numbers"));
    let (Ok(trial), Ok(number)) = (trial.parse(), number.parse()) else { return Err(wrong()) };
    shared.work(move |shared| lab::game(&shared.runs.journals, &name, trial, number)).await.map(Told)
}

/// What a report may load: nothing. Its pictures and its style are in it.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

async fn report(State(shared): State<Arc<Shared>>, Named(name): Named<String>) -> Result<Response, Failure> {
    let page = shared.work(move |shared| lab::Reports(&shared.options.lab.reports).page(&name)).await?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, page).into_response())
}
