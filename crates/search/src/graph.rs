//! The graph: positions reached in several ways have one node. One flat arena under a hard cap in bytes, as the tree's.
//!
//! The arena is cut into slots, each of an arm and a link. A node is a few slots in a row: a header, which uses the words
//! of its arms in its own way, and then a block of edges as in the tree. A link names the node that its edge leads to;
//! any number of links may name the same one, wherever it lies. A table finds a node by the hash of its position.
//!
//! `docs/transpositions.md` says what the numbers mean and why they are sound.

mod index;

use crate::PLAYERS_MAX;
use crate::column::Column;
use crate::prefetch::prefetch;
use crate::tree::ACTIONS_MAX;
use aji_bandit::{ARM_WORDS, Arm, Block, View, untried_words};
use index::Index;
use std::ops::Range;

/// The slots of a header.
const HEADER: usize = 2;

/// The slots of a header that also has what each player had when the node was made.
const HEADER_WITH_SCORES: usize = 4;

/// The words of a header: the simulations through the node; the number of its edges, and two marks above it; the hash,
/// lower half first; the sum of player 0's rewards, lower half first; what each player had, if that is kept.
const VISITS: usize = 0;
const COUNT: usize = 1;
const HASH: usize = 2;
const SUM: usize = 4;
const SCORES: usize = 6;

/// Marks a node that the descent under way has passed.
const PASSED: u32 = 1 << 16;

/// Marks a node that [`Graph::advance`] keeps.
const KEPT: u32 = 1 << 17;

/// The link of an edge that leads to no node yet.
const NO_NODE: u32 = u32::MAX;

/// The most slots that an arena can index.
const SLOTS_MAX: usize = (NO_NODE - 1) as usize;

/// Up to this part of the bytes is for the table that finds nodes.
const INDEX_SHARE: usize = 6;

/// The fewest entries of that table.
const INDEX_MIN: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Link<A> {
    /// The node below. In a header: where the node is going to, while the graph is being advanced.
    node: u32,
    action: A,
}

/// A node of the graph. Valid until the graph is advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphNode(u32);

/// An edge of the graph, as a reader sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge<A> {
    /// The action.
    pub action: A,
    /// What is known of it, from the side of the player who takes it.
    pub arm: Arm,
    /// The node it leads to, once that has one.
    pub below: Option<GraphNode>,
}

/// The place of an edge: its node, and its number there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) node: GraphNode,
    pub(crate) index: u16,
}

/// A search graph over actions of type `A`.
pub struct Graph<A: Copy> {
    root: Option<GraphNode>,
    arms: Column<u32>,
    links: Column<Link<A>>,
    index: Index,
    /// The slots of each header.
    header: usize,
    capacity: usize,
    nodes: usize,
    left_out: u64,
}

impl<A: Copy> Graph<A> {
    /// The bytes that one slot takes: an edge takes one, a node some more.
    const SLOT_BYTES: usize = ARM_WORDS * size_of::<u32>() + size_of::<Link<A>>();

    /// The fewest bytes that hold a root of so many edges.
    pub(crate) fn bytes_min(edges: usize, keeps_scores: bool) -> usize {
        let slots = header_slots(keeps_scores) + edges;
        (slots * Self::SLOT_BYTES * INDEX_SHARE).div_ceil(INDEX_SHARE - 1) + INDEX_MIN * size_of::<u64>()
    }

    /// An empty graph that will never take more than `bytes`; all room is reserved now. Where the system refuses so much,
    /// the cap is halved until it does not. With `keeps_scores` each node has room for what the players had.
    pub(crate) fn with_cap(bytes: usize, keeps_scores: bool) -> Graph<A> {
        let mut bytes = bytes;
        loop {
            let entries = (bytes / INDEX_SHARE / size_of::<u64>()).max(INDEX_MIN);
            let entries = 1usize << entries.ilog2();
            let capacity = bytes.saturating_sub(entries * size_of::<u64>()) / Self::SLOT_BYTES;
            let capacity = capacity.min(SLOTS_MAX);
            let columns =
                (Column::reserve(capacity * ARM_WORDS), Column::reserve(capacity), Index::reserve(entries));
            if let (Some(arms), Some(links), Some(index)) = columns {
                let header = header_slots(keeps_scores);
                return Graph { root: None, arms, links, index, header, capacity, nodes: 0, left_out: 0 };
            }
            bytes /= 2;
        }
    }

