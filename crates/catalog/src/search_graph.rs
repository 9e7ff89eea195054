//! The upper part of a search graph, with names: plain data for whoever draws it.

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
    /// The simulations that came here, by whatever way.
    pub visits: u32,
    /// How many actions the graph has here beside those that are shown.
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
    /// The graph from its root: at most `depth` levels, and `top` of the most simulated actions a node. A position that has no
    /// node yet is drawn once for each action that leads there. None before the first simulation.
    pub(crate) fn new(graph: &Graph, position: &AnyGame, depth: usize, top: usize) -> Option<SearchGraph> {
        let root = graph.root()?;
        let mut drawn = SearchGraph { nodes: Vec::new(), ways: Vec::new() };
        let mut numbers: BTreeMap<GraphNode, usize> = BTreeMap::from([(root, 0)]);
        drawn.nodes.push(node(position, 0, graph.visits(root)));
        let mut waiting = VecDeque::from([(root, 0, position.clone())]);
        while let Some((from, number, position)) = waiting.pop_front() {
            let level = drawn.nodes[number].level;
            let shown = most_simulated(graph, from, if level < depth.min(TREE_DEPTH_MAX) { top } else { 0 });
            drawn.nodes[number].left_out = graph.edges(from).count() - shown.len();
            for edge in shown {
                let mut after = position.clone();
                after.play(edge.index);
                let known = edge.below.and_then(|below| numbers.get(&below).copied());
                let to = known.unwrap_or_else(|| {
                    let visits = edge.below.map_or(edge.arm.pulls, |below| graph.visits(below));
                    drawn.nodes.push(node(&after, level + 1, visits));
                    drawn.nodes.len() - 1
                });
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

#[cfg(test)]
mod tests {
    use crate::session;
    use std::collections::BTreeSet;

    /// Two stones in two heaps: both orders of taking one from each lead to the same position, which is drawn once.
    #[test]
    fn shared_positions_are_drawn_once() {
        let mut session = session("nim heaps=2,2").expect("a game");
        let agent = "uct transpositions=on simulations=2000".parse().expect("an agent");
        assert_eq!(session.graph(3, 9), None);
        session.think(&agent, &mut ()).expect("a report");
        assert!(session.tree(&[], 3, 9).is_none());
        let graph = session.graph(2, 9).expect("a graph");
        let positions: BTreeSet<&str> = graph.nodes.iter().map(|node| node.position.as_str()).collect();
        assert_eq!(positions.len(), graph.nodes.len(), "{graph:?}");
        let shared =
            graph.nodes.iter().position(|node| node.position == "1,1 1").expect("the shared position");
        let ways: Vec<&str> =
            graph.ways.iter().filter(|way| way.to == shared).map(|way| way.action.as_str()).collect();
        assert_eq!(BTreeSet::from_iter(ways), BTreeSet::from(["1:1", "2:1"]));
        assert_eq!((graph.nodes[0].visits, graph.nodes[shared].level), (2000, 2));
        assert!(graph.ways.iter().all(|way| graph.nodes[way.to].level <= graph.nodes[way.from].level + 1));
    }
}
