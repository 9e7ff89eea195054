//! The engine: everything in a search that does not depend on the game's type. It is compiled once, for all games.
//!
//! The engine owns the tree, the budget's loop, the backup, proofs, reports and saved searches. It names actions by
//! their place in [`Game::actions`](crate::Game::actions). Whatever needs the game itself is in a [`Kernel`], which
//! the engine calls once per batch of simulations.

mod amaf;
mod findings;
mod saved;
mod told;
mod top;

pub(crate) use amaf::Amaf;
pub(crate) use findings::standard_error;
pub(crate) use told::Telling;
pub use told::{Choice, Expansion, Simulation};
pub use top::Top;
pub(crate) use top::top_bytes;

use crate::bounds::{Bounds, Chooser};
use crate::budget::Meter;
use crate::kernel::Kernel;
use crate::tree::Node;
use crate::{
    Budget, DEPTH_MAX, Edge, Extras, PLAYERS_MAX, Player, Progress, Recommend, Report, Rng, StopHandle,
    Stopped, Tree, Turn, Utility, WAVE_MAX, Watch,
};
use aji_bandit::{Arm, Dirichlet, PULLS_MAX, View};
use std::time::Duration;

/// The bytes of a search without its tree, within the same cap: the path, and buffers.
pub const OVERHEAD_BYTES: usize = 64 << 10;

/// The same for a search in waves of this width, where each descent has a path of its own.
pub fn overhead_bytes(wave: usize) -> usize {
    if wave > 1 { OVERHEAD_BYTES * (1 + wave) } else { OVERHEAD_BYTES }
}

/// The default cap on memory: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// Large pages pay off from this many simulations on. Clearing the first large pages takes as long as a thousand
/// simulations.
pub(crate) const LARGE_PAGES_FROM: u64 = 10_000;

/// One choice of the descent: the edge taken, and who took it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PathStep {
    pub(crate) edge: Edge,
    /// The player whose reward the edge counts: the one who chose it, or the first player if chance did.
    pub(crate) player: Player,
    pub(crate) by_chance: bool,
}

/// How a search works, whatever its game, rule and evaluation. [`Search`](crate::Search) has a method for each
/// setting, which explains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How the search picks the action to play at the end.
    pub recommend: Recommend,
    /// What the search maximises.
    pub utility: Utility,
    /// The cap on memory in bytes.
    pub memory: usize,
    /// The maximum depth of the tree.
    pub depth: usize,
    /// Whether the search proves what can be proven.
    pub solver: bool,
    /// The number of simulations that descend the tree together.
    pub wave: usize,
    /// Whether a full tree frees its least visited half.
    pub recycle: bool,
    /// Noise on the root's priors.
    pub noise: Option<Dirichlet>,
    /// How many principal lines a report has.
    pub lines: usize,
    /// Whether this is one of several searches that share what they learn.
    pub share: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            recommend: Recommend::default(),
            utility: Utility::default(),
            memory: MEMORY_DEFAULT,
            depth: DEPTH_MAX,
            solver: false,
            wave: 1,
            recycle: false,
            noise: None,
            lines: 1,
            share: false,
        }
    }
}

impl Settings {
    /// The same settings with every number within its limits.
    pub(crate) fn within_limits(self) -> Settings {
        Settings {
            depth: self.depth.clamp(1, DEPTH_MAX),
            wave: self.wave.clamp(1, WAVE_MAX),
            lines: self.lines.max(1),
            ..self
        }
    }
}

