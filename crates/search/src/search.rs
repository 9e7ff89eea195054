//! The search: one loop of four phases. Select a way down the tree, expand the leaf, simulate the rest of the game,
//! back up what it paid. [`Search::step`] runs it once and tells what happened.

mod step;

pub use step::{Choice, Expansion, Simulation};

use crate::bounds::{Bounds, Chooser};
use crate::budget::Meter;
use crate::game::draw;
use crate::playout::Uniform;
use crate::tree::Node;
use crate::{
    ArmReport, Budget, DEPTH_MAX, Edge, Evaluate, Extras, Game, Leaf, PLAYERS_MAX, Player, Recommend, Report,
    Rng, Select, StopHandle, Stopped, Tree, Turn, Utility,
};
use aji_bandit::{Arm, PULLS_MAX, Ucb1, View};
use std::time::Duration;

/// What a search takes beside its tree, within the same cap: the path, and room to work in.
pub const OVERHEAD_BYTES: usize = 64 << 10;

/// The cap on memory where none is given: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// A search of so many simulations is worth large pages: to clear the first of them takes as long as a thousand.
const LARGE_PAGES_FROM: u64 = 10_000;

/// One choice on the way down: the edge taken, and who took it.
#[derive(Clone, Copy, Debug)]
struct Step {
    edge: Edge,
    /// Whose reward the edge counts: the player who chose it, or the first player where chance did.
    player: Player,
    by_chance: bool,
}

/// Monte Carlo tree search from one position.
///
/// `S` is the rule that selects actions in the tree, `E` the evaluation of leaves. [`Search::new`] gives UCT with
/// uniform playouts; the methods that take and return `self` change its parts before the first run.
pub struct Search<G: Game, S = Ucb1, E = Uniform> {
    root: G,
    tree: Option<Tree<G::Action>>,
    select: S,
    evaluate: E,
    recommend: Recommend,
    utility: Utility,
    memory: usize,
    depth: usize,
    rng: Rng,
    stop: StopHandle,
    path: Vec<Step>,
    leaf: Leaf<G>,
    /// The sum of the squared rewards of each root edge, for the standard errors.
    root_squares: Vec<f64>,
    solver: bool,
    /// What is proven of the root.
    root_bounds: Bounds,
}

