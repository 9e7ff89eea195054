//! Transpositions: a search in which positions reached by different paths share one node.
//!
//! **What is kept.** Pulls belong to edges: each edge counts the simulations that took it. A rule sees its node's
//! edges with these counts and their total. Values belong to nodes: the value of a node is the average of all its
//! simulations, by whatever path they came. It equals the average of its edges' means, weighted by their pulls.
//!
//! **Backing up.** When a simulation is backed up through an edge to a shared node, the edge's mean becomes that
//! node's value. The change in the sum of the node above is passed up in place of the reward, so one step a level
//! keeps every average. A node with one path to it needs nothing extra: its value is the edge's own running mean.
//! Where no paths meet, this search and the plain search are therefore equal to the last bit. This is UCT2 of Childs,
//! Brodeur & Kocsis (2008) with the backup of KataGo's graph search.
//!
//! **Why it is sound.** Suppose the visits of the node below counted as pulls. Then an edge whose node others visited
//! often would look explored without ever having been tried from here. The average of the node above would follow the
//! preferences of other nodes. With pulls on edges, each node is a bandit of its own. Its rule tries every edge
//! infinitely often and reads a value that tends to the true one (by induction from the ends of the game). It spends
//! nearly all pulls on the best edge. So the node's own value, the average by its own pulls, tends to the best too.
//!
//! **Cycles** are not followed: a descent that reaches a node it has passed ends there. The playout from there counts
//! as that node's own. So every time a value feeds back into itself, one more playout corrects it. A descent marks
//! only shared nodes, because a cycle back to a node is itself a second path to it.
//!
//! **Scores.** If payoffs add up during play ([`Hashed::so_far`]) and the search maximises the score, positions share a
//! node whatever was paid before. A node counts every simulation as if it had come by the first path to its position.
//! So its rewards are those of possible games, within 0..=1. An edge adds the difference:
//! the first score of its own node, plus what the edge paid, minus the first score of the node below. If the search
//! maximises wins, the score so far matters, so it distinguishes positions.
//!
//! With more than two players, or two without a constant sum, an edge's mean is the average of its own simulations
//! (UCT1): nodes are shared, values are not. Graphs have no solver, no waves and no recycling. Rules that read
//! squared rewards get those of wins and losses.

use crate::budget::Meter;
use crate::engine::{LARGE_PAGES_FROM, OVERHEAD_BYTES, Settings, standard_error};
use crate::graph::{Graph, GraphEdge, GraphNode, Way};
use crate::{
    ArmReport, Budget, DEPTH_MAX, Line, PLAYERS_MAX, Payoff, Player, Progress, Recommend, Report, Rng,
    StopHandle, Stopped, Turn, Watch,
};
use aji_bandit::{Arm, PULLS_MAX, View};
use std::time::Duration;

/// The difference between two paths to a position, as rewards of each player.
pub(crate) type Difference = [f32; PLAYERS_MAX];

/// The most simulations of a graph. A simulation counts at most twice at a node: where a cycle ends.
const SIMULATIONS_MAX: u64 = PULLS_MAX as u64 / 2;

/// One choice of the descent: the edge taken, and the player whose reward it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphStep {
    pub(crate) way: Way,
    pub(crate) player: Player,
}

/// A position as the engine sees it: who acts, and each player's score so far if the hash leaves it out.
pub(crate) type Place = (Turn, Option<Payoff>);

/// The part of a search that knows the game, as the engine sees it.
pub(crate) trait GraphKernel {
    /// Runs this many simulations.
    fn simulate(
        &mut self,
        engine: &mut GraphEngine,
        graph: &mut Graph,
        root: GraphNode,
        batch: u64,
        left: Option<u32>,
    );

    /// Whether the rule expects nothing from further simulations.
    fn enough(&self, view: &View) -> bool;

    /// The bytes of the evaluation.
    fn bytes(&self) -> usize;

    /// Whether the evaluation makes priors.
    fn has_policy(&self) -> bool;

    /// The range of the game's payoffs.
    fn payoff_range(&self) -> (f32, f32);

    /// An empty graph for the game's actions.
    fn new_graph(&self, bytes: usize, keeps_scores: bool) -> Graph;

    /// Makes the node of the root, with priors if the evaluation makes any.
    fn open_root(&mut self, engine: &mut GraphEngine, graph: &mut Graph) -> Option<GraphNode>;

