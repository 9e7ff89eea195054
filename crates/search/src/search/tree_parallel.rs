//! One tree, searched by several threads at once (`shared_tree.rs` says how it is shared).
//!
//! All threads grow the same tree, so it is as deep as the whole budget makes it; what they find depends on who was faster,
//! so no two runs are alike. Each thread sends waves down, of one simulation or more: what a wave learns of an edge is
//! written once, so the wider the waves the less the threads get in each other's way near the root. Any rule that reads
//! means, spreads and pulls will do; the solver and rules that read squares are for searches that share nothing.

use super::wave::{Arena, Crew, Wave};
use super::{Search, State, overhead_bytes};
use crate::budget::Meter;
use crate::shared_tree::SharedTree;
use crate::tree::Node;
use crate::{
    Agent, Budget, Edge, Evaluate, Extras, Game, Report, Rng, Select, Simulation, StopHandle, Stopped,
    THREADS_MAX, Tree,
};
use aji_bandit::{Block, PULLS_MAX, View};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search by several threads in one tree.
pub struct TreeParallel<G: Game, S, E> {
    search: Search<G, S, E>,
    threads: usize,
}

/// Simulations that a thread takes from the budget at a time.
const BATCH: u64 = 64;

/// What a thread has to itself.
struct Worker<'a, G: Game, S, E> {
    tree: Shared<'a, G::Action>,
    state: &'a State<G>,
    select: S,
    evaluate: E,
    rng: Rng,
    wave: Wave<G>,
    /// The sum of the squared rewards of each root edge.
    squares: Vec<f64>,
}

/// The shared tree as one thread sees it.
struct Shared<'a, A> {
    tree: &'a SharedTree<'a, A>,
    /// A copy of the arms that it chooses from.
    words: Vec<u32>,
}

/// What all threads take their simulations from.
struct Purse<'a> {
    taken: AtomicU64,
    limit: u64,
    deadline: Option<Instant>,
    stop: &'a StopHandle,
}

impl Purse<'_> {
    /// So many simulations; none when there are no more, the time is up or the search was stopped.
    fn take(&self) -> Option<u64> {
        if self.stop.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return None;
        }
        let more = |taken: u64| (taken < self.limit).then(|| taken + BATCH.min(self.limit - taken));
        let before = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(BATCH.min(self.limit - before))
    }
}

impl<G, S, E> TreeParallel<G, S, E>
where
    G: Game<Action: Send + Sync> + Send + Sync,
    S: Select + Clone + Send,
    E: Evaluate<G> + Clone + Send,
{
    /// A search by so many threads, at most [`THREADS_MAX`]. None for a search with a solver, one that recycles, or one with a
    /// rule that reads squares.
    pub fn new(mut search: Search<G, S, E>, threads: usize) -> Option<TreeParallel<G, S, E>> {
        let threads = threads.clamp(1, THREADS_MAX);
        // What each thread has beside the tree is within the cap.
        let apart = (threads - 1) * overhead_bytes(search.state.wave);
        search.state.memory = search.state.memory.saturating_sub(apart);
        let plain = search.extras() == Extras::default() && !search.state.recycle;
        plain.then_some(TreeParallel { search, threads })
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }

    /// The tree, once a run has begun it.
    pub fn tree(&self) -> Option<&Tree<G::Action>> {
        self.search.tree()
    }

    /// Searches until the budget is spent, on top of what the tree already holds.
    pub fn run(&mut self, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action> {
        let mut meter = Meter::new(budget);
        let Some(mut tree) = self.search.planted(budget) else {
            return self.search.report(&meter, Stopped::Nothing);
        };
        let room = u64::from(PULLS_MAX - tree.pulls());
        let stop = self.search.state.stop.clone();
        let purse = Purse {
            taken: AtomicU64::new(0),
            limit: budget.simulations.unwrap_or(u64::MAX).min(room),
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
            stop: &stop,
        };
        let shared = tree.share();
        let seeds: Vec<Rng> = (0..self.threads).map(|_| self.search.state.rng.fork()).collect();
        let worker = |rng| Worker::new(&self.search, &shared, rng);
        let mut workers: Vec<Worker<G, S, E>> = seeds.into_iter().map(worker).collect();
        std::thread::scope(|scope| {
            let (first, others) = workers.split_at_mut(1);
            for worker in others {
                scope.spawn(|| worker.work(&purse, &mut || {}));
            }
            let mut told = || watch(purse.taken.load(Ordering::Relaxed), meter.elapsed());
            first[0].work(&purse, &mut told);
        });
        let squares: Vec<Vec<f64>> = workers.into_iter().map(|worker| worker.squares).collect();
        let ends = shared.ends();
        tree.unshare(ends);
        for squares in squares {
            self.search.state.root_squares.iter_mut().zip(squares).for_each(|(all, own)| *all += own);
        }
        let spent = purse.taken.into_inner();
        let stopped = if stop.is_stopped() {
            stop.rearm();
            Stopped::Handle
        } else if budget.simulations == Some(spent) {
            Stopped::Simulations
        } else if spent < purse.limit {
            Stopped::Time
        } else {
            Stopped::PullsMax
        };
        meter.spend(spent);
        self.search.state.tree = Some(tree);
        self.search.report(&meter, stopped)
    }
}

impl<'a, G: Game, S: Select + Clone, E: Evaluate<G> + Clone> Worker<'a, G, S, E> {
    fn new(
        search: &'a Search<G, S, E>,
        tree: &'a SharedTree<'a, G::Action>,
        rng: Rng,
    ) -> Worker<'a, G, S, E> {
        Worker {
            tree: Shared { tree, words: Vec::new() },
            state: &search.state,
            select: search.select.clone(),
            evaluate: search.evaluate.clone(),
            rng,
            wave: Wave::new(search.state.wave, &search.state.root),
            squares: vec![0.0; search.state.root_squares.len()],
        }
    }

    /// Runs simulations until there are no more.
    fn work(&mut self, purse: &Purse, told: &mut dyn FnMut()) {
        let state = self.state;
        let mut crew = Crew {
            root: &state.root,
            select: &mut self.select,
            evaluate: &mut self.evaluate,
            rng: &mut self.rng,
            utility: state.utility,
            depth: state.depth,
            sum: 0.0,
        };
        while let Some(simulations) = purse.take() {
            let mut left = simulations as usize;
            while left > 0 {
                let width = left.min(state.wave);
                self.wave.fly(&mut self.tree, &mut crew, width, None, &mut self.squares);
                left -= width;
            }
            told();
        }
    }
}

