//! Agents of a game of known type as agents of [`AnyGame`].

use crate::any_game::{AnyGame, Playable};
use crate::learn::Order;
use crate::{
    Agent, Budget, Evaluate, Game, GraphSearch, LoadError, Report, Search, Select, Simulation, Tree, Watch,
};
use std::io::{self, Read, Write};

/// An agent whose game's type is hidden.
pub type AnyAgent = Box<dyn Agent<AnyGame> + Send>;

/// Hides the game's type of a search.
pub fn hide_search<G, S, E>(search: Search<G, S, E>) -> AnyAgent
where
    G: Playable,
    S: Select + Send + 'static,
    E: Evaluate<G> + Send + 'static,
{
    Box::new(HiddenSearch(search))
}

/// Hides the game's type of a search of a graph.
pub fn hide_graph_search<G, S, E>(search: GraphSearch<G, S, E>) -> AnyAgent
where
    G: Playable,
    S: Select + Send + 'static,
    E: Evaluate<G> + Send + 'static,
{
    Box::new(HiddenGraphSearch(search))
}

/// Hides the game's type of any agent.
pub fn hide_agent<G: Playable>(agent: Box<dyn Agent<G> + Send>) -> AnyAgent {
    Box::new(HiddenAgent { agent, position: None })
}

/// The game of known type.
///
/// # Panics
///
/// If it is of another type: a session makes its agents for its own game.
fn own<G: Playable>(game: &AnyGame) -> &G {
    game.as_game().expect("agents are asked about games of their own type")
}

struct HiddenSearch<G: Game, S, E>(Search<G, S, E>);

impl<G, S, E> Agent<AnyGame> for HiddenSearch<G, S, E>
where
    G: Playable,
    S: Select,
    E: Evaluate<G>,
{
    fn think(&mut self, game: &AnyGame, budget: Budget, watch: &mut dyn Watch) -> Report<u16> {
        self.0.face(own(game));
        self.0.engine.run(&mut self.0.kernel, budget, watch)
    }

    fn played(&mut self, action: u16) {
        self.0.engine.advance(action.into());
        play(&mut self.0.kernel.root, action);
    }

    fn allow(&mut self, game: &AnyGame, allowed: Option<&[u16]>) -> bool {
        self.0.face(own(game));
        self.0.allow(allowed);
        true
    }

    fn step(&mut self, game: &AnyGame) -> Option<Simulation<u16>> {
        self.0.face(own(game));
        self.0.engine.step(&mut self.0.kernel)
    }

    fn tree(&self) -> Option<&Tree> {
        self.0.tree()
    }

    fn order(&self) -> Option<&Order> {
        self.0.evaluation().order()
    }

    fn memory_min(&self, _game: &AnyGame) -> usize {
        self.0.memory_min()
    }

    fn save(&self, tag: &str, out: &mut dyn Write) -> Option<io::Result<()>> {
        Some(self.0.engine.save(&self.0.kernel, tag, out))
    }

    fn load(&mut self, game: &AnyGame, tag: &str, from: &mut dyn Read) -> Option<Result<(), LoadError>> {
        self.0.face(own(game));
        Some(self.0.engine.load(&mut self.0.kernel, tag, from))
    }
}

struct HiddenGraphSearch<G: Playable, S, E>(GraphSearch<G, S, E>);

impl<G, S, E> Agent<AnyGame> for HiddenGraphSearch<G, S, E>
where
    G: Playable,
    S: Select,
    E: Evaluate<G>,
{
    fn think(&mut self, game: &AnyGame, budget: Budget, watch: &mut dyn Watch) -> Report<u16> {
        self.0.face(own(game));
        self.0.engine.run(&mut self.0.kernel, budget, watch)
    }

    fn played(&mut self, action: u16) {
        play(&mut self.0.kernel.root, action);
        self.0.follow_root();
    }

    fn memory_min(&self, _game: &AnyGame) -> usize {
        self.0.memory_min()
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
