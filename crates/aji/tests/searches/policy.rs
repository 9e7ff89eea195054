//! Searches with a policy: against a textbook version of AlphaZero's search, and the leaves that they evaluate.

use crate::common::drawn::{
    Asked, Constant, Drawn, Pathed, Recording, actions_of, found, positions, timeless,
};
use crate::common::woven::Woven;
use crate::common::{Wild, baseline};
use aji::bandit::{Dirichlet, Gumbel, Puct, Ucb1, next_mean};
use aji::games::{ConnectFour, Hex, Pig, TicTacToe};
use aji::playout::Cutoff;
use aji::{
    Arm, Budget, Edge, Evaluate, Expansion, Game, Graph, GraphNode, Hashed, Leaf, Payoff, Player, Report,
    Rng, Search, Select, Split, Tree, Turn, Utility, ValueKind,
};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// A node of the textbook version: its arms with their priors, and the nodes below.
struct Node {
    visits: u32,
    actions: Vec<(Arm, f32)>,
    below: HashMap<usize, Box<Node>>,
}

/// AlphaZero's search (Silver et al. 2018), in simple code.
struct Textbook {
    rule: Puct,
    evaluation: Drawn,
    utility: Utility,
    rng: Rng,
}

impl Textbook {
    /// The reward of each player.
    fn rewards(&self, payoff: &Payoff, kind: ValueKind, (low, high): (f32, f32)) -> [f32; 4] {
        payoff.0.map(|points| match (kind, self.utility) {
            (ValueKind::Reward, _) => points,
            (ValueKind::Result, Utility::Win) if points == 0.0 => 0.5,
            (ValueKind::Result, Utility::Win) => f32::from(u8::from(points > 0.0)),
            (_, Utility::Score { low, high }) => ((points - low) * (1.0 / (high - low))).clamp(0.0, 1.0),
            (ValueKind::Expected, Utility::Win) => ((points - low) * (1.0 / (high - low))).clamp(0.0, 1.0),
        })
    }

    /// Expands a position with the policy as priors. Returns the rewards of the evaluation.
    fn open<G: Hashed>(&self, game: &G) -> (Node, [f32; 4]) {
        let priors = self.evaluation.priors(game);
        let actions = priors.into_iter().map(|prior| (Arm { pulls: 0, mean: 0.0 }, prior)).collect();
        let rewards = self.rewards(&self.evaluation.payoff(game), self.evaluation.kind, game.payoff_range());
        (Node { visits: 1, actions, below: HashMap::new() }, rewards)
    }

    /// PUCT: the mean, and c P sqrt(N) / (1 + n).
    fn choose(&self, node: &Node) -> usize {
        let root = (node.visits.max(1) as f32).sqrt();
        let score = |&(Arm { pulls, mean }, prior): &(Arm, f32)| {
            let mean = if pulls == 0 { self.rule.untried } else { mean };
            mean + self.rule.c * root * prior / (1.0 + pulls as f32)
        };
        let scores: Vec<f32> = node.actions.iter().map(score).collect();
        let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        scores.iter().position(|&score| score == highest).expect("an action")
    }

    /// One simulation from an expanded position. Returns its rewards.
    fn simulate<G: Hashed>(&mut self, node: &mut Node, game: &G) -> [f32; 4] {
        let actions = actions_of(game);
        let (player, chosen) = match game.turn() {
            Turn::Player(player) => (player, self.choose(node)),
            // Chance draws evenly, and its arms count the rewards of the first player.
            _ => (0, (self.rng.unit() * actions.len() as f32) as usize),
        };
        let mut after = game.clone();
        after.play(actions[chosen]);
        let rewards = if after.turn() == Turn::Over {
            self.rewards(&after.payoff(), ValueKind::Result, after.payoff_range())
        } else if let Some(below) = node.below.get_mut(&chosen) {
            self.simulate(below, &after)
        } else {
            let (below, rewards) = self.open(&after);
            node.below.insert(chosen, Box::new(below));
            rewards
        };
        let arm = &mut node.actions[chosen].0;
        arm.pulls += 1;
        arm.mean = next_mean(arm.mean, rewards[usize::from(player)], arm.pulls);
        node.visits += 1;
        rewards
    }

