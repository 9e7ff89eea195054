//! Waves: many simulations descend the tree together, their leaves are evaluated together, and all are backed up.
//!
//! Simulations in the same node form one group. They choose one after another, and those that chose the same edge
//! continue as one group. So for a whole group, a node is read once, a move made once and an edge's mean updated
//! once. Near the root a wave hardly splits, so eight simulations cost little more than one. All groups descend level
//! by level. Each group prefetches what it will read next before the next group continues, so none waits for memory.
//!
//! The rule sees the choices of a group as [pending](Pending) pulls, so the group spreads over the edges, whatever
//! the rule reads. A rule that [chooses ahead](Select::select_ahead) does so in registers; others see a copy of the
//! arms. The tree changes only when the wave is backed up.
//!
//! A wave descends by the means from before it. So it is a little less informed than the same simulations one by one.
//! `docs/parallel.md` has the cost in strength.

use super::GameKernel;
use crate::engine::{Engine, PathStep, evaluation_of, priors_of};
use crate::game::draw;
use crate::tree::Node;
use crate::{Evaluate, Game, Leaf, PLAYERS_MAX, Player, Rng, Select, Tree, Turn, Utility};
use aji_bandit::Pending;
use std::ops::Range;

/// The most simulations of a wave.
pub const WAVE_MAX: usize = 1024;

/// The maximum depth of a wave. Playouts continue from there.
const WAVE_DEPTH_MAX: usize = 512;

/// The parts of a search that a wave works with.
struct Parts<'a, G, S, E> {
    root: &'a G,
    select: &'a mut S,
    evaluate: &'a mut E,
    rng: &'a mut Rng,
    utility: Utility,
    /// The maximum depth of the tree.
    depth: usize,
    /// The sum of both players' rewards, for a solver.
    sum: f32,
    /// The range of the game's payoffs.
    range: (f32, f32),
    /// Whether the evaluation makes priors, and the root's priors with noise.
    has_policy: bool,
    noisy_priors: &'a [f32],
    /// The evaluation's value of the root, and the sum of both players' rewards, if it is constant.
    root_value: Option<f32>,
    reward_sum: Option<f32>,
    /// Whether simulations that reach the same leaf together share one evaluation.
    shares_looks: bool,
}

/// The buffers of a wave, all allocated at the start.
pub(super) struct Wave<G: Game> {
    /// The paths of all simulations, as a tree of branches, level by level. The first branch is the root.
    branches: Vec<Branch>,
    /// The number of branches.
    grown: usize,
    /// The positions of the groups still descending.
    games: Vec<G>,
    /// The leaves to evaluate, and the simulations that wait for each.
    leaves: Vec<Leaf<G>>,
    landed: Vec<Landed>,
    /// The branches that ended the game, with player 0's reward.
    over: Vec<(u32, f32)>,
    actions: Vec<G::Action>,
    picks: Vec<u16>,
    pending: Pending,
}

/// Simulations that wait for the value of one leaf.
#[derive(Clone, Copy)]
struct Landed {
    /// The branch that led to the leaf.
    branch: u32,
    /// The number of simulations that share the value.
    simulations: u16,
    /// Whether the leaf gets its edges after evaluation.
    opens: bool,
}

/// A group of simulations that made the same choice.
#[derive(Clone, Copy, Default)]
struct Branch {
    step: PathStep,
    /// The branch above.
    parent: u32,
    /// The number of simulations.
    simulations: u16,
    /// The index of their position.
    game: u16,
    /// The node it leads to, while the group descends.
    node: Node,
    gain: Gain,
}

/// The sum of the rewards of each player, and the sum of their squares.
#[derive(Clone, Copy, Default)]
struct Gain {
    sums: [f32; PLAYERS_MAX],
    squares: [f32; PLAYERS_MAX],
}

impl Gain {
    #[inline(always)]
    fn add(&mut self, rewards: [f32; PLAYERS_MAX], times: f32) {
        self.merge(Gain {
            sums: rewards.map(|reward| times * reward),
            squares: rewards.map(|reward| times * reward * reward),
        });
    }

    #[inline(always)]
    fn merge(&mut self, other: Gain) {
        for player in 0..PLAYERS_MAX {
            self.sums[player] += other.sums[player];
            self.squares[player] += other.squares[player];
        }
    }
}

impl<G: Game> Wave<G> {
    pub(super) fn new(width: usize, root: &G) -> Wave<G> {
        Wave {
            branches: vec![Branch::default(); 1 + width * WAVE_DEPTH_MAX],
            grown: 0,
            games: vec![root.clone(); width],
            leaves: vec![Leaf::new(root.clone()); width],
            landed: Vec::with_capacity(width),
            over: Vec::with_capacity(width),
            actions: Vec::new(),
            picks: vec![0; width],
            pending: Pending::default(),
        }
    }

