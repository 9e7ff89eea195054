//! Players of sums that read thermographs and search nothing: thermostrat and sentestrat (Berlekamp, Conway & Guy,
//! *Winning Ways*, chapter 6; Berlekamp 1996).
//!
//! **Thermostrat**, for Left: at a tax of t, if Right begins, the whole sum is worth the sum of the right walls to
//! Left. If Left begins in a part, it is worth the width of that part's thermograph more. He takes the least t at
//! which this is largest, and moves in the part whose thermograph is widest there; of equals, the hottest. He gets no
//! less than the sum of the means, and so loses at most the largest temperature against best play.
//!
//! **Sentestrat**: if the last move made its part hotter than the ambient temperature, the mover answers in that
//! part. Otherwise the mover moves in the hottest part. The ambient temperature is the lowest at which anyone has
//! moved so far.

use crate::summed::{Summed, side_of};
use aji_cgt::{Dyadic, GameError, Graphs, Position, Side};
use aji_search::{Agent, Budget, Report, Stopped, Turn, Watch};
use std::time::Instant;

/// The rule that a player follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Thermostrat.
    Thermo,
    /// Sentestrat.
    Sente,
}

/// A player by thermographs.
pub struct ThermoPlayer<G: Summed> {
    strategy: Strategy,
    graphs: G::Graphs,
    /// The lowest temperature so far.
    ambient: Option<Dyadic>,
    /// The parts as this player's last move left them, in any order. A part that is not among them is new.
    before: Vec<G::Part>,
}

impl<G: Summed> ThermoPlayer<G> {
    /// A player at the start of a game.
    pub fn new(strategy: Strategy) -> ThermoPlayer<G> {
        ThermoPlayer { strategy, graphs: G::Graphs::default(), ambient: None, before: Vec::new() }
    }

    /// The action to play; `None` when it is nobody's turn, or no action is possible.
    pub fn choose(&mut self, game: &G) -> Result<Option<G::Action>, GameError> {
        let Turn::Player(player) = game.turn() else { return Ok(None) };
        let (side, parts) = (side_of(player), game.parts());
        let place = match self.strategy {
            Strategy::Thermo => self.widest(&parts, side)?,
            Strategy::Sente => self.answer_or_hottest(&parts, side)?,
        };
        let Some((part, tax)) = place else { return Ok(None) };
        let Some(number) = self.best_move(&parts[part], side, tax)? else { return Ok(None) };
        let action = game.action_in(part, side, number);
        self.before = parts;
        let after = self.before.swap_remove(part).moves(side).swap_remove(number).to;
        self.before.extend(after.parts());
        Ok(action)
    }