    /// Asks for large pages, which pays for a graph that will take megabytes.
    pub(crate) fn prefer_large_pages(&mut self) {
        self.arms.prefer_large_pages();
        self.links.prefer_large_pages();
    }

    /// The edges in the graph.
    pub fn len(&self) -> usize {
        self.links.len() - self.nodes * self.header
    }

    /// True before the root is expanded.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The positions that have their edges in the graph.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.links.len() * Self::SLOT_BYTES + self.index.bytes()
    }

    /// How often a position was not expanded because the graph was full.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The root, once it is expanded.
    pub fn root(&self) -> Option<GraphNode> {
        self.root
    }

    /// The simulations through a node, whatever way they came, since it was made.
    #[inline(always)]
    pub fn visits(&self, node: GraphNode) -> u32 {
        self.arms[words_of(node)][VISITS]
    }

    /// The edges out of a node.
    pub fn edges(&self, node: GraphNode) -> impl Iterator<Item = GraphEdge<A>> {
        let view = View::new(&self.arms[self.block(node)], 0);
        (0..self.count(node)).map(move |index| {
            let link = self.links[self.first_link(node) + index];
            let below = (link.node != NO_NODE).then_some(GraphNode(link.node));
            GraphEdge { action: link.action, arm: view.arm(index), below }
        })
    }

    /// The average of player 0's rewards, as if the game had come here the way it first did.
    #[inline(always)]
    pub(crate) fn value(&self, node: GraphNode) -> f64 {
        let header = &self.arms[words_of(node)][..HEADER * ARM_WORDS];
        sum(header) / f64::from(header[VISITS])
    }

    /// What each player had when the node was made.
    pub(crate) fn scores(&self, node: GraphNode) -> [f32; PLAYERS_MAX] {
        let words = &self.arms[words_of(node)][SCORES..SCORES + PLAYERS_MAX];
        std::array::from_fn(|player| f32::from_bits(words[player]))
    }

    /// A node's arms, as a rule sees them. The links that its choice will need are asked for meanwhile.
    #[inline(always)]
    pub(crate) fn view(&self, node: GraphNode, depth: u32, left: Option<u32>) -> View<'_> {
        let first = self.first_link(node);
        let block = self.block(node);
        prefetch(&self.links, first);
        prefetch(&self.links, first + block.len() / ARM_WORDS - 1);
        View { left, depth, ..View::new(&self.arms[block], self.visits(node)) }
    }

    /// The action of an edge.
    #[inline(always)]
    pub(crate) fn action(&self, way: Way) -> A {
        self.links[self.first_link(way.node) + usize::from(way.index)].action
    }

    /// The actions of a node's edges.
    pub(crate) fn actions(&self, node: GraphNode) -> impl Iterator<Item = A> + Clone {
        let first = self.first_link(node);
        self.links[first..first + self.count(node)].iter().map(|link| link.action)
    }

    /// The node that an edge leads to, if it is linked to one.
    #[inline(always)]
    pub(crate) fn below(&self, way: Way) -> Option<GraphNode> {
        let node = self.links[self.first_link(way.node) + usize::from(way.index)].node;
        (node != NO_NODE).then_some(GraphNode(node))
    }

    /// What is known of an edge.
    #[inline(always)]
    pub(crate) fn arm(&self, way: Way) -> Arm {
        View::new(&self.arms[self.block(way.node)], 0).arm(way.index.into())
    }

    /// Marks a node as passed by the descent under way, until [`add`](Graph::add) counts what became of that.
    #[inline(always)]
    pub(crate) fn pass(&mut self, node: GraphNode) {
        self.arms[words_of(node)][COUNT] |= PASSED;
    }

    /// True for a node that the descent under way has passed.
    #[inline(always)]
    pub(crate) fn is_passed(&self, node: GraphNode) -> bool {
        self.arms[words_of(node)][COUNT] & PASSED != 0
    }

    /// The node of a position of this hash.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64) -> Option<GraphNode> {
        self.index.find(hash, |node| self.hash(GraphNode(node)) == hash).map(GraphNode)
    }

    /// Makes a node for the position of this hash, which has none. None when there is no room.
    pub(crate) fn open(&mut self, hash: u64, actions: &[A], scores: [f32; PLAYERS_MAX]) -> Option<GraphNode> {
        let (node, slots) = (self.links.len(), self.header + actions.len());
        if slots > self.capacity - node || actions.len() > ACTIONS_MAX || self.index.is_full() {
            self.left_out += 1;
            return None;
        }
        if self.index.should_grow() {
            self.rebuild_index();
        }
        let mut header = [0; HEADER_WITH_SCORES * ARM_WORDS];
        header[COUNT] = actions.len() as u32;
        (header[HASH], header[HASH + 1]) = (hash as u32, (hash >> 32) as u32);
        for (word, score) in header[SCORES..].iter_mut().zip(scores) {
            *word = score.to_bits();
        }
        self.arms.extend(header[..self.header * ARM_WORDS].iter().copied());
        self.arms.extend(untried_words(actions.len()));
        let first = Link { node: NO_NODE, action: actions[0] };
        self.links.extend(std::iter::repeat_n(first, self.header));
        self.links.extend(actions.iter().map(|&action| Link { node: NO_NODE, action }));
        self.index.insert(hash, node as u32);
        self.nodes += 1;
        Some(GraphNode(node as u32))
    }

    /// Makes this node the root.
    pub(crate) fn set_root(&mut self, node: GraphNode) {
        self.root = Some(node);
    }

    /// Links an edge to the node it leads to. What went through the edge before counts as if it had come to that node;
    /// `value` is what it was worth to player 0 there, on average.
    pub(crate) fn link(&mut self, way: Way, node: GraphNode, value: f64) {
        let pulls = self.arm(way).pulls;
        let first = self.first_link(way.node);
        self.links[first + usize::from(way.index)].node = node.0;
        let header = &mut self.arms[words_of(node)];
        header[VISITS] += pulls;
        add_to_sum(header, f64::from(pulls) * value);
    }

    /// Counts a simulation that came to a node and went no further, and what it was worth to player 0.
    pub(crate) fn add_own(&mut self, node: GraphNode, value: f64) {
        let header = &mut self.arms[words_of(node)];
        header[VISITS] += 1;
        add_to_sum(header, value);
    }

    /// Counts a simulation through an edge and its node, and what the edge is worth since then. Its node's sum follows: it
    /// is that of its edges' means, each as often as the edge was pulled. `total` is what both players get together where
    /// the second one took the edge.
    #[inline(always)]
    pub(crate) fn add(&mut self, way: Way, worth: Worth, total: Option<f64>) {
        let index = usize::from(way.index);
        let (header, rest) = self.arms[words_of(way.node)].split_at_mut(self.header * ARM_WORDS);
        header[COUNT] &= !PASSED;
        header[VISITS] += 1;
        let count = header[COUNT] as usize;
        let words = &mut rest[..ARM_WORDS * count];
        let before = f64::from(f32::from_bits(words[index])) * f64::from(words[2 * count + index]);
        match worth {
            Worth::Reward(reward) => {
                Block::new(words).add(index, reward);
            }
            Worth::Mean(mean) => {
                let pulls = words[2 * count + index] + 1;
                Block::new(words).set(index, Arm { pulls, mean });
            }
        }
        let after = f64::from(f32::from_bits(words[index])) * f64::from(words[2 * count + index]);
        let gained = after - before;
        add_to_sum(header, total.map_or(gained, |total| total - gained));
    }

    /// Empties the graph and keeps its room.
    pub(crate) fn clear(&mut self) {
        self.arms.truncate(0);
        self.links.truncate(0);
        (self.root, self.nodes, self.left_out) = (None, 0, 0);
        self.index.start_over(0);
    }

    /// Makes this node the root, frees all that cannot be reached from it, and closes the gaps.
    ///
    /// In place: the marking's stack takes the table's memory, which is made anew afterwards, and a kept node's header says
    /// where it will stand, so that links can be set before anything moves.
    pub(crate) fn advance(&mut self, root: GraphNode) {
        self.mark_reachable(root);
        let (mut end, mut kept) = (0, 0);
        let mut node = GraphNode(0);
        while self.has(node) {
            if self.is_kept(node) {
                self.links[node.0 as usize].node = end as u32;
                end += self.slots(node);
                kept += 1;
            }
            node = self.after(node);
        }
        self.root = Some(GraphNode(self.links[root.0 as usize].node));
        self.close_gaps();
        self.arms.truncate(end * ARM_WORDS);
        self.links.truncate(end);
        (self.nodes, self.left_out) = (kept, 0);
        self.rebuild_index();
    }

    /// Marks all that can be reached from a node. Each node waits once at most, so that the table has room for all.
    fn mark_reachable(&mut self, root: GraphNode) {
        self.arms[words_of(root)][COUNT] |= KEPT;
        self.index.room()[0] = u64::from(root.0);
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let node = GraphNode(self.index.room()[waiting] as u32);
            for link in self.first_link(node)..self.first_link(node) + self.count(node) {
                let below = self.links[link].node;
                if below == NO_NODE || self.is_kept(GraphNode(below)) {
                    continue;
                }
                self.arms[words_of(GraphNode(below))][COUNT] |= KEPT;
                self.index.room()[waiting] = u64::from(below);
                waiting += 1;
            }
        }
    }

    /// Sets the links of the marked nodes to where their nodes will stand, then moves the nodes there, in order.
    fn close_gaps(&mut self) {
        let mut node = GraphNode(0);
        while self.has(node) {
            let kept = if self.is_kept(node) { self.count(node) } else { 0 };
            for link in self.first_link(node)..self.first_link(node) + kept {
                let below = self.links[link].node;
                if below != NO_NODE {
                    self.links[link].node = self.links[below as usize].node;
                }
            }
            node = self.after(node);
        }
        let mut node = GraphNode(0);
        while self.has(node) {
            // The node may be written over by itself.
            let after = self.after(node);
            if self.is_kept(node) {
                let (from, end) = (node.0 as usize, after.0 as usize);
                let to = self.links[from].node as usize;
                self.arms[words_of(node)][COUNT] &= !KEPT;
                self.links.copy_within(from..end, to);
                self.arms.copy_within(from * ARM_WORDS..end * ARM_WORDS, to * ARM_WORDS);
            }
            node = after;
        }
    }

    fn rebuild_index(&mut self) {
        self.index.start_over(self.nodes);
        let mut node = GraphNode(0);
        while self.has(node) {
            self.index.insert(self.hash(node), node.0);
            node = self.after(node);
        }
    }

    /// True for a node, false for what lies behind the last one.
    fn has(&self, node: GraphNode) -> bool {
        (node.0 as usize) < self.links.len()
    }

    fn is_kept(&self, node: GraphNode) -> bool {
        self.arms[words_of(node)][COUNT] & KEPT != 0
    }

    /// The node that lies behind this one; one past the last slot if there is none.
    fn after(&self, node: GraphNode) -> GraphNode {
        GraphNode(node.0 + self.slots(node) as u32)
    }

    fn hash(&self, node: GraphNode) -> u64 {
        let header = &self.arms[words_of(node)];
        u64::from(header[HASH + 1]) << 32 | u64::from(header[HASH])
    }

    /// The number of a node's edges.
    #[inline(always)]
    fn count(&self, node: GraphNode) -> usize {
        (self.arms[words_of(node)][COUNT] & (PASSED - 1)) as usize
    }

    fn slots(&self, node: GraphNode) -> usize {
        self.header + self.count(node)
    }

    #[inline(always)]
    fn first_link(&self, node: GraphNode) -> usize {
        node.0 as usize + self.header
    }

    /// Where the arms of a node's edges stand.
    #[inline(always)]
    fn block(&self, node: GraphNode) -> Range<usize> {
        let start = self.first_link(node) * ARM_WORDS;
        start..start + self.count(node) * ARM_WORDS
    }
}

/// What an edge is worth after a simulation through it, to the player who took it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Worth {
    /// One reward more, which the mean takes in.
    Reward(f32),
    /// A new mean.
    Mean(f32),
}

fn header_slots(keeps_scores: bool) -> usize {
    if keeps_scores { HEADER_WITH_SCORES } else { HEADER }
}

/// The words from a node's header on.
#[inline(always)]
fn words_of(node: GraphNode) -> std::ops::RangeFrom<usize> {
    node.0 as usize * ARM_WORDS..
}

#[inline(always)]
fn sum(header: &[u32]) -> f64 {
    f64::from_bits(u64::from(header[SUM + 1]) << 32 | u64::from(header[SUM]))
}

#[inline(always)]
fn add_to_sum(header: &mut [u32], value: f64) {
    let bits = (sum(header) + value).to_bits();
    (header[SUM], header[SUM + 1]) = (bits as u32, (bits >> 32) as u32);
}
