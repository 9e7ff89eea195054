//! Searches that the page follows live: begin, watch, stop, go on.

use crate::background;
use crate::failure::Failure;
use crate::guest::guest;
use crate::limits::{INTERVAL_MS, MOVE_MAX, RUN_MAX};
use crate::live::{Live, Run, Watcher};
use crate::place::Place;
use crate::request::{Asked, Part, Told};
use crate::server::Shared;
use crate::view::{Seen, View};
use aji_catalog::{Actions, AgentName};
use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{get, post};
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/searches", post(begin))
        .route("/searches/{id}", axum::routing::delete(end))
        .route("/searches/{id}/events", get(events))
        .route("/searches/{id}/stop", post(stop))
        .route("/searches/{id}/view", post(view))
}

/// What to search, and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichSearch {
    place: Place,
    agent: String,
    /// A search to go on with, if it is at this position or before it, and of this agent. Otherwise a new one begins.
    #[serde(default)]
    keep: Option<u64>,
    /// Only these actions are searched; none for all.
    #[serde(default)]
    only: Option<Vec<String>>,
    /// Whether the search runs until it is stopped. Simulations and time in the agent's name still count.
    #[serde(default)]
    until_stopped: bool,
    /// Milliseconds between two snapshots.
    #[serde(default = "interval_default")]
    interval: u64,
    /// What snapshots show of the tree; nothing by default.
    #[serde(default)]
    view: View,
}

fn interval_default() -> u64 {
    200
}

/// A search that has begun.
#[derive(Serialize)]
struct Begun {
    id: u64,
    /// The whole name of the agent, with its share of memory.
    agent: String,
    /// Whether it goes on with an earlier search.
    kept: bool,
}

async fn begin(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichSearch>,
) -> Result<Told<Begun>, Failure> {
    let (live, run, kept) = shared.work(move |shared| prepared(shared, asked)).await?;
    shared.searches.begin(&live)?;
    let begun = Begun { id: live.id, agent: run.agent.to_string(), kept };
    tokio::task::spawn_blocking(move || background::run(|| live.run(&run)));
    Ok(Told(begun))
}

/// The search that was asked for, kept or new, and its run.
fn prepared(shared: &Shared, asked: WhichSearch) -> Result<(Arc<Live>, Run, bool), Failure> {
    if !INTERVAL_MS.contains(&asked.interval) {
        let (least, most) = (INTERVAL_MS.start(), INTERVAL_MS.end());
        return Err(Failure::wrong(format!("interval {}: expected {least} to {most} ms", asked.interval)));
    }
    if let Some(long) = asked.only.iter().flatten().find(|name| name.len() > MOVE_MAX) {
        return Err(Failure::too_long("bytes of an action", long.len(), MOVE_MAX));
    }
    let view = asked.view.checked()?;
    let agent = guest(&shared.workbench, &asked.agent, shared.options.threads)?;
    let name = AgentName { simulations: None, time: None, ..agent.clone() }.to_string();
    let old = asked.keep.and_then(|id| shared.searches.find(id).ok()).filter(|live| live.asked == name);
    let (live, kept) = match old.filter(|live| live.halt() && live.follow(&asked.place)) {
        Some(live) => (live, true),
        None => {
            let session = asked.place.open(&shared.workbench)?;
            if let Some(old) = asked.keep {
                // The page has left that search.
                shared.searches.remove(old);
            }
            (shared.searches.add(agent.memory, name, asked.place, session)?, false)
        }
    };
    live.look_at(view);
    let is_endless = asked.until_stopped && agent.simulations.is_none() && agent.time.is_none();
    let time = if is_endless { Some(RUN_MAX) } else { agent.time };
    let agent = AgentName { memory: live.share, time, ..agent };
    let actions = asked.only.map_or(Actions::All, Actions::Only);
    Ok((live, Run { agent, actions, interval: Duration::from_millis(asked.interval) }, kept))
}

async fn end(State(shared): State<Arc<Shared>>, Part(id): Part) -> Result<Told<Done>, Failure> {
    shared.searches.remove(number(&id)?);
    Ok(Told(Done {}))
}

/// Done, and nothing to tell.
#[derive(Serialize)]
struct Done {}

async fn stop(State(shared): State<Arc<Shared>>, Part(id): Part) -> Result<Told<Done>, Failure> {
    shared.searches.find(number(&id)?)?.stop();
    Ok(Told(Done {}))
}

/// The number of a search in an address.
fn number(id: &str) -> Result<u64, Failure> {
    id.parse().map_err(|_| Failure::wrong(format!("search \"{id}\": expected a number")))
}

/// Sets what snapshots show of the tree. Between two runs it answers with the tree itself.
async fn view(
    State(shared): State<Arc<Shared>>,
    Part(id): Part,
    Asked(view): Asked<View>,
) -> Result<Told<Option<Seen>>, Failure> {
    let live = shared.searches.find(number(&id)?)?;
    let view = view.checked()?;
    live.look_at(view.clone());
    if live.is_running() {
        return Ok(Told(None));
    }
    shared.work(move |_| Ok(live.seen(&view))).await.map(Told)
}

async fn events(
    State(shared): State<Arc<Shared>>,
    Part(id): Part,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let live = shared.searches.find(number(&id)?)?;
    let full = |_| Failure::full("too many watchers; close a page that watches a search");
    let place = shared.watchers.clone().try_acquire_owned().map_err(full)?;
    live.touch();
    let watcher = (live.watch(), place);
    let news = unfold(watcher, async |mut watcher: (Watcher, _)| {
        let news = watcher.0.next().await?;
        Some((Ok(Event::default().event(news.event).data(&*news.data)), watcher))
    });
    Ok(Sse::new(news).keep_alive(KeepAlive::default()))
}
