//! Monte Carlo search of a graph, in which positions reached by different paths share a node: the part that knows the
//! game's type. `graph_engine.rs` says what is kept and why that is sound.

use crate::engine::Engine;
use crate::game::draw;
use crate::graph::{Graph, GraphNode, Way};
use crate::graph_engine::{GraphEngine, GraphKernel, GraphStep, Place};
use crate::kernel::GameKernel;
use crate::playout::Uniform;
use crate::{
    Agent, Budget, Evaluate, Hashed, Leaf, Payoff, Report, Search, Select, StopHandle, Turn, Utility,
    ValueKind, Watch,
};
use aji_bandit::{Arm, Ucb1, View};
use aji_cpu::{Portable, dispatch};
use std::time::Duration;

/// Monte Carlo search of a graph, made by [`Search::transpositions`].
pub struct GraphSearch<G: Hashed, S = Ucb1, E = Uniform> {
    pub(crate) engine: GraphEngine,
    pub(crate) kernel: Walker<G, S, E>,
}

/// The kernel of a game, a rule and an evaluation.
pub(crate) struct Walker<G: Hashed, S, E> {
    pub(crate) root: G,
    select: S,
    evaluate: E,
    /// The position of the current simulation.
    leaf: Leaf<G>,
    /// The position of the walk.
    here: G,
}

impl<G: Hashed, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// The same search over a graph, in which positions of the same hash share a node. It starts without a graph, and
    /// drops the solver, waves and recycling.
    pub fn transpositions(self) -> GraphSearch<G, S, E> {
        let Search { engine: Engine { settings, rng, stop, .. }, kernel } = self;
        let GameKernel { root, select, evaluate, .. } = kernel;
        let (low, high) = root.payoff_range();
        // A clipped score is not a sum.
        let point = match settings.utility {
            Utility::Score { low: from, high: to } if from <= low && high <= to && from < to => {
                Some(1.0 / (to - from))
            }
            _ => None,
        };
        let total = settings.utility.reward_sum(root.players(), root.payoff_sum());
        let engine = GraphEngine {
            total: total.filter(|_| settings.utility == Utility::Win || point.is_some()).map(f64::from),
            scale: point.filter(|_| root.so_far().is_some()),
            settings,
            rng,
            stop,
            graph: None,
            path: Vec::new(),
            differences: Vec::new(),
            simulated: 0,
            range: (low, high),
            has_policy: false,
            noisy_priors: Vec::new(),
            root_value: None,
        };
        let (leaf, here) = (Leaf::new(root.clone()), root.clone());
        GraphSearch { engine, kernel: Walker { root, select, evaluate, leaf, here } }
    }
}

impl<G: Hashed, S: Select, E: Evaluate<G>> GraphSearch<G, S, E> {
    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.kernel.root
    }

    /// The graph, once a run has made it.
    pub fn graph(&self) -> Option<&Graph> {
        self.engine.graph.as_ref()
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.engine.stop.clone()
    }

    /// The smallest memory cap that can search this position.
    pub fn memory_min(&self) -> usize {
        let mut actions = Vec::new();
        self.kernel.root.actions(&mut actions);
        let graph = Graph::bytes_min::<G::Action>(
            actions.len(),
            self.engine.scale.is_some(),
            self.kernel.evaluate.has_policy(),
        );
        self.engine.overhead(&self.kernel) + graph
    }

    /// Searches until the budget is spent, adding to the existing graph.
    pub fn run(&mut self, budget: Budget) -> Report<G::Action> {
        self.run_watched(budget, |_, _| {})
    }

    /// The same, calling `watch` about a thousand times a second with the simulations and the time so far.
    pub fn run_watched(&mut self, budget: Budget, mut watch: impl FnMut(u64, Duration)) -> Report<G::Action> {
        self.engine.run(&mut self.kernel, budget, &mut watch).with_actions(&self.kernel.root)
    }

    /// Plays an action at the root. Keeps what can be reached from there and frees the rest.
    pub fn advance(&mut self, action: G::Action) {
        self.kernel.root.play(action);
        self.follow_root();
    }

    /// Keeps what can be reached from the root, which has just moved.
    pub(crate) fn follow_root(&mut self) {
        self.engine.advance(key(&self.engine, &self.kernel.root));
    }

    /// Starts again at another position, in the same memory.
    pub fn reset(&mut self, root: G) {
        self.kernel.root = root;
        self.engine.clear();
    }
}

