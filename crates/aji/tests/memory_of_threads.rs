//! The cap in every kind of search, counted by the allocator over all threads. One test, so that nothing else is
//! counted.

use aji::games::{ConnectFour, Hex, Othello};
use aji::{Agent, Budget, Game, Report, RootParallel, Search};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer came from `alloc` above, and so from the system, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Searches twice, with a move in between; every search must have filled its cap.
fn check<G: Game, A: Agent<G>>(
    name: &str,
    game: &G,
    cap: usize,
    simulations: u64,
    make: impl Fn(Search<G>) -> A,
) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let mut agent = make(Search::new(game.clone()).memory(cap).seed(3));
    let mut think = |game: &G| -> Report<G::Action> {
        let report = agent.think(game, Budget::simulations(simulations), &mut ());
        assert!(report.left_out + report.recycled > 0, "{name}: {cap} bytes are never filled");
        report
    };
    let mut after = game.clone();
    let best = think(game).best.expect("a move");
    after.play(best);
    think(&after);
    drop(agent);
    let most = PEAK.load(Ordering::Relaxed) - before;
    assert!(most <= cap, "{name}: {most} bytes are more than {cap}");
    assert!(most > cap / 2, "{name}: {most} bytes of {cap}: the cap is hardly used");
}

fn check_all<G>(game: G, cap: usize, simulations: u64)
where
    G: Game<Action: Send> + PartialEq + Send + Sync + 'static,
{
    check("wave", &game, cap, simulations, |search| search.wave(8));
    check("wave, solver", &game, cap, simulations, |search| search.wave(8).solver(true));
    check("recycle", &game, cap, simulations, |search| search.recycle(true));
    check("recycle, wave", &game, cap, simulations, |search| search.recycle(true).wave(8));
    check("root", &game, cap, simulations, |search| RootParallel::new(search, 2));
    check("root, sharing", &game, cap, simulations, |search| RootParallel::new(search.share(true), 2));
    check("root, wave", &game, cap, simulations, |search| RootParallel::new(search.wave(8), 3));
}

#[test]
fn the_cap_is_never_exceeded_by_anyone() {
    check_all(ConnectFour::new(), 4_000_000, 200_000);
    check_all(Hex::new(11), 6_000_000, 60_000);
    check_all(Othello::new(), 4_000_000, 120_000);
}
