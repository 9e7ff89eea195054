//! A search that runs on a thread of its own: snapshots while it runs, then its report.

use crate::failure::error;
use crate::patience::{STACK_BYTES, detached};
use aji_catalog::StopHandle;
use pyo3::prelude::*;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a reader that waits looks at Python's signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The latest snapshot and the result, each as JSON.
#[derive(Default)]
struct News {
    snapshot: Option<String>,
    result: Option<PyResult<String>>,
    has_ended: bool,
}

/// Where a search leaves its news. A reader that is slow gets the latest snapshot.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<(Mutex<News>, Condvar)>);

impl Mailbox {
    fn news(&self) -> MutexGuard<'_, News> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a snapshot in place of the last.
    pub fn leave(&self, snapshot: String) {
        self.news().snapshot = Some(snapshot);
        self.0.1.notify_all();
    }

    fn end(&self, result: PyResult<String>) {
        let mut news = self.news();
        (news.result, news.has_ended) = (Some(result), true);
        self.0.1.notify_all();
    }
}

/// A search under way.
#[pyclass(frozen, module = "aji._native")]
pub struct Thinking {
    mailbox: Mailbox,
    stop: StopHandle,
}

impl Thinking {
    /// Begins a search on a thread. It leaves snapshots in the mailbox and returns its report.
    pub fn begin(
        stop: StopHandle,
        work: impl FnOnce(&Mailbox) -> PyResult<String> + Send + 'static,
    ) -> PyResult<Thinking> {
        let mailbox = Mailbox::default();
        let mine = mailbox.clone();
        let work = move || {
            let result = detached(|| work(&mine));
            mine.end(result);
        };
        let started = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        started.map_err(|cause| error(format!("cannot start a thread: {cause}")))?;
        Ok(Thinking { mailbox, stop })
    }

    /// Waits for the end, or also for a snapshot, at most this long. True if it is there.
    fn wait(&self, or_snapshot: bool, patience: Duration) -> bool {
        let is_empty = |news: &mut News| !(news.has_ended || (or_snapshot && news.snapshot.is_some()));
        let waited = self.mailbox.0.1.wait_timeout_while(self.mailbox.news(), patience, is_empty);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Waits as long as it takes, or until a signal raises an exception, which ends the search.
    fn wait_for(&self, py: Python<'_>, or_snapshot: bool) -> PyResult<()> {
        while !py.detach(|| self.wait(or_snapshot, LOOK_EVERY)) {
            if let Err(exception) = py.check_signals() {
                self.stop.stop();
                while !py.detach(|| self.wait(false, LOOK_EVERY)) {}
                return Err(exception);
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Thinking {
    /// The next snapshot; None after the last.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.wait_for(py, true)?;
        Ok(self.mailbox.news().snapshot.take())
    }

    /// Waits for the report.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.wait_for(py, false)?;
        let result = self.mailbox.news().result.take();
        result.unwrap_or_else(|| Err(error("the report of this search was taken before")))
    }

    /// Whether the search has ended.
    fn has_ended(&self) -> bool {
        self.mailbox.news().has_ended
    }

    /// Stops the search. Its report has what was found.
    fn stop(&self) {
        if !self.has_ended() {
            self.stop.stop();
        }
    }

    /// Stops the search and waits for its end, at most this many seconds.
    fn close(&self, py: Python<'_>, seconds: f64) -> bool {
        // NaN is no time.
        let seconds = if seconds > 0.0 { seconds.min(1e6) } else { 0.0 };
        let until = Instant::now() + Duration::from_secs_f64(seconds);
        while !self.has_ended() && Instant::now() < until {
            self.stop();
            py.detach(|| self.wait(false, LOOK_EVERY));
        }
        self.has_ended()
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop();
    }
}
