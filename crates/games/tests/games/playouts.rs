//! Playouts of many leaves together have the same distribution of payoffs as playouts one by one, and as exact counts.

use aji_games::{Breakthrough, ConnectFour, Hex, Othello, TicTacToe};
use aji_search::playout::Uniform;
use aji_search::{Evaluate, Game, Leaf, Named, Payoff, Rng, Turn};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The numbers of leaves per call: fewer than a vector holds, equally many, and more.
const WIDTHS: [usize; 10] = [1, 2, 3, 4, 7, 8, 9, 16, 33, 64];

/// Positions of random games that are not over. In turn: anywhere in the game, near its end, the last one.
fn positions<G: Game>(root: &G, count: usize, rng: &mut Rng) -> Vec<G> {
    let position = |index: usize, rng: &mut Rng| {
        let mut course = vec![root.clone()];
        loop {
            let mut game = course[course.len() - 1].clone();
            let action = game.random_action(rng, &mut Vec::new());
            game.play(action);
            if game.turn() == Turn::Over {
                break;
            }
            course.push(game);
        }
        let back = [rng.below(course.len()), rng.below(course.len().min(8)), 0][index % 3];
        course.swap_remove(course.len() - 1 - back)
    };
    (0..count).map(|index| position(index, rng)).collect()
}

fn leaves<G: Game>(games: &[G]) -> Vec<Leaf<G>> {
    let unset = |game: &G| Leaf { payoff: Payoff([f32::NAN; 4]), ..Leaf::new(game.clone()) };
    games.iter().map(unset).collect()
}

/// For each position, how often each payoff of player 0 occurred.
type Counts = Vec<BTreeMap<i32, f64>>;

/// Plays `rounds` playouts from each position, `width` leaves at a time.
fn count_together<G: Game>(games: &[G], width: usize, rounds: usize, rng: &mut Rng) -> Counts {
    let mut counts = vec![BTreeMap::new(); games.len()];
    let order: Vec<usize> = (0..games.len() * rounds).map(|index| index % games.len()).collect();
    for places in order.chunks(width) {
        let games: Vec<G> = places.iter().map(|&place| games[place].clone()).collect();
        let mut leaves = leaves(&games);
        Uniform.evaluate(&mut leaves, rng);
        for (leaf, &place) in leaves.iter().zip(places) {
            assert!(!leaf.payoff.of(0).is_nan(), "a payoff was not set");
            assert_eq!(leaf.payoff, Payoff::margin(leaf.payoff.of(0)));
            *counts[place].entry(leaf.payoff.of(0) as i32).or_insert(0.0) += 1.0;
        }
    }
    counts
}

fn count_alone<G: Game>(games: &[G], rounds: usize, rng: &mut Rng) -> Counts {
    let count = |game: &G| {
        let mut counts = BTreeMap::new();
        for _ in 0..rounds {
            let payoff = game.clone().playout(rng, &mut Vec::new());
            *counts.entry(payoff.of(0) as i32).or_insert(0.0) += 1.0;
        }
        counts
    };
    games.iter().map(count).collect()
}

/// How far chi-squared over all positions is above its mean, in standard deviations, for two samples of the same size.
fn distance(ones: &Counts, others: &Counts) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for (one, other) in ones.iter().zip(others) {
        let mut both = one.clone();
        other.iter().for_each(|(&payoff, count)| *both.entry(payoff).or_insert(0.0) += count);
        let of = |counts: &BTreeMap<i32, f64>, payoff| counts.get(payoff).copied().unwrap_or(0.0);
        squares +=
            both.iter().map(|(payoff, sum)| (of(one, payoff) - of(other, payoff)).powi(2) / sum).sum::<f64>();
        freedom += (both.len() - 1) as f64;
    }
    (squares - freedom) / (2.0 * freedom).sqrt()
}

