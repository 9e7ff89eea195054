//! The solver against full solutions: its proofs are true, and it proves what can be proven.

use crate::common::{Wild, solve};
use aji::bandit::{AnyRule, Gumbel, Halving, Split, Ucb1};
use aji::games::{ConnectFour, Mnk, Nim, Othello, TicTacToe};
use aji::{Budget, Game, Named, Payoff, Rng, Search, Stopped, Turn, Utility};
use proptest::prelude::*;

/// The value of a position to the player to act, as a reward.
fn worth<G: Game>(game: &G, value: f32, utility: Utility) -> f32 {
    let rewards = utility.rewards(&Payoff::margin(value));
    if game.turn() == Turn::Player(1) { rewards[1] } else { rewards[0] }
}

/// Checks every proof of a report. Returns whether the root is proven.
fn check<G: Game>(game: &G, utility: Utility, simulations: u64, seed: u64) -> bool
where
    G::Action: std::fmt::Debug,
{
    let search = Search::new(game.clone()).utility(utility).solver(true).memory(64 << 20).seed(seed);
    let report = { search }.run(Budget::simulations(simulations));
    let root = worth(game, solve(game), utility);
    let mut best = f32::NEG_INFINITY;
    for arm in &report.arms {
        let mut after = game.clone();
        after.play(arm.action);
        let rewards = utility.rewards(&Payoff::margin(solve(&after)));
        let value = if game.turn() == Turn::Player(1) { rewards[1] } else { rewards[0] };
        best = best.max(value);
        assert!(arm.proven.is_none_or(|proven| (proven - value).abs() < 1e-6), "{arm:?} is worth {value}");
        if report.proven.is_some() && report.best == Some(arm.action) {
            assert!((value - root).abs() < 1e-6, "{:?} of {report:?} gives away what is proven", arm.action);
        }
    }
    assert!((best - root).abs() < 1e-6);
    let Some(proven) = report.proven else { return false };
    assert_eq!(report.stopped, Stopped::Solved);
    assert!((proven - root).abs() < 1e-6, "{proven} is not {root}");
    // The principal line is the proof: it ends the game, at the proven value.
    let mut end = game.clone();
    report.line.iter().for_each(|&action| end.play(action));
    assert_eq!(end.turn(), Turn::Over, "the line {:?} stops early", report.line);
    let rewards = utility.rewards(&end.payoff());
    let reached = if game.turn() == Turn::Player(1) { rewards[1] } else { rewards[0] };
    assert!((reached - root).abs() < 1e-6, "the line {:?} ends at {reached}, not at {root}", report.line);
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_games(seed: u64, plies in 1u8..7, width in 1u8..6, simulations in 1u64..3_000) {
        let game = Wild::new(seed, plies, width);
        if game.turn() != Turn::Over {
            check(&game, Utility::Win, simulations, seed);
            check(&game, Utility::Score { low: -1.0, high: 1.0 }, simulations, seed);
        }
    }
}

/// Solves random positions of a game for which a full solution is cheap. Returns how many were proven.
fn endgames<G: Game>(start: &G, small: impl Fn(&G) -> bool, count: usize, utility: Utility) -> usize
where
    G::Action: std::fmt::Debug,
{
    let (mut rng, mut scratch) = (Rng::seeded(3), Vec::new());
    let (mut checked, mut proven) = (0, 0);
    while checked < count {
        let mut game = start.clone();
        while game.turn() != Turn::Over && !small(&game) {
            let action = game.random_action(&mut rng, &mut scratch);
            game.play(action);
        }
        if game.turn() != Turn::Over {
            proven += usize::from(check(&game, utility, 20_000, rng.bits()));
            checked += 1;
        }
    }
    proven
}

fn actions<G: Game>(game: &G) -> usize {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.len()
}

