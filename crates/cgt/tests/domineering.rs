//! Forms of positions: Domineering, whose values are well known.

use aji_cgt::{Dyadic, Form, GameError, Games, Move, Outcome, Position, Side, form_of};
use std::collections::HashMap;
use std::time::Instant;

/// The columns of the grid that holds a board, one of them always full, so that dominoes do not wrap.
const COLUMNS: u32 = 8;

/// Empty cells, pushed to the upper left. Left places upright dominoes, and Right level ones; who cannot move loses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Domineering(u64);

impl Domineering {
    fn new(rows: u32, columns: u32) -> Domineering {
        let row = (1u64 << columns) - 1;
        Domineering((0..rows).map(|index| row << (index * COLUMNS)).sum())
    }

    fn pushed(mut self) -> Domineering {
        let (row, column) = ((1 << COLUMNS) - 1, 0x0101_0101_0101_0101u64);
        while self.0 != 0 && self.0 & row == 0 {
            self.0 >>= COLUMNS;
        }
        while self.0 != 0 && self.0 & column == 0 {
            self.0 >>= 1;
        }
        self
    }
}

impl Position for Domineering {
    fn moves(&self, side: Side) -> Vec<Move<Domineering>> {
        let step = if side == Side::Left { COLUMNS } else { 1 };
        let dominoes = (0..64 - step).map(|cell| 1 << cell | 1 << (cell + step));
        let fitting = dominoes.filter(|domino: &u64| self.0 & domino == *domino);
        fitting.map(|domino| Move { to: Domineering(self.0 & !domino), gain: 0 }).collect()
    }

    fn parts(&self) -> Vec<Domineering> {
        let mut left = self.0;
        let mut parts = Vec::new();
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            loop {
                let grown = (part | part << 1 | part >> 1 | part << COLUMNS | part >> COLUMNS) & left;
                if grown == part {
                    break;
                }
                part = grown;
            }
            left &= !part;
            parts.push(Domineering(part).pushed());
        }
        parts
    }
}

fn form(games: &mut Games, rows: u32, columns: u32) -> Form {
    form_of(games, &Domineering::new(rows, columns)).unwrap()
}

fn number(games: &mut Games, numerator: i128, exponent: u32) -> Form {
    games.number(Dyadic::new(numerator, exponent).unwrap()).unwrap()
}

#[test]
fn small_boards() {
    let games = &mut Games::new();
    for (rows, columns, value) in [(1, 1, 0), (2, 1, 1), (1, 2, -1), (3, 1, 1), (4, 1, 2), (1, 7, -3)] {
        assert_eq!(form(games, rows, columns), number(games, value, 0));
    }
    let one = games.switch(Dyadic::ONE, Dyadic::from(-1)).unwrap();
    assert_eq!(form(games, 2, 2), one);
    assert_eq!(form(games, 3, 3), one);
    // Three rows of two: Left has 1/2 for himself, or Right takes 2.
    let wide = games.switch(Dyadic::new(1, 1).unwrap(), Dyadic::from(-2)).unwrap();
    assert_eq!(form(games, 3, 2), wide);
}

/// Forms say who wins as full search does, which knows no forms.
#[test]
fn outcomes_of_boards() {
    let (games, known) = (&mut Games::new(), &mut HashMap::new());
    for rows in 1..=4 {
        for columns in 1..=5 {
            let first = Side::BOTH.map(|side| can_win(Domineering::new(rows, columns), side, known));
            let outcome = match first {
                [true, true] => Outcome::First,
                [true, false] => Outcome::Left,
                [false, true] => Outcome::Right,
                [false, false] => Outcome::Second,
            };
            let board = form(games, rows, columns);
            assert_eq!(games.outcome(board), Ok(outcome), "{rows} x {columns}");
            // Turned around, the sides change places.
            assert_eq!(form(games, columns, rows), games.negative(board).unwrap());
        }
    }
}

/// Whether a side that moves first wins.
fn can_win(board: Domineering, side: Side, known: &mut HashMap<(Domineering, Side), bool>) -> bool {
    if let Some(&wins) = known.get(&(board, side)) {
        return wins;
    }
    let wins = board.moves(side).into_iter().any(|option| !can_win(option.to, side.other(), known));
    known.insert((board, side), wins);
    wins
}

/// Parts give what the whole gives.
#[test]
fn parts_are_summed() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct InOnePiece(Domineering);
    impl Position for InOnePiece {
        fn moves(&self, side: Side) -> Vec<Move<InOnePiece>> {
            let moves = self.0.moves(side).into_iter();
            moves.map(|option| Move { to: InOnePiece(option.to), gain: 0 }).collect()
        }
    }
    let games = &mut Games::new();
    for (rows, columns) in [(2, 2), (3, 3), (2, 5), (3, 4)] {
        let whole = form_of(games, &InOnePiece(Domineering::new(rows, columns))).unwrap();
        assert_eq!(form(games, rows, columns), whole);
    }
}

/// Moves that pay: who takes a heap gets it, until it is too small to move in.
#[test]
fn moves_that_pay() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Prize(i32);
    impl Position for Prize {
        fn moves(&self, side: Side) -> Vec<Move<Prize>> {
            let gain = if side == Side::Left { self.0 } else { -self.0 };
            if self.0 == 0 { vec![] } else { vec![Move { to: Prize(self.0 / 4), gain }] }
        }
    }
    let games = &mut Games::new();
    let inner = games.switch(Dyadic::ONE, Dyadic::from(-1)).unwrap();
    let five = number(games, 5, 0);
    let (high, low) = (games.plus(inner, five).unwrap(), games.minus(inner, five).unwrap());
    let expect = games.from_options(&[high], &[low]).unwrap();
    assert_eq!(form_of(games, &Prize(5)), Ok(expect));
    assert_eq!(games.temperature(expect), Ok(Dyadic::from(5)));
}

/// `cargo test --release -p aji-cgt --test domineering -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
fn speed() {
    for (rows, columns) in [(3, 3), (4, 4), (4, 5), (5, 5)] {
        let start = Instant::now();
        let games = &mut Games::new();
        let board = form(games, rows, columns);
        let time = start.elapsed();
        println!(
            "{rows} x {columns}: {time:?}, {} forms, mean {}, temperature {}, {}",
            games.count(),
            games.mean(board).unwrap(),
            games.temperature(board).unwrap(),
            games.outcome(board).unwrap()
        );
    }
}

/// A game that does not end is refused.
#[test]
fn a_game_without_end() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Pass(bool);
    impl Position for Pass {
        fn moves(&self, _: Side) -> Vec<Move<Pass>> {
            vec![Move { to: Pass(!self.0), gain: 0 }]
        }
    }
    assert_eq!(form_of(&mut Games::new(), &Pass(true)), Err(GameError::Loop));
}
