//! Exact play for games with a solver of their own, which is faster than valuing all positions.

use aji_search::{
    Agent, ArmReport, Budget, Counted, Hashed, Payoff, Player, Report, Stopped, Turn, Utility, Watch,
};
use std::time::Instant;

/// A game with its own solver. It has one player, or two whose payoffs sum to zero.
pub trait SelfSolving: Hashed {
    /// The stored values of positions of one game; empty at first.
    type Known: Default + Send;

    /// The expected payoff of player 0 under best play from here. [`Stopped::TooLarge`] if the solver cannot find it.
    fn best_payoff(&self, known: &mut Self::Known, limits: &mut Limits) -> Result<f64, Stopped>;

    /// How many positions are stored, and the bytes that they take.
    fn size(known: &Self::Known) -> (usize, usize);
}

/// The limits of a solution.
pub struct Limits<'a> {
    /// The most bytes.
    pub memory: usize,
    /// Called now and then, with the positions visited since the last call. An error says why to stop.
    pub go_on: &'a mut dyn FnMut(u64) -> Result<(), Stopped>,
}

/// The most positions visited to find the line after the best action.
const LINE_POSITIONS_MAX: u64 = 1 << 20;

/// The agent that solves a game by the game's own solver. If that cannot, the report says [`Stopped::TooLarge`].
pub struct OwnSolver<G: SelfSolving> {
    memory: usize,
    known: G::Known,
}

impl<G: SelfSolving> OwnSolver<G> {
    /// A solver with this cap on memory, in bytes.
    pub fn new(memory: usize) -> OwnSolver<G> {
        OwnSolver { memory, known: G::Known::default() }
    }

    /// Player 0's expected payoff after each action, in the game's order.
    fn solve(&mut self, game: &G, limits: &mut Limits) -> Result<Vec<(G::Action, f64)>, Stopped> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut value = |action| {
            let mut after = game.clone();
            after.play(action);
            Ok((action, after.best_payoff(&mut self.known, limits)?))
        };
        actions.into_iter().map(&mut value).collect()
    }

    /// Best play from the best action on, as far as little further search finds it.
    fn line(&mut self, game: &G, best: Option<G::Action>) -> Vec<G::Action> {
        let (mut line, mut game, mut visited) = (Vec::new(), game.clone(), 0);
        let mut go_on = |more: u64| {
            visited += more;
            if visited < LINE_POSITIONS_MAX { Ok(()) } else { Err(Stopped::Simulations) }
        };
        let mut next = best;
        while let Some(action) = next {
            game.play(action);
            line.push(action);
            let Turn::Player(player) = game.turn() else { break };
            let solved = self.solve(&game, &mut Limits { memory: self.memory, go_on: &mut go_on });
            next = best_of(&game, &solved.unwrap_or_default(), player).map(|(action, _)| action);
        }
        line
    }
}

/// The first action with the highest value to a player; among equals, the first that ends the game.
fn best_of<G: SelfSolving>(
    game: &G,
    solved: &[(G::Action, f64)],
    player: Player,
) -> Option<(G::Action, f64)> {
    let rank = |&(action, value): &(G::Action, f64)| {
        let mut after = game.clone();
        after.play(action);
        (if player == 0 { value } else { -value }, after.turn() == Turn::Over)
    };
    solved.iter().copied().reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
}

