//! The budget of exact play, which counts positions as simulations.

use crate::budget::Meter;
use crate::watch::Counted;
use crate::{Budget, StopHandle, Stopped, Watch};

/// Counts positions, and checks the clock and the stop handle now and then.
pub(super) struct Pace<'a> {
    pub(super) meter: Meter,
    stop: StopHandle,
    watch: &'a mut dyn Watch,
    credit: u64,
    visited: u64,
    /// Why it stopped, if it has.
    pub(super) stopped: Option<Stopped>,
}

impl<'a> Pace<'a> {
    pub(super) fn new(budget: Budget, stop: StopHandle, watch: &'a mut dyn Watch) -> Pace<'a> {
        Pace { meter: Meter::new(budget), stop, watch, credit: 0, visited: 0, stopped: None }
    }

    /// Positions visited.
    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    /// Counts a position whatever the budget says.
    #[inline]
    pub(super) fn count(&mut self) {
        self.visited += 1;
    }

    /// Counts a position. False when the budget is spent.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        if self.credit == 0 && !self.refill() {
            return false;
        }
        self.credit -= 1;
        self.visited += 1;
        true
    }

    #[cold]
    fn refill(&mut self) -> bool {
        if self.stop.is_stopped() {
            self.stop.rearm();
            self.stopped = Some(Stopped::Handle);
            return false;
        }
        match self.meter.next_batch() {
            Ok(batch) => {
                self.meter.spend(batch);
                self.credit = batch;
                let mut counted = Counted { simulations: self.visited, time: self.meter.elapsed() };
                if !self.watch.look(&mut counted) {
                    self.stopped = Some(Stopped::Handle);
                    return false;
                }
                true
            }
            Err(stopped) => {
                self.stopped = Some(stopped);
                false
            }
        }
    }
}
