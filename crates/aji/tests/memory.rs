//! The memory of the search, counted by the allocator.

use aji::bandit::{Epsilon, UcbTuned};
use aji::games::{ConnectFour, HeapGo, Hex, Othello};
use aji::learn::{Advice, Amaf, Learning, ReadOut, Reading, Repair, Ride};
use aji::playout::{Mast, Preference};
use aji::{Budget, Evaluate, Game, Hashed, Report, Search, Select, Stopped};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts per thread, so that tests do not count each other's allocations.
struct Counting;

thread_local! {
    // Signed: a thread may free what another allocated.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.get() + layout.size() as isize;
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller keeps to the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        // SAFETY: the pointer came from `alloc` above, and so from the system, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were allocated at once while `work` ran, beyond those before it.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = LIVE.get();
    PEAK.set(before);
    let done = work();
    ((PEAK.get() - before) as usize, done)
}

/// Fills a cap, then runs ten times the simulations that this took.
fn check_cap<G, S, E>(name: &str, search: Search<G, S, E>, cap: usize)
where
    G: Game,
    S: Select,
    E: Evaluate<G>,
    G::Action: std::fmt::Debug,
{
    let (most, report) = peak(|| {
        let mut search = search.memory(cap).seed(3);
        let mut simulations = 0;
        while search.tree().is_none_or(|tree| tree.left_out() == 0) {
            simulations += search.run(Budget::simulations(500)).simulations;
            assert!(simulations < 1_000_000, "{name}: {cap} bytes are never filled");
        }
        search.run(Budget::simulations(10 * simulations))
    });
    assert!(most <= cap, "{name}: {most} bytes are more than {cap}");
    assert!(most > cap / 2, "{name}: {most} bytes of {cap}: the cap is hardly used");
    sound(name, &report);
}

fn sound<A: std::fmt::Debug>(name: &str, report: &Report<A>) {
    assert!(report.left_out > 0, "{name}: the report does not say that the tree is full");
    assert!(report.best.is_some() && report.stopped == Stopped::Simulations, "{name}: {report:?}");
    for arm in &report.arms {
        assert!((0.0..=1.0).contains(&arm.mean), "{name}: {arm:?}");
    }
}

#[test]
fn the_cap_is_never_exceeded() {
    check_cap("connect-four", Search::new(ConnectFour::new()), 200_000);
    check_cap("connect-four", Search::new(ConnectFour::new()).select(UcbTuned), 3_000_000);
    check_cap("hex", Search::new(Hex::new(11)), 5_000_000);
    check_cap("othello", Search::new(Othello::new()).select(Epsilon::default()), 500_000);
}

/// Learned data beside the tree counts too: here it takes half of the cap or more.
#[test]
fn the_cap_holds_for_learners() {
    let game = HeapGo::random(30, 10, 1..=10, 1);
    let ride = Learning::new(Ride::new(Repair::ByKeys, ReadOut::List), Advice::First);
    check_cap("ride", Search::new(game.clone()).evaluate(ride.clone()), 1_200_000);
    let amaf = Learning::new(Amaf::new(Reading::Difference, None), Advice::First);
    check_cap("amaf", Search::new(game.clone()).evaluate(amaf), 300_000);
    let mast = Mast::new(Preference::Softmax { temperature: 0.1 });
    check_cap("mast", Search::new(Hex::new(11)).evaluate(mast), 300_000);
    let report = Search::new(game).evaluate(ride).memory(700_000).run(Budget::simulations(100));
    assert_eq!((report.best, report.stopped), (None, Stopped::Nothing));
}

/// The same with shared nodes, whose table counts too, through a whole game.
#[test]
fn the_cap_holds_for_a_graph() {
    fn check<G: Hashed>(name: &str, game: G, cap: usize)
    where
        G::Action: std::fmt::Debug,
    {
        let (most, ()) = peak(|| {
            let mut search = Search::new(game).memory(cap).seed(3).transpositions();
            let mut simulations = 0;
            while search.graph().is_none_or(|graph| graph.left_out() == 0) {
                simulations += search.run(Budget::simulations(500)).simulations;
                assert!(simulations < 1_000_000, "{name}: {cap} bytes are never filled");
            }
            for _ in 0..4 {
                let report = search.run(Budget::simulations(2 * simulations));
                sound(name, &report);
                search.advance(report.best.expect("a move"));
            }
        });
        assert!(most <= cap, "{name}: {most} bytes are more than {cap}");
        assert!(most > cap / 2, "{name}: {most} bytes of {cap}: the cap is hardly used");
    }
    check("connect-four", ConnectFour::new(), 200_000);
    check("connect-four", ConnectFour::new(), 1_000_000);
    check("hex", Hex::new(11), 3_000_000);
    check("othello", Othello::new(), 500_000);
    let least = Search::new(Hex::new(11)).transpositions().memory_min();
    let report = Search::new(Hex::new(11)).memory(least).transpositions().run(Budget::simulations(1_000));
    assert!(report.best.is_some() && report.left_out > 0, "{report:?}");
}