/// A search without its game, its rule and its evaluation.
pub(crate) struct Engine {
    pub(crate) settings: Settings,
    pub(crate) tree: Option<Tree>,
    /// The places of the root's allowed actions, ascending; none if all are allowed.
    pub(crate) allowed: Option<Vec<u16>>,
    /// For rules that read AMAF statistics (all moves as first).
    pub(crate) amaf: Option<Amaf>,
    pub(crate) rng: Rng,
    pub(crate) stop: StopHandle,
    /// The path of the current simulation.
    pub(crate) path: Vec<PathStep>,
    /// The sum of the squared rewards of each root edge, for the standard errors.
    pub(crate) root_squares: Vec<f64>,
    /// The proven bounds of the root.
    pub(crate) root_bounds: Bounds,
    /// The range of the game's payoffs.
    pub(crate) range: (f32, f32),
    /// Whether the evaluation makes priors.
    pub(crate) has_policy: bool,
    /// The root's priors with noise, for the current run; empty without noise.
    pub(crate) noisy_priors: Vec<f32>,
    /// Whether the current run opened the root.
    pub(crate) root_is_new: bool,
    /// The evaluation's value of the root, from the side of the player to act.
    pub(crate) root_value: Option<f32>,
    /// The sum of both players' rewards, if it is constant.
    pub(crate) reward_sum: Option<f32>,
    /// The same, if there is a solver that can use it.
    pub(crate) solving: Option<f32>,
    /// The simulations still to come, if several searches step together.
    pub(crate) left: Option<u32>,
    /// The statistics that all searches had when they last shared them.
    pub(crate) top: Top,
    /// Where the current simulation is recorded, if [`step`](crate::Search::step) asked for it.
    pub(crate) telling: Option<Box<Telling>>,
}

/// A run under way, as a [`Watch`] sees it.
struct Underway<'a> {
    engine: &'a mut Engine,
    kernel: &'a mut dyn Kernel,
    tree: &'a mut Tree,
    meter: &'a Meter,
}

impl Progress for Underway<'_> {
    fn simulations(&self) -> u64 {
        self.meter.spent()
    }

    fn time(&self) -> Duration {
        self.meter.elapsed()
    }

    fn report(&mut self) -> Option<Report<u16>> {
        Some(self.engine.report(self.kernel, Some(self.tree), self.meter, Stopped::Nothing))
    }

    fn tree(&self) -> Option<&Tree> {
        Some(self.tree)
    }

    fn learned(&mut self) -> Option<Top> {
        self.engine.settings.share.then(|| self.engine.learned(self.tree))
    }

    fn absorb(&mut self, own: &Top, all: &Top) {
        self.engine.absorb(self.kernel, self.tree, own, all);
    }
}

impl Engine {
    pub(crate) fn new() -> Engine {
        Engine {
            settings: Settings::default(),
            tree: None,
            allowed: None,
            amaf: None,
            rng: Rng::seeded(0),
            stop: StopHandle::default(),
            path: Vec::new(),
            root_squares: Vec::new(),
            root_bounds: Bounds::OPEN,
            range: (0.0, 0.0),
            has_policy: false,
            noisy_priors: Vec::new(),
            root_is_new: false,
            root_value: None,
            reward_sum: None,
            solving: None,
            left: None,
            top: Top::default(),
            telling: None,
        }
    }

    /// What the tree stores for each edge.
    pub(crate) fn extras(&self, kernel: &dyn Kernel) -> Extras {
        Extras {
            squares: kernel.wants_squares(),
            bounds: self.settings.solver && kernel.reward_sum(self.settings.utility).is_some(),
            keys: kernel.learns(),
            amaf: kernel.wants_amaf() && self.amaf.is_some(),
            priors: kernel.has_policy(),
        }
    }

    /// The bytes of the search without its tree.
    pub(crate) fn overhead(&self, kernel: &dyn Kernel) -> usize {
        let top = if self.settings.share { top_bytes(self.settings.memory) } else { 0 };
        overhead_bytes(self.settings.wave) + kernel.bytes() + top
    }

    /// Searches until the budget is spent or the watch stops it, adding to the existing tree.
    pub(crate) fn run(
        &mut self,
        kernel: &mut dyn Kernel,
        budget: Budget,
        watch: &mut dyn Watch,
    ) -> Report<u16> {
        let mut meter = Meter::new(budget);
        let Some(mut tree) = self.planted(kernel, budget) else {
            return self.report(kernel, self.tree.as_ref(), &meter, Stopped::Nothing);
        };
        self.add_noise(&tree);
        let stopped = loop {
            let batch = match self.next_batch(kernel, &mut meter, &tree) {
                Ok(batch) => batch,
                Err(stopped) => break stopped,
            };
            let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
            let until_look = watch.next_look().and_then(|at| at.checked_sub(meter.spent()));
            let batch = batch.min(until_look.filter(|&until| until > 0).unwrap_or(u64::MAX));
            let spent = kernel.simulate(self, &mut tree, batch, left);
            meter.spend(spent);
            if !watch.look(&mut Underway { engine: self, kernel, tree: &mut tree, meter: &meter }) {
                break Stopped::Handle;
            }
        };
        watch.ended(&mut Underway { engine: self, kernel, tree: &mut tree, meter: &meter });
        let report = self.report(kernel, Some(&tree), &meter, stopped);
        self.tree = Some(tree);
        report
    }

