//! Watches of a thinking agent: they can stop it, and they see its current state.

use aji::exact::{AlphaBeta, Solver};
use aji::games::{ConnectFour, Hex, Pig, TicTacToe};
use aji::{Agent, Budget, Game, Progress, Report, RootParallel, Search, Stopped, Watch};
use std::time::Duration;

/// The most simulations between two looks.
const BATCH_MAX: u64 = 1 << 12;

/// Stops an agent after this many simulations.
struct StopAfter(u64);

impl Watch for StopAfter {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        progress.simulations() < self.0
    }
}

fn pulls<A>(report: &Report<A>) -> u64 {
    report.arms.iter().map(|arm| u64::from(arm.pulls)).sum()
}

/// Lets an agent think without a limit until a watch stops it.
fn stopped<G: Game>(agent: &mut impl Agent<G>, game: &G, after: u64) -> Report<G::Action> {
    let report = agent.think(game, Budget::default(), &mut StopAfter(after));
    assert_eq!(report.stopped, Stopped::Handle);
    report
}

/// The same on one thread, which stops soon.
fn stopped_soon<G: Game>(agent: &mut impl Agent<G>, game: &G, after: u64) -> Report<G::Action> {
    let report = stopped(agent, game, after);
    let simulations = report.simulations;
    assert!((after..after + BATCH_MAX).contains(&simulations), "{simulations}, not {after}");
    report
}

/// A search that is stopped and continued equals one that was never stopped.
fn check_search<G: Game, A: Agent<G>>(make: impl Fn() -> A, game: &G)
where
    G::Action: std::fmt::Debug,
{
    for after in [1, 100, 7_000] {
        let mut agent = make();
        let report = stopped_soon(&mut agent, game, after);
        assert_eq!(pulls(&report), report.simulations);
        let went_on = agent.think(game, Budget::simulations(1_000), &mut ());
        assert_eq!((went_on.simulations, went_on.stopped), (1_000, Stopped::Simulations));
        let whole = make().think(game, Budget::simulations(report.simulations + 1_000), &mut ());
        assert_eq!((went_on.arms, went_on.line), (whole.arms, whole.line), "stopped after {after}");
    }
}

#[test]
fn a_watch_stops_a_search() {
    let search = |game| Search::new(game).seed(3).memory(64 << 20);
    check_search(|| search(ConnectFour::new()), &ConnectFour::new());
    check_search(|| search(ConnectFour::new()).solver(true), &ConnectFour::new());
    check_search(|| search(ConnectFour::new()).wave(8), &ConnectFour::new());
    check_search(|| Search::new(Hex::new(7)).seed(3), &Hex::new(7));
}

#[test]
fn a_watch_stops_a_search_of_a_graph() {
    let game = ConnectFour::new();
    check_search(|| Search::new(game).seed(3).memory(64 << 20).transpositions(), &game);
}

/// All threads stop, although the watch sees only the first one. How far the others have come depends on the system.
#[test]
fn a_watch_stops_all_threads() {
    let game = ConnectFour::new();
    for threads in [1, 2, 3] {
        let mut agent = RootParallel::new(Search::new(game).seed(3).memory(256 << 20), threads);
        let first = stopped(&mut agent, &game, 3_000);
        let own = agent.tree().map_or(0, |tree| u64::from(tree.pulls()));
        let share = 3_000 / threads as u64;
        assert!((share..share + BATCH_MAX).contains(&own), "{own} of the first of {threads}");
        assert_eq!(pulls(&first), first.simulations);
        let second = agent.think(&game, Budget::simulations(2_000), &mut ());
        assert_eq!((second.simulations, second.stopped), (2_000, Stopped::Simulations));
        assert_eq!(pulls(&second), first.simulations + 2_000);
    }
}

/// An agent that thinks again after a stop finds the same as one that was never stopped.
fn check_exact<G: Game, A: Agent<G>>(make: impl Fn() -> A, game: &G, budget: Budget)
where
    G::Action: std::fmt::Debug,
{
    let whole = make().think(game, budget, &mut ());
    assert!(whole.simulations / 2 > BATCH_MAX, "half of {} is none", whole.simulations);
    for part in [1, whole.simulations / 3, whole.simulations / 2] {
        let mut agent = make();
        let report = agent.think(game, Budget::default(), &mut StopAfter(part));
        assert_eq!(report.stopped, Stopped::Handle, "after {part} of {} positions", whole.simulations);
        let positions = report.simulations;
        assert!((part..part + BATCH_MAX).contains(&positions), "{positions}, not {part}");
        let again = agent.think(game, budget, &mut ());
        assert_eq!((again.value, again.proven, again.stopped), (whole.value, whole.proven, whole.stopped));
        assert_eq!(again.best, whole.best);
    }
}

#[test]
fn a_watch_stops_alpha_beta() {
    let mut game = ConnectFour::new();
    game.play(3);
    check_exact(|| AlphaBeta::new().depth(9), &game, Budget::default());
}

