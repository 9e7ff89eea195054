//! Errors on their way to Python: messages of aji, exceptions of a user's code, and panics.
//!
//! Games and evaluations cannot fail in aji, but those written in Python can. Their exception is kept in a [`Failures`]
//! slot, and the search is unwound by a panic that prints nothing. Whoever called the search finds the exception in the
//! slot, and raises it with its traceback.

use pyo3::prelude::*;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pyo3::import_exception!(aji._error, Error);

/// An error of aji with this message.
pub fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// The exception that a user's code has raised in a search, until it is taken. Clones share it.
#[derive(Clone, Default)]
pub struct Failures(Arc<Slot>);

#[derive(Default)]
struct Slot {
    is_set: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

/// The payload of the panic that unwinds a search.
struct Raised;

impl Failures {
    /// Whether an exception waits.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Keeps an exception, unless one waits.
    pub fn keep(&self, exception: PyErr) {
        self.slot().get_or_insert(exception);
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Keeps an exception and unwinds to [`caught`].
    pub fn raise(&self, exception: PyErr) -> ! {
        self.keep(exception);
        Failures::unwind()
    }

    /// Unwinds to [`caught`].
    pub fn unwind() -> ! {
        resume_unwind(Box::new(Raised))
    }

    /// Takes the exception that waits.
    pub fn take(&self) -> Option<PyErr> {
        let mut slot = self.slot();
        self.0.is_set.store(false, Ordering::Relaxed);
        slot.take()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.exception.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does some work that may be unwound. An exception that it has left behind comes before its own result.
pub fn caught<T>(failures: &Failures, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let done = guarded(work);
    failures.take().map_or(done, Err)
}

/// Does some work. A panic is an error.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(fault(&*payload)))
}

/// The error of a panic.
pub fn fault(payload: &(dyn Any + Send)) -> PyErr {
    error(format!("a fault of aji, please report it: {}", told(payload)))
}

/// What a panic says.
fn told(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").replace('\n', " ")
}
