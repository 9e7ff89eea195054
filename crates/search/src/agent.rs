//! Whoever chooses actions: a search, or something simpler.

use crate::learn::Order;
use crate::{Budget, Evaluate, Game, LoadError, Report, Rng, Search, Select, Simulation, Tree, Watch};
use std::io::{self, Read, Write};
use std::time::Duration;

/// Chooses actions in a game.
pub trait Agent<G: Game> {
    /// Thinks about a position within a budget. `watch` looks on, and may stop it.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action>;

    /// Hears of an action played, its own or another's, so that it can keep what it knows of what follows.
    fn played(&mut self, action: G::Action);

    /// Leaves actions out of what it thinks about from now on: all but those of these places in [`Game::actions`], or none. This
    /// holds until the game goes on or the agent is told otherwise. False from an agent that cannot leave any out.
    fn allow(&mut self, _game: &G, allowed: Option<&[u16]>) -> bool {
        allowed.is_none()
    }

    /// Runs one simulation and tells what happened; none from an agent that has no simulations to tell of.
    fn step(&mut self, _game: &G) -> Option<Simulation<G::Action>> {
        None
    }

    /// The tree it has grown; none from an agent that grows none.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// The order of actions that it has learned, by their keys; none from an agent that learns none.
    fn order(&self) -> Option<&Order> {
        None
    }

    /// What went wrong where the last [`think`](Agent::think) found nothing, from an agent that depends on more than itself.
    fn failure(&self) -> Option<String> {
        None
    }

    /// The least memory in bytes that it needs for this position; 0 from an agent with no such limit.
    fn memory_min(&self, _game: &G) -> usize {
        0
    }

    /// How often a program behind it had to be started anew.
    fn restarts(&self) -> u64 {
        0
    }

    /// Writes what it knows, under a tag that says what that is of ([`Search::save`]); none from an agent that has nothing
    /// to save.
    fn save(&self, _tag: &str, _out: &mut dyn Write) -> Option<io::Result<()>> {
        None
    }

    /// Takes over what was saved under the same tag of the same position ([`Search::load`]).
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

    fn save(&self, tag: &str, out: &mut dyn Write) -> Option<io::Result<()>> {
        Some(self.save(tag, out))
    }

    fn load(&mut self, game: &G, tag: &str, from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        self.face(game);
        Some(self.load(tag, from))
    }
}

impl<G: Game + PartialEq, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// Turns to this position: begins anew unless the root is there already.
    pub(crate) fn face(&mut self, game: &G) {
        if self.root() != game {
            self.reset(game.clone());
        }
    }
}

/// Any legal action, each with the same chance.
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
