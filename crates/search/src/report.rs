//! What a search found.

use crate::budget::Meter;
use crate::{Budget, Game, Stopped};
use std::time::Duration;

/// What is known of one action at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmReport<A> {
    /// The action.
    pub action: A,
    /// Simulations that began with it.
    pub pulls: u32,
    /// Their average reward to the player who acts, in 0..=1; 0 without pulls, but for exact play, which has the value
    /// itself here.
    pub mean: f32,
    /// The standard error of the mean, as if the simulations were independent; none below two pulls. For pulls that
    /// came with a kept tree it assumes rewards of 0 or 1, which can only make it larger.
    pub error: Option<f32>,
    /// What it is worth for sure, if the solver has proven that; then it is the mean too.
    pub proven: Option<f32>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<A> {
    /// The recommended action; none when the game is over, the memory cap has no room for the root's actions, or
    /// the agent resigns ([`Stopped::Resigned`]).
    pub best: Option<A>,
    /// The average reward of the recommended action, in 0..=1.
    pub value: Option<f32>,
    /// What the position is worth for sure to the player who acts, if that is proven.
    pub proven: Option<f32>,
    /// The root's actions, in the game's order; of alpha-beta, those whose value is known.
    pub arms: Vec<ArmReport<A>>,
    /// The recommended action, and the most simulated actions after it.
    pub line: Vec<A>,
    /// Simulations of this run; of exact play, positions visited.
    pub simulations: u64,
    /// Edges in the tree: each is an action, and the position after it.
    pub nodes: usize,
    /// Bytes that they take.
    pub bytes: usize,
    /// How often a position was not expanded because the memory cap was reached. The search went on without.
    pub left_out: u64,
    /// How many edges were freed to make room for others, where the search recycles.
    pub recycled: u64,
    /// Wall time of this run.
    pub time: Duration,
    /// Why it stopped.
    pub stopped: Stopped,
}

impl<A> Report<A> {
    /// The same report with other actions: `root` turns one of the root's, `line` those of the line, one after another.
    pub fn map<B>(self, root: impl Fn(A) -> B, line: impl FnMut(A) -> B) -> Report<B> {
        let arm = |arm: ArmReport<A>| ArmReport {
            action: root(arm.action),
            pulls: arm.pulls,
            mean: arm.mean,
            error: arm.error,
            proven: arm.proven,
        };
        Report {
            best: self.best.map(&root),
            value: self.value,
            proven: self.proven,
            arms: self.arms.into_iter().map(arm).collect(),
            line: self.line.into_iter().map(line).collect(),
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

impl Report<u16> {
    /// The report of a search from this position, whose actions are told by their places in [`Game::actions`], with the
    /// actions themselves.
    pub(crate) fn with_actions<G: Game>(self, root: &G) -> Report<G::Action> {
        let (at_root, mut position, mut actions) = (listed(root), root.clone(), Vec::new());
        self.map(
            |index| at_root[usize::from(index)],
            |index| {
                actions.clear();
                position.actions(&mut actions);
                let action = actions[usize::from(index)];
                position.play(action);
                action
            },
        )
    }
}

impl<A: Copy + Eq> Report<A> {
    /// The opposite: every action by its place.
    pub(crate) fn by_index<G: Game<Action = A>>(self, root: &G) -> Report<u16> {
        let place =
            |actions: &[A], action: A| actions.iter().position(|&other| other == action).unwrap_or(0) as u16;
        let (at_root, mut position) = (listed(root), root.clone());
        self.map(
            |action| place(&at_root, action),
            |action| {
                let index = place(&listed(&position), action);
                position.play(action);
                index
            },
        )
    }
}

/// The actions of a position.
fn listed<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

impl<A: Copy> Report<A> {
    /// Of an agent that says what it would play, and no more.
    pub fn chosen<G: Game<Action = A>>(game: &G, best: Option<A>, time: Duration) -> Report<A> {
        let actions = listed(game);
        let arm = |action| ArmReport { action, pulls: 0, mean: 0.0, error: None, proven: None };
        Report {
            best,
            arms: actions.into_iter().map(arm).collect(),
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