    /// A whole search.
    fn search<G: Hashed>(&mut self, game: &G, simulations: u64) -> Node {
        let (mut root, _) = self.open(game);
        root.visits = 0;
        (0..simulations).for_each(|_| {
            self.simulate(&mut root, game);
        });
        root
    }
}

fn bits(arm: Arm) -> (u32, u32) {
    (arm.pulls, arm.mean.to_bits())
}

/// The same arms and priors at every node. Returns how many nodes there are.
fn assert_same(tree: &Tree, edges: Vec<Edge>, priors: &[f32], node: &Node) -> usize {
    assert_eq!((edges.len(), priors.len()), (node.actions.len(), node.actions.len()));
    let mut nodes = 1;
    for (index, edge) in edges.into_iter().enumerate() {
        let (arm, prior) = node.actions[index];
        assert_eq!((bits(tree.arm(edge)), priors[index].to_bits()), (bits(arm), prior.to_bits()));
        let below: Vec<Edge> = tree.edges_below(edge).collect();
        match node.below.get(&index) {
            Some(next) => nodes += assert_same(tree, below, tree.priors_below(edge), next),
            None => assert!(below.is_empty(), "an open node that the textbook does not know"),
        }
    }
    nodes
}

/// The search grows the textbook's tree. Returns how many nodes it has.
fn check_textbook<G: Hashed<Action: Debug>>(
    game: &G,
    rule: Puct,
    evaluation: Drawn,
    utility: Utility,
    simulations: u64,
) -> usize {
    let seed = 5 + simulations;
    let mut textbook = Textbook { rule, evaluation, utility, rng: Rng::seeded(seed) };
    let root = textbook.search(game, simulations);
    let search = Search::new(game.clone()).select(rule).evaluate(evaluation).utility(utility);
    let mut search = search.seed(seed).memory(64 << 20);
    let report = search.run(Budget::simulations(simulations));
    assert_eq!(report.simulations, simulations);
    let priors: Vec<f32> = report.arms.iter().map(|arm| arm.prior.expect("a prior")).collect();
    let tree = search.tree().expect("a tree");
    let nodes = assert_same(tree, tree.root_edges().collect(), &priors, &root);
    let Turn::Player(player) = game.turn() else { return nodes };
    let value = textbook.rewards(&evaluation.payoff(game), evaluation.kind, game.payoff_range());
    assert_eq!(report.evaluation, Some(value[usize::from(player)]));
    nodes
}

/// Every kind of value, both utilities, and some constants of the rule.
fn check_textbook_of<G: Hashed<Action: Debug>>(game: &G) {
    let (low, high) = game.payoff_range();
    for evaluation in Drawn::ALL {
        for utility in [Utility::Win, Utility::Score { low, high }] {
            for (rule, simulations) in [
                (Puct::default(), 1),
                (Puct::default(), 2_000),
                (Puct { c: 0.4, untried: 0.0 }, 700),
                (Puct { c: 3.0, untried: 1.0 }, 900),
            ] {
                let nodes = check_textbook(game, rule, evaluation, utility, simulations);
                assert!(nodes as u64 > simulations / 10, "{nodes} nodes");
            }
        }
    }
}

#[test]
fn alpha_zero_in_tic_tac_toe() {
    check_textbook_of(&TicTacToe::new());
}

#[test]
fn alpha_zero_in_connect_four() {
    let mut game = ConnectFour::new();
    check_textbook_of(&game);
    game.play(3);
    check_textbook_of(&game);
}

#[test]
fn alpha_zero_with_chance() {
    check_textbook_of(&Pig::new(2, 20));
    check_textbook_of(&Pig::new(3, 12));
}

