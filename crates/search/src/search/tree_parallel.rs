//! One tree, searched by several threads at once (`shared_tree.rs` says how it is shared).
//!
//! All threads grow the same tree, so it is as deep as the whole budget makes it; what they find depends on who was faster,
//! so no two runs are alike. Any rule that reads means, spreads and pulls will do; the solver, waves and rules that read
//! squares are for searches that share nothing.

use super::Search;
use crate::budget::Meter;
use crate::game::draw;
use crate::shared_tree::SharedTree;
use crate::{
    Agent, Budget, DEPTH_MAX, Evaluate, Extras, Game, Leaf, PLAYERS_MAX, Report, Rng, Select, Simulation,
    StopHandle, Stopped, THREADS_MAX, Tree, Turn, Utility,
};
use aji_bandit::{PULLS_MAX, View};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search by several threads in one tree.
pub struct TreeParallel<G: Game, S, E> {
    search: Search<G, S, E>,
    threads: usize,
}

/// Simulations that a thread takes from the budget at a time.
const BATCH: u64 = 64;

/// One choice on the way down.
struct Step {
    block: (u32, u16),
    index: usize,
    player: usize,
}

/// What a thread has to itself.
struct Worker<'a, G: Game, S, E> {
    tree: &'a SharedTree<'a, G::Action>,
    root: &'a G,
    utility: Utility,
    depth: usize,
    select: S,
    evaluate: E,
    rng: Rng,
    leaf: Leaf<G>,
    path: Vec<Step>,
    /// A copy of the arms to choose from.
    words: Vec<u32>,
    /// The sum of the squared rewards of each root edge.
    squares: Vec<f64>,
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
    /// A search by so many threads, at most [`THREADS_MAX`]. None for a search with a solver, with waves, that recycles, or
    /// with a rule that reads squares.
    pub fn new(mut search: Search<G, S, E>, threads: usize) -> Option<TreeParallel<G, S, E>> {
        let threads = threads.clamp(1, THREADS_MAX);
        // What each thread has beside the tree is within the cap.
        search.state.memory = search.state.memory.saturating_sub((threads - 1) * super::OVERHEAD_BYTES);
        let plain = search.extras() == Extras::default() && search.state.wave == 1 && !search.state.recycle;
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
        let state = &search.state;
        Worker {
            tree,
            root: &state.root,
            utility: state.utility,
            depth: state.depth,
            select: search.select.clone(),
            evaluate: search.evaluate.clone(),
            rng,
            leaf: Leaf::new(state.root.clone()),
            path: Vec::with_capacity(DEPTH_MAX),
            words: Vec::new(),
            squares: vec![0.0; state.root_squares.len()],
        }
    }

    /// Runs simulations until there are no more.
    fn work(&mut self, purse: &Purse, told: &mut dyn FnMut()) {
        while let Some(simulations) = purse.take() {
            (0..simulations).for_each(|_| self.simulation());
            told();
        }
    }

    /// One simulation: the four phases.
    fn simulation(&mut self) {
        self.descend();
        if self.leaf.game.turn() == Turn::Over {
            self.leaf.payoff = self.leaf.game.payoff();
        } else {
            self.evaluate.evaluate(std::slice::from_mut(&mut self.leaf), &mut self.rng);
        }
        self.back_up(self.utility.rewards(&self.leaf.payoff));
    }

    /// Selects a way down to a leaf, and expands it on its second visit.
    fn descend(&mut self) {
        self.leaf.game.clone_from(self.root);
        self.path.clear();
        let (mut block, mut pulls) = self.tree.root();
        loop {
            let index = self.choose(block, pulls);
            let link = self.tree.link(block, index);
            pulls = self.tree.arms(block).pulls(index);
            self.leaf.game.play(link.action);
            if let Some(below) = link.below() {
                block = below;
                continue;
            }
            let stays = pulls == 0 || self.path.len() >= self.depth || self.leaf.game.turn() == Turn::Over;
            if stays || !link.claim() {
                return;
            }
            self.leaf.scratch.clear();
            self.leaf.game.actions(&mut self.leaf.scratch);
            if self.tree.open(link, &self.leaf.scratch)
                && let Some(below) = link.below()
            {
                let first = self.choose(below, pulls);
                self.leaf.game.play(self.tree.link(below, first).action);
            }
            return;
        }
    }

    /// Chooses an edge of a block, and leaves the mark of a pull on it for others to see.
    fn choose(&mut self, block: (u32, u16), total: u32) -> usize {
        let arms = self.tree.arms(block);
        let (player, index) = match self.leaf.game.turn() {
            Turn::Player(player) => {
                arms.copy(&mut self.words);
                let view = View { depth: self.path.len() as u32, ..View::new(&self.words, total) };
                (player, self.select.select(&view, &mut self.rng))
            }
            _ => {
                let (tree, game) = (self.tree, &self.leaf.game);
                let weights =
                    (0..usize::from(block.1)).map(|index| game.weight(tree.link(block, index).action));
                (0, draw(weights, &mut self.rng))
            }
        };
        arms.pull_virtually(index);
        self.path.push(Step { block, index, player: player.into() });
        index
    }

    /// Every choice on the path learns what it was worth to the player who made it.
    fn back_up(&mut self, rewards: [f32; PLAYERS_MAX]) {
        self.tree.count_root();
        for step in &self.path {
            self.tree.arms(step.block).add(step.index, rewards[step.player]);
        }
        if let Some(step) = self.path.first() {
            self.squares[step.index] += f64::from(rewards[step.player]).powi(2);
        }
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