    /// Runs `width` simulations at once, at most the wave's width. Adds the squared rewards to each root edge.
    #[inline(always)]
    fn run<S: Select, E: Evaluate<G>>(
        &mut self,
        tree: &mut Tree,
        parts: &mut Parts<G, S, E>,
        width: usize,
        left: Option<u32>,
        root_squares: &mut [f64],
    ) {
        self.landed.clear();
        self.over.clear();
        self.games[0].clone_from(parts.root);
        self.branches[0] = Branch { node: tree.root(), simulations: width as u16, ..Branch::default() };
        self.grown = 1;
        // The number of positions in use.
        let mut games = 1;
        let (mut level, mut depth) = (0..1, 0);
        while !level.is_empty() {
            let next = self.grown;
            for group in level {
                self.part(tree, parts, group, (depth as u32, if depth == 0 { left } else { None }));
            }
            level = next..self.grown;
            depth += 1;
            games = self.go_down(tree, parts, level.clone(), depth, games);
        }
        self.value(tree, parts);
        back_up(&mut self.branches[..self.grown], tree, root_squares);
        tree.count_root(width as u32);
    }

    /// Every simulation of a group chooses an edge. Those that chose the same edge form a new group.
    #[inline(always)]
    fn part<S: Select, E>(
        &mut self,
        tree: &mut Tree,
        parts: &mut Parts<G, S, E>,
        group: usize,
        known: (u32, Option<u32>),
    ) {
        let Branch { step, node, simulations, game, .. } = self.branches[group];
        if node.is_leaf() {
            return;
        }
        let (game, picks) = (&self.games[usize::from(game)], &mut self.picks[..simulations.into()]);
        let turn = game.turn();
        let player = choose(tree, parts, (step, node), (game, turn), known, (picks, &mut self.pending));
        let (first, mut grown) = (self.grown, self.grown);
        for &pick in &*picks {
            let branches = &mut self.branches[first..];
            match branches[..grown - first].iter_mut().find(|branch| branch.step.edge.index() == pick.into())
            {
                Some(branch) => branch.simulations += 1,
                None => {
                    let step =
                        PathStep { edge: node.edge(pick.into()), player, by_chance: turn == Turn::Chance };
                    tree.ask_for_link::<G::Action>(step.edge);
                    branches[grown - first] =
                        Branch { step, parent: group as u32, simulations: 1, ..Branch::default() };
                    grown += 1;
                }
            }
        }
        self.grown = grown;
    }

    /// All groups of a level play their chosen move, and some land. Returns the number of positions in use.
    #[inline(always)]
    fn go_down<S, E>(
        &mut self,
        tree: &mut Tree,
        parts: &Parts<G, S, E>,
        level: Range<usize>,
        depth: usize,
        mut used: usize,
    ) -> usize {
        for number in level.clone() {
            let (branches, games) = (&mut self.branches[..level.end], &mut self.games[..]);
            let Branch { step, parent, simulations, .. } = branches[number];
            // The last of a parent's groups takes over its position; the others get copies.
            let mut place = usize::from(branches[parent as usize].game);
            if branches.get(number + 1).is_some_and(|next| next.parent == parent) {
                let (before, after) = games.split_at_mut(used);
                after[0].clone_from(&before[place]);
                (place, used) = (used, used + 1);
            }
            let game = &mut games[place];
            let (action, mut node) = GameKernel::<G, S, E>::follow(tree, step.edge);
            game.play(action);
            if let Some(value) = tree.proven(step.edge) {
                branches[number].gain.add([value, parts.sum - value, 0.0, 0.0], simulations.into());
                continue;
            }
            let opens = node.is_leaf() && node.pulls > 0 && !parts.has_policy;
            if opens && depth < parts.depth && game.turn() != Turn::Over {
                self.actions.clear();
                game.actions(&mut self.actions);
                node = tree.open_at(Some(step.edge), &self.actions).unwrap_or(node);
            }
            (branches[number].node, branches[number].game) = (node, place as u16);
            if node.is_leaf() || depth == WAVE_DEPTH_MAX {
                branches[number].node = Node::default();
                self.land(parts, number, parts.has_policy && node.is_leaf() && depth < parts.depth);
            } else {
                tree.ask_for(node);
            }
        }
        used
    }

