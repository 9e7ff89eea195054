//! Transpositions: a search in which positions reached by different ways share one node.
//!
//! **What is kept.** Pulls belong to edges: each edge counts the simulations that took it, and a rule sees its node's edges
//! with these counts and their total. Values belong to nodes: a node has the average of all its simulations, whatever way
//! they came, and that is the average of its edges' means by their pulls. When a simulation is backed up through an edge
//! to a shared node, the edge's mean becomes that node's value. What this changes in the sum of the node above goes on up
//! in place of the reward, so that one step a level keeps every average. To a node that no other way has led to, its value
//! is the edge's own running mean, and nothing is done that the plain search does not do: where no ways meet, both are
//! equal to the last bit. This is UCT2 of Childs, Brodeur & Kocsis (2008) with the backup of KataGo's graph search.
//!
//! **Why it is sound.** If the visits of the node below counted as pulls, an edge that others made well known would look
//! explored without ever having been tried from here, and the average of the node above would follow other nodes'
//! preferences. With pulls on edges each node is a bandit of its own: its rule tries every edge without end, each time reads
//! a value that tends to the true one (by induction from the ends of the game), and spends nearly all pulls on the best. So
//! its own value, the average by its own pulls, tends to the best too.
//!
//! **Cycles** are not walked: a descent that comes to a node that it has passed ends there. The playout from there counts
//! as that node's own, so a value that feeds itself is corrected by as many playouts as it was fed. Only shared nodes need
//! be marked on the way down, as the way back to a node is a further way to it.
//!
//! **Scores.** Where payoffs add up on the way ([`Hashed::so_far`]) and the score is searched for, positions share a node
//! whatever was paid before. A node counts all as if its position had been reached the first way it was: what it holds is
//! then the reward of games that can be played, within 0..=1. To an edge, what differs is added: what was paid on it, and
//! what its own node had at first. If the win is searched for, what was paid before matters, and tells positions apart.
//!
//! With more than two players, or two without a constant sum, an edge's mean is the average of its own simulations (UCT1):
//! nodes are shared, values are not. The solver, waves and recycling are not for graphs; rules that read squared rewards
//! take them for those of wins and losses.

use super::findings::standard_error;
use super::{LARGE_PAGES_FROM, OVERHEAD_BYTES, Search, State};
use crate::budget::Meter;
use crate::game::draw;
use crate::graph::{Graph, GraphEdge, GraphNode, Way};
use crate::playout::Uniform;
use crate::{
    Agent, ArmReport, Budget, DEPTH_MAX, Evaluate, Game, Hashed, PLAYERS_MAX, Payoff, Player, Recommend,
    Report, Select, StopHandle, Stopped, Turn, Utility,
};
use aji_bandit::{Arm, PULLS_MAX, Ucb1};
use std::time::Duration;

/// What differs between two ways to a position, as rewards of each player.
type Difference = [f32; PLAYERS_MAX];

/// The most simulations of a graph. Each counts at most twice at a node, where a cycle ends.
const SIMULATIONS_MAX: u64 = PULLS_MAX as u64 / 2;

/// One choice on the way down: the edge taken, and whose reward it counts.
#[derive(Clone, Copy, Debug)]
struct Step {
    way: Way,
    player: Player,
}

/// Monte Carlo search of a graph, made by [`Search::transpositions`].
pub struct GraphSearch<G: Hashed, S = Ucb1, E = Uniform> {
    select: S,
    evaluate: E,
    state: State<G>,
    graph: Option<Graph<G::Action>>,
    path: Vec<Step>,
    /// Of each node on the path, what the way there has less than the way that made it, where that can differ.
    differences: Vec<Difference>,
    simulated: u64,
    /// What both players' rewards add up to, where nodes have values.
    total: Option<f64>,
    /// What a point is worth, where scores so far are left out of the nodes.
    scale: Option<f32>,
}

