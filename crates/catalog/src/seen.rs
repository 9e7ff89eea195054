//! The arms of a node as a rule sees them, put together again for explanations.

use crate::SearchName;
use crate::tree_node::{Above, WithPrior};
use aji_search::bandit::{AnyRule, Filled, View, spread};
use aji_search::{AnyGame, Arm, Choice, Game, Tree, Turn};

/// What a rule sees at a node.
#[derive(Default)]
pub(crate) struct Seen {
    means: Vec<f32>,
    spreads: Vec<f32>,
    pulls: Vec<u32>,
    squares: Vec<f32>,
    amaf: Vec<Arm>,
    prior: Vec<f32>,
    evaluation: Option<f32>,
    pub(crate) total: u32,
    /// The pulls that are left, if that is known; only the root's rule is told.
    left: Option<u32>,
    depth: u32,
}

impl Seen {
    fn add(&mut self, arm: Arm, is_proven: bool) {
        self.means.push(arm.mean);
        self.pulls.push(arm.pulls);
        self.spreads.push(match arm.pulls {
            _ if is_proven => 0.0,
            0 => f32::INFINITY,
            pulls => spread(pulls),
        });
    }

    /// What the rule saw when it made a choice this many steps below the root.
    pub(crate) fn by(choice: &Choice<u16>, depth: usize) -> Seen {
        let mut seen = Seen {
            squares: choice.squares.clone(),
            amaf: choice.amaf.clone(),
            prior: choice.priors.clone(),
            evaluation: choice.evaluation,
            total: choice.visits,
            depth: depth as u32,
            ..Seen::default()
        };
        for (index, &(_, arm)) in choice.arms.iter().enumerate() {
            let bounds = choice.bounds.get(index).copied().flatten();
            seen.add(arm, bounds.is_some_and(|[low, high]| low == high));
        }
        seen
    }

    /// What the rule sees next at a node of a tree, but for the pulls that are left and, at the root, the
    /// evaluation.
    pub(crate) fn at(
        tree: &Tree,
        (game, search): (&AnyGame, &SearchName),
        edges: &[WithPrior],
        (above, turn, depth): (Option<Above>, Turn, usize),
    ) -> Seen {
        let mut seen = Seen {
            squares: edges.iter().filter_map(|&(edge, _)| tree.square(edge)).collect(),
            amaf: edges.iter().filter_map(|&(edge, _)| tree.amaf(edge)).collect(),
            prior: edges.iter().filter_map(|&(_, prior)| prior).collect(),
            total: above.map_or(tree.pulls(), |above| tree.arm(above.edge).pulls),
            depth: depth as u32,
            ..Seen::default()
        };
        edges.iter().for_each(|&(edge, _)| seen.add(tree.arm(edge), tree.proven(edge).is_some()));
        let above = above.filter(|_| search.has_policy());
        if let (Some(Above { edge, turn: Turn::Player(mover) }), Turn::Player(player)) = (above, turn) {
            let sum = search.utility(game).reward_sum(game.players(), game.payoff_sum());
            seen.evaluation = tree.evaluation_below(edge, mover, player, sum);
        }
        seen
    }

    /// The same with this many pulls left.
    pub(crate) fn with(self, left: Option<u32>) -> Seen {
        Seen { left, ..self }
    }

    fn view(&self) -> View<'_> {
        View {
            means: &self.means,
            spreads: &self.spreads,
            pulls: &self.pulls,
            squares: &self.squares,
            amaf: &self.amaf,
            prior: &self.prior,
            evaluation: self.evaluation,
            total: self.total,
            left: self.left,
            depth: self.depth,
        }
    }

    /// What the rule says of each arm.
    pub(crate) fn filled(&self, rule: &AnyRule) -> Vec<Filled> {
        (0..self.means.len()).map(|index| rule.fill(&self.view(), index)).collect()
    }
}
