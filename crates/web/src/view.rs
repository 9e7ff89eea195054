//! What the page sees of a search tree: the node at a path, and the nodes that were opened below it.

use crate::failure::Failure;
use crate::limits::{LEVELS_MAX, MOVE_MAX, NODES_MAX, OPENED_MAX, TOP_MAX};
use aji_catalog::TreeNode;
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
}

/// Trees below opened nodes.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Trees(Vec<Opened>);

/// The tree below an opened node.
#[derive(Debug, Serialize)]
struct Opened {
    path: Vec<String>,
    tree: TreeNode,
}

impl Trees {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
        for path in &self.opened {
            within("actions of a path", path.len(), aji_catalog::TREE_DEPTH_MAX)?;
            path.iter().try_for_each(|name| within("bytes of an action", name.len(), MOVE_MAX))?;
        }
        Ok(self)
    }

    /// The opened parts of a tree, which the function reads. Parts past [`NODES_MAX`] nodes are left out.
    pub fn trees(&self, read: impl Fn(&[&str], usize, usize) -> Option<TreeNode>) -> Trees {
        let mut nodes = 0;
        let mut trees = Vec::new();
        for path in &self.opened {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let Some(tree) = read(&names, self.levels, self.top) else { continue };
            nodes += tree.count();
            if nodes > NODES_MAX {
                break;
            }
            trees.push(Opened { path: path.clone(), tree });
        }
        Trees(trees)
    }
}
