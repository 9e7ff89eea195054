//! A record of one simulation: for teaching, for pictures, for debugging.
//!
//! A step runs an ordinary simulation, with the same random numbers as [`Search::run`](crate::Search::run). Before
//! anything is backed up, the kernel lets the engine read the path and the tree. So n steps leave the same tree as a
//! run of n simulations. There are two exceptions. A rule that reads how many pulls remain
//! ([`View::left`](crate::bandit::View::left)) cannot know how many steps will follow. And
//! [noise](crate::Search::noise) is drawn again for each step.

use super::amaf::Amaf;
use super::{Engine, evaluation_of, priors_of};
use crate::bounds::Bounds;
use crate::kernel::Kernel;
use crate::tree::Node;
use crate::{Budget, Edge, Game, PLAYERS_MAX, Payoff, Rng, Tree, Turn};
use aji_bandit::{Arm, PULLS_MAX};

/// What happened in one simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation<A> {
    /// The choices from the root down. If the leaf was expanded, the last one is the first choice in it. With a
    /// policy, the path ends at the leaf.
    pub path: Vec<Choice<A>>,
    /// What happened to the leaf.
    pub expansion: Expansion,
    /// The moves of the playout after the path. Empty if the path ends the game. `None` if they are unknown: the
    /// evaluation is no playout, or does not tell its moves.
    pub playout: Option<Vec<A>>,
    /// Whether `playout` ends before a move that the rules forbid. Playouts of Go know no superko.
    pub is_forbidden_next: bool,
    /// Each player's payoff, in the game's unit; none if the path ends at a proven value.
    pub payoff: Option<Payoff>,
    /// The rewards of the players, in 0..=1.
    pub rewards: [f32; PLAYERS_MAX],
}

impl Simulation<u16> {
    /// The same with actions in place of their numbers, from this position on.
    pub(crate) fn with_actions<G: Game>(self, root: &G) -> Simulation<G::Action> {
        let (mut position, mut actions) = (root.clone(), Vec::new());
        let mut listed = |position: &G| {
            actions.clear();
            position.actions(&mut actions);
            actions.clone()
        };
        let choice = |choice: Choice<u16>| {
            let actions = listed(&position);
            position.play(actions[usize::from(choice.action())]);
            let arms = choice.arms.iter().map(|&(place, arm)| (actions[usize::from(place)], arm));
            Choice {
                arms: arms.collect(),
                priors: choice.priors,
                squares: choice.squares,
                amaf: choice.amaf,
                evaluation: choice.evaluation,
                turn: choice.turn,
                visits: choice.visits,
                chosen: choice.chosen,
                after: choice.after,
                bounds: choice.bounds,
                bounds_after: choice.bounds_after,
            }
        };
        let path = self.path.into_iter().map(choice).collect();
        let mut played = |index: u16| {
            let action = listed(&position)[usize::from(index)];
            position.play(action);
            action
        };
        let playout = self.playout.map(|moves| moves.into_iter().map(&mut played).collect());
        Simulation {
            path,
            expansion: self.expansion,
            playout,
            is_forbidden_next: self.is_forbidden_next,
            payoff: self.payoff,
            rewards: self.rewards,
        }
    }
}

/// One choice of the descent, and the statistics when it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    /// Who chose: a player, or chance.
    pub turn: Turn,
    /// The simulations through the node before this one.
    pub visits: u32,
    /// All actions with their statistics before, in the game's order.
    pub arms: Vec<(A, Arm)>,
    /// Their priors, in the same order; empty if the evaluation makes none.
    pub priors: Vec<f32>,
    /// The means of their squared rewards, in the same order; empty if the rule does not want them.
    pub squares: Vec<f32>,
    /// Their AMAF statistics, as the rule saw them; empty if there are none.
    pub amaf: Vec<Arm>,
    /// The evaluation of the position, from the chooser's side, if the rule saw one.
    pub evaluation: Option<f32>,
    /// The index of the one taken.
    pub chosen: usize,
    /// The statistics of the action taken, after this simulation.
    pub after: Arm,
    /// What the solver knew of the actions' values, in the same order: the least and the greatest reward of the player
    /// who acts. None where it knew nothing; empty without the solver.
    pub bounds: Vec<Option<[f32; 2]>>,
    /// The same of the action taken, after this simulation.
    pub bounds_after: Option<[f32; 2]>,
}

