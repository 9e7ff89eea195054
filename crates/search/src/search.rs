//! The search as users see it: a game, a rule and an evaluation of known types around the [`Engine`].

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

/// Monte Carlo tree search from one position: one loop of four phases. Select a path down the tree, expand the leaf,
/// simulate the rest of the game, back up the result. [`Search::step`] runs the loop once and returns what happened.
///
/// `S` is the rule that selects actions in the tree, `E` the evaluation of leaves. [`Search::new`] gives UCT with
/// uniform playouts. The methods that take and return `self` change its parts before the first run.
pub struct Search<G: Game, S = Ucb1, E = Uniform> {
    pub(crate) engine: Engine,
    pub(crate) kernel: GameKernel<G, S, E>,
}

impl<G: Game> Search<G> {
    /// UCT with uniform playouts, 1 GB of memory and seed 0. It maximises what [suits](Utility::suitable) the game: the
    /// score for one player, the win for more.
    pub fn new(root: G) -> Search<G> {
        Search::of(root, Ucb1::default(), Uniform)
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// A search with this rule and this evaluation. It maximises what [suits](Utility::suitable) the game.
    pub fn of(root: G, select: S, evaluate: E) -> Search<G, S, E> {
        let utility = Utility::suitable(&root);
        Search { engine: Engine::new(), kernel: GameKernel::new(root, select, evaluate) }.utility(utility)
    }

    /// The same search with these settings. Discards the tree.
    pub fn settings(self, settings: Settings) -> Self {
        self.with(|own| *own = settings).without_tree()
    }

    /// The same search with another rule in the tree, such as [`Voi`](aji_bandit::Voi) or [`Puct`](aji_bandit::Puct).
    pub fn select<R: Select>(self, select: R) -> Search<G, R, E> {
        let engine = Engine { tree: None, ..self.engine };
        Search { engine, kernel: self.kernel.with_select(select) }
    }

    /// The same search with another evaluation of leaves.
    pub fn evaluate<F: Evaluate<G>>(self, evaluate: F) -> Search<G, S, F> {
        let engine = Engine { tree: None, ..self.engine };
        Search { engine, kernel: self.kernel.with_evaluate(evaluate) }
    }

    /// The same search with a changed setting, within its limits. Keeps the tree.
    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.engine.settings);
        self.engine.settings = self.engine.settings.within_limits();
        self
    }

    fn without_tree(mut self) -> Self {
        self.engine.tree = None;
        self
    }

    /// How the search picks the action to play at the end.
    pub fn recommend(self, recommend: Recommend) -> Self {
        self.with(|settings| settings.recommend = recommend)
    }

    /// What the search maximises.
    pub fn utility(self, utility: Utility) -> Self {
        self.with(|settings| settings.utility = utility)
    }

    /// The cap on memory in bytes, for the tree and everything else the search needs. Discards the tree.
    pub fn memory(self, bytes: usize) -> Self {
        self.with(|settings| settings.memory = bytes).without_tree()
    }

    /// The maximum depth of the tree: 1 is pure Monte Carlo search, without a tree below the root's actions.
    pub fn depth(self, depth: usize) -> Self {
        self.with(|settings| settings.depth = depth)
    }

    /// Proves what can be proven (`docs/traps.md`). Finished games tighten bounds, which are backed up beside the
    /// means. Proven choices are not searched again, and the search stops when the root is proven. It works for one
    /// player, or for two whose payoffs have a constant sum; for others it changes nothing. Discards the tree.
    pub fn solver(self, solver: bool) -> Self {
        self.with(|settings| settings.solver = solver).without_tree()
    }

    /// The number of simulations that descend the tree together, at most [`WAVE_MAX`](crate::WAVE_MAX); 1 means one
    /// after another. A wave is faster and a little less informed (`docs/parallel.md`). Discards the tree.
    pub fn wave(self, width: usize) -> Self {
        self.with(|settings| settings.wave = width).without_tree()
    }

    /// What happens when the tree is full. By default the search continues without new nodes. With this, it frees the
    /// least visited half and grows others.
    pub fn recycle(self, recycle: bool) -> Self {
        self.with(|settings| settings.recycle = recycle)
    }

    /// Noise on the root's priors, drawn again for each run. Only for an evaluation [with a
    /// policy](Evaluate::has_policy).
    pub fn noise(self, noise: Dirichlet) -> Self {
        self.with(|settings| settings.noise = Some(noise))
    }

    /// How many principal lines a report has, at least 1: one for each of the best actions.
    pub fn lines(self, lines: usize) -> Self {
        self.with(|settings| settings.lines = lines)
    }

    /// Whether [`RootParallel`](crate::RootParallel) lets its threads share what they learn. Discards the tree.
    pub fn share(self, share: bool) -> Self {
        self.with(|settings| settings.share = share).without_tree()
    }

    /// The seed of all randomness in the search.
    pub fn seed(self, seed: u64) -> Self {
        self.rng(Rng::seeded(seed))
    }

    /// The source of all randomness in the search.
    pub fn rng(mut self, rng: Rng) -> Self {
        self.engine.rng = rng;
        self
    }

    /// Splits this search, which has not begun, into copies. Each has its share of the memory and a seed of its own.
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

    /// The tree, once a run has made it.
    pub fn tree(&self) -> Option<&Tree> {
        self.engine.tree.as_ref()
    }

    /// The action of an edge of the tree.
    pub fn action(&self, edge: Edge) -> Option<G::Action> {
        let tree = self.tree()?;
        (edge.id() < tree.len()).then(|| GameKernel::<G, S, E>::action(tree, edge))
    }

    /// The evaluation of leaves.
    pub fn evaluation(&self) -> &E {
        &self.kernel.evaluate
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.engine.stop.clone()
    }

    /// The smallest memory cap that can search this position.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let edge_bytes = Tree::edge_bytes::<G::Action>(self.engine.extras(&self.kernel));
        self.engine.overhead(&self.kernel) + actions.len() * edge_bytes
    }

    /// Searches until the budget is spent, adding to the existing tree.
    pub fn run(&mut self, budget: Budget) -> Report<G::Action> {
        self.run_watched(budget, |_, _| {})
    }

    /// The same, calling `watch` about a thousand times a second with the simulations and the time so far.
    pub fn run_watched(&mut self, budget: Budget, mut watch: impl FnMut(u64, Duration)) -> Report<G::Action> {
        self.engine.run(&mut self.kernel, budget, &mut watch).with_actions(&self.kernel.root)
    }

    /// Runs exactly one simulation and returns what happened. None when there is nothing to search, when the root's
    /// count is at its maximum, or when the rule expects nothing from going on.
    pub fn step(&mut self) -> Option<Simulation<G::Action>> {
        Some(self.engine.step(&mut self.kernel)?.with_actions(&self.kernel.root))
    }

    /// Searches only the root's actions at these places in [`Game::actions`], or all. Nothing changes below the root.
    /// This holds until the root moves ([`advance`](Search::advance), [`reset`](Search::reset)), a saved search is
    /// loaded or other actions are allowed. A change empties the tree.
    ///
    /// Places past the end of the list are ignored. If none is left, there is nothing to search. A solver's proof about
    /// the root then assumes that the player has only these actions.
    pub fn allow(&mut self, allowed: Option<&[u16]>) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let places = allowed.map(|places| {
            let places: BTreeSet<u16> = places.iter().copied().collect();
            places.into_iter().filter(|&place| usize::from(place) < actions.len()).collect::<Vec<u16>>()
        });
        self.engine.allow(places.filter(|places| places.len() < actions.len()));
    }

    /// The same, by a test of each action.
    pub fn allow_where(&mut self, is_allowed: impl Fn(G::Action) -> bool) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let places: Vec<u16> =
            (0..).zip(actions).filter(|&(_, action)| is_allowed(action)).map(|(place, _)| place).collect();
        self.allow(Some(&places));
    }

    /// Plays an action at the root. Keeps the tree below it and frees the rest.
    pub fn advance(&mut self, action: G::Action) {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let index = actions.iter().position(|&other| other == action);
        self.engine.advance(index.unwrap_or(usize::MAX));
        self.kernel.root.play(action);
    }

    /// Starts again at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.kernel.root = root;
        self.engine.clear();
    }

    /// Replaces the source of all randomness from here on.
    pub fn set_rng(&mut self, rng: Rng) {
        self.engine.rng = rng;
    }

    /// Writes the search so far. `tag` names it in the caller's words. Loading requires the same tag, since the file
    /// contains neither the position nor the rule.
    ///
    /// A search that loads the file continues exactly as this one would, with three exceptions. A rule or an evaluation
    /// with a memory of its own loses that memory. A rule may read how many pulls remain
    /// ([`View::left`](crate::bandit::View::left)). A search in waves may have stopped in the middle of one.
    ///
    /// A search of [some actions](Search::allow) cannot be saved: that is an error of kind `Unsupported`.
    pub fn save(&self, tag: &str, mut out: impl Write) -> io::Result<()> {
        self.engine.save(&self.kernel, tag, &mut out)
    }

    /// Replaces this search's tree with a search saved under the same tag, exact to the last bit. This search must
    /// stand at the same position. It must have the same settings except the seed and the memory, which must suffice.
    ///
    /// On an error this search keeps its random numbers. It also keeps its tree unless part of the new one was
    /// already read; then the tree is empty. Beyond the cap, loading needs memory for one position per level of the
    /// tree.
    pub fn load(&mut self, tag: &str, mut from: impl Read) -> Result<(), LoadError> {
        self.engine.load(&mut self.kernel, tag, &mut from)
    }
}

impl<G: Keyed, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// Keeps AMAF statistics (all moves as first) for every edge, for a rule that [wants](Select::WANTS_AMAF) them;
    /// for others this changes nothing. A node with fewer than `visits_min` visits uses those of the nearest node
    /// above with enough: 0 is RAVE, more is GRAVE. The evaluation should record its playouts, as
    /// [`Recorded`](crate::playout::Recorded) does. Simulations then run one by one, without waves. Discards the
    /// tree.
    pub fn amaf(mut self, visits_min: u32) -> Self {
        self.engine.amaf = Some(Amaf::new(visits_min));
        self.kernel.keys = Some((G::key_count, |game, action| game.key(action) as u32));
        self.without_tree()
    }
}

#[cfg(test)]
mod allowed;