impl<A: Copy> Arena<A> for Shared<'_, A> {
    #[inline(always)]
    fn root(&self) -> Node {
        self.tree.root()
    }

    #[inline(always)]
    fn enter(&mut self, node: Node) {
        self.tree.arms(node.block()).copy(&mut self.words);
    }

    #[inline(always)]
    fn view(&self, node: Node, depth: u32, left: Option<u32>) -> View<'_> {
        View { depth, left, ..View::new(&self.words, node.pulls) }
    }

    #[inline(always)]
    fn action(&self, edge: Edge) -> A {
        self.tree.link(edge).action
    }

    #[inline(always)]
    fn pull_virtually(&mut self, edge: Edge) {
        Block::new(&mut self.words).pull_virtually(edge.index());
    }

    #[inline(always)]
    fn follow(&self, edge: Edge) -> (A, Node) {
        (self.tree.link(edge).action, self.tree.below(edge))
    }

    #[inline(always)]
    fn ask_for(&self, node: Node) {
        self.tree.ask_for(node);
    }

    /// The other threads see an edge that is pulled once more.
    #[inline(always)]
    fn take(&mut self, edge: Edge) {
        self.tree.arms(edge.block()).pull_virtually(edge.index());
    }

    fn open_below(&mut self, edge: Edge, actions: &[A]) -> Option<Node> {
        let link = self.tree.link(edge);
        (link.claim() && self.tree.open(link, actions)).then(|| self.tree.below(edge))
    }

    #[inline(always)]
    fn count_root(&mut self, simulations: u32) {
        self.tree.count_root(simulations);
    }

    #[inline(always)]
    fn gain(&mut self, edge: Edge, simulations: u32, sum: f32, _squares: f32) {
        self.tree.arms(edge.block()).add(edge.index(), simulations, sum);
    }
}

impl<G, S, E> Agent<G> for TreeParallel<G, S, E>
where
    G: Game<Action: Send + Sync> + PartialEq + Send + Sync,
    S: Select + Clone + Send,
    E: Evaluate<G> + Clone + Send,
{
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action> {
        self.search.face(game);
        self.run(budget, watch)
    }

    fn played(&mut self, action: G::Action) {
        self.search.advance(action);
    }

    /// A single thread tells.
    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        Agent::step(&mut self.search, game)
    }

    fn tree(&self) -> Option<&Tree<G::Action>> {
        self.search.tree()
    }
}
