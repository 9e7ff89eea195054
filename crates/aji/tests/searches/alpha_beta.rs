//! Alpha-beta against plain minimax, known results, and a random player.

use crate::common::woven::Woven;
use crate::common::{Wild, on_a_small_stack};
use aji::exact::{AlphaBeta, DEPTH_MAX, Found, LINE_MAX, MoveOrder, Worth};
use aji::games::{Breakthrough, ConnectFour, Hex, Mnk, Nim, Othello, TicTacToe};
use aji::{Agent, Budget, Game, Hashed, Heuristic, Named, Payoff, Player, Rng, Stopped, Turn};
use std::time::Duration;

type Estimate<G> = Option<fn(&G) -> Payoff>;

/// The value to player 0, looking this many plies ahead.
fn minimax<G: Game>(game: &G, depth: usize, estimate: Estimate<G>) -> f32 {
    let player = match game.turn() {
        Turn::Player(player) if depth > 0 => player,
        Turn::Over => return game.payoff().of(0),
        _ => return estimate.map_or(0.0, |estimate| estimate(game).of(0)),
    };
    let values = after_each(game).into_iter().map(|(_, after)| minimax(&after, depth - 1, estimate));
    if player == 0 { values.fold(f32::NEG_INFINITY, f32::max) } else { values.fold(f32::INFINITY, f32::min) }
}

fn after_each<G: Game>(game: &G) -> Vec<(G::Action, G)> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let after = |action| {
        let mut after = game.clone();
        after.play(action);
        (action, after)
    };
    actions.into_iter().map(after).collect()
}

fn run<G: Game>(search: &mut AlphaBeta<G>, game: &G) -> Found<G::Action> {
    search.run(game, Budget::default(), &mut ())
}

/// Every configuration finds the same value, a best action that has it, and a line that leads to it.
fn check<G: Hashed + 'static>(game: &G, depth: usize, estimate: Estimate<G>) {
    let Turn::Player(player) = game.turn() else { return };
    let sign = if player == 0 { 1.0 } else { -1.0 };
    let expect = sign * minimax(game, depth, estimate);
    for (table, ordered, deepening, every) in [
        (0, false, true, false),
        (0, true, false, false),
        (0, true, true, true),
        (32, true, true, false),
        (1_000, false, true, true),
        (1_000, true, false, false),
        (1 << 20, false, false, false),
        (1 << 20, true, true, false),
        (1 << 20, true, true, true),
    ] {
        let mut search = AlphaBeta::new().depth(depth).deepening(deepening);
        if table > 0 {
            search = search.table(table);
        }
        if let Some(estimate) = estimate {
            search = search.estimate(estimate);
        }
        if !ordered {
            search = search.order(MoveOrder::Listed);
        } else if estimate.is_none() {
            search = search.order(MoveOrder::By(Box::new(|game: &G, action| {
                let mut after = game.clone();
                after.play(action);
                (after.hash() % 100) as f32
            })));
        }
        let search = if every { search.every_value() } else { search };
        check_found(game, player, expect, &mut { search }, (depth, estimate, every));
    }
}

fn check_found<G: Hashed>(
    game: &G,
    player: Player,
    expect: f32,
    search: &mut AlphaBeta<G>,
    (depth, estimate, every): (usize, Estimate<G>, bool),
) {
    let sign = if player == 0 { 1.0 } else { -1.0 };
    let found = run(search, game);
    assert_eq!(found.value, expect);
    assert!(found.exact || found.depth == depth);
    assert_eq!(found.stopped, if found.exact { Stopped::Solved } else { Stopped::Depth });
    for ((action, value), (listed, after)) in found.values.iter().zip(after_each(game)) {
        assert!(*action == listed && (value.is_some() || !every));
        let is_best = Some(listed) == found.best;
        assert!(value.is_some() || !is_best);
        if let Some(Worth { value, complete }) = *value {
            assert!(!is_best || (value == found.value && (complete || !found.exact)));
            // Proven values hold at any depth. Other values found on the way to a proof may not.
            let plies = if complete { DEPTH_MAX } else { depth - 1 };
            assert!(!complete && found.exact || value == sign * minimax(&after, plies, estimate));
        }
    }
    let mut position = game.clone();
    for &action in &found.line {
        assert!(after_each(&position).iter().any(|(legal, _)| *legal == action));
        position.play(action);
    }
    assert!(found.line.first().copied() == found.best);
    match position.turn() {
        Turn::Over => assert_eq!(position.payoff().of(player), found.value),
        _ if found.line.len() == found.depth && !found.exact => {
            assert_eq!(estimate.map_or(0.0, |estimate| estimate(&position).of(player)), found.value);
        }
        // The table no longer has the rest of the line.
        _ => {}
    }
}

