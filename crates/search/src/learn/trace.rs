//! A simulation as a learner sees it: the way down the tree, and what came of it.

use super::Played;
use crate::search::Step;
use crate::{Game, Keyed, Payoff, Player, Tree, Turn};
use aji_bandit::View;

/// One simulation, after it was backed up.
pub struct Trace<'a, G: Game> {
    pub(crate) root: &'a G,
    pub(crate) tree: &'a Tree<G::Action>,
    pub(crate) path: &'a [Step],
    /// What the players did in the playout, where it was recorded.
    pub played: &'a [Played],
    /// What each player got.
    pub payoff: &'a Payoff,
}

/// A position in the tree where a player chose.
pub struct Visit<'a, G: Game> {
    /// The position.
    pub game: &'a G,
    /// Who chose.
    pub player: Player,
    /// The number of the action taken.
    pub taken: usize,
    /// What is known of all its actions, from the side of who chose.
    pub arms: View<'a>,
    tree: &'a Tree<G::Action>,
    first: usize,
}

impl<G: Game> Visit<'_, G> {
    /// An action by its number.
    #[inline(always)]
    pub fn action(&self, index: usize) -> G::Action {
        self.tree.action_at(self.first + index)
    }
}

impl<G: Keyed> Visit<'_, G> {
    /// The key of an action by its number.
    #[inline(always)]
    pub fn key(&self, index: usize) -> usize {
        self.game.key(self.action(index))
    }

    /// The keys and mean rewards of the other actions that have been tried.
    #[inline(always)]
    pub fn others(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let tried = self.arms.pulls.iter().zip(self.arms.means).enumerate();
        tried
            .filter(|&(index, (&pulls, _))| pulls > 0 && index != self.taken)
            .map(|(index, (_, &mean))| (self.key(index), mean))
    }
}

impl<G: Game> Trace<'_, G> {
    /// Walks down the tree, in a position of the learner's own, and shows every choice that a player made.
    #[inline]
    pub fn walk(&self, game: &mut G, mut visit: impl FnMut(&Visit<G>)) {
        game.clone_from(self.root);
        for step in self.path {
            if game.turn() != Turn::Chance {
                let (first, _) = step.edge.block();
                visit(&Visit {
                    game,
                    player: step.player,
                    taken: step.edge.index(),
                    arms: self.tree.arms_beside(step.edge),
                    tree: self.tree,
                    first: first as usize,
                });
            }
            game.play(self.tree.action(step.edge));
        }
    }
}

impl<G: Keyed> Trace<'_, G> {
    /// Tells what the players did in the whole simulation: in the tree, walked in a position of the learner's own, and in
    /// the playout.
    #[inline]
    pub fn plays(&self, game: &mut G, mut play: impl FnMut(Played)) {
        self.walk(game, |visit| play(Played::new(visit.key(visit.taken), visit.player)));
        self.played.iter().for_each(|&played| play(played));
    }
}
