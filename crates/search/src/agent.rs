//! Whoever chooses actions: a search, or something simpler.

use crate::budget::Meter;
use crate::{ArmReport, Budget, Evaluate, Game, Report, Rng, Search, Select, Stopped};
use std::time::Duration;

/// Chooses actions in a game.
pub trait Agent<G: Game> {
    /// Thinks about a position within a budget. `watch` hears of the simulations and the time spent so far, now and
    /// then.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action>;

    /// Hears of an action played, its own or another's, so that it can keep what it knows of what follows.
    fn played(&mut self, action: G::Action);
}

impl<G: Game + PartialEq, S: Select, E: Evaluate<G>> Agent<G> for Search<G, S, E> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action> {
        if self.root() != game {
            self.reset(game.clone());
        }
        self.run_watched(budget, watch)
    }

    fn played(&mut self, action: G::Action) {
        self.advance(action);
    }
}

/// Any legal action, each with the same chance.
#[derive(Clone, Debug)]
pub struct Random(pub Rng);

impl<G: Game> Agent<G> for Random {
    fn think(
        &mut self,
        game: &G,
        budget: Budget,
        _watch: &mut dyn FnMut(u64, Duration),
    ) -> Report<G::Action> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let best = (!actions.is_empty()).then(|| actions[self.0.below(actions.len())]);
        let arm = |action| ArmReport { action, pulls: 0, mean: 0.0, error: None, proven: None };
        Report {
            best,
            arms: actions.into_iter().map(arm).collect(),
            line: best.into_iter().collect(),
            ..Report::empty(&Meter::new(budget), Stopped::Nothing)
        }
    }

    fn played(&mut self, _action: G::Action) {}
}