    /// Thermostrat's part, among those in which the side can move, and its tax.
    fn widest(&mut self, parts: &[G::Part], side: Side) -> Result<Option<(usize, Dyadic)>, GameError> {
        let movable = |part: &G::Part| !part.moves(side).is_empty();
        let mut taxes = vec![Dyadic::ZERO];
        for part in parts {
            let graph = self.graphs.graph(part)?;
            let corners = graph.left().corners().iter().chain(graph.right().corners());
            taxes.extend(corners.map(|&(tax, _)| tax).filter(|&tax| tax > Dyadic::ZERO));
        }
        taxes.sort_unstable();
        taxes.dedup();
        let mut best: Option<(Dyadic, usize, Dyadic)> = None;
        for tax in taxes {
            let (mut total, mut widest) = (Dyadic::ZERO, None);
            for (number, part) in parts.iter().enumerate() {
                let graph = self.graphs.graph(part)?;
                let (left, right) = (graph.left().at(tax)?, graph.right().at(tax)?);
                // The part's worth to the side that moves if the other side begins there.
                total = total.plus(if side == Side::Left { right } else { -left })?;
                let width = (left.minus(right)?, graph.temperature());
                if movable(part) && widest.is_none_or(|(most, _)| width > most) {
                    widest = Some((width, number));
                }
            }
            let Some(((width, _), number)) = widest else { return Ok(None) };
            let worth = total.plus(width)?;
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, number, tax));
            }
        }
        Ok(best.map(|(_, number, tax)| (number, tax)))
    }

    /// Sentestrat's part, and the tax at which its moves are compared: its own temperature.
    fn answer_or_hottest(
        &mut self,
        parts: &[G::Part],
        side: Side,
    ) -> Result<Option<(usize, Dyadic)>, GameError> {
        let mut hottest: Option<(usize, Dyadic)> = None;
        let mut answer: Option<(usize, Dyadic)> = None;
        let mut before = std::mem::take(&mut self.before);
        for (number, part) in parts.iter().enumerate() {
            let same = before.iter().position(|old| old == part);
            same.map(|place| before.swap_remove(place));
            if part.moves(side).is_empty() {
                continue;
            }
            let temperature = self.graphs.graph(part)?.temperature();
            if hottest.is_none_or(|(_, most)| temperature > most) {
                hottest = Some((number, temperature));
            }
            let was_made_hot = same.is_none() && self.ambient.is_some_and(|ambient| temperature > ambient);
            if was_made_hot && answer.is_none_or(|(_, most)| temperature > most) {
                answer = Some((number, temperature));
            }
        }
        if let (None, Some((_, temperature))) = (answer, hottest) {
            self.ambient = Some(self.ambient.map_or(temperature, |ambient| ambient.min(temperature)));
        }
        Ok(answer.or(hottest))
    }

    /// The number of the move in a part with the highest worth at a tax.
    fn best_move(&mut self, part: &G::Part, side: Side, tax: Dyadic) -> Result<Option<usize>, GameError> {
        let mut best: Option<(Dyadic, usize)> = None;
        for (number, option) in part.moves(side).into_iter().enumerate() {
            let graph = self.graphs.graph(&option.to)?;
            let (wall, gain) =
                (if side == Side::Left { graph.right() } else { graph.left() }, Dyadic::from(option.gain));
            let value = wall.at(tax)?.plus(gain)?;
            let worth = if side == Side::Left { value } else { -value };
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, number));
            }
        }
        Ok(best.map(|(_, number)| number))
    }
}

impl<G: Summed> Agent<G> for ThermoPlayer<G> {
    /// If a part is too large to study, the report has no action.
    fn think(&mut self, game: &G, _budget: Budget, _watch: &mut dyn Watch) -> Report<G::Action> {
        let started = Instant::now();
        let chosen = self.choose(game);
        let stopped = if chosen.is_err() { Stopped::TooLarge } else { Stopped::Nothing };
        Report { stopped, ..Report::chosen(chosen.unwrap_or(None), started.elapsed()) }
    }

