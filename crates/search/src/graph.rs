//! The graph: a position reached by several paths has one node. Like the tree, it is one flat arena under a hard cap
//! in bytes.
//!
//! The arena is divided into slots; each holds an arm and a link. A node is a few consecutive slots: a header, then a
//! block of edges as in the tree. The header uses the words of its arms for its own fields. If the graph keeps
//! scores, they come before the header. A link names the node that its edge leads to; several links may name the same
//! node, wherever it lies. While the graph is advanced, the link of a header holds the node's new place. A table
//! finds a node by the hash of its position.
//!
//! `docs/transpositions.md` says what the numbers mean and why they are sound.

mod index;

use crate::PLAYERS_MAX;
use crate::column::Column;
use crate::links::{Head, Links};
use crate::prefetch::prefetch;
use crate::tree::{ACTIONS_MAX, normalise};
use aji_bandit::{ARM_WORDS, Arm, Block, View, untried_runs};
use index::Index;
use std::ops::Range;

/// Slots in a header.
const HEADER: usize = 2;

/// Slots before a header for the players' scores when the node was made, if the graph keeps them.
const SCORES: usize = 2;

/// The words of a header: the simulations through the node; the number of its edges, with marks in the upper bits;
/// the hash, lower half first; the sum of player 0's rewards, lower half first.
const VISITS: usize = 0;
const COUNT: usize = 1;
const HASH: usize = 2;
const SUM: usize = 4;

type Header = [u32; HEADER * ARM_WORDS];

/// Marks a node that the current descent has passed.
const PASSED: u32 = 1 << 16;

/// Marks the root, and a node that an edge leads to.
const LINKED: u32 = 1 << 17;

/// Marks a node with several paths to it.
const SHARED: u32 = 1 << 18;

/// Marks a node that [`Graph::advance`] keeps.
const KEPT: u32 = 1 << 19;

/// The most slots that an arena can index.
const SLOTS_MAX: usize = (u32::MAX - 1) as usize;

/// The table that finds nodes gets up to one part in this many of the bytes.
const INDEX_SHARE: usize = 6;

/// The fewest entries of that table.
const INDEX_MIN: usize = 8;

/// A node of the graph. Valid until the graph is advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphNode {
    /// The slot of its header.
    header: u32,
    /// The number of its edges.
    count: u16,
}

impl GraphNode {
    /// The node that a link leads to, if the edge is linked. A node has at least one edge.
    #[inline(always)]
    fn below(Head { first, count }: Head) -> Option<GraphNode> {
        (count != 0).then_some(GraphNode { header: first, count })
    }

    /// Its words: the header, then the arms.
    #[inline(always)]
    fn words(self) -> Range<usize> {
        let start = self.header as usize * ARM_WORDS;
        start..start + HEADER * ARM_WORDS + usize::from(self.count) * ARM_WORDS
    }

    /// The number of its edges.
    pub(crate) fn len(self) -> usize {
        self.count.into()
    }

    /// The slots of its edges.
    #[inline(always)]
    fn edges(self) -> Range<usize> {
        self.header as usize + HEADER..self.end()
    }

    /// One past its last slot.
    #[inline(always)]
    fn end(self) -> usize {
        self.header as usize + HEADER + usize::from(self.count)
    }
}

/// An edge of the graph, for readers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The place of its action in [`Game::actions`](crate::Game::actions).
    pub index: u16,
    /// Its statistics, from the side of the player who takes it.
    pub arm: Arm,
    /// The node it leads to, if it is linked to one.
    pub below: Option<GraphNode>,
}

/// The place of an edge: its node, and its number there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    header: u32,
    count: u16,
    index: u16,
}

impl Way {
    #[inline(always)]
    pub(crate) fn new(node: GraphNode, index: usize) -> Way {
        Way { header: node.header, count: node.count, index: index as u16 }
    }

    /// The node it starts from.
    #[inline(always)]
    pub(crate) fn node(self) -> GraphNode {
        GraphNode { header: self.header, count: self.count }
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.index)
    }

    #[inline(always)]
    fn link(self) -> usize {
        self.header as usize + HEADER + self.index()
    }
}

/// A search graph.
pub struct Graph {
    root: Option<GraphNode>,
    arms: Column<u32>,
    links: Links,
    /// The prior of each edge, by slot; empty unless the evaluation makes priors.
    priors: Column<f32>,
    index: Index,
    /// Slots before each header.
    scores: usize,
    capacity: usize,
    has_priors: bool,
    nodes: usize,
    left_out: u64,
}

