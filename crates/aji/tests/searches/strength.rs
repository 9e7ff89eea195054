//! Strength: searches against full solutions and known positions.

use crate::common::solve;
use aji::bandit::{Split, Uniform};
use aji::games::{ConnectFour, Hex, Nim, Othello, TicTacToe};
use aji::{Budget, Game, Named, Payoff, Rng, Search, Turn};
use std::collections::HashMap;

/// All reachable positions, with their values to player 0.
fn reachable(game: TicTacToe, found: &mut HashMap<String, (TicTacToe, f32)>) -> f32 {
    if let Some((_, value)) = found.get(&game.text()) {
        return *value;
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let values: Vec<f32> = actions
        .into_iter()
        .map(|action| {
            let mut after = game;
            after.play(action);
            reachable(after, found)
        })
        .collect();
    let value = match game.turn() {
        Turn::Player(0) => values.into_iter().fold(f32::NEG_INFINITY, f32::max),
        Turn::Player(_) => values.into_iter().fold(f32::INFINITY, f32::min),
        _ => game.payoff().of(0),
    };
    found.insert(game.text(), (game, value));
    value
}

/// The lecture's task: in no reachable position does the player give away half a point or more.
#[test]
fn tic_tac_toe_is_played_perfectly_from_every_position() {
    let mut positions = HashMap::new();
    assert_eq!(reachable(TicTacToe::new(), &mut positions), 0.0);
    assert_eq!(positions.len(), 5_478);
    for (text, (game, value)) in &positions {
        if game.turn() == Turn::Over {
            continue;
        }
        let report = Search::new(*game).memory(2 << 20).run(Budget::simulations(4_000));
        let mut after = *game;
        after.play(report.best.expect("a move"));
        assert_eq!(positions[&after.text()].1, *value, "{text}: {report:?}");
    }
}

/// Random games stop a few plies before the end and are solved from there: the search's move keeps the outcome.
fn endgames_keep_their_value<G: Named + Copy>(start: G, plies_left: usize, count: usize, simulations: u64) {
    let mut rng = Rng::seeded(8);
    let (mut scratch, mut checked) = (Vec::new(), 0);
    while checked < count {
        let (mut game, mut empty) = (start, usize::MAX);
        while game.turn() != Turn::Over && empty > plies_left {
            game.play(game.random_action(&mut rng, &mut scratch));
            empty = game.text().matches('.').count();
        }
        if game.turn() == Turn::Over {
            continue;
        }
        let report = Search::new(game).seed(rng.bits()).run(Budget::simulations(simulations));
        let mut after = game;
        after.play(report.best.expect("a move"));
        let outcome = |game: &G| solve(game).partial_cmp(&0.0);
        assert_eq!(outcome(&after), outcome(&game), "{}: {:?}", game.text(), report.arms.len());
        checked += 1;
    }
}

#[test]
fn connect_four_endgames() {
    endgames_keep_their_value(ConnectFour::new(), 10, 150, 20_000);
}

#[test]
fn othello_endgames() {
    endgames_keep_their_value(Othello::new(), 7, 60, 20_000);
}

#[test]
fn hex_endgames() {
    endgames_keep_their_value(Hex::new(4), 8, 60, 20_000);
    endgames_keep_their_value(Hex::new(3), 9, 1, 20_000);
}

/// Known from the full solution of the game: the middle column is the only first move that wins.
#[test]
fn connect_four_opens_in_the_middle() {
    let report = Search::new(ConnectFour::new()).run(Budget::simulations(50_000));
    assert_eq!(report.best, Some(3));
}

/// Nim is solved by the exclusive or of its heaps: from a won position, the search must leave 0.
#[test]
fn nim_is_won_from_a_won_position() {
    for code in 1..64u16 {
        let heaps = [code % 4, code / 4 % 4, code / 16];
        if heaps.into_iter().fold(0, |sum, heap| sum ^ heap) == 0 {
            continue;
        }
        let report = Search::new(Nim::new(&heaps, 2, false)).seed(1).run(Budget::simulations(20_000));
        let action = report.best.expect("a move");
        let mut left = heaps;
        left[usize::from(action.heap)] -= action.take;
        assert_eq!(left.into_iter().fold(0, |sum, heap| sum ^ heap), 0, "{heaps:?}: {action:?}");
    }
}

/// One decision, then luck: the left door pays 1 always, the right one 1 or -1 evenly.
#[derive(Clone)]
struct Doors(Option<u8>, Option<bool>);

impl Game for Doors {
    type Action = u8;

    fn turn(&self) -> Turn {
        match (self.0, self.1) {
            (None, _) => Turn::Player(0),
            (Some(_), None) => Turn::Chance,
            _ => Turn::Over,
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            out.extend([0, 1]);
        }
    }

    fn play(&mut self, action: u8) {
        match self.0 {
            None => self.0 = Some(action),
            Some(_) => self.1 = Some(action == 1),
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff([if self.0 == Some(0) || self.1 == Some(true) { 1.0 } else { -1.0 }, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn weight(&self, outcome: u8) -> f32 {
        if outcome == 1 { 3.0 } else { 1.0 }
    }
}

/// Pure Monte Carlo pulls evenly and takes the best mean; the means follow from the probabilities.
#[test]
fn flat_search_measures_the_odds() {
    let rule = Split::new(Uniform, Uniform);
    let mut search = Search::new(Doors(None, None)).select(rule).depth(1).seed(3);
    let report = search.run(Budget::simulations(20_000));
    assert_eq!(report.arms.iter().map(|arm| arm.pulls).collect::<Vec<_>>(), [10_000, 10_000]);
    assert_eq!((report.best, report.arms[0].mean, report.arms[0].error), (Some(0), 1.0, Some(0.0)));
    // Three in four, with a standard error of .0043, as in the report.
    let right = &report.arms[1];
    assert!((right.mean - 0.75).abs() < 0.015, "{right:?}");
    assert!(right.error.is_some_and(|error| (error - 0.00433).abs() < 2e-4), "{right:?}");
    assert_eq!(search.tree().map(|tree| tree.len()), Some(2), "no tree below the root");
}
