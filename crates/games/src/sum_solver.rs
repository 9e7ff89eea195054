//! Best play in sums: computes the parts' canonical forms, and searches their sum ([`SumPlay`]). If parts have no
//! forms within the limits, the report says [`Stopped::TooLarge`].

use crate::summed::{Summed, side_of};
use aji_cgt::{Ending, Form, Forms, GameError, GameLimits, Games, Position, Side, SumPlay};
use aji_search::{
    Agent, ArmReport, Budget, Counted, Hashed, Payoff, Player, Report, Stopped, Turn, Utility, Watch,
};
use std::time::Instant;

/// Solves sums.
pub struct SumSolver<G: Summed + Hashed> {
    games: Games,
    forms: Forms<G::Part>,
    play: SumPlay,
    memory: usize,
    sums_max: usize,
}

impl<G: Summed + Hashed> SumSolver<G> {
    /// The most positions of parts that are studied.
    const POSITIONS_MAX: usize = 1 << 16;

    /// About the memory of a cached sum.
    const SUM_BYTES: usize = 400;

    /// The number of sums searched between two checks of the clock.
    const INSTALMENT: usize = 1 << 8;

    /// A solver with this cap on memory, in bytes. Half of it is for the forms.
    pub fn new(memory: usize) -> SumSolver<G> {
        SumSolver {
            games: Games::within(GameLimits { bytes: memory / 2, ..GameLimits::default() }),
            forms: Forms::up_to(SumSolver::<G>::POSITIONS_MAX),
            play: SumPlay::up_to(0),
            memory,
            sums_max: memory / 2 / SumSolver::<G>::SUM_BYTES,
        }
    }

    /// The result of each action under best play. It calls `may_go_on` now and then, with the number of cached sums.
    pub fn solve(
        &mut self,
        game: &G,
        may_go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<(G::Action, Payoff)>, GameError> {
        let Turn::Player(player) = game.turn() else { return Ok(Vec::new()) };
        let (side, parts) = (side_of(player), game.parts());
        let mut sum: Vec<Form> = Vec::with_capacity(parts.len());
        for part in &parts {
            sum.push(self.forms.of(&mut self.games, part)?);
        }
        let mut solved = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let before = sum[number];
            for (place, option) in part.moves(side).into_iter().enumerate() {
                let after = self.forms.of(&mut self.games, &option.to)?;
                let gain = self.games.number(option.gain.into())?;
                sum[number] = self.games.plus(after, gain)?;
                let payoff = game.payoff_of(self.ending(&sum, side.other(), may_go_on)?);
                solved.extend(game.action_in(number, side, place).map(|action| (action, payoff)));
            }
            sum[number] = before;
        }
        Ok(solved)
    }

    /// Best play from here to the end, as far as little further search finds it.
    fn line(&mut self, game: &G) -> Vec<G::Action> {
        let (mut line, mut game) = (Vec::new(), game.clone());
        while let Turn::Player(player) = game.turn() {
            let solved = self.solve(&game, &mut |_| false).unwrap_or_default();
            let Some((action, _)) = best(&solved, player) else { break };
            game.play(action);
            line.push(action);
        }
        line
    }

