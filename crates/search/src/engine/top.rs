//! What searches of the same position learn from each other: the statistics at the top of their trees.
//!
//! Several threads search a tree each. Now and then each hands over what it has [learned](Engine::learned) since the
//! last time: for the most visited nodes, the pulls and the rewards of every edge. The sum of all goes back to each
//! ([`Engine::absorb`]). Every tree then has the statistics of all threads at its top, and below that its own.
//!
//! Nodes are named by their path, the indices of the edges from the root, because blocks move and differ between trees.
//! Sums are taken in the order of the threads, so the result depends on no schedule.

use super::Engine;
use crate::bounds::{Bounds, Chooser};
use crate::engine::PathStep;
use crate::kernel::Kernel;
use crate::tree::Node;
use crate::{Edge, Tree, Turn};
use aji_bandit::{Arm, PULLS_MAX};
use std::cmp::{Ordering, Reverse};

/// A node is shared if it has at least one in this many of the root's simulations.
const SHARE: u32 = 128;

/// And at least this many.
const PULLS_MIN: u32 = 8;

/// Shared statistics may take one in this many bytes of a search's memory, within limits.
const MEMORY_SHARE: usize = 16;

/// The least and the most bytes that shared statistics may take.
const SHARED_BYTES: [usize; 2] = [64 << 10, 4 << 20];

/// The lists that exist at the same time: two of what is known so far while one replaces the other, what one thread and
/// what all have learned, and one to spare.
const LISTS: usize = 5;

/// The bytes that shared statistics may take in a search with this cap on memory.
pub(crate) fn top_bytes(memory: usize) -> usize {
    (memory / MEMORY_SHARE).clamp(SHARED_BYTES[0], SHARED_BYTES[1])
}

/// The statistics at the top of a tree, sorted by paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Top {
    /// The simulations through the root.
    pulls: u32,
    nodes: Vec<TopNode>,
    /// The paths of all nodes, one after another.
    paths: Vec<u16>,
    /// How many numbers each edge has.
    width: usize,
    /// The numbers of all edges, one after another: the pulls and the sum of the rewards; the sum of the squared rewards,
    /// for rules that read it; the pulls and the sum of AMAF statistics, if the tree keeps them.
    numbers: Vec<f64>,
    /// The proven bounds of all edges; empty without a solver.
    bounds: Vec<Bounds>,
    /// The sums of the squared rewards of the root's edges.
    squares: Vec<f64>,
}

/// A node in a [`Top`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct TopNode {
    path: u32,
    path_len: u32,
    first: u32,
    count: u32,
}

impl Top {
    /// Without nodes, for the edges of this tree.
    fn new(tree: &Tree, pulls: u32, squares: Vec<f64>) -> Top {
        Top { pulls, squares, width: tree.numbers(), ..Top::default() }
    }

    fn path(&self, node: &TopNode) -> &[u16] {
        &self.paths[node.path as usize..][..node.path_len as usize]
    }

    /// The numbers of a node's edges.
    fn numbers(&self, node: &TopNode) -> &[f64] {
        &self.numbers[self.width * node.first as usize..][..self.width * node.count as usize]
    }

