//! Anything that chooses actions: a search, or something simpler.

use crate::learn::Order;
use crate::{Budget, Evaluate, Game, Graph, LoadError, Report, Rng, Search, Select, Simulation, Tree, Watch};
use std::io::{self, Read, Write};
use std::time::Duration;

/// Chooses actions in a game.
pub trait Agent<G: Game> {
    /// Thinks about a position within a budget. `watch` sees the progress and may stop it.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action>;

    /// Called after each action played, its own or another's, so that the agent can keep what it knows about the
    /// positions that follow.
    fn played(&mut self, action: G::Action);

    /// Forgets everything and draws its random numbers from this seed, as a new agent would. False if only a new agent
    /// can do that.
    fn renew(&mut self, _seed: u64) -> bool {
        false
    }

    /// Restricts the agent to the actions at these places in [`Game::actions`], or lifts the restriction. It holds
    /// until the game goes on or the next call. False if the agent cannot leave actions out.
    fn allow(&mut self, _game: &G, allowed: Option<&[u16]>) -> bool {
        allowed.is_none()
    }

    /// Runs one simulation and returns what happened; none if the agent has no simulations.
    fn step(&mut self, _game: &G) -> Option<Simulation<G::Action>> {
        None
    }

    /// Its tree, if it grows one.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// The graph it has grown; none from an agent that grows none.
    fn graph(&self) -> Option<&Graph> {
        None
    }

    /// The order of actions that it has learned, by their keys; none from an agent that learns none.
    fn order(&self) -> Option<&Order> {
        None
    }

    /// Why the last [`think`](Agent::think) found nothing, for an agent that depends on something outside.
    fn failure(&self) -> Option<String> {
        None
    }

    /// The least memory in bytes it needs for this position; 0 if it has no such limit.
    fn memory_min(&self, _game: &G) -> usize {
        0
    }

    /// How often it had to restart an external program.
    fn restarts(&self) -> u64 {
        0
    }

    /// Saves its search, under a tag that names it ([`Search::save`]); none if it has nothing to save.
    fn save(&self, _tag: &str, _out: &mut dyn Write) -> Option<io::Result<()>> {
        None
    }

    /// Loads a search saved under the same tag for the same position ([`Search::load`]).
    fn load(&mut self, _game: &G, _tag: &str, _from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        None
    }
}

impl<G: Game + PartialEq, S: Select, E: Evaluate<G>> Agent<G> for Search<G, S, E> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        self.face(game);
        self.engine.run(&mut self.kernel, budget, watch).with_actions(&self.kernel.root)
    }

    fn played(&mut self, action: G::Action) {
        self.advance(action);
    }

    fn allow(&mut self, game: &G, allowed: Option<&[u16]>) -> bool {
        self.face(game);
        self.allow(allowed);
        true
    }

    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        self.face(game);
        self.step()
    }

    fn tree(&self) -> Option<&Tree> {
        self.tree()
    }

    fn order(&self) -> Option<&Order> {
        self.evaluation().order()
    }

    fn memory_min(&self, _game: &G) -> usize {
        self.memory_min()
    }

    fn save(&self, tag: &str, out: &mut dyn Write) -> Option<io::Result<()>> {
        Some(self.save(tag, out))
    }

    fn load(&mut self, game: &G, tag: &str, from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        self.face(game);
        Some(self.load(tag, from))
    }
}

impl<G: Game + PartialEq, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// Resets the search to this position unless the root is already there.
    pub(crate) fn face(&mut self, game: &G) {
        if self.root() != game {
            self.reset(game.clone());
        }
    }
}

/// Plays any legal action with equal probability.
#[derive(Clone, Debug)]
pub struct Random(pub Rng);

impl<G: Game> Agent<G> for Random {
    fn think(&mut self, game: &G, _budget: Budget, _watch: &mut dyn Watch) -> Report<G::Action> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let best = (!actions.is_empty()).then(|| actions[self.0.below(actions.len())]);
        Report::chosen(best, Duration::ZERO)
    }

    fn played(&mut self, _action: G::Action) {}
}