    fn played(&mut self, _action: G::Action) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Clobber, Domineering, HeapGo, Sum, SumAction};
    use aji_cgt::{Form, Forms, Games, SumPlay};
    use aji_search::exact::MaxN;
    use aji_search::{Game, Rng};

    /// Player 0's payoff if both play best.
    fn optimum(game: &HeapGo) -> f64 {
        let solved = MaxN::hashed().solve(game, Budget::default(), &mut ()).solved();
        solved.expect("a small game").values[0]
    }

    /// Against best play a strategy gets within the largest temperature of the optimum, as either player.
    #[test]
    fn close_to_best_play() {
        let mut lost = [0.0; 2];
        for seed in 0..60 {
            let start = HeapGo::random(2 + seed % 3, 2 + seed % 3, 1..=10, seed as u64);
            let hottest = start
                .parts()
                .iter()
                .map(|heap| aji_cgt::thermograph_of(heap).expect("it fits").temperature().to_f64())
                .fold(0.0, f64::max);
            let best = optimum(&start);
            for (which, strategy) in [Strategy::Thermo, Strategy::Sente].into_iter().enumerate() {
                for player in 0..2 {
                    let mut agent = ThermoPlayer::new(strategy);
                    let mut game = start.clone();
                    while let Turn::Player(mover) = game.turn() {
                        let action = if mover == player {
                            agent.choose(&game).expect("it fits").expect("an action")
                        } else {
                            best_action(&game)
                        };
                        game.play(action);
                    }
                    let got = f64::from(game.payoff().of(0));
                    let short = if player == 0 { best - got } else { got - best };
                    assert!(
                        (0.0..=hottest).contains(&short),
                        "{strategy:?} in {}: {short} of {hottest}",
                        start.score()
                    );
                    lost[which] += short;
                }
            }
        }
        // Far from the bound on average.
        assert!(lost.iter().all(|lost| lost / 120.0 < 1.5), "{lost:?}");
    }

    /// The same on boards, measured by the stops of play.
    #[test]
    fn close_to_best_play_on_boards() {
        fn check<B: Board>(signs: &[char], seed: u64) {
            let mut rng = Rng::seeded(seed);
            let mut row = || (0..3).map(|_| signs[rng.below(signs.len())]).collect::<String>();
            let text = (0..3).map(|_| [row(), row(), row()].join("/")).collect::<Vec<_>>().join("+");
            for (strategy, first, own) in
                [Strategy::Thermo, Strategy::Sente].into_iter().flat_map(|strategy| {
                    Side::BOTH.into_iter().flat_map(move |first| Side::BOTH.map(|own| (strategy, first, own)))
                })
            {
                let start = Sum::<B>::of_text(&text, first).expect(&text);
                let (mut exact, mut agent) = (Exact::default(), ThermoPlayer::new(strategy));
                let (best, hottest) = (exact.stop(&start, first), exact.hottest(&start));
                let (mut game, mut side) = (start, first);
                while !exact.is_cold(&game) {
                    let action = if side == own {
                        agent.choose(&game).expect("it fits").expect("an action")
                    } else {
                        exact.best_action(&game, side)
                    };
                    game.play(action);
                    side = side.other();
                }
                let got = exact.stop(&game, side);
                let short = if own == Side::Left { best.minus(got) } else { got.minus(best) };
                let short = short.expect("it fits");
                assert!(
                    short >= Dyadic::ZERO && short <= hottest,
                    "{strategy:?} in {text}: {short} of {hottest}"
                );
            }
        }
        for seed in 0..30 {
            check::<Domineering>(&['.', '.', '.', '#'], seed);
            check::<Clobber>(&['x', 'o', '.'], seed);
        }
    }

    /// The stops of play on boards.
    struct Exact<B> {
        games: Games,
        forms: Forms<B>,
        play: SumPlay,
    }

    impl<B> Default for Exact<B> {
        fn default() -> Exact<B> {
            Exact { games: Games::new(), forms: Forms::default(), play: SumPlay::up_to(1_000_000) }
        }
    }

    impl<B: Board> Exact<B> {
        fn sum(&mut self, game: &Sum<B>) -> Vec<Form> {
            game.parts().iter().map(|part| self.forms.of(&mut self.games, part).expect("it fits")).collect()
        }

        fn stop(&mut self, game: &Sum<B>, first: Side) -> Dyadic {
            let sum = self.sum(game);
            self.play.ending(&mut self.games, &sum, first).expect("it fits").stop
        }

        /// The largest temperature, at least 0.
        fn hottest(&mut self, game: &Sum<B>) -> Dyadic {
            let sum = self.sum(game).into_iter();
            sum.map(|form| self.games.temperature(form).expect("it fits")).fold(Dyadic::ZERO, Dyadic::max)
        }

        /// Whether all parts are numbers.
        fn is_cold(&mut self, game: &Sum<B>) -> bool {
            self.sum(game).into_iter().all(|form| self.games.as_number(form).is_some())
        }

        fn best_action(&mut self, game: &Sum<B>, side: Side) -> SumAction {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let mut value = |action: &SumAction| {
                let mut after = *game;
                after.play(*action);
                let stop = self.stop(&after, side.other());
                if side == Side::Left { stop } else { -stop }
            };
            actions.into_iter().max_by_key(&mut value).expect("an action")
        }
    }

    fn best_action(game: &HeapGo) -> u16 {
        let solved = MaxN::hashed().solve(game, Budget::default(), &mut ()).solved();
        solved.expect("a small game").best.expect("an action")
    }

    /// Against random play both do well.
    #[test]
    fn stronger_than_chance() {
        let mut rng = Rng::seeded(1);
        for strategy in [Strategy::Thermo, Strategy::Sente] {
            let mut total = 0.0;
            for seed in 0..40 {
                let mut game = HeapGo::random(8, 6, 1..=10, seed);
                let mut agent = ThermoPlayer::new(strategy);
                let player = (seed % 2) as u8;
                while let Turn::Player(mover) = game.turn() {
                    let action = if mover == player {
                        agent.choose(&game).expect("it fits").expect("an action")
                    } else {
                        game.random_action(&mut rng, &mut Vec::new())
                    };
                    game.play(action);
                }
                total += game.payoff().of(player);
            }
            assert!(total / 40.0 > 20.0, "{strategy:?}: {} points a game", total / 40.0);
        }
    }
}