impl<G: Hashed, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// The same search over a graph, in which positions of the same hash share a node. It begins without any. A solver,
    /// waves and recycling are left behind.
    pub fn transpositions(self) -> GraphSearch<G, S, E> {
        let Search { select, evaluate, state } = self;
        let (low, high) = state.root.payoff_range();
        // A score that is cut off is not a sum.
        let point = match state.utility {
            Utility::Score { low: from, high: to } if from <= low && high <= to && from < to => {
                Some(1.0 / (to - from))
            }
            _ => None,
        };
        let total = state.reward_sum().filter(|_| state.utility == Utility::Win || point.is_some());
        GraphSearch {
            total: total.map(f64::from),
            scale: point.filter(|_| state.root.so_far().is_some()),
            select,
            evaluate,
            state: State { tree: None, path: Vec::new(), ..state },
            graph: None,
            path: Vec::new(),
            differences: Vec::new(),
            simulated: 0,
        }
    }
}

impl<G: Hashed, S: Select, E: Evaluate<G>> GraphSearch<G, S, E> {
    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.state.root
    }

    /// The graph, once a run has begun it.
    pub fn graph(&self) -> Option<&Graph<G::Action>> {
        self.graph.as_ref()
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.state.stop.clone()
    }

    /// The smallest cap under which this position can be searched.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.state.root.actions(&mut actions);
        self.overhead() + Graph::<G::Action>::bytes_min(actions.len(), self.scale.is_some())
    }

    /// What the search takes beside its graph.
    fn overhead(&self) -> usize {
        let differences = if self.scale.is_some() { (DEPTH_MAX + 1) * size_of::<Difference>() } else { 0 };
        OVERHEAD_BYTES + differences + self.evaluate.bytes(&self.state.root)
    }

    /// Searches until the budget is spent, on top of what the graph already holds.
    pub fn run(&mut self, budget: Budget) -> Report<G::Action> {
        self.run_watched(budget, |_, _| {})
    }

    /// The same, calling `watch` with the simulations and the time spent so far, about a thousand times a second.
    pub fn run_watched(&mut self, budget: Budget, mut watch: impl FnMut(u64, Duration)) -> Report<G::Action> {
        let mut meter = Meter::new(budget);
        let Some((mut graph, root)) = self.planted(budget) else {
            return self.report(&meter, Stopped::Nothing);
        };
        let stopped = loop {
            let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
            let batch = match self.next_batch(&mut meter, &graph, root, left) {
                Ok(batch) => batch,
                Err(stopped) => break stopped,
            };
            self.spend(&mut graph, root, batch, left);
            self.simulated += batch;
            meter.spend(batch);
            watch(meter.spent(), meter.elapsed());
        };
        self.graph = Some(graph);
        self.report(&meter, stopped)
    }

    /// Runs so many simulations.
    #[inline(never)]
    fn spend(&mut self, graph: &mut Graph<G::Action>, root: GraphNode, batch: u64, mut left: Option<u32>) {
        for _ in 0..batch {
            match self.scale {
                None => self.simulation::<false>(graph, root, left),
                Some(_) => self.simulation::<true>(graph, root, left),
            }
            left = left.map(|left| left.saturating_sub(1));
        }
    }

    fn next_batch(
        &self,
        meter: &mut Meter,
        graph: &Graph<G::Action>,
        root: GraphNode,
        left: Option<u32>,
    ) -> Result<u64, Stopped> {
        if self.state.stop.is_stopped() {
            self.state.stop.rearm();
            return Err(Stopped::Handle);
        }
        if self.simulated >= SIMULATIONS_MAX {
            return Err(Stopped::PullsMax);
        }
        if meter.is_look() && self.select.enough(&graph.view(root, 0, left)) {
            return Err(Stopped::Enough);
        }
        Ok(meter.next_batch()?.min(SIMULATIONS_MAX - self.simulated))
    }

    /// The graph and its root, which has its edges; none if there is nothing to search. Made here on the first run.
    fn planted(&mut self, budget: Budget) -> Option<(Graph<G::Action>, GraphNode)> {
        if self.state.root.turn() == Turn::Over {
            return None;
        }
        let mut graph = self.graph.take().unwrap_or_else(|| {
            let bytes = self.state.memory.saturating_sub(self.overhead());
            Graph::with_cap(bytes, self.scale.is_some())
        });
        if budget.simulations.is_none_or(|simulations| simulations >= LARGE_PAGES_FROM) {
            graph.prefer_large_pages();
        }
        self.path.clear();
        self.path.reserve_exact(DEPTH_MAX);
        self.differences.clear();
        self.differences.reserve_exact(if self.scale.is_some() { DEPTH_MAX + 1 } else { 0 });
        if graph.root().is_none() {
            self.state.leaf.game.clone_from(&self.state.root);
            let key = self.key(&self.state.root);
            let Some(root) = self.open(&mut graph, key) else {
                self.graph = Some(graph);
                return None;
            };
            graph.set_root(root);
        }
        graph.root().map(|root| (graph, root))
    }

    /// One simulation: the four phases.
    #[inline]
    fn simulation<const SCORES: bool>(
        &mut self,
        graph: &mut Graph<G::Action>,
        root: GraphNode,
        left: Option<u32>,
    ) {
        let leaf = self.descend::<SCORES>(graph, root, left);
        self.simulate();
        let rewards = self.state.utility.rewards(&self.state.leaf.payoff);
        self.back_up::<SCORES>(graph, leaf, rewards);
    }

    /// Select and expand: from the root down to a position that is to be valued. Returns its node, if it has one.
    #[inline(always)]
    fn descend<const SCORES: bool>(
        &mut self,
        graph: &mut Graph<G::Action>,
        root: GraphNode,
        left: Option<u32>,
    ) -> Option<GraphNode> {
        self.state.leaf.game.clone_from(&self.state.root);
        self.path.clear();
        self.differences.clear();
        let mut node = root;
        loop {
            if SCORES {
                self.differences.push(self.difference_at(graph, node, &self.state.leaf.game));
            }
            if self.path.len() >= self.state.depth {
                return Some(node);
            }
            // The way back to a node is a further way to it: only shared nodes can close a cycle.
            if graph.is_shared(node) && !graph.pass(node) {
                return Some(node);
            }
            let (way, below) = self.choose(graph, node, left);
            node = match below {
                Some(below) => below,
                None => self.node_below(graph, way)?,
            };
        }
    }

    /// Takes one edge of a node: the rule's choice, or chance's.
    #[inline(always)]
    fn choose(
        &mut self,
        graph: &Graph<G::Action>,
        node: GraphNode,
        left: Option<u32>,
    ) -> (Way, Option<GraphNode>) {
        let (player, index) = match self.state.leaf.game.turn() {
            Turn::Player(player) => {
                let depth = self.path.len() as u32;
                let view = graph.view(node, depth, if depth == 0 { left } else { None });
                (player, self.select.select(&view, &mut self.state.rng))
            }
            _ => {
                let game = &self.state.leaf.game;
                (0, draw(graph.actions(node).map(|action| game.weight(action)), &mut self.state.rng))
            }
        };
        let way = Way::new(node, index);
        self.path.push(Step { way, player });
        let (action, below) = graph.follow(way);
        self.state.leaf.game.play(action);
        (way, below)
    }

    /// Links an edge, on its second visit, to the node of the position it leads to: one that is there already, or a new one.
    #[inline(always)]
    fn node_below(&mut self, graph: &mut Graph<G::Action>, way: Way) -> Option<GraphNode> {
        let Arm { pulls, mean } = graph.arm(way);
        if pulls == 0 || self.path.len() >= self.state.depth || self.state.leaf.game.turn() == Turn::Over {
            return None;
        }
        let key = self.key(&self.state.leaf.game);
        let known = graph.find(key);
        let node = match known {
            Some(known) => known,
            None => self.open(graph, key)?,
        };
        // What the edge has seen, as the node would have.
        let Step { player, .. } = *self.path.last()?;
        let above = self.difference(self.path.len() - 1, player);
        let below = self.difference_at(graph, node, &self.state.leaf.game)[usize::from(player)];
        let value = f64::from(mean + below - above);
        graph.link(way, node, self.other_side(player).map_or(value, |total| total - value));
        // Nodes that were not shared when the descent passed them were not marked.
        if known.is_some() && self.path.iter().any(|step| step.way.node() == node) {
            graph.pass(node);
        }
        Some(node)
    }

    /// A new node for the position where the descent stands, if there is room.
    fn open(&mut self, graph: &mut Graph<G::Action>, key: u64) -> Option<GraphNode> {
        let leaf = &mut self.state.leaf;
        leaf.scratch.clear();
        leaf.game.actions(&mut leaf.scratch);
        let Payoff(scores) = leaf.game.so_far().unwrap_or_default();
        graph.open(key, &leaf.scratch, scores)
    }

    /// What tells positions apart.
    #[inline(always)]
    fn key(&self, game: &G) -> u64 {
        if self.scale.is_some() || game.so_far().is_none() { game.hash() } else { game.whole_hash() }
    }

    /// What the leaf is worth.
    #[inline(never)]
    fn simulate(&mut self) {
        if self.state.leaf.game.turn() == Turn::Over {
            self.state.leaf.payoff = self.state.leaf.game.payoff();
        } else {
            self.evaluate.evaluate(std::slice::from_mut(&mut self.state.leaf), &mut self.state.rng);
        }
    }

    /// Back up: every edge on the path learns what it was worth to the player who took it, and its node what it was to
    /// player 0. Above a shared node, what its edge brought goes on in place of the rewards.
    #[inline(always)]
    fn back_up<const SCORES: bool>(
        &mut self,
        graph: &mut Graph<G::Action>,
        leaf: Option<GraphNode>,
        rewards: [f32; PLAYERS_MAX],
    ) {
        let difference = |level: usize, player: Player| -> f32 {
            if SCORES { self.differences[level][usize::from(player)] } else { 0.0 }
        };
        let has_values = self.total.is_some();
        let mut level = self.path.len();
        let mut is_shared = leaf.is_some_and(|leaf| graph.add_own(leaf, rewards[0] + difference(level, 0)));
        while level > 0 && !(is_shared && has_values) {
            level -= 1;
            let Step { way, player } = self.path[level];
            let value = rewards[0] + difference(level, 0);
            is_shared = graph.add(way, value, rewards[usize::from(player)] + difference(level, player));
        }
        if level > 0 {
            let below = self.path.get(level).map(|step| step.way.node()).or(leaf);
            self.back_up_moved(graph, level, below, rewards);
        }
    }

    /// The rest of it, from a shared node up.
    fn back_up_moved(
        &mut self,
        graph: &mut Graph<G::Action>,
        from: usize,
        shared: Option<GraphNode>,
        mut rewards: [f32; PLAYERS_MAX],
    ) {
        let mut shared = shared;
        for level in (0..from).rev() {
            let Step { way, player } = self.path[level];
            let (own, first) = (self.difference(level, player), self.difference(level, 0));
            let is_shared = match shared {
                Some(below) => {
                    let paid = own - self.difference(level + 1, player);
                    let brought = graph.take_over(way, below, self.other_side(player), paid) as f32 - own;
                    let others = self.total.unwrap_or_default() as f32 - brought;
                    (rewards[0], rewards[1]) =
                        if player == 0 { (brought, others) } else { (others, brought) };
                    graph.count_through(way.node(), rewards[0] + first)
                }
                None => graph.add_moved(way, rewards[0] + first, rewards[usize::from(player)] + own),
            };
            shared = is_shared.then_some(way.node());
        }
    }

    /// For the second of two players, what both get together: their value is what the first one leaves.
    #[inline(always)]
    fn other_side(&self, player: Player) -> Option<f64> {
        self.total.filter(|_| player == 1)
    }

    /// What the way that made this node had more than this game has there.
    fn difference_at(&self, graph: &Graph<G::Action>, node: GraphNode, game: &G) -> Difference {
        let (Some(scale), Some(Payoff(points))) = (self.scale, game.so_far()) else {
            return Difference::default();
        };
        let first = graph.scores(node);
        std::array::from_fn(|player| (first[player] - points[player]) * scale)
    }

    /// The same for the node at this level of the path.
    #[inline(always)]
    fn difference(&self, level: usize, player: Player) -> f32 {
        if self.scale.is_some() { self.differences[level][usize::from(player)] } else { 0.0 }
    }

    /// Plays an action at the root. What can be reached from there is kept, the rest is freed.
    pub fn advance(&mut self, action: G::Action) {
        self.state.root.play(action);
        let key = self.key(&self.state.root);
        let Some(graph) = &mut self.graph else { return };
        match graph.find(key) {
            Some(node) => graph.advance(node),
            None => self.forget(),
        }
    }

    /// Begins anew at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.state.root = root;
        self.forget();
    }

    fn forget(&mut self) {
        self.simulated = 0;
        if let Some(graph) = &mut self.graph {
            graph.clear();
        }
    }
}

