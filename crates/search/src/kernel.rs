//! The kernel: the part of a search that knows the game's type. It holds the hot loops, compiled for one game, one
//! rule and one evaluation with everything inlined. The [`Engine`] above it is compiled once.

mod played_again;
mod wave;

pub(crate) use played_again::PlayedAgain;
pub use wave::WAVE_MAX;
use wave::Wave;

use crate::engine::{Engine, PathStep, evaluation_of, priors_of};
use crate::game::draw;
use crate::learn::Trace;
use crate::saved::{Fields, LoadError};
use crate::tree::Node;
use crate::{
    Edge, Evaluate, Extras, Game, Leaf, PLAYERS_MAX, Payoff, Rng, Select, Tree, Turn, Utility, ValueKind,
};
use aji_bandit::{PULLS_MAX, View};
use aji_cpu::{Portable, dispatch};

/// The part of a search that knows the game, as the engine sees it.
pub(crate) trait Kernel {
    /// Runs this many simulations and returns how many it ran; fewer if they prove the root. The length of a batch
    /// depends on the clock, but the width of a wave must not. So a wave may exceed the batch, but never `left`.
    fn simulate(&mut self, engine: &mut Engine, tree: &mut Tree, batch: u64, left: Option<u32>) -> u64;

    /// Whether the rule expects nothing from further simulations.
    fn enough(&self, view: &View) -> bool;

    /// Whether the rule reads squared rewards.
    fn wants_squares(&self) -> bool;

    /// Whether the rule reads AMAF statistics (all moves as first).
    fn wants_amaf(&self) -> bool;

    /// Whether the evaluation learns from simulations.
    fn learns(&self) -> bool;

    /// Whether the evaluation makes priors.
    fn has_policy(&self) -> bool;

    /// The bytes of the evaluation.
    fn bytes(&self) -> usize;

    /// The range of the game's payoffs.
    fn payoff_range(&self) -> (f32, f32);

    /// The sum of the players' rewards: for one player (where it does not matter), or for two players with a constant
    /// sum.
    fn reward_sum(&self, utility: Utility) -> Option<f32>;

    /// An empty tree for the game's actions.
    fn new_tree(&self, bytes: usize, extras: Extras) -> Tree;

    /// Starts a walk of the tree at the root. Returns who acts.
    fn start_walk(&mut self) -> Turn;

    /// Follows an edge from the walk's node. Returns who acts then.
    fn walk(&mut self, tree: &Tree, edge: Edge) -> Turn;

    /// Goes back over the last edge.
    fn walk_back(&mut self);

    /// Gives the root an edge for each allowed action, with priors if the evaluation makes any. None if there is no
    /// room, or no action.
    fn open_root(&mut self, engine: &mut Engine, tree: &mut Tree) -> Option<Node>;

    /// The same for a node that was saved.
    fn load(
        &mut self,
        tree: &mut Tree,
        edge: Option<Edge>,
        count: usize,
        fields: Fields,
    ) -> Result<Node, LoadError>;

    /// The moves of the last playout, each by its place among the actions, if they can be found: the evaluation or the
    /// game told them, or the kernel replays the kept leaf from the random state `before`, by the game's own playout or by
    /// random actions. The replay must end in the random state `after` and, unless the evaluation gave a reward, reach
    /// the same payoff. Otherwise the moves are unknown.
    fn played_again(&mut self, before: Rng, after: &Rng) -> Option<PlayedAgain>;

    /// The last leaf's payoff in the game's unit, and its rewards.
    fn last_value(&self, engine: &Engine) -> (Payoff, [f32; PLAYERS_MAX]);
}

/// The kernel of a game, a rule and an evaluation.
pub(crate) struct GameKernel<G: Game, S, E> {
    pub(crate) root: G,
    pub(crate) select: S,
    pub(crate) evaluate: E,
    /// Computes the keys of a node's edges, for rules that read AMAF statistics.
    pub(crate) keys: Option<Keys<G>>,
    /// The position of the current simulation.
    leaf: Leaf<G>,
    /// Buffers for waves.
    wave: Option<Wave<G>>,
    /// The positions of a walk, without the root.
    walked: Vec<G>,
    /// The leaf as it was before its playout, for [`step`](crate::Search::step).
    kept: Option<G>,
}

