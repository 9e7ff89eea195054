//! The upper part of a search graph, with names: plain data for drawing.

use crate::TREE_DEPTH_MAX;
use crate::explanation::chooser;
use aji_search::{AnyGame, Game, Graph, GraphEdge, GraphNode, Named};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// Positions, each once, and the actions that lead from one to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchGraph {
    /// The positions: the root first, then level by level, the most simulated first.
    pub nodes: Vec<PositionNode>,
    /// The actions between them.
    pub ways: Vec<Way>,
}

/// A position of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionNode {
    /// The position in one line.
    pub position: String,
    /// The fewest actions that lead there from the root.
    pub level: usize,
    /// The simulations that came here, on any path.
    pub visits: u32,
    /// How many further actions the graph has here.
    pub left_out: usize,
}

/// An action that leads from one position to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// The number of the position in which it is taken.
    pub from: usize,
    /// The number of the position that it leads to.
    pub to: usize,
    /// Its name.
    pub action: String,
    /// Who takes it: a player's name, or `chance`.
    pub player: String,
    /// The simulations that took it.
    pub pulls: u32,
    /// Their average reward to the player who takes it.
    pub mean: f32,
}

impl SearchGraph {
    /// The graph from its root: at most `depth` levels, and the `top` most simulated actions per node. Positions
    /// that have no node, such as the ends of games, are told apart by their texts. None before the first simulation.
    pub(crate) fn new(graph: &Graph, position: &AnyGame, depth: usize, top: usize) -> Option<SearchGraph> {
        let root = graph.root()?;
        let mut drawn = SearchGraph { nodes: Vec::new(), ways: Vec::new() };
        let mut numbers: BTreeMap<GraphNode, usize> = BTreeMap::from([(root, 0)]);
        let mut leaves: BTreeMap<String, usize> = BTreeMap::new();
        drawn.nodes.push(node(position, 0, graph.visits(root)));
        let mut waiting = VecDeque::from([(root, 0, position.clone())]);
        while let Some((from, number, position)) = waiting.pop_front() {
            let level = drawn.nodes[number].level;
            let shown = most_simulated(graph, from, if level < depth.min(TREE_DEPTH_MAX) { top } else { 0 });
            drawn.nodes[number].left_out = graph.edges(from).count() - shown.len();
            for edge in shown {
                let mut after = position.clone();
                after.play(edge.index);
                let known = match edge.below {
                    Some(below) => numbers.get(&below).copied(),
                    None => leaves.get(&after.text()).copied(),
                };
                let to = known.unwrap_or_else(|| {
                    drawn.nodes.push(node(
                        &after,
                        level + 1,
                        edge.below.map_or(0, |below| graph.visits(below)),
                    ));
                    drawn.nodes.len() - 1
                });
                if edge.below.is_none() {
                    drawn.nodes[to].visits += edge.arm.pulls;
                    leaves.insert(after.text(), to);
                }
                drawn.ways.push(Way {
                    from: number,
                    to,
                    action: position.action_name(edge.index),
                    player: chooser(&position, position.turn()),
                    pulls: edge.arm.pulls,
                    mean: edge.arm.mean,
                });
                if let Some(below) = edge.below.filter(|_| known.is_none()) {
                    numbers.insert(below, to);
                    waiting.push_back((below, to, after));
                }
            }
        }
        Some(drawn)
    }
}

fn node(position: &AnyGame, level: usize, visits: u32) -> PositionNode {
    PositionNode { position: position.text(), level, visits, left_out: 0 }
}

/// The most simulated actions of a node, the most simulated first. Untried ones are never among them.
fn most_simulated(graph: &Graph, node: GraphNode, top: usize) -> Vec<GraphEdge> {
    let mut edges: Vec<GraphEdge> = graph.edges(node).filter(|edge| edge.arm.pulls > 0).collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.arm.pulls));
    edges.truncate(top);
    edges
}
