//! A simulation as a learner sees it: the path down the tree, and the result.

use super::Played;
use crate::engine::PathStep;
use crate::{Payoff, Player, Tree};
use aji_bandit::View;

/// One simulation, after it was backed up.
pub struct Trace<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) path: &'a [PathStep],
    /// The players' actions in the playout, if it was recorded.
    pub played: &'a [Played],
    /// Each player's payoff.
    pub payoff: &'a Payoff,
}

/// A position in the tree where a player chose.
pub struct Visit<'a> {
    /// Who chose.
    pub player: Player,
    /// The index of the action taken.
    pub taken: usize,
    /// The keys of all its actions.
    pub keys: &'a [u32],
    /// Their statistics, from the side of the player who chose.
    pub arms: View<'a>,
}

impl Visit<'_> {
    /// The key of the action taken, and its mean reward.
    #[inline(always)]
    pub fn chosen(&self) -> (usize, f32) {
        (self.keys[self.taken] as usize, self.arms.means[self.taken])
    }

    /// The keys and mean rewards of the other actions that have been tried.
    #[inline(always)]
    pub fn others(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let tried = self.keys.iter().zip(self.arms.means).zip(self.arms.pulls).enumerate();
        tried
            .filter(|&(index, (_, &pulls))| pulls > 0 && index != self.taken)
            .map(|(_, ((&key, &mean), _))| (key as usize, mean))
    }
}

impl Trace<'_> {
    /// The choices of the players on the path.
    #[inline(always)]
    pub fn visits(&self) -> impl Iterator<Item = Visit<'_>> {
        self.path.iter().filter(|step| !step.by_chance).map(|step| Visit {
            player: step.player,
            taken: step.edge.index(),
            keys: self.tree.keys_beside(step.edge),
            arms: self.tree.arms_beside(step.edge),
        })
    }

    /// The players' actions in the whole simulation: in the tree, and in the playout if it was recorded.
    #[inline(always)]
    pub fn plays(&self) -> impl Iterator<Item = Played> {
        let in_tree = self.visits().map(|visit| Played::new(visit.chosen().0, visit.player));
        in_tree.chain(self.played.iter().copied())
    }
}
