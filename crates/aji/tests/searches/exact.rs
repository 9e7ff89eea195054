//! Solutions against plain recursion, hand computation and closed forms.

use crate::common::on_a_small_stack;
use crate::common::woven::Woven;
use aji::exact::{MaxN, Solution, Solved, Solver, ValueIteration, Values};
use aji::games::{ConnectFour, Mnk, Nim, TicTacToe};
use aji::{Agent, Budget, Game, Hashed, PLAYERS_MAX, Payoff, Player, Stopped, Turn};

/// The values by recursion: each player takes the first of its best actions.
fn naive<G: Game>(game: &G, depth: usize, estimate: fn(&G) -> Payoff) -> Values {
    let turn = game.turn();
    if turn == Turn::Over {
        return game.payoff().0.map(f64::from);
    } else if depth == 0 {
        return estimate(game).0.map(f64::from);
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let below = |action: &G::Action| {
        let mut after = game.clone();
        after.play(*action);
        naive(&after, depth - 1, estimate)
    };
    let values: Vec<Values> = actions.iter().map(below).collect();
    if let Turn::Player(player) = turn {
        let player = usize::from(player);
        return values
            .into_iter()
            .reduce(|a, b| if b[player] > a[player] { b } else { a })
            .expect("an action");
    }
    let weights: Vec<f64> = actions.iter().map(|&action| game.weight(action).into()).collect();
    let all: f64 = weights.iter().sum();
    let mean = |player: usize| {
        values.iter().zip(&weights).map(|(values, weight)| values[player] * weight).sum::<f64>() / all
    };
    [0, 1, 2, 3].map(mean)
}

fn solve<G: Hashed>(game: &G) -> Solved<G::Action> {
    MaxN::hashed().solve(game, Budget::default(), &mut ()).solved().expect("a small game")
}

fn near(found: &Values, expect: &Values) -> bool {
    (0..PLAYERS_MAX).all(|player| (found[player] - expect[player]).abs() < 1e-9)
}

#[test]
fn equals_recursion_on_random_games() {
    let none = |_: &Woven| Payoff::DRAW;
    for seed in 0..4_000 {
        let players = 1 + (seed % 4) as u8;
        let game = Woven::new(seed, 2 + (seed % 6) as u8, players, seed % 3 > 0);
        let expect = naive(&game, 99, none);
        let solved = solve(&game);
        assert!(solved.exact && near(&solved.values, &expect), "{solved:?}: {expect:?}");
        let Turn::Player(player) = game.turn() else { panic!("a player begins") };
        let best = solved.actions.iter().find(|(action, _)| Some(*action) == solved.best).expect("a best");
        assert_eq!(best.1, solved.values);
        assert!(
            solved
                .actions
                .iter()
                .all(|(_, values)| values[usize::from(player)] <= best.1[usize::from(player)])
        );
        for (action, values) in &solved.actions {
            let mut after = game.clone();
            after.play(*action);
            assert!(near(values, &naive(&after, 99, none)));
        }
        let tree = MaxN::new().solve(&game, Budget::default(), &mut ()).solved().expect("a small tree");
        assert_eq!((tree.values, tree.best), (solved.values, solved.best));
        assert!(tree.positions >= solved.positions);
        check_line(&game, &solved);
        let depth = 1 + seed as usize % 5;
        let cut = MaxN::hashed().depth(depth, Some(Woven::estimate));
        let cut = cut.solve(&game, Budget::default(), &mut ()).solved().expect("a small game");
        assert!(near(&cut.values, &naive(&game, depth, Woven::estimate)));
        check_line(&game, &cut);
    }
}

/// A line that ends the game pays the reported value.
fn check_line(game: &Woven, solved: &Solved<u8>) {
    let mut position = game.clone();
    solved.line.iter().for_each(|&action| position.play(action));
    assert_eq!(solved.line.first().copied(), solved.best);
    if position.turn() == Turn::Over {
        assert_eq!(position.payoff().0.map(f64::from), solved.values);
    } else {
        assert!(position.turn() == Turn::Chance || !solved.exact, "{solved:?}");
    }
}

#[test]
fn equals_recursion_on_nim_of_many_players() {
    for players in 2..=4 {
        for heaps in [[1, 2, 3], [2, 2, 2], [3, 1, 1], [4, 2, 0]] {
            for misere in [false, true] {
                let game = Nim::new(&heaps, players, misere);
                assert_eq!(solve(&game).values, naive(&game, 99, |_| Payoff::DRAW), "{heaps:?} {players}");
            }
        }
    }
}

#[test]
fn known_results() {
    let tic_tac_toe = solve(&TicTacToe::new());
    assert_eq!((tic_tac_toe.values[0], tic_tac_toe.line.len()), (0.0, 9));
    // There are 5,478 positions, and in 958 of them the game is over.
    assert_eq!(tic_tac_toe.positions, 4_520);
    assert_eq!(solve(&Mnk::new(4, 3, 3)).values, [1.0, -1.0, 0.0, 0.0]);
    for code in 1..125u16 {
        let heaps = [code % 5, code / 5 % 5, code / 25];
        let won = heaps.into_iter().fold(0, |sum, heap| sum ^ heap) != 0;
        assert_eq!(solve(&Nim::new(&heaps, 2, false)).values[0], if won { 1.0 } else { -1.0 }, "{heaps:?}");
    }
}

/// The solver gives up on a large game early, with the number of positions, and the agent reports it.
#[test]
fn large_games_are_refused() {
    let solution = MaxN::hashed().memory(10_000_000).solve(&ConnectFour::new(), Budget::default(), &mut ());
    let Solution::TooLarge { positions } = solution else { panic!("{solution:?}") };
    let least = MaxN::<ConnectFour>::positions_max(10_000_000);
    assert!((least - 1_000..=least + 1).contains(&positions), "{positions} of {least}");
    let report = Solver::new(10_000_000).think(&ConnectFour::new(), Budget::default(), &mut ());
    assert_eq!((report.best, report.stopped), (None, Stopped::TooLarge));
    let report = Solver::new(10_000_000).think(&ConnectFour::new(), Budget::simulations(100), &mut ());
    assert_eq!((report.best, report.stopped, report.simulations), (None, Stopped::Simulations, 100));
}

#[test]
fn reports_are_rewards() {
    let report = Solver::new(1 << 24).think(&TicTacToe::new(), Budget::default(), &mut ());
    assert_eq!((report.value, report.stopped, report.arms.len()), (Some(0.5), Stopped::Solved, 9));
    assert!(report.arms.iter().all(|arm| arm.mean == 0.5 && arm.pulls == 0));
    let report = Solver::new(1 << 24).think(&Nim::new(&[1, 1, 1], 3, false), Budget::default(), &mut ());
    assert_eq!(report.value, Some(0.0), "the third player takes the last");
}

/// A player stakes any part of its capital, or a fixed stake, again and again, until it has all or nothing.
#[derive(Clone, Debug, PartialEq)]
struct Gambler {
    capital: u32,
    goal: u32,
    stake: u32,
    only_one: bool,
    win: f32,
}

impl Gambler {
    fn new(capital: u32, goal: u32, only_one: bool, win: f32) -> Gambler {
        Gambler { capital, goal, stake: 0, only_one, win }
    }
}

impl Game for Gambler {
    type Action = u32;

    fn turn(&self) -> Turn {
        match (self.capital, self.stake) {
            (_, 1..) => Turn::Chance,
            (capital, _) if capital == 0 || capital == self.goal => Turn::Over,
            _ => Turn::Player(0),
        }
    }

    fn actions(&self, out: &mut Vec<u32>) {
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend([0, 1]),
            Turn::Player(_) if self.only_one => out.push(1),
            Turn::Player(_) => out.extend(1..=self.capital.min(self.goal - self.capital)),
        }
    }

    fn play(&mut self, action: u32) {
        if self.turn() == Turn::Chance {
            self.capital = if action == 1 { self.capital + self.stake } else { self.capital - self.stake };
            self.stake = 0;
        } else {
            self.stake = action;
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff([f32::from(u8::from(self.capital == self.goal)), 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_range(&self) -> (f32, f32) {
        (0.0, 1.0)
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn weight(&self, outcome: u32) -> f32 {
        if outcome == 1 { self.win } else { 1.0 - self.win }
    }
}

impl Hashed for Gambler {
    fn hash(&self) -> u64 {
        u64::from(self.capital) << 32 | u64::from(self.stake)
    }
}

fn iterate<G: Hashed>(game: &G) -> Solved<G::Action> {
    let solved = ValueIteration::new().solve(game, Budget::default(), &mut ()).solved();
    solved.filter(|solved| solved.exact).expect("values that settle")
}

/// The ruin of the gambler: with odds r of losing to winning, a walk from i reaches n with (1 - r^i) / (1 - r^n).
#[test]
fn a_random_walk_hits_as_often_as_it_should() {
    for (win, goal) in [(0.5, 20), (0.6, 25), (0.375, 12)] {
        for capital in [1, goal / 2, goal - 1] {
            let found = iterate(&Gambler::new(capital, goal, true, win)).values[0];
            let (win, i, n) = (f64::from(win), f64::from(capital), f64::from(goal));
            let odds = (1.0 - win) / win;
            let expect = if win == 0.5 { i / n } else { (1.0 - odds.powf(i)) / (1.0 - odds.powf(n)) };
            assert!((found - expect).abs() < 1e-9, "{win} {capital}/{goal}: {found}, not {expect}");
        }
    }
}

/// If the odds are bad, bold play is best: stake all, or the amount still missing. If they are good, stake one at a
/// time.
#[test]
fn gamblers_are_bold_or_timid() {
    for (capital, expect) in [(1, 0.16), (2, 0.4), (3, 0.64)] {
        let solved = iterate(&Gambler::new(capital, 4, false, 0.4));
        assert!((solved.values[0] - expect).abs() < 1e-6, "{solved:?}");
    }
    assert_eq!(iterate(&Gambler::new(2, 4, false, 0.4)).best, Some(2));
    let solved = iterate(&Gambler::new(5, 10, false, 0.6));
    let timid = (1.0 - (2.0f64 / 3.0).powi(5)) / (1.0 - (2.0f64 / 3.0).powi(10));
    assert!((solved.values[0] - timid).abs() < 1e-6 && solved.best == Some(1), "{solved:?}");
}

/// In games without repeated positions both ways of solving agree.
#[test]
fn sweeps_agree_with_looking_ahead() {
    for seed in 0..500 {
        let game = Woven::new(seed, 6, 1 + (seed % 4) as u8, seed % 3 > 0);
        let (swept, ahead) = (iterate(&game), solve(&game));
        assert!(near(&swept.values, &ahead.values), "{swept:?} {ahead:?}");
        assert!(swept.actions.iter().zip(&ahead.actions).all(|(a, b)| a.0 == b.0 && near(&a.1, &b.1)));
        let Turn::Player(player) = game.turn() else { panic!("a player begins") };
        let worth = |best| swept.actions.iter().find(|arm| Some(arm.0) == best).map(|arm| arm.1);
        let of = |best| worth(best).map(|values| values[usize::from(player)]);
        assert!((of(swept.best).unwrap() - of(ahead.best).unwrap()).abs() < 1e-9);
    }
}

/// Two duellists fire in turn, each with a probability to hit. A duellist may also wait, which is the first action of
/// the list.
#[derive(Clone, Debug, PartialEq)]
struct Duel {
    mover: Player,
    fires: bool,
    hit: bool,
    odds: [f32; 2],
    may_wait: bool,
}

impl Game for Duel {
    type Action = u8;

    fn turn(&self) -> Turn {
        match (self.hit, self.fires) {
            (true, _) => Turn::Over,
            (_, true) => Turn::Chance,
            _ => Turn::Player(self.mover),
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        match self.turn() {
            Turn::Over => {}
            Turn::Player(0) if !self.may_wait => out.push(1),
            Turn::Player(1) => out.push(1),
            _ => out.extend([0, 1]),
        }
    }

    fn play(&mut self, action: u8) {
        if !self.fires {
            self.fires = action == 1;
        } else if action == 1 {
            self.hit = true;
        } else {
            (self.fires, self.mover) = (false, 1 - self.mover);
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover)
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn weight(&self, outcome: u8) -> f32 {
        let odds = self.odds[usize::from(self.mover)];
        if outcome == 1 { odds } else { 1.0 - odds }
    }
}

impl Hashed for Duel {
    fn hash(&self) -> u64 {
        u64::from(self.mover) | u64::from(self.fires) << 1 | u64::from(self.hit) << 2
    }
}

/// The one who fires first hits first with probability a / (1 - (1 - a)(1 - b)). Waiting returns to the same position:
/// once the value is known it looks as good as firing, but it never ends.
#[test]
fn duels_are_won_as_often_as_they_should() {
    for (a, b) in [(0.25, 0.5), (0.5, 0.5), (0.125, 0.75)] {
        for may_wait in [false, true] {
            let game = Duel { mover: 0, fires: false, hit: false, odds: [a, b], may_wait };
            let (a, b) = (f64::from(a), f64::from(b));
            let expect = 2.0 * a / (1.0 - (1.0 - a) * (1.0 - b)) - 1.0;
            let solved = iterate(&game);
            assert!(
                (solved.values[0] - expect).abs() < 1e-9 && solved.values[1] == -solved.values[0],
                "{solved:?}"
            );
            assert_eq!(solved.best, Some(1));
            // The look-ahead detects the cycle, and the agent then uses value iteration.
            let ahead = MaxN::hashed().solve(&game, Budget::default(), &mut ());
            assert!(matches!(ahead, Solution::Endless { .. }), "{ahead:?}");
            let report = Solver::new(1 << 20).think(&game, Budget::default(), &mut ());
            assert_eq!((report.best, report.stopped), (Some(1), Stopped::Solved));
            assert!((f64::from(report.value.expect("a value")) - 0.5 - expect / 2.0).abs() < 1e-6);
        }
    }
}

/// Three players sit in a ring. The player to act may quit, which pays 1 to it, 2 to the one before it and nothing to
/// the one after, or pass to the next. Each wants to pass if the next quits and to quit if the next passes, which three
/// cannot all do.
#[derive(Clone, Debug, PartialEq)]
struct Ring {
    asked: Player,
    quits: bool,
}

impl Game for Ring {
    type Action = bool;

    fn turn(&self) -> Turn {
        if self.quits { Turn::Over } else { Turn::Player(self.asked) }
    }

    fn actions(&self, out: &mut Vec<bool>) {
        if !self.quits {
            out.extend([true, false]);
        }
    }

    fn play(&mut self, quits: bool) {
        *self = if quits { Ring { quits, ..*self } } else { Ring { asked: (self.asked + 1) % 3, quits } };
    }

    fn payoff(&self) -> Payoff {
        let mut payoff = Payoff::default();
        payoff.0[usize::from(self.asked)] = 1.0;
        payoff.0[usize::from(self.asked + 2) % 3] = 2.0;
        payoff
    }

    fn players(&self) -> usize {
        3
    }

    fn payoff_range(&self) -> (f32, f32) {
        (0.0, 2.0)
    }

    fn payoff_sum(&self) -> Option<f32> {
        Some(3.0)
    }
}

impl Hashed for Ring {
    fn hash(&self) -> u64 {
        u64::from(self.asked) * 2 + u64::from(self.quits)
    }
}

/// Values that do not converge are not reported as converged.
#[test]
fn what_does_not_settle_is_said() {
    let report = Solver::new(1 << 20).think(&Ring { asked: 0, quits: false }, Budget::default(), &mut ());
    assert_eq!((report.best, report.value, report.stopped), (None, None, Stopped::Endless));
    assert_eq!(report.nodes, 6);
}

#[test]
fn sweeps_keep_to_their_limits() {
    let game = Gambler::new(500, 1_000, false, 0.5);
    let solution = ValueIteration::new().memory(10_000).solve(&game, Budget::default(), &mut ());
    assert!(matches!(solution, Solution::TooLarge { .. }), "{solution:?}");
    let solution = ValueIteration::new().solve(&game, Budget::simulations(50), &mut ());
    assert!(matches!(solution, Solution::Stopped { why: Stopped::Simulations, .. }), "{solution:?}");
}

/// One player, one action per ply, for a hundred thousand plies.
#[derive(Clone)]
struct Corridor(u32);

impl Game for Corridor {
    type Action = ();

    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<()>) {
        if self.0 > 0 {
            out.push(());
        }
    }

    fn play(&mut self, (): ()) {
        self.0 -= 1;
    }

    fn payoff(&self) -> Payoff {
        Payoff([1.0, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }
}

impl Hashed for Corridor {
    fn hash(&self) -> u64 {
        self.0.into()
    }
}

/// A recursion would overflow the stack of 64 KiB.
#[test]
fn long_games_need_no_stack() {
    on_a_small_stack(|| {
        let game = Corridor(100_000);
        let solved = solve(&game);
        assert_eq!((solved.values[0], solved.positions, solved.line.len()), (1.0, 100_000, 100_000));
        assert_eq!(iterate(&game).values[0], 1.0);
    });
}