/// The bytes of one slot without its link. An edge takes one slot, a node a few more.
const ARM_BYTES: usize = ARM_WORDS * size_of::<u32>();

fn slot_bytes<A: Copy>(has_priors: bool) -> usize {
    ARM_BYTES + Links::bytes::<A>() + if has_priors { size_of::<f32>() } else { 0 }
}

impl Graph {
    /// The fewest bytes that hold a root with this number of edges.
    pub(crate) fn bytes_min<A: Copy>(edges: usize, keeps_scores: bool, has_priors: bool) -> usize {
        let slots = score_slots(keeps_scores) + HEADER + edges;
        (slots * slot_bytes::<A>(has_priors) * INDEX_SHARE).div_ceil(INDEX_SHARE - 1)
            + INDEX_MIN * size_of::<u64>()
    }

    /// An empty graph that never takes more than `bytes`; it reserves all memory now. If the system refuses, the cap
    /// is halved until it agrees. With `keeps_scores`, each node has room for the players' scores.
    pub(crate) fn with_cap<A: Copy>(bytes: usize, keeps_scores: bool, has_priors: bool) -> Graph {
        let mut bytes = bytes;
        loop {
            let entries = (bytes / INDEX_SHARE / size_of::<u64>()).max(INDEX_MIN);
            let entries = 1usize << entries.ilog2();
            let capacity = bytes.saturating_sub(entries * size_of::<u64>()) / slot_bytes::<A>(has_priors);
            let capacity = capacity.min(SLOTS_MAX);
            let columns = (
                Column::reserve(capacity * ARM_WORDS),
                Links::reserve::<A>(capacity),
                Index::reserve(entries),
            );
            let priors = Column::reserve(if has_priors { capacity } else { 0 });
            if let ((Some(arms), Some(links), Some(index)), Some(priors)) = (columns, priors) {
                let scores = score_slots(keeps_scores);
                return Graph {
                    root: None,
                    arms,
                    links,
                    priors,
                    index,
                    scores,
                    capacity,
                    has_priors,
                    nodes: 0,
                    left_out: 0,
                };
            }
            bytes /= 2;
        }
    }

    /// Asks for large pages, which pays off for a graph of megabytes.
    pub(crate) fn prefer_large_pages(&mut self) {
        self.arms.prefer_large_pages();
        self.links.prefer_large_pages();
        self.priors.prefer_large_pages();
        self.index.prefer_large_pages();
    }

    /// The number of edges in the graph.
    pub fn len(&self) -> usize {
        self.links.len() - self.nodes * (self.scores + HEADER)
    }

    /// True before the root is expanded.
    pub fn is_empty(&self) -> bool {
        self.links.len() == 0
    }