/// Simulations to run.
struct Batch<'a> {
    graph: &'a mut Graph,
    root: GraphNode,
    simulations: u64,
    left: Option<u32>,
}

/// The hash that identifies a position.
#[inline(always)]
fn key<G: Hashed>(engine: &GraphEngine, game: &G) -> u64 {
    if engine.scale.is_some() || game.so_far().is_none() { game.hash() } else { game.whole_hash() }
}

impl<G: Hashed, S: Select, E: Evaluate<G>> Walker<G, S, E> {
    /// Simulations one by one.
    #[inline(always)]
    fn simulations_by<C>(_cpu: C, kernel: &mut Self, engine: &mut GraphEngine, batch: Batch) {
        let Batch { graph, root, simulations, mut left } = batch;
        for _ in 0..simulations {
            kernel.simulation(engine, graph, root, left);
            left = left.map(|left| left.saturating_sub(1));
        }
    }

    dispatch! {
        fn simulations, simulations_v3(kernel: &mut Self, engine: &mut GraphEngine, batch: Batch) = Self::simulations_by
    }

    /// One simulation: the four phases.
    #[inline(always)]
    fn simulation(
        &mut self,
        engine: &mut GraphEngine,
        graph: &mut Graph,
        root: GraphNode,
        left: Option<u32>,
    ) {
        let (leaf, is_new) = self.descend(engine, graph, root, left);
        self.evaluate(engine);
        if let Some(node) = leaf.filter(|_| is_new) {
            graph.set_priors(node, &self.leaf.policy);
        }
        let rewards = engine.settings.utility.rewards_of(&self.leaf.payoff, self.leaf.kind, engine.range);
        engine.back_up(graph, leaf, rewards);
    }

    /// Select and expand: from the root down to a position to evaluate. Returns its node, if it has one, and whether
    /// the node is new and waits for its priors.
    #[inline(always)]
    fn descend(
        &mut self,
        engine: &mut GraphEngine,
        graph: &mut Graph,
        root: GraphNode,
        left: Option<u32>,
    ) -> (Option<GraphNode>, bool) {
        self.leaf.game.clone_from(&self.root);
        engine.path.clear();
        engine.differences.clear();
        let has_scores = engine.scale.is_some();
        let mut node = root;
        loop {
            if has_scores {
                engine.differences.push(engine.difference_at(graph, node, self.leaf.game.so_far()));
            }
            if engine.path.len() >= engine.settings.depth {
                return (Some(node), false);
            }
            // A cycle back to a node is a second path to it, so only shared nodes can close a cycle.
            if graph.is_shared(node) && !graph.pass(node) {
                return (Some(node), false);
            }
            let (way, below) = self.choose(engine, graph, node, left);
            node = match below {
                Some(below) => below,
                None => match self.node_below(engine, graph, way) {
                    Some((node, is_new)) if is_new && engine.has_policy => {
                        if has_scores {
                            engine.differences.push(engine.difference_at(
                                graph,
                                node,
                                self.leaf.game.so_far(),
                            ));
                        }
                        return (Some(node), true);
                    }
                    Some((node, _)) => node,
                    None => return (None, false),
                },
            };
        }
    }

    /// The action of an edge of this kernel's graph, and the node it leads to if it is linked.
    #[inline(always)]
    fn follow(graph: &Graph, way: Way) -> (G::Action, Option<GraphNode>) {
        // SAFETY: kernels make their own graphs (`new_graph`) for actions of this type, and an engine passes no
        // other.
        unsafe { graph.follow(way) }
    }

