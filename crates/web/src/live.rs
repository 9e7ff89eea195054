//! One search that the server keeps: it runs, is watched, stopped, and gone on with.
//!
//! The session is locked while the agent thinks. Watchers never wait for it: they get the latest [`News`], and miss what
//! came between if they are slow.

use crate::failure::Failure;
use crate::limits::{RUN_MAX, UNWATCHED_MAX};
use crate::place::Place;
use crate::view::{Seen, View};
use aji_catalog::{Actions, AgentName, Found, Request, Searched, Session, StopHandle};
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a new run waits for the end of the last, and how often whoever waits looks.
const HALT_MAX: Duration = Duration::from_secs(1);
const HALT_LOOK: Duration = Duration::from_millis(2);

/// What watchers are told.
#[derive(Clone, Debug)]
pub struct News {
    /// `snapshot` while the search runs; `report`, `ended` or `failed` at its end, `closed` when it is dropped.
    pub event: &'static str,
    /// One line of JSON; empty before the first snapshot.
    pub data: Arc<str>,
}

impl News {
    /// Nothing yet.
    pub fn begun() -> News {
        News { event: "snapshot", data: "".into() }
    }

    /// This event with this content.
    pub fn new(event: &'static str, told: &impl Serialize) -> News {
        let data = serde_json::to_string(told).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
        News { event, data: data.into() }
    }

    fn of_panic() -> News {
        News::new(
            "failed",
            &serde_json::json!({ "error": "the agent failed; this is a mistake in the program" }),
        )
    }

    /// Whether nothing follows.
    pub fn is_last(&self) -> bool {
        self.event != "snapshot"
    }
}

/// A snapshot or a report, as watchers get it.
#[derive(Serialize)]
struct Told<'a> {
    found: Found<'a>,
    #[serde(flatten)]
    seen: Seen,
}

/// A run: what is asked of the search now.
#[derive(Clone, Debug)]
pub struct Run {
    /// The agent with the budget of this run.
    pub agent: AgentName,
    /// The actions it may choose from.
    pub actions: Actions,
    /// The time between two snapshots.
    pub interval: Duration,
}

/// The part that is locked only for moments.
struct State {
    running: bool,
    place: Place,
    /// When it was last asked for.
    used: Instant,
    /// Since when nobody watches.
    unwatched: Instant,
}

/// A search with its session.
pub struct Live {
    /// Its number.
    pub id: u64,
    /// The memory of its agent, in bytes.
    pub share: u64,
    /// The agent's name as the page gave it, without limits on memory.
    pub asked: String,
    session: Mutex<Box<dyn Session>>,
    stop: StopHandle,
    state: Mutex<State>,
    view: Mutex<View>,
    watchers: AtomicUsize,
    news: watch::Sender<News>,
}