/// Without transpositions, a graph is the tree.
#[test]
fn a_graph_without_transpositions_is_the_tree() {
    let mut compared = 0;
    for seed in 0..30 {
        let game = Wild::new(seed, 9, 6);
        if game.turn() == Turn::Over {
            continue;
        }
        for evaluation in Drawn::ALL {
            let make =
                || Search::new(game.clone()).select(Puct::default()).evaluate(evaluation).memory(16 << 20);
            let budget = Budget::simulations(1_500);
            let (tree, graph) = (make().run(budget), make().transpositions().run(budget));
            let known = |report: &Report<u8>| -> Vec<_> {
                report.arms.iter().map(|arm| (arm.pulls, arm.mean.to_bits(), arm.prior)).collect()
            };
            assert_eq!(known(&tree), known(&graph), "seed {seed}");
            assert_eq!(
                (tree.nodes, &tree.line, tree.evaluation),
                (graph.nodes, &graph.line, graph.evaluation)
            );
            compared += tree.nodes;
        }
    }
    assert!(compared > 10_000, "{compared} edges");
}

/// A boxed evaluation behaves like the evaluation itself.
#[test]
fn a_boxed_policy_is_a_policy() {
    let make = || Search::new(ConnectFour::new()).select(Puct::default()).memory(16 << 20);
    let plain = make().evaluate(Drawn::ALL[1]).run(Budget::simulations(1_000));
    let boxed: Box<dyn Evaluate<ConnectFour>> = Box::new(Drawn::ALL[1]);
    assert_eq!(timeless(make().evaluate(boxed).run(Budget::simulations(1_000))), timeless(plain));
}

/// The number of expanded nodes of a tree.
fn open_nodes(tree: &Tree) -> usize {
    let mut waiting: Vec<Edge> = tree.root_edges().collect();
    let mut nodes = usize::from(!waiting.is_empty());
    while let Some(edge) = waiting.pop() {
        let below: Vec<Edge> = tree.edges_below(edge).collect();
        nodes += usize::from(!below.is_empty());
        waiting.extend(below);
    }
    nodes
}

/// No path is evaluated twice, for any wave, with and without a solver. Every evaluation expands a node.
fn check_once<G: Hashed<Action: Debug + std::hash::Hash>>(game: G, simulations: u64) {
    for (wave, solver) in [1, 8, 32].into_iter().flat_map(|wave| [(wave, false), (wave, true)]) {
        let root = Pathed::new(game.clone());
        let (evaluation, asked) = Recording::new(Drawn::ALL[1]);
        let search = Search::new(root.clone()).select(Puct::default()).evaluate(evaluation);
        let mut search = search.wave(wave).solver(solver).memory(64 << 20);
        // Two runs: the second continues the tree of the first.
        let reports = [(); 2].map(|()| search.run(Budget::simulations(simulations)));
        let simulated: u64 = reports.iter().map(|report| report.simulations).sum();
        let name = format!("wave {wave}, solver {solver}, {simulated} simulations");
        let pulls: u64 = reports[1].arms.iter().map(|arm| u64::from(arm.pulls)).sum();
        assert_eq!(pulls, simulated, "{name}");
        let asked_about = positions(&asked);
        let paths: HashSet<_> = asked_about.iter().map(|position| &position.path).collect();
        assert_eq!(paths.len(), asked_about.len(), "{name}: some position was valued twice");
        assert!(asked_about.iter().all(|position| position.turn() != Turn::Over), "{name}");
        assert_eq!(asked_about.len(), open_nodes(search.tree().expect("a tree")), "{name}");
        let slices: Vec<usize> = asked.borrow().iter().map(Vec::len).collect();
        assert!(slices.iter().all(|&leaves| (1..=wave).contains(&leaves)), "{name}");
        let ended = root.ends.get();
        let valued = asked_about.len() as u64 - 1;
        match (wave, solver) {
            (1, false) => assert_eq!(valued + ended, simulated, "{name}"),
            // The other simulations reached a proven value.
            (1, true) => assert!(valued + ended <= simulated, "{name}: {valued} valued, {ended} ended"),
            // The leaves of a wave differ, and are evaluated together.
            _ => {
                let mean = valued as f64 / (slices.len() - 1) as f64;
                assert!(mean > wave as f64 / 4.0, "{name}: {mean} leaves at a time");
            }
        }
    }
}

