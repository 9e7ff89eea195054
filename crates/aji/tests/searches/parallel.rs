//! Several threads: no simulation is lost, and the same seed gives the same result.

use crate::common::Wild;
use aji::bandit::{Rave, UcbTuned};
use aji::games::{ConnectFour, Hex, Pig};
use aji::playout::Recorded;
use aji::{Agent, Budget, Edge, Game, Report, RootParallel, Search, Stopped, Tree};
use proptest::prelude::*;
use std::time::Duration;

fn think<G: Game>(agent: &mut impl Agent<G>, game: &G, simulations: u64) -> Report<G::Action> {
    agent.think(game, Budget::simulations(simulations), &mut ())
}

fn pulls<A>(report: &Report<A>) -> u64 {
    report.arms.iter().map(|arm| u64::from(arm.pulls)).sum()
}

/// The same seed and number of threads give the same report, except for its time. One thread is the plain search.
#[test]
fn trees_read_off_together_are_the_same_every_time() {
    let cases = [(1, 1, false), (2, 1, false), (3, 8, false), (2, 1, true), (3, 8, true)];
    for (threads, wave, share) in cases {
        let game = ConnectFour::new();
        let run = || {
            let search = Search::new(game).seed(7).wave(wave).share(share);
            let mut agent = RootParallel::new(search, threads);
            let first = think(&mut agent, &game, 5_001);
            let mut after = game;
            after.play(first.best.expect("a move"));
            Agent::<ConnectFour>::played(&mut agent, first.best.expect("a move"));
            let second = think(&mut agent, &after, 4_000);
            [first, second].map(|report| Report { time: Duration::ZERO, ..report })
        };
        let reports = run();
        assert_eq!(reports, run(), "{threads} threads, sharing: {share}");
        assert_eq!((reports[0].simulations, pulls(&reports[0])), (5_001, 5_001));
        assert!(pulls(&reports[1]) > 4_000, "the trees below the move are kept");
    }
    let mut plain = Search::new(ConnectFour::new()).seed(7);
    let plain = Report { time: Duration::ZERO, ..plain.run(Budget::simulations(3_000)) };
    let one =
        think(&mut RootParallel::new(Search::new(ConnectFour::new()).seed(7), 1), &ConnectFour::new(), 3_000);
    let one = Report { time: Duration::ZERO, ..one };
    assert_eq!((one.best, one.nodes, &one.line, pulls(&one)), (plain.best, plain.nodes, &plain.line, 3_000));
}

/// The errors of merged means shrink with the simulations of all threads, and a proof of one tree counts for all.
#[test]
fn merged_reports_say_what_all_know() {
    let game = Hex::new(5);
    let one = think(&mut Search::new(game).seed(1), &game, 4_000);
    let four = think(&mut RootParallel::new(Search::new(game).seed(1), 4), &game, 16_000);
    let error = |report: &Report<_>| report.arms.iter().find(|arm| Some(arm.action) == report.best)?.error;
    assert!(error(&four).expect("an error") < error(&one).expect("an error"));
    let end = ConnectFour::new();
    let end = ["a", "b", "a", "b", "a"].iter().fold(end, |mut game, column| {
        game.play(column.as_bytes()[0] - b'a');
        game
    });
    let report = think(&mut RootParallel::new(Search::new(end).seed(1).solver(true), 2), &end, 20_000);
    assert_eq!((report.best, report.stopped == Stopped::Solved), (Some(0), report.proven.is_some()));
}

/// An edge never has more pulls below it than through it, and every edge is consistent.
fn check_tree(tree: &Tree, simulations: u64) -> Result<(), TestCaseError> {
    prop_assert_eq!(u64::from(tree.pulls()), simulations);
    let mut waiting: Vec<Edge> = tree.root_edges().collect();
    prop_assert_eq!(waiting.iter().map(|&edge| u64::from(tree.arm(edge).pulls)).sum::<u64>(), simulations);
    let mut seen = waiting.len();
    while let Some(edge) = waiting.pop() {
        let arm = tree.arm(edge);
        let below: Vec<Edge> = tree.edges_below(edge).collect();
        let sum: u32 = below.iter().map(|&edge| tree.arm(edge).pulls).sum();
        prop_assert!(sum < arm.pulls.max(1), "{} pulls below {}", sum, arm.pulls);
        prop_assert!((0.0..=1.0).contains(&arm.mean), "{:?}", arm);
        seen += below.len();
        waiting.extend(below);
    }
    prop_assert_eq!(seen, tree.len());
    Ok(())
}

/// Threads that meet only in the end report what threads without sharing add up to.
#[test]
fn a_last_meeting_adds_up() {
    for (threads, seed) in [(2, 1), (3, 2), (5, 3)] {
        let run = |share: bool| {
            let search = Search::new(Hex::new(4)).seed(seed).share(share);
            think(&mut RootParallel::new(search, threads), &Hex::new(4), 30 * threads as u64)
        };
        let (shared, apart) = (run(true), run(false));
        assert_eq!((shared.best, shared.nodes), (apart.best, apart.nodes));
        for (one, other) in shared.arms.iter().zip(&apart.arms) {
            assert_eq!((one.action, one.pulls), (other.action, other.pulls));
            assert!((one.mean - other.mean).abs() < 1e-5, "{one:?} {other:?}");
        }
    }
}