    /// The bounds of a node's edges; empty without a solver.
    fn bounds(&self, node: &TopNode) -> &[Bounds] {
        if self.bounds.is_empty() { &[] } else { &self.bounds[node.first as usize..][..node.count as usize] }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.paths[..])
            + size_of_val(&self.numbers[..])
            + size_of_val(&self.bounds[..])
    }

    fn push(&mut self, path: &[u16], count: usize) {
        let (start, first) =
            (self.paths.len() as u32, self.nodes.last().map_or(0, |last| last.first + last.count));
        self.paths.extend_from_slice(path);
        self.nodes.push(TopNode { path: start, path_len: path.len() as u32, first, count: count as u32 });
    }

    /// Adds a node of a tree.
    fn push_node(&mut self, path: &[u16], tree: &Tree, node: Node) {
        self.push(path, node.edges().count());
        tree.write_numbers(node, &mut self.numbers);
        if tree.extras().bounds {
            self.bounds.extend(node.edges().map(|edge| tree.bounds(edge)));
        }
    }

    /// Adds a node of another list.
    fn push_from(&mut self, from: &Top, node: &TopNode) {
        self.push(from.path(node), node.count as usize);
        self.numbers.extend_from_slice(from.numbers(node));
        self.bounds.extend_from_slice(from.bounds(node));
    }

    /// The numbers and the bounds of the newest node.
    fn newest(&mut self) -> (&mut [f64], &mut [Bounds]) {
        let first = self.nodes.last().map_or(0, |last| last.first as usize);
        let bounds = if self.bounds.is_empty() { 0 } else { first };
        (&mut self.numbers[self.width * first..], &mut self.bounds[bounds..])
    }

    /// The sum of what several threads have learned, for the nodes that all of them have.
    pub(crate) fn sum(parts: &[Top]) -> Top {
        let Some((first, others)) = parts.split_first() else { return Top::default() };
        let squares = first.squares.clone();
        let mut all = Top { pulls: first.pulls, squares, width: first.width, ..Top::default() };
        for other in others {
            all.pulls = all.pulls.saturating_add(other.pulls);
            all.squares.iter_mut().zip(&other.squares).for_each(|(sum, square)| *sum += square);
        }
        let mut cursors: Vec<Cursor> = others.iter().map(Cursor::new).collect();
        for node in &first.nodes {
            let path = first.path(node);
            let twins =
                cursors.iter_mut().map(|cursor| cursor.at(path).filter(|twin| twin.count == node.count));
            let Some(twins) = twins.collect::<Option<Vec<&TopNode>>>() else { continue };
            all.push_from(first, node);
            let (numbers, bounds) = all.newest();
            for (other, twin) in others.iter().zip(twins) {
                numbers.iter_mut().zip(other.numbers(twin)).for_each(|(sum, number)| *sum += number);
                bounds.iter_mut().zip(other.bounds(twin)).for_each(|(all, &own)| *all = all.tightened(own));
            }
        }
        all
    }

    /// Merges two sorted lists; where both have a node, that of `newer`.
    fn updated(&self, newer: &Top) -> Top {
        let (pulls, squares) = (newer.pulls, newer.squares.clone());
        let mut merged = Top { pulls, squares, width: newer.width, ..Top::default() };
        let (mut old, mut new) = (self.nodes.iter().peekable(), newer.nodes.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return merged,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => self.path(one).cmp(newer.path(other)),
            };
            let kept = if order == Ordering::Greater { None } else { old.next() };
            let node = if order == Ordering::Less { None } else { new.next() };
            match (kept, node) {
                (_, Some(node)) => merged.push_from(newer, node),
                (Some(kept), None) => merged.push_from(self, kept),
                (None, None) => return merged,
            }
        }
    }

    /// What is known after an edge of the root was taken; `squares` are those of the new root's edges.
    fn below(&self, edge: usize, squares: &[f64]) -> Top {
        let root = self.nodes.first().filter(|node| node.path_len == 0);
        let taken = root.and_then(|root| self.numbers(root).get(edge * self.width));
        let pulls = taken.map_or(0.0, |&pulls| pulls) as u32;
        let mut below = Top { pulls, width: self.width, ..Top::default() };
        for node in &self.nodes {
            if let Some((&first, rest)) = self.path(node).split_first()
                && usize::from(first) == edge
            {
                below.push(rest, node.count as usize);
                below.numbers.extend_from_slice(self.numbers(node));
                below.bounds.extend_from_slice(self.bounds(node));
            }
        }
        // The squares of a root that was shared are the same in all trees.
        if below.nodes.first().is_some_and(|node| node.path_len == 0) {
            below.squares = squares.to_vec();
        }
        below
    }
}

/// The bytes of a node in a [`Top`].
fn bytes_of(path: &[u16], count: usize, width: usize) -> usize {
    size_of::<TopNode>() + size_of_val(path) + count * (width * size_of::<f64>() + size_of::<Bounds>())
}

/// A walk over nodes that are sorted by their paths.
struct Cursor<'a> {
    top: &'a Top,
    next: usize,
}

impl<'a> Cursor<'a> {
    fn new(top: &'a Top) -> Cursor<'a> {
        Cursor { top, next: 0 }
    }

    /// The node at this path, which follows those asked for before.
    fn at(&mut self, path: &[u16]) -> Option<&'a TopNode> {
        let top = self.top;
        while let Some(node) = top.nodes.get(self.next) {
            match top.path(node).cmp(path) {
                Ordering::Less => self.next += 1,
                Ordering::Equal => return Some(node),
                Ordering::Greater => return None,
            }
        }
        None
    }
}