#[test]
fn equals_minimax_on_random_trees() {
    for seed in 0..3_000 {
        check(&Wild::new(seed, 2 + (seed % 6) as u8, 4), 1 + seed as usize % 7, None);
    }
}

#[test]
fn equals_minimax_where_ways_meet() {
    for seed in 0..3_000 {
        let game = Woven::new(seed, 3 + (seed % 5) as u8, 2, false);
        let estimate = [None, Some(Woven::estimate as fn(&Woven) -> Payoff)][seed as usize % 2];
        check(&game, 1 + seed as usize % 8, estimate);
    }
}

/// Random games, stopped when at most this many cells are empty.
fn late_positions<G: Named + Copy>(start: G, empty: usize, count: usize) -> Vec<G> {
    let (mut rng, mut scratch, mut late) = (Rng::seeded(9), Vec::new(), Vec::new());
    while late.len() < count {
        let mut game = start;
        while game.turn() != Turn::Over && game.text().matches('.').count() > empty {
            game.play(game.random_action(&mut rng, &mut scratch));
        }
        if game.turn() != Turn::Over {
            late.push(game);
        }
    }
    late
}

#[test]
fn equals_minimax_on_real_games() {
    for game in late_positions(ConnectFour::new(), 12, 60) {
        check(&game, 5, Some(ConnectFour::estimate));
        check(&game, 4, None);
    }
    for game in late_positions(Othello::new(), 6, 60) {
        check(&game, 60, Some(Othello::estimate));
        check(&game, 3, Some(Othello::estimate));
    }
    for game in late_positions(Mnk::new(4, 3, 3), 7, 60) {
        check(&game, 60, None);
    }
    for game in late_positions(Breakthrough::new(), 48, 10) {
        check(&game, 3, Some(Breakthrough::estimate));
    }
}

fn solved<G: Hashed>(game: &G) -> f32 {
    let found = run(&mut AlphaBeta::new().table(64 << 20), game);
    assert!(found.exact && found.stopped == Stopped::Solved);
    found.value
}

#[test]
fn known_results() {
    assert_eq!(solved(&TicTacToe::new()), 0.0);
    assert_eq!(solved(&Mnk::new(4, 3, 3)), 1.0);
    assert_eq!(solved(&Mnk::new(4, 4, 4)), 0.0);
    assert_eq!(solved(&Hex::new(3)), 1.0);
    assert_eq!(solved(&Hex::new(4)), 1.0);
    for code in 1..125u16 {
        let heaps = [code % 5, code / 5 % 5, code / 25];
        let won = heaps.into_iter().fold(0, |sum, heap| sum ^ heap) != 0;
        assert_eq!(solved(&Nim::new(&heaps, 2, false)), if won { 1.0 } else { -1.0 }, "{heaps:?}");
    }
}

/// The search finds a shortest win first, and goes no deeper.
#[test]
fn wins_are_found_at_their_depth() {
    let mut game = ConnectFour::new();
    [3, 0, 3, 0, 3].into_iter().for_each(|column| game.play(column));
    let found = run(&mut AlphaBeta::new().depth(8).table(1 << 20), &game);
    assert_eq!(found.best, Some(3), "the only answer: {found:?}");
    game.play(1);
    let found = run(&mut AlphaBeta::new().table(1 << 20), &game);
    assert_eq!((found.best, found.value, found.depth, &found.line[..]), (Some(3), 1.0, 1, &[3u8][..]));
}