    /// Takes one edge of a node, chosen by the rule or by chance.
    #[inline(always)]
    fn choose(
        &mut self,
        engine: &mut GraphEngine,
        graph: &Graph,
        node: GraphNode,
        left: Option<u32>,
    ) -> (Way, Option<GraphNode>) {
        let (player, index) = match self.leaf.game.turn() {
            Turn::Player(player) => {
                let depth = engine.path.len() as u32;
                let mut view = graph.view::<G::Action>(node, depth, if depth == 0 { left } else { None });
                if S::READS_PRIOR && engine.has_policy {
                    let noisy = depth == 0 && !engine.noisy_priors.is_empty();
                    view.prior = if noisy { &engine.noisy_priors } else { graph.priors(node) };
                }
                (player, self.select.select(&view, &mut engine.rng))
            }
            _ => (0, self.draw_outcome(engine, graph, node)),
        };
        let way = Way::new(node, index);
        engine.path.push(GraphStep { way, player });
        let (action, below) = Self::follow(graph, way);
        self.leaf.game.play(action);
        (way, below)
    }

    #[cold]
    fn draw_outcome(&self, engine: &mut GraphEngine, graph: &Graph, node: GraphNode) -> usize {
        let weight = |index| self.leaf.game.weight(Self::follow(graph, Way::new(node, index)).0);
        draw((0..node.len()).map(weight), &mut engine.rng)
    }

    /// Links an edge to the node of the position it leads to. The node may exist already; the second result is true
    /// if it is new. This happens on the edge's second visit, or on its first if the evaluation makes priors.
    #[inline(always)]
    fn node_below(
        &mut self,
        engine: &mut GraphEngine,
        graph: &mut Graph,
        way: Way,
    ) -> Option<(GraphNode, bool)> {
        let Arm { pulls, mean } = graph.arm(way);
        let is_early = pulls == 0 && !engine.has_policy;
        if is_early || engine.path.len() >= engine.settings.depth || self.leaf.game.turn() == Turn::Over {
            return None;
        }
        let key = key(engine, &self.leaf.game);
        let known = graph.find(key);
        let node = match known {
            Some(known) => known,
            None => self.open(graph, key)?,
        };
        engine.link(graph, way, node, mean, self.leaf.game.so_far());
        // Nodes that were not yet shared when the descent passed them were not marked.
        if known.is_some() && engine.path.iter().any(|step| step.way.node() == node) {
            graph.pass(node);
        }
        Some((node, known.is_none()))
    }

    /// A new node for the descent's position, if there is room.
    fn open(&mut self, graph: &mut Graph, key: u64) -> Option<GraphNode> {
        let leaf = &mut self.leaf;
        leaf.actions.clear();
        leaf.game.actions(&mut leaf.actions);
        let Payoff(scores) = leaf.game.so_far().unwrap_or_default();
        graph.open(key, &leaf.actions, scores)
    }

    /// Evaluates the leaf.
    #[inline(always)]
    fn evaluate(&mut self, engine: &mut GraphEngine) {
        if self.leaf.game.turn() == Turn::Over {
            (self.leaf.payoff, self.leaf.kind) = (self.leaf.game.payoff(), ValueKind::Result);
        } else {
            if engine.has_policy {
                // A leaf that already has a node keeps its priors; the new policy is dropped.
                self.leaf.policy.clear();
                self.leaf.actions.clear();
                self.leaf.game.actions(&mut self.leaf.actions);
            }
            self.evaluate.evaluate(std::slice::from_mut(&mut self.leaf), &mut engine.rng);
        }
    }

    fn place(&self) -> Place {
        (self.here.turn(), self.here.so_far())
    }
}

impl<G: Hashed, S: Select, E: Evaluate<G>> GraphKernel for Walker<G, S, E> {
    fn simulate(
        &mut self,
        engine: &mut GraphEngine,
        graph: &mut Graph,
        root: GraphNode,
        batch: u64,
        left: Option<u32>,
    ) {
        let batch = Batch { graph, root, simulations: batch, left };
        match S::COMPILED_TWICE {
            true => Self::simulations(self, engine, batch),
            false => Self::simulations_by(Portable, self, engine, batch),
        }
    }

