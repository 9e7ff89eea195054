//! An agent that solves the game from its position, or says why it cannot.

use super::pace::Pace;
use super::{AlphaBeta, Estimate, MaxN, Solution, Solved, ValueIteration, Values};
use crate::{
    Agent, ArmReport, Budget, Game, Hashed, Payoff, Report, StopHandle, Stopped, Turn, Utility, Watch,
};

/// Before alpha-beta, the solver tries to value all positions within this much memory. Small games are solved faster
/// this way, with the values of all actions.
const FIRST_LOOK_BYTES: usize = 20_000_000;

/// That first attempt gets at most one part in this many of the memory.
const FIRST_LOOK_SHARE: usize = 4;

/// Solves every position it is asked about. A report without an action says why: [`Stopped::TooLarge`],
/// [`Stopped::Endless`], or the budget.
///
/// [`MaxN`] values all positions; [`ValueIteration`] does so for games that can return to a position. If a two-player
/// zero-sum game without chance is too large for that, [`AlphaBeta`] searches to the end of the game. The size of its
/// table also limits the positions that it may visit. Its report has only proven actions: the best one, and others that
/// it proved on the way.
pub struct Solver<G: Game> {
    memory: usize,
    estimate: Estimate<G>,
    ahead: Option<AlphaBeta<G>>,
    stop: StopHandle,
}

impl<G: Hashed + 'static> Solver<G> {
    /// A solver with this cap on memory, in bytes.
    pub fn new(memory: usize) -> Solver<G> {
        Solver { memory, estimate: None, ahead: None, stop: StopHandle::default() }
    }

    /// A heuristic by which alpha-beta orders actions. It does not affect the values.
    pub fn estimate(self, estimate: fn(&G) -> Payoff) -> Self {
        Solver { estimate: Some(estimate), ..self }
    }

    /// A handle that stops it from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// The memory for valuing all positions.
    fn first_look(&self, game: &G) -> usize {
        if suits_alpha_beta(game) {
            FIRST_LOOK_BYTES.min(self.memory / FIRST_LOOK_SHARE)
        } else {
            self.memory
        }
    }

    fn solve(&self, game: &G, pace: &mut Pace) -> Solution<G::Action> {
        let max_n = MaxN::hashed().memory(self.first_look(game)).stopped_by(self.stop.clone());
        match max_n.solve_paced(game, pace) {
            Solution::Endless { .. } => {
                let iteration = ValueIteration::new().memory(self.memory).stopped_by(self.stop.clone());
                iteration.solve_paced(game, pace)
            }
            solution => solution,
        }
    }

    /// Alpha-beta to the end of the game.
    fn look_ahead(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let table_bytes = self.memory.saturating_sub(self.first_look(game));
        let ahead = self.ahead.get_or_insert_with(|| {
            let search = AlphaBeta::new().table(table_bytes).stopped_by(self.stop.clone());
            if let Some(estimate) = self.estimate { search.estimate(estimate) } else { search }
        });
        let room = ahead.table_room() as u64;
        let is_cut = budget.simulations.is_none_or(|most| most > room);
        let simulations = Some(if is_cut { room } else { budget.simulations.unwrap_or(room) });
        let mut report = ahead.think(game, Budget { simulations, ..budget }, watch);
        report.arms.retain(|arm| arm.proven.is_some());
        if report.proven.is_none() {
            (report.best, report.value, report.line) = (None, None, Vec::new());
            report.nodes = report.simulations as usize;
            if report.stopped == Stopped::Depth || (is_cut && report.stopped == Stopped::Simulations) {
                report.stopped = Stopped::TooLarge;
            }
        }
        report
    }
}

impl<G: Hashed + 'static> Agent<G> for Solver<G> {
    /// Reports values as rewards, scaled by the game's range of payoffs.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let mut pace = Pace::new(budget, self.stop.clone(), watch);
        let Turn::Player(player) = game.turn() else {
            return Report::empty(&pace.meter, Stopped::Nothing);
        };
        let (solved, positions, stopped) = match self.solve(game, &mut pace) {
            Solution::TooLarge { .. } if suits_alpha_beta(game) => {
                let (visited, time) = (pace.visited(), pace.meter.elapsed());
                let left = Budget {
                    simulations: budget.simulations.map(|most| most.saturating_sub(visited)),
                    time: budget.time.map(|most| most.saturating_sub(time)),
                };
                let report = self.look_ahead(game, left, watch);
                let simulations = report.simulations + visited;
                return Report { simulations, time: report.time + time, ..report };
            }
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

/// True for games of two players with a sum of zero and without chance.
fn suits_alpha_beta<G: Game>(game: &G) -> bool {
    game.players() == 2 && game.payoff_sum() == Some(0.0) && !game.has_chance()
}

fn tell<A: Copy>(report: &mut Report<A>, solved: Solved<A>, reward: impl Fn(Values) -> f32) {
    report.best = solved.best;
    report.value = Some(reward(solved.values));
    report.proven = report.value;
    report.line = solved.line;
    report.bytes = solved.bytes;
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