#[test]
fn budgets_end_it_and_leave_an_action() {
    let mut search = AlphaBeta::new().estimate(Othello::estimate).table(1 << 20);
    let found = search.run(&Othello::new(), Budget::simulations(5_000), &mut ());
    assert_eq!(found.stopped, Stopped::Simulations);
    assert!(found.best.is_some() && found.depth > 1 && found.nodes <= 5_004, "{found:?}");
    let found = search.run(&Othello::new(), Budget::simulations(1), &mut ());
    assert!(found.best.is_some() && found.depth == 1, "{found:?}");
    let found = search.run(&Othello::new(), Budget::time(Duration::from_millis(20)), &mut ());
    assert!(found.stopped == Stopped::Time && found.time >= Duration::from_millis(20));
    search.stop_handle().stop();
    assert_eq!(run(&mut search, &Othello::new()).stopped, Stopped::Handle);
    assert!(search.table_bytes() <= 1 << 20);
}

#[test]
fn a_finished_game_has_no_action() {
    let mut game = ConnectFour::new();
    [0, 1, 0, 1, 0, 1, 0].into_iter().for_each(|column| game.play(column));
    let report = AlphaBeta::new().think(&game, Budget::default(), &mut ());
    assert_eq!((report.best, report.value, report.stopped), (None, None, Stopped::Nothing));
}

#[test]
fn reports_are_rewards() {
    let mut game = ConnectFour::new();
    [3, 0, 3, 0, 3, 0].into_iter().for_each(|column| game.play(column));
    let report = AlphaBeta::new().think(&game, Budget::default(), &mut ());
    assert_eq!((report.best, report.value, report.stopped), (Some(3), Some(1.0), Stopped::Solved));
    assert!(report.arms.iter().all(|arm| arm.pulls == 0 && arm.error.is_none()));
    assert_eq!(report.line, [3]);
}

/// One action per ply, for a fixed number of plies; who moves last wins.
#[derive(Clone, Debug, PartialEq)]
struct Corridor(u32, Player);

impl Game for Corridor {
    type Action = ();

    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }

    fn actions(&self, out: &mut Vec<()>) {
        if self.0 > 0 {
            out.push(());
        }
    }

    fn play(&mut self, (): ()) {
        *self = Corridor(self.0 - 1, 1 - self.1);
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.1)
    }
}

impl Hashed for Corridor {
    fn hash(&self) -> u64 {
        u64::from(self.0) << 1 | u64::from(self.1)
    }
}

/// A recursion would overflow the stack of 64 KiB.
#[test]
fn long_games_need_no_stack() {
    on_a_small_stack(|| {
        let mut search = AlphaBeta::new().table(1 << 20).deepening(false);
        let found = run(&mut search, &Corridor(DEPTH_MAX as u32, 0));
        assert_eq!((found.value, found.exact, found.line.len()), (-1.0, true, LINE_MAX));
        let mut search = AlphaBeta::new().deepening(false);
        let found = run(&mut search, &Corridor(100_000, 0));
        assert_eq!((found.value, found.stopped, found.depth), (0.0, Stopped::Depth, DEPTH_MAX));
    });
}

/// Games won of twenty against random play, from both sides.
fn wins_against_random<G: Hashed + Copy + 'static>(start: G, estimate: fn(&G) -> Payoff) -> usize {
    let (mut rng, mut scratch) = (Rng::seeded(11), Vec::new());
    let won = |round: &usize| {
        let thinker = (round % 2) as Player;
        let mut search = AlphaBeta::new().depth(4).estimate(estimate).table(1 << 20);
        let mut game = start;
        while let Turn::Player(player) = game.turn() {
            game.play(if player == thinker {
                run(&mut search, &game).best.expect("an action")
            } else {
                game.random_action(&mut rng, &mut scratch)
            });
        }
        game.payoff().of(thinker) > 0.0
    };
    (0..20).filter(won).count()
}

#[test]
fn beats_random_play() {
    for (game, wins) in [
        ("connect-four", wins_against_random(ConnectFour::new(), ConnectFour::estimate)),
        ("breakthrough", wins_against_random(Breakthrough::new(), Breakthrough::estimate)),
        ("othello", wins_against_random(Othello::new(), Othello::estimate)),
    ] {
        assert!(wins > 18, "{game}: {wins} of 20");
    }
}
