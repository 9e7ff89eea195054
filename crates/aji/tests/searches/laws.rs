//! The laws, on every game and its variants.

use aji::cgt::Side;
use aji::games::{
    Board, Breakthrough, CanadianTraveller, Clobber, ConnectFour, Domineering, Game2048, Hex, Mnk, Nim,
    Othello, Pig, Sailing, Size, Sum, TicTacToe, ToadsAndFrogs,
};
use aji::{Hashed, Keyed, Named, laws};
use std::fmt::Debug;

fn check<G: Named + Keyed + Hashed + PartialEq + Debug>(game: G) {
    for (law, kept) in [
        ("game", laws::game(&game, 1)),
        ("compared", laws::compared(&game, 1)),
        ("keyed", laws::keyed(&game, 2)),
        ("hashed", laws::hashed(&game, 3)),
        ("named", laws::named(&game, 4)),
    ] {
        assert_eq!(kept, Ok(()), "{law} law of {}", game.text());
    }
}

#[test]
fn boards() {
    check(TicTacToe::new());
    check(ConnectFour::new());
    Othello::SIZES.into_iter().filter_map(Othello::sized).for_each(check);
    check(Breakthrough::new());
}

#[test]
fn hex() {
    [2, 3, 8, 11, 12].into_iter().for_each(|size| check(Hex::new(size)));
}

#[test]
fn mnk() {
    for (columns, rows, in_a_row) in [(1, 1, 1), (3, 3, 3), (5, 4, 4), (8, 9, 5), (4, 4, 19), (15, 15, 5)] {
        check(Mnk::new(columns, rows, in_a_row));
    }
}

#[test]
fn nim() {
    check(Nim::new(&[3, 4, 5], 2, false));
    check(Nim::new(&[1, 0, 7], 3, true));
    check(Nim::new(&[20; 16], 4, false));
}

fn check_sum<B: Board>(boards: &[B]) {
    Side::BOTH.into_iter().for_each(|first| check(Sum::new(boards, first)));
}

#[test]
fn sums() {
    for (rows, columns) in [(1, 1), (1, 8), (2, 3), (5, 5), (8, 8)] {
        let size = Size::new(rows, columns);
        check_sum(&[Domineering::new(size)]);
        check_sum(&[Clobber::new(size)]);
    }
    check_sum(&[Clobber::new(Size::new(2, 3)); 16]);
    check_sum(&[Domineering::new(Size::new(2, 2)), Domineering::new(Size::new(3, 4))]);
    check_sum(&[ToadsAndFrogs::new(1, 3, 2, 3)]);
    check_sum(&[ToadsAndFrogs::new(8, 2, 4, 2), ToadsAndFrogs::new(1, 1, 0, 0)]);
}

#[test]
fn pig() {
    check(Pig::new(2, 100));
    check(Pig::new(3, 10));
    check(Pig::new(4, 200));
}

#[test]
fn sailing() {
    for (size, wind) in [(2, 0), (3, 4), (5, 0), (10, 7), (40, 1)] {
        check(Sailing::new(size, wind));
    }
}

#[test]
fn game_2048() {
    check(Game2048::new(1));
    check(Game2048::new(2));
}

#[test]
fn canadian_traveller() {
    for (vertices, seed, blocked) in [(3, 1, 0.5), (5, 2, 0.0), (8, 3, 0.5), (20, 4, 1.0)] {
        check(CanadianTraveller::new(vertices, seed, blocked));
    }
}
