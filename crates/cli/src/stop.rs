//! Ctrl-C: the first ends a run after the trials in flight, the second at once.

use crate::progress;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a run that was interrupted, as shells expect it.
pub const EXIT_CODE: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// The flag that a run watches. From here on Ctrl-C sets it.
pub fn flag() -> &'static AtomicBool {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, and a journal goes on from there all the same.
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE.into());
            }
            progress::note("stopping after the trials in flight; once more to stop at once");
        });
    });
    &ASKED
}

/// Whether Ctrl-C was pressed since a run began.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