/// How the first half of a simulation ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// A position to be evaluated.
    Leaf,
    /// The end of the game.
    End,
    /// A position with a proven value.
    Proven,
}

/// Simulations to run.
struct Batch<'a> {
    engine: &'a mut Engine,
    tree: &'a mut Tree,
    simulations: u64,
    left: Option<u32>,
}

/// Two functions: how many keys a game has, and the key of an action.
pub(crate) type Keys<G> = (fn(&G) -> usize, fn(&G, <G as Game>::Action) -> u32);

impl<G: Game, S, E> GameKernel<G, S, E> {
    pub(crate) fn new(root: G, select: S, evaluate: E) -> GameKernel<G, S, E> {
        let leaf = Leaf::new(root.clone());
        GameKernel { root, select, evaluate, keys: None, leaf, wave: None, walked: Vec::new(), kept: None }
    }

    /// The same kernel with another rule.
    pub(crate) fn with_select<R>(self, select: R) -> GameKernel<G, R, E> {
        GameKernel { keys: self.keys, ..GameKernel::new(self.root, select, self.evaluate) }
    }

    /// The same kernel with another evaluation.
    pub(crate) fn with_evaluate<F>(self, evaluate: F) -> GameKernel<G, S, F> {
        GameKernel { keys: self.keys, ..GameKernel::new(self.root, self.select, evaluate) }
    }

    /// A fresh copy.
    pub(crate) fn copy(&self) -> GameKernel<G, S, E>
    where
        S: Clone,
        E: Clone,
    {
        let copy = GameKernel::new(self.root.clone(), self.select.clone(), self.evaluate.clone());
        GameKernel { keys: self.keys, ..copy }
    }

    /// The action of an edge of this kernel's tree.
    #[inline(always)]
    pub(crate) fn action(tree: &Tree, edge: Edge) -> G::Action {
        // SAFETY: kernels make their own trees (`new_tree`) for actions of this type, and an engine passes no other.
        unsafe { tree.action(edge) }
    }

    /// The action of an edge of this kernel's tree, and the node it leads to.
    #[inline(always)]
    fn follow(tree: &Tree, edge: Edge) -> (G::Action, Node) {
        // SAFETY: as for `action`.
        unsafe { tree.follow(edge) }
    }

    /// The leaf of the current simulation.
    pub(crate) fn leaf_mut(&mut self) -> &mut Leaf<G> {
        &mut self.leaf
    }

