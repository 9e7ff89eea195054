//! The report of a search.

use crate::budget::Meter;
use crate::{Budget, Game, Stopped};
use aji_bandit::{Arm, improved_policy, visit_shares};
use std::time::Duration;

/// The statistics of one action at the root.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ArmReport<A> {
    /// The action.
    pub action: A,
    /// Simulations that began with it.
    pub pulls: u32,
    /// Their average reward to the player who acts, in 0..=1; 0 without pulls. Exact play has the value itself here.
    pub mean: f32,
    /// The standard error of the mean, as if the simulations were independent; none below two pulls. For pulls
    /// inherited from a kept tree it assumes rewards of 0 or 1, which can only make it larger.
    pub error: Option<f32>,
    /// Its proven value, if the solver has one; then it equals the mean.
    pub proven: Option<f32>,
    /// Its prior, if the evaluation makes priors.
    pub prior: Option<f32>,
}

impl<A> ArmReport<A> {
    /// An action with these statistics and no others.
    pub fn new(action: A, pulls: u32, mean: f32) -> ArmReport<A> {
        ArmReport { action, pulls, mean, error: None, proven: None, prior: None }
    }
}

/// A principal line: an action at the root, and the most simulated actions after it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Line<A> {
    /// The actions.
    pub actions: Vec<A>,
    /// The simulations that began with the first of them.
    pub pulls: u32,
    /// Their average reward to the player who acts, in 0..=1.
    pub value: f32,
}

/// The report of a search.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report<A> {
    /// The recommended action. None when the game is over, when the memory cap has no room for the root's actions, or
    /// when the agent resigns ([`Stopped::Resigned`]).
    pub best: Option<A>,
    /// The average reward of the recommended action, in 0..=1.
    pub value: Option<f32>,
    /// The proven value of the position to the player who acts, if there is one.
    pub proven: Option<f32>,
    /// The root's actions, in the game's order. Alpha-beta reports only those whose value is known. Empty if the agent
    /// reports only its move.
    pub arms: Vec<ArmReport<A>>,
    /// The recommended action, and the most simulated actions after it.
    pub line: Vec<A>,
    /// The principal lines of the best actions, the recommended one first, up to the [number asked
    /// for](crate::Search::lines).
    pub lines: Vec<Line<A>>,
    /// The evaluation's own value of the position, as a reward of the player who acts. Only evaluations that make
    /// priors give one, and only when they evaluated the position as the root. A tree kept after a move does not have
    /// it.
    pub evaluation: Option<f32>,
    /// Simulations of this run; for exact play, positions visited.
    pub simulations: u64,
    /// Edges in the tree: each is an action, and the position after it.
    pub nodes: usize,
    /// The bytes of the tree.
    pub bytes: usize,
    /// How often a position was not expanded because the memory cap was reached. The search continued without it.
    pub left_out: u64,
    /// How many edges were freed to make room for others, if the search recycles.
    pub recycled: u64,
    /// Wall time of this run.
    pub time: Duration,
    /// Why it stopped.
    pub stopped: Stopped,
}

impl<A> Report<A> {
    /// The same report with other actions: `root` converts an action of the root, `path` a line.
    pub fn map<B>(self, root: impl Fn(A) -> B, mut path: impl FnMut(Vec<A>) -> Vec<B>) -> Report<B> {
        let arm = |arm: ArmReport<A>| ArmReport {
            action: root(arm.action),
            pulls: arm.pulls,
            mean: arm.mean,
            error: arm.error,
            proven: arm.proven,
            prior: arm.prior,
        };
        let lines = self.lines.into_iter().map(|line| {
            let Line { actions, pulls, value } = line;
            Line { actions: path(actions), pulls, value }
        });
        Report {
            best: self.best.map(&root),
            value: self.value,
            proven: self.proven,
            lines: lines.collect(),
            arms: self.arms.into_iter().map(arm).collect(),
            line: path(self.line),
            evaluation: self.evaluation,
            simulations: self.simulations,
            nodes: self.nodes,
            bytes: self.bytes,
            left_out: self.left_out,
            recycled: self.recycled,
            time: self.time,
            stopped: self.stopped,
        }
    }
}

impl<A> Report<A> {
    /// The policy given by the visits: the share of each arm, to the power of 1/temperature. A temperature of 1 gives
    /// the shares themselves, 0 only the most visited action.
    pub fn visit_policy(&self, temperature: f32) -> Vec<f32> {
        let pulls: Vec<u32> = self.arms.iter().map(|arm| arm.pulls).collect();
        visit_shares(&pulls, temperature)
    }

    /// The improved policy of Gumbel search: the priors, adjusted by the values found. `c_visit` and `c_scale` are
    /// the rule's parameters (50 and 1 by default).
    pub fn improved_policy(&self, c_visit: f32, c_scale: f32) -> Vec<f32> {
        let arms: Vec<Arm> = self.arms.iter().map(|arm| Arm { pulls: arm.pulls, mean: arm.mean }).collect();
        let prior: Vec<f32> = self.arms.iter().map_while(|arm| arm.prior).collect();
        improved_policy(&arms, &prior, self.evaluation, c_visit, c_scale)
    }
}

impl Report<u16> {
    /// Replaces the places of actions in [`Game::actions`] by the actions themselves. The search started at this
    /// position.
    pub(crate) fn with_actions<G: Game>(self, root: &G) -> Report<G::Action> {
        let at_root = listed(root);
        let path = |line: Vec<u16>| {
            let mut position = root.clone();
            let step = |index: u16| {
                let action = listed(&position)[usize::from(index)];
                position.play(action);
                action
            };
            line.into_iter().map(step).collect()
        };
        self.map(|index| at_root[usize::from(index)], path)
    }
}

impl<A: Copy + Eq> Report<A> {
    /// The opposite: replaces every action by its place.
    pub(crate) fn by_index<G: Game<Action = A>>(self, root: &G) -> Report<u16> {
        let place =
            |actions: &[A], action: A| actions.iter().position(|&other| other == action).unwrap_or(0) as u16;
        let at_root = listed(root);
        let path = |line: Vec<A>| {
            let mut position = root.clone();
            let step = |action: A| {
                let index = place(&listed(&position), action);
                position.play(action);
                index
            };
            line.into_iter().map(step).collect()
        };
        self.map(|action| place(&at_root, action), path)
    }
}

/// The actions of a position.
fn listed<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

impl<A: Copy> Report<A> {
    /// The report of an agent that gives only its move, without arms.
    pub fn chosen(best: Option<A>, time: Duration) -> Report<A> {
        Report {
            best,
            line: best.into_iter().collect(),
            time,
            ..Report::empty(&Meter::new(Budget::default()), Stopped::Nothing)
        }
    }
}

impl<A> Report<A> {
    pub(crate) fn empty(meter: &Meter, stopped: Stopped) -> Report<A> {
        Report {
            best: None,
            value: None,
            proven: None,
            arms: Vec::new(),
            line: Vec::new(),
            lines: Vec::new(),
            evaluation: None,
            simulations: meter.spent(),
            nodes: 0,
            bytes: 0,
            left_out: 0,
            recycled: 0,
            time: meter.elapsed(),
            stopped,
        }
    }
}