    /// A group reaches its leaf and waits for evaluation, unless the game is over. `opens` says whether the leaf then
    /// gets its edges.
    #[inline(always)]
    fn land<S, E>(&mut self, parts: &Parts<G, S, E>, number: usize, opens: bool) {
        let branch = &mut self.branches[number];
        let game = &self.games[usize::from(branch.game)];
        if game.turn() == Turn::Over {
            let rewards = parts.utility.rewards(&game.payoff());
            branch.gain.add(rewards, branch.simulations.into());
            self.over.push((number as u32, rewards[0]));
            return;
        }
        let landed = Landed { branch: number as u32, simulations: branch.simulations, opens };
        if parts.shares_looks {
            let leaf = &mut self.leaves[self.landed.len()];
            leaf.game.clone_from(game);
            leaf.actions.clear();
            leaf.policy.clear();
            if parts.has_policy {
                game.actions(&mut leaf.actions);
            }
            self.landed.push(landed);
            return;
        }
        for _ in 0..branch.simulations {
            self.leaves[self.landed.len()].game.clone_from(game);
            self.landed.push(Landed { simulations: 1, ..landed });
        }
    }

    /// Evaluates all leaves together, and opens them if there is a policy.
    #[inline(always)]
    fn value<S, E: Evaluate<G>>(&mut self, tree: &mut Tree, parts: &mut Parts<G, S, E>) {
        let leaves = &mut self.leaves[..self.landed.len()];
        if !leaves.is_empty() {
            parts.evaluate.evaluate(leaves, parts.rng);
        }
        for (leaf, &Landed { branch, simulations, opens }) in leaves.iter().zip(&self.landed) {
            let branch = &mut self.branches[branch as usize];
            let rewards = parts.utility.rewards_of(&leaf.payoff, leaf.kind, parts.range);
            branch.gain.add(rewards, simulations.into());
            if opens && let Some(node) = tree.open_at(Some(branch.step.edge), &leaf.actions) {
                tree.set_priors(node, &leaf.policy);
            }
        }
    }
}

/// Every edge counts the rewards of all simulations through it, to the player who took it.
#[inline(never)]
fn back_up(branches: &mut [Branch], tree: &mut Tree, root_squares: &mut [f64]) {
    for number in (1..branches.len()).rev() {
        let Branch { step, parent, simulations, gain, .. } = &branches[number];
        let (parent, player) = (*parent as usize, usize::from(step.player) % PLAYERS_MAX);
        tree.gain(step.edge, (*simulations).into(), gain.sums[player], gain.squares[player]);
        if parent == 0 {
            root_squares[step.edge.index()] += f64::from(gain.squares[player]);
        }
        let gain = *gain;
        branches[parent].gain.merge(gain);
    }
}

/// The path to the end of a branch.
fn path_to(branches: &[Branch], branch: u32, path: &mut Vec<PathStep>) {
    path.clear();
    let mut number = branch;
    while number > 0 {
        path.push(branches[number as usize].step);
        number = branches[number as usize].parent;
    }
    path.reverse();
}

/// Chooses an edge for each simulation of a group, by the rule or by chance. Returns the player whose rewards the
/// edges count.
#[inline(always)]
fn choose<G: Game, S: Select, E>(
    tree: &Tree,
    parts: &mut Parts<G, S, E>,
    (step, node): (PathStep, Node),
    (game, turn): (&G, Turn),
    (depth, left): (u32, Option<u32>),
    (picks, pending): (&mut [u16], &mut Pending),
) -> Player {
    let Turn::Player(player) = turn else {
        let odds = node.edges().map(|edge| game.weight(GameKernel::<G, S, E>::action(tree, edge)));
        picks.iter_mut().for_each(|pick| *pick = draw(odds.clone(), parts.rng) as u16);
        return 0;
    };
    let mut view = tree.plain_view(node, depth, left);
    if S::READS_PRIOR && parts.has_policy {
        view.prior = priors_of(parts.noisy_priors, tree, node, depth);
        view.evaluation = match depth {
            0 => parts.root_value,
            _ => evaluation_of(tree, step, player, &view, parts.reward_sum),
        };
    }
    pending.select(parts.select, &view, parts.rng, picks);
    player
}

