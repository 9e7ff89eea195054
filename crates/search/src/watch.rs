//! Looking on while an agent thinks.

use crate::{Report, Tree};
use std::time::Duration;

/// What can be seen of an agent that is thinking. To look costs nothing; a report or a walk through the tree takes as long as it
/// takes, and the agent waits meanwhile.
pub trait Progress {
    /// The simulations so far; of exact play, positions visited.
    fn simulations(&self) -> u64;

    /// The time so far.
    fn time(&self) -> Duration;

    /// What is known so far, with actions by their places in [`Game::actions`](crate::Game::actions). None from an agent that
    /// knows nothing before it is done.
    fn report(&mut self) -> Option<Report<u16>> {
        None
    }

    /// The tree so far, from an agent that grows one.
    fn tree(&self) -> Option<&Tree> {
        None
    }
}

/// Somebody who looks on. An agent calls it about a thousand times a second.
pub trait Watch {
    /// Looks, and says whether the agent should go on.
    fn look(&mut self, progress: &mut dyn Progress) -> bool;
}

/// Nobody looks on.
impl Watch for () {
    fn look(&mut self, _progress: &mut dyn Progress) -> bool {
        true
    }
}

/// Hears of the simulations and the time so far, and never stops the agent.
impl<F: FnMut(u64, Duration)> Watch for F {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        self(progress.simulations(), progress.time());
        true
    }
}

/// The progress of an agent that knows nothing before it is done.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The simulations so far.
    pub simulations: u64,
    /// The time so far.
    pub time: Duration,
}

impl Progress for Counted {
    fn simulations(&self) -> u64 {
        self.simulations
    }

    fn time(&self) -> Duration {
        self.time
    }
}