/// A full tree still counts every simulation once.
#[test]
fn a_full_tree_loses_no_pull() {
    let mut search = Search::new(ConnectFour::new()).memory(150_000).seed(1);
    let report = search.run(Budget::simulations(50_000));
    assert!(report.left_out > 0);
    assert_eq!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>(), 50_000);
    let tree = search.tree().expect("a run makes a tree");
    let mut waiting: Vec<_> = tree.root_edges().collect();
    while let Some(edge) = waiting.pop() {
        let below: Vec<_> = tree.edges_below(edge).collect();
        let pulls: u32 = below.iter().map(|&edge| tree.arm(edge).pulls).sum();
        assert!(
            below.is_empty() || pulls < tree.arm(edge).pulls,
            "children have more pulls than their parent"
        );
        waiting.extend(below);
    }
}

#[test]
fn a_cap_without_room_for_the_root_finds_nothing() {
    let mut search = Search::new(Hex::new(11)).memory(aji::OVERHEAD_BYTES + 100);
    let report = search.run(Budget::simulations(100));
    assert_eq!((report.best, report.stopped, report.simulations), (None, Stopped::Nothing, 0));
    let least = search.memory_min();
    let report = Search::new(Hex::new(11)).memory(least).run(Budget::simulations(1_000));
    assert!(report.best.is_some() && report.left_out > 0, "{report:?}");
}

/// Once warm, a simulation allocates nothing: between the first and the last look at a run, no allocation is counted.
#[test]
fn no_allocation_in_the_loop() {
    fn check<G: Game>(name: &str, search: Search<G>) {
        let mut search = search.seed(2).memory(256 << 20);
        search.run(Budget::simulations(2_000));
        let (mut looks, mut first, mut last) = (0, 0, 0);
        search.run_watched(Budget::simulations(40_000), |_, _| {
            last = CALLS.get();
            first = if looks == 0 { last } else { first };
            looks += 1;
        });
        assert!(looks > 5, "{name}: {looks} looks");
        assert_eq!(last - first, 0, "{name}: allocations in the loop");
    }
    check("connect-four", Search::new(ConnectFour::new()));
    check("connect-four with a solver", Search::new(ConnectFour::new()).solver(true));
    check("hex", Search::new(Hex::new(11)));
    check("othello", Search::new(Othello::new()));
}

/// Exact play gives up before it exceeds its cap. It keeps whole type-erased positions: those on the way down, or a
/// queue of them if the game can return to a position.
#[test]
fn the_cap_holds_for_exact_play() {
    const CAP: usize = 3_000_000;
    for game in [
        "othello",
        "go size=5 ko=positional",
        "go size=5 ko=simple",
        "go size=3 ko=simple",
        "2048",
        "canadian-traveller vertices=20",
        "pig goal=100",
        "sailing size=40",
    ] {
        let mut session = aji::catalog::session(game).expect("a game");
        let agent = format!("exact memory={CAP}B").parse().expect("an agent");
        let (most, found) = peak(|| session.think(&agent, &mut ()));
        let error = found.expect_err("a game too large").to_string();
        assert!(error.contains("the limit by memory"), "{game}: {error}");
        assert!(most <= CAP, "{game}: {most} bytes are more than {CAP}");
        assert!(most > CAP / 2, "{game}: {most} bytes of {CAP}: the cap is hardly used");
    }
}

/// The solver of Connect Four replaces entries when its table is full, and continues.
#[test]
fn the_cap_holds_for_the_solver_of_connect_four() {
    const CAP: usize = 3_000_000;
    let mut session = aji::catalog::session("connect-four").expect("a game");
    let agent = format!("exact memory={CAP}B simulations=500000").parse().expect("an agent");
    let (most, found) = peak(|| session.think(&agent, &mut ()));
    let error = found.expect_err("not solved in so few positions").to_string();
    assert!(error.contains("the budget ended"), "{error}");
    assert!(most > CAP / 2 && most <= CAP, "{most} bytes of {CAP}");
}
