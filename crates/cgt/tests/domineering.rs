//! Forms of positions: Domineering, whose values are well known.

use aji_cgt::{Dyadic, Form, Forms, GameError, Games, Move, Outcome, Position, Side, form_of};
use std::collections::HashMap;
use std::time::Instant;

/// The columns of the grid that holds a board. One of them is always full, so that dominoes do not wrap. There are
/// eight rows.
const COLUMNS: u32 = 16;

/// Empty cells, moved to the upper left. Left places upright dominoes, and Right level ones; the player who cannot move
/// loses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Domineering(u128);

impl Domineering {
    fn new(rows: u32, columns: u32) -> Domineering {
        let row = (1u128 << columns) - 1;
        Domineering((0..rows).map(|index| row << (index * COLUMNS)).sum())
    }

    fn pushed(self) -> Domineering {
        let above = self.0.trailing_zeros() / COLUMNS * COLUMNS;
        let rows = (0..u128::BITS / COLUMNS).map(|index| self.0 >> (index * COLUMNS));
        let before = rows.fold(0, |columns, row| columns | row as u16).trailing_zeros();
        Domineering(self.0 >> (above + before))
    }
}

impl Position for Domineering {
    fn moves(&self, side: Side) -> Vec<Move<Domineering>> {
        let step = if side == Side::Left { COLUMNS } else { 1 };
        let fitting = self.0 & self.0 >> step;
        let cells = (0..u128::BITS).filter(|cell| fitting >> cell & 1 == 1);
        cells
            .map(|cell| Move { to: Domineering(self.0 & !(1 << cell | 1 << (cell + step))), gain: 0 })
            .collect()
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
    // Three rows of two: Left moves to 1/2, or Right to -2.
    let wide = games.switch(Dyadic::new(1, 1).unwrap(), Dyadic::from(-2)).unwrap();
    assert_eq!(form(games, 3, 2), wide);
}

/// Published values. Turning a board gives its negative.
///
/// - Berlekamp, Blockbusting and Domineering, 1988, appendix B.1: 2 x 2, 4 x 2, which is tiny-two, and 6 x 2, which is +-1 and
///   two of them. His notes on 2 x N Domineering, 2003: 3 x 2.
/// - Conway, On Numbers and Games, 1976: 5 x 5 goes to the second player, so that it is 0.
/// - Guy, Unsolved Problems in Combinatorial Games, Games of No Chance, 1996: 4 x 5 is 1, found by Wolfe.
/// - Drummond-Cole, An update on Domineering on rectangular boards, 2014: 11 x 2.
/// - The tests of CGSuite: 4 x 4. Found with CGSuite by others: 3 x 3, and in the tests of pycgt the rest of two rows.
#[test]
fn published_values() {
    let games = &mut Games::new();
    let mut check = |rows, columns, value: &str| {
        let value = games.read(value).unwrap();
        assert_eq!(form(games, rows, columns), value, "{rows} x {columns}");
    };
    check(2, 2, "+-1");
    check(3, 2, "{1/2|-2}");
    check(2, 3, "{2|-1/2}");
    check(3, 3, "+-1");
    check(4, 2, "{0||0|-2}");
    check(2, 4, "{2|0||0}");
    check(2, 5, "1/2");
    check(2, 6, "{{3|1||1}|-1}");
    check(2, 7, "{3/2|-1/2}");
    check(2, 8, "{{{4|2||2}|0}|{-1/2|-2}}");
    check(2, 9, "{5/2|1/2||0|-3/2}");
    check(2, 13, "0");
    check(4, 4, "{0,{{2|0},{2||2|0}|{2|0},{2|0||0}}|0,{{0|-2},{0||0|-2}|{0|-2},{0|-2||-2}}}");
    check(4, 5, "1");
    check(5, 5, "0");

    let (one, tiny) = (games.read("+-1").unwrap(), games.read("{0||0|-2}").unwrap());
    let two_tinies = games.times(tiny, 2).unwrap();
    assert_eq!(Ok(form(games, 6, 2)), games.plus(one, two_tinies));

    let eleven_by_two = games.read("{1|||1/2|-1||-3/2|-7/2}").unwrap();
    assert_eq!(Ok(form(games, 2, 11)), games.negative(eleven_by_two));
}

/// Means and temperatures of two rows, found with CGSuite in the tests of pycgt.
#[test]
fn published_temperatures() {
    let games = &mut Games::new();
    let mut check = |columns, mean: &str, temperature: &str| {
        let board = form(games, 2, columns);
        let found = (games.mean(board).unwrap().to_string(), games.temperature(board).unwrap().to_string());
        assert_eq!(found, (mean.to_string(), temperature.to_string()), "2 x {columns}");
    };
    check(2, "0", "1");
    check(3, "3/4", "5/4");
    check(4, "0", "0");
    check(5, "1/2", "-1/2");
    check(6, "0", "1");
    check(7, "1/2", "1");
    check(8, "-1/8", "9/8");
    check(9, "3/8", "9/8");
    check(10, "-5/16", "19/16");
    check(11, "3/16", "19/16");
    check(12, "-1/2", "0");
}

/// Published winners, one string for each number of rows, from one column on: V for the vertical side, which is Left, H
/// for the horizontal one, 1 and 2 for the player who moves first or second. Sources: Breuker, Uiterwijk and van den
/// Herik, Solving 8 x 8 Domineering, 2000; for more than nine columns Lachmann, Moore and Rapaport, Who Wins
/// Domineering on Rectangular Boards?, 2002.
#[test]
fn published_winners() {
    let (games, forms) = (&mut Games::new(), &mut Forms::default());
    for (rows, winners) in [
        (1, "2HHHHHHH"),
        (2, "V11HV11HV11H2"),
        (3, "V11HHHHH"),
        (4, "VVV1V1"),
        (5, "VHVH2"),
        (6, "V1V1"),
        (7, "V1V"),
    ] {
        for (columns, winner) in (1..).zip(winners.chars()) {
            let outcome = match winner {
                'V' => Outcome::Left,
                'H' => Outcome::Right,
                '1' => Outcome::First,
                _ => Outcome::Second,
            };
            let board = forms.of(games, &Domineering::new(rows, columns)).unwrap();
            assert_eq!(games.outcome(board), Ok(outcome), "{rows} x {columns}");
        }
    }
}

/// Forms give the same winner as full search, which uses no forms.
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
            // Turning the board swaps the sides.
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

/// The form of a board is the sum of the forms of its parts.
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

/// Moves that pay: the mover gets the size of the heap, and a quarter of it is left.
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

/// A game that does not end is an error.
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

/// After an error the cache can still be used: positions that were under study do not count as repetitions.
#[test]
fn too_many_positions() {
    let (games, forms) = (&mut Games::new(), &mut Forms::up_to(10));
    let board = Domineering::new(3, 4);
    for _ in 0..2 {
        assert_eq!(forms.of(games, &board), Err(GameError::Positions(10)));
    }
    assert_eq!(forms.of(games, &Domineering::new(1, 2)), Ok(number(games, -1, 0)));
}