    /// The position of the walk.
    fn here(&self) -> &G {
        self.walked.last().unwrap_or(&self.root)
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> GameKernel<G, S, E> {
    /// One simulation: the four phases. A plain one proves nothing, records nothing and makes no priors.
    #[inline(always)]
    fn simulation<const PLAIN: bool>(&mut self, engine: &mut Engine, tree: &mut Tree, left: Option<u32>) {
        let reached = self.reach::<PLAIN>(engine, tree, left);
        if reached == Reached::Leaf {
            self.evaluate.evaluate(std::slice::from_mut(&mut self.leaf), &mut engine.rng);
        }
        self.conclude::<PLAIN>(engine, tree, reached);
    }

    /// The first half of a simulation: descends to a leaf and expands it. Leaves the position in `self.leaf`, to be
    /// evaluated.
    #[inline(always)]
    pub(crate) fn reach<const PLAIN: bool>(
        &mut self,
        engine: &mut Engine,
        tree: &mut Tree,
        left: Option<u32>,
    ) -> Reached {
        let solves = !PLAIN && engine.solving.is_some();
        let leaf = self.descend(engine, tree, left, solves);
        if solves && proven(engine, tree).is_some() {
            if engine.telling.is_some() {
                engine.tell_proven(tree);
            }
            return Reached::Proven;
        }
        let reached = engine.path.len();
        if PLAIN || !engine.has_policy {
            self.expand(engine, tree, leaf);
        } else {
            let is_in_tree = self.evaluate.values_chance() || self.pass_chance(engine, tree);
            self.leaf.actions.clear();
            self.leaf.policy.clear();
            if is_in_tree && self.leaf.game.turn() != Turn::Over {
                self.leaf.game.actions(&mut self.leaf.actions);
            }
        }
        if !PLAIN && engine.telling.is_some() {
            self.tell(engine, tree, leaf, reached);
        }
        if S::WANTS_AMAF || self.evaluate.learns() {
            self.leaf.played.clear();
        }
        if self.leaf.game.turn() != Turn::Over {
            return Reached::Leaf;
        }
        (self.leaf.payoff, self.leaf.kind) = (self.leaf.game.payoff(), ValueKind::Result);
        Reached::End
    }

    /// The second half: backs up the value of the leaf.
    #[inline(always)]
    pub(crate) fn conclude<const PLAIN: bool>(
        &mut self,
        engine: &mut Engine,
        tree: &mut Tree,
        reached: Reached,
    ) {
        let solving = if PLAIN { None } else { engine.solving };
        if let (Some(sum), Reached::Proven) = (solving, reached) {
            let value = proven(engine, tree).unwrap_or(0.5);
            return engine.back_up(tree, [value, sum - value, 0.0, 0.0], true);
        }
        if !PLAIN && engine.has_policy {
            self.open_with_policy(engine, tree);
        }
        let rewards = engine.settings.utility.rewards_of(&self.leaf.payoff, self.leaf.kind, engine.range);
        engine.back_up(tree, rewards, solving.is_some());
        self.learn(engine, tree, rewards);
        if let (Some(sum), Reached::End) = (solving, reached) {
            engine.prove(tree, rewards[0], sum);
        }
    }

    /// Gives the root its priors from the leaf just evaluated, which is the root's position. The policy covers all
    /// actions of the position; the root may have fewer.
    pub(crate) fn conclude_root(&mut self, engine: &mut Engine, tree: &mut Tree) {
        let (root, policy) = (tree.root(), &self.leaf.policy);
        if tree.root_places().is_empty() {
            tree.set_priors(root, policy);
        } else {
            let weight = |&place: &u16| policy.get(usize::from(place)).copied();
            let weights: Vec<f32> = tree.root_places().iter().map_while(weight).collect();
            tree.set_priors(root, &weights);
        }
        let rewards = engine.settings.utility.rewards_of(&self.leaf.payoff, self.leaf.kind, engine.range);
        if let Turn::Player(player) = self.root.turn() {
            engine.root_value = Some(rewards[usize::from(player)]);
        }
    }

    /// Opens the leaf just evaluated, with the policy as priors, unless the game or the tree ends there.
    fn open_with_policy(&mut self, engine: &Engine, tree: &mut Tree) {
        let opens = !self.leaf.actions.is_empty() && engine.path.len() < engine.settings.depth;
        let Some(step) = engine.path.last().filter(|_| opens) else { return };
        let Some(node) = tree.open_at(Some(step.edge), &self.leaf.actions) else { return };
        tree.set_priors(node, &self.leaf.policy);
        if self.evaluate.learns() {
            let keys = self.leaf.actions.iter().map(|&action| self.evaluate.key(&self.leaf.game, action));
            tree.set_keys(keys);
        }
    }

    /// Phase 1, select: from the root down to a node without edges, or to one with a proven value.
    #[inline(always)]
    fn descend(&mut self, engine: &mut Engine, tree: &Tree, left: Option<u32>, solves: bool) -> Node {
        self.leaf.game.clone_from(&self.root);
        engine.path.clear();
        if S::WANTS_AMAF
            && let (Some(amaf), Some((count, _))) = (&mut engine.amaf, self.keys)
        {
            amaf.begin(count(&self.root), self.root.players());
        }
        let mut node = tree.root();
        while !node.is_leaf() {
            node = self.choose(engine, tree, node, left);
            if solves && proven(engine, tree).is_some() {
                break;
            }
        }
        node
    }

    /// Takes one edge of a node, chosen by the rule or by chance.
    #[inline(always)]
    fn choose(&mut self, engine: &mut Engine, tree: &Tree, node: Node, left: Option<u32>) -> Node {
        let turn = self.leaf.game.turn();
        let (player, index) = match turn {
            Turn::Player(player) => {
                let depth = engine.path.len() as u32;
                let mut view = tree.view::<G::Action>(node, depth, if depth == 0 { left } else { None });
                if S::READS_PRIOR && engine.has_policy {
                    view.prior = priors_of(&engine.noisy_priors, tree, node, depth);
                    view.evaluation = match engine.path.last() {
                        Some(&step) => evaluation_of(tree, step, player, &view, engine.reward_sum),
                        None => engine.root_value,
                    };
                }
                if S::WANTS_AMAF
                    && let (Some(amaf), Some((_, key))) = (&mut engine.amaf, self.keys)
                {
                    let game = &self.leaf.game;
                    let keys = node.edges().map(|edge| key(game, Self::action(tree, edge)));
                    view.amaf = amaf.enter(tree, node, keys, player);
                }
                (player, self.select.select(&view, &mut engine.rng))
            }
            _ => (0, draw_outcome(tree, node, &self.leaf.game, &mut engine.rng)),
        };
        let edge = node.edge(index);
        engine.path.push(PathStep { edge, player, by_chance: turn == Turn::Chance });
        let (action, below) = Self::follow(tree, edge);
        self.leaf.game.play(action);
        below
    }

    /// Phase 2, expand: on its second visit a node gets all its edges, and the rule takes the first one.
    #[inline(always)]
    fn expand(&mut self, engine: &mut Engine, tree: &mut Tree, leaf: Node) {
        if leaf.pulls == 0
            || engine.path.len() >= engine.settings.depth
            || self.leaf.game.turn() == Turn::Over
        {
            return;
        }
        let Some(last) = engine.path.last() else { return };
        let edge = last.edge;
        self.leaf.scratch.clear();
        self.leaf.game.actions(&mut self.leaf.scratch);
        if tree.open(edge, &self.leaf.scratch) {
            if self.evaluate.learns() {
                let (game, actions) = (&self.leaf.game, &self.leaf.scratch);
                tree.set_keys(actions.iter().map(|&action| self.evaluate.key(game, action)));
            }
            self.choose(engine, tree, tree.below(edge), None);
        }
    }

    /// Goes on from a leaf where chance acts to a position where a player acts. False if that is not in the tree, which
    /// is full.
    fn pass_chance(&mut self, engine: &mut Engine, tree: &mut Tree) -> bool {
        let mut is_in_tree = true;
        while self.leaf.game.turn() == Turn::Chance {
            self.leaf.scratch.clear();
            self.leaf.game.actions(&mut self.leaf.scratch);
            let edge = engine.path.last().filter(|_| engine.path.len() < engine.settings.depth);
            match edge.map(|step| step.edge) {
                Some(edge) if is_in_tree && tree.open(edge, &self.leaf.scratch) => {
                    self.choose(engine, tree, tree.below(edge), None);
                }
                _ => {
                    let outcome = self.leaf.game.random_action(&mut engine.rng, &mut self.leaf.scratch);
                    self.leaf.game.play(outcome);
                    is_in_tree = false;
                }
            }
        }
        is_in_tree
    }

    /// Updates the AMAF statistics, and passes the simulation to an evaluation that learns.
    #[inline(always)]
    fn learn(&mut self, engine: &mut Engine, tree: &mut Tree, rewards: [f32; PLAYERS_MAX]) {
        if S::WANTS_AMAF
            && let Some(amaf) = &mut engine.amaf
        {
            amaf.back_up(tree, &engine.path, &self.leaf.played, rewards);
        }
        if self.evaluate.learns() {
            let Leaf { played, payoff, .. } = &self.leaf;
            self.evaluate.learn(&Trace { tree, path: &engine.path, played, payoff });
        }
    }

    /// Simulations one by one.
    #[inline(always)]
    fn one_by_one_by<C>(_cpu: C, kernel: &mut Self, batch: Batch) -> u64 {
        let Batch { engine, tree, simulations, mut left } = batch;
        let mut spent = 0;
        while spent < simulations && engine.root_bounds.value().is_none() {
            if engine.settings.recycle && tree.wants_recycling() {
                tree.recycle();
            }
            kernel.simulation::<false>(engine, tree, left);
            left = left.map(|left| left.saturating_sub(1));
            spent += 1;
        }
        spent
    }

    /// The same without solver, recycling, policy or recording: the fastest loop.
    #[inline(always)]
    fn one_by_one_plainly_by<C>(_cpu: C, kernel: &mut Self, batch: Batch) -> u64 {
        let Batch { engine, tree, simulations, mut left } = batch;
        for _ in 0..simulations {
            kernel.simulation::<true>(engine, tree, left);
            left = left.map(|left| left.saturating_sub(1));
        }
        simulations
    }

    /// Simulations in waves.
    #[inline(always)]
    fn in_waves_by<C>(_cpu: C, kernel: &mut Self, batch: Batch) -> u64 {
        let Batch { engine, tree, simulations, mut left } = batch;
        let mut spent = 0;
        while spent < simulations && engine.root_bounds.value().is_none() {
            if engine.settings.recycle && tree.wants_recycling() {
                tree.recycle();
            }
            let room = u64::from(PULLS_MAX - tree.pulls());
            let most = left.map_or(u64::MAX, u64::from).min(room);
            let width = most.min(engine.settings.wave as u64) as usize;
            kernel.run_wave(engine, tree, width, left);
            left = left.map(|left| left.saturating_sub(width as u32));
            spent += width as u64;
        }
        spent
    }

    dispatch! { fn one_by_one, one_by_one_v3(kernel: &mut Self, batch: Batch) -> u64 = Self::one_by_one_by }

    dispatch! { fn one_by_one_plainly, plainly_v3(kernel: &mut Self, batch: Batch) -> u64 = Self::one_by_one_plainly_by }

    dispatch! { fn in_waves, in_waves_v3(kernel: &mut Self, batch: Batch) -> u64 = Self::in_waves_by }

    /// Records how the simulation reached its leaf, and keeps the leaf.
    #[cold]
    fn tell(&mut self, engine: &mut Engine, tree: &Tree, leaf: Node, reached: usize) {
        engine.tell_reached(tree, leaf, reached, self.leaf.game.turn());
        self.kept = Some(self.leaf.game.clone());
        self.leaf.moves = Some(Vec::new());
    }
}

/// The proven value at the end of the path, if there is one.
#[inline(always)]
fn proven(engine: &Engine, tree: &Tree) -> Option<f32> {
    let edge = engine.path.last()?.edge;
    if tree.is_proven(edge) { tree.bounds(edge).value() } else { None }
}

/// Draws an outcome of a chance node by its odds.
#[cold]
fn draw_outcome<G: Game>(tree: &Tree, node: Node, game: &G, rng: &mut Rng) -> usize {
    draw(node.edges().map(|edge| game.weight(GameKernel::<G, (), ()>::action(tree, edge))), rng)
}

impl<G: Game, S: Select, E: Evaluate<G>> Kernel for GameKernel<G, S, E> {
    fn simulate(&mut self, engine: &mut Engine, tree: &mut Tree, batch: u64, left: Option<u32>) -> u64 {
        // Searches that keep AMAF statistics or record simulations run them one by one.
        let in_waves =
            engine.settings.wave > 1 && engine.telling.is_none() && !(S::WANTS_AMAF && engine.amaf.is_some());
        // A rule that reads AMAF statistics is so slow that the plain loop would gain nothing.
        let plainly = !S::WANTS_AMAF && engine.is_plain();
        let batch = Batch { engine, tree, simulations: batch, left };
        if !S::COMPILED_TWICE {
            return match in_waves {
                true => Self::in_waves_by(Portable, self, batch),
                false => Self::one_by_one_by(Portable, self, batch),
            };
        }
        match (in_waves, plainly) {
            (true, _) => Self::in_waves(self, batch),
            (false, true) => Self::one_by_one_plainly(self, batch),
            (false, false) => Self::one_by_one(self, batch),
        }
    }

    fn enough(&self, view: &View) -> bool {
        self.select.enough(view)
    }

    fn wants_squares(&self) -> bool {
        self.select.wants_squares()
    }

    fn wants_amaf(&self) -> bool {
        S::WANTS_AMAF
    }

    fn learns(&self) -> bool {
        self.evaluate.learns()
    }

    fn has_policy(&self) -> bool {
        self.evaluate.has_policy()
    }

    fn bytes(&self) -> usize {
        self.evaluate.bytes(&self.root)
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.root.payoff_range()
    }

    fn reward_sum(&self, utility: Utility) -> Option<f32> {
        utility.reward_sum(self.root.players(), self.root.payoff_sum())
    }

    fn new_tree(&self, bytes: usize, extras: Extras) -> Tree {
        Tree::with_cap::<G::Action>(bytes, extras)
    }

    fn start_walk(&mut self) -> Turn {
        self.walked.clear();
        self.root.turn()
    }

    fn walk(&mut self, tree: &Tree, edge: Edge) -> Turn {
        let mut next = self.here().clone();
        next.play(Self::action(tree, edge));
        let turn = next.turn();
        self.walked.push(next);
        turn
    }

    fn walk_back(&mut self) {
        self.walked.pop();
    }

    fn open_root(&mut self, engine: &mut Engine, tree: &mut Tree) -> Option<Node> {
        self.leaf.actions.clear();
        self.root.actions(&mut self.leaf.actions);
        let opened = match &engine.allowed {
            None => tree.open_root(&self.leaf.actions),
            Some(places) => {
                let allowed = places.iter().map(|&place| self.leaf.actions[usize::from(place)]);
                tree.open_root_with(places, &allowed.collect::<Vec<_>>())
            }
        };
        let node = Some(tree.root()).filter(|node| opened && !node.is_leaf())?;
        if self.evaluate.learns() {
            let key = |edge| self.evaluate.key(&self.root, Self::action(tree, edge));
            let keys: Vec<u32> = node.edges().map(key).collect();
            tree.set_keys(keys.into_iter());
        }
        if self.evaluate.has_policy() {
            self.leaf.game.clone_from(&self.root);
            self.leaf.policy.clear();
            self.evaluate.evaluate(std::slice::from_mut(&mut self.leaf), &mut engine.rng);
            self.conclude_root(engine, tree);
        }
        Some(node)
    }

    fn load(
        &mut self,
        tree: &mut Tree,
        edge: Option<Edge>,
        count: usize,
        fields: Fields,
    ) -> Result<Node, LoadError> {
        let mut actions = Vec::new();
        self.here().actions(&mut actions);
        if count == 0 || count != actions.len() {
            return Err(LoadError::Damaged);
        }
        tree.read_block(edge, &actions, fields).ok_or(LoadError::Damaged)
    }

    fn played_again(&mut self, before: Rng, after: &Rng) -> Option<PlayedAgain> {
        let (kept, traced) = (self.kept.take()?, self.leaf.moves.take());
        if let Some(moves) = traced.filter(|moves| !moves.is_empty()) {
            return Some(played_again::in_places(kept, &moves).0);
        }
        played_again::found(&kept, &self.leaf, (before, after))
    }

    fn last_value(&self, engine: &Engine) -> (Payoff, [f32; PLAYERS_MAX]) {
        let Leaf { payoff, kind, .. } = &self.leaf;
        (*payoff, engine.settings.utility.rewards_of(payoff, *kind, engine.range))
    }
}
