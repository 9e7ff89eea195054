//! A look inside: one simulation, and what happened in it. For teaching, for pictures, for finding mistakes.
//!
//! A step runs the same four phases as [`Search::run`], with the same random numbers. All that is told is read from the
//! tree between them, so the loop of ordinary runs knows nothing of it, and n steps leave the same tree as a run of n
//! simulations. Only a rule that reads how many pulls are still to come ([`View::left`](crate::bandit::View::left))
//! could tell the two apart: a step does not know how many will follow.

use super::Search;
use crate::tree::Node;
use crate::{Budget, Evaluate, Game, PLAYERS_MAX, PLAYOUT_PLIES_MAX, Payoff, Rng, Select, Tree, Turn};
use aji_bandit::{Arm, PULLS_MAX};

/// What happened in one simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation<A> {
    /// The choices from the root down. Where the leaf was expanded, the last of them is the first choice in it.
    pub path: Vec<Choice<A>>,
    /// What became of the leaf that was reached.
    pub expansion: Expansion,
    /// The playout's moves after the path: none (an empty list) where the path ends the game, and unknown (`None`)
    /// where the evaluation does not play uniformly random moves one by one to the end. [`Game::playout`] may value a
    /// position as a whole, playouts may be cut off or follow a heuristic.
    pub playout: Option<Vec<A>>,
    /// What each player got, in the game's unit; none where the path ends at a value that is already proven.
    pub payoff: Option<Payoff>,
    /// What that is worth to each player, in 0..=1.
    pub rewards: [f32; PLAYERS_MAX],
}

/// One choice on the way down, and what was known when it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    /// Who chose: a player, or chance.
    pub turn: Turn,
    /// The simulations through the node before this one.
    pub visits: u32,
    /// All actions with what was known of them before, in the game's order.
    pub arms: Vec<(A, Arm)>,
    /// Which of them was taken.
    pub chosen: usize,
    /// What is known of the action taken after this simulation.
    pub after: Arm,
}

impl<A: Copy> Choice<A> {
    /// The action taken.
    pub fn action(&self) -> A {
        self.arms[self.chosen].0
    }

    /// What was known of it before.
    pub fn before(&self) -> Arm {
        self.arms[self.chosen].1
    }
}

/// What became of the leaf of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// It got all its actions, so many.
    Opened(usize),
    /// It was met for the first time, and waits for its second visit.
    FirstVisit,
    /// The game is over there.
    Over,
    /// The tree may not grow deeper.
    Deepest,
    /// The tree has no room for its actions.
    Full,
    /// Its value is proven: nothing is left to find out below.
    Settled,
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// Runs exactly one simulation and tells what happened. None when there is nothing to search, when the root
    /// counts as many simulations as it can, and when the rule sees no use in going on.
    pub fn step(&mut self) -> Option<Simulation<G::Action>> {
        let mut tree = self.planted(Budget::simulations(1))?;
        let done = tree.pulls() == PULLS_MAX
            || self.state.root_bounds.value().is_some()
            || self.select.enough(&tree.view(tree.root(), 0, None));
        let told = (!done).then(|| match self.solving() {
            Some(sum) => self.told_simulation::<true>(&mut tree, sum),
            None => self.told_simulation::<false>(&mut tree, 0.0),
        });
        self.state.tree = Some(tree);
        told
    }

    /// The four phases, with a look at the tree between them.
    fn told_simulation<const SOLVER: bool>(
        &mut self,
        tree: &mut Tree<G::Action>,
        sum: f32,
    ) -> Simulation<G::Action> {
        let edges_before = tree.len();
        let leaf = self.descend::<SOLVER>(tree, None);
        if SOLVER && let Some(value) = self.settled(tree) {
            let (path, rewards) = (self.choices(tree), [value, sum - value, 0.0, 0.0]);
            self.back_up::<SOLVER>(tree, rewards);
            let path = self.with_after(tree, path);
            return Simulation {
                path,
                expansion: Expansion::Settled,
                playout: Some(Vec::new()),
                payoff: None,
                rewards,
            };
        }
        let reached = self.state.path.len();
        self.expand(tree, leaf);
        let expansion = self.expansion(leaf, reached, tree.len() - edges_before);
        let path = self.choices(tree);
        let (game, rng) = (self.state.leaf.game.clone(), self.state.rng.clone());
        let finished = self.simulate();
        let playout = self.replayed(game, rng);
        let rewards = self.state.utility.rewards(&self.state.leaf.payoff);
        self.back_up::<SOLVER>(tree, rewards);
        self.learn(tree, rewards);
        if SOLVER && finished {
            self.prove(tree, rewards[0], sum);
        }
        let path = self.with_after(tree, path);
        Simulation { path, expansion, playout, payoff: Some(self.state.leaf.payoff), rewards }
    }

    /// The choices with what is known now of the actions taken.
    fn with_after(&self, tree: &Tree<G::Action>, path: Vec<Choice<G::Action>>) -> Vec<Choice<G::Action>> {
        let after = |(choice, step): (Choice<G::Action>, &super::Step)| Choice {
            after: tree.arm(step.edge),
            ..choice
        };
        path.into_iter().zip(&self.state.path).map(after).collect()
    }

    /// Why the leaf got these new edges, or none.
    fn expansion(&self, leaf: Node, reached: usize, opened: usize) -> Expansion {
        if opened > 0 {
            Expansion::Opened(opened)
        } else if self.state.leaf.game.turn() == Turn::Over {
            Expansion::Over
        } else if leaf.pulls == 0 {
            Expansion::FirstVisit
        } else if reached >= self.state.depth {
            Expansion::Deepest
        } else {
            Expansion::Full
        }
    }

    /// The choices of the path as they were made. Nothing has been backed up yet.
    fn choices(&self, tree: &Tree<G::Action>) -> Vec<Choice<G::Action>> {
        let (mut game, mut node) = (self.state.root.clone(), tree.root());
        let choice = |step: &super::Step| {
            let choice = Choice {
                turn: game.turn(),
                visits: node.pulls,
                arms: node.edges().map(|edge| (tree.action(edge), tree.arm(edge))).collect(),
                chosen: node.edges().position(|edge| edge == step.edge).expect("an edge of this node"),
                after: tree.arm(step.edge),
            };
            game.play(tree.action(step.edge));
            node = tree.below(step.edge);
            choice
        };
        self.state.path.iter().map(choice).collect()
    }

    /// The moves of the playout just made from this position with these random numbers: played again move by move, it
    /// must come to the same payoff and use up the same random numbers. If it does not, the moves are unknown.
    fn replayed(&self, mut game: G, mut rng: Rng) -> Option<Vec<G::Action>> {
        let (mut moves, mut scratch) = (Vec::new(), Vec::new());
        while game.turn() != Turn::Over {
            if moves.len() == PLAYOUT_PLIES_MAX as usize {
                return None;
            }
            let action = game.random_action(&mut rng, &mut scratch);
            game.play(action);
            moves.push(action);
        }
        (rng == self.state.rng && game.payoff() == self.state.leaf.payoff).then_some(moves)
    }
}
