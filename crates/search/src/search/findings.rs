//! What a search has found: its report.

use super::Search;
use crate::bounds::Bounds;
use crate::budget::Meter;
use crate::{ArmReport, Edge, Evaluate, Game, Recommend, Report, Select, Stopped, Tree, Turn};
use aji_bandit::Arm;

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    pub(super) fn report(&self, meter: &Meter, stopped: Stopped) -> Report<G::Action> {
        let mut report = Report::empty(meter, stopped);
        let Some(tree) = &self.state.tree else { return report };
        let best =
            self.best(tree, &self.state.root, &tree.root_edges().collect::<Vec<_>>(), self.state.recommend);
        let edges = tree.root_edges().zip(&self.state.root_squares);
        report.arms = edges.map(|(edge, &squares)| self.arm(tree, edge, squares)).collect();
        report.best = best.map(|edge| tree.action(edge));
        report.value = best.map(|edge| tree.arm(edge).mean);
        report.proven = self
            .state
            .root_bounds
            .value()
            .map(|value| self.worth(&self.state.root, Bounds::exactly(value)).low);
        report.line = best.map_or(Vec::new(), |edge| self.line(tree, edge));
        (report.nodes, report.bytes) = (tree.len(), tree.bytes());
        (report.left_out, report.recycled) = (tree.left_out(), tree.recycled());
        report
    }

    /// The edge to play in a position: of those that no other is proven to match, the one that the recommendation says.
    /// None where it is not a player's choice.
    fn best(&self, tree: &Tree<G::Action>, game: &G, edges: &[Edge], recommend: Recommend) -> Option<Edge> {
        let Turn::Player(_) = game.turn() else { return None };
        let bounds = |edge: Edge| self.worth(game, tree.bounds(edge));
        let matched = |edge: Edge| edges.iter().any(|&other| bounds(edge).dominated_by(bounds(other)));
        let ranked = edges.iter().copied().filter(|&edge| self.solving().is_none() || !matched(edge));
        let ranked = ranked.map(|edge| (edge, recommend.rank(tree.arm(edge))));
        ranked.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }

    /// Bounds on what the player to act gets, from those on what player 0 gets.
    fn worth(&self, game: &G, bounds: Bounds) -> Bounds {
        match (game.turn(), self.solving()) {
            (Turn::Player(1), Some(sum)) => bounds.of_other(sum),
            _ => bounds,
        }
    }

    fn arm(&self, tree: &Tree<G::Action>, edge: Edge, squares: f64) -> ArmReport<G::Action> {
        let (action, Arm { pulls, mean }) = (tree.action(edge), tree.arm(edge));
        let proven = tree.bounds(edge).value().map(|_| mean);
        let error =
            (pulls > 1).then(|| if proven.is_some() { 0.0 } else { standard_error(pulls, mean, squares) });
        ArmReport { action, pulls, mean, error, proven }
    }

    /// The best way on after an edge, as far as it was searched, or to the first choice of chance.
    fn line(&self, tree: &Tree<G::Action>, from: Edge) -> Vec<G::Action> {
        let (mut game, mut line, mut next) = (self.state.root.clone(), Vec::new(), Some(from));
        while let Some(edge) = next {
            line.push(tree.action(edge));
            game.play(tree.action(edge));
            let tried: Vec<Edge> = tree.edges_below(edge).filter(|&edge| tree.arm(edge).pulls > 0).collect();
            next = self.best(tree, &game, &tried, Recommend::MostPulls);
        }
        line
    }
}

/// The standard error of a mean of so many rewards, whose squares have this sum.
pub(super) fn standard_error(pulls: u32, mean: f32, squares: f64) -> f32 {
    let (pulls, mean) = (f64::from(pulls), f64::from(mean));
    let variance = (squares / pulls - mean * mean).max(0.0) * pulls / (pulls - 1.0);
    (variance / pulls).sqrt() as f32
}
