//! Carries unused simulations over to the next moves of the same game.

use crate::learn::Order;
use crate::{Agent, Budget, Game, Graph, LoadError, Report, Simulation, Tree, Watch};
use std::io::{self, Read, Write};

/// An agent whose budgets carry over. If it stops early, because its rule has seen enough or the value is proven, it
/// adds the rest to the next budget. Only simulations are counted; a budget of time alone has nothing to carry.
pub struct Carry<G: Game> {
    agent: Box<dyn Agent<G> + Send>,
    saved: u64,
}

impl<G: Game> Carry<G> {
    /// The agent, with nothing saved yet.
    pub fn new(agent: Box<dyn Agent<G> + Send>) -> Carry<G> {
        Carry { agent, saved: 0 }
    }

    /// The simulations saved so far.
    pub fn saved(&self) -> u64 {
        self.saved
    }
}

impl<G: Game> Agent<G> for Carry<G> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let all = budget.simulations.map(|simulations| simulations.saturating_add(self.saved));
        let report = self.agent.think(game, Budget { simulations: all, ..budget }, watch);
        self.saved = all.map_or(self.saved, |all| all.saturating_sub(report.simulations));
        report
    }

    fn played(&mut self, action: G::Action) {
        self.agent.played(action);
    }

    fn allow(&mut self, game: &G, allowed: Option<&[u16]>) -> bool {
        self.agent.allow(game, allowed)
    }

    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        self.agent.step(game)
    }

    fn tree(&self) -> Option<&Tree> {
        self.agent.tree()
    }

    fn graph(&self) -> Option<&Graph> {
        self.agent.graph()
    }

    fn order(&self) -> Option<&Order> {
        self.agent.order()
    }

    fn memory_min(&self, game: &G) -> usize {
        self.agent.memory_min(game)
    }

    fn save(&self, tag: &str, out: &mut dyn Write) -> Option<io::Result<()>> {
        self.agent.save(tag, out)
    }

    fn load(&mut self, game: &G, tag: &str, from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        self.agent.load(game, tag, from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::Sweets;
    use std::time::Duration;

    /// For each move, checks the budget given and spends a fixed part of it.
    struct Thrifty(Vec<(u64, u64)>);

    impl Agent<Sweets> for Thrifty {
        fn think(&mut self, _: &Sweets, budget: Budget, _: &mut dyn Watch) -> Report<u8> {
            let (given, spent) = self.0.remove(0);
            assert_eq!(budget.simulations, Some(given));
            Report { simulations: spent, ..Report::chosen(Some(0), Duration::ZERO) }
        }

        fn played(&mut self, _: u8) {}
    }

    #[test]
    fn what_is_saved_is_added() {
        let thrifty = Thrifty(vec![(100, 30), (170, 170), (100, 100), (100, 10)]);
        let (mut agent, game) = (Carry::new(Box::new(thrifty)), Sweets::new(&[1.0, 2.0]));
        for _ in 0..4 {
            agent.think(&game, Budget::simulations(100), &mut ());
        }
        assert_eq!(agent.saved(), 90);
    }
}