impl<A: Copy> Choice<A> {
    /// The action taken.
    pub fn action(&self) -> A {
        self.arms[self.chosen].0
    }

    /// Its statistics before.
    pub fn before(&self) -> Arm {
        self.arms[self.chosen].1
    }
}

/// What happened to the leaf of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// It got all its actions, this many: on its second visit, or on its first if the evaluation has a policy.
    Opened(usize),
    /// It was visited for the first time, and waits for its second visit.
    FirstVisit,
    /// The game is over there.
    Over,
    /// The tree may grow no deeper.
    Deepest,
    /// The tree has no room for its actions.
    Full,
    /// Its value is proven.
    Proven,
}

/// The record of the current simulation.
pub(crate) struct Telling {
    told: Option<Told>,
}

/// A simulation up to its leaf.
pub(crate) struct Told {
    path: Vec<Choice<u16>>,
    expansion: Expansion,
    /// The random state before the playout.
    rng: Rng,
}

impl Engine {
    /// Runs exactly one simulation and returns what happened. None when there is nothing to search, when the root's
    /// count is at its maximum, or when the rule expects nothing from going on.
    pub(crate) fn step(&mut self, kernel: &mut dyn Kernel) -> Option<Simulation<u16>> {
        let mut tree = self.planted(kernel, Budget::simulations(1))?;
        self.add_noise(&tree);
        let done = tree.pulls() == PULLS_MAX
            || self.root_bounds.value().is_some()
            || kernel.enough(&tree.plain_view(tree.root(), 0, None));
        let told = if done { None } else { self.told_simulation(kernel, &mut tree) };
        self.tree = Some(tree);
        told
    }

    fn told_simulation(&mut self, kernel: &mut dyn Kernel, tree: &mut Tree) -> Option<Simulation<u16>> {
        self.telling = Some(Box::new(Telling { told: None }));
        kernel.simulate(self, tree, 1, None);
        let Told { mut path, mut expansion, rng } = self.telling.take()?.told?;
        if self.has_policy && expansion == Expansion::FirstVisit {
            expansion = self.opened_with_policy(tree);
        }
        self.tell_choosers(kernel, tree, &mut path);
        for (choice, step) in path.iter_mut().zip(&self.path) {
            choice.after = tree.arm(step.edge);
            choice.bounds_after = self.bounds_told(tree, step.edge, choice.turn);
        }
        if expansion == Expansion::Proven {
            let rewards = self.settled_rewards(tree);
            let (playout, is_forbidden_next) = (Some(Vec::new()), false);
            return Some(Simulation { path, expansion, playout, is_forbidden_next, payoff: None, rewards });
        }
        let again = kernel.played_again(rng, &self.rng);
        let is_forbidden_next = again.as_ref().is_some_and(|again| again.is_forbidden_next);
        let playout = again.map(|again| again.moves);
        let (payoff, rewards) = kernel.last_value(self);
        Some(Simulation { path, expansion, playout, is_forbidden_next, payoff: Some(payoff), rewards })
    }

    /// What happened to the leaf at the end of the path, which an evaluation with a policy opens if it can.
    fn opened_with_policy(&self, tree: &Tree) -> Expansion {
        match self.path.last().map_or(0, |step| tree.edges_below(step.edge).count()) {
            0 if self.path.len() >= self.settings.depth => Expansion::Deepest,
            0 => Expansion::Full,
            opened => Expansion::Opened(opened),
        }
    }

    /// The rewards if the path ends at a proven value.
    fn settled_rewards(&self, tree: &Tree) -> [f32; PLAYERS_MAX] {
        let value = self.path.last().and_then(|step| tree.bounds(step.edge).value()).unwrap_or(0.0);
        [value, self.solving.unwrap_or(0.0) - value, 0.0, 0.0]
    }

