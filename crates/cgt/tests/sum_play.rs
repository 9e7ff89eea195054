//! Best play in sums, against the canonical form of the sum.

use aji_cgt::{Dyadic, Form, GameError, Games, Outcome, Side, SumPlay};
use proptest::prelude::*;

/// A game from drawn numbers: a switch of smaller games, nested to this depth.
fn game(games: &mut Games, numbers: &mut impl Iterator<Item = i8>, depth: u32) -> Form {
    let mut next = |games: &mut Games| match depth {
        0 => games.number(Dyadic::from(i32::from(numbers.next().unwrap_or(0)))).unwrap(),
        _ => game(games, numbers, depth - 1),
    };
    let (left, right) = (next(games), next(games));
    games.from_options(&[left], &[right]).unwrap()
}

fn outcome(games: &mut Games, play: &mut SumPlay, sum: &[Form]) -> Outcome {
    let wins = Side::BOTH.map(|first| play.ending(games, sum, first).unwrap().left_wins());
    match wins {
        [true, true] => Outcome::Left,
        [true, false] => Outcome::First,
        [false, true] => Outcome::Second,
        [false, false] => Outcome::Right,
    }
}

proptest! {
    /// The stops of a sum and its winner are those of its form.
    #[test]
    fn stops_and_outcomes(numbers in prop::collection::vec(-4i8..=4, 8..40), depth in 0u32..3, parts in 1usize..5) {
        let (mut games, mut numbers) = (Games::new(), numbers.into_iter().cycle().take(200));
        let sum: Vec<Form> = (0..parts).map(|_| game(&mut games, &mut numbers, depth)).collect();
        let mut whole = Form::ZERO;
        for &part in &sum {
            whole = games.plus(whole, part).unwrap();
        }
        let mut play = SumPlay::up_to(100_000);
        for first in Side::BOTH {
            let ending = play.ending(&mut games, &sum, first).unwrap();
            prop_assert_eq!(ending.stop, games.stop(whole, first));
        }
        prop_assert_eq!(outcome(&mut games, &mut play, &sum), games.outcome(whole).unwrap());
    }
}

#[test]
fn the_last_move_decides_at_zero() {
    let games = &mut Games::new();
    let mut play = SumPlay::up_to(1_000);
    for (sum, expect) in [
        ("* *", Outcome::Second),
        ("* *2", Outcome::First),
        ("^ *", Outcome::First),
        ("^ ^ *", Outcome::Left),
        ("v * *2 *3", Outcome::Right),
        ("+-1 * *", Outcome::First),
        ("1/2 -1/2", Outcome::Second),
    ] {
        let parts: Vec<Form> = sum.split(' ').map(|part| games.read(part).unwrap()).collect();
        assert_eq!(outcome(games, &mut play, &parts), expect, "{sum}");
    }
}

/// Players take switches by size: 300, 299, and so on. The form of the sum would have more options than fit.
#[test]
fn many_switches() {
    let games = &mut Games::new();
    let switches: Vec<Form> =
        (1..=300).map(|size| games.switch(Dyadic::from(size), Dyadic::from(-size)).unwrap()).collect();
    let ending = SumPlay::up_to(1_000_000).ending(games, &switches, Side::Left).unwrap();
    assert_eq!((ending.stop, ending.left_was_last), (Dyadic::from(150), false));
}

#[test]
fn limits_are_named() {
    let games = &mut Games::new();
    let sum: Vec<Form> =
        ["{9|2||-1}", "{4|1||-6}", "{7||1|-3}"].iter().map(|text| games.read(text).unwrap()).collect();
    let error = SumPlay::up_to(2).ending(games, &sum, Side::Left);
    assert_eq!(error, Err(GameError::Positions(2)));
}
