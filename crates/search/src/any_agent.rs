//! Agents of a game of known type as agents of [`AnyGame`].

use crate::any_game::{AnyGame, Playable, step};
use crate::learn::Order;
use crate::{
    Agent, Budget, Evaluate, Game, Graph, GraphSearch, Hashed, LoadError, Report, Rng, Search, Select,
    Simulation, Tree, Watch,
};
use std::io::{self, Read, Write};

/// An agent whose game's type is hidden.
pub type AnyAgent = Box<dyn Agent<AnyGame> + Send>;

/// Hides the type of a search's game.
pub fn hide_search<G, S, E>(search: Search<G, S, E>) -> AnyAgent
where
    G: Playable,
    S: Select + Send + 'static,
    E: Evaluate<G> + Send + 'static,
{
    Box::new(HiddenSearch { search, path: None })
}

/// Hides the type of a graph search's game.
pub fn hide_graph_search<G, S, E>(search: GraphSearch<G, S, E>) -> AnyAgent
where
    G: Playable + Hashed,
    S: Select + Send + 'static,
    E: Evaluate<G> + Send + 'static,
{
    Box::new(HiddenGraphSearch { search, path: None })
}

/// Hides the type of an agent's game.
pub fn hide_agent<G: Playable>(agent: Box<dyn Agent<G> + Send>) -> AnyAgent {
    Box::new(HiddenAgent { agent, position: None })
}

/// The game as its own type.
///
/// # Panics
///
/// If the game is of another type. That cannot happen: a session makes its agents for its own game.
fn own<G: Playable>(game: &AnyGame) -> &G {
    game.as_game().expect("agents are asked about games of their own type")
}

struct HiddenSearch<G: Game, S, E> {
    search: Search<G, S, E>,
    /// The hash of the moves that the search has followed; none before its first use.
    path: Option<u64>,
}

impl<G: Playable, S: Select, E: Evaluate<G>> HiddenSearch<G, S, E> {
    /// Moves to this position: starts over unless the root is already there.
    fn face(&mut self, game: &AnyGame) {
        let path = self.path.replace(game.path()).unwrap_or(game.path());
        if !game.is_at(self.search.root(), path) {
            self.search.reset(own::<G>(game).clone());
        }
    }
}

impl<G, S, E> Agent<AnyGame> for HiddenSearch<G, S, E>
where
    G: Playable,
    S: Select,
    E: Evaluate<G>,
{
    fn think(&mut self, game: &AnyGame, budget: Budget, watch: &mut dyn Watch) -> Report<u16> {
        self.face(game);
        self.search.engine.run(&mut self.search.kernel, budget, watch)
    }

    fn played(&mut self, action: u16) {
        self.path = self.path.map(|path| step(path, action));
        self.search.engine.advance(action.into());
        play(&mut self.search.kernel.root, action);
    }

    /// Keeps the memory of the tree, which takes longer to get than a short search.
    fn renew(&mut self, seed: u64) -> bool {
        self.search.set_rng(Rng::seeded(seed));
        self.search.reset(self.search.root().clone());
        self.path = None;
        true
    }

    fn allow(&mut self, game: &AnyGame, allowed: Option<&[u16]>) -> bool {
        self.face(game);
        self.search.allow(allowed);
        true
    }

    fn step(&mut self, game: &AnyGame) -> Option<Simulation<u16>> {
        self.face(game);
        self.search.engine.step(&mut self.search.kernel)
    }

    fn tree(&self) -> Option<&Tree> {
        self.search.tree()
    }

    fn order(&self) -> Option<&Order> {
        self.search.evaluation().order()
    }

    fn memory_min(&self, _game: &AnyGame) -> usize {
        self.search.memory_min()
    }

    fn save(&self, tag: &str, out: &mut dyn Write) -> Option<io::Result<()>> {
        Some(self.search.engine.save(&self.search.kernel, tag, out))
    }

    fn load(&mut self, game: &AnyGame, tag: &str, from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        self.face(game);
        Some(self.search.engine.load(&mut self.search.kernel, tag, from))
    }
}

struct HiddenGraphSearch<G: Hashed, S, E> {
    search: GraphSearch<G, S, E>,
    /// The hash of the moves that the search has followed; none before its first use.
    path: Option<u64>,
}

impl<G, S, E> Agent<AnyGame> for HiddenGraphSearch<G, S, E>
where
    G: Playable + Hashed,
    S: Select,
    E: Evaluate<G>,
{
    fn think(&mut self, game: &AnyGame, budget: Budget, watch: &mut dyn Watch) -> Report<u16> {
        let path = self.path.replace(game.path()).unwrap_or(game.path());
        if !game.is_at(self.search.root(), path) {
            self.search.reset(own::<G>(game).clone());
        }
        self.search.engine.run(&mut self.search.kernel, budget, watch)
    }

    fn played(&mut self, action: u16) {
        self.path = self.path.map(|path| step(path, action));
        play(&mut self.search.kernel.root, action);
        self.search.follow_root();
    }

    fn graph(&self) -> Option<&Graph> {
        self.search.graph()
    }

    fn memory_min(&self, _game: &AnyGame) -> usize {
        self.search.memory_min()
    }
}

/// An agent that needs the actions themselves. It tracks its position from the last time it thought.
struct HiddenAgent<G: Game> {
    agent: Box<dyn Agent<G> + Send>,
    position: Option<G>,
}

impl<G: Playable> Agent<AnyGame> for HiddenAgent<G> {
    fn think(&mut self, game: &AnyGame, budget: Budget, watch: &mut dyn Watch) -> Report<u16> {
        let game = own::<G>(game);
        self.position = Some(game.clone());
        self.agent.think(game, budget, watch).by_index(game)
    }

    fn played(&mut self, action: u16) {
        let Some(position) = &mut self.position else { return };
        self.agent.played(play(position, action));
    }

    fn allow(&mut self, game: &AnyGame, allowed: Option<&[u16]>) -> bool {
        self.agent.allow(own(game), allowed)
    }

    fn order(&self) -> Option<&Order> {
        self.agent.order()
    }

    fn failure(&self) -> Option<String> {
        self.agent.failure()
    }

    fn restarts(&self) -> u64 {
        self.agent.restarts()
    }
}

/// Plays the action at this place in the list, and returns it.
fn play<G: Game>(position: &mut G, index: u16) -> G::Action {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let action = actions[usize::from(index)];
    position.play(action);
    action
}