    /// Records that the simulation reached a proven value. Nothing has been backed up yet.
    #[cold]
    pub(crate) fn tell_proven(&mut self, tree: &Tree) {
        let path = self.choices(tree);
        if let Some(telling) = &mut self.telling {
            telling.told = Some(Told { path, expansion: Expansion::Proven, rng: self.rng.clone() });
        }
    }

    /// Records that the simulation reached this leaf after `reached` choices. The leaf has just been expanded if
    /// possible. Nothing has been backed up yet.
    #[cold]
    pub(crate) fn tell_reached(&mut self, tree: &Tree, leaf: Node, reached: usize, turn: Turn) {
        let (path, deepest) = (self.choices(tree), reached >= self.settings.depth);
        // An expanded leaf has added a choice to the path.
        let expansion = match self.path.get(reached) {
            Some(first) => Expansion::Opened(first.edge.siblings()),
            None if turn == Turn::Over => Expansion::Over,
            // An evaluation with a policy opens the leaf later, whatever its visits.
            None if leaf.pulls == 0 || self.has_policy => Expansion::FirstVisit,
            None if deepest => Expansion::Deepest,
            None => Expansion::Full,
        };
        let Some(telling) = &mut self.telling else { return };
        telling.told = Some(Told { path, expansion, rng: self.rng.clone() });
    }

    /// The choices of the path as they were made. `tell_choosers` adds who made them.
    fn choices(&self, tree: &Tree) -> Vec<Choice<u16>> {
        let mut node = tree.root();
        let mut above: Option<super::PathStep> = None;
        let mut amaf = self.amaf.as_ref().map(Amaf::again);
        let choice = |(depth, step): (u32, &super::PathStep)| {
            let view = tree.plain_view(node, depth, None);
            let evaluation = match above {
                _ if step.by_chance || !self.has_policy => None,
                Some(above) => evaluation_of(tree, above, step.player, &view, self.reward_sum),
                None => self.root_value,
            };
            let shown = match &mut amaf {
                Some(amaf) if !step.by_chance => amaf.enter(tree, node, step.player),
                _ => Vec::new(),
            };
            above = Some(*step);
            let arms = node.edges().map(|edge| (tree.place(edge) as u16, tree.arm(edge)));
            let turn = if step.by_chance { Turn::Chance } else { Turn::Player(step.player) };
            let bounds = node.edges().map(|edge| self.bounds_told(tree, edge, turn));
            let choice = Choice {
                turn: Turn::Over,
                visits: node.pulls,
                arms: arms.collect(),
                priors: priors_of(&self.noisy_priors, tree, node, depth).to_vec(),
                squares: view.squares.to_vec(),
                amaf: shown,
                evaluation,
                chosen: step.edge.index(),
                after: tree.arm(step.edge),
                bounds: if self.solving.is_some() { bounds.collect() } else { Vec::new() },
                bounds_after: None,
            };
            node = tree.below(step.edge);
            choice
        };
        (0..).zip(&self.path).map(choice).collect()
    }

    /// The solver's bounds of an edge's value to the player who acts, if it knows any.
    fn bounds_told(&self, tree: &Tree, edge: Edge, turn: Turn) -> Option<[f32; 2]> {
        self.solving?;
        let bounds = Some(tree.bounds(edge)).filter(|&bounds| bounds != Bounds::OPEN)?;
        let Bounds { low, high } = self.worth(turn, bounds);
        Some([low, high])
    }

    /// Who made each choice of the path.
    fn tell_choosers(&self, kernel: &mut dyn Kernel, tree: &Tree, choices: &mut [Choice<u16>]) {
        let mut turn = kernel.start_walk();
        for (choice, step) in choices.iter_mut().zip(&self.path) {
            choice.turn = turn;
            turn = kernel.walk(tree, step.edge);
        }
    }
}