    fn next_batch(&self, kernel: &dyn Kernel, meter: &mut Meter, tree: &Tree) -> Result<u64, Stopped> {
        if self.stop.is_stopped() {
            self.stop.rearm();
            return Err(Stopped::Handle);
        }
        if self.root_bounds.value().is_some() {
            return Err(Stopped::Solved);
        }
        let room = u64::from(PULLS_MAX - tree.pulls());
        if room == 0 {
            return Err(Stopped::PullsMax);
        }
        let left = meter.left().map(|left| left.min(u64::from(u32::MAX)) as u32);
        if meter.is_look() && kernel.enough(&tree.plain_view(tree.root(), 0, left)) {
            return Err(Stopped::Enough);
        }
        Ok(meter.next_batch()?.min(room))
    }

    /// The tree with its root expanded; none if there is nothing to search. The first run makes it.
    pub(crate) fn planted(&mut self, kernel: &mut dyn Kernel, budget: Budget) -> Option<Tree> {
        if kernel.start_walk() == Turn::Over {
            return None;
        }
        let extras = self.extras(kernel);
        let mut tree = self.tree.take().unwrap_or_else(|| self.new_tree(kernel));
        if budget.simulations.is_none_or(|simulations| simulations >= LARGE_PAGES_FROM) {
            tree.prefer_large_pages();
        }
        self.path.clear();
        self.path.reserve_exact(DEPTH_MAX);
        self.reward_sum = kernel.reward_sum(self.settings.utility);
        self.solving = self.reward_sum.filter(|_| extras.bounds);
        (self.has_policy, self.range) = (extras.priors, kernel.payoff_range());
        self.root_is_new = tree.root().is_leaf();
        if self.root_is_new {
            self.root_value = None;
            let Some(node) = kernel.open_root(self, &mut tree) else {
                self.tree = Some(tree);
                return None;
            };
            self.root_squares = vec![0.0; node.edges().count()];
            self.root_bounds = Bounds::OPEN;
        }
        Some(tree)
    }

    /// Draws noise for the root's priors, if the settings ask for it.
    pub(crate) fn add_noise(&mut self, tree: &Tree) {
        self.noisy_priors.clear();
        let (Some(noise), true) = (self.settings.noise, self.has_policy) else { return };
        self.noisy_priors.extend(tree.priors(tree.root()));
        noise.add_to(&mut self.noisy_priors, &mut self.rng);
    }

    pub(crate) fn new_tree(&self, kernel: &dyn Kernel) -> Tree {
        kernel.new_tree(self.settings.memory.saturating_sub(self.overhead(kernel)), self.extras(kernel))
    }

    /// Whether simulations have nothing to prove, free or record, and no policy.
    pub(crate) fn is_plain(&self) -> bool {
        self.solving.is_none() && !self.settings.recycle && self.telling.is_none() && !self.has_policy
    }

    /// Phase 4, back up: every choice on the path counts its reward to the player who made it.
    #[inline(always)]
    pub(crate) fn back_up(&mut self, tree: &mut Tree, rewards: [f32; PLAYERS_MAX], solves: bool) {
        tree.count_root(1);
        if solves {
            for step in &self.path {
                if tree.is_proven(step.edge) {
                    tree.count(step.edge, 1);
                } else {
                    tree.add(step.edge, rewards[step.player as usize]);
                }
            }
        } else {
            for step in &self.path {
                tree.add(step.edge, rewards[step.player as usize]);
            }
        }
        if let Some(step) = self.path.first() {
            let reward = f64::from(rewards[step.player as usize]);
            self.root_squares[step.edge.index()] += reward * reward;
        }
    }

    /// Backs up a proof: the game is over at the end of the path, and player 0 got `value`.
    #[cold]
    pub(crate) fn prove(&mut self, tree: &mut Tree, value: f32, sum: f32) {
        self.prove_path(tree, Bounds::exactly(value), sum);
    }