/// Look-ahead solves Tic-tac-toe. Pig can return to a position, so value iteration solves it.
#[test]
fn a_watch_stops_exact_play() {
    check_exact(|| Solver::new(64 << 20), &TicTacToe::new(), Budget::default());
    check_exact(|| Solver::new(64 << 20), &Pig::new(2, 30), Budget::default());
}

/// What a watch saw when it first looked after some simulations.
struct Seen {
    after: u64,
    simulations: u64,
    report: Option<Report<u16>>,
    tree_pulls: Option<u32>,
}

impl Seen {
    fn new(after: u64) -> Seen {
        Seen { after, simulations: 0, report: None, tree_pulls: None }
    }
}

impl Watch for Seen {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if self.report.is_none() && progress.simulations() >= self.after {
            self.simulations = progress.simulations();
            self.tree_pulls = progress.tree().map(|tree| tree.pulls());
            self.report = progress.report();
        }
        true
    }
}

/// The report without its time, and without why it stopped, which a running search cannot know.
fn timeless<A>(report: Report<A>) -> Report<A> {
    Report { time: Duration::ZERO, stopped: Stopped::Nothing, ..report }
}

/// The same with actions by their places.
fn placed<G: Game>(report: Report<G::Action>, game: &G) -> Report<u16> {
    fn place<G: Game>(game: &G, action: G::Action) -> u16 {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        actions.iter().position(|&other| other == action).expect("a legal action") as u16
    }
    let path = |line: Vec<G::Action>| {
        let mut position = game.clone();
        let next = |action| {
            let index = place(&position, action);
            position.play(action);
            index
        };
        line.into_iter().map(next).collect()
    };
    timeless(report.map(|action| place(game, action), path))
}

/// During a run, a watch sees the result of a run of exactly that many simulations, and it does not change the run.
fn check_seen<G: Game, A: Agent<G>>(make: impl Fn() -> A, game: &G, has_tree: bool) {
    let budget = Budget::simulations(9_000);
    let unseen = make().think(game, budget, &mut ());
    for after in [1, 500, 6_000] {
        let mut seen = Seen::new(after);
        let watched = make().think(game, budget, &mut seen);
        assert_eq!(placed(watched, game), placed(unseen.clone(), game), "looked at after {after}");
        let (simulations, found) = (seen.simulations, seen.report.expect("a report on the way"));
        assert!((after..after + BATCH_MAX).contains(&simulations), "{simulations}, not {after}");
        assert_eq!(seen.tree_pulls.map(u64::from), has_tree.then_some(simulations));
        let alone = make().think(game, Budget::simulations(simulations), &mut ());
        assert_eq!(timeless(found), placed(alone, game), "after {simulations}");
    }
}

#[test]
fn a_watch_sees_what_is_known() {
    let game = ConnectFour::new();
    let search = || Search::new(game).seed(5).memory(64 << 20);
    check_seen(search, &game, true);
    check_seen(|| search().wave(8), &game, true);
    check_seen(|| search().solver(true), &game, true);
    check_seen(|| search().memory(300_000).recycle(true), &game, true);
    check_seen(|| search().transpositions(), &game, false);
    check_seen(|| Search::new(Pig::new(2, 30)).seed(5), &Pig::new(2, 30), true);
}

/// With several threads, a watch sees the tree of the first.
#[test]
fn a_watch_sees_the_first_thread() {
    let game = ConnectFour::new();
    let make = || RootParallel::new(Search::new(game).seed(5).memory(64 << 20), 2);
    let mut seen = Seen::new(5_000);
    make().think(&game, Budget::simulations(20_000), &mut seen);
    let report = seen.report.expect("a report on the way");
    assert_eq!((report.simulations * 2, pulls(&report)), (seen.simulations, report.simulations));
    assert_eq!(seen.tree_pulls.map(u64::from), Some(report.simulations));
    let mut alone = make();
    alone.think(&game, Budget::simulations(seen.simulations), &mut ());
    let tree = alone.tree().expect("a tree");
    let arms = tree.root_edges().map(|edge| (edge.index() as u16, tree.arm(edge).pulls, tree.arm(edge).mean));
    assert!(arms.eq(report.arms.iter().map(|arm| (arm.action, arm.pulls, arm.mean))), "{report:?}");
}

/// A closure as a watch gets growing simulations and times, and never stops the run.
#[test]
fn a_closure_only_hears() {
    let (game, mut heard) = (ConnectFour::new(), Vec::new());
    let mut hear = |simulations: u64, time: Duration| heard.push((simulations, time));
    let report = Search::new(game).seed(5).think(&game, Budget::simulations(5_000), &mut hear);
    assert_eq!((report.simulations, report.stopped), (5_000, Stopped::Simulations));
    assert_eq!(heard.last().map(|&(simulations, _)| simulations), Some(5_000));
    assert!(heard.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{heard:?}");
}
