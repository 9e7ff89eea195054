//! Two ways to solve a game: a special solver, and a general one for positions that the first cannot solve.

use crate::{Agent, Budget, Game, Report, Stopped, Watch};

/// Asks the second agent if the first reports that a position is [too large](Stopped::TooLarge).
pub struct Fallback<G: Game> {
    first: Box<dyn Agent<G> + Send>,
    second: Box<dyn Agent<G> + Send>,
}

impl<G: Game> Fallback<G> {
    /// The special solver first, then the general one.
    pub fn new(first: Box<dyn Agent<G> + Send>, second: Box<dyn Agent<G> + Send>) -> Fallback<G> {
        Fallback { first, second }
    }
}

impl<G: Game> Agent<G> for Fallback<G> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        match self.first.think(game, budget, watch) {
            Report { stopped: Stopped::TooLarge, .. } => self.second.think(game, budget, watch),
            report => report,
        }
    }

    fn played(&mut self, action: G::Action) {
        self.first.played(action);
        self.second.played(action);
    }
}
