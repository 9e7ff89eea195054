//! Ctrl-C: a run of trials drops those under way or, if they cannot stop, ends after them; a search ends with what it has
//! found. A second Ctrl-C ends the program at once, and so does the first if neither is running.

use crate::progress;
use aji_catalog::StopHandle;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code of a run that was interrupted, as shells expect it.
pub const EXIT_CODE: u8 = 130;

/// Whether Ctrl-C was pressed.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether trials are running.
static RUNS_TRIALS: AtomicBool = AtomicBool::new(false);

/// Whether another program runs the commands, and listens to Ctrl-C itself.
static IS_EMBEDDED: AtomicBool = AtomicBool::new(false);

/// The commands that another program runs now.
static COMMANDS: Mutex<usize> = Mutex::new(0);

/// The running searches, by number.
static SEARCHES: Mutex<Vec<(u64, StopHandle)>> = Mutex::new(Vec::new());

/// The flag that a run of trials watches. From here on Ctrl-C sets it.
pub fn flag() -> &'static AtomicBool {
    RUNS_TRIALS.store(true, Ordering::Relaxed);
    listen();
    &ASKED
}

/// Ctrl-C stops the search of this handle until the guard is dropped.
#[must_use]
pub fn searching(handle: StopHandle) -> Searching {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // The handler waits for this lock, so it never finds itself installed without this search in the list.
    let mut searches = searches();
    searches.push((number, handle.clone()));
    listen();
    if is_asked() {
        handle.stop();
    }
    Searching(number)
}

/// A search that Ctrl-C stops.
pub struct Searching(u64);

impl Drop for Searching {
    fn drop(&mut self) {
        searches().retain(|(number, _)| *number != self.0);
    }
}

/// Whether Ctrl-C was pressed since the work began.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Forgets that Ctrl-C was pressed, if it stopped only a part of the work.
pub fn forget() {
    ASKED.store(false, Ordering::Relaxed);
}

/// A command of another program. While one runs, [`interrupt`] is remembered.
pub struct Command(());

/// Begins a command of another program.
#[must_use]
pub fn begin() -> Command {
    IS_EMBEDDED.store(true, Ordering::Relaxed);
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    *commands += 1;
    if *commands == 1 {
        forget();
    }
    Command(())
}

impl Drop for Command {
    fn drop(&mut self) {
        *COMMANDS.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

/// Does for the commands of another program what Ctrl-C does for those of this one.
pub fn interrupt() {
    let commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    if *commands > 0 {
        ASKED.store(true, Ordering::Relaxed);
        searches().iter().for_each(|(_, handle)| handle.stop());
    }
}

fn searches() -> MutexGuard<'static, Vec<(u64, StopHandle)>> {
    SEARCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen() {
    if IS_EMBEDDED.load(Ordering::Relaxed) {
        return;
    }
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, and the next run still continues from the journal.
        let _ = ctrlc::set_handler(interrupted);
    });
}

fn interrupted() {
    let was_asked = ASKED.swap(true, Ordering::Relaxed);
    let searches = searches();
    let runs_trials = RUNS_TRIALS.load(Ordering::Relaxed);
    if was_asked || (searches.is_empty() && !runs_trials) {
        std::process::exit(EXIT_CODE.into());
    }
    searches.iter().for_each(|(_, handle)| handle.stop());
    if runs_trials {
        progress::note("stopping; Ctrl-C again stops at once");
    }
}
