//! Waits for work on another thread, so that Python's other threads go on and Ctrl-C is heard.

use crate::failure::{error, fault};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often Python's signals are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The stack of a thread that works: that of a main thread.
pub const STACK_BYTES: usize = 8 << 20;

/// Does some work on a new thread without Python's lock. The thread keeps Python's record of it meanwhile; otherwise each call of a
/// user's code would make and free one, which takes longer than many of these calls.
pub fn detached<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}

/// Does some work on a thread of its own. If a signal raises an exception, such as `KeyboardInterrupt`, `stop` ends the work,
/// and the exception is the result.
pub fn patiently<T: Send>(
    py: Python<'_>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, ended) = sync_channel::<()>(1);
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let worker = builder.spawn_scoped(scope, move || {
                // Dropped at the end of the work.
                let _done = done;
                detached(work)
            });
            let worker = worker.map_err(|cause| error(format!("cannot start a thread: {cause}")))?;
            let mut raised = None;
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Err(exception) = Python::attach(|py| py.check_signals()) {
                    raised.get_or_insert(exception);
                    stop();
                }
            }
            let result = worker.join().unwrap_or_else(|payload| Err(fault(&*payload)));
            match raised {
                Some(exception) => Err(exception),
                None => result,
            }
        })
    })
}
