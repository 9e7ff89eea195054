//! The agent that knows: it solves the game from where it stands, or says why it cannot.

use super::pace::Pace;
use super::{MaxN, Solution, Solved, ValueIteration, Values};
use crate::{
    Agent, ArmReport, Budget, Game, Hashed, Payoff, Report, StopHandle, Stopped, Turn, Utility, Watch,
};

/// Solves every position it is asked about, by [`MaxN`], or by [`ValueIteration`] where the game can come back to a
/// position. A report without an action says why: [`Stopped::TooLarge`], [`Stopped::Endless`], or the budget.
pub struct Solver {
    memory: usize,
    stop: StopHandle,
}

impl Solver {
    /// With this cap on memory, in bytes.
    pub fn new(memory: usize) -> Solver {
        Solver { memory, stop: StopHandle::default() }
    }

    /// A handle that stops it from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    fn solve<G: Hashed>(&self, game: &G, pace: &mut Pace) -> Solution<G::Action> {
        let max_n = MaxN::hashed().memory(self.memory).stopped_by(self.stop.clone());
        match max_n.solve_paced(game, pace) {
            Solution::Endless { .. } => {
                let iteration = ValueIteration::new().memory(self.memory).stopped_by(self.stop.clone());
                iteration.solve_paced(game, pace)
            }
            solution => solution,
        }
    }
}

impl<G: Hashed> Agent<G> for Solver {
    /// The values are told as rewards, over the range of payoffs that the game declares.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let mut pace = Pace::new(budget, self.stop.clone(), watch);
        let Turn::Player(player) = game.turn() else {
            return Report::empty(&pace.meter, Stopped::Nothing);
        };
        let (solved, positions, stopped) = match self.solve(game, &mut pace) {
            Solution::TooLarge { positions } => (None, positions, Stopped::TooLarge),
            Solution::Endless { positions } => (None, positions, Stopped::Endless),
            Solution::Stopped { positions, why } => (None, positions, why),
            Solution::Solved(solved) if solved.exact => (Some(solved), 0, Stopped::Solved),
            Solution::Solved(unsettled) => (None, unsettled.positions, Stopped::Endless),
        };
        let mut report = Report::empty(&pace.meter, stopped);
        report.simulations = pace.visited();
        report.nodes = solved.as_ref().map_or(positions, |solved| solved.positions);
        if let Some(solved) = solved {
            tell(&mut report, solved, |values| reward(game, values, player));
        }
        report
    }

    fn played(&mut self, _action: G::Action) {}
}

fn tell<A: Copy>(report: &mut Report<A>, solved: Solved<A>, reward: impl Fn(Values) -> f32) {
    report.best = solved.best;
    report.value = Some(reward(solved.values));
    report.proven = report.value;
    report.line = solved.line;
    let arm = |(action, values)| {
        let mean = reward(values);
        ArmReport { proven: Some(mean), ..ArmReport::new(action, 0, mean) }
    };
    report.arms = solved.actions.into_iter().map(arm).collect();
}

fn reward<G: Game>(game: &G, values: Values, player: crate::Player) -> f32 {
    let payoff = Payoff(values.map(|value| value as f32));
    Utility::score(game).rewards(&payoff)[usize::from(player)]
}
