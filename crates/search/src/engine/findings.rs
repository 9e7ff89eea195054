//! The report of a search.

use super::Engine;
use crate::bounds::Bounds;
use crate::budget::Meter;
use crate::kernel::Kernel;
use crate::{ArmReport, Edge, Line, Recommend, Report, Stopped, Tree, Turn};
use aji_bandit::Arm;

impl Engine {
    pub(crate) fn report(
        &self,
        kernel: &mut dyn Kernel,
        tree: Option<&Tree>,
        meter: &Meter,
        stopped: Stopped,
    ) -> Report<u16> {
        let mut report = Report::empty(meter, stopped);
        let Some(tree) = tree else { return report };
        let turn = kernel.start_walk();
        let best =
            self.best(tree, turn, &tree.root_edges().collect::<Vec<_>>(), Some(self.settings.recommend));
        let edges = tree.root_edges().zip(&self.root_squares);
        let priors = tree.priors(tree.root());
        let arm = |(edge, &squares): (Edge, &f64)| ArmReport {
            prior: priors.get(edge.index()).copied(),
            ..arm(tree, edge, squares)
        };
        report.arms = edges.map(arm).collect();
        report.evaluation = self.root_value;
        report.best = best.map(|edge| action(tree, edge));
        report.value = best.map(|edge| tree.arm(edge).mean);
        let proven = self.root_bounds.value();
        report.proven = proven.map(|value| self.worth(turn, Bounds::exactly(value)).low);
        report.lines = self.lines(kernel, tree, best, turn);
        report.line = report.lines.first().map_or(Vec::new(), |line| line.actions.clone());
        (report.nodes, report.bytes) = (tree.len(), tree.bytes());
        (report.left_out, report.recycled) = (tree.left_out(), tree.recycled());
        report
    }

    /// The edge to play. Edges that another one provably matches are left out. At the root the recommendation picks
    /// among the rest; elsewhere the most pulled edge follows. A proven edge replaces the picked one if it is worth more
    /// than that one's mean: rules need not pull proven edges. None if no player is to move.
    fn best(&self, tree: &Tree, turn: Turn, edges: &[Edge], at_root: Option<Recommend>) -> Option<Edge> {
        let Turn::Player(_) = turn else { return None };
        let bounds = |edge: Edge| self.worth(turn, tree.bounds(edge));
        let matched = |edge: Edge| edges.iter().any(|&other| bounds(edge).dominated_by(bounds(other)));
        let ranked = edges.iter().copied().filter(|&edge| self.solving.is_none() || !matched(edge));
        let priors = if at_root.is_some() { tree.priors(tree.root()) } else { &[] };
        let recommend = at_root.unwrap_or(Recommend::MostPulls);
        let prior = |edge: Edge| priors.get(edge.index()).copied().unwrap_or(1.0);
        let imagined = self.settings.utility.imagined(edges.iter().map(|&edge| tree.arm(edge)));
        let ranked = ranked.map(|edge| (edge, recommend.rank(tree.arm(edge), prior(edge), imagined)));
        let picked = ranked.reduce(|best, next| if next.1 > best.1 { next } else { best })?.0;
        let proven = edges.iter().copied().filter(|&edge| self.solving.is_some() && tree.is_proven(edge));
        let mean = |edge: Edge| tree.arm(edge).mean;
        Some(proven.fold(picked, |best, next| if mean(next) > mean(best) { next } else { best }))
    }

    /// Bounds for the player to act, from bounds for player 0.
    pub(super) fn worth(&self, turn: Turn, bounds: Bounds) -> Bounds {
        match (turn, self.solving) {
            (Turn::Player(1), Some(sum)) => bounds.of_other(sum),
            _ => bounds,
        }
    }

    /// The principal lines of the best edges, up to the number in the settings.
    fn lines(&self, kernel: &mut dyn Kernel, tree: &Tree, best: Option<Edge>, turn: Turn) -> Vec<Line<u16>> {
        let mut lines = Vec::new();
        let mut next = best;
        let mut others: Vec<Edge> = tree.root_edges().filter(|&edge| tree.arm(edge).pulls > 0).collect();
        while let Some(edge) = next {
            let Arm { pulls, mean } = tree.arm(edge);
            lines.push(Line { actions: self.line(kernel, tree, edge), pulls, value: mean });
            others.retain(|&other| other != edge);
            let wants_more = lines.len() < self.settings.lines;
            next =
                wants_more.then(|| self.best(tree, turn, &others, Some(self.settings.recommend))).flatten();
        }
        lines
    }

    /// The best continuation after an edge, as far as it was searched, up to the first chance node.
    fn line(&self, kernel: &mut dyn Kernel, tree: &Tree, from: Edge) -> Vec<u16> {
        let (mut line, mut next) = (Vec::new(), Some(from));
        kernel.start_walk();
        while let Some(edge) = next {
            line.push(action(tree, edge));
            let turn = kernel.walk(tree, edge);
            let tried: Vec<Edge> = tree.edges_below(edge).filter(|&edge| tree.arm(edge).pulls > 0).collect();
            next = self.best(tree, turn, &tried, None);
        }
        line
    }
}

/// The place of an edge's action in its position.
fn action(tree: &Tree, edge: Edge) -> u16 {
    tree.place(edge) as u16
}

fn arm(tree: &Tree, edge: Edge, squares: f64) -> ArmReport<u16> {
    let Arm { pulls, mean } = tree.arm(edge);
    let proven = tree.bounds(edge).value().map(|_| mean);
    let error =
        (pulls > 1).then(|| if proven.is_some() { 0.0 } else { standard_error(pulls, mean, squares) });
    ArmReport { error, proven, ..ArmReport::new(action(tree, edge), pulls, mean) }
}

/// The standard error of a mean of `pulls` rewards; `squares` is the sum of the squared rewards.
pub(crate) fn standard_error(pulls: u32, mean: f32, squares: f64) -> f32 {
    let (pulls, mean) = (f64::from(pulls), f64::from(mean));
    let variance = (squares / pulls - mean * mean).max(0.0) * pulls / (pulls - 1.0);
    (variance / pulls).sqrt() as f32
}
