//! Shared nodes: values tend to those of exact play, every pull is counted, no cycle is walked, and nodes ignore past
//! scores.

use crate::common::Wild;
use crate::common::woven::Woven;
use aji::bandit::Ucb1;
use aji::exact::{MaxN, Solver};
use aji::games::{ConnectFour, Mnk, Nim, Pig, TicTacToe};
use aji::{
    Agent, Arm, Budget, Game, Graph, GraphNode, GraphSearch, Hashed, Payoff, Player, Search, Turn, Utility,
};
use std::collections::HashMap;

/// Two or more piles of coins in known order. Players take the top coin of a pile in turn, and win the difference of
/// their sums. The hash leaves out the sums.
#[derive(Clone, Debug, PartialEq)]
struct Coins {
    piles: Vec<Vec<u8>>,
    margin: i32,
    mover: Player,
}

impl Coins {
    fn new(piles: &[&[u8]]) -> Coins {
        Coins { piles: piles.iter().map(|pile| pile.to_vec()).collect(), margin: 0, mover: 0 }
    }
}

impl Game for Coins {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.piles.iter().all(Vec::is_empty) { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend((0..self.piles.len() as u8).filter(|&pile| !self.piles[usize::from(pile)].is_empty()));
    }

    fn play(&mut self, pile: u8) {
        let coin = self.piles[usize::from(pile)].pop().map_or(0, i32::from);
        self.margin += if self.mover == 0 { coin } else { -coin };
        self.mover = 1 - self.mover;
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(self.margin as f32)
    }

    fn payoff_range(&self) -> (f32, f32) {
        (-40.0, 40.0)
    }
}

impl Hashed for Coins {
    fn hash(&self) -> u64 {
        let lengths = self.piles.iter().fold(u64::from(self.mover), |key, pile| key << 4 | pile.len() as u64);
        aji::Rng::seeded(lengths).bits()
    }

    fn so_far(&self) -> Option<Payoff> {
        Some(self.payoff())
    }
}

/// A walk on a ring, one step left or right at a time, until the walker stops and gets the payoff of that place.
#[derive(Clone, Debug, PartialEq)]
struct Ring {
    place: usize,
    has_stopped: bool,
}

const PRIZES: [f32; 7] = [0.1, 0.4, 0.0, 0.9, 0.2, 0.5, 0.3];

impl Game for Ring {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.has_stopped { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(if self.has_stopped { 0..0 } else { 0..3 });
    }

