//! A player that learns by divide and conquer, and plays the first action of the learned order.

use super::{Differences, Divisible, Division, Order};
use crate::Watch;
use crate::watch::Counted;
use crate::{Agent, Budget, Report, Stopped};
use aji_bandit::Rng;
use std::time::Instant;

/// Learns at every move, and keeps what it learned at earlier moves.
pub struct DividePlayer {
    division: Division,
    rng: Rng,
    differences: Differences,
    order: Option<Order>,
}

impl DividePlayer {
    /// The simulations between two checks of the clock.
    const INSTALMENT: u64 = 10_000;

    /// Nothing learned yet.
    pub fn new(division: Division, seed: u64) -> DividePlayer {
        DividePlayer { division, rng: Rng::seeded(seed), differences: Differences::default(), order: None }
    }
}

impl<G: Divisible + Send> Agent<G> for DividePlayer {
    /// Without a limit on simulations it learns until the time is over, and checks the clock every `INSTALMENT`
    /// simulations.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let started = Instant::now();
        if self.differences.keys() != game.key_count() {
            self.differences = Differences::new(game.key_count());
        }
        let mut spent = 0;
        let most = budget.simulations.unwrap_or(u64::MAX);
        let instalment = if budget.time.is_some() { DividePlayer::INSTALMENT } else { most };
        while spent < most && budget.time.is_none_or(|time| started.elapsed() < time) {
            let simulations = instalment.min(most - spent);
            self.division.learn(game, simulations, &mut self.differences, &mut self.rng);
            spent += simulations;
            let mut counted = Counted { simulations: spent, time: started.elapsed() };
            if !watch.look(&mut counted) {
                break;
            }
        }
        let order = self.order.insert(self.division.order(&self.differences, &mut self.rng));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let best = actions.into_iter().min_by_key(|&action| order.rank(game.key(action)));
        let stopped = if spent < most { Stopped::Time } else { Stopped::Simulations };
        Report { simulations: spent, stopped, ..Report::chosen(best, started.elapsed()) }
    }

    fn played(&mut self, _action: G::Action) {}

    fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }
}
