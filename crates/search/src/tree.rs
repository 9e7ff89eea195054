//! The tree: one flat arena of edges under a hard cap in bytes. `docs/tree.md` draws it.
//!
//! An edge is a choice in a node together with the node it leads to, so a node needs no record of its own. The edges
//! of a node are contiguous (a block) and are all made at once. Two columns run side by side. The arms are stored
//! block by block, as selection scans them ([`Block`]). The [`Links`] hold the action, where the block below starts,
//! and its length; a descent reads one link a level. The tree does not know the type of the actions, so it is
//! compiled once for all games. A block always lies behind the edge that leads to it. That makes freeing in place a
//! single sweep.

mod saved;
mod sweep;

pub(crate) use saved::Counters;

use crate::bounds::Bounds;
use crate::column::Column;
use crate::links::{Head, Links};
use crate::prefetch::prefetch;
use aji_bandit::{ARM_WORDS, Arm, Block, View, untried_runs};
use std::ops::Range;

/// The most actions that a node can have. The search never expands a node with more.
pub const ACTIONS_MAX: usize = u16::MAX as usize - 1;

/// The maximum depth of a tree. Playouts continue below it.
pub const DEPTH_MAX: usize = 4096;

/// The most edges that an arena can index. [`Tree::advance`] uses the top bit of a link.
const EDGES_MAX: usize = (HUNG - 1) as usize;

/// Words of the arena in one cache line.
pub(crate) const CACHE_LINE_WORDS: usize = 16;

/// Marks a link that names its owner during [`Tree::advance`].
const HUNG: u32 = 1 << 31;

/// The owner of the root's block, since no edge leads to the root.
const NO_EDGE: u32 = HUNG - 1;

/// An edge of the tree: a choice, and the node it leads to. Valid until the tree is advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The block that holds it: its start and its length.
    first: u32,
    count: u16,
    /// Its place in the block.
    index: u16,
}

impl Edge {
    /// The number of edges in its block, including itself.
    #[inline(always)]
    pub(crate) fn siblings(self) -> usize {
        self.count.into()
    }

    /// Its place among the edges of its node. [`Tree::place`] gives the place of its action.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.index.into()
    }

    /// A unique number below [`Tree::len`]. It changes when the tree is advanced or recycled.
    #[inline(always)]
    pub fn id(self) -> usize {
        self.first as usize + usize::from(self.index)
    }
}

/// Where a descent stands: a node's block of edges (empty while the node is a leaf), and the simulations through the
/// node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    first: u32,
    count: u16,
    pub(crate) pulls: u32,
}

impl Node {
    #[inline(always)]
    pub(crate) fn is_leaf(self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(crate) fn edge(self, index: usize) -> Edge {
        Edge { first: self.first, count: self.count, index: index as u16 }
    }

    pub(crate) fn edges(self) -> impl Iterator<Item = Edge> + Clone + use<> {
        (0..usize::from(self.count)).map(move |index| self.edge(index))
    }
}

/// The optional columns of a tree, for each edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The mean squared reward, for rules that read it: 4 bytes.
    pub squares: bool,
    /// Proven bounds, for the solver: 8 bytes.
    pub bounds: bool,
    /// The key of the action, for evaluations that learn: 4 bytes.
    pub keys: bool,
    /// AMAF statistics (all moves as first), for rules that read them: 8 bytes.
    pub amaf: bool,
    /// The prior of each action, for an evaluation with a policy: 4 bytes.
    pub priors: bool,
}

/// A search tree.
pub struct Tree {
    root: Node,
    /// The places of the root's actions if it has only some of them; empty if it has all.
    root_places: Vec<u16>,
    arms: Column<u32>,
    links: Links,
    /// The mean squared reward of each edge; empty unless the rule reads it.
    squares: Column<f32>,
    /// The AMAF statistics of each edge; empty unless the rule reads them.
    amaf: Column<Arm>,
    /// The proven bounds of each edge, packed; empty without a solver. Written only where something is proven.
    bounds: Column<[u32; 2]>,
    /// The key of each edge's action; empty unless the evaluation learns.
    keys: Column<u32>,
    /// The prior of each edge; empty unless the evaluation makes priors. The priors of a node sum to 1.
    priors: Column<f32>,
    /// One past the last edge with a proven bound.
    bounds_end: usize,
    extras: Extras,
    capacity: usize,
    left_out: u64,
    recycled: u64,
    /// Whether freeing the least visited blocks still helps.
    recycles: bool,
}