impl<G: Hashed, S: Select, E: Evaluate<G>> GraphSearch<G, S, E> {
    fn report(&self, meter: &Meter, stopped: Stopped) -> Report<G::Action> {
        let mut report = Report::empty(meter, stopped);
        let Some(graph) = &self.graph else { return report };
        (report.nodes, report.bytes, report.left_out) = (graph.len(), graph.bytes(), graph.left_out());
        let Some(root) = graph.root() else { return report };
        let edges = self.edges_from(graph, root, &self.state.root);
        let best = best(&edges, &self.state.root, self.state.recommend);
        report.arms = edges.iter().map(arm).collect();
        report.best = best.map(|edge| edge.action);
        report.value = best.map(|edge| edge.arm.mean);
        report.line = best.map_or(Vec::new(), |edge| self.line(graph, root, edge));
        report
    }

    /// The edges of a node with what they are worth in this position, which is the node's but for what was paid before.
    fn edges_from(&self, graph: &Graph<G::Action>, node: GraphNode, game: &G) -> Vec<GraphEdge<G::Action>> {
        let player = if let Turn::Player(player) = game.turn() { player } else { 0 };
        let difference = self.difference_at(graph, node, game)[usize::from(player)];
        let here = |edge: GraphEdge<G::Action>| {
            let Arm { pulls, mean } = edge.arm;
            let mean = if pulls == 0 { mean } else { (mean - difference).clamp(0.0, 1.0) };
            GraphEdge { arm: Arm { pulls, mean }, ..edge }
        };
        graph.edges(node).map(here).collect()
    }

