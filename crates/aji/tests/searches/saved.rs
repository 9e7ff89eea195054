//! A search that is saved and loaded continues as if it had never stopped. A damaged file is refused.

use crate::common::Wild;
use aji::bandit::{Arm, Ucb1, UcbTuned};
use aji::games::{ConnectFour, Pig, TicTacToe};
use aji::{Budget, Edge, Game, LoadError, Report, Search, Select, Turn};
use proptest::prelude::*;
use std::time::Instant;

const TAG: &str = "a tag";

/// All edges of a tree, in the order of a walk: places, actions, arms, and how many edges follow.
fn walk<G: Game, S: Select>(search: &Search<G, S>) -> Vec<(usize, Option<G::Action>, Arm, usize)> {
    let Some(tree) = search.tree() else { return Vec::new() };
    let mut found = Vec::new();
    let mut waiting: Vec<Edge> = tree.root_edges().collect();
    while let Some(edge) = waiting.pop() {
        let below: Vec<Edge> = tree.edges_below(edge).collect();
        found.push((edge.index(), search.action(edge), tree.arm(edge), below.len()));
        waiting.extend(below);
    }
    found
}

fn saved<G: Game, S: Select>(search: &Search<G, S>) -> Vec<u8> {
    let mut file = Vec::new();
    search.save(TAG, &mut file).expect("a vector takes all");
    file
}

/// A report without its time and the simulations of the last run.
fn found<A: std::fmt::Debug>(report: &Report<A>) -> String {
    let Report { best, value, proven, arms, line, nodes, bytes, left_out, recycled, stopped, .. } = report;
    format!(
        "{best:?} {value:?} {proven:?} {arms:?} {line:?} {nodes} {bytes} {left_out} {recycled} {stopped:?}"
    )
}

