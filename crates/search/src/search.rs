//! The search as users see it: a game, a rule and an evaluation of known types, around the [`Engine`].

use crate::engine::{Amaf, Engine, Settings, Simulation};
use crate::kernel::GameKernel;
use crate::playout::Uniform;
use crate::{
    Budget, Edge, Evaluate, Game, Keyed, LoadError, Recommend, Report, Rng, Select, StopHandle, Tree, Utility,
};
use aji_bandit::{Dirichlet, Ucb1};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::time::Duration;

/// Monte Carlo tree search from one position: one loop of four phases. Select a way down the tree, expand the leaf, simulate the
/// rest of the game, back up what it paid. [`Search::step`] runs the loop once and tells what happened.
///
/// `S` is the rule that selects actions in the tree, `E` the evaluation of leaves. [`Search::new`] gives UCT with
/// uniform playouts; the methods that take and return `self` change its parts before the first run.
pub struct Search<G: Game, S = Ucb1, E = Uniform> {
    pub(crate) engine: Engine,
    pub(crate) kernel: GameKernel<G, S, E>,
}

impl<G: Game> Search<G> {
    /// UCT with uniform playouts, 1 GB of memory and seed 0. It searches for what [suits](Utility::suitable) the game: points
    /// for one player, the win for more.
    pub fn new(root: G) -> Search<G> {
        Search::of(root, Ucb1::default(), Uniform)
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// A search of these parts, for what [suits](Utility::suitable) the game.
    pub fn of(root: G, select: S, evaluate: E) -> Search<G, S, E> {
        let utility = Utility::suitable(&root);
        Search { engine: Engine::new(), kernel: GameKernel::new(root, select, evaluate) }.utility(utility)
    }

    /// The same search with all these settings. Starts the tree anew.
    pub fn settings(self, settings: Settings) -> Self {
        self.with(|own| *own = settings).without_tree()
    }

    /// The same search with another rule in the tree.
    pub fn select<R: Select>(self, select: R) -> Search<G, R, E> {
        let engine = Engine { tree: None, ..self.engine };
        Search { engine, kernel: self.kernel.with_select(select) }
    }

    /// The same search with another evaluation of leaves.
    pub fn evaluate<F: Evaluate<G>>(self, evaluate: F) -> Search<G, S, F> {
        let engine = Engine { tree: None, ..self.engine };
        Search { engine, kernel: self.kernel.with_evaluate(evaluate) }
    }

    /// The same search with these settings; without a tree if it has to start anew.
    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.engine.settings);
        self.engine.settings = self.engine.settings.within_limits();
        self
    }

    fn without_tree(mut self) -> Self {
        self.engine.tree = None;
        self
    }

    /// How the action to play is chosen in the end.
    pub fn recommend(self, recommend: Recommend) -> Self {
        self.with(|settings| settings.recommend = recommend)
    }

    /// What is maximised.
    pub fn utility(self, utility: Utility) -> Self {
        self.with(|settings| settings.utility = utility)
    }

    /// The cap on memory in bytes, for the tree and all the search needs beside it. Starts the tree anew.
    pub fn memory(self, bytes: usize) -> Self {
        self.with(|settings| settings.memory = bytes).without_tree()
    }

    /// The deepest the tree may grow: 1 is pure Monte Carlo search, without a tree below the root's actions.
    pub fn depth(self, depth: usize) -> Self {
        self.with(|settings| settings.depth = depth)
    }

    /// Proves what can be proven (`docs/traps.md`): finished games close bounds that are backed up beside the means, proven
    /// choices are not searched again, and the search stops when the root is proven. For one player, or two whose
    /// payoffs have a constant sum; for others it changes nothing. Starts the tree anew.
    pub fn solver(self, solver: bool) -> Self {
        self.with(|settings| settings.solver = solver).without_tree()
    }

    /// Simulations that go down the tree together, at most [`WAVE_MAX`](crate::WAVE_MAX); 1 is one after the other. A wave is faster, and a
    /// little less informed (`docs/parallel.md`). Starts the tree anew.
    pub fn wave(self, width: usize) -> Self {
        self.with(|settings| settings.wave = width).without_tree()
    }

    /// What happens when the tree is full. The search goes on without new nodes, or, with this, frees the least visited half
    /// of them and grows others.
    pub fn recycle(self, recycle: bool) -> Self {
        self.with(|settings| settings.recycle = recycle)
    }

    /// Noise on the root's priors, drawn anew for each run. Only for an evaluation [with a policy](Evaluate::has_policy).
    pub fn noise(self, noise: Dirichlet) -> Self {
        self.with(|settings| settings.noise = Some(noise))
    }

    /// How many principal lines a report has, at least 1: those of the best actions.
    pub fn lines(self, lines: usize) -> Self {
        self.with(|settings| settings.lines = lines)
    }

    /// The seed of all that is random in the search.
    pub fn seed(self, seed: u64) -> Self {
        self.rng(Rng::seeded(seed))
    }

    /// The source of all that is random in the search.
    pub fn rng(mut self, rng: Rng) -> Self {
        self.engine.rng = rng;
        self
    }

    /// Searches like this one, which has not begun: each with its share of the memory and a seed of its own.
    pub(crate) fn split(mut self, count: usize) -> Vec<Search<G, S, E>>
    where
        S: Clone,
        E: Clone,
    {
        let part = |_| {
            let rng = if count == 1 { self.engine.rng.clone() } else { self.engine.rng.fork() };
            let (settings, amaf) = (self.engine.settings, self.engine.amaf.as_ref().map(Amaf::copy));
            let settings = Settings { memory: settings.memory / count, ..settings };
            Search { engine: Engine { settings, amaf, rng, ..Engine::new() }, kernel: self.kernel.copy() }
        };
        (0..count).map(part).collect()
    }

    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.kernel.root
    }

    /// The tree, once a run has begun it.
    pub fn tree(&self) -> Option<&Tree> {
        self.engine.tree.as_ref()
    }

    /// The action of an edge of the tree.
    pub fn action(&self, edge: Edge) -> Option<G::Action> {
        let tree = self.tree()?;
        (edge.id() < tree.len()).then(|| GameKernel::<G, S, E>::action(tree, edge))
    }

    /// What values leaves.
    pub fn evaluation(&self) -> &E {
        &self.kernel.evaluate
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.engine.stop.clone()
    }

    /// The smallest cap under which this position can be searched.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let edge_bytes = Tree::edge_bytes::<G::Action>(self.engine.extras(&self.kernel));
        self.engine.overhead(&self.kernel) + actions.len() * edge_bytes
    }

    /// Searches until the budget is spent, on top of what the tree already holds.
    pub fn run(&mut self, budget: Budget) -> Report<G::Action> {
        self.run_watched(budget, |_, _| {})
    }

    /// The same, calling `watch` with the simulations and the time spent so far, about a thousand times a second.
    pub fn run_watched(&mut self, budget: Budget, mut watch: impl FnMut(u64, Duration)) -> Report<G::Action> {
        self.engine.run(&mut self.kernel, budget, &mut watch).with_actions(&self.kernel.root)
    }

    /// Runs exactly one simulation and tells what happened. None when there is nothing to search, when the root
    /// counts as many simulations as it can, and when the rule sees no use in going on.
    pub fn step(&mut self) -> Option<Simulation<G::Action>> {
        Some(self.engine.step(&mut self.kernel)?.with_actions(&self.kernel.root))
    }

    /// Searches only some of the root's actions: those of these places in [`Game::actions`], or all. Below the root nothing
    /// changes. This holds until the root moves ([`advance`](Search::advance), [`reset`](Search::reset)), a saved search is loaded
    /// or other actions are allowed. Where it is new, the tree begins anew.
    ///
    /// Places past the end of the list are ignored. Where none is left, there is nothing to search. What a solver proves of the
    /// root then holds if the player has only these actions.
    pub fn allow(&mut self, allowed: Option<&[u16]>) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let places = allowed.map(|places| {
            let places: BTreeSet<u16> = places.iter().copied().collect();
            places.into_iter().filter(|&place| usize::from(place) < actions.len()).collect::<Vec<u16>>()
        });
        self.engine.allow(places.filter(|places| places.len() < actions.len()));
    }

    /// The same for actions of which this is true.
    pub fn allow_where(&mut self, is_allowed: impl Fn(G::Action) -> bool) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let places: Vec<u16> =
            (0..).zip(actions).filter(|&(_, action)| is_allowed(action)).map(|(place, _)| place).collect();
        self.allow(Some(&places));
    }

    /// Plays an action at the root. The tree below it is kept, the rest is freed.
    pub fn advance(&mut self, action: G::Action) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let index = actions.iter().position(|&other| other == action);
        self.engine.advance(index.unwrap_or(usize::MAX));
        self.kernel.root.play(action);
    }

    /// Begins anew at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.kernel.root = root;
        self.engine.clear();
    }

    /// Writes the search so far. `tag` says what it is of, in the caller's words: loading asks for the same, since
    /// neither the position nor the rule is in the file.
    ///
    /// A search that loads it goes on exactly as this one would. There are three exceptions: a rule or an evaluation with a
    /// memory of its own, which is not saved; a rule that reads how many pulls are still to come
    /// ([`View::left`](crate::bandit::View::left)); and a search in waves that was stopped in the middle of one.
    ///
    /// A search of [some actions](Search::allow) cannot be saved: that is an error of kind `Unsupported`.
    pub fn save(&self, tag: &str, mut out: impl Write) -> io::Result<()> {
        self.engine.save(&self.kernel, tag, &mut out)
    }

    /// Takes over a search that was saved under the same tag, to its last byte, in place of this one's tree. This one
    /// must stand at the same position and have the same settings but for the seed and the memory, which must suffice.
    ///
    /// On an error this search keeps its random numbers, and its tree too unless some of the new one had been read; then
    /// the tree is empty. Beside the cap, loading takes room for a position for each level of the tree.
    pub fn load(&mut self, tag: &str, mut from: impl Read) -> Result<(), LoadError> {
        self.engine.load(&mut self.kernel, tag, &mut from)
    }
}

impl<G: Keyed, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// Keeps what all moves as first say of every edge, for a rule that [wants](Select::WANTS_AMAF) it; for others this changes
    /// nothing. A node of fewer than `visits_min` visits is shown what the nearest one above that has them knows: 0 is RAVE,
    /// more is GRAVE. The evaluation should tell what it plays, as [`Recorded`](crate::playout::Recorded) does. Simulations
    /// then go one by one, in waves of 1. Starts the tree anew.
    pub fn amaf(mut self, visits_min: u32) -> Self {
        self.engine.amaf = Some(Amaf::new(visits_min));
        self.kernel.keys = Some((G::key_count, |game, action| game.key(action) as u32));
        self.without_tree()
    }
}

#[cfg(test)]
mod allowed;