impl<G: Game, S: Select, E: Evaluate<G>> GameKernel<G, S, E> {
    /// Runs one wave of `width` simulations, at most the wave's width, and backs up its proofs.
    #[inline(always)]
    pub(super) fn run_wave(&mut self, engine: &mut Engine, tree: &mut Tree, width: usize, left: Option<u32>) {
        let GameKernel { root, select, evaluate, wave, .. } = self;
        let width_max = engine.settings.wave;
        let wave = match wave {
            Some(wave) if wave.picks.len() == width_max => wave,
            _ => wave.insert(Wave::new(width_max, root)),
        };
        let Engine { rng, settings, root_squares, solving, has_policy, noisy_priors, range, .. } = engine;
        let (root_value, reward_sum) = (engine.root_value, engine.reward_sum);
        let shares_looks = *has_policy || !evaluate.is_random();
        let mut parts = Parts {
            root,
            select,
            evaluate,
            rng,
            utility: settings.utility,
            depth: settings.depth,
            sum: solving.unwrap_or(0.0),
            range: *range,
            has_policy: *has_policy,
            noisy_priors,
            root_value,
            reward_sum,
            shares_looks,
        };
        wave.run(tree, &mut parts, width, left, root_squares);
        let Some(sum) = engine.solving else { return };
        for index in 0..wave.over.len() {
            let (branch, value) = wave.over[index];
            path_to(&wave.branches, branch, &mut engine.path);
            engine.prove(tree, value, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Edge, Payoff, Player, Search, Utility};
    use proptest::prelude::*;

    /// Take one to three stones; who takes the last wins. With `luck`, a coin toss follows each move, and heads
    /// removes one more stone.
    #[derive(Clone, Debug, PartialEq)]
    struct Stones {
        left: u8,
        mover: Player,
        luck: bool,
        tossing: bool,
    }

    impl Game for Stones {
        type Action = u8;

        fn turn(&self) -> Turn {
            match self {
                Stones { left: 0, .. } => Turn::Over,
                Stones { tossing: true, .. } => Turn::Chance,
                Stones { mover, .. } => Turn::Player(*mover),
            }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            match self.turn() {
                Turn::Over => {}
                Turn::Chance => out.extend([0, 1]),
                Turn::Player(_) => out.extend(1..=self.left.min(3)),
            }
        }

        fn play(&mut self, stones: u8) {
            self.left -= stones;
            if !self.tossing {
                self.mover = 1 - self.mover;
            }
            self.tossing = self.luck && !self.tossing;
        }

        fn payoff(&self) -> Payoff {
            Payoff::margin(if self.mover == 1 { 1.0 } else { -1.0 })
        }

        fn has_chance(&self) -> bool {
            self.luck
        }
    }

    /// Every pull is counted once, spreads match the pulls, and means are within 0..=1.
    fn check_sums(tree: &Tree, node: Node, through: u32) {
        let view = tree.plain_view(node, 0, None);
        let below: u32 = view.pulls.iter().sum();
        assert!(below <= through, "{below} pulls below {through}");
        for (index, edge) in node.edges().enumerate() {
            let (pulls, spread) = (view.pulls[index], view.spreads[index]);
            let proven = spread == 0.0 && tree.bounds(edge).value().is_some();
            let expect = if pulls == 0 { f32::INFINITY } else { 1.0 / (pulls as f32).sqrt() };
            assert!(proven || spread == expect, "{pulls} pulls leave a spread of {spread}");
            assert!((0.0..=1.0).contains(&view.means[index]));
            let next = tree.below(edge);
            if !next.is_leaf() {
                check_sums(tree, next, pulls);
            }
        }
    }

    proptest! {
        #[test]
        fn a_wave_leaves_no_trace(
            stones in 1u8..30, luck: bool, solver: bool, width in 2usize..40, simulations in 1u64..2_000, seed: u64,
        ) {
            let game = Stones { left: stones, mover: 0, luck, tossing: false };
            let mut search = Search::new(game).wave(width).solver(solver).seed(seed).memory(1 << 26);
            let report = search.run(Budget::simulations(simulations));
            let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
            prop_assert_eq!(u64::from(pulls), report.simulations);
            prop_assert!(report.simulations == simulations || report.proven.is_some());
            let tree = search.tree().expect("a tree");
            check_sums(tree, tree.root(), tree.pulls());
        }
    }

    /// The same seed gives the same tree, and a wave of one equals the plain search.
    #[test]
    fn the_same_seed_gives_the_same_tree() {
        let game = Stones { left: 21, mover: 0, luck: true, tossing: false };
        let run = |width: usize| {
            let mut search = Search::new(game.clone()).utility(Utility::Win).wave(width).seed(3);
            search.run(Budget::simulations(5_000));
            let tree = search.tree().expect("a tree");
            let arms = |edge: Edge| {
                (tree.arm(edge), tree.edges_below(edge).map(|edge| tree.arm(edge)).collect::<Vec<_>>())
            };
            tree.root_edges().map(arms).collect::<Vec<_>>()
        };
        assert_eq!(run(8), run(8));
        let mut plain = Search::new(game.clone()).seed(3);
        plain.run(Budget::simulations(5_000));
        let pulls = |arms: &[_]| {
            arms.iter().map(|(arm, _): &(aji_bandit::Arm, Vec<_>)| arm.pulls).collect::<Vec<_>>()
        };
        let expect: Vec<u32> = plain
            .tree()
            .map_or(Vec::new(), |tree| tree.root_edges().map(|edge| tree.arm(edge).pulls).collect());
        assert_eq!(pulls(&run(1)), expect);
        assert_ne!(run(8), run(1));
    }
}