    /// The result of a sum, found in instalments.
    fn ending(
        &mut self,
        sum: &[Form],
        first: Side,
        may_go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Ending, GameError> {
        loop {
            let limit = (self.play.sums() + SumSolver::<G>::INSTALMENT).min(self.sums_max);
            self.play.limit(limit);
            match self.play.ending(&mut self.games, sum, first) {
                Err(GameError::Positions(_)) if limit < self.sums_max && may_go_on(self.play.sums()) => {}
                done => return done,
            }
        }
    }
}

impl<G: Summed + Hashed> Agent<G> for SumSolver<G> {
    /// Reports values as rewards, scaled by the game's range of payoffs.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let (started, mut stopped) = (Instant::now(), None);
        // The cache helps later moves, as long as it leaves room for them.
        if self.play.sums() > self.sums_max / 2 {
            self.play = SumPlay::up_to(0);
        }
        let before = self.play.sums();
        let solved = self.solve(game, &mut |sums| {
            let (sums, elapsed) = ((sums - before) as u64, started.elapsed());
            if !watch.look(&mut Counted { simulations: sums, time: elapsed }) {
                stopped = Some(Stopped::Handle);
            } else if budget.time.is_some_and(|time| elapsed >= time) {
                stopped = Some(Stopped::Time);
            } else if budget.simulations.is_some_and(|most| sums >= most) {
                stopped = Some(Stopped::Simulations);
            }
            stopped.is_none()
        });
        let sums = self.play.sums();
        if let Some(stopped) = stopped {
            return Report { nodes: sums, stopped, ..Report::chosen(None, started.elapsed()) };
        }
        let Turn::Player(player) = game.turn() else {
            return Report::chosen(None, started.elapsed());
        };
        let Ok(solved) = solved else {
            // What has filled the memory may be too large for every later position too.
            *self = SumSolver::new(self.memory);
            return Report {
                nodes: sums,
                stopped: Stopped::TooLarge,
                ..Report::chosen(None, started.elapsed())
            };
        };
        let reward = |payoff: Payoff| Utility::score(game).rewards(&payoff)[usize::from(player)];
        let best = best(&solved, player);
        let (best, value) = (best.map(|(action, _)| action), best.map(|(_, payoff)| reward(payoff)));
        let arm = |(action, payoff)| {
            let mean = reward(payoff);
            ArmReport { proven: Some(mean), ..ArmReport::new(action, 0, mean) }
        };
        Report {
            value,
            proven: value,
            arms: solved.into_iter().map(arm).collect(),
            line: self.line(game),
            simulations: (sums - before) as u64,
            nodes: sums,
            bytes: sums * SumSolver::<G>::SUM_BYTES,
            stopped: Stopped::Solved,
            ..Report::chosen(best, started.elapsed())
        }
    }

    fn played(&mut self, _action: G::Action) {}
}

/// The first action with the highest value to a player.
fn best<A: Copy>(solved: &[(A, Payoff)], player: Player) -> Option<(A, Payoff)> {
    solved.iter().rev().max_by(|one, other| one.1.of(player).total_cmp(&other.1.of(player))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Clobber, Domineering, HeapGo, Sum, ToadsAndFrogs};
    use aji_search::exact::MaxN;
    use aji_search::{Game, Rng};

    /// The value of each action to player 0, by full search.
    fn by_full_search<G: Hashed>(game: &G) -> Vec<(G::Action, f32)> {
        let solved = MaxN::hashed().solve(game, Budget::default(), &mut ()).solved();
        let actions = solved.expect("a small game").actions;
        actions.into_iter().map(|(action, values)| (action, values[0] as f32)).collect()
    }

    fn check<G: Summed + Hashed>(game: &G)
    where
        G::Action: PartialEq + std::fmt::Debug,
    {
        let solved = SumSolver::new(100_000_000).solve(game, &mut |_| true).expect("it fits");
        let solved: Vec<_> = solved.into_iter().map(|(action, payoff)| (action, payoff.of(0))).collect();
        let expect = by_full_search(game);
        assert_eq!(solved.len(), expect.len());
        for found in expect {
            assert!(solved.contains(&found), "{found:?} in {solved:?}");
        }
    }

    #[test]
    fn heaps_as_by_full_search() {
        for seed in 0..40 {
            let (heaps, counters) = (1 + seed as usize % 5, 1 + seed as usize / 5 % 4);
            let mut game = HeapGo::random(heaps, counters, 1..=10, seed);
            check(&game);
            game.play((seed % heaps as u64) as u16);
            check(&game);
        }
        check(&HeapGo::random(6, 6, 1..=10, 1));
    }

    #[test]
    fn boards_as_by_full_search() {
        fn check_random<B: Board>(texts: &[&str]) {
            let mut rng = Rng::seeded(1);
            for text in texts {
                for first in [Side::Left, Side::Right] {
                    let mut game = Sum::<B>::of_text(text, first).expect(text);
                    while game.turn() != Turn::Over {
                        check(&game);
                        game.play(game.random_action(&mut rng, &mut Vec::new()));
                    }
                }
            }
        }
        check_random::<Domineering>(&["../..+...+.../...", "..../....+./././.", ".#../..../...#"]);
        check_random::<Clobber>(&["xoxo/oxox", "xo+oxo+xxo/oox", "xox/oxo+oxxo"]);
        check_random::<ToadsAndFrogs>(&["TT.FF+T..F", "T.TF.F/TT..FF"]);
    }

    #[test]
    fn the_budget_is_kept() {
        let game = HeapGo::random(9, 9, 1..=10, 1);
        let report = SumSolver::new(1_000_000_000).think(&game, Budget::simulations(1), &mut ());
        assert_eq!((report.stopped, report.best), (Stopped::Simulations, None));
    }
}
