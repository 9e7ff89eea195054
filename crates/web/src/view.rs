//! What the page sees of a search tree: the node at a path, and the nodes that were opened below it.

use crate::failure::Failure;
use crate::limits::{LEVELS_MAX, MOVE_MAX, NODES_MAX, OPENED_MAX, TOP_MAX};
use aji_catalog::{Session, Snapshot, ToldNode, TreeNode};
use serde::{Deserialize, Serialize};

/// Which part of a tree snapshots show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The opened nodes, each by the actions that lead to it. None for no tree.
    pub opened: Vec<Vec<String>>,
    /// Levels below each of them.
    pub levels: usize,
    /// Children of a node, the most simulated first.
    pub top: usize,
    /// The node whose actions are shown with all their numbers; none for no node.
    #[serde(default)]
    pub node: Option<Vec<String>>,
}

/// What a view shows.
#[derive(Debug, Default, Serialize)]
pub struct Seen {
    /// The trees below opened nodes.
    trees: Vec<Opened>,
    /// The actions of the chosen node.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<ToldNode>,
}

/// The tree below an opened node.
#[derive(Debug, Serialize)]
struct Opened {
    path: Vec<String>,
    tree: TreeNode,
}

/// A tree that can be looked at: of a running search, or of one that has ended.
pub trait Look {
    /// The tree below the node of a path.
    fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode>;

    /// The actions of the node of a path.
    fn node(&self, path: &[&str]) -> Option<ToldNode>;
}

impl Look for Snapshot<'_> {
    fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode> {
        Snapshot::tree(self, path, depth, top)
    }

    fn node(&self, path: &[&str]) -> Option<ToldNode> {
        Snapshot::node(self, path)
    }
}

impl Look for dyn Session + '_ {
    fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode> {
        Session::tree(self, path, depth, top)
    }

    fn node(&self, path: &[&str]) -> Option<ToldNode> {
        Session::node(self, path)
    }
}

impl View {
    /// The same view, if it is within the limits.
    pub fn checked(self) -> Result<View, Failure> {
        let within = |what: &str, found: usize, most: usize| match found <= most {
            true => Ok(()),
            false => Err(Failure::too_long(what, found, most)),
        };
        within("opened nodes", self.opened.len(), OPENED_MAX)?;
        within("levels", self.levels, LEVELS_MAX)?;
        within("children of a node (top)", self.top, TOP_MAX)?;
        for path in self.opened.iter().chain(&self.node) {
            within("actions of a path", path.len(), aji_catalog::TREE_DEPTH_MAX)?;
            path.iter().try_for_each(|name| within("bytes of an action", name.len(), MOVE_MAX))?;
        }
        Ok(self)
    }

    /// What it shows of a tree. Parts past [`NODES_MAX`] nodes are left out.
    pub fn seen(&self, of: &(impl Look + ?Sized)) -> Seen {
        let mut nodes = 0;
        let mut trees = Vec::new();
        for path in &self.opened {
            let Some(tree) = of.tree(&texts(path), self.levels, self.top) else { continue };
            nodes += tree.count();
            if nodes > NODES_MAX {
                break;
            }
            trees.push(Opened { path: path.clone(), tree });
        }
        Seen { trees, node: self.node.as_ref().and_then(|path| of.node(&texts(path))) }
    }
}

fn texts(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}