    /// Backs up these bounds of the position at the end of the path. Stops where nothing is new.
    fn prove_path(&mut self, tree: &mut Tree, mut bounds: Bounds, sum: f32) {
        for step in self.path.iter().rev() {
            // Freed blocks may have proven more already.
            bounds = bounds.tightened(tree.bounds(step.edge));
            let own = if step.player == 0 { bounds } else { bounds.of_other(sum) };
            if !tree.prove(step.edge, bounds, own.value()) {
                return;
            }
            let chooser = match step.player {
                _ if step.by_chance => Chooser::Chance,
                0 => Chooser::Maximiser,
                _ => Chooser::Minimiser,
            };
            bounds = Bounds::of_position(tree.block_bounds(step.edge), chooser);
        }
        self.root_bounds = bounds;
    }

    /// Searches only the root's actions at these places, ascending, or all. A change empties the tree.
    pub(crate) fn allow(&mut self, allowed: Option<Vec<u16>>) {
        if self.allowed != allowed {
            self.clear();
            self.allowed = allowed;
        }
    }

    /// Keeps the tree below the root's action at this place, and frees the rest. Allows all actions again.
    pub(crate) fn advance(&mut self, place: usize) {
        self.root_value = None;
        self.allowed = None;
        let Some(tree) = &mut self.tree else { return };
        let mut taken = usize::MAX;
        match tree.root_edges().find(|&edge| tree.place(edge) == place) {
            Some(edge) => {
                self.root_bounds = tree.bounds(edge);
                taken = edge.index();
                tree.advance(edge);
            }
            None => tree.clear(),
        }
        if tree.root().is_leaf() {
            self.root_squares.clear();
            self.top = Top::default();
            return;
        }
        let view = tree.plain_view(tree.root(), 0, None);
        let square_of = |(index, arm): (usize, Arm)| match view.squares.get(index) {
            Some(&square) => f64::from(square) * f64::from(arm.pulls),
            None => arm.sum(),
        };
        self.root_squares = view.arms().enumerate().map(square_of).collect();
        self.advance_top(taken);
    }

    /// Forgets everything and keeps the memory. Allows all actions again.
    pub(crate) fn clear(&mut self) {
        self.root_value = None;
        self.allowed = None;
        self.top = Top::default();
        if let Some(tree) = &mut self.tree {
            tree.clear();
        }
    }
}

/// The evaluation of a node's position when the node was made, from the side of the player to act. The edge to the node
/// counts it once, beside the rewards of the node's own edges. None if they cannot be told apart. Proofs and recycling
/// change the rewards of edges, so after them it is an estimate.
pub(crate) fn evaluation_of(
    tree: &Tree,
    step: PathStep,
    player: Player,
    view: &View,
    reward_sum: Option<f32>,
) -> Option<f32> {
    if step.by_chance {
        return None;
    }
    let mean = tree.arm(step.edge).mean;
    let mean = if step.player == player { mean } else { reward_sum? - mean };
    let (mut pulls, mut rewards) = (0.0, 0.0);
    for arm in view.arms() {
        pulls += f64::from(arm.pulls);
        rewards += f64::from(arm.pulls) * f64::from(arm.mean);
    }
    let first = f64::from(view.total) - pulls;
    let value = (f64::from(mean) * f64::from(view.total) - rewards) / first;
    (first >= 1.0).then_some(value.clamp(0.0, 1.0) as f32)
}

impl Tree {
    /// The evaluation of the position below an edge, from the side of the player who acts there, as the rule sees it:
    /// see [`View::evaluation`]. `mover` took the edge. `reward_sum` is the sum of the players' rewards.
    pub fn evaluation_below(
        &self,
        edge: Edge,
        mover: Player,
        player: Player,
        reward_sum: Option<f32>,
    ) -> Option<f32> {
        let view = self.plain_view(self.below(edge), 1, None);
        evaluation_of(self, PathStep { edge, player: mover, by_chance: false }, player, &view, reward_sum)
    }
}

/// The priors of a node at this depth. The root's have noise, if there is any.
#[inline(always)]
pub(crate) fn priors_of<'a>(noisy: &'a [f32], tree: &'a Tree, node: Node, depth: u32) -> &'a [f32] {
    if depth == 0 && !noisy.is_empty() { noisy } else { tree.priors(node) }
}
