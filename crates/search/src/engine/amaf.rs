//! AMAF (all moves as first) in the tree: the statistics that a rule such as [`Rave`](aji_bandit::Rave) reads beside
//! the arms.
//!
//! Beside its own pulls, each edge counts all simulations through its node in which the same player made the same
//! choice (the same key). The choice may come there or later, in the tree or in the playout.
//!
//! A node with few visits also has little AMAF data. GRAVE (Cazenave 2015, Generalized rapid action value estimation)
//! makes it read the nearest node above with enough visits. Here the statistics belong to edges: to one player's
//! choices in one position. So the reference is the nearest node above with enough visits where the same player
//! chose, or else the first such node. Actions that were not available there are unknown.

use super::PathStep;
use crate::learn::{Played, Stamps};
use crate::tree::Node;
use crate::{PLAYERS_MAX, Player, Tree};
use aji_bandit::{Arm, reward_some};

const UNKNOWN: Arm = Arm { pulls: 0, mean: 0.0 };

/// The state that a search needs beside its tree for AMAF statistics.
pub(crate) struct Amaf {
    /// A node with fewer visits reads its reference.
    visits_min: u32,
    count: usize,
    /// The keys of all edges of the path's nodes where a player chose, node after node.
    keys: Vec<u32>,
    /// The actions of the simulation, by player and key.
    made: Stamps,
    references: Vec<Reference>,
    /// A buffer for the statistics of a node that reads its reference.
    shown: Vec<Arm>,
}

/// The AMAF statistics of the reference node, for one player's choices.
#[derive(Clone, Default)]
struct Reference {
    /// Whether the path has such a node.
    exists: bool,
    known: Stamps,
    arms: Vec<Arm>,
}

impl Reference {
    fn set(&mut self, keys: &[u32], arms: &[Arm]) {
        self.exists = true;
        self.known.begin();
        for (&key, &arm) in keys.iter().zip(arms) {
            self.known.is_first(key as usize);
            self.arms[key as usize] = arm;
        }
    }

    fn of(&self, key: usize) -> Arm {
        if self.known.has(key) { self.arms[key] } else { UNKNOWN }
    }
}

impl Amaf {
    /// A node with fewer than `visits_min` visits reads the nearest node above with enough: 0 is RAVE, more is GRAVE.
    pub(crate) fn new(visits_min: u32) -> Amaf {
        let (keys, made) = (Vec::new(), Stamps::default());
        let (references, shown) = (Vec::new(), Vec::new());
        Amaf { visits_min, count: 0, keys, made, references, shown }
    }

    /// A fresh copy.
    pub(crate) fn copy(&self) -> Amaf {
        Amaf::new(self.visits_min)
    }

    /// Starts a descent.
    #[inline]
    pub(crate) fn begin(&mut self, count: usize, players: usize) {
        self.keys.clear();
        self.references.iter_mut().for_each(|reference| reference.exists = false);
        if self.count != count {
            self.count = count;
            self.made = Stamps::new(PLAYERS_MAX * count);
            if self.visits_min > 0 {
                let (known, arms) = (Stamps::new(count), vec![UNKNOWN; count]);
                self.references = vec![Reference { exists: false, known, arms }; players];
            }
        }
    }

    /// The descent reaches a node where a player chooses. Returns the statistics to show for its edges.
    #[inline]
    pub(crate) fn enter<'a>(
        &'a mut self,
        tree: &'a Tree,
        node: Node,
        keys: impl Iterator<Item = u32>,
        player: Player,
    ) -> &'a [Arm] {
        let first = self.keys.len();
        self.keys.extend(keys);
        let (keys, own) = (&self.keys[first..], tree.amaf_of(node));
        let Some(reference) = self.references.get_mut(usize::from(player)) else { return own };
        if node.pulls >= self.visits_min || !reference.exists {
            reference.set(keys, own);
            return own;
        }
        self.shown.clear();
        self.shown.extend(keys.iter().map(|&key| reference.of(key as usize)));
        &self.shown
    }

    /// Goes down the same path again, to tell what was shown.
    pub(crate) fn again(&self) -> Again<'_> {
        let mut amaf = self.copy();
        amaf.begin(self.count, self.references.len());
        Again { amaf, keys: &self.keys }
    }

    /// Backs up a simulation, from its end to its start.
    #[inline]
    pub(crate) fn back_up(
        &mut self,
        tree: &mut Tree,
        path: &[PathStep],
        played: &[Played],
        rewards: [f32; PLAYERS_MAX],
    ) {
        let Amaf { keys, made, count, .. } = self;
        let place = |key: u32, player: Player| usize::from(player) * *count + key as usize;
        made.begin();
        for &Played { key, player } in played {
            made.is_first(place(key, player));
        }
        let mut end = keys.len();
        for step in path.iter().rev().filter(|step| !step.by_chance) {
            let start = end - step.edge.siblings();
            let keys = &keys[start..end];
            made.is_first(place(keys[step.edge.index()], step.player));
            let reward = rewards[usize::from(step.player)];
            let made = made.part(place(0, step.player), *count);
            reward_some(tree.amaf_beside(step.edge), reward, |index| made.has(keys[index] as usize));
            end = start;
        }
    }
}