impl<G: Game> Search<G> {
    /// UCT with uniform playouts, 1 GB of memory and seed 0.
    pub fn new(root: G) -> Search<G> {
        Search {
            leaf: Leaf::new(root.clone()),
            root,
            tree: None,
            select: Ucb1::default(),
            evaluate: Uniform,
            recommend: Recommend::default(),
            utility: Utility::default(),
            memory: MEMORY_DEFAULT,
            depth: DEPTH_MAX,
            rng: Rng::seeded(0),
            stop: StopHandle::default(),
            path: Vec::new(),
            root_squares: Vec::new(),
            solver: false,
            root_bounds: Bounds::OPEN,
        }
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// The same search with another rule in the tree.
    pub fn select<R: Select>(self, select: R) -> Search<G, R, E> {
        Search {
            select,
            root: self.root,
            tree: None,
            evaluate: self.evaluate,
            recommend: self.recommend,
            utility: self.utility,
            memory: self.memory,
            depth: self.depth,
            rng: self.rng,
            stop: self.stop,
            path: self.path,
            leaf: self.leaf,
            root_squares: self.root_squares,
            solver: self.solver,
            root_bounds: self.root_bounds,
        }
    }

    /// The same search with another evaluation of leaves.
    pub fn evaluate<F: Evaluate<G>>(self, evaluate: F) -> Search<G, S, F> {
        Search {
            evaluate,
            root: self.root,
            tree: self.tree,
            select: self.select,
            recommend: self.recommend,
            utility: self.utility,
            memory: self.memory,
            depth: self.depth,
            rng: self.rng,
            stop: self.stop,
            path: self.path,
            leaf: self.leaf,
            root_squares: self.root_squares,
            solver: self.solver,
            root_bounds: self.root_bounds,
        }
    }

    /// How the action to play is chosen in the end.
    pub fn recommend(self, recommend: Recommend) -> Self {
        Search { recommend, ..self }
    }

    /// What is maximised.
    pub fn utility(self, utility: Utility) -> Self {
        Search { utility, ..self }
    }

    /// The cap on memory in bytes, for the tree and all the search needs beside it. Starts the tree anew.
    pub fn memory(self, bytes: usize) -> Self {
        Search { memory: bytes, tree: None, ..self }
    }

    /// The deepest the tree may grow: 1 is pure Monte Carlo search, without a tree below the root's actions.
    pub fn depth(self, depth: usize) -> Self {
        Search { depth: depth.clamp(1, DEPTH_MAX), ..self }
    }

    /// Proves what can be proven (`docs/traps.md`): finished games close bounds that are backed up beside the means, proven
    /// choices are not searched again, and the search stops when the root is proven. For one player, or two whose
    /// payoffs have a constant sum; for others it changes nothing. Starts the tree anew.
    pub fn solver(self, solver: bool) -> Self {
        Search { solver, tree: None, ..self }
    }

    /// The sum of the players' rewards, if there is a solver and it can work with them.
    fn solving(&self) -> Option<f32> {
        let sum = match (self.root.players(), self.utility, self.root.payoff_sum()) {
            (1, ..) => Some(0.0),
            (2, Utility::Win, Some(0.0)) => Some(1.0),
            (2, Utility::Score { low, high }, Some(sum)) if high > low => {
                Some((sum - 2.0 * low) / (high - low))
            }
            _ => None,
        };
        sum.filter(|_| self.solver)
    }

    /// The seed of all that is random in the search.
    pub fn seed(self, seed: u64) -> Self {
        Search { rng: Rng::seeded(seed), ..self }
    }

    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// The tree, once a run has begun it.
    pub fn tree(&self) -> Option<&Tree<G::Action>> {
        self.tree.as_ref()
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// The smallest cap under which this position can be searched.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.root.actions(&mut actions);
        OVERHEAD_BYTES + actions.len() * Tree::<G::Action>::edge_bytes(self.extras())
    }

    fn extras(&self) -> Extras {
        Extras { squares: self.select.wants_squares(), bounds: self.solving().is_some() }
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
        let solving = self.solving();
        let stopped = loop {
            let batch = match self.next_batch(&mut meter, &tree) {
                Ok(batch) => batch,
                Err(stopped) => break stopped,
            };
            let mut left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
            let mut spent = 0;
            while spent < batch && self.root_bounds.value().is_none() {
                match solving {
                    Some(sum) => self.simulation::<true>(&mut tree, left, sum),
                    None => self.simulation::<false>(&mut tree, left, 0.0),
                }
                left = left.map(|left| left.saturating_sub(1));
                spent += 1;
            }
            meter.spend(spent);
            watch(meter.spent(), meter.elapsed());
        };
        self.tree = Some(tree);
        self.report(&meter, stopped)
    }

    fn next_batch(&self, meter: &mut Meter, tree: &Tree<G::Action>) -> Result<u64, Stopped> {
        if self.stop.is_stopped() {
            self.stop.rearm();
            return Err(Stopped::Handle);
        }
        if self.root_bounds.value().is_some() {
            return Err(Stopped::Solved);
        }
        let room = u64::from(PULLS_MAX - tree.pulls());
        if room == 0 {
            return Err(Stopped::PullsMax);
        }
        let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
        if self.select.enough(&tree.view(tree.root(), 0, left)) {
            return Err(Stopped::Enough);
        }
        Ok(meter.next_batch()?.min(room))
    }

    /// The tree with its root expanded, or none if there is nothing to search. Made here on the first run.
    fn planted(&mut self, budget: Budget) -> Option<Tree<G::Action>> {
        if self.root.turn() == Turn::Over {
            return None;
        }
        let mut tree = self.tree.take().unwrap_or_else(|| {
            let bytes = self.memory.saturating_sub(OVERHEAD_BYTES);
            Tree::with_cap(bytes, self.extras())
        });
        if budget.simulations.is_none_or(|simulations| simulations >= LARGE_PAGES_FROM) {
            tree.prefer_large_pages();
        }
        self.path.clear();
        self.path.reserve_exact(DEPTH_MAX);
        if tree.root().is_leaf() {
            self.leaf.scratch.clear();
            self.root.actions(&mut self.leaf.scratch);
            if !tree.open_root(&self.leaf.scratch) {
                self.tree = Some(tree);
                return None;
            }
            self.root_squares = vec![0.0; self.leaf.scratch.len()];
            self.root_bounds = Bounds::OPEN;
        }
        Some(tree)
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
        let rewards = self.utility.rewards(&self.leaf.payoff);
        self.back_up::<SOLVER>(tree, rewards);
        if SOLVER && finished {
            self.prove(tree, rewards[0], sum);
        }
    }

    /// Phase 1, select: from the root down to a node without edges.
    #[inline(always)]
    fn descend<const SOLVER: bool>(&mut self, tree: &Tree<G::Action>, left: Option<u32>) -> Node {
        self.leaf.game.clone_from(&self.root);
        self.path.clear();
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
        let edge = self.path.last()?.edge;
        if tree.is_settled(edge) { tree.bounds(edge).value() } else { None }
    }

    /// Phase 2, expand: on its second visit a node gets all its edges, and the first to be tried is taken.
    #[inline(always)]
    fn expand(&mut self, tree: &mut Tree<G::Action>, leaf: Node) {
        if leaf.pulls == 0 || self.path.len() >= self.depth || self.leaf.game.turn() == Turn::Over {
            return;
        }
        let Some(last) = self.path.last() else { return };
        let edge = last.edge;
        self.leaf.scratch.clear();
        self.leaf.game.actions(&mut self.leaf.scratch);
        if tree.open(edge, &self.leaf.scratch) {
            self.choose(tree, tree.below(edge), None);
        }
    }

    /// Phase 3, simulate: what the leaf is worth. True if the game was over there.
    #[inline(always)]
    fn simulate(&mut self) -> bool {
        let finished = self.leaf.game.turn() == Turn::Over;
        if finished {
            self.leaf.payoff = self.leaf.game.payoff();
        } else {
            self.evaluate.evaluate(std::slice::from_mut(&mut self.leaf), &mut self.rng);
        }
        finished
    }

    /// Phase 4, back up: every choice on the path learns what it was worth to the player who made it.
    #[inline(always)]
    fn back_up<const SOLVER: bool>(&mut self, tree: &mut Tree<G::Action>, rewards: [f32; PLAYERS_MAX]) {
        tree.count_root();
        for step in &self.path {
            if SOLVER && tree.is_settled(step.edge) {
                tree.count(step.edge);
            } else {
                tree.add(step.edge, rewards[step.player as usize]);
            }
        }

        if let Some(step) = self.path.first() {
            let reward = f64::from(rewards[step.player as usize]);
            self.root_squares[step.edge.id()] += reward * reward;
        }
    }

    /// Backs up a proof: the game is over at the end of the path, and player 0 got `value`. Goes on as long as there is
    /// something new to say.
    #[cold]
    fn prove(&mut self, tree: &mut Tree<G::Action>, value: f32, sum: f32) {
        let mut bounds = Bounds::exactly(value);
        for step in self.path.iter().rev() {
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
        self.root_bounds = bounds;
    }

    /// Takes one edge of a node: the rule's choice, or chance's.
    #[inline(always)]
    fn choose(&mut self, tree: &Tree<G::Action>, node: Node, left: Option<u32>) -> Node {
        let turn = self.leaf.game.turn();
        let (player, index) = match turn {
            Turn::Player(player) => {
                let depth = self.path.len() as u32;
                let view = tree.view(node, depth, if depth == 0 { left } else { None });
                (player, self.select.select(&view, &mut self.rng))
            }
            _ => (0, self.chance(tree, node)),
        };
        let edge = node.edge(index);
        self.path.push(Step { edge, player, by_chance: turn == Turn::Chance });
        self.leaf.game.play(tree.action(edge));
        tree.below(edge)
    }

    #[cold]
    fn chance(&mut self, tree: &Tree<G::Action>, node: Node) -> usize {
        draw(node.edges().map(|edge| self.leaf.game.weight(tree.action(edge))), &mut self.rng)
    }

    /// Plays an action at the root. The tree below it is kept, the rest is freed.
    pub fn advance(&mut self, action: G::Action) {
        if let Some(tree) = &mut self.tree {
            match tree.root_edges().find(|&edge| tree.action(edge) == action) {
                Some(edge) => {
                    self.root_bounds = tree.bounds(edge);
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
            self.root_squares = view.map_or(Vec::new(), squares);
        }
        self.root.play(action);
    }

    /// Begins anew at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.root = root;
        if let Some(tree) = &mut self.tree {
            tree.clear();
        }
    }

    fn report(&self, meter: &Meter, stopped: Stopped) -> Report<G::Action> {
        let mut report = Report::empty(meter, stopped);
        let Some(tree) = &self.tree else { return report };
        let best = self.best(tree, &self.root, &tree.root_edges().collect::<Vec<_>>(), self.recommend);
        let edges = tree.root_edges().zip(&self.root_squares);
        report.arms = edges.map(|(edge, &squares)| self.arm(tree, edge, squares)).collect();
        report.best = best.map(|edge| tree.action(edge));
        report.value = best.map(|edge| tree.arm(edge).mean);
        report.proven =
            self.root_bounds.value().map(|value| self.worth(&self.root, Bounds::exactly(value)).low);
        report.line = best.map_or(Vec::new(), |edge| self.line(tree, edge));
        (report.nodes, report.bytes, report.left_out) = (tree.len(), tree.bytes(), tree.left_out());
        report
    }

    /// The edge to play in a position: of those that no other is proven to match, the one that the recommendation says.
    /// None where it is not a player's choice.
    fn best(&self, tree: &Tree<G::Action>, game: &G, edges: &[Edge], recommend: Recommend) -> Option<Edge> {
        let Turn::Player(_) = game.turn() else { return None };
        let bounds = |edge: Edge| self.worth(game, tree.bounds(edge));
        let matched = |edge: Edge| edges.iter().any(|&other| bounds(edge).dominated_by(bounds(other)));
        let ranked = edges.iter().copied().filter(|&edge| self.solving().is_none() || !matched(edge));
        let ranked = ranked.map(|edge| (edge, recommend.rank(tree.arm(edge))));
        ranked.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }

    /// Bounds on what the player to act gets, from those on what player 0 gets.
    fn worth(&self, game: &G, bounds: Bounds) -> Bounds {
        match (game.turn(), self.solving()) {
            (Turn::Player(1), Some(sum)) => bounds.of_other(sum),
            _ => bounds,
        }
    }

    fn arm(&self, tree: &Tree<G::Action>, edge: Edge, squares: f64) -> ArmReport<G::Action> {
        let (action, Arm { pulls, mean }) = (tree.action(edge), tree.arm(edge));
        let proven = tree.bounds(edge).value().map(|_| mean);
        let error =
            (pulls > 1).then(|| if proven.is_some() { 0.0 } else { standard_error(pulls, mean, squares) });
        ArmReport { action, pulls, mean, error, proven }
    }

    /// The best way on after an edge, as far as it was searched, or to the first choice of chance.
    fn line(&self, tree: &Tree<G::Action>, from: Edge) -> Vec<G::Action> {
        let (mut game, mut line, mut next) = (self.root.clone(), Vec::new(), Some(from));
        while let Some(edge) = next {
            line.push(tree.action(edge));
            game.play(tree.action(edge));
            let tried: Vec<Edge> = tree.edges_below(edge).filter(|&edge| tree.arm(edge).pulls > 0).collect();
            next = self.best(tree, &game, &tried, Recommend::MostPulls);
        }
        line
    }
}

/// The standard error of a mean of so many rewards, whose squares have this sum.
fn standard_error(pulls: u32, mean: f32, squares: f64) -> f32 {
    let (pulls, mean) = (f64::from(pulls), f64::from(mean));
    let variance = (squares / pulls - mean * mean).max(0.0) * pulls / (pulls - 1.0);
    (variance / pulls).sqrt() as f32
}
