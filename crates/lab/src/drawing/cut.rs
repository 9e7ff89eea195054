//! The part of a tree that a picture shows: no more rows than fit, the most simulated nodes first, and the other actions of
//! a node together as one.

use aji_catalog::TreeNode;
use std::collections::BinaryHeap;
use std::fmt;

/// The actions of a node that have no box of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rest {
    /// Their number.
    pub(super) actions: usize,
    /// Their share of the node's simulations.
    pub(super) share: f32,
}

/// `7 more, 12%`.
impl fmt::Display for Rest {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let percent = match 100.0 * self.share {
            some if some > 0.0 && some < 1.0 => "<1".to_string(),
            percent => format!("{percent:.0}"),
        };
        write!(formatter, "{} more, {percent}%", self.actions)
    }
}

/// A node of a picture.
pub(super) struct Drawn<'a> {
    pub(super) node: &'a TreeNode,
    /// The children that have boxes, most simulated first.
    pub(super) children: Vec<Drawn<'a>>,
    /// The other actions, if there are any beside children.
    pub(super) rest: Option<Rest>,
}

impl<'a> Drawn<'a> {
    /// All nodes of a tree.
    pub(super) fn whole(tree: &'a TreeNode) -> Drawn<'a> {
        Drawn::new(tree, tree.children.iter().map(Drawn::whole).collect())
    }

    /// The most simulated nodes of a tree that fit in this number of rows. A node without shown children takes a row,
    /// and so does the rest of a node.
    pub(super) fn within(tree: &'a TreeNode, rows_max: usize) -> Drawn<'a> {
        Kept::of(tree, rows_max).drawn(0)
    }

    fn new(node: &'a TreeNode, children: Vec<Drawn<'a>>) -> Drawn<'a> {
        let actions = node.left_out + node.children.len() - children.len();
        let shown: u64 = children.iter().map(|child| u64::from(child.node.pulls)).sum();
        let all: u64 = node.children.iter().map(|child| u64::from(child.pulls)).sum();
        // The simulation that made a node went to none of its actions.
        let own = u64::from(node.action.is_some());
        let pulls = u64::from(node.pulls).saturating_sub(own).max(all);
        let share = (pulls - shown) as f32 / pulls.max(1) as f32;
        let rest = (actions > 0 && !children.is_empty()).then_some(Rest { actions, share });
        Drawn { node, children, rest }
    }
}

/// A node that is kept, and its kept children by their numbers.
struct KeptNode<'a> {
    node: &'a TreeNode,
    children: Vec<usize>,
}

impl KeptNode<'_> {
    /// The rows that this node adds beside those of its children.
    fn rows(&self) -> usize {
        let actions = self.node.children.len() + self.node.left_out;
        usize::from(self.children.is_empty() || self.children.len() < actions)
    }

    /// The priority of its next child: more simulations first, then the older parent.
    fn next(&self, number: usize) -> Option<(u32, std::cmp::Reverse<usize>)> {
        self.node.children.get(self.children.len()).map(|child| (child.pulls, std::cmp::Reverse(number)))
    }
}

/// The nodes that are kept, the root first.
struct Kept<'a>(Vec<KeptNode<'a>>);

impl<'a> Kept<'a> {
    /// Adds the most simulated child of any kept node until the rows are used up.
    fn of(tree: &'a TreeNode, rows_max: usize) -> Kept<'a> {
        let mut kept = vec![KeptNode { node: tree, children: Vec::new() }];
        let mut waiting: BinaryHeap<_> = kept[0].next(0).into_iter().collect();
        let mut rows = 1;
        while let Some((_, std::cmp::Reverse(parent))) = waiting.pop() {
            let (child, before) = (kept.len(), kept[parent].rows());
            let node = &kept[parent].node.children[kept[parent].children.len()];
            kept[parent].children.push(child);
            // The child itself has a row as long as none of its own children are kept.
            let after = rows + kept[parent].rows() + 1 - before;
            if after > rows_max {
                kept[parent].children.pop();
                continue;
            }
            rows = after;
            kept.push(KeptNode { node, children: Vec::new() });
            waiting.extend(kept[parent].next(parent));
            waiting.extend(kept[child].next(child));
        }
        Kept(kept)
    }

    fn drawn(&self, number: usize) -> Drawn<'a> {
        let KeptNode { node, children } = &self.0[number];
        Drawn::new(node, children.iter().map(|&child| self.drawn(child)).collect())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A node with these children: names by depth, pulls that sum up.
    pub(in super::super) fn node(action: &str, pulls: u32, children: Vec<TreeNode>) -> TreeNode {
        TreeNode {
            prior: None,
            action: (!action.is_empty()).then(|| action.to_string()),
            player: (!action.is_empty()).then(|| "x".to_string()),
            pulls,
            mean: (!action.is_empty()).then_some(0.5),
            proven: false,
            children,
            left_out: 0,
        }
    }

    fn rows(drawn: &Drawn) -> usize {
        let own = usize::from(drawn.children.is_empty()) + usize::from(drawn.rest.is_some());
        own + drawn.children.iter().map(rows).sum::<usize>()
    }

    /// A tree of three levels with five children a node.
    fn bushy() -> TreeNode {
        let leaves = |pulls: u32| (0..5).map(|k| node(&format!("c{k}"), pulls / 5 - k, vec![])).collect();
        let middle = |pulls: u32| {
            (0..5).map(|k| node(&format!("b{k}"), pulls / 5 - k, leaves(pulls / 5 - k))).collect::<Vec<_>>()
        };
        let top = (0..5).map(|k| node(&format!("a{k}"), 10_000 - 1_500 * k, middle(10_000 - 1_500 * k)));
        node("", 35_000, top.collect())
    }

    #[test]
    fn rows_are_bounded_and_the_most_simulated_line_stays() {
        let tree = bushy();
        assert_eq!(rows(&Drawn::whole(&tree)), 125);
        for rows_max in [2, 3, 7, 20, 60, 124] {
            let drawn = Drawn::within(&tree, rows_max);
            assert!(rows(&drawn) <= rows_max, "{} of {rows_max}", rows(&drawn));
            assert!(rows(&drawn) + 1 >= rows_max, "{} of {rows_max}", rows(&drawn));
            assert_eq!(drawn.children[0].node.action.as_deref(), Some("a0"));
        }
        assert_eq!(rows(&Drawn::within(&tree, 125)), 125);
        assert_eq!(rows(&Drawn::within(&tree, 1_000)), 125);
    }

    #[test]
    fn the_rest_is_one_node_with_its_share() {
        let children = vec![node("a", 60, vec![]), node("b", 28, vec![]), node("c", 12, vec![])];
        let tree = TreeNode { left_out: 4, ..node("", 100, children) };
        assert_eq!(Drawn::whole(&tree).rest.map(|rest| rest.to_string()), Some("4 more, 0%".into()));
        let two = Drawn::within(&tree, 3);
        assert_eq!(two.rest.map(|rest| rest.to_string()), Some("5 more, 12%".into()));
        assert_eq!(Rest { actions: 3, share: 0.004 }.to_string(), "3 more, <1%");
        // The last level shows no actions at all, and no box for the rest.
        assert_eq!(Drawn::whole(&TreeNode { left_out: 7, ..node("a", 9, vec![]) }).rest, None);
    }
}
