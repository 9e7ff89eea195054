//! How long a search may run, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search. The one that is reached first ends it. Without limits only a [`StopHandle`] ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Simulations of this run, not counting those inherited from a kept tree.
    pub simulations: Option<u64>,
    /// Wall time of this run.
    pub time: Option<Duration>,
}

impl Budget {
    /// This many simulations.
    pub fn simulations(simulations: u64) -> Budget {
        Budget { simulations: Some(simulations), time: None }
    }

    /// This much wall time.
    pub fn time(time: Duration) -> Budget {
        Budget { simulations: None, time: Some(time) }
    }

    /// The same budget, and at most this much wall time.
    pub fn or_time(self, time: Duration) -> Budget {
        Budget { time: Some(time), ..self }
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Stopped {
    /// The simulations of the budget were spent.
    Simulations,
    /// The time of the budget was spent.
    Time,
    /// The stop handle was used.
    Handle,
    /// The rule expected nothing from going on.
    Enough,
    /// The root's count is at its maximum.
    PullsMax,
    /// There was nothing to search: the game is over, or the memory cap has no room for the root's actions.
    Nothing,
    /// The exact value is known.
    Solved,
    /// The depth limit was reached everywhere.
    Depth,
    /// The game has more positions than the memory cap holds.
    TooLarge,
    /// The game can go on forever, and the values had not settled when exact play gave up.
    Endless,
    /// The agent resigns.
    Resigned,
}

/// Stops a search from another thread: the running one, or the next one to start.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Asks the search to stop after the current simulations.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True from [`stop`](StopHandle::stop) until a search has stopped for it.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Cancels a stop that no search has stopped for.
    pub fn rearm(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Splits the budget into batches, so that the clock is read about once a millisecond and not once a simulation.
pub(crate) struct Meter {
    budget: Budget,
    started: Instant,
    spent: u64,
    batch: u64,
    last: Duration,
    /// The number of simulations after which the search asks the rule again whether it has enough.
    next_look: u64,
}

/// The search asks the rule whether it has enough after this many simulations, or after 1/[`LOOK_SHARE`] of those so
/// far if that is more. So the clock never decides when.
const LOOK_MIN: u64 = 64;

/// See [`LOOK_MIN`].
const LOOK_SHARE: u64 = 16;

/// A batch grows until it takes about this long.
const BATCH_TIME: Duration = Duration::from_micros(500);

/// The longest batch, so that a search reacts to its stop handle soon, whatever the budget.
const BATCH_MAX: u64 = 1 << 12;

impl Meter {
    pub(crate) fn new(budget: Budget) -> Meter {
        Meter { budget, started: Instant::now(), spent: 0, batch: 1, last: Duration::ZERO, next_look: 0 }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// The simulations that remain, if the budget counts them.
    pub(crate) fn left(&self) -> Option<u64> {
        self.budget.simulations.map(|all| all - self.spent)
    }

    /// Whether to ask the rule now if it has enough. True at the start.
    pub(crate) fn is_look(&mut self) -> bool {
        let is_due = self.spent >= self.next_look;
        if is_due {
            self.next_look = self.spent + LOOK_MIN.max(self.spent / LOOK_SHARE);
        }
        is_due
    }

    /// The number of simulations to run before the next call, or why there are no more.
    pub(crate) fn next_batch(&mut self) -> Result<u64, Stopped> {
        let left = self.left().unwrap_or(u64::MAX);
        if left == 0 {
            return Err(Stopped::Simulations);
        }
        let elapsed = self.elapsed();
        if self.budget.time.is_some_and(|time| elapsed >= time) {
            return Err(Stopped::Time);
        }
        if elapsed - self.last < BATCH_TIME {
            self.batch = (self.batch * 2).min(BATCH_MAX);
        } else {
            self.batch = (self.batch / 2).max(1);
        }
        self.last = elapsed;
        let until_look = self.next_look.checked_sub(self.spent).filter(|&simulations| simulations > 0);
        Ok(self.batch.min(left).min(until_look.unwrap_or(u64::MAX)))
    }

    pub(crate) fn spend(&mut self, simulations: u64) {
        self.spent += simulations;
    }
}