    fn enough(&self, view: &View) -> bool {
        self.select.enough(view)
    }

    fn bytes(&self) -> usize {
        self.evaluate.bytes(&self.root)
    }

    fn new_graph(&self, bytes: usize, keeps_scores: bool) -> Graph {
        Graph::with_cap::<G::Action>(bytes, keeps_scores, self.evaluate.has_policy())
    }

    fn has_policy(&self) -> bool {
        self.evaluate.has_policy()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.root.payoff_range()
    }

    fn open_root(&mut self, engine: &mut GraphEngine, graph: &mut Graph) -> Option<GraphNode> {
        self.leaf.game.clone_from(&self.root);
        let key = key(engine, &self.root);
        let node = self.open(graph, key)?;
        if self.evaluate.has_policy() {
            self.evaluate(engine);
            graph.set_priors(node, &self.leaf.policy);
            let Leaf { payoff, kind, .. } = &self.leaf;
            let rewards = engine.settings.utility.rewards_of(payoff, *kind, engine.range);
            if let Turn::Player(player) = self.root.turn() {
                engine.root_value = Some(rewards[usize::from(player)]);
            }
        }
        Some(node)
    }

    fn start_walk(&mut self) -> Place {
        self.here.clone_from(&self.root);
        self.place()
    }

    fn walk(&mut self, graph: &Graph, way: Way) -> Place {
        self.here.play(Self::follow(graph, way).0);
        self.place()
    }
}

impl<G: Hashed + PartialEq, S: Select, E: Evaluate<G>> GraphSearch<G, S, E> {
    /// Resets the search to this position unless the root is already there.
    pub(crate) fn face(&mut self, game: &G) {
        if self.root() != game {
            self.reset(game.clone());
        }
    }
}

impl<G: Hashed + PartialEq, S: Select, E: Evaluate<G>> Agent<G> for GraphSearch<G, S, E> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        self.face(game);
        self.engine.run(&mut self.kernel, budget, watch).with_actions(&self.kernel.root)
    }

    fn played(&mut self, action: G::Action) {
        self.advance(action);
    }

    fn graph(&self) -> Option<&Graph> {
        self.graph()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::toys::Sweets;
    use std::collections::HashSet;

    /// Checks that every edge has the action of its place, in every position of its node. Returns the number of
    /// nodes.
    fn check_actions(search: &GraphSearch<Sweets>) -> usize {
        let graph = search.graph().unwrap();
        let root = graph.root().unwrap();
        let (mut waiting, mut seen) = (vec![(root, *search.root())], HashSet::from([root]));
        while let Some((node, game)) = waiting.pop() {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            assert_eq!(graph.edges(node).count(), actions.len());
            for edge in graph.edges(node) {
                let way = Way::new(node, edge.index.into());
                let (action, below) = Walker::<Sweets, Ucb1, Uniform>::follow(graph, way);
                assert_eq!((action, below), (actions[usize::from(edge.index)], edge.below));
                let mut after = game;
                after.play(action);
                waiting.extend(below.filter(|&below| seen.insert(below)).map(|below| (below, after)));
            }
        }
        seen.len()
    }

    /// Advancing moves nodes together with their actions, with and without scores before the headers.
    #[test]
    fn actions_stay_with_their_edges() {
        let game = Sweets::new(&[3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5]);
        for utility in [Utility::Win, Utility::score(&game)] {
            let mut search = Search::new(game).utility(utility).seed(1).memory(4 << 20).transpositions();
            for nodes_min in [150, 80, 40, 20] {
                let best = search.run(Budget::simulations(3_000)).best.unwrap();
                let nodes = check_actions(&search);
                assert!(nodes >= nodes_min && nodes == search.graph().unwrap().nodes(), "{nodes} nodes");
                search.advance(best);
                check_actions(&search);
            }
        }
    }
}