#[test]
fn tic_tac_toe_positions() {
    let mut rng = Rng::seeded(1);
    let mut size = move |game: &TicTacToe| actions(game) <= 4 + rng.below(4);
    let size = std::cell::RefCell::new(&mut size);
    assert_eq!(endgames(&TicTacToe::new(), |game| (size.borrow_mut())(game), 1_000, Utility::Win), 1_000);
}

#[test]
fn mnk_positions() {
    assert_eq!(endgames(&Mnk::new(4, 3, 3), |game| actions(game) <= 8, 1_000, Utility::Win), 1_000);
}

#[test]
fn nim_positions() {
    let proven = endgames(&Nim::new(&[3, 4, 5], 2, false), |game| actions(game) <= 7, 1_000, Utility::Win)
        + endgames(&Nim::new(&[3, 4, 5], 2, true), |game| actions(game) <= 7, 1_000, Utility::Win);
    assert_eq!(proven, 2_000);
}

#[test]
fn connect_four_endgames() {
    use aji::Named;
    let small = |game: &ConnectFour| game.text().matches('.').count() <= 9;
    // UCB1 rarely pulls arms that seem worse than a proven draw, so a proof may take long.
    let proven = endgames(&ConnectFour::new(), small, 1_000, Utility::Win);
    assert!(proven >= 990, "{proven}");
}

/// Exact scores: the margin in discs, not only who wins.
#[test]
fn othello_scores() {
    use aji::Named;
    let small = |game: &Othello| game.text().matches('.').count() <= 5;
    let utility = Utility::score(&Othello::new());
    assert_eq!(endgames(&Othello::new(), small, 300, utility), 300);
}

/// The whole game is a draw, and its proof is found.
#[test]
fn tic_tac_toe_is_a_draw() {
    let report = Search::new(TicTacToe::new()).solver(true).run(Budget::simulations(1_000_000));
    assert_eq!((report.proven, report.value, report.stopped), (Some(0.5), Some(0.5), Stopped::Solved));
    assert!(report.simulations < 200_000, "{}", report.simulations);
}

/// With three players there are no such proofs, and the solver changes nothing.
#[test]
fn three_players_are_left_alone() {
    let search =
        |solver| Search::new(Nim::new(&[2, 3], 3, false)).solver(solver).run(Budget::simulations(500));
    assert_eq!((search(true).arms, search(true).proven), (search(false).arms, None));
}

/// A proof is kept when the game goes on.
#[test]
fn a_proof_survives_advancing() {
    let mut search = Search::new(Nim::new(&[3, 4, 5], 2, false)).solver(true);
    let report = search.run(Budget::simulations(1_000_000));
    assert_eq!(report.proven, Some(1.0));
    search.advance(report.best.expect("a move"));
    let report = search.run(Budget::simulations(10));
    assert_eq!((report.proven, report.stopped, report.simulations), (Some(0.0), Stopped::Solved, 0));
}

/// Two of seven arms are proven lost after a few pulls. Sequential halving goes on among the others, and does not take the
/// proven ones for survivors of its rounds.
#[test]
fn rounds_go_on_without_proven_arms() {
    let text = "......./......./.o...x./.x.oxox/oxxxoxo/oooxxxo o";
    let start = ConnectFour::new().read(text).unwrap();
    for rule in [AnyRule::from(Halving::default()), Gumbel::default().without_noise().into()] {
        let search = Search::new(start).select(Split::new(rule, Ucb1::default()));
        let report = { search.solver(true).seed(1) }.run(Budget::simulations(600));
        assert_eq!(report.arms.iter().filter(|arm| arm.proven == Some(0.0)).count(), 2, "{report:?}");
        let mut pulls: Vec<u32> =
            report.arms.iter().filter(|arm| arm.proven.is_none()).map(|arm| arm.pulls).collect();
        pulls.sort_unstable();
        assert!(pulls[4] > 2 * pulls[2] && pulls[2] > 2 * pulls[0], "{pulls:?}");
    }
}