    /// Starts a walk of the graph at the root.
    fn start_walk(&mut self) -> Place;

    /// Follows an edge from the walk's node.
    fn walk(&mut self, graph: &Graph, way: Way) -> Place;
}

/// A search of a graph without its game, its rule and its evaluation.
pub(crate) struct GraphEngine {
    pub(crate) settings: Settings,
    pub(crate) rng: Rng,
    pub(crate) stop: StopHandle,
    pub(crate) graph: Option<Graph>,
    pub(crate) path: Vec<GraphStep>,
    /// For each node on the path, its score when it was made minus its score by this path, if scores can differ.
    pub(crate) differences: Vec<Difference>,
    pub(crate) simulated: u64,
    /// The sum of both players' rewards, if nodes have values.
    pub(crate) total: Option<f64>,
    /// The reward of one point, if nodes leave out the score so far.
    pub(crate) scale: Option<f32>,
    /// The range of the game's payoffs.
    pub(crate) range: (f32, f32),
    /// Whether the evaluation makes priors.
    pub(crate) has_policy: bool,
    /// The root's priors with noise, for the current run; empty without noise.
    pub(crate) noisy_priors: Vec<f32>,
    /// The evaluation's value of the root, from the side of the player to act.
    pub(crate) root_value: Option<f32>,
}

/// A run under way, as a [`Watch`] sees it.
struct Underway<'a> {
    engine: &'a GraphEngine,
    kernel: &'a mut dyn GraphKernel,
    graph: &'a Graph,
    meter: &'a Meter,
}

impl Progress for Underway<'_> {
    fn simulations(&self) -> u64 {
        self.meter.spent()
    }

    fn time(&self) -> Duration {
        self.meter.elapsed()
    }

    fn report(&mut self) -> Option<Report<u16>> {
        Some(self.engine.report(self.kernel, Some(self.graph), self.meter, Stopped::Nothing))
    }
}

impl GraphEngine {
    /// The bytes of the search without its graph.
    pub(crate) fn overhead(&self, kernel: &dyn GraphKernel) -> usize {
        let differences = if self.scale.is_some() { (DEPTH_MAX + 1) * size_of::<Difference>() } else { 0 };
        OVERHEAD_BYTES + differences + kernel.bytes()
    }

    /// Searches until the budget is spent, adding to the existing graph.
    pub(crate) fn run(
        &mut self,
        kernel: &mut dyn GraphKernel,
        budget: Budget,
        watch: &mut dyn Watch,
    ) -> Report<u16> {
        let mut meter = Meter::new(budget);
        let Some((mut graph, root)) = self.planted(kernel, budget) else {
            return self.report(kernel, self.graph.as_ref(), &meter, Stopped::Nothing);
        };
        let stopped = loop {
            let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
            let batch = match self.next_batch(kernel, &mut meter, &graph.plain_view(root, 0, left)) {
                Ok(batch) => batch,
                Err(stopped) => break stopped,
            };
            kernel.simulate(self, &mut graph, root, batch, left);
            self.simulated += batch;
            meter.spend(batch);
            if !watch.look(&mut Underway { engine: self, kernel, graph: &graph, meter: &meter }) {
                break Stopped::Handle;
            }
        };
        let report = self.report(kernel, Some(&graph), &meter, stopped);
        self.graph = Some(graph);
        report
    }

    fn next_batch(&self, kernel: &dyn GraphKernel, meter: &mut Meter, root: &View) -> Result<u64, Stopped> {
        if self.stop.is_stopped() {
            self.stop.rearm();
            return Err(Stopped::Handle);
        }
        if self.simulated >= SIMULATIONS_MAX {
            return Err(Stopped::PullsMax);
        }
        if meter.is_look() && kernel.enough(root) {
            return Err(Stopped::Enough);
        }
        Ok(meter.next_batch()?.min(SIMULATIONS_MAX - self.simulated))
    }

