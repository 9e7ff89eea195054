//! The upper part of a search tree, with names: plain data for drawing.

use crate::action_text::find;
use crate::explanation::chooser;
use aji_search::{Abilities, AnyGame, Edge, Game, Named, Playable, Tree, Turn};
use serde::Serialize;

/// The most levels of a tree that a caller may ask for.
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
    /// The prior of the action, if the evaluation makes priors; none at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f32>,
    /// True if the solver has proven the value of the node, which is then the mean. Never at the root.
    pub proven: bool,
    /// The most simulated actions from here, most simulated first. Untried ones are never among them.
    pub children: Vec<TreeNode>,
    /// How many further actions the tree has here.
    pub left_out: usize,
}

impl TreeNode {
    /// The tree below the node that these actions lead to: at most `depth` levels, and the `top` most simulated actions
    /// per node. None if an action is unknown or was never tried.
    pub(crate) fn below(
        tree: &Tree,
        position: &AnyGame,
        path: &[&str],
        depth: usize,
        top: usize,
    ) -> Option<TreeNode> {
        let Some((last, before)) = path.split_last() else {
            return Some(TreeNode::of_root(tree, position, depth, top));
        };
        let (cut, depth) = (Cut { tree, top }, depth.min(TREE_DEPTH_MAX));
        let (position, edges, _) = node_at(tree, position, before)?;
        let edge = edge_of(tree, &edges, find(&position, last).ok()?)?;
        Some(cut.node(&position, edge, depth + 1))
    }

    /// The upper part of the tree of a search with its root at this position: at most `depth` levels, and the `top`
    /// most simulated actions per node.
    ///
    /// ```
    /// use aji_catalog::TreeNode;
    /// use aji_games::TicTacToe;
    /// use aji_search::{Budget, Search};
    ///
    /// let mut search = Search::new(TicTacToe::new());
    /// search.run(Budget::simulations(500));
    /// let tree = TreeNode::of_search(search.tree().unwrap(), search.root(), 2, 3);
    /// assert_eq!((tree.pulls, tree.children.len()), (500, 3));
    /// ```
    pub fn of_search<G: Playable + Named>(tree: &Tree, root: &G, depth: usize, top: usize) -> TreeNode {
        let position = AnyGame::with(root.clone(), Abilities::none().named());
        TreeNode::of_root(tree, &position, depth, top)
    }

    fn of_root(tree: &Tree, position: &AnyGame, depth: usize, top: usize) -> TreeNode {
        let (cut, depth) = (Cut { tree, top }, depth.min(TREE_DEPTH_MAX));
        let edges = edges_with_priors(tree.root_edges(), tree.root_priors());
        let (children, left_out) = cut.children(position, edges, depth);
        let (action, player, mean, prior) = (None, None, None, None);
        TreeNode { action, player, pulls: tree.pulls(), mean, prior, proven: false, children, left_out }
    }

    /// The number of nodes of this tree, including this one.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(TreeNode::count).sum::<usize>()
    }
}

/// The node that these actions lead to: its position, its edges, and the edge above it. None if an
/// action is unknown or was never tried.
pub(crate) fn node_at(
    tree: &Tree,
    position: &AnyGame,
    path: &[&str],
) -> Option<(AnyGame, Vec<WithPrior>, Option<Above>)> {
    let (mut position, mut above) = (position.clone(), None);
    let mut edges = edges_with_priors(tree.root_edges(), tree.root_priors());
    for name in path {
        let (edge, _) = edge_of(tree, &edges, find(&position, name).ok()?)?;
        above = Some(Above { edge, turn: position.turn() });
        position.play(tree.place(edge) as u16);
        edges = edges_with_priors(tree.edges_below(edge), tree.priors_below(edge));
    }
    Some((position, edges, above))
}

/// The edge that leads to a node, and who took it.
#[derive(Clone, Copy)]
pub(crate) struct Above {
    pub(crate) edge: Edge,
    pub(crate) turn: Turn,
}

/// An edge, and the prior of its action if there are priors.
pub(crate) type WithPrior = (Edge, Option<f32>);

fn edges_with_priors(edges: impl Iterator<Item = Edge>, priors: &[f32]) -> Vec<WithPrior> {
    edges.enumerate().map(|(index, edge)| (edge, priors.get(index).copied())).collect()
}

/// The edge of an action that was tried.
fn edge_of(tree: &Tree, edges: &[WithPrior], action: u16) -> Option<WithPrior> {
    let is_wanted =
        |(edge, _): &WithPrior| tree.place(*edge) == usize::from(action) && tree.arm(*edge).pulls > 0;
    edges.iter().copied().find(is_wanted)
}

/// A tree, and the most actions that a node shows.
struct Cut<'a> {
    tree: &'a Tree,
    top: usize,
}

impl Cut<'_> {
    /// The most simulated of these edges as nodes, and the number of the others.
    fn children(&self, position: &AnyGame, edges: Vec<WithPrior>, depth: usize) -> (Vec<TreeNode>, usize) {
        let pulls = |(edge, _): &WithPrior| self.tree.arm(*edge).pulls;
        let mut shown: Vec<WithPrior> =
            edges.iter().copied().filter(|edge| depth > 0 && pulls(edge) > 0).collect();
        shown.sort_by_key(|edge| std::cmp::Reverse(pulls(edge)));
        shown.truncate(self.top);
        let left_out = edges.len() - shown.len();
        (shown.into_iter().map(|edge| self.node(position, edge, depth)).collect(), left_out)
    }

    fn node(&self, position: &AnyGame, (edge, prior): WithPrior, depth: usize) -> TreeNode {
        let (action, arm) = (self.tree.place(edge) as u16, self.tree.arm(edge));
        let edges = edges_with_priors(self.tree.edges_below(edge), self.tree.priors_below(edge));
        // Most nodes are on the last level, where no position is needed.
        let (children, left_out) = if depth == 1 || edges.is_empty() {
            (Vec::new(), edges.len())
        } else {
            let mut after = position.clone();
            after.play(action);
            self.children(&after, edges, depth - 1)
        };
        TreeNode {
            action: Some(position.action_name(action)),
            player: Some(chooser(position, position.turn())),
            pulls: arm.pulls,
            mean: Some(arm.mean),
            prior,
            proven: self.tree.proven(edge).is_some(),
            children,
            left_out,
        }
    }
}