    /// The best way on after an edge, as far as it was searched, to the first choice of chance or the first repetition.
    fn line(&self, graph: &Graph<G::Action>, root: GraphNode, from: GraphEdge<G::Action>) -> Vec<G::Action> {
        let (mut game, mut line, mut seen, mut next) =
            (self.state.root.clone(), Vec::new(), vec![root], Some(from));
        while let Some(edge) = next {
            line.push(edge.action);
            game.play(edge.action);
            next = edge.below.filter(|below| !seen.contains(below)).and_then(|below| {
                seen.push(below);
                let tried: Vec<_> = graph.edges(below).filter(|edge| edge.arm.pulls > 0).collect();
                best(&tried, &game, Recommend::MostPulls)
            });
        }
        line
    }
}

/// The edge to play in a position; none where it is not a player's choice.
fn best<G: Game>(
    edges: &[GraphEdge<G::Action>],
    game: &G,
    recommend: Recommend,
) -> Option<GraphEdge<G::Action>> {
    let Turn::Player(_) = game.turn() else { return None };
    let ranked = edges.iter().map(|edge| (*edge, recommend.rank(edge.arm)));
    ranked.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
}

/// An action at the root. Its standard error is that of wins and losses, which can only make it larger.
fn arm<A: Copy>(edge: &GraphEdge<A>) -> ArmReport<A> {
    let (action, Arm { pulls, mean }) = (edge.action, edge.arm);
    let error = (pulls > 1).then(|| standard_error(pulls, mean, edge.arm.sum()));
    ArmReport { action, pulls, mean, error, proven: None }
}

impl<G: Hashed + PartialEq, S: Select, E: Evaluate<G>> Agent<G> for GraphSearch<G, S, E> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action> {
        if self.root() != game {
            self.reset(game.clone());
        }
        self.run_watched(budget, watch)
    }

    fn played(&mut self, action: G::Action) {
        self.advance(action);
    }
}
