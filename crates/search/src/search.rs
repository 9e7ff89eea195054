//! The search: one loop of four phases. Select a way down the tree, expand the leaf, simulate the rest of the game,
//! back up what it paid. [`Search::step`] runs it once and tells what happened.

mod amaf;
mod findings;
mod saved;
mod step;
mod transpositions;
mod tree_parallel;
mod wave;

use amaf::Amaf;
pub use step::{Choice, Expansion, Simulation};
pub use transpositions::GraphSearch;
pub use tree_parallel::TreeParallel;
pub use wave::WAVE_MAX;
use wave::Wave;

use crate::bounds::{Bounds, Chooser};
use crate::budget::Meter;
use crate::game::draw;
use crate::learn::Trace;
use crate::playout::Uniform;
use crate::tree::Node;
use crate::{
    Budget, DEPTH_MAX, Edge, Evaluate, Extras, Game, Leaf, PLAYERS_MAX, Player, Recommend, Report, Rng,
    Select, StopHandle, Stopped, Tree, Turn, Utility,
};
use aji_bandit::{Arm, PULLS_MAX, Ucb1, View};
use std::time::Duration;

/// What a search takes beside its tree, within the same cap: the path, and room to work in.
pub const OVERHEAD_BYTES: usize = 64 << 10;

/// The same for a search in waves of so many: each descent has a path of its own.
pub fn overhead_bytes(wave: usize) -> usize {
    if wave > 1 { OVERHEAD_BYTES * (1 + wave) } else { OVERHEAD_BYTES }
}

/// The cap on memory where none is given: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// A search of so many simulations is worth large pages: to clear the first of them takes as long as a thousand.
const LARGE_PAGES_FROM: u64 = 10_000;

/// One choice on the way down: the edge taken, and who took it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub(crate) edge: Edge,
    /// Whose reward the edge counts: the player who chose it, or the first player where chance did.
    pub(crate) player: Player,
    pub(crate) by_chance: bool,
}

/// Monte Carlo tree search from one position.
///
/// `S` is the rule that selects actions in the tree, `E` the evaluation of leaves. [`Search::new`] gives UCT with
/// uniform playouts; the methods that take and return `self` change its parts before the first run.
pub struct Search<G: Game, S = Ucb1, E = Uniform> {
    select: S,
    evaluate: E,
    state: State<G>,
}

/// All of a search but the rule and the evaluation, which have types of their own.
struct State<G: Game> {
    root: G,
    tree: Option<Tree<G::Action>>,
    recommend: Recommend,
    utility: Utility,
    memory: usize,
    depth: usize,
    solver: bool,
    wave: usize,
    recycle: bool,
    /// For rules that read what all moves as first say.
    amaf: Option<Amaf<G>>,
    rng: Rng,
    stop: StopHandle,
    path: Vec<Step>,
    leaf: Leaf<G>,
    /// The sum of the squared rewards of each root edge, for the standard errors.
    root_squares: Vec<f64>,
    /// What is proven of the root.
    root_bounds: Bounds,
}

impl<G: Game> State<G> {
    /// The sum of the players' rewards, where there is one player (and it does not matter) or two whose sum is constant.
    fn reward_sum(&self) -> Option<f32> {
        match (self.root.players(), self.utility, self.root.payoff_sum()) {
            (1, ..) => Some(0.0),
            (2, Utility::Win, Some(0.0)) => Some(1.0),
            (2, Utility::Score { low, high }, Some(sum)) if high > low => {
                Some((sum - 2.0 * low) / (high - low))
            }
            _ => None,
        }
    }
}