/// Threads that share agree on the top of their trees, and know more there than threads that do not.
#[test]
fn threads_that_share_search_as_one() {
    let game = ConnectFour::new();
    let most = |share: bool| {
        let search = Search::new(game).seed(4).share(share);
        let mut agent = RootParallel::new(search, 2);
        let report = think(&mut agent, &game, 40_000);
        assert_eq!(pulls(&report), 40_000);
        u64::from(agent.tree().expect("a tree").pulls())
    };
    assert_eq!((most(true), most(false)), (40_000, 20_000));
}

/// Rules with statistics of their own, proofs and a full tree that is recycled go through the meetings too.
#[test]
fn every_kind_of_search_shares() {
    let game = Hex::new(5);
    let check = |name: &str, agent: &mut dyn Agent<Hex>| {
        let report = agent.think(&game, Budget::simulations(20_000), &mut ());
        let tree = agent.tree().expect("a tree");
        assert_eq!(u64::from(tree.pulls()), report.simulations, "{name}");
        check_tree(tree, report.simulations).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut after = game;
        after.play(report.best.expect("a move"));
        agent.played(report.best.expect("a move"));
        let kept = agent.tree().map_or(0, Tree::pulls);
        let report = agent.think(&after, Budget::simulations(5_000), &mut ());
        assert_eq!(agent.tree().expect("a tree").pulls(), kept + report.simulations as u32, "{name}");
    };
    let search = || Search::new(game).seed(3).share(true);
    check("rave", &mut RootParallel::new(search().evaluate(Recorded).select(Rave::default()).amaf(0), 2));
    check("tuned", &mut RootParallel::new(search().select(UcbTuned), 2));
    check("solver", &mut RootParallel::new(search().solver(true), 3));
    check("recycling", &mut RootParallel::new(search().memory(700_000).recycle(true), 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn threads_lose_no_pull(
        seed: u64, plies in 1u8..9, width in 1u8..12, simulations in 1u64..4_000, threads in 1usize..5,
        wave in 1usize..20, room in 1_000usize..100_000, share: bool,
    ) {
        let game = Wild::new(seed, plies, width);
        let memory = aji::overhead_bytes(wave) * threads + if share { 200_000 * threads } else { 0 } + room;
        let search = Search::new(game.clone()).seed(seed).memory(memory).wave(wave).share(share);
        let mut agent = RootParallel::new(search, threads);
        let report = think(&mut agent, &game, simulations);
        if report.stopped != Stopped::Nothing {
            prop_assert_eq!((report.simulations, report.stopped), (simulations, Stopped::Simulations));
            prop_assert_eq!(pulls(&report), simulations);
            prop_assert!(share || report.bytes <= room, "{} bytes of {room}", report.bytes);
            let seen = if share { simulations } else { simulations.div_ceil(threads as u64) };
            check_tree(agent.tree().expect("a tree"), seen)?;
        }
    }
}

/// All threads follow a move and keep the tree below it, and all can be stopped.
#[test]
fn threads_play_on_and_stop() {
    let game = ConnectFour::new();
    let mut agent = RootParallel::new(Search::new(game).seed(2), 2);
    let report = think(&mut agent, &game, 40_000);
    assert_eq!(report.best, Some(3), "the middle");
    let kept = report.arms[3].pulls;
    let below: Vec<u32> = {
        let tree = agent.tree().expect("a tree");
        let middle = tree.root_edges().nth(3).expect("an edge");
        tree.edges_below(middle).map(|edge| tree.arm(edge).pulls).collect()
    };
    let mut after = game;
    after.play(3);
    agent.played(3);
    let tree = agent.tree().expect("a tree");
    assert_eq!(tree.root_edges().map(|edge| tree.arm(edge).pulls).collect::<Vec<_>>(), below);
    let report = think(&mut agent, &after, 1_000);
    // In both trees, the first simulation through the move ended there.
    assert_eq!(pulls(&report), 1_000 + u64::from(kept) - 2);

    agent.stop_handle().stop();
    let stopped = agent.think(&after, Budget::default(), &mut ());
    assert_eq!(stopped.stopped, Stopped::Handle);
    assert!(stopped.simulations < 100, "{} simulations", stopped.simulations);
    let timed = agent.think(&after, Budget::time(Duration::from_millis(5)), &mut ());
    assert!(timed.stopped == Stopped::Time && timed.simulations > 0, "{timed:?}");
}

/// Chance and more than two players also work with threads.
#[test]
fn pig_on_three_threads() {
    let game = Pig::new(3, 20);
    let mut agent = RootParallel::new(Search::new(game).seed(5), 3);
    let report = think(&mut agent, &game, 30_000);
    assert_eq!(pulls(&report), 30_000);
    check_tree(agent.tree().expect("a tree"), 10_000).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.best.is_some());
}