impl Live {
    /// A search that has not begun.
    pub fn new(id: u64, share: u64, asked: String, place: Place, session: Box<dyn Session>) -> Live {
        let now = Instant::now();
        Live {
            id,
            share,
            asked,
            stop: session.stop_handle(),
            session: Mutex::new(session),
            state: Mutex::new(State { running: false, place, used: now, unwatched: now }),
            view: Mutex::default(),
            watchers: AtomicUsize::new(0),
            news: watch::Sender::new(News::begun()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session(&self) -> MutexGuard<'_, Box<dyn Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the agent thinks.
    pub fn is_running(&self) -> bool {
        self.state().running
    }

    /// How long nobody has asked for it.
    pub fn idle(&self) -> Duration {
        let state = self.state();
        if state.running { Duration::ZERO } else { state.used.elapsed() }
    }

    /// Whether it may be dropped.
    pub fn is_stale(&self, idle_max: Duration) -> bool {
        self.watchers.load(Ordering::Relaxed) == 0 && self.idle() > idle_max
    }

    /// Notes that the page asked for it.
    pub fn touch(&self) {
        self.state().used = Instant::now();
    }

    /// Follows the game to a later position: its tree comes along. False if the position is not a later one, or the agent
    /// thinks.
    pub fn follow(&self, to: &Place) -> bool {
        let mut state = self.state();
        let is_same_game = state.place.game == to.game && state.place.start == to.start && !to.resigned;
        if state.running || !is_same_game || !to.moves.starts_with(&state.place.moves) {
            return false;
        }
        let mut session = self.session();
        for name in &to.moves[state.place.moves.len()..] {
            match session.play(name) {
                Ok(whole) => state.place.moves.push(whole),
                Err(_) => return false,
            }
        }
        state.used = Instant::now();
        true
    }

    /// Marks it as running. An error if it is already.
    pub fn begin(&self) -> Result<(), Failure> {
        let mut state = self.state();
        if state.running {
            return Err(Failure::conflict(format!("search {} is running; stop it first", self.id)));
        }
        let now = Instant::now();
        (state.running, state.used, state.unwatched) = (true, now, now);
        // A stop that came too late for the last run is not meant for this one.
        self.stop.rearm();
        self.news.send_replace(News::begun());
        Ok(())
    }

    /// Thinks, on this thread, until the budget is spent or the search is stopped. [`begin`](Live::begin) came before.
    pub fn run(&self, run: &Run) {
        let mut ended = Ended { live: self, news: News::of_panic() };
        let mut session = self.session();
        let searched = Searched::new(session.as_ref(), &run.agent);
        let request = Request::new(run.agent.clone()).every(run.interval);
        let request = Request { actions: run.actions.clone(), ..request };
        let begun = Instant::now();
        let report = session.analyse(&request, &mut |snapshot| {
            if let Some(report) = snapshot.report() {
                let seen = self.view().seen(snapshot);
                self.news.send_replace(News::new("snapshot", &Told { found: searched.found(&report), seen }));
            }
            begun.elapsed() < RUN_MAX
        });
        ended.news = match &report {
            Ok(report) => {
                let seen = self.view().seen(session.as_ref());
                News::new("report", &Told { found: searched.found(report), seen })
            }
            Err(error) => News::new("failed", &serde_json::json!({ "error": error.to_string() })),
        };
        // Whoever hears of the end may ask for the tree.
        drop(session);
    }

    /// Stops the run, if there is one. The report follows as news.
    pub fn stop(&self) {
        let mut state = self.state();
        state.used = Instant::now();
        if state.running {
            self.stop.stop();
        }
    }

    /// Stops the run and waits for its end, on a thread that may block. False if the agent does not obey in time.
    pub fn halt(&self) -> bool {
        let begun = Instant::now();
        while self.is_running() && begun.elapsed() < HALT_MAX {
            self.stop();
            std::thread::sleep(HALT_LOOK);
        }
        !self.is_running()
    }

    /// Stops the run and tells all watchers that nothing follows.
    pub fn close(&self) {
        self.stop();
        self.news.send_replace(News { event: "closed", data: "{}".into() });
    }

    /// Stops the run if nobody has watched it for some time.
    pub fn stop_if_unwatched(&self) {
        let is_watched = self.watchers.load(Ordering::Relaxed) > 0;
        let state = self.state();
        if state.running && !is_watched && state.unwatched.elapsed() > UNWATCHED_MAX {
            self.stop.stop();
        }
    }

    /// Sets what snapshots show of the tree.
    pub fn look_at(&self, view: View) {
        *self.view.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }

    fn view(&self) -> View {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What this view shows. None while the agent thinks: its snapshots show the tree. Waits, on a thread that may block,
    /// while another request reads the tree.
    pub fn seen(&self, view: &View) -> Option<Seen> {
        self.touch();
        loop {
            match self.session.try_lock() {
                Ok(session) => return Some(view.seen(session.as_ref())),
                Err(TryLockError::Poisoned(session)) => {
                    return Some(view.seen(session.into_inner().as_ref()));
                }
                Err(TryLockError::WouldBlock) if self.is_running() => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(HALT_LOOK),
            }
        }
    }

    /// Watches the search until the watcher is dropped.
    pub fn watch(self: &Arc<Live>) -> Watcher {
        self.watchers.fetch_add(1, Ordering::Relaxed);
        let mut news = self.news.subscribe();
        news.mark_changed();
        Watcher { live: self.clone(), news, is_done: false }
    }
}

/// Marks the end of a run and tells watchers, also if the agent panics.
struct Ended<'a> {
    live: &'a Live,
    news: News,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let mut state = self.live.state();
        (state.running, state.used) = (false, Instant::now());
        // Under the lock, so that the next run cannot begin before.
        self.live.news.send_replace(self.news.clone());
    }
}

/// Somebody who watches a search. The last one who leaves lets it stop.
pub struct Watcher {
    live: Arc<Live>,
    news: watch::Receiver<News>,
    is_done: bool,
}

impl Watcher {
    /// The next news; none after the last.
    pub async fn next(&mut self) -> Option<News> {
        while !self.is_done {
            self.news.changed().await.ok()?;
            let news = self.news.borrow_and_update().clone();
            self.is_done = news.is_last();
            if !news.data.is_empty() {
                return Some(news);
            }
        }
        None
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.live.state().unwatched = Instant::now();
        self.live.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}