#[test]
fn no_leaf_is_valued_twice() {
    check_once(TicTacToe::new(), 900);
    check_once(ConnectFour::new(), 3_000);
    check_once(Hex::new(4), 3_000);
}

/// With a solver every simulation evaluates a leaf, ends the game, or reaches a proven value.
#[test]
fn every_simulation_asks_ends_or_is_proven() {
    for (game, steps) in [(TicTacToe::new(), 100_000), (TicTacToe::new(), 50)] {
        let root = Pathed::new(game);
        let (evaluation, asked) = Recording::new(Drawn::ALL[1]);
        let mut search = Search::new(root).select(Puct::default()).evaluate(evaluation).solver(true);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for _ in 0..steps {
            let before = asked.borrow().len();
            let Some(told) = search.step() else { break };
            let kind = match told.expansion {
                Expansion::Opened(_) => "opened",
                Expansion::Over => "over",
                Expansion::Proven => "proven",
                other => panic!("{other:?}"),
            };
            *counts.entry(kind).or_default() += 1;
            // The first step also evaluates the root.
            let expect = usize::from(kind == "opened") + usize::from(before == 0);
            assert_eq!(asked.borrow().len() - before, expect, "{told:?}");
        }
        assert_eq!(positions(&asked).len(), 1 + counts["opened"]);
        assert!(steps == 50 || counts["proven"] > 0 && counts["over"] > 0, "{counts:?}");
    }
}

/// In a graph no position is evaluated twice, on any path.
fn check_once_in_a_graph<G: Hashed<Action: Debug>>(game: G, simulations: u64) {
    let (evaluation, asked) = Recording::new(Drawn::ALL[1]);
    let search = Search::new(game).select(Puct::default()).evaluate(evaluation).memory(64 << 20);
    let mut search = search.transpositions();
    (0..2).for_each(|_| {
        search.run(Budget::simulations(simulations));
    });
    let asked_about = positions(&asked);
    let hashes: HashSet<u64> = asked_about.iter().map(Hashed::hash).collect();
    assert_eq!(hashes.len(), asked_about.len(), "some position was valued twice");
    assert_eq!(asked_about.len(), search.graph().expect("a graph").nodes());
}

#[test]
fn no_position_of_a_graph_is_valued_twice() {
    check_once_in_a_graph(TicTacToe::new(), 5_000);
    check_once_in_a_graph(ConnectFour::new(), 5_000);
    for seed in 0..20 {
        check_once_in_a_graph(Woven::new(seed, 6, 2, true), 1_000);
    }
}

/// The visits of a node of a graph are those that continue below, and the evaluation that expanded it.
#[test]
fn every_look_of_a_graph_is_counted_once() {
    let search = Search::new(ConnectFour::new()).select(Puct::default()).evaluate(Drawn::ALL[1]);
    let mut search = search.memory(64 << 20).transpositions();
    search.run(Budget::simulations(4_000));
    let graph: &Graph = search.graph().expect("a graph");
    let root = graph.root().expect("a root");
    let mut into: HashMap<GraphNode, u32> = HashMap::from([(root, 4_000)]);
    let (mut waiting, mut shared) = (vec![root], 0);
    while let Some(node) = waiting.pop() {
        for edge in graph.edges(node) {
            let Some(below) = edge.below else { continue };
            let known = into.contains_key(&below);
            *into.entry(below).or_default() += edge.arm.pulls;
            if known { shared += 1 } else { waiting.push(below) }
        }
    }
    for (&node, &pulls) in &into {
        let out: u32 = graph.edges(node).map(|edge| edge.arm.pulls).sum();
        let looks = u32::from(node != root);
        assert_eq!((graph.visits(node), out + looks), (pulls, pulls));
    }
    assert!(shared > 100, "{shared} ways meet");
}

