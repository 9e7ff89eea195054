//! The upper part of a search tree, with names: plain data for whoever draws it.

use crate::explanation::chooser;
use aji_search::{AnyGame, Edge, Game, Named, Tree};
use serde::Serialize;

/// The deepest part of a tree that can be asked for.
pub const TREE_DEPTH_MAX: usize = 20;

/// A node of a tree, and the action that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeNode {
    /// The action that leads here; none at the root.
    pub action: Option<String>,
    /// Who took it: a player's name, or `chance`; none at the root.
    pub player: Option<String>,
    /// Simulations through the node.
    pub pulls: u32,
    /// Their average reward to the player who took the action; none at the root.
    pub mean: Option<f32>,
    /// The most simulated actions from here, most simulated first. Untried ones are never among them.
    pub children: Vec<TreeNode>,
    /// How many actions the tree has here beside the children.
    pub left_out: usize,
}

impl TreeNode {
    /// The tree below a position: so many levels, and so many of the most simulated actions a node.
    pub(crate) fn root(tree: &Tree, position: &AnyGame, depth: usize, top: usize) -> TreeNode {
        let cut = Cut { tree, top };
        let (children, left_out) =
            cut.children(position, tree.root_edges().collect(), depth.min(TREE_DEPTH_MAX));
        TreeNode { action: None, player: None, pulls: tree.pulls(), mean: None, children, left_out }
    }

    /// The nodes of this tree, itself among them.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(TreeNode::count).sum::<usize>()
    }
}

/// A tree, and the most actions that a node shows.
struct Cut<'a> {
    tree: &'a Tree,
    top: usize,
}

impl Cut<'_> {
    /// The most simulated of these edges as nodes, and the number of the others.
    fn children(&self, position: &AnyGame, edges: Vec<Edge>, depth: usize) -> (Vec<TreeNode>, usize) {
        let pulls = |edge: &Edge| self.tree.arm(*edge).pulls;
        let mut shown: Vec<Edge> =
            edges.iter().copied().filter(|edge| depth > 0 && pulls(edge) > 0).collect();
        shown.sort_by_key(|edge| std::cmp::Reverse(pulls(edge)));
        shown.truncate(self.top);
        let left_out = edges.len() - shown.len();
        (shown.into_iter().map(|edge| self.node(position, edge, depth)).collect(), left_out)
    }

    fn node(&self, position: &AnyGame, edge: Edge, depth: usize) -> TreeNode {
        let (action, arm) = (edge.index() as u16, self.tree.arm(edge));
        let mut after = position.clone();
        after.play(action);
        let (children, left_out) = self.children(&after, self.tree.edges_below(edge).collect(), depth - 1);
        TreeNode {
            action: Some(position.action_name(action)),
            player: Some(chooser(position, position.turn())),
            pulls: arm.pulls,
            mean: Some(arm.mean),
            children,
            left_out,
        }
    }
}