/// A descent that has been made.
pub(crate) struct Again<'a> {
    amaf: Amaf,
    /// The keys of the nodes that are still to come.
    keys: &'a [u32],
}

impl Again<'_> {
    /// What [`Amaf::enter`] returned at the next node where a player chose. Empty if the tree keeps no statistics.
    pub(crate) fn enter(&mut self, tree: &Tree, node: Node, player: Player) -> Vec<Arm> {
        let Some((keys, rest)) = self.keys.split_at_checked(node.edges().count()) else { return Vec::new() };
        self.keys = rest;
        if tree.amaf_of(node).is_empty() {
            return Vec::new();
        }
        self.amaf.enter(tree, node, keys.iter().copied(), player).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::Recorded;
    use crate::toys::Sweets;
    use crate::{Budget, Rng, Search, Select};
    use aji_bandit::{Rave, View};
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A view that a rule has seen: the visits of a node, and the AMAF statistics of its edges.
    type Shown = (u32, Vec<Arm>);

    /// RAVE that records the views it has seen.
    #[derive(Clone, Default)]
    struct Watched(Rc<RefCell<Vec<Shown>>>);

    impl Select for Watched {
        const WANTS_AMAF: bool = true;

        fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
            self.0.borrow_mut().push((view.total, view.amaf.to_vec()));
            Rave::default().select(view, rng)
        }
    }

    const SWEETS: &[f32] = &[1.0, 5.0, 2.0, 4.0, 3.0, 7.0];

    /// Nodes with few visits read the nearest node above with enough visits and the same player to move, action by
    /// action.
    #[test]
    fn few_visits_read_above() {
        let (watched, visits_min) = (Watched::default(), 30);
        let search = Search::new(Sweets::new(SWEETS)).select(watched.clone()).amaf(visits_min);
        let mut search = search.evaluate(Recorded).seed(1);
        let mut borrowed = 0;
        for _ in 0..2_000 {
            watched.0.borrow_mut().clear();
            let told = search.step().expect("a simulation");
            let shown = watched.0.borrow();
            let told_again = told.path.iter().map(|choice| &choice.amaf);
            assert!(
                told_again.eq(shown.iter().map(|(_, arms)| arms)),
                "an explanation tells what the rule saw"
            );
            for depth in 2..told.path.len() {
                if shown[depth].0 >= visits_min {
                    continue;
                }
                let above: Vec<usize> = (0..depth).rev().skip(1).step_by(2).collect();
                let enough = |&depth: &usize| shown[depth].0 >= visits_min;
                let reference = above.iter().copied().find(enough).or(above.last().copied());
                let reference = reference.expect("a node of the same player");
                let known: Vec<u8> = told.path[reference].arms.iter().map(|&(sweet, _)| sweet).collect();
                let expect = told.path[depth].arms.iter().map(|&(sweet, _)| {
                    let place = known.iter().position(|&other| other == sweet).expect("it was there");
                    shown[reference].1[place]
                });
                assert!(expect.eq(shown[depth].1.iter().copied()), "depth {depth}");
                borrowed += 1;
            }
        }
        assert!(borrowed > 500, "{borrowed}");
    }

    /// With a rule that does not read AMAF, the tree keeps none, and the search is the same to the last bit.
    #[test]
    fn other_rules_do_not_pay() {
        let mut plain = Search::new(Sweets::new(SWEETS)).seed(1);
        let mut keeping = Search::new(Sweets::new(SWEETS)).seed(1).amaf(0);
        let budget = Budget::simulations(1_000);
        assert_eq!(plain.run(budget).arms, keeping.run(budget).arms);
        let tree = keeping.tree().expect("a tree");
        assert!(tree.root_edges().all(|edge| tree.amaf(edge).is_none()));
        assert_eq!(plain.tree().expect("a tree").bytes(), tree.bytes());
    }

    /// A wave would not record the actions played.
    #[test]
    fn waves_are_of_one() {
        let search = || Search::new(Sweets::new(SWEETS)).select(Rave::default()).amaf(0).evaluate(Recorded);
        let budget = Budget::simulations(1_000);
        assert_eq!(search().wave(8).run(budget).arms, search().run(budget).arms);
    }
}