impl Engine {
    /// What this search has learned at the top of its tree since it last absorbed what all have.
    pub(crate) fn learned(&self, tree: &Tree) -> Top {
        let known = &self.top;
        let squares = self.root_squares.iter().enumerate();
        let squares = squares.map(|(index, square)| square - known.squares.get(index).unwrap_or(&0.0));
        let pulls = tree.pulls().saturating_sub(known.pulls);
        let empty = Top::new(tree, pulls, squares.collect());
        let mut fewest = tree.pulls().div_ceil(SHARE).max(PULLS_MIN);
        loop {
            if let Some(top) = self.learned_from(tree, fewest, empty.clone()) {
                return top;
            }
            if fewest > tree.pulls() {
                return empty;
            }
            fewest *= 2;
        }
    }

    /// The same for the nodes with at least this many simulations, in the order of their paths. None if they are more than
    /// fit.
    fn learned_from(&self, tree: &Tree, fewest: u32, mut top: Top) -> Option<Top> {
        let mut room = (top_bytes(self.settings.memory) / LISTS).saturating_sub(self.top.bytes());
        let mut known = Cursor::new(&self.top);
        let mut path: Vec<u16> = Vec::new();
        let mut waiting: Vec<(Node, usize)> = Vec::new();
        let mut next = Some(tree.root());
        loop {
            if let Some(node) = next {
                let before = known.at(&path);
                if before.is_none() {
                    room = room.checked_sub(bytes_of(&path, node.edges().count(), top.width))?;
                }
                top.push_node(&path, tree, node);
                if let Some(before) = before {
                    subtract(top.newest().0, self.top.numbers(before), self.top.width);
                }
                waiting.push((node, 0));
            }
            let Some((node, index)) = waiting.last_mut() else { return Some(top) };
            if *index == usize::from(node.count()) {
                waiting.pop();
                path.pop();
                next = None;
                continue;
            }
            let edge = node.edge(*index);
            *index += 1;
            let below = tree.below(edge);
            next = (!below.is_leaf() && below.pulls >= fewest).then_some(below);
            if next.is_some() {
                path.push(edge.index() as u16);
            }
        }
    }

    /// Adds what the other searches have learned. `own` is this search's part of `all`, and nothing was simulated since.
    pub(crate) fn absorb(&mut self, kernel: &mut dyn Kernel, tree: &mut Tree, own: &Top, all: &Top) {
        let others = all.pulls.saturating_sub(own.pulls);
        if others > PULLS_MAX - tree.pulls() {
            return;
        }
        tree.count_root(others);
        for ((mine, sum), own) in self.root_squares.iter_mut().zip(&all.squares).zip(&own.squares) {
            *mine += sum - own;
        }
        let mut now = Top::new(tree, tree.pulls(), self.root_squares.clone());
        let mut mine = Cursor::new(own);
        for node in &all.nodes {
            let path = all.path(node);
            let (Some(place), Some(mine)) = (node_at(tree, path), mine.at(path)) else { continue };
            let numbers =
                all.numbers(node).chunks_exact(all.width).zip(own.numbers(mine).chunks_exact(own.width));
            // Most edges were pulled by nobody else.
            for (edge, (sum, mine)) in place.edges().zip(numbers).filter(|(_, (sum, mine))| sum != mine) {
                tree.add_numbers(edge, sum, mine);
            }
            now.push_node(path, tree, place);
        }
        self.top = self.top.updated(&now);
        if self.solving.is_some() {
            self.prove_top(kernel, tree, all);
        }
    }