    /// The graph and its expanded root; none if there is nothing to search. The first run makes them.
    fn planted(&mut self, kernel: &mut dyn GraphKernel, budget: Budget) -> Option<(Graph, GraphNode)> {
        if kernel.start_walk().0 == Turn::Over {
            return None;
        }
        let mut graph = self.graph.take().unwrap_or_else(|| {
            let bytes = self.settings.memory.saturating_sub(self.overhead(kernel));
            kernel.new_graph(bytes, self.scale.is_some())
        });
        if budget.simulations.is_none_or(|simulations| simulations >= LARGE_PAGES_FROM) {
            graph.prefer_large_pages();
        }
        self.path.clear();
        self.path.reserve_exact(DEPTH_MAX);
        self.differences.clear();
        self.differences.reserve_exact(if self.scale.is_some() { DEPTH_MAX + 1 } else { 0 });
        (self.has_policy, self.range) = (kernel.has_policy(), kernel.payoff_range());
        if graph.root().is_none() {
            let Some(root) = kernel.open_root(self, &mut graph) else {
                self.graph = Some(graph);
                return None;
            };
            graph.set_root(root);
        }
        let root = graph.root()?;
        self.noisy_priors.clear();
        if let (Some(noise), true) = (self.settings.noise, self.has_policy) {
            self.noisy_priors.extend(graph.priors(root));
            noise.add_to(&mut self.noisy_priors, &mut self.rng);
        }
        Some((graph, root))
    }

    /// Back up: every edge on the path counts its reward to the player who took it, and its node counts the value to
    /// player 0. Above a shared node, the change of that edge's sum replaces the rewards.
    #[inline(always)]
    pub(crate) fn back_up(
        &mut self,
        graph: &mut Graph,
        leaf: Option<GraphNode>,
        rewards: [f32; PLAYERS_MAX],
    ) {
        let has_scores = self.scale.is_some();
        let difference = |level: usize, player: Player| -> f32 {
            if has_scores { self.differences[level][usize::from(player)] } else { 0.0 }
        };
        let has_values = self.total.is_some();
        let mut level = self.path.len();
        let mut is_shared = leaf.is_some_and(|leaf| graph.add_own(leaf, rewards[0] + difference(level, 0)));
        while level > 0 && !(is_shared && has_values) {
            level -= 1;
            let GraphStep { way, player } = self.path[level];
            let value = rewards[0] + difference(level, 0);
            is_shared = graph.add(way, value, rewards[usize::from(player)] + difference(level, player));
        }
        if level > 0 {
            let below = self.path.get(level).map(|step| step.way.node()).or(leaf);
            self.back_up_moved(graph, level, below, rewards);
        }
    }