impl Tree {
    /// The bytes of one edge with an action of this type.
    pub fn edge_bytes<A: Copy>(extras: Extras) -> usize {
        Links::bytes::<A>() + Tree::arm_bytes(extras)
    }

    /// The bytes of an edge without its link.
    fn arm_bytes(extras: Extras) -> usize {
        let squares = if extras.squares { size_of::<f32>() } else { 0 };
        let bounds = if extras.bounds { size_of::<[u32; 2]>() } else { 0 };
        let keys = if extras.keys { size_of::<u32>() } else { 0 };
        let amaf = if extras.amaf { size_of::<Arm>() } else { 0 };
        let priors = if extras.priors { size_of::<f32>() } else { 0 };
        ARM_WORDS * size_of::<u32>() + squares + bounds + keys + amaf + priors
    }

    /// An empty tree that never takes more than `bytes`. It reserves the memory now, so growth never copies and never
    /// exceeds the cap. Reserved memory that is never used costs nothing. If the system refuses, the cap is halved
    /// until it agrees.
    pub(crate) fn with_cap<A: Copy>(bytes: usize, extras: Extras) -> Tree {
        let mut capacity = (bytes / Tree::edge_bytes::<A>(extras)).min(EDGES_MAX);
        loop {
            let columns = (
                Column::reserve(capacity * ARM_WORDS),
                Links::reserve::<A>(capacity),
                Column::reserve(if extras.squares { capacity } else { 0 }),
                Column::zeroed(if extras.bounds { capacity } else { 0 }),
                Column::reserve(if extras.keys { capacity } else { 0 }),
                Column::reserve(if extras.amaf { capacity } else { 0 }),
                Column::reserve(if extras.priors { capacity } else { 0 }),
            );
            if let (
                Some(arms),
                Some(links),
                Some(squares),
                Some(bounds),
                Some(keys),
                Some(amaf),
                Some(priors),
            ) = columns
            {
                let root = Node::default();
                return Tree {
                    root,
                    root_places: Vec::new(),
                    arms,
                    links,
                    squares,
                    amaf,
                    bounds,
                    keys,
                    priors,
                    bounds_end: 0,
                    extras,
                    capacity,
                    left_out: 0,
                    recycled: 0,
                    recycles: true,
                };
            }
            capacity /= 2;
        }
    }

    /// Asks for large pages, which pays off for a tree of megabytes.
    pub(crate) fn prefer_large_pages(&mut self) {
        self.arms.prefer_large_pages();
        self.links.prefer_large_pages();
        self.squares.prefer_large_pages();
        self.amaf.prefer_large_pages();
        self.priors.prefer_large_pages();
    }

    /// The number of edges in the tree.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// True before the root is expanded.
    pub fn is_empty(&self) -> bool {
        self.links.len() == 0
    }

