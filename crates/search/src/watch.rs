//! Watching an agent think.

use crate::{Report, Top, Tree};
use std::time::Duration;

/// The progress of an agent that is thinking. Reading the counters is free. During a report or a walk through the
/// tree the agent waits.
pub trait Progress {
    /// The simulations so far; for exact play, positions visited.
    fn simulations(&self) -> u64;

    /// The time so far.
    fn time(&self) -> Duration;

    /// The report so far, with actions by their places in [`Game::actions`](crate::Game::actions). None if the agent
    /// knows nothing before it is done.
    fn report(&mut self) -> Option<Report<u16>> {
        None
    }

    /// The tree so far, if the agent grows one.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// What a search that [shares](crate::Settings::share) has learned since it last absorbed what all have. None from
    /// other agents.
    fn learned(&mut self) -> Option<Top> {
        None
    }

    /// Adds what all searches have learned; `own` is the part that this search gave since its last simulation.
    fn absorb(&mut self, _own: &Top, _all: &Top) {}
}

/// An observer. An agent calls it about a thousand times a second.
pub trait Watch {
    /// Looks at the progress, and returns whether the agent should go on.
    fn look(&mut self, progress: &mut dyn Progress) -> bool;

    /// The number of simulations after which the next look must come, if it matters.
    fn next_look(&self) -> Option<u64> {
        None
    }

    /// Looks once more when a search has ended, before its report.
    fn ended(&mut self, _progress: &mut dyn Progress) {}
}

/// No observer.
impl Watch for () {
    fn look(&mut self, _progress: &mut dyn Progress) -> bool {
        true
    }
}

/// Gets the simulations and the time so far, and never stops the agent.
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
