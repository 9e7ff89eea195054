//! Unique numbers that distinguish things.

use std::sync::atomic::{AtomicU64, Ordering};

static GIVEN: AtomicU64 = AtomicU64::new(0);

/// A number from 1 that is unique in this process. Only equality has a meaning.
pub fn new() -> u64 {
    GIVEN.fetch_add(1, Ordering::Relaxed) + 1
}
