//! One rule at the root and near it, another below.

use crate::{Pending, Rng, Select, View};

/// The root decides which move is played, and wants low simple regret; the nodes below only value positions. So each
/// may have its own rule. As this is a wrapper, no rule's formula depends on its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split<R, B> {
    /// The rule at the root.
    pub root: R,
    /// The rule everywhere else.
    pub below: B,
    /// The number of tree levels, counting the root, that use the root's rule.
    pub near: u32,
}

impl<R, B> Split<R, B> {
    /// One rule at the root, another everywhere else.
    pub fn new(root: R, below: B) -> Split<R, B> {
        Split { root, below, near: 1 }
    }
}

impl<R: Select, B: Select> Select for Split<R, B> {
    const WANTS_AMAF: bool = R::WANTS_AMAF || B::WANTS_AMAF;
    const READS_PRIOR: bool = R::READS_PRIOR || B::READS_PRIOR;
    const COMPILED_TWICE: bool = R::COMPILED_TWICE && B::COMPILED_TWICE;

    #[inline(always)]
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        if view.depth < self.near { self.root.select(view, rng) } else { self.below.select(view, rng) }
    }

    #[inline(always)]
    fn select_ahead(&mut self, view: &View, pending: &mut Pending, picks: &mut [u16]) -> bool {
        if view.depth < self.near {
            self.root.select_ahead(view, pending, picks)
        } else {
            self.below.select_ahead(view, pending, picks)
        }
    }

    fn untried(&self, view: &View) -> Option<f32> {
        if view.depth < self.near { self.root.untried(view) } else { self.below.untried(view) }
    }

    fn draws_lots(&self, view: &View) -> bool {
        if view.depth < self.near { self.root.draws_lots(view) } else { self.below.draws_lots(view) }
    }

    /// Asks only the rule at the root.
    fn enough(&self, view: &View) -> bool {
        self.root.enough(view)
    }

    fn wants_squares(&self) -> bool {
        self.root.wants_squares() || self.below.wants_squares()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms, Ucb1, Uniform};

    #[test]
    fn root_and_below_differ() {
        let mut rule = Split { near: 2, ..Split::new(Uniform, Ucb1 { c: 0.0 }) };
        let arms: Arms = [Arm { pulls: 9, mean: 0.9 }, Arm { pulls: 1, mean: 0.1 }].into_iter().collect();
        let mut select = |depth| rule.select(&View { depth, ..arms.view() }, &mut Rng::seeded(0));
        assert_eq!([select(0), select(1), select(2)], [1, 1, 0]);
    }
}