/// Every leaf comes with the actions of its position and without a policy, wherever the search met it.
fn check_leaves<G: Game<Action: Debug>>(name: &str, asked: &Asked<G>, least: usize) {
    let asked = asked.borrow();
    let leaves: Vec<&Leaf<G>> = asked.iter().flatten().collect();
    assert!(leaves.len() >= least, "{name}: {} leaves", leaves.len());
    for leaf in leaves {
        assert_eq!(leaf.actions, actions_of(&leaf.game), "{name}");
        assert!(leaf.policy.is_empty(), "{name}: a policy before the evaluation");
    }
}

#[test]
fn leaves_come_with_their_actions() {
    type Change = fn(
        Search<ConnectFour, Puct, Recording<ConnectFour, Drawn>>,
    ) -> Search<ConnectFour, Puct, Recording<ConnectFour, Drawn>>;
    let changes: [(&str, Change); 6] = [
        ("plain", |search| search),
        ("solver", |search| search.solver(true)),
        ("wave", |search| search.wave(8)),
        ("a low tree", |search| search.depth(3)),
        ("a low tree in waves", |search| search.depth(3).wave(8)),
        ("a full tree", |search| {
            let least = search.memory_min();
            search.memory(least + 20_000)
        }),
    ];
    for (name, change) in changes {
        let make = || {
            let (evaluation, asked) = Recording::new(Drawn::ALL[1]);
            let search = Search::new(ConnectFour::new()).select(Puct::default()).evaluate(evaluation);
            (change(search.memory(16 << 20)), asked)
        };
        let (mut search, asked) = make();
        search.run(Budget::simulations(2_000));
        check_leaves(name, &asked, 200);
        let (search, asked) = make();
        search.transpositions().run(Budget::simulations(2_000));
        check_leaves(&format!("{name}, as a graph"), &asked, 200);
    }
}

/// A graph with cycles evaluates a position again if a cycle closes, and lists its actions again.
#[test]
fn leaves_of_cycles_come_with_their_actions() {
    let (evaluation, asked) = Recording::new(Drawn::ALL[1]);
    let search = Search::new(Pig::new(2, 10)).select(Puct::default()).evaluate(evaluation);
    search.memory(16 << 20).transpositions().run(Budget::simulations(20_000));
    check_leaves("pig", &asked, 100);
    let hashes: HashSet<u64> = positions(&asked).iter().map(Hashed::hash).collect();
    assert!(hashes.len() < positions(&asked).len(), "no cycle was closed");
}

/// The tree keeps to its depth limit: leaves there are evaluated, not expanded.
#[test]
fn a_low_tree_stays_low() {
    for (depth, wave) in [(1, 1), (2, 1), (1, 8), (2, 8)] {
        let search = Search::new(ConnectFour::new()).select(Puct::default()).evaluate(Drawn::ALL[1]);
        let mut search = search.depth(depth).wave(wave).memory(16 << 20);
        search.run(Budget::simulations(1_000));
        let tree = search.tree().expect("a tree");
        assert_eq!(tree.len(), if depth == 1 { 7 } else { 7 + 49 }, "depth {depth}, wave {wave}");
        assert_eq!(tree.pulls(), 1_000);
    }
}

/// A long corridor: one action goes on, until the corridor ends, and one leaves it.
#[derive(Clone, Debug)]
struct Corridor {
    left: u16,
    is_out: bool,
}

impl Game for Corridor {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 || self.is_out { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(if self.turn() == Turn::Over { 0..0 } else { 0..2 });
    }

    fn play(&mut self, action: u8) {
        (self.left, self.is_out) = (self.left - 1, action == 1);
    }

