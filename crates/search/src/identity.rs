//! Numbers that tell things apart.

use std::sync::atomic::{AtomicU64, Ordering};

static GIVEN: AtomicU64 = AtomicU64::new(0);

/// A number from 1 that was never given before in this process. Nothing but equality means anything.
pub fn new() -> u64 {
    GIVEN.fetch_add(1, Ordering::Relaxed) + 1
}