fn check_alike<G: Game>(root: G, rounds: usize) {
    let mut rng = Rng::seeded(1);
    let games = positions(&root, 61, &mut rng);
    let alone = count_alone(&games, rounds, &mut rng);
    for width in WIDTHS {
        let together = count_together(&games, width, rounds, &mut rng);
        let distance = distance(&alone, &together);
        assert!(distance < 4.5, "{distance} standard deviations off with {width} leaves");
    }
}

#[test]
fn payoffs_are_distributed_as_one_by_one() {
    check_alike(ConnectFour::new(), 1_500);
    check_alike(Breakthrough::new(), 600);
    check_alike(Othello::new(), 300);
    check_alike(Othello::sized(6).expect("a size"), 300);
    check_alike(TicTacToe::new(), 300);
    [2, 3, 5, 8, 9, 11, 13].into_iter().for_each(|size| check_alike(Hex::new(size), 600));
    [14, 16, 17, 19].into_iter().for_each(|size| check_alike(Hex::new(size), 200));
}

/// The probability of each payoff under uniformly random actions; none if that takes more than `left` positions.
fn chances<G: Game>(game: &G, left: &mut usize) -> Option<BTreeMap<i32, f64>> {
    *left = left.checked_sub(1)?;
    if game.turn() == Turn::Over {
        return Some(BTreeMap::from([(game.payoff().of(0) as i32, 1.0)]));
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let mut sum = BTreeMap::new();
    for &action in &actions {
        let mut next = game.clone();
        next.play(action);
        for (payoff, chance) in chances(&next, left)? {
            *sum.entry(payoff).or_insert(0.0) += chance / actions.len() as f64;
        }
    }
    Some(sum)
}

/// Positions near the end with the probabilities of their payoffs.
fn solved<G: Game>(root: &G, count: usize, rng: &mut Rng) -> Vec<(G, BTreeMap<i32, f64>)> {
    let games = positions(root, count, rng);
    games.into_iter().filter_map(|game| Some((game.clone(), chances(&game, &mut 20_000)?))).collect()
}

fn check_exact<G: Game + Debug>(root: G) {
    const ROUNDS: usize = 4_000;
    let mut rng = Rng::seeded(2);
    let mut solved = solved(&root, 400, &mut rng);
    solved.truncate(40);
    assert!(solved.len() > 20, "{} are too few", solved.len());
    let games: Vec<G> = solved.iter().map(|(game, _)| game.clone()).collect();
    for width in [3, 8, 13] {
        let counts = count_together(&games, width, ROUNDS, &mut rng);
        for ((game, chances), counts) in solved.iter().zip(counts) {
            assert!(counts.keys().all(|payoff| chances.contains_key(payoff)), "{game:?}: cannot be");
            for (payoff, chance) in chances {
                let mean = chance * ROUNDS as f64;
                let error = (mean * (1.0 - chance)).max(0.0).sqrt();
                let count = counts.get(payoff).copied().unwrap_or(0.0);
                assert!(
                    (count - mean).abs() <= 5.0 * error + 1e-3 + 5.0 * f64::from(mean < 5.0),
                    "{game:?}: {payoff} came {count} times, not {mean}"
                );
            }
        }
    }
}

/// Breakthrough with so few pieces that a game can end by the last capture.
fn few_pieces() -> Breakthrough {
    let text = "......../......../.o.o..../......../x.x...../......../......../........ x";
    Breakthrough::new().read(text).unwrap()
}

#[test]
fn payoffs_are_distributed_as_counted_out() {
    check_exact(ConnectFour::new());
    check_exact(few_pieces());
    check_exact(Othello::new());
    check_exact(Hex::new(2));
    check_exact(Hex::new(3));
}

/// Leaves with a certain payoff, some of them already over, get it wherever they stand among others.
fn check_order<G: Game + Debug>(root: G) {
    let mut rng = Rng::seeded(3);
    let others = positions(&root, 20, &mut rng);
    let mut certain: Vec<(G, f32)> = solved(&root, 60, &mut rng)
        .into_iter()
        .filter(|(_, chances)| chances.len() == 1)
        .map(|(game, chances)| (game, *chances.keys().next().unwrap() as f32))
        .collect();
    for game in &others {
        let mut game = game.clone();
        while game.turn() != Turn::Over {
            let action = game.random_action(&mut rng, &mut Vec::new());
            game.play(action);
        }
        let payoff = game.payoff().of(0);
        certain.push((game, payoff));
    }
    for round in 0..2_000 {
        let width = WIDTHS[round % WIDTHS.len()];
        let mut draw = || match rng.below(2) {
            0 => (others[rng.below(others.len())].clone(), None),
            _ => {
                let (game, payoff) = &certain[rng.below(certain.len())];
                (game.clone(), Some(*payoff))
            }
        };
        let (games, expect): (Vec<G>, Vec<Option<f32>>) = (0..width).map(|_| draw()).unzip();
        let mut leaves = leaves(&games);
        G::playouts(&mut leaves, &mut rng);
        for (leaf, (expect, game)) in leaves.iter().zip(expect.iter().zip(&games)) {
            assert!(!leaf.payoff.of(0).is_nan(), "a payoff was not set");
            assert!(expect.is_none_or(|expect| expect == leaf.payoff.of(0)), "{game:?}: {:?}", leaf.payoff);
        }
    }
}

#[test]
fn every_leaf_gets_its_own_payoff() {
    check_order(ConnectFour::new());
    check_order(Breakthrough::new());
    check_order(few_pieces());
    check_order(Othello::new());
    check_order(Hex::new(3));
    check_order(Hex::new(11));
}

/// Leaves of different sizes can be evaluated together, although vectors hold boards of one size only.
#[test]
fn boards_of_any_sizes_can_be_together() {
    let mut rng = Rng::seeded(4);
    let games: Vec<Hex> = [3, 11, 3, 5, 14, 2, 19, 8, 9, 3, 4]
        .into_iter()
        .flat_map(|size| positions(&Hex::new(size), 3, &mut rng))
        .collect();
    let alone = count_alone(&games, 500, &mut rng);
    let distance = distance(&alone, &count_together(&games, 12, 500, &mut rng));
    assert!(distance < 4.5, "{distance} standard deviations off");
}

fn check_seeds<G: Game>(root: G) {
    let mut rng = Rng::seeded(5);
    let games = positions(&root, 33, &mut rng);
    let run = |seed: u64, width: usize| {
        let (mut leaves, mut rng) = (leaves(&games[..width]), Rng::seeded(seed));
        Uniform.evaluate(&mut leaves, &mut rng);
        let payoffs: Vec<Payoff> = leaves.iter().map(|leaf| leaf.payoff).collect();
        (payoffs, rng)
    };
    for seed in 0..100 {
        for width in WIDTHS.into_iter().filter(|&width| width <= games.len()) {
            assert!(run(seed, width) == run(seed, width), "the same seed, another result");
        }
        let mut rng = Rng::seeded(seed);
        let payoff = games[0].clone().playout(&mut rng, &mut Vec::new());
        assert!(run(seed, 1) == (vec![payoff], rng), "one leaf is not played as by itself");
    }
    let distinct = (0..100).map(|seed| run(seed, 33).0).filter(|payoffs| *payoffs != run(0, 33).0).count();
    assert!(distinct > 50, "{distinct} of 100 seeds made a difference");
    G::playouts(&mut [], &mut rng);
}

#[test]
fn the_same_seed_gives_the_same_payoffs() {
    check_seeds(ConnectFour::new());
    check_seeds(Breakthrough::new());
    check_seeds(Othello::new());
    check_seeds(TicTacToe::new());
    check_seeds(Hex::new(3));
    check_seeds(Hex::new(11));
}