    /// Follows the proofs of other threads up to the root: what no thread could prove alone may now be proven.
    fn prove_top(&mut self, kernel: &mut dyn Kernel, tree: &mut Tree, all: &Top) {
        let Some(sum) = self.solving else { return };
        let proven = |node: &&TopNode| all.bounds(node).iter().any(|&bounds| bounds != Bounds::OPEN);
        let mut nodes: Vec<&TopNode> = all.nodes.iter().filter(proven).collect();
        nodes.sort_by_key(|node| Reverse(node.path_len));
        for node in nodes {
            self.path.clear();
            let mut turn = kernel.start_walk();
            let mut here = tree.root();
            for &index in all.path(node) {
                let edge = here.edge(index.into());
                let (player, by_chance) = match turn {
                    Turn::Player(player) => (player, false),
                    _ => (0, true),
                };
                self.path.push(PathStep { edge, player, by_chance });
                turn = kernel.walk(tree, edge);
                here = tree.below(edge);
            }
            for (edge, known) in here.edges().zip(all.bounds(node)) {
                let bounds = known.tightened(tree.bounds(edge));
                let own = if turn == Turn::Player(1) { bounds.of_other(sum) } else { bounds };
                tree.prove(edge, bounds, own.value());
            }
            let Some(edge) = here.edges().next() else { continue };
            let bounds = Bounds::of_position(tree.block_bounds(edge), chooser(turn));
            self.prove_path(tree, bounds, sum);
        }
    }

    /// Keeps what is known below an edge of the root.
    pub(crate) fn advance_top(&mut self, edge: usize) {
        self.top = self.top.below(edge, &self.root_squares);
    }
}

fn chooser(turn: Turn) -> Chooser {
    match turn {
        Turn::Player(1) => Chooser::Minimiser,
        Turn::Player(_) => Chooser::Maximiser,
        _ => Chooser::Chance,
    }
}

/// The node at the end of a path, if it has edges.
fn node_at(tree: &Tree, path: &[u16]) -> Option<Node> {
    let mut node = tree.root();
    for &index in path {
        if usize::from(index) >= node.edges().count() {
            return None;
        }
        node = tree.below(node.edge(index.into()));
    }
    (!node.is_leaf()).then_some(node)
}

/// Leaves what is new in the numbers of a node. An edge whose block was freed and grown again has fewer pulls than before;
/// then everything in it is new.
fn subtract(numbers: &mut [f64], before: &[f64], width: usize) {
    for (now, before) in numbers.chunks_exact_mut(width).zip(before.chunks_exact(width)) {
        if now[0] >= before[0] {
            now.iter_mut().zip(before).for_each(|(now, before)| *now -= before);
        }
    }
}

/// The numbers of an edge in a [`Top`].
impl Tree {
    /// How many there are.
    fn numbers(&self) -> usize {
        2 + usize::from(self.extras().squares) + 2 * usize::from(self.extras().amaf)
    }

    fn write_numbers(&self, node: Node, out: &mut Vec<f64>) {
        let view = self.plain_view(node, 0, None);
        let amaf = self.amaf_of(node);
        out.reserve(view.pulls.len() * self.numbers());
        for (index, (&pulls, &mean)) in view.pulls.iter().zip(view.means).enumerate() {
            let pulls = f64::from(pulls);
            out.push(pulls);
            out.push(f64::from(mean) * pulls);
            if let Some(&square) = view.squares.get(index) {
                out.push(f64::from(square) * pulls);
            }
            if let Some(amaf) = amaf.get(index) {
                out.push(f64::from(amaf.pulls));
                out.push(amaf.sum());
            }
        }
    }

    /// Adds what `all` have learned about an edge and this search (`own`) has not.
    fn add_numbers(&mut self, edge: Edge, all: &[f64], own: &[f64]) {
        let mut others = all.iter().zip(own).map(|(all, own)| all - own);
        let mut next = || others.next().unwrap_or_default();
        let arm = self.arm(edge);
        let added = with(arm, next(), next());
        if let Some(square) = self.square(edge) {
            let sum = f64::from(square) * f64::from(arm.pulls) + next();
            self.set_square(edge, (sum / f64::from(added.pulls).max(1.0)) as f32);
        }
        match self.proven(edge) {
            Some(_) => self.count(edge, added.pulls - arm.pulls),
            None if added.pulls > arm.pulls => self.set_arm(edge, added),
            None => {}
        }
        if let Some(amaf) = self.amaf(edge) {
            self.set_amaf(edge, with(amaf, next(), next()));
        }
    }
}

/// An arm after further pulls with this sum of rewards.
fn with(arm: Arm, pulls: f64, sum: f64) -> Arm {
    let pulls = arm.pulls.saturating_add(pulls.max(0.0) as u32);
    let mean = (arm.sum() + sum) / f64::from(pulls).max(1.0);
    Arm { pulls, mean: mean.clamp(0.0, 1.0) as f32 }
}
