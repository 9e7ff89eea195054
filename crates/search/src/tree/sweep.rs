//! Freeing in place: everything that is not below a new root, or the least visited blocks.

use super::{Edge, HUNG, NO_EDGE, Node, Tree};
use crate::links::Head;
use aji_bandit::ARM_WORDS;

impl Tree {
    /// Makes the node below this root edge the root, frees everything that is not below it, and closes the gaps.
    pub(crate) fn advance(&mut self, edge: Edge) {
        self.root = self.below(edge);
        self.root_places.clear();
        (self.recycled, self.recycles) = (0, true);
        self.sweep(0);
    }

    /// Frees the blocks below the least visited edges until at least half of the arena is free. The edges and their
    /// statistics stay, and lead to leaves again.
    pub(crate) fn recycle(&mut self) {
        let before = self.len();
        let mut kept = usize::from(self.root.count);
        let mut least = u32::BITS;
        for (bits, edges) in self.edges_by_visits().into_iter().enumerate().rev() {
            kept += edges;
            if kept > self.capacity / 2 {
                break;
            }
            least = bits as u32;
        }
        // Edges whose pulls have at least `least` binary digits keep their blocks. An edge never has more pulls than
        // its parent, so the ancestors of a kept block are kept too.
        let most_freed = 1u32.checked_shl(least.saturating_sub(1)).map_or(u32::MAX, |fewest| fewest - 1);
        self.sweep(most_freed);
        let freed = before - self.len();
        self.recycled += freed as u64;
        // A tree that is hardly more than its root can free little. Then trying again does not help.
        self.recycles = freed >= self.capacity / 8;
    }

    /// True when a block did not fit and the tree has something to free.
    #[inline(always)]
    pub(crate) fn wants_recycling(&self) -> bool {
        self.left_out > 0 && self.recycles
    }

    /// Counts the edges in blocks, by the binary digits of the pulls of the edge above the block.
    fn edges_by_visits(&self) -> [usize; 33] {
        let mut counts = [0; 33];
        let mut waiting: Vec<(Node, usize)> = vec![(self.root, 0)];
        while let Some((node, index)) = waiting.last_mut() {
            if *index == usize::from(node.count) {
                waiting.pop();
                continue;
            }
            let below = self.below(node.edge(*index));
            *index += 1;
            if !below.is_leaf() {
                counts[(u32::BITS - below.pulls.leading_zeros()) as usize] += usize::from(below.count);
                waiting.push((below, 0));
            }
        }
        counts
    }

    /// Keeps the root's block and, below kept blocks, the blocks of edges with more pulls than `most_freed`.
    ///
    /// One sweep in place, in the order of the arena. A block that will survive is first hung on its owner: the first
    /// link of the block names the owner, and the owner holds what that link held. An owner always comes before its
    /// block. So when the sweep meets a hung block, the owner is already in its final place.
    fn sweep(&mut self, most_freed: u32) {
        if self.root.count > 0 {
            self.hang(NO_EDGE);
        }
        let (mut from, mut to) = (0, 0);
        while from < self.links.len() {
            let Head { first: hung, count: below } = self.links.head(from);
            if hung & HUNG == 0 {
                from += 1;
                continue;
            }
            let owner = hung & !HUNG;
            let count = self.count_below(owner);
            let first = self.replace_first_below(owner, to as u32);
            self.links.set_head(from, Head { first, count: below });
            self.links.copy_within(from..from + count, to);
            self.arms.copy_within(from * ARM_WORDS..(from + count) * ARM_WORDS, to * ARM_WORDS);
            if self.extras.squares {
                self.squares.copy_within(from..from + count, to);
            }
            if self.extras.keys {
                self.keys.copy_within(from..from + count, to);
            }
            if self.extras.amaf {
                self.amaf.copy_within(from..from + count, to);
            }
            if self.extras.priors {
                self.priors.copy_within(from..from + count, to);
            }
            if to < self.bounds_end {
                self.bounds.copy_within(from..from + count, to);
            }
            for index in 0..count {
                let pulls = self.arms[to * ARM_WORDS + 2 * count + index];
                let Head { count: below, .. } = self.links.head(to + index);
                if below > 0 && pulls <= most_freed {
                    self.links.set_head(to + index, Head::default());
                } else if below > 0 {
                    self.hang((to + index) as u32);
                }
            }
            from += count;
            to += count;
        }
        self.truncate(to);
    }

    /// Hangs the block below an edge on that edge.
    fn hang(&mut self, owner: u32) {
        let block = self.head_below(owner).first as usize;
        let Head { first, count } = self.links.head(block);
        self.links.set_head(block, Head { first: owner | HUNG, count });
        self.replace_first_below(owner, first);
    }

    fn count_below(&self, owner: u32) -> usize {
        self.head_below(owner).count.into()
    }

    /// The block below an edge, or the root's block.
    fn head_below(&self, owner: u32) -> Head {
        match owner {
            NO_EDGE => Head { first: self.root.first, count: self.root.count },
            owner => self.links.head(owner as usize),
        }
    }

    /// Sets where that block starts, and returns where it started before.
    fn replace_first_below(&mut self, owner: u32, first: u32) -> u32 {
        let Head { first: before, count } = self.head_below(owner);
        match owner {
            NO_EDGE => self.root.first = first,
            owner => self.links.set_head(owner as usize, Head { first, count }),
        }
        before
    }
}
