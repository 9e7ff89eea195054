//! Stops an agent by the flag that also stops a run of trials.

use aji_search::{Progress, Watch};
use std::sync::atomic::{AtomicBool, Ordering};

/// A watch that stops its agent once the flag is set.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a>(pub &'a AtomicBool);

impl Until<'_> {
    /// Whether the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for Until<'_> {
    fn look(&mut self, _progress: &mut dyn Progress) -> bool {
        !self.is_stopped()
    }
}