    /// The number of edges that fit under the cap.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.len() * self.bytes_each()
    }

    /// The bytes of one edge.
    pub(crate) fn bytes_each(&self) -> usize {
        self.links.stride() + Tree::arm_bytes(self.extras)
    }

    /// How often a node was not expanded because the tree was full.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many edges were freed for others since the tree was last empty or advanced.
    pub fn recycled(&self) -> u64 {
        self.recycled
    }

    /// Simulations through the root.
    pub fn pulls(&self) -> u32 {
        self.root.pulls
    }

    /// The edges out of the root.
    pub fn root_edges(&self) -> impl Iterator<Item = Edge> + use<> {
        self.root.edges()
    }

    /// The edges out of the node that this edge leads to; none while that node is a leaf.
    pub fn edges_below(&self, edge: Edge) -> impl Iterator<Item = Edge> + use<> {
        self.below(edge).edges()
    }

    /// The place of an edge's action in [`Game::actions`](crate::Game::actions). It differs from [`Edge::index`] only
    /// at the root of a search of [some actions](crate::Search::allow).
    pub fn place(&self, edge: Edge) -> usize {
        match self.root_places.get(edge.index()) {
            Some(&place) if edge.first == self.root.first => place.into(),
            _ => edge.index(),
        }
    }

    /// The places of the root's actions if it has only some of them; empty if it has all.
    pub(crate) fn root_places(&self) -> &[u16] {
        &self.root_places
    }

    /// The statistics of an edge, from the side of the player who takes it.
    pub fn arm(&self, edge: Edge) -> Arm {
        View::new(&self.arms[words(edge.first, edge.count)], 0).arm(edge.index.into())
    }

    /// The action of an edge.
    ///
    /// # Safety
    ///
    /// `A` must be the type of the actions that the tree was [made for](Tree::with_cap).
    #[inline(always)]
    pub(crate) unsafe fn action<A: Copy>(&self, edge: Edge) -> A {
        // SAFETY: the caller promises the type, and `append` adds no other.
        unsafe { self.links.action(edge.id()) }
    }

    /// The action of an edge, and the node that it leads to.
    ///
    /// # Safety
    ///
    /// As for [`action`](Tree::action).
    #[inline(always)]
    pub(crate) unsafe fn follow<A: Copy>(&self, edge: Edge) -> (A, Node) {
        // SAFETY: as for `action`.
        let (action, Head { first, count }) = unsafe { self.links.follow(edge.id()) };
        (action, Node { first, count, pulls: self.pulls_of(edge) })
    }

    /// The simulations through an edge.
    #[inline(always)]
    fn pulls_of(&self, edge: Edge) -> u32 {
        self.arms[words(edge.first, edge.count)][2 * usize::from(edge.count) + usize::from(edge.index)]
    }

    /// The arms of the block that holds this edge.
    #[inline(always)]
    pub(crate) fn arms_beside(&self, edge: Edge) -> View<'_> {
        View::new(&self.arms[words(edge.first, edge.count)], 0)
    }

    #[inline(always)]
    pub(crate) fn root(&self) -> Node {
        self.root
    }

    /// The node that an edge leads to.
    #[inline(always)]
    pub(crate) fn below(&self, edge: Edge) -> Node {
        let Head { first, count } = self.links.head(edge.id());
        Node { first, count, pulls: self.pulls_of(edge) }
    }

    /// A node's arms, as a rule sees them. Also prefetches the pulls and links that the choice will need.
    #[inline(always)]
    pub(crate) fn view<A: Copy>(&self, node: Node, depth: u32, left: Option<u32>) -> View<'_> {
        let block = links(node.first, node.count);
        prefetch(&self.arms, (block.end * ARM_WORDS).wrapping_sub(1));
        self.links.ask_for::<A>(block.start);
        self.links.ask_for::<A>(block.end.wrapping_sub(1));
        self.plain_view(node, depth, left)
    }

    /// A node's arms, as a rule sees them.
    #[inline(always)]
    pub(crate) fn plain_view(&self, node: Node, depth: u32, left: Option<u32>) -> View<'_> {
        let squares = if self.extras.squares { &self.squares[links(node.first, node.count)] } else { &[] };
        View { squares, left, depth, ..View::new(&self.arms[words(node.first, node.count)], node.pulls) }
    }

    /// Expands the root.
    pub(crate) fn open_root<A: Copy>(&mut self, actions: &[A]) -> bool {
        let opened = self.append(actions);
        if let Some(first) = opened {
            self.root = Node { first, count: actions.len() as u16, pulls: self.root.pulls };
        }
        opened.is_some()
    }

    /// Expands the root with only the actions at these places.
    pub(crate) fn open_root_with<A: Copy>(&mut self, places: &[u16], actions: &[A]) -> bool {
        debug_assert_eq!(places.len(), actions.len());
        let opened = self.open_root(actions);
        if opened {
            self.root_places = places.to_vec();
        }
        opened
    }

    /// Expands the node that this edge leads to. False when there is no room.
    pub(crate) fn open<A: Copy>(&mut self, edge: Edge, actions: &[A]) -> bool {
        let opened = self.append(actions);
        if let Some(first) = opened {
            self.links.set_head(edge.id(), Head { first, count: actions.len() as u16 });
        }
        opened.is_some()
    }

    /// Expands the node that this edge leads to, or the root. None when there is no room.
    pub(crate) fn open_at<A: Copy>(&mut self, edge: Option<Edge>, actions: &[A]) -> Option<Node> {
        let opened = match edge {
            Some(edge) => self.open(edge, actions),
            None => self.open_root(actions),
        };
        opened.then(|| edge.map_or(self.root, |edge| self.below(edge)))
    }

    fn append<A: Copy>(&mut self, actions: &[A]) -> Option<u32> {
        let first = self.links.len();
        if actions.len() > self.capacity - first || actions.len() > ACTIONS_MAX {
            self.left_out += 1;
            return None;
        }
        self.links.extend(actions);
        self.append_arms(actions.len());
        Some(first as u32)
    }

    fn append_arms(&mut self, count: usize) {
        untried_runs(count).into_iter().for_each(|(count, word)| self.arms.fill(count, word));
        if self.extras.squares {
            self.squares.fill(count, 0.0);
        }
        if self.extras.amaf {
            self.amaf.fill(count, Arm { pulls: 0, mean: 0.0 });
        }
        if self.extras.priors {
            self.priors.fill(count, 1.0 / count as f32);
        }
    }

    /// Sets the priors of a node from weights on any scale, one for each edge. Invalid weights change nothing.
    pub(crate) fn set_priors(&mut self, node: Node, weights: &[f32]) {
        if self.extras.priors {
            normalise(&mut self.priors[links(node.first, node.count)], weights);
        }
    }

    /// The priors of a node's edges; empty if the evaluation makes none.
    #[inline(always)]
    pub fn priors_below(&self, edge: Edge) -> &[f32] {
        self.priors(self.below(edge))
    }

    /// The priors of the root's edges; empty if the evaluation makes none.
    pub fn root_priors(&self) -> &[f32] {
        self.priors(self.root())
    }

    #[inline(always)]
    pub(crate) fn priors(&self, node: Node) -> &[f32] {
        if self.extras.priors { &self.priors[links(node.first, node.count)] } else { &[] }
    }

    /// Stores the keys of the newest block, in the order of its actions.
    pub(crate) fn set_keys(&mut self, keys: impl ExactSizeIterator<Item = u32>) {
        self.keys.extend(keys);
    }

    /// The keys of the block that holds this edge.
    #[inline(always)]
    pub(crate) fn keys_beside(&self, edge: Edge) -> &[u32] {
        &self.keys[links(edge.first, edge.count)]
    }

    /// Counts simulations through the root.
    #[inline(always)]
    pub(crate) fn count_root(&mut self, simulations: u32) {
        self.root.pulls += simulations;
    }

    /// Counts a simulation through an edge, with its reward to the player who took it.
    #[inline(always)]
    pub(crate) fn add(&mut self, edge: Edge, reward: f32) {
        let block = &mut self.arms[words(edge.first, edge.count)];
        let pulls = Block::new(block).add(edge.index.into(), reward);
        if self.extras.squares {
            let square = &mut self.squares[edge.id()];
            *square += (reward * reward - *square) / pulls as f32;
        }
    }

    /// The AMAF statistics of an edge; none if the tree does not keep them.
    pub fn amaf(&self, edge: Edge) -> Option<Arm> {
        self.amaf.get(edge.id()).copied()
    }

    /// The AMAF statistics of a node's edges; empty if the tree does not keep them.
    #[inline(always)]
    pub(crate) fn amaf_of(&self, node: Node) -> &[Arm] {
        if self.extras.amaf { &self.amaf[links(node.first, node.count)] } else { &[] }
    }

    /// The AMAF statistics of the block that holds this edge.
    #[inline(always)]
    pub(crate) fn amaf_beside(&mut self, edge: Edge) -> &mut [Arm] {
        &mut self.amaf[links(edge.first, edge.count)]
    }

    /// Counts several simulations through an edge at once. `sum` is the sum of their rewards to the player who took
    /// it, `squares` the sum of the squared rewards.
    #[inline(always)]
    pub(crate) fn gain(&mut self, edge: Edge, simulations: u32, sum: f32, squares: f32) {
        if self.extras.bounds && self.is_proven(edge) {
            return self.count(edge, simulations);
        }
        let block = &mut self.arms[words(edge.first, edge.count)];
        let pulls = Block::new(block).add_all(edge.index.into(), simulations, sum);
        if self.extras.squares {
            let square = &mut self.squares[edge.id()];
            *square += (squares - simulations as f32 * *square) / pulls as f32;
        }
    }

    /// The optional columns.
    pub(crate) fn extras(&self) -> Extras {
        self.extras
    }

    /// Sets the statistics of an edge that is not proven.
    pub(crate) fn set_arm(&mut self, edge: Edge, arm: Arm) {
        Block::new(&mut self.arms[words(edge.first, edge.count)]).set(edge.index.into(), arm);
    }

    /// The mean squared reward of an edge; none if the tree does not keep it.
    pub fn square(&self, edge: Edge) -> Option<f32> {
        self.squares.get(edge.id()).copied()
    }

    pub(crate) fn set_square(&mut self, edge: Edge, square: f32) {
        self.squares[edge.id()] = square;
    }

    pub(crate) fn set_amaf(&mut self, edge: Edge, arm: Arm) {
        self.amaf[edge.id()] = arm;
    }

    /// Prefetches what following an edge will read.
    #[inline(always)]
    pub(crate) fn ask_for_link<A: Copy>(&self, edge: Edge) {
        self.links.ask_for::<A>(edge.id());
    }

    /// Prefetches the arms of a node. The processor fetches the middle of a long block by itself.
    #[inline(always)]
    pub(crate) fn ask_for(&self, node: Node) {
        let start = node.first as usize * ARM_WORDS;
        prefetch(&self.arms, start);
        prefetch(&self.arms, start + CACHE_LINE_WORDS);
        prefetch(&self.arms, start + 2 * CACHE_LINE_WORDS);
    }

    /// True for an edge with a proven value.
    #[inline(always)]
    pub(crate) fn is_proven(&self, edge: Edge) -> bool {
        self.arms[words(edge.first, edge.count)][usize::from(edge.count) + usize::from(edge.index)] == 0
    }

    /// Counts simulations through an edge with a proven value.
    pub(crate) fn count(&mut self, edge: Edge, simulations: u32) {
        Block::new(&mut self.arms[words(edge.first, edge.count)]).count(edge.index.into(), simulations);
    }

    /// The proven reward of player 0 below an edge.
    #[inline(always)]
    pub fn proven(&self, edge: Edge) -> Option<f32> {
        if self.extras.bounds && self.is_proven(edge) { self.bounds(edge).value() } else { None }
    }

    /// The proven bounds of an edge.
    pub(crate) fn bounds(&self, edge: Edge) -> Bounds {
        self.bounds.get(edge.id()).map_or(Bounds::OPEN, |&packed| Bounds::unpack(packed))
    }

    /// The proven bounds of all edges of the block that holds this edge.
    pub(crate) fn block_bounds(&self, edge: Edge) -> impl Iterator<Item = Bounds> + Clone {
        self.bounds[links(edge.first, edge.count)].iter().map(|&packed| Bounds::unpack(packed))
    }

    /// Stores the proven bounds of an edge. `value` is what they are worth to the player who takes the edge, if they
    /// are one number. False when they are not new.
    pub(crate) fn prove(&mut self, edge: Edge, bounds: Bounds, value: Option<f32>) -> bool {
        let known = &mut self.bounds[edge.id()];
        if *known == bounds.pack() {
            return false;
        }
        *known = bounds.pack();
        self.bounds_end = self.bounds_end.max(edge.id() + 1);
        if let Some(value) = value {
            Block::new(&mut self.arms[words(edge.first, edge.count)]).prove(edge.index.into(), value);
        }
        true
    }

    /// Empties the tree and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.root = Node::default();
        self.root_places.clear();
        (self.recycled, self.recycles) = (0, true);
        self.truncate(0);
    }

    fn truncate(&mut self, len: usize) {
        self.arms.truncate(len * ARM_WORDS);
        self.links.truncate(len);
        self.squares.truncate(len);
        self.keys.truncate(len);
        self.amaf.truncate(len);
        self.priors.truncate(len);
        let forgotten = len.min(self.bounds_end)..self.bounds_end;
        self.bounds[forgotten].fill(Bounds::OPEN.pack());
        self.bounds_end = self.bounds_end.min(len);
        self.left_out = 0;
    }
}

/// Turns weights on any scale into priors. Leaves the priors as they are if the weights are too few, negative, not
/// numbers or all 0.
pub(crate) fn normalise(priors: &mut [f32], weights: &[f32]) {
    let sum: f32 = weights.iter().sum();
    let make_sense = weights.len() == priors.len() && weights.iter().all(|&weight| weight >= 0.0);
    if make_sense && sum > 0.0 && sum.is_finite() {
        priors.iter_mut().zip(weights).for_each(|(prior, weight)| *prior = weight / sum);
    }
}

/// The range of a block's links.
#[inline(always)]
fn links(first: u32, count: u16) -> Range<usize> {
    first as usize..first as usize + usize::from(count)
}

/// The range of the words of a block's arms.
#[inline(always)]
fn words(first: u32, count: u16) -> Range<usize> {
    first as usize * ARM_WORDS..(first as usize + usize::from(count)) * ARM_WORDS
}