    fn play(&mut self, action: u8) {
        match action {
            0 => self.place = (self.place + 1) % PRIZES.len(),
            1 => self.place = (self.place + PRIZES.len() - 1) % PRIZES.len(),
            _ => self.has_stopped = true,
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff([PRIZES[self.place], 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_range(&self) -> (f32, f32) {
        (0.0, 1.0)
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }
}

impl Hashed for Ring {
    fn hash(&self) -> u64 {
        aji::Rng::seeded(self.place as u64 * 2 + u64::from(self.has_stopped)).bits()
    }
}

fn search<G: Hashed>(game: &G, c: f32, seed: u64) -> GraphSearch<G, Ucb1> {
    let utility = Utility::score(game);
    Search::new(game.clone()).utility(utility).select(Ucb1 { c }).seed(seed).memory(64 << 20).transpositions()
}

/// All nodes, each after one that leads to it.
fn nodes(graph: &Graph) -> Vec<GraphNode> {
    let mut found: Vec<GraphNode> = graph.root().into_iter().collect();
    let mut seen: std::collections::HashSet<GraphNode> = found.iter().copied().collect();
    let mut next = 0;
    while next < found.len() {
        let below = graph.edges(found[next]).filter_map(|edge| edge.below);
        found.extend(below.filter(|&node| seen.insert(node)));
        next += 1;
    }
    found
}

/// The pulls into a node equal its visits. All of them continue below, except first visits. Means are within 0..=1.
fn check_flow(name: &str, graph: &Graph, simulations: u64, has_cycles: bool) {
    let nodes = nodes(graph);
    assert_eq!(nodes.len(), graph.nodes(), "{name}: every node can be reached");
    let mut into: HashMap<GraphNode, (u64, u64)> = HashMap::new();
    into.insert(nodes[0], (simulations, 0));
    for edge in nodes.iter().flat_map(|&node| graph.edges(node)) {
        assert!((0.0..=1.0).contains(&edge.arm.mean), "{name}: {:?}", edge.arm);
        if let Some(below) = edge.below {
            let (pulls, edges) = into.entry(below).or_default();
            (*pulls, *edges) = (*pulls + u64::from(edge.arm.pulls), *edges + 1);
        }
    }
    for &node in &nodes {
        let out: u64 = graph.edges(node).map(|edge| u64::from(edge.arm.pulls)).sum();
        let (pulls, edges) = into[&node];
        assert_eq!(pulls, u64::from(graph.visits(node)), "{name}: what comes in is counted");
        assert!(out <= pulls, "{name}: {out} of {pulls} go on");
        assert!(has_cycles || pulls - out <= edges, "{name}: {out} of {pulls} by {edges} edges go on");
    }
}

/// The value of the root tends to the exact one, and the move is one of the best.
fn check_limit<G: Hashed + PartialEq + 'static>(name: &str, game: &G, simulations: u64, tolerance: f64)
where
    G::Action: std::fmt::Debug,
{
    let mut search = search(game, 0.5, 1);
    let report = search.run(Budget::simulations(simulations));
    let solved = Solver::new(64 << 20).think(game, Budget::default(), &mut ());
    let exact = |action: G::Action| {
        solved.arms.iter().find(|arm| arm.action == action).map(|arm| f64::from(arm.mean)).expect("solved")
    };
    let best = report.best.expect("an action");
    let highest = solved.arms.iter().map(|arm| f64::from(arm.mean)).fold(f64::MIN, f64::max);
    // Exact play reports points.
    let (low, high) = game.payoff_range();
    let reward = |points: f64| (points - f64::from(low)) / f64::from(high - low);
    let (found, expect) = (f64::from(report.value.expect("a value")), highest);
    let expect =
        if solved.arms.iter().all(|arm| (0.0..=1.0).contains(&arm.mean)) { expect } else { reward(expect) };
    assert!((found - expect).abs() < tolerance, "{name}: {found} is not {expect}; {:?}", report.arms);
    assert!(highest - exact(best) < 0.02, "{name}: {best:?} is worth {}, not {highest}", exact(best));
}

#[test]
fn values_tend_to_those_of_exact_play() {
    check_limit("nim", &Nim::new(&[1, 2, 4], 2, false), 100_000, 0.03);
    check_limit("nim misere", &Nim::new(&[2, 3, 3], 2, true), 100_000, 0.03);
    check_limit("mnk", &Mnk::new(3, 4, 3), 100_000, 0.05);
    check_limit("pig", &Pig::new(2, 10), 300_000, 0.03);
    check_limit("tic-tac-toe", &TicTacToe::new(), 200_000, 0.03);
    let mut game = TicTacToe::new();
    for cell in [0, 4, 8] {
        game.play(cell);
        check_limit("tic-tac-toe", &game, 100_000, 0.03);
    }
}

/// With one or two players the value of the root is that of exact play. With more, exact play can have many values and
/// averages need not tend to any of them, so the test checks only the pulls.
#[test]
fn values_of_games_that_meet_again() {
    for seed in 0..60 {
        let game = Woven::new(seed, 2 + (seed % 5) as u8, 1 + (seed % 3) as u8, seed % 2 > 0);
        let Turn::Player(player) = game.turn() else { panic!("a player begins") };
        let solved = MaxN::hashed().solve(&game, Budget::default(), &mut ()).solved().expect("a small game");
        let expect = (solved.values[usize::from(player)] + 5.0) / 10.0;
        let mut search = search(&game, 0.3, seed);
        let report = search.run(Budget::simulations(100_000));
        let value = f64::from(report.value.expect("a value"));
        let players = game.players();
        assert!(players > 2 || (value - expect).abs() < 0.03, "seed {seed}: {value} is not {expect}");
        check_flow("woven", search.graph().expect("a graph"), 100_000, false);
    }
}

#[test]
fn every_pull_is_counted() {
    for (seed, simulations) in [(1, 1), (2, 10), (3, 1_000), (4, 30_000)] {
        let mut connect_four = search(&ConnectFour::new(), 1.4, seed);
        connect_four.run(Budget::simulations(simulations));
        check_flow("connect-four", connect_four.graph().expect("a graph"), simulations, false);
        let mut nim = search(&Nim::new(&[3, 4, 5], 3, false), 1.4, seed);
        nim.run(Budget::simulations(simulations));
        check_flow("nim of three", nim.graph().expect("a graph"), simulations, false);
    }
}

/// Seven places, each one node. A walk that returns to a place ends there.
#[test]
fn cycles_are_not_walked() {
    for place in 0..PRIZES.len() {
        let mut search = search(&Ring { place, has_stopped: false }, 0.5, 5);
        let report = search.run(Budget::simulations(200_000));
        let graph = search.graph().expect("a graph");
        assert!((6..=PRIZES.len()).contains(&graph.nodes()), "{} nodes", graph.nodes());
        check_flow("ring", graph, 200_000, true);
        let value = report.value.expect("a value");
        assert!((value - 0.9).abs() < 0.06, "from {place}: {value}, {:?}", report.arms);
        assert!(report.line.len() <= PRIZES.len() + 1);
    }
}

/// Without transpositions, the graph is the tree: the same pulls and means, to the last bit.
#[test]
fn without_transpositions_it_is_the_plain_search() {
    let mut compared = 0;
    for seed in 0..40 {
        let game = Wild::new(seed, 7, 9);
        if game.turn() == Turn::Over {
            continue;
        }
        let plain = Search::new(game.clone()).seed(seed).run(Budget::simulations(3_000));
        let shared = Search::new(game).seed(seed).transpositions().run(Budget::simulations(3_000));
        assert_eq!(
            (plain.nodes, plain.best, plain.line),
            (shared.nodes, shared.best, shared.line),
            "seed {seed}"
        );
        for (plain, shared) in plain.arms.iter().zip(&shared.arms) {
            assert_eq!((plain.pulls, plain.mean), (shared.pulls, shared.mean), "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} arms");
}

/// Edges after this many simulations, in a tree and in a graph.
fn edges<G: Hashed>(game: &G, simulations: u64) -> (usize, usize) {
    let (search, budget) = (|| Search::new(game.clone()).seed(1), Budget::simulations(simulations));
    (search().run(budget).nodes, search().transpositions().run(budget).nodes)
}

#[test]
fn where_many_ways_meet_there_are_fewer_nodes() {
    let (tree, graph) = edges(&ConnectFour::new(), 50_000);
    assert!(graph < tree, "connect-four: {graph} edges, {tree} in a tree");
    for (tree, graph) in [edges(&TicTacToe::new(), 50_000), edges(&Nim::new(&[3, 5, 7], 2, false), 50_000)] {
        assert!(graph * 2 < tree, "{graph} edges, {tree} in a tree");
    }
}

#[test]
fn the_same_seed_gives_the_same_graph() {
    let run =
        |seed| Search::new(ConnectFour::new()).seed(seed).transpositions().run(Budget::simulations(5_000));
    assert_eq!(run(1).arms, run(1).arms);
    assert_ne!(run(1).arms, run(2).arms);
}

fn exact_coins(game: &Coins) -> i32 {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let below = actions.into_iter().map(|pile| {
        let mut after = game.clone();
        after.play(pile);
        exact_coins(&after)
    });
    match game.mover {
        0 => below.max(),
        _ => below.min(),
    }
    .unwrap_or(game.margin)
}

/// Positions that differ only in past payoffs share a node, and the values are right: at the start, and after every
/// move.
#[test]
fn scores_so_far_are_left_out() {
    let mut game = Coins::new(&[&[5, 1, 3], &[2, 9, 1], &[4, 4, 7, 1]]);
    let mut search = search(&game, 0.2, 3);
    let mut states = 0;
    while game.turn() != Turn::Over {
        let report = search.run(Budget::simulations(60_000));
        let value = f64::from(report.value.expect("a value"));
        let points = f64::from(exact_coins(&game)) * if game.mover == 0 { 1.0 } else { -1.0 };
        let expect = (points + 40.0) / 80.0;
        assert!((value - expect).abs() < 0.01, "{game:?}: {value} is not {expect}");
        let graph = search.graph().expect("a graph");
        states = states.max(graph.nodes());
        // 4 x 4 x 5 positions; the last is the end and has no node. The number of coins left says who is to move.
        assert!(graph.nodes() <= 79, "{} nodes", graph.nodes());
        let solved = MaxN::hashed().solve(&game, Budget::default(), &mut ()).solved().expect("solved");
        assert_eq!(solved.values[0], f64::from(exact_coins(&game)), "exact play tells the scores apart");
        game.play(report.best.expect("a move"));
        search.advance(report.best.expect("a move"));
    }
    assert!(states > 60, "{states} nodes");
}

/// A search for the win needs the score, so it does not merge positions with different scores.
#[test]
fn scores_count_where_the_win_does() {
    let game = Coins::new(&[&[5, 1, 3], &[2, 9, 1], &[4, 4, 7, 1]]);
    let mut search =
        Search::new(game.clone()).utility(Utility::Win).seed(3).select(Ucb1 { c: 0.5 }).transpositions();
    let report = search.run(Budget::simulations(200_000));
    assert!(search.graph().is_some_and(|graph| graph.nodes() > 79));
    let expect = 0.5 + 0.5 * f64::from(exact_coins(&game).signum());
    assert!((f64::from(report.value.expect("a value")) - expect).abs() < 0.05, "{report:?}");
}

/// A node by its visits and its edges, each with the number of the node it leads to.
type Portrait = (u32, Vec<(u16, Arm, Option<usize>)>);

/// All nodes reachable from a node, numbered in the order of a walk.
fn portrait(graph: &Graph, from: GraphNode) -> Vec<Portrait> {
    let mut found = vec![from];
    let mut number: HashMap<GraphNode, usize> = HashMap::from([(from, 0)]);
    let mut drawn = Vec::new();
    while drawn.len() < found.len() {
        let node = found[drawn.len()];
        let edges = graph.edges(node).map(|edge| {
            let below = edge.below.map(|below| {
                *number.entry(below).or_insert_with(|| {
                    found.push(below);
                    found.len() - 1
                })
            });
            (edge.index, edge.arm, below)
        });
        let edges = edges.collect();
        drawn.push((graph.visits(node), edges));
    }
    drawn
}

#[test]
fn advancing_keeps_what_can_be_reached() {
    let mut search = Search::new(ConnectFour::new()).seed(4).memory(400_000).transpositions();
    for _ in 0..8 {
        let report = search.run(Budget::simulations(20_000));
        let best = report.best.expect("a move");
        let mut actions = Vec::new();
        search.root().actions(&mut actions);
        let graph = search.graph().expect("a graph");
        let root = graph.root().expect("a root");
        let below = graph
            .edges(root)
            .find(|edge| actions[usize::from(edge.index)] == best)
            .and_then(|edge| edge.below);
        let expect = portrait(graph, below.expect("the best move was searched"));
        search.advance(best);
        let graph = search.graph().expect("a graph");
        assert_eq!(portrait(graph, graph.root().expect("a root")), expect);
        assert_eq!(graph.nodes(), expect.len());
        assert!(graph.bytes() <= 400_000);
    }
}
