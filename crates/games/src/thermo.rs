//! Players of sums that look at thermographs and search nothing: thermostrat and sentestrat (Berlekamp, Conway & Guy,
//! *Winning Ways*, chapter 6; Berlekamp 1996).
//!
//! **Thermostrat**, for Left: at a tax of t the whole sum is worth the sum of the right walls to him if Right begins, and the
//! width of one thermograph more if he begins there. He takes the least t at which that is the most, and moves in the part
//! whose thermograph is widest there. He gets no less than the sum of the means, and so loses at most the largest
//! temperature against best play.
//!
//! **Sentestrat**: who moves answers a move that has made its part hotter than the ambient temperature, in that part;
//! otherwise moves in the hottest part. The ambient temperature is the lowest at which anyone has moved so far.

use crate::summed::{Summed, side_of};
use aji_cgt::{Dyadic, Overflow, Position, Side, Thermographs};
use aji_search::{Agent, Budget, Report, Turn};
use std::time::{Duration, Instant};

/// Which rule is followed.
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
    graphs: Thermographs<G::Part>,
    /// The lowest temperature so far, and the parts as this player's last move left them.
    ambient: Option<Dyadic>,
    before: Vec<G::Part>,
}

impl<G: Summed> ThermoPlayer<G> {
    /// A player that has seen nothing yet.
    pub fn new(strategy: Strategy) -> ThermoPlayer<G> {
        ThermoPlayer { strategy, graphs: Thermographs::default(), ambient: None, before: Vec::new() }
    }

    /// The action to play; none when it is nobody's turn, or nothing can be done.
    pub fn choose(&mut self, game: &G) -> Result<Option<G::Action>, Overflow> {
        let Turn::Player(player) = game.turn() else { return Ok(None) };
        let (side, parts) = (side_of(player), game.parts());
        let place = match self.strategy {
            Strategy::Thermo => self.widest(&parts, side)?,
            Strategy::Sente => self.answer_or_hottest(&parts, side)?,
        };
        let Some((part, tax)) = place else { return Ok(None) };
        let Some(number) = self.best_move(&parts[part], side, tax)? else { return Ok(None) };
        self.before.clone_from(&parts);
        self.before[part] = parts[part].moves(side)[number].to.clone();
        Ok(Some(game.action_in(part, side, number)))
    }

    /// Thermostrat's part, of those in which the side can move, and its tax.
    fn widest(&mut self, parts: &[G::Part], side: Side) -> Result<Option<(usize, Dyadic)>, Overflow> {
        let movable = |part: &G::Part| !part.moves(side).is_empty();
        let mut taxes = vec![Dyadic::ZERO];
        for part in parts {
            let graph = self.graphs.of(part)?;
            let corners = graph.left().corners().iter().chain(graph.right().corners());
            taxes.extend(corners.map(|&(tax, _)| tax).filter(|&tax| tax > Dyadic::ZERO));
        }
        taxes.sort_unstable();
        taxes.dedup();
        let mut best: Option<(Dyadic, usize, Dyadic)> = None;
        for tax in taxes {
            let (mut total, mut widest) = (Dyadic::ZERO, None);
            for (number, part) in parts.iter().enumerate() {
                let graph = self.graphs.of(part)?;
                let (left, right) = (graph.left().at(tax)?, graph.right().at(tax)?);
                // What the part is worth to the side that moves if the other begins there.
                total = total.plus(if side == Side::Left { right } else { -left })?;
                let width = left.minus(right)?;
                if movable(part) && widest.is_none_or(|(most, _)| width > most) {
                    widest = Some((width, number));
                }
            }
            let Some((width, number)) = widest else { return Ok(None) };
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
    ) -> Result<Option<(usize, Dyadic)>, Overflow> {
        let mut hottest: Option<(usize, Dyadic)> = None;
        let mut answer = None;
        let is_followed = self.before.len() == parts.len();
        if !is_followed {
            self.ambient = None;
        }
        for (number, part) in parts.iter().enumerate() {
            if part.moves(side).is_empty() {
                continue;
            }
            let temperature = self.graphs.of(part)?.temperature();
            if hottest.is_none_or(|(_, most)| temperature > most) {
                hottest = Some((number, temperature));
            }
            let is_hotter = self.ambient.is_some_and(|ambient| temperature > ambient);
            if is_followed && self.before[number] != *part && is_hotter {
                answer = Some((number, temperature));
            }
        }
        if let (None, Some((_, temperature))) = (answer, hottest) {
            self.ambient = Some(self.ambient.map_or(temperature, |ambient| ambient.min(temperature)));
        }
        Ok(answer.or(hottest))
    }

    /// The number of the move in a part that is worth most at a tax.
    fn best_move(&mut self, part: &G::Part, side: Side, tax: Dyadic) -> Result<Option<usize>, Overflow> {
        let mut best: Option<(Dyadic, usize)> = None;
        for (number, option) in part.moves(side).into_iter().enumerate() {
            let graph = self.graphs.of(&option.to)?;
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
    /// Where numbers would need more bits than there are, it has no action.
    fn think(
        &mut self,
        game: &G,
        _budget: Budget,
        _watch: &mut dyn FnMut(u64, Duration),
    ) -> Report<G::Action> {
        let started = Instant::now();
        let best = self.choose(game).unwrap_or(None);
        Report::chosen(game, best, started.elapsed())
    }

    fn played(&mut self, _action: G::Action) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapGo;
    use aji_search::exact::MaxN;
    use aji_search::{Game, Rng};

    /// What player 0 gets by best play of both.
    fn optimum(game: &HeapGo) -> f64 {
        let solved = MaxN::hashed().solve(game, Budget::default(), &mut |_, _| {}).solved();
        solved.expect("a small game").values[0]
    }

    /// A strategy against best play gets within the largest temperature of what is possible, whoever it plays.
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

    fn best_action(game: &HeapGo) -> u16 {
        let solved = MaxN::hashed().solve(game, Budget::default(), &mut |_, _| {}).solved();
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