    fn payoff(&self) -> Payoff {
        Payoff([if self.is_out { -1.0 } else { 1.0 }, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }
}

/// Waves go down 512 levels. Nodes that are expanded there stay as they are.
#[test]
fn waves_open_no_node_twice_at_their_deepest() {
    let straight_on =
        Constant::new(Payoff([0.9, 0.0, 0.0, 0.0]), ValueKind::Reward).with_policy(|_| vec![1.0, 0.0]);
    let search = Search::new(Corridor { left: 2_000, is_out: false }).select(Puct::default());
    let mut search = search.evaluate(straight_on).wave(4).memory(64 << 20);
    search.run(Budget::simulations(4_000));
    let tree = search.tree().expect("a tree");
    // The root and one node for each of 512 levels, of two edges each.
    assert_eq!((tree.len(), open_nodes(tree)), (2 * 513, 513));
}

/// An edge: its place, its action, its pulls, the bits of its mean and of the priors below.
type Known<A> = (usize, Option<A>, u32, u32, Vec<u32>);

fn edges<G: Game, S: Select, E: Evaluate<G>>(search: &Search<G, S, E>) -> Vec<Known<G::Action>> {
    let tree = search.tree().expect("a tree");
    let mut known = Vec::new();
    let mut waiting: Vec<Edge> = tree.root_edges().collect();
    while let Some(edge) = waiting.pop() {
        let (pulls, mean) = bits(tree.arm(edge));
        let priors = tree.priors_below(edge).iter().map(|prior| prior.to_bits()).collect();
        known.push((edge.index(), search.action(edge), pulls, mean, priors));
        waiting.extend(tree.edges_below(edge));
    }
    known
}

/// Steps make the simulations of a run. A leaf is expanded on its first visit, and its path ends with the choice that
/// led to it.
fn check_steps<G, S>(make: impl Fn() -> Search<G, S, Drawn>, steps: u64)
where
    G: Hashed<Action: Debug>,
    S: Select,
{
    let mut stepping = make();
    for step in 0..steps {
        let Some(told) = stepping.step() else { panic!("step {step} of {steps}") };
        let mut game = stepping.root().clone();
        for choice in &told.path {
            assert_eq!(choice.turn, game.turn());
            assert_eq!(choice.arms.iter().map(|&(action, _)| action).collect::<Vec<_>>(), actions_of(&game));
            assert_eq!(choice.after.pulls, choice.before().pulls + 1);
            game.play(choice.action());
        }
        let last = told.path.last().expect("a choice");
        match told.expansion {
            Expansion::Opened(count) => {
                assert_eq!((count, last.before().pulls), (actions_of(&game).len(), 0));
                assert_eq!((told.payoff, told.playout), (Some(Drawn::ALL[1].payoff(&game)), None));
                // The leaf's value is the first value of its edge.
                let player = if let Turn::Player(player) = last.turn { usize::from(player) } else { 0 };
                assert_eq!(last.after, Arm { pulls: 1, mean: told.rewards[player] });
            }
            Expansion::Over => assert_eq!((game.turn(), told.payoff), (Turn::Over, Some(game.payoff()))),
            Expansion::Proven => assert_eq!(told.payoff, None),
            other => panic!("{other:?} at step {step}"),
        }
    }
    let mut running = make();
    running.run(Budget::simulations(steps));
    assert_eq!(edges(&running), edges(&stepping));
    let more = Budget::simulations(50);
    assert_eq!(found(running.run(more)), found(stepping.run(more)));
}

#[test]
fn steps_with_a_policy_are_a_run() {
    fn make<G: Hashed>(game: G) -> Search<G, Puct, Drawn> {
        Search::new(game).select(Puct::default()).evaluate(Drawn::ALL[1]).seed(3).memory(16 << 20)
    }
    for steps in [1, 2, 40, 1_500] {
        check_steps(|| make(TicTacToe::new()), steps);
        check_steps(|| make(ConnectFour::new()), steps);
        check_steps(|| make(Pig::new(2, 20)), steps);
        check_steps(|| make(ConnectFour::new()).solver(true), steps);
        check_steps(|| make(ConnectFour::new()).select(Split::new(Ucb1::default(), Puct::default())), steps);
    }
}

/// The report of a step whose leaf cannot be expanded.
#[test]
fn steps_tell_why_a_leaf_stays_closed() {
    let make = || Search::new(TicTacToe::new()).select(Puct::default()).evaluate(Drawn::ALL[1]);
    let mut low = make().depth(1);
    assert!((0..20).all(|_| low.step().expect("a simulation").expansion == Expansion::Deepest));
    let least = make().memory_min();
    let mut full = make().memory(least);
    assert!((0..20).all(|_| full.step().expect("a simulation").expansion == Expansion::Full));
}

/// A step may free nodes first.
#[test]
fn steps_go_on_where_nodes_are_freed() {
    fn check<E: Evaluate<ConnectFour>>(search: Search<ConnectFour, Puct, E>) {
        let least = search.memory_min();
        let mut search = search.memory(least + 10_000).recycle(true);
        let mut opened = 0;
        for _ in 0..3_000 {
            let told = search.step().expect("a simulation");
            if let Expansion::Opened(count) = told.expansion {
                assert!((1..=7).contains(&count), "{count} actions");
                opened += 1;
            }
        }
        assert!(opened > 1_000 && search.tree().is_some_and(|tree| tree.recycled() > 0), "{opened}");
    }
    let search = || Search::new(ConnectFour::new()).select(Puct::default());
    check(search());
    check(search().evaluate(Drawn::ALL[1]));
}

/// The results of searches with a policy in many configurations: the same for the same seed, on any CPU.
fn everything(seed: u64) -> Vec<String> {
    fn add<A: Debug>(all: &mut Vec<String>, report: Report<A>) {
        all.push(format!("{:?}", timeless(report)));
    }
    let budget = Budget::simulations(700);
    let mut all = Vec::new();
    for evaluation in Drawn::ALL {
        let make = || {
            let search = Search::new(ConnectFour::new()).select(Puct::default()).evaluate(evaluation);
            search.seed(seed).memory(16 << 20).lines(3)
        };
        let noisy = || make().noise(Dirichlet::default());
        add(&mut all, make().run(budget));
        add(&mut all, noisy().run(budget));
        add(&mut all, noisy().wave(8).run(budget));
        add(&mut all, noisy().solver(true).wave(32).run(budget));
        add(&mut all, noisy().transpositions().run(budget));
        add(&mut all, make().select(Gumbel::default()).run(budget));
        add(&mut all, make().select(Gumbel::default()).wave(8).run(budget));
        let least = make().memory_min();
        add(&mut all, noisy().memory(least + 10_000).recycle(true).run(budget));
        let pig = || Search::new(Pig::new(2, 30)).select(Puct::default()).evaluate(evaluation).seed(seed);
        add(&mut all, pig().run(budget));
        add(&mut all, pig().wave(8).run(budget));
        add(&mut all, pig().transpositions().run(budget));
        let mut stepping = noisy();
        all.extend((0..50).map(|_| format!("{:?}", stepping.step())));
    }
    let guess = || Search::new(ConnectFour::new()).evaluate(Cutoff::heuristic(0)).seed(seed);
    add(&mut all, guess().run(budget));
    add(&mut all, guess().wave(8).run(budget));
    add(&mut all, guess().transpositions().run(budget));
    all
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let first = everything(7);
    assert_eq!(first, everything(7));
    assert_eq!(first, baseline(|| everything(7)));
    assert_ne!(first, everything(8));
}

/// The report has the evaluation of the root, for the player to act.
#[test]
fn the_evaluation_of_the_root_is_told() {
    let mut game = TicTacToe::new();
    for player in [0, 1] {
        let evaluation = || Constant::new(Payoff::margin(0.3), ValueKind::Expected).with_policy(|_| vec![]);
        let expect = Some(if player == 0 { 0.65 } else { 0.35 });
        assert_eq!(game.turn(), Turn::Player(player as Player));
        let search = || Search::new(game).select(Puct::default()).evaluate(evaluation());
        let close = |found: Option<f32>| {
            found.zip(expect).is_some_and(|(found, expect): (f32, f32)| (found - expect).abs() < 1e-6)
        };
        assert!(close(search().run(Budget::simulations(1)).evaluation));
        assert!(close(search().transpositions().run(Budget::simulations(1)).evaluation));
        // After a change to an evaluation without a policy, the report has none.
        let mut asked = search();
        asked.run(Budget::simulations(10));
        let mut other = asked.evaluate(aji::playout::Uniform);
        assert_eq!(other.run(Budget::simulations(10)).evaluation, None);
        if player == 0 {
            game.play(4);
        }
    }
}