/// Runs `first` simulations and saves; then runs `second` in the same search and in one that loaded it. Then both play
/// the best action, and go through the same again.
fn check<G: Game, S: Select>(name: &str, make: impl Fn(G) -> Search<G, S>, game: G, [first, second]: [u64; 2])
where
    G::Action: std::fmt::Debug + PartialEq,
{
    let mut search = make(game);
    for ply in 0..3 {
        if search.root().turn() == Turn::Over {
            break;
        }
        search.run(Budget::simulations(first));
        let file = saved(&search);
        let mut loaded = make(search.root().clone()).seed(99);
        loaded.load(TAG, &file[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(walk(&loaded), walk(&search), "{name}: the tree at ply {ply}");
        assert_eq!(saved(&loaded), file, "{name}: saved again at ply {ply}");
        let (stayed, went_on) =
            (search.run(Budget::simulations(second)), loaded.run(Budget::simulations(second)));
        assert_eq!(found(&stayed), found(&went_on), "{name}: at ply {ply}");
        assert_eq!(walk(&loaded), walk(&search), "{name}: the tree at ply {ply}, grown on");
        let Some(best) = stayed.best else { break };
        search.advance(best);
        loaded.advance(best);
        assert_eq!(walk(&loaded), walk(&search), "{name}: the tree at ply {ply}, advanced");
        search = loaded;
    }
}

#[test]
fn going_on_is_never_having_stopped() {
    let four = ConnectFour::new;
    let seeded = |game| Search::new(game).seed(7).memory(64 << 20);
    check("plain", seeded, four(), [3_000, 5_000]);
    check("solver", |game| seeded(game).solver(true), four(), [3_000, 5_000]);
    check("solver to the end", |game| Search::new(game).solver(true), TicTacToe::new(), [300, 50_000]);
    check("squares", |game| seeded(game).select(UcbTuned), four(), [3_000, 5_000]);
    check("all extras", |game| seeded(game).select(UcbTuned).solver(true), four(), [3_000, 5_000]);
    check("wave", |game| seeded(game).wave(8), four(), [3_200, 5_000]);
    check("wave of a width that no batch has", |game| seeded(game).wave(7), four(), [700, 5_000]);
    check("recycle", |game| seeded(game).memory(300_000).recycle(true), four(), [20_000, 9_000]);
    check("full", |game| seeded(game).memory(300_000), four(), [20_000, 9_000]);
    check("chance", |game| Search::new(game).seed(7).memory(64 << 20), Pig::new(2, 100), [3_000, 5_000]);
    check("one simulation", seeded, four(), [1, 1]);
}

/// A run that is saved, loaded and continued gives the same as one run of all simulations.
#[test]
fn two_halves_are_a_whole() {
    for (wave, solver) in [(1, false), (1, true), (8, false), (8, true)] {
        let make = || Search::new(ConnectFour::new()).seed(3).memory(64 << 20).wave(wave).solver(solver);
        let whole = make().run(Budget::simulations(20_000));
        let mut first = make();
        first.run(Budget::simulations(8_000));
        let mut second = make();
        second.load(TAG, &saved(&first)[..]).expect("a whole file");
        assert_eq!(found(&second.run(Budget::simulations(12_000))), found(&whole), "wave {wave}, {solver}");
    }
}

/// A search that has not begun can be saved like any other.
#[test]
fn an_empty_search_is_saved_too() {
    let mut file = saved(&Search::new(ConnectFour::new()).seed(5));
    let mut loaded = Search::new(ConnectFour::new());
    loaded.load(TAG, &file[..]).expect("a whole file");
    let expect = Search::new(ConnectFour::new()).seed(5).run(Budget::simulations(1_000));
    assert_eq!(found(&loaded.run(Budget::simulations(1_000))), found(&expect));
    file.push(0);
    assert!(matches!(loaded.load(TAG, &file[..]), Err(LoadError::Damaged)), "a byte too many");
}

fn small() -> Search<TicTacToe, UcbTuned> {
    Search::new(TicTacToe::new()).select(UcbTuned).solver(true).seed(2).memory(1 << 20)
}

fn small_file() -> Vec<u8> {
    let mut search = small();
    search.run(Budget::simulations(40));
    saved(&search)
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let file = small_file();
    let mut search = small();
    for length in 0..file.len() {
        match search.load(TAG, &file[..length]) {
            Err(LoadError::Torn) => {}
            other => panic!("{length} bytes of {}: {other:?}", file.len()),
        }
    }
    search.load(TAG, &file[..]).expect("the whole file");
}

/// After a file that was refused, the search begins anew with its own random numbers.
#[test]
fn a_refused_file_leaves_no_trace() {
    let file = small_file();
    let expect = small().run(Budget::simulations(200));
    let mut search = small();
    search.load(TAG, &file[..file.len() - 1]).expect_err("a torn file");
    assert_eq!(found(&search.run(Budget::simulations(200))), found(&expect));
}

#[test]
fn every_flipped_byte_is_seen() {
    let mut file = small_file();
    let mut search = small();
    for place in 0..file.len() {
        for flip in [1, 0x80, 0xFF] {
            file[place] ^= flip;
            assert!(search.load(TAG, &file[..]).is_err(), "byte {place} of {} ^ {flip}", file.len());
            file[place] ^= flip;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn flips_and_noise_are_refused(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..6),
        noise in prop::collection::vec(any::<u8>(), 0..300), at: prop::sample::Index,
    ) {
        let file = small_file();
        let mut search = small();
        let mut flipped = file.clone();
        flips.iter().for_each(|(place, flip)| flipped[place.index(file.len())] ^= flip);
        prop_assert!(flipped == file || search.load(TAG, &flipped[..]).is_err());
        prop_assert!(search.load(TAG, &noise[..]).is_err());
        let mut spliced = file[..at.index(file.len())].to_vec();
        spliced.extend(&noise);
        prop_assert!(spliced == file || search.load(TAG, &spliced[..]).is_err());
    }

    #[test]
    fn loading_gives_what_was_saved(
        seed: u64, plies in 2u8..9, width in 1u8..12, simulations in 0u64..2_000, room in 200usize..40_000, solver: bool,
        wave in 1usize..12, recycle: bool,
    ) {
        let make = |game: Wild| {
            let search = Search::new(game).seed(seed).memory(aji::overhead_bytes(wave) + room);
            search.solver(solver).wave(wave).recycle(recycle)
        };
        let game = Wild::new(seed, plies, width);
        let mut search = make(game.clone());
        search.run(Budget::simulations(simulations));
        let file = saved(&search);
        let mut loaded = make(game);
        loaded.load(TAG, &file[..]).expect("a whole file");
        prop_assert_eq!(walk(&loaded), walk(&search));
        prop_assert_eq!(saved(&loaded), file);
        let budget = Budget::simulations(500);
        prop_assert_eq!(found(&loaded.run(budget)), found(&search.run(budget)));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let mut search = Search::new(ConnectFour::new()).seed(1);
    search.run(Budget::simulations(2_000));
    let file = saved(&search);
    let fresh = || Search::new(ConnectFour::new()).seed(1);
    let refused = |mut search: Search<ConnectFour>, file: &[u8], expect: &str| {
        let error = search.load(TAG, file).expect_err(expect).to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{error}");
    };
    let error = fresh().load("another", &file[..]).expect_err("another tag");
    assert!(matches!(&error, LoadError::Tag(tag) if tag == TAG), "{error}");
    refused(fresh(), b"[package]\nname = \"aji\"", "no saved search");
    refused(fresh(), b"", "torn");
    let mut other = file.clone();
    other[8] = 2;
    refused(fresh(), &other, "version 2 of the form; expected version 1");
    refused(fresh().wave(8), &file, "setting of the wave");
    refused(fresh().solver(true), &file, "setting of the solver");
    refused(fresh().depth(3), &file, "setting of the depth");
    refused(fresh().recycle(true), &file, "setting of recycling");
    refused(fresh().utility(aji::Utility::score(&ConnectFour::new())), &file, "setting of the unit");
    let error = fresh().select(UcbTuned).load(TAG, &file[..]).expect_err("another rule");
    assert!(matches!(error, LoadError::Setting("the rule")), "{error}");
    // The same tag, but another position.
    let mut game = ConnectFour::new();
    (0..6).for_each(|_| game.play(0));
    refused(Search::new(game), &file, "damaged");
}

/// The cap that an error names is just enough.
#[test]
fn a_cap_too_small_is_told() {
    let mut search = Search::new(ConnectFour::new()).select(Ucb1 { c: 0.7 }).seed(1).memory(1 << 22);
    search.run(Budget::simulations(2_000));
    let file = saved(&search);
    let load = |memory: usize| {
        Search::new(ConnectFour::new()).select(Ucb1 { c: 0.7 }).memory(memory).load(TAG, &file[..])
    };
    let Err(LoadError::TooLarge { memory_min }) = load(100_000) else { panic!("a cap of 100 kB") };
    assert!(matches!(load(memory_min as usize - 1), Err(LoadError::TooLarge { .. })));
    load(memory_min as usize).expect("room for all");
}

/// Half a minute and two gigabytes: `cargo test -p aji --test searches saved -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute and two gigabytes"]
fn a_gigabyte_is_saved_and_loaded() {
    let make = || Search::new(ConnectFour::new()).memory(1_000_000_000).seed(1);
    let mut search = make();
    let started = Instant::now();
    while search.run(Budget::simulations(1_000_000)).left_out == 0 {}
    println!("searched in {:.1?}", started.elapsed());
    let started = Instant::now();
    let file = saved(&search);
    println!("saved {} bytes in {:.1?}", file.len(), started.elapsed());
    let mut loaded = make();
    let started = Instant::now();
    loaded.load(TAG, &file[..]).expect("a whole file");
    println!("loaded in {:.1?}", started.elapsed());
    let budget = Budget::simulations(10_000);
    assert_eq!(found(&loaded.run(budget)), found(&search.run(budget)));
}