    /// The number of expanded positions in the graph.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        let priors = if self.has_priors { size_of::<f32>() } else { 0 };
        self.links.len() * (ARM_BYTES + self.links.stride() + priors) + self.index.bytes()
    }

    /// How often a position was not expanded because the graph was full.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The root, once it is expanded.
    pub fn root(&self) -> Option<GraphNode> {
        self.root
    }

    /// The simulations through a node since it was made, by any path.
    pub fn visits(&self, node: GraphNode) -> u32 {
        self.header(node)[VISITS]
    }

    /// The edges out of a node.
    pub fn edges(&self, node: GraphNode) -> impl Iterator<Item = GraphEdge> {
        let view = View::new(self.parts(node).1, 0);
        node.edges().enumerate().map(move |(index, link)| GraphEdge {
            index: index as u16,
            arm: view.arm(index),
            below: GraphNode::below(self.links.head(link)),
        })
    }

    /// Each player's score when the node was made.
    pub(crate) fn scores(&self, node: GraphNode) -> [f32; PLAYERS_MAX] {
        let words = &self.arms[(node.header as usize - self.scores) * ARM_WORDS..][..PLAYERS_MAX];
        std::array::from_fn(|player| f32::from_bits(words[player]))
    }

    /// A node's arms, as a rule sees them. Also prefetches the links that the choice will need.
    #[inline(always)]
    pub(crate) fn view<A: Copy>(&self, node: GraphNode, depth: u32, left: Option<u32>) -> View<'_> {
        let links = node.edges();
        prefetch(&self.arms, links.end * ARM_WORDS - 1);
        self.links.ask_for::<A>(links.start);
        self.links.ask_for::<A>(links.end - 1);
        self.plain_view(node, depth, left)
    }

    /// A node's arms, as a rule sees them.
    #[inline(always)]
    pub(crate) fn plain_view(&self, node: GraphNode, depth: u32, left: Option<u32>) -> View<'_> {
        let (header, words) = self.parts(node);
        View { left, depth, ..View::new(words, header[VISITS]) }
    }

    /// The action of an edge, and the node that it leads to if it is linked.
    ///
    /// # Safety
    ///
    /// `A` must be the type of the actions that the graph was [made for](Graph::with_cap).
    #[inline(always)]
    pub(crate) unsafe fn follow<A: Copy>(&self, way: Way) -> (A, Option<GraphNode>) {
        // SAFETY: the caller promises the type, and `open` adds no other.
        let (action, head) = unsafe { self.links.follow(way.link()) };
        (action, GraphNode::below(head))
    }

    /// The statistics of an edge.
    #[inline(always)]
    pub(crate) fn arm(&self, way: Way) -> Arm {
        View::new(self.parts(way.node()).1, 0).arm(way.index())
    }

    /// True for a node with several paths to it.
    #[inline(always)]
    pub(crate) fn is_shared(&self, node: GraphNode) -> bool {
        self.header(node)[COUNT] & SHARED != 0
    }

    /// Marks a node as passed by the current descent, until a simulation through it is counted. False if it was
    /// already marked.
    pub(crate) fn pass(&mut self, node: GraphNode) -> bool {
        let (header, _) = self.parts_mut(node);
        let is_new = header[COUNT] & PASSED == 0;
        header[COUNT] |= PASSED;
        is_new
    }

    /// The node of the position with this hash.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64) -> Option<GraphNode> {
        let found = self.index.find(hash, |header| self.hash(header) == hash);
        found.map(|header| self.node_at(header))
    }

    /// Makes a node for the position with this hash, which has none yet. None when there is no room.
    pub(crate) fn open<A: Copy>(
        &mut self,
        hash: u64,
        actions: &[A],
        scores: [f32; PLAYERS_MAX],
    ) -> Option<GraphNode> {
        let (start, slots) = (self.links.len(), self.scores + HEADER + actions.len());
        if slots > self.capacity - start || actions.len() > ACTIONS_MAX || self.index.is_full() {
            self.left_out += 1;
            return None;
        }
        if self.index.should_grow() {
            self.rebuild_index();
        }
        if self.scores > 0 {
            let words: [u32; SCORES * ARM_WORDS] =
                std::array::from_fn(|word| scores.get(word).map_or(0, |score| score.to_bits()));
            self.arms.extend(words.into_iter());
        }
        self.arms.extend([0, actions.len() as u32, hash as u32, (hash >> 32) as u32, 0, 0].into_iter());
        untried_runs(actions.len()).into_iter().for_each(|(count, word)| self.arms.fill(count, word));
        // The links of a header lead nowhere, and their actions mean nothing.
        self.links.extend(&[actions[0]; SCORES + HEADER][..self.scores + HEADER]);
        self.links.extend(actions);
        if self.has_priors {
            self.priors.fill(slots, 1.0 / actions.len() as f32);
        }
        let node = GraphNode { header: (start + self.scores) as u32, count: actions.len() as u16 };
        self.index.insert(hash, node.header);
        self.nodes += 1;
        Some(node)
    }

    /// Sets the priors of a node from weights on any scale, one for each edge.
    pub(crate) fn set_priors(&mut self, node: GraphNode, weights: &[f32]) {
        if self.has_priors {
            normalise(&mut self.priors[node.edges()], weights);
        }
    }

    /// The priors of a node's edges; empty if the evaluation makes none.
    #[inline(always)]
    pub(crate) fn priors(&self, node: GraphNode) -> &[f32] {
        if self.has_priors { &self.priors[node.edges()] } else { &[] }
    }

    /// Makes this node the root.
    pub(crate) fn set_root(&mut self, node: GraphNode) {
        self.parts_mut(node).0[COUNT] |= LINKED;
        self.root = Some(node);
    }

    /// Links an edge to the node it leads to. The node inherits the pulls of the edge; `value` is their average worth
    /// to player 0 at that node.
    pub(crate) fn link(&mut self, way: Way, node: GraphNode, value: f64) {
        let pulls = self.arm(way).pulls;
        self.links.set_head(way.link(), Head { first: node.header, count: node.count });
        let (header, _) = self.parts_mut(node);
        header[COUNT] |= if header[COUNT] & LINKED == 0 { LINKED } else { SHARED };
        header[VISITS] += pulls;
        add_to_sum(header, f64::from(pulls) * value);
    }

    /// Counts a simulation that ended at this node, with its value to player 0. True if the node is shared.
    pub(crate) fn add_own(&mut self, node: GraphNode, value: f32) -> bool {
        let (header, _) = self.parts_mut(node);
        header[VISITS] += 1;
        add_to_sum(header, f64::from(value));
        header[COUNT] & SHARED != 0
    }

    /// Counts a simulation through an edge and its node, with its value to player 0 and its reward to the player who
    /// took the edge. True if the node is shared.
    #[inline(always)]
    pub(crate) fn add(&mut self, way: Way, value: f32, reward: f32) -> bool {
        let (header, words) = self.parts_mut(way.node());
        Block::new(words).add(way.index(), reward);
        count_through(header, value)
    }

    /// Like `add`, when values of shared nodes below have changed. The reward may then lie outside 0..=1, so the mean
    /// is clamped.
    pub(crate) fn add_moved(&mut self, way: Way, value: f32, reward: f32) -> bool {
        let is_shared = self.add(way, value, reward);
        let mean = &mut self.parts_mut(way.node()).1[way.index()];
        *mean = f32::from_bits(*mean).clamp(0.0, 1.0).to_bits();
        is_shared
    }

    /// Counts one more simulation through an edge to a shared node, and sets the edge's mean to that node's value.
    /// Returns the change of the edge's sum of rewards. `total` is the sum of both players' rewards if the second
    /// player took the edge; `paid` is the edge's own payment to the player who took it.
    pub(crate) fn take_over(&mut self, way: Way, below: GraphNode, total: Option<f64>, paid: f32) -> f64 {
        let value = sum(self.header(below)) / f64::from(self.visits(below));
        let mean = (total.map_or(value, |total| total - value) as f32 + paid).clamp(0.0, 1.0);
        let (_, words) = self.parts_mut(way.node());
        let before = View::new(words, 0).arm(way.index());
        let after = Arm { pulls: before.pulls + 1, mean };
        Block::new(words).set(way.index(), after);
        after.sum() - before.sum()
    }

    /// Counts a simulation through a node, with its value to player 0. True if the node is shared.
    pub(crate) fn count_through(&mut self, node: GraphNode, value: f32) -> bool {
        count_through(self.parts_mut(node).0, value)
    }

    /// Empties the graph and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.arms.truncate(0);
        self.links.truncate(0);
        self.priors.truncate(0);
        (self.root, self.nodes, self.left_out) = (None, 0, 0);
        self.index.start_over(0);
    }

    /// Makes this node the root, frees everything that cannot be reached from it, and closes the gaps.
    ///
    /// All in place. The stack for marking uses the memory of the table, which is rebuilt afterwards. The header of a
    /// kept node holds its new place, so links can be set before any node moves.
    pub(crate) fn advance(&mut self, root: GraphNode) {
        self.mark_reachable(root);
        let (mut end, mut kept) = (0, 0);
        let mut next = self.first();
        while let Some(node) = next {
            if self.is_kept(node) {
                let place = (end + self.scores) as u32;
                self.links.set_head(node.header as usize, Head { first: place, count: 0 });
                end += self.slots(node).len();
                kept += 1;
            }
            next = self.after(node);
        }
        self.root = Some(GraphNode { header: self.new_place(root), ..root });
        self.set_links();
        self.close_gaps();
        self.arms.truncate(end * ARM_WORDS);
        self.links.truncate(end);
        self.priors.truncate(end);
        (self.nodes, self.left_out) = (kept, 0);
        self.rebuild_index();
    }

    /// Marks everything that can be reached from a node. Each node enters the stack at most once, so the table's
    /// memory suffices.
    fn mark_reachable(&mut self, root: GraphNode) {
        self.parts_mut(root).0[COUNT] |= KEPT;
        self.index.room()[0] = u64::from(root.header);
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let header = self.index.room()[waiting] as u32;
            let node = self.node_at(header);
            for link in node.edges() {
                let Some(below) =
                    GraphNode::below(self.links.head(link)).filter(|&below| !self.is_kept(below))
                else {
                    continue;
                };
                self.parts_mut(below).0[COUNT] |= KEPT;
                self.index.room()[waiting] = u64::from(below.header);
                waiting += 1;
            }
        }
    }

    /// Points the links of the marked nodes to the new places.
    fn set_links(&mut self) {
        let mut next = self.first();
        while let Some(node) = next {
            for link in if self.is_kept(node) { node.edges() } else { 0..0 } {
                if let Some(below) = GraphNode::below(self.links.head(link)) {
                    let (first, count) = (self.new_place(below), below.count);
                    self.links.set_head(link, Head { first, count });
                }
            }
            next = self.after(node);
        }
    }

    /// Moves the marked nodes to their new places, in order.
    fn close_gaps(&mut self) {
        let mut next = self.first();
        while let Some(node) = next {
            // Moving the node may overwrite its old header.
            next = self.after(node);
            if self.is_kept(node) {
                let from = self.slots(node);
                let to = self.new_place(node) as usize - self.scores;
                self.parts_mut(node).0[COUNT] &= !KEPT;
                self.arms.copy_within(from.start * ARM_WORDS..from.end * ARM_WORDS, to * ARM_WORDS);
                self.links.copy_within(from.clone(), to);
                if self.has_priors {
                    self.priors.copy_within(from, to);
                }
            }
        }
    }

    /// The new place of a kept node, while the graph is advanced.
    fn new_place(&self, node: GraphNode) -> u32 {
        self.links.head(node.header as usize).first
    }

    fn rebuild_index(&mut self) {
        self.index.start_over(self.nodes);
        let mut next = self.first();
        while let Some(node) = next {
            self.index.insert(self.hash(node.header), node.header);
            next = self.after(node);
        }
    }

    /// The first node in the arena.
    fn first(&self) -> Option<GraphNode> {
        (self.links.len() > 0).then(|| self.node_at(self.scores as u32))
    }

    /// The next node in the arena.
    fn after(&self, node: GraphNode) -> Option<GraphNode> {
        (node.end() < self.links.len()).then(|| self.node_at((node.end() + self.scores) as u32))
    }

    /// All slots of a node.
    fn slots(&self, node: GraphNode) -> Range<usize> {
        node.header as usize - self.scores..node.end()
    }

    /// The node with its header in this slot.
    fn node_at(&self, header: u32) -> GraphNode {
        GraphNode { header, count: self.arms[header as usize * ARM_WORDS + COUNT] as u16 }
    }

    fn is_kept(&self, node: GraphNode) -> bool {
        self.header(node)[COUNT] & KEPT != 0
    }

    fn hash(&self, header: u32) -> u64 {
        let words = &self.arms[header as usize * ARM_WORDS + HASH..][..2];
        u64::from(words[1]) << 32 | u64::from(words[0])
    }

    #[inline(always)]
    fn header(&self, node: GraphNode) -> &Header {
        self.parts(node).0
    }

    /// The header of a node, and the arms of its edges.
    #[inline(always)]
    fn parts(&self, node: GraphNode) -> (&Header, &[u32]) {
        self.arms[node.words()].split_first_chunk().expect("a node begins with its header")
    }

    #[inline(always)]
    fn parts_mut(&mut self, node: GraphNode) -> (&mut Header, &mut [u32]) {
        self.arms[node.words()].split_first_chunk_mut().expect("a node begins with its header")
    }
}

fn score_slots(keeps_scores: bool) -> usize {
    if keeps_scores { SCORES } else { 0 }
}

/// Counts a simulation through a node, with its value to player 0. True if the node is shared.
#[inline(always)]
fn count_through(header: &mut Header, value: f32) -> bool {
    header[VISITS] += 1;
    add_to_sum(header, f64::from(value));
    let is_shared = header[COUNT] & SHARED != 0;
    if is_shared {
        header[COUNT] &= !PASSED;
    }
    is_shared
}

#[inline(always)]
fn sum(header: &Header) -> f64 {
    f64::from_bits(u64::from(header[SUM + 1]) << 32 | u64::from(header[SUM]))
}

#[inline(always)]
fn add_to_sum(header: &mut Header, value: f64) {
    let bits = (sum(header) + value).to_bits();
    (header[SUM], header[SUM + 1]) = (bits as u32, (bits >> 32) as u32);
}