impl<G: Game> Search<G> {
    /// UCT with uniform playouts, 1 GB of memory and seed 0.
    pub fn new(root: G) -> Search<G> {
        let state = State {
            leaf: Leaf::new(root.clone()),
            root,
            tree: None,
            recommend: Recommend::default(),
            utility: Utility::default(),
            memory: MEMORY_DEFAULT,
            depth: DEPTH_MAX,
            solver: false,
            wave: 1,
            recycle: false,
            amaf: None,
            rng: Rng::seeded(0),
            stop: StopHandle::default(),
            path: Vec::new(),
            root_squares: Vec::new(),
            root_bounds: Bounds::OPEN,
        };
        Search { select: Ucb1::default(), evaluate: Uniform, state }
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// The same search with another rule in the tree.
    pub fn select<R: Select>(self, select: R) -> Search<G, R, E> {
        Search { select, evaluate: self.evaluate, state: State { tree: None, ..self.state } }
    }

    /// The same search with another evaluation of leaves.
    pub fn evaluate<F: Evaluate<G>>(self, evaluate: F) -> Search<G, S, F> {
        Search { select: self.select, evaluate, state: State { tree: None, ..self.state } }
    }

    /// How the action to play is chosen in the end.
    pub fn recommend(self, recommend: Recommend) -> Self {
        Search { state: State { recommend, ..self.state }, ..self }
    }

    /// What is maximised.
    pub fn utility(self, utility: Utility) -> Self {
        Search { state: State { utility, ..self.state }, ..self }
    }

    /// The cap on memory in bytes, for the tree and all the search needs beside it. Starts the tree anew.
    pub fn memory(self, bytes: usize) -> Self {
        Search { state: State { memory: bytes, tree: None, ..self.state }, ..self }
    }

    /// The deepest the tree may grow: 1 is pure Monte Carlo search, without a tree below the root's actions.
    pub fn depth(self, depth: usize) -> Self {
        Search { state: State { depth: depth.clamp(1, DEPTH_MAX), ..self.state }, ..self }
    }

    /// Proves what can be proven (`docs/traps.md`): finished games close bounds that are backed up beside the means, proven
    /// choices are not searched again, and the search stops when the root is proven. For one player, or two whose
    /// payoffs have a constant sum; for others it changes nothing. Starts the tree anew.
    pub fn solver(self, solver: bool) -> Self {
        Search { state: State { solver, tree: None, ..self.state }, ..self }
    }

    /// Simulations that go down the tree together, at most [`WAVE_MAX`]; 1 is one after the other. A wave is faster, and a
    /// little less informed (`docs/parallel.md`). Starts the tree anew.
    pub fn wave(self, width: usize) -> Self {
        Search { state: State { wave: width.clamp(1, WAVE_MAX), tree: None, ..self.state }, ..self }
    }

    /// What happens when the tree is full. The search goes on without new nodes, or, with this, frees the least visited half
    /// of them and grows others.
    pub fn recycle(self, recycle: bool) -> Self {
        Search { state: State { recycle, ..self.state }, ..self }
    }

    /// The sum of the players' rewards, if there is a solver and it can work with them.
    fn solving(&self) -> Option<f32> {
        self.state.reward_sum().filter(|_| self.state.solver)
    }

    /// The seed of all that is random in the search.
    pub fn seed(self, seed: u64) -> Self {
        Search { state: State { rng: Rng::seeded(seed), ..self.state }, ..self }
    }

    /// So many searches like this one, which has not begun: each with its share of the memory and a seed of its own.
    pub(crate) fn split(mut self, count: usize) -> Vec<Search<G, S, E>>
    where
        S: Clone,
        E: Clone,
    {
        let part = |_| {
            let state = State {
                root: self.state.root.clone(),
                tree: None,
                memory: self.state.memory / count,
                amaf: self.state.amaf.clone(),
                rng: if count == 1 { self.state.rng.clone() } else { self.state.rng.fork() },
                stop: StopHandle::default(),
                path: Vec::new(),
                leaf: self.state.leaf.clone(),
                root_squares: Vec::new(),
                ..self.state
            };
            Search { select: self.select.clone(), evaluate: self.evaluate.clone(), state }
        };
        (0..count).map(part).collect()
    }

    /// How the action to play is chosen in the end.
    pub(crate) fn recommendation(&self) -> Recommend {
        self.state.recommend
    }

    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.state.root
    }

    /// The tree, once a run has begun it.
    pub fn tree(&self) -> Option<&Tree<G::Action>> {
        self.state.tree.as_ref()
    }

    /// What values leaves.
    pub fn evaluation(&self) -> &E {
        &self.evaluate
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.state.stop.clone()
    }

