//! All moves as first, in the tree: what a rule such as [`Rave`](aji_bandit::Rave) reads beside the arms.
//!
//! Each edge keeps, beside what came of the simulations that took it, what came of all simulations through its node in which
//! the same player made the same choice (of the same key), there or later, in the tree or in the playout.
//!
//! A node of few visits knows little of this either. GRAVE (Cazenave, Generalized rapid action value estimation, 2015) has it
//! read what is known at the nearest node above that has visits enough. What is kept here belongs to edges, that is to one
//! player's choices in one position. So it is the nearest node above where the same player chose, or the first one, and what
//! could not be chosen there is unknown.

use super::PathStep;
use crate::learn::{Played, Stamps};
use crate::tree::Node;
use crate::{PLAYERS_MAX, Player, Tree};
use aji_bandit::{Arm, reward_some};

const UNKNOWN: Arm = Arm { pulls: 0, mean: 0.0 };

/// What a search needs beside its tree to keep and to show this.
pub(crate) struct Amaf {
    /// The visits that a node needs to be read itself.
    visits_min: u32,
    count: usize,
    /// The keys of all edges of the nodes on the way down where a player chose, node after node.
    keys: Vec<u32>,
    /// What was played in the simulation, by player and key.
    made: Stamps,
    references: Vec<Reference>,
    /// What a node is shown that is not read itself.
    shown: Vec<Arm>,
}

/// What the nearest node of visits enough knows of a player's choices.
#[derive(Clone, Default)]
struct Reference {
    /// Whether there is such a node on the way.
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
    /// A node of fewer than `visits_min` visits is shown what the nearest one above that has them knows: 0 is RAVE, more is
    /// GRAVE.
    pub(crate) fn new(visits_min: u32) -> Amaf {
        let (keys, made) = (Vec::new(), Stamps::default());
        let (references, shown) = (Vec::new(), Vec::new());
        Amaf { visits_min, count: 0, keys, made, references, shown }
    }

    /// The same with room of its own.
    pub(crate) fn copy(&self) -> Amaf {
        Amaf::new(self.visits_min)
    }

    /// A descent begins.
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

    /// The descent comes to a node where a player is to choose. Returns what is to be read of its edges.
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

    /// Counts a simulation, from its end to its start.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::Recorded;
    use crate::toys::Sweets;
    use crate::{Budget, Rng, Search, Select};
    use aji_bandit::{Rave, View};
    use std::cell::RefCell;
    use std::rc::Rc;

    /// What a node was shown: its visits, and its edges as they are elsewhere.
    type Shown = (u32, Vec<Arm>);

    /// RAVE, and what was shown on the way.
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

    /// Nodes of few visits are shown what the nearest node of many knows where the same player chose, action by action.
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

    /// Without a rule that reads it nothing is kept, and the search is the same to the last bit.
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

    /// A wave would not count what is played.
    #[test]
    fn waves_are_of_one() {
        let search = || Search::new(Sweets::new(SWEETS)).select(Rave::default()).amaf(0).evaluate(Recorded);
        let budget = Budget::simulations(1_000);
        assert_eq!(search().wave(8).run(budget).arms, search().run(budget).arms);
    }
}
