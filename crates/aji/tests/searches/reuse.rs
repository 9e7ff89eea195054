//! Tree reuse: the search keeps exactly the tree below the action played.

use crate::common::Wild;
use aji::bandit::{Arm, Ucb1, UcbTuned};
use aji::games::ConnectFour;
use aji::{AnyGame, Budget, Edge, Game, Rng, Search, Select, Settings, Turn, hide_search};
use proptest::prelude::*;
use std::time::Instant;

/// An edge: its place in its node, its action, its arm, and how many edges follow.
type Seen<A> = (usize, Option<A>, Arm, usize);

/// All edges of a subtree, in the order of a walk: places, actions, arms, and how many edges follow.
fn walk<G: Game, S: Select>(search: &Search<G, S>, from: Vec<Edge>) -> Vec<Seen<G::Action>> {
    let tree = search.tree().expect("a tree");
    let mut found = Vec::new();
    let mut waiting = from;
    while let Some(edge) = waiting.pop() {
        let below: Vec<Edge> = tree.edges_below(edge).collect();
        found.push((edge.index(), search.action(edge), tree.arm(edge), below.len()));
        waiting.extend(below);
    }
    found
}

fn check<G: Game + PartialEq, S: Select>(
    mut search: Search<G, S>,
    simulations: u64,
) -> Result<(), TestCaseError>
where
    G::Action: std::fmt::Debug,
{
    for _ in 0..4 {
        if search.root().turn() == Turn::Over {
            break;
        }
        search.run(Budget::simulations(simulations));
        let tree = search.tree().expect("a run makes a tree");
        let edges: Vec<Edge> = tree.root_edges().collect();
        let Some(&played) = edges.iter().max_by_key(|&&edge| tree.arm(edge).pulls) else { break };
        let (action, pulls) = (search.action(played).expect("an edge of the tree"), tree.arm(played).pulls);
        let expect = walk(&search, tree.edges_below(played).collect());
        search.advance(action);
        let tree = search.tree().expect("the tree is kept");
        prop_assert_eq!(walk(&search, tree.root_edges().collect()), expect.clone());
        prop_assert_eq!((tree.pulls(), tree.len()), (pulls, expect.len()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn the_subtree_is_kept_as_it_was(seed: u64, plies in 2u8..9, width in 1u8..12, simulations in 1u64..2_000) {
        let game = Wild::new(seed, plies, width);
        check(Search::new(game.clone()).seed(seed), simulations)?;
        check(Search::new(game.clone()).seed(seed).select(UcbTuned), simulations)?;
        // A full tree fills freed memory again.
        check(Search::new(game).seed(seed).memory(aji::OVERHEAD_BYTES + 2_000), simulations)?;
    }
}

/// Freed memory is used again: under a cap, a tree keeps growing after an advance.
#[test]
fn advancing_makes_room() {
    let mut search = Search::new(ConnectFour::new()).memory(300_000).seed(4);
    let full = search.run(Budget::simulations(30_000));
    assert!(full.left_out > 0);
    search.advance(full.best.expect("a move"));
    let kept = search.tree().map_or(0, |tree| tree.len());
    assert!(kept > 0 && kept < full.nodes);
    let report = search.run(Budget::simulations(30_000));
    assert!(report.nodes > kept && report.nodes <= full.nodes + 7, "{} nodes after {kept}", report.nodes);
    let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
    assert!(pulls > 30_000, "the pulls of the kept tree count: {pulls}");
}

/// After an action that is not in the tree, or without a tree, the search starts anew.
#[test]
fn advancing_without_a_tree() {
    let mut search = Search::new(ConnectFour::new()).select(Ucb1 { c: 0.7 }).seed(4);
    search.advance(3);
    let report = search.run(Budget::simulations(1_000));
    let mut game = ConnectFour::new();
    game.play(3);
    let fresh = Search::new(game).select(Ucb1 { c: 0.7 }).seed(4).run(Budget::simulations(1_000));
    assert_eq!(report.arms, fresh.arms);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// A tree that frees its least visited half keeps the sums: no edge has more pulls below it than through it, the root
    /// counts every simulation, and what is freed is filled again.
    #[test]
    fn recycling_keeps_the_sums(
        seed: u64, plies in 2u8..9, width in 1u8..12, simulations in 1u64..4_000, room in 500usize..20_000, solver: bool,
        wave in 1usize..12,
    ) {
        let memory = aji::overhead_bytes(wave) + room;
        let search = Search::new(Wild::new(seed, plies, width)).seed(seed).memory(memory);
        let mut search = search.recycle(true).solver(solver).wave(wave);
        let report = search.run(Budget::simulations(simulations));
        let Some(tree) = search.tree().filter(|tree| !tree.is_empty()) else { return Ok(()) };
        let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
        prop_assert_eq!(u64::from(pulls), report.simulations);
        prop_assert!(report.bytes <= room, "{} bytes of {room}", report.bytes);
        let mut waiting: Vec<Edge> = tree.root_edges().collect();
        let mut seen = waiting.len();
        while let Some(edge) = waiting.pop() {
            let below: Vec<Edge> = tree.edges_below(edge).collect();
            prop_assert!(below.iter().map(|&edge| tree.arm(edge).pulls).sum::<u32>() <= tree.arm(edge).pulls);
            prop_assert!((0.0..=1.0).contains(&tree.arm(edge).mean));
            seen += below.len();
            waiting.extend(below);
        }
        prop_assert_eq!(seen, tree.len(), "every edge that is left can be reached");
    }
}

/// If nothing has to be freed, recycling changes nothing; if much has to be freed, the tree keeps growing.
#[test]
fn recycling_goes_on_where_leaving_out_stops() {
    let run = |memory: usize, recycle: bool| {
        let mut search = Search::new(ConnectFour::new()).memory(memory).seed(4).recycle(recycle);
        search.run(Budget::simulations(30_000))
    };
    let (wide, wide_recycled) = (run(50_000_000, false), run(50_000_000, true));
    assert_eq!((wide.arms, wide_recycled.recycled), (wide_recycled.arms, 0));
    let (left, recycled) = (run(300_000, false), run(300_000, true));
    assert!(left.left_out > 1_000 && left.recycled == 0, "{left:?}");
    assert!(recycled.recycled > 50_000 && recycled.left_out < 20, "{recycled:?}");
}

/// Half a minute and a gigabyte: `cargo test -p aji --test searches reuse -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute and a gigabyte"]
fn advancing_a_gigabyte_takes_a_small_part_of_a_move() {
    let mut search = Search::new(ConnectFour::new()).memory(1_000_000_000).seed(1);
    let started = Instant::now();
    let full = loop {
        let report = search.run(Budget::simulations(1_000_000));
        if report.left_out > 0 {
            break report;
        }
    };
    let searched = started.elapsed();
    for ply in 1..=3 {
        let before = search.tree().map_or(0, |tree| tree.len());
        let best = search.tree().and_then(|tree| {
            let most = tree.root_edges().max_by_key(|&edge| tree.arm(edge).pulls)?;
            search.action(most)
        });
        let started = Instant::now();
        search.advance(best.expect("a move"));
        let advanced = started.elapsed();
        let kept = search.tree().map_or(0, |tree| tree.len());
        let share = advanced.as_secs_f64() / searched.as_secs_f64();
        println!("ply {ply}: kept {kept} of {before} edges in {advanced:.3?}, {share:.4} of {searched:.1?}");
        assert!(share < 0.1, "advancing took {advanced:?}, the search {searched:?}");
    }
    assert!(full.bytes > 990_000_000, "{} bytes", full.bytes);
}

/// A renewed agent searches as a new one of that seed, whatever it searched before.
#[test]
fn a_renewed_agent_is_as_new() {
    let settings = [
        Settings::default(),
        Settings { solver: true, ..Settings::default() },
        Settings { wave: 8, ..Settings::default() },
        Settings { memory: 200_000, recycle: true, ..Settings::default() },
    ];
    for settings in settings {
        let agent = |seed: u64| {
            hide_search(Search::new(ConnectFour::new()).settings(settings).rng(Rng::seeded(seed)))
        };
        let (start, mut later) = (AnyGame::new(ConnectFour::new()), AnyGame::new(ConnectFour::new()));
        [3, 3, 2].into_iter().for_each(|column| later.play(column));
        for (before, asked) in [(&start, &later), (&later, &later)] {
            let expected = agent(7).think(asked, Budget::simulations(3_000), &mut ());
            let mut used = agent(5);
            used.think(before, Budget::simulations(5_000), &mut ());
            assert!(used.renew(7));
            let found = used.think(asked, Budget::simulations(3_000), &mut ());
            assert_eq!((&found.arms, &found.line), (&expected.arms, &expected.line), "{settings:?}");
            assert_eq!((found.nodes, found.left_out), (expected.nodes, expected.left_out), "{settings:?}");
        }
    }
}