impl<G: SelfSolving> Agent<G> for OwnSolver<G> {
    /// Reports values as rewards, scaled by the game's range of payoffs.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let started = Instant::now();
        let Turn::Player(player) = game.turn() else {
            return Report::chosen(None, started.elapsed());
        };
        let mut visited = 0;
        let mut go_on = |more: u64| {
            visited += more;
            let time = started.elapsed();
            if !watch.look(&mut Counted { simulations: visited, time }) {
                return Err(Stopped::Handle);
            } else if budget.time.is_some_and(|most| time >= most) {
                return Err(Stopped::Time);
            } else if budget.simulations.is_some_and(|most| visited >= most) {
                return Err(Stopped::Simulations);
            }
            Ok(())
        };
        let solved = self.solve(game, &mut Limits { memory: self.memory, go_on: &mut go_on });
        let (nodes, bytes) = G::size(&self.known);
        let solved = match solved {
            Ok(solved) => solved,
            Err(stopped) => {
                if stopped == Stopped::TooLarge {
                    self.known = G::Known::default();
                }
                return Report { nodes, stopped, ..Report::chosen(None, started.elapsed()) };
            }
        };
        let (best, value) = best_of(game, &solved, player).unzip();
        let (utility, has_two) = (Utility::score(game), game.players() == 2);
        let reward = |value: f64| {
            let payoff = Payoff::margin(value as f32);
            let payoff = if has_two { payoff } else { Payoff([payoff.of(0), 0.0, 0.0, 0.0]) };
            utility.rewards(&payoff)[usize::from(player)]
        };
        let value = value.map(reward);
        let arm = |(action, value)| {
            let mean = reward(value);
            ArmReport { proven: Some(mean), ..ArmReport::new(action, 0, mean) }
        };
        Report {
            value,
            proven: value,
            arms: solved.into_iter().map(arm).collect(),
            line: self.line(game, best),
            simulations: visited,
            nodes,
            bytes,
            stopped: Stopped::Solved,
            ..Report::chosen(best, started.elapsed())
        }
    }

    fn played(&mut self, _action: G::Action) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CanadianTraveller, Sailing};
    use aji_search::exact::MaxN;
    use aji_search::{Game, Rng};

    /// Every action has the value that the general solver finds, at positions along random games.
    fn check<G: SelfSolving>(start: G, games: usize) {
        let (mut rng, mut solver) = (Rng::seeded(1), OwnSolver::<G>::new(1_000_000_000));
        let mut solved = 0;
        for _ in 0..games {
            let mut game = start.clone();
            while game.turn() != Turn::Over {
                if matches!(game.turn(), Turn::Player(_)) {
                    solved += usize::from(check_position(&mut solver, &game));
                }
                game.play(game.random_action(&mut rng, &mut Vec::new()));
            }
        }
        assert!(solved > 0);
    }

    /// Whether the game's own way leads to the values of this position. If so, they are right.
    fn check_position<G: SelfSolving>(solver: &mut OwnSolver<G>, game: &G) -> bool {
        let limits = &mut Limits { memory: 1_000_000_000, go_on: &mut |_| Ok(()) };
        let found = solver.solve(game, limits);
        let expect = MaxN::hashed().solve(game, Budget::default(), &mut ()).solved().expect("a small game");
        for ((_, found), (_, expect)) in found.iter().flatten().zip(&expect.actions) {
            assert!((found - expect[0]).abs() < 1e-5, "{found}, not {}", expect[0]);
        }
        let report = solver.think(game, Budget::default(), &mut ());
        if found.is_err() {
            assert!(report.stopped == Stopped::TooLarge && report.best.is_none());
            return false;
        }
        assert_eq!((report.stopped, report.arms.len()), (Stopped::Solved, expect.actions.len()));
        let best = expect.actions.iter().find(|(action, _)| Some(*action) == report.best);
        assert!(best.is_some_and(|(_, values)| (values[0] - expect.values[0]).abs() < 1e-6));
        true
    }

    #[test]
    fn trips_as_by_full_search() {
        (0..8).for_each(|wind| check(Sailing::new(2, wind), 1));
        for (vertices, seed) in [(3, 1), (4, 2), (4, 3), (5, 4), (5, 5)] {
            check(CanadianTraveller::new(vertices, seed, 1.0), 20);
        }
    }

    /// The default trips are too large for the general solver, but the own solver solves them.
    #[test]
    fn default_trips_are_solved() {
        let costs = Sailing::optimal_costs(5);
        let report = OwnSolver::new(1_000_000_000).think(&Sailing::new(5, 0), Budget::default(), &mut ());
        assert_eq!(report.stopped, Stopped::Solved);
        assert!(report.bytes > 0 && report.bytes < 1_000_000_000);
        let (low, high) = Sailing::new(5, 0).payoff_range();
        let minutes = -f64::from(low + report.value.unwrap() * (high - low));
        let expect = costs.of(0, 0, 0, crate::Tack::None);
        assert!((minutes - expect).abs() < 1e-3, "{minutes}, not {expect}: being towed hardly matters");
        let trip = CanadianTraveller::new(8, 1, 0.5);
        let report = OwnSolver::new(1_000_000_000).think(&trip, Budget::default(), &mut ());
        assert_eq!(report.stopped, Stopped::Solved);
        let (low, high) = trip.payoff_range();
        let cost = -f64::from(low + report.value.unwrap() * (high - low));
        assert!((cost - trip.optimal_cost()).abs() < 1e-2, "{cost}, not {}", trip.optimal_cost());
    }

    #[test]
    fn limits_are_kept() {
        let trip = Sailing::new(5, 0);
        let report = OwnSolver::new(1_000_000).think(&trip, Budget::default(), &mut ());
        assert_eq!((report.stopped, report.best), (Stopped::TooLarge, None));
        let report = OwnSolver::new(1_000_000_000).think(&trip, Budget::simulations(1), &mut ());
        assert_eq!((report.stopped, report.best), (Stopped::Simulations, None));
        let trip = CanadianTraveller::new(8, 1, 0.5);
        let report = OwnSolver::new(1_000_000_000).think(&trip, Budget::simulations(1), &mut ());
        assert_eq!((report.stopped, report.best), (Stopped::Simulations, None));
    }
}