    /// The smallest cap under which this position can be searched.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.state.root.actions(&mut actions);
        self.overhead() + actions.len() * Tree::<G::Action>::edge_bytes(self.extras())
    }

    /// What the search takes beside its tree.
    fn overhead(&self) -> usize {
        overhead_bytes(self.state.wave) + self.evaluate.bytes(&self.state.root)
    }

    fn extras(&self) -> Extras {
        Extras {
            squares: self.select.wants_squares(),
            bounds: self.solving().is_some(),
            keys: self.evaluate.learns(),
            amaf: S::WANTS_AMAF && self.state.amaf.is_some(),
        }
    }

    /// Searches until the budget is spent, on top of what the tree already holds.
    pub fn run(&mut self, budget: Budget) -> Report<G::Action> {
        self.run_watched(budget, |_, _| {})
    }

    /// The same, calling `watch` with the simulations and the time spent so far, about a thousand times a second.
    pub fn run_watched(&mut self, budget: Budget, mut watch: impl FnMut(u64, Duration)) -> Report<G::Action> {
        let mut meter = Meter::new(budget);
        let Some(mut tree) = self.planted(budget) else {
            return self.report(&meter, Stopped::Nothing);
        };
        let waves = self.state.wave > 1 && !self.extras().amaf;
        let mut wave = waves.then(|| Wave::new(self.state.wave, &self.state.root));
        let stopped = loop {
            let batch = match self.next_batch(&mut meter, &tree) {
                Ok(batch) => batch,
                Err(stopped) => break stopped,
            };
            let spent = self.spend(&mut tree, wave.as_mut(), batch, meter.left());
            meter.spend(spent);
            watch(meter.spent(), meter.elapsed());
        };
        self.state.tree = Some(tree);
        self.report(&meter, stopped)
    }

    /// Runs so many simulations, or fewer if they prove the root, and returns how many. A batch's length depends on the
    /// clock; so that a wave's width does not, a wave may go past the batch, though never past the budget.
    fn spend(
        &mut self,
        tree: &mut Tree<G::Action>,
        mut wave: Option<&mut Wave<G>>,
        batch: u64,
        left: Option<u64>,
    ) -> u64 {
        let solving = self.solving();
        let mut left = left.map(|left| left.min(u64::from(u32::MAX)) as u32);
        let mut spent = 0;
        while spent < batch && self.state.root_bounds.value().is_none() {
            if self.state.recycle && tree.wants_recycling() {
                tree.recycle();
            }
            let width = match &mut wave {
                None => {
                    match solving {
                        Some(sum) => self.simulation::<true>(tree, left, sum),
                        None => self.simulation::<false>(tree, left, 0.0),
                    }
                    1
                }
                Some(wave) => {
                    let room = u64::from(PULLS_MAX - tree.pulls());
                    let most = left.map_or(u64::MAX, u64::from).min(room);
                    let width = most.min(self.state.wave as u64);
                    self.fly(tree, wave, width as usize, left, solving);
                    width
                }
            };
            left = left.map(|left| left.saturating_sub(width as u32));
            spent += width;
        }
        spent
    }

    fn next_batch(&self, meter: &mut Meter, tree: &Tree<G::Action>) -> Result<u64, Stopped> {
        if self.state.stop.is_stopped() {
            self.state.stop.rearm();
            return Err(Stopped::Handle);
        }
        if self.state.root_bounds.value().is_some() {
            return Err(Stopped::Solved);
        }
        let room = u64::from(PULLS_MAX - tree.pulls());
        if room == 0 {
            return Err(Stopped::PullsMax);
        }
        let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
        if meter.is_look() && self.select.enough(&tree.view(tree.root(), 0, left)) {
            return Err(Stopped::Enough);
        }
        Ok(meter.next_batch()?.min(room))
    }

    /// The tree with its root expanded, or none if there is nothing to search. Made here on the first run.
    fn planted(&mut self, budget: Budget) -> Option<Tree<G::Action>> {
        if self.state.root.turn() == Turn::Over {
            return None;
        }
        let mut tree = self.state.tree.take().unwrap_or_else(|| self.new_tree());
        if budget.simulations.is_none_or(|simulations| simulations >= LARGE_PAGES_FROM) {
            tree.prefer_large_pages();
        }
        self.state.path.clear();
        self.state.path.reserve_exact(DEPTH_MAX);
        if tree.root().is_leaf() {
            self.state.leaf.scratch.clear();
            self.state.root.actions(&mut self.state.leaf.scratch);
            if !tree.open_root(&self.state.leaf.scratch) {
                self.state.tree = Some(tree);
                return None;
            }
            if self.evaluate.learns() {
                let (game, actions) = (&self.state.root, &self.state.leaf.scratch);
                tree.set_keys(actions.iter().map(|&action| self.evaluate.key(game, action)));
            }
            self.state.root_squares = vec![0.0; self.state.leaf.scratch.len()];
            self.state.root_bounds = Bounds::OPEN;
        }
        Some(tree)
    }

    fn new_tree(&self) -> Tree<G::Action> {
        Tree::with_cap(self.state.memory.saturating_sub(self.overhead()), self.extras())
    }

    /// One simulation: the four phases.
    #[inline]
    fn simulation<const SOLVER: bool>(&mut self, tree: &mut Tree<G::Action>, left: Option<u32>, sum: f32) {
        let leaf = self.descend::<SOLVER>(tree, left);
        if SOLVER && let Some(value) = self.settled(tree) {
            return self.back_up::<SOLVER>(tree, [value, sum - value, 0.0, 0.0]);
        }
        self.expand(tree, leaf);
        let finished = self.simulate();
        let rewards = self.state.utility.rewards(&self.state.leaf.payoff);
        self.back_up::<SOLVER>(tree, rewards);
        self.learn(tree, rewards);
        if SOLVER && finished {
            self.prove(tree, rewards[0], sum);
        }
    }

    /// Counts all moves as first, and tells an evaluation that learns what the simulation came to.
    #[inline(always)]
    fn learn(&mut self, tree: &mut Tree<G::Action>, rewards: [f32; PLAYERS_MAX]) {
        if S::WANTS_AMAF
            && let Some(amaf) = &mut self.state.amaf
        {
            amaf.back_up(tree, &self.state.path, &self.state.leaf.played, rewards);
        }
        if self.evaluate.learns() {
            let State { path, leaf: Leaf { played, payoff, .. }, .. } = &self.state;
            self.evaluate.learn(&Trace { tree, path, played, payoff });
        }
    }

    /// Phase 1, select: from the root down to a node without edges.
    #[inline(always)]
    fn descend<const SOLVER: bool>(&mut self, tree: &Tree<G::Action>, left: Option<u32>) -> Node {
        self.state.leaf.game.clone_from(&self.state.root);
        self.state.path.clear();
        if S::WANTS_AMAF
            && let Some(amaf) = &mut self.state.amaf
        {
            amaf.begin(&self.state.root);
        }
        let mut node = tree.root();
        while !node.is_leaf() {
            node = self.choose(tree, node, left);
            if SOLVER && self.settled(tree).is_some() {
                break;
            }
        }
        node
    }

    /// The proven value of where a descent has come to, if it is proven.
    #[inline(always)]
    fn settled(&self, tree: &Tree<G::Action>) -> Option<f32> {
        let edge = self.state.path.last()?.edge;
        if tree.is_settled(edge) { tree.bounds(edge).value() } else { None }
    }

    /// Phase 2, expand: on its second visit a node gets all its edges, and the first to be tried is taken.
    #[inline(always)]
    fn expand(&mut self, tree: &mut Tree<G::Action>, leaf: Node) {
        if leaf.pulls == 0
            || self.state.path.len() >= self.state.depth
            || self.state.leaf.game.turn() == Turn::Over
        {
            return;
        }
        let Some(last) = self.state.path.last() else { return };
        let edge = last.edge;
        self.state.leaf.scratch.clear();
        self.state.leaf.game.actions(&mut self.state.leaf.scratch);
        if tree.open(edge, &self.state.leaf.scratch) {
            if self.evaluate.learns() {
                let (game, actions) = (&self.state.leaf.game, &self.state.leaf.scratch);
                tree.set_keys(actions.iter().map(|&action| self.evaluate.key(game, action)));
            }
            self.choose(tree, tree.below(edge), None);
        }
    }

    /// Phase 3, simulate: what the leaf is worth. True if the game was over there.
    #[inline(always)]
    fn simulate(&mut self) -> bool {
        let finished = self.state.leaf.game.turn() == Turn::Over;
        if S::WANTS_AMAF || self.evaluate.learns() {
            self.state.leaf.played.clear();
        }
        if finished {
            self.state.leaf.payoff = self.state.leaf.game.payoff();
        } else {
            self.evaluate.evaluate(std::slice::from_mut(&mut self.state.leaf), &mut self.state.rng);
        }
        finished
    }

    /// Phase 4, back up: every choice on the path learns what it was worth to the player who made it.
    #[inline(always)]
    fn back_up<const SOLVER: bool>(&mut self, tree: &mut Tree<G::Action>, rewards: [f32; PLAYERS_MAX]) {
        tree.count_root(1);
        for step in &self.state.path {
            if SOLVER && tree.is_settled(step.edge) {
                tree.count(step.edge, 1);
            } else {
                tree.add(step.edge, rewards[step.player as usize]);
            }
        }
        if let Some(step) = self.state.path.first() {
            let reward = f64::from(rewards[step.player as usize]);
            self.state.root_squares[step.edge.index()] += reward * reward;
        }
    }

    /// Backs up a proof: the game is over at the end of the path, and player 0 got `value`. Goes on as long as there is
    /// something new to say.
    #[cold]
    fn prove(&mut self, tree: &mut Tree<G::Action>, value: f32, sum: f32) {
        let mut bounds = Bounds::exactly(value);
        for step in self.state.path.iter().rev() {
            // More may be known already, from blocks that were freed.
            bounds = bounds.tightened(tree.bounds(step.edge));
            let own = if step.player == 0 { bounds } else { bounds.of_other(sum) };
            if !tree.prove(step.edge, bounds, own.value()) {
                return;
            }
            let chooser = match step.player {
                _ if step.by_chance => Chooser::Chance,
                0 => Chooser::Maximiser,
                _ => Chooser::Minimiser,
            };
            bounds = Bounds::of_position(tree.block_bounds(step.edge), chooser);
        }
        self.state.root_bounds = bounds;
    }

    /// Takes one edge of a node: the rule's choice, or chance's.
    #[inline(always)]
    fn choose(&mut self, tree: &Tree<G::Action>, node: Node, left: Option<u32>) -> Node {
        let turn = self.state.leaf.game.turn();
        let (player, index) = match turn {
            Turn::Player(player) => {
                let depth = self.state.path.len() as u32;
                let mut view = tree.view(node, depth, if depth == 0 { left } else { None });
                if S::WANTS_AMAF
                    && let Some(amaf) = &mut self.state.amaf
                {
                    view.amaf = amaf.enter(tree, node, &self.state.leaf.game, player);
                }
                (player, self.select.select(&view, &mut self.state.rng))
            }
            _ => (0, draw_outcome(tree, node, &self.state.leaf.game, &mut self.state.rng)),
        };
        let edge = node.edge(index);
        self.state.path.push(Step { edge, player, by_chance: turn == Turn::Chance });
        self.state.leaf.game.play(tree.action(edge));
        tree.below(edge)
    }

    /// Plays an action at the root. The tree below it is kept, the rest is freed.
    pub fn advance(&mut self, action: G::Action) {
        if let Some(tree) = &mut self.state.tree {
            match tree.root_edges().find(|&edge| tree.action(edge) == action) {
                Some(edge) => {
                    self.state.root_bounds = tree.bounds(edge);
                    tree.advance(edge);
                }
                None => tree.clear(),
            }
            let view = (!tree.root().is_leaf()).then(|| tree.view(tree.root(), 0, None));
            let squares = |view: View| -> Vec<f64> {
                let square_of = |(index, arm): (usize, Arm)| match view.squares.get(index) {
                    Some(&square) => f64::from(square) * f64::from(arm.pulls),
                    None => arm.sum(),
                };
                view.arms().enumerate().map(square_of).collect()
            };
            self.state.root_squares = view.map_or(Vec::new(), squares);
        }
        self.state.root.play(action);
    }

    /// Begins anew at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.state.root = root;
        if let Some(tree) = &mut self.state.tree {
            tree.clear();
        }
    }
}

/// One of the outcomes of chance in a node, by its odds.
#[cold]
fn draw_outcome<G: Game>(tree: &Tree<G::Action>, node: Node, game: &G, rng: &mut Rng) -> usize {
    draw(node.edges().map(|edge| game.weight(tree.action(edge))), rng)
}
