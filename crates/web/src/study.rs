//! A study that runs for one request: its answer is a stream of events, and it ends when nobody reads them.
//!
//! The server keeps nothing of it. The page goes on with a study by asking again for its later part: the same request
//! has the same course.

use crate::background;
use crate::failure::Failure;
use crate::limits::{STUDIES_MAX, STUDY_MAX};
use crate::server::Shared;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, unfold};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that wait for a slow reader. The study then waits too.
const WAITING_MAX: usize = 4;

/// How often a study that waits looks whether it is over.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The answer of a study.
pub type Events = Sse<KeepAliveStream<BoxStream<'static, Result<Event, Infallible>>>>;

/// Whom a study tells what it has found.
pub struct Reader {
    events: Sender<Event>,
    shared: Arc<Shared>,
    begun: Instant,
}

impl Reader {
    /// Whether the study should end: the reader has left, the time is over, or the server ends.
    pub fn is_over(&self) -> bool {
        let is_closing = self.shared.is_over.load(Ordering::Relaxed);
        is_closing || self.events.is_closed() || self.begun.elapsed() > STUDY_MAX
    }

    /// Waits for some time. False if the study should end.
    pub fn wait(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while !self.is_over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(LOOK_EVERY));
        }
        false
    }

    /// Tells something, when the reader has room for it. False if the study should end.
    pub fn tell(&self, event: &'static str, told: &impl Serialize) -> bool {
        let data = serde_json::to_string(told).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
        while self.events.capacity() == 0 {
            if !self.wait(LOOK_EVERY) {
                return false;
            }
        }
        // Nobody else sends, so there is room.
        !self.is_over() && self.events.try_send(Event::default().event(event).data(data)).is_ok()
    }
}

/// Begins a study on a thread that may block, and answers with its events. `memory` is that of the study, in bytes.
pub fn stream(
    shared: &Arc<Shared>,
    memory: u64,
    study: impl FnOnce(&Reader) + Send + 'static,
) -> Result<Events, Failure> {
    let full = |_| Failure::full(format!("{STUDIES_MAX} studies run, the most at a time; stop one first"));
    let place = shared.studies.clone().try_acquire_owned().map_err(full)?;
    // An early answer if there is no room; the study itself borrows it.
    drop(shared.searches.lend(memory)?);
    let (events, read) = channel(WAITING_MAX);
    let reader = Reader { events, shared: shared.clone(), begun: Instant::now() };
    tokio::task::spawn_blocking(move || {
        let _place = place;
        match reader.shared.searches.lend(memory) {
            Ok(_memory) => background::run(|| study(&reader)),
            Err(failure) => {
                reader.tell("failed", &failure.told());
            }
        }
    });
    let events = unfold(read, async |mut read: Receiver<Event>| Some((Ok(read.recv().await?), read)));
    Ok(Sse::new(events.boxed()).keep_alive(KeepAlive::default()))
}
