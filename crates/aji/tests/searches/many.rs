//! Searches that step together find what each finds alone, and their leaves come in full slices.

use crate::common::drawn::{Constant, Drawn, Recording, found};
use aji::bandit::{Dirichlet, Puct, Ucb1};
use aji::games::{ConnectFour, Pig};
use aji::playout::Uniform;
use aji::{Budget, Evaluate, Game, Hashed, ManySearches, Payoff, Rng, Search, Select, Stopped, ValueKind};
use std::fmt::Debug;

/// Positions at different depths of a game, so that the searches differ.
fn positions<G: Game>(start: G, count: usize) -> Vec<G> {
    let mut rng = Rng::seeded(5);
    let position = |plies| {
        let (mut game, mut scratch) = (start.clone(), Vec::new());
        for _ in 0..plies {
            let action = game.random_action(&mut rng, &mut scratch);
            game.play(action);
        }
        game
    };
    (0..count).map(position).collect()
}

/// Runs the searches together and each alone, twice, so that the second run continues the trees of the first.
fn check<G, S, E>(games: Vec<G>, make: impl Fn(G, u64) -> Search<G, S>, evaluation: E)
where
    G: Hashed<Action: Debug>,
    S: Select,
    E: Evaluate<G> + Clone,
{
    let searches = || games.iter().cloned().zip(0..).map(|(game, seed)| make(game, seed));
    let mut many = ManySearches::new(searches(), evaluation.clone(), Rng::seeded(9));
    let mut alone: Vec<_> = searches().map(|search| search.evaluate(evaluation.clone())).collect();
    for simulations in [200, 77] {
        let together = many.run(simulations);
        for (report, search) in together.into_iter().zip(&mut alone) {
            assert_eq!(found(report), found(search.run(Budget::simulations(simulations))));
        }
    }
}

#[test]
fn searches_together_find_what_each_finds_alone() {
    for evaluation in Drawn::ALL {
        let games = || positions(ConnectFour::new(), 9);
        let puct = |game, seed| Search::new(game).select(Puct::default()).seed(seed).memory(16 << 20);
        check(games(), puct, evaluation);
        check(games(), |game, seed| puct(game, seed).noise(Dirichlet::default()), evaluation);
        check(games(), |game, seed| puct(game, seed).solver(true), evaluation);
        check(games(), |game, seed| puct(game, seed).memory(100_000).recycle(true), evaluation);
        let chance = |game, seed| Search::new(game).select(Puct::default()).seed(seed).memory(16 << 20);
        check(positions(Pig::new(2, 30), 5), chance, evaluation);
    }
}

#[test]
fn an_evaluation_without_a_policy_serves_too() {
    #[derive(Clone)]
    struct ByHash;
    impl Evaluate<ConnectFour> for ByHash {
        fn evaluate(&mut self, leaves: &mut [aji::Leaf<ConnectFour>], rng: &mut Rng) {
            let mut drawn = Drawn::ALL[1];
            drawn.evaluate(leaves, rng);
        }
    }
    let make = |game, seed| Search::new(game).select(Ucb1::default()).seed(seed).memory(16 << 20);
    check(positions(ConnectFour::new(), 6), make, ByHash);
}

/// Every call has one leaf of each search with simulations left, except those whose simulation ended the game.
#[test]
fn leaves_come_together() {
    let (evaluation, asked) = Recording::new(Drawn::ALL[0]);
    let searches = (0..50).map(|seed| Search::new(ConnectFour::new()).select(Puct::default()).seed(seed));
    let mut many =
        ManySearches::new(searches.map(|search| search.memory(1 << 20)), evaluation, Rng::seeded(1));
    let reports = many.run(20);
    assert!(reports.iter().all(|report| report.simulations == 20 && report.stopped == Stopped::Simulations));
    // One call for the roots, and one for each simulation; no game ends within 20 simulations.
    let sizes: Vec<usize> = asked.borrow().iter().map(Vec::len).collect();
    assert_eq!(sizes, [50; 21]);
}

/// One search advances, one has ended, one begins anew, and the others continue.
#[test]
fn searches_go_their_own_ways() {
    let searches = (0..4).map(|seed| Search::new(ConnectFour::new()).seed(seed).memory(4 << 20));
    let mut many = ManySearches::new(searches, Uniform, Rng::seeded(1));
    let first = many.run(100);
    let best = first[0].best.expect("a move");
    many.search(0).advance(best);
    let mut over = ConnectFour::new();
    ["a", "b", "a", "b", "a", "b", "a"].iter().for_each(|name| {
        use aji::Named;
        let mut actions = Vec::new();
        over.actions(&mut actions);
        let action = actions.into_iter().find(|&action| over.action_name(action) == *name);
        over.play(action.expect("a column"));
    });
    many.search(1).reset(over);
    let second = many.run(50);
    assert_eq!(second[1].stopped, Stopped::Nothing);
    assert_eq!((second[1].simulations, second[1].best), (0, None));
    assert_eq!([0, 2, 3].map(|number: usize| second[number].simulations), [50; 3]);
    let pulls = |number: usize| second[number].arms.iter().map(|arm| u64::from(arm.pulls)).sum::<u64>();
    assert_eq!((pulls(2), pulls(3)), (150, 150));
    assert!(pulls(0) > 50, "what was searched below the move is kept");
}

/// A proven root stops its search, and the others continue.
#[test]
fn proven_searches_stop() {
    let evaluation = || Constant::new(Payoff::DRAW, ValueKind::Expected).with_policy(|_| vec![]);
    let mut won = ConnectFour::new();
    for column in [0, 1, 0, 1, 0, 1] {
        let mut actions = Vec::new();
        won.actions(&mut actions);
        won.play(actions[column]);
    }
    let search = |game| Search::new(game).select(Puct::default()).solver(true).memory(4 << 20);
    let games = [won, ConnectFour::new()];
    let mut many = ManySearches::new(games.map(search), evaluation(), Rng::seeded(1));
    let reports = many.run(300);
    assert_eq!((reports[0].stopped, reports[0].proven), (Stopped::Solved, Some(1.0)));
    assert!(reports[0].simulations < 300);
    assert_eq!((reports[1].stopped, reports[1].simulations), (Stopped::Simulations, 300));
}