    /// The rest of the backup, from a shared node up.
    fn back_up_moved(
        &mut self,
        graph: &mut Graph,
        from: usize,
        shared: Option<GraphNode>,
        mut rewards: [f32; PLAYERS_MAX],
    ) {
        let mut shared = shared;
        for level in (0..from).rev() {
            let GraphStep { way, player } = self.path[level];
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

    /// Links the last edge of the path to the node it leads to. The node inherits the visits and the mean of the edge.
    /// `so_far` is each player's score there.
    pub(crate) fn link(
        &self,
        graph: &mut Graph,
        way: Way,
        node: GraphNode,
        mean: f32,
        so_far: Option<Payoff>,
    ) {
        let Some(&GraphStep { player, .. }) = self.path.last() else { return };
        let above = self.difference(self.path.len() - 1, player);
        let below = self.difference_at(graph, node, so_far)[usize::from(player)];
        let value = f64::from(mean + below - above);
        graph.link(way, node, self.other_side(player).map_or(value, |total| total - value));
    }

    /// The sum of both rewards if this is the second of two players, whose value is that sum minus the first
    /// player's.
    #[inline(always)]
    pub(crate) fn other_side(&self, player: Player) -> Option<f64> {
        self.total.filter(|_| player == 1)
    }

    /// The scores of the node when it was made minus these scores, as rewards.
    pub(crate) fn difference_at(&self, graph: &Graph, node: GraphNode, so_far: Option<Payoff>) -> Difference {
        let (Some(scale), Some(Payoff(points))) = (self.scale, so_far) else {
            return Difference::default();
        };
        let first = graph.scores(node);
        std::array::from_fn(|player| (first[player] - points[player]) * scale)
    }

    /// The same for the node at this level of the path.
    #[inline(always)]
    pub(crate) fn difference(&self, level: usize, player: Player) -> f32 {
        if self.scale.is_some() { self.differences[level][usize::from(player)] } else { 0.0 }
    }

    /// Makes the node with this hash the root. Keeps what can be reached from there and frees the rest.
    pub(crate) fn advance(&mut self, key: u64) {
        self.root_value = None;
        let Some(graph) = &mut self.graph else { return };
        match graph.find(key) {
            Some(node) => graph.advance(node),
            None => self.clear(),
        }
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        (self.simulated, self.root_value) = (0, None);
        if let Some(graph) = &mut self.graph {
            graph.clear();
        }
    }

    fn report(
        &self,
        kernel: &mut dyn GraphKernel,
        graph: Option<&Graph>,
        meter: &Meter,
        stopped: Stopped,
    ) -> Report<u16> {
        let mut report = Report::empty(meter, stopped);
        let Some(graph) = graph else { return report };
        (report.nodes, report.bytes, report.left_out) = (graph.len(), graph.bytes(), graph.left_out());
        let Some(root) = graph.root() else { return report };
        let place = kernel.start_walk();
        let edges = self.edges_from(graph, root, place);
        let priors = graph.priors(root);
        let best = self.best(&edges, priors, place.0, self.settings.recommend);
        let arm =
            |edge: &GraphEdge| ArmReport { prior: priors.get(usize::from(edge.index)).copied(), ..arm(edge) };
        report.arms = edges.iter().map(arm).collect();
        report.evaluation = self.root_value;
        report.best = best.map(|edge| edge.index);
        report.value = best.map(|edge| edge.arm.mean);
        let mut next = best;
        let mut others: Vec<GraphEdge> = edges.into_iter().filter(|edge| edge.arm.pulls > 0).collect();
        while let Some(edge) = next {
            let Arm { pulls, mean } = edge.arm;
            report.lines.push(Line { actions: self.line(kernel, graph, root, edge), pulls, value: mean });
            others.retain(|other| other.index != edge.index);
            let wants_more = report.lines.len() < self.settings.lines;
            next =
                if wants_more { self.best(&others, priors, place.0, self.settings.recommend) } else { None };
        }
        report.line = report.lines.first().map_or(Vec::new(), |line| line.actions.clone());
        report
    }

    /// The edges of a node with their values in this position, whose score so far may differ from the node's.
    fn edges_from(&self, graph: &Graph, node: GraphNode, (turn, so_far): Place) -> Vec<GraphEdge> {
        let player = if let Turn::Player(player) = turn { player } else { 0 };
        let difference = self.difference_at(graph, node, so_far)[usize::from(player)];
        let here = |edge: GraphEdge| {
            let Arm { pulls, mean } = edge.arm;
            let mean = if pulls == 0 { mean } else { (mean - difference).clamp(0.0, 1.0) };
            GraphEdge { arm: Arm { pulls, mean }, ..edge }
        };
        graph.edges(node).map(here).collect()
    }

    /// The best continuation after an edge, as far as it was searched, up to the first chance node or repetition.
    fn line(
        &self,
        kernel: &mut dyn GraphKernel,
        graph: &Graph,
        root: GraphNode,
        from: GraphEdge,
    ) -> Vec<u16> {
        let (mut line, mut seen, mut next) = (Vec::new(), vec![root], Some((root, from)));
        kernel.start_walk();
        while let Some((node, edge)) = next {
            line.push(edge.index);
            let (turn, _) = kernel.walk(graph, Way::new(node, edge.index.into()));
            next = edge.below.filter(|below| !seen.contains(below)).and_then(|below| {
                seen.push(below);
                let tried: Vec<_> = graph.edges(below).filter(|edge| edge.arm.pulls > 0).collect();
                self.best(&tried, &[], turn, Recommend::MostPulls).map(|edge| (below, edge))
            });
        }
        line
    }

    /// The edge to play; none if no player is to move.
    fn best(
        &self,
        edges: &[GraphEdge],
        priors: &[f32],
        turn: Turn,
        recommend: Recommend,
    ) -> Option<GraphEdge> {
        let Turn::Player(_) = turn else { return None };
        let prior = |edge: &GraphEdge| priors.get(usize::from(edge.index)).copied().unwrap_or(1.0);
        let imagined = self.settings.utility.imagined(edges.iter().map(|edge| edge.arm));
        let ranked = edges.iter().map(|edge| (*edge, recommend.rank(edge.arm, prior(edge), imagined)));
        ranked.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }
}

/// An action at the root. Its standard error assumes rewards of 0 or 1, which can only make it larger.
fn arm(edge: &GraphEdge) -> ArmReport<u16> {
    let (action, Arm { pulls, mean }) = (edge.index, edge.arm);
    let error = (pulls > 1).then(|| standard_error(pulls, mean, edge.arm.sum()));
    ArmReport { error, ..ArmReport::new(action, pulls, mean) }
}
