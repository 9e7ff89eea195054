//! The search against a textbook version: the same algorithm in simple code, with a box for every node. Both must agree
//! on every count, for any game, rule and seed.

use crate::common::Wild;
use aji::bandit::{
    Allowance, Arms, Epsilon, Gumbel, Halving, KlUcb, KnowledgeGradient, Rejects, Select, Thompson, TopTwo,
    Ucb1, UcbSqrt, UcbTuned, Uniform, Voi,
};
use aji::{Budget, Edge, Game, Rng, Search, Split, Tree, Turn};
use proptest::prelude::*;

/// A node of the textbook's tree: its arms, and the nodes below them.
struct Node {
    arms: Arms,
    visits: u32,
    below: Vec<Option<Box<Node>>>,
}

impl Node {
    fn leaf() -> Node {
        Node { arms: Arms::new(0), visits: 0, below: Vec::new() }
    }
}

/// One simulation below a node; returns both players' rewards.
fn simulate<G: Game>(
    node: &mut Node,
    mut game: G,
    rule: &mut impl Select,
    depth: u32,
    rng: &mut Rng,
) -> [f32; 2] {
    let rewards = match game.turn() {
        Turn::Player(player) if node.visits > 0 || depth == 0 => {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            if node.below.is_empty() {
                node.arms = Arms::new(actions.len());
                node.below.resize_with(actions.len(), || None);
            }
            let view = aji::bandit::View { depth, total: node.visits, ..node.arms.view() };
            let chosen = rule.select(&view, rng);
            game.play(actions[chosen]);
            let below = node.below[chosen].get_or_insert_with(|| Box::new(Node::leaf()));
            let rewards = simulate(below, game, rule, depth + 1, rng);
            node.arms.add(chosen, rewards[usize::from(player)]);
            rewards
        }
        _ => {
            let points = game.playout(rng, &mut Vec::new()).of(0);
            [0.5 + 0.5 * points, 0.5 - 0.5 * points]
        }
    };
    node.visits += 1;
    rewards
}

/// Counts and means of the whole tree, in order.
fn assert_same(tree: &Tree, edges: Vec<Edge>, node: &Node) {
    assert_eq!(edges.len(), node.below.len());
    for (index, edge) in edges.into_iter().enumerate() {
        let (found, expect) = (tree.arm(edge), node.arms.view().arm(index));
        assert_eq!(found, expect);
        if let Some(below) = &node.below[index] {
            assert_same(tree, tree.edges_below(edge).collect(), below);
        }
    }
}

/// The textbook version keeps no `squares`, so rules that read them are tested elsewhere.
fn check<R: Select + Copy>(game: &Wild, rule: R, seed: u64, simulations: u64) {
    let mut search = Search::new(game.clone()).select(rule).seed(seed);
    let report = search.run(Budget::simulations(simulations));
    let (mut root, mut rng, mut rule) = (Node::leaf(), Rng::seeded(seed), rule);
    if game.turn() != Turn::Over {
        (0..simulations).for_each(|_| {
            simulate(&mut root, game.clone(), &mut rule, 0, &mut rng);
        });
        let tree = search.tree().expect("a run makes a tree");
        assert_eq!(u64::from(tree.pulls()), simulations);
        assert_same(tree, tree.root_edges().collect(), &root);
    }
    assert_eq!(report.simulations, u64::from(root.visits));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_count_agrees(seed: u64, plies in 1u8..9, width in 1u8..20, simulations in 1u64..700) {
        let game = Wild::new(seed, plies, width);
        check(&game, Ucb1 { c: 0.9 }, seed, simulations);
        check(&game, UcbSqrt::default(), seed, simulations);
        check(&game, Split::new(Uniform, Ucb1 { c: 0.0 }), seed, simulations);
        check(&game, Voi::default(), seed, simulations);
        check(&game, Split::new(KnowledgeGradient, KlUcb::default()), seed, simulations);
        check(&game, Split::new(TopTwo::default(), Thompson::default()), seed, simulations);
        let anytime = Allowance::Anytime;
        check(&game, Split::new(Halving { budget: anytime }, Rejects::new(anytime)), seed, simulations);
        check(&game, Split::new(Uniform, Gumbel::default()), seed, simulations);
        check(&game, Split::new(Epsilon { epsilon: 0.3 }, Epsilon { epsilon: 0.1 }), seed, simulations);
    }
}

/// The tree keeps the mean squares that UCB1-Tuned reads: with rewards of 0, 1/2 and 1 the standard errors stay within
/// their bounds.
#[test]
fn squares_are_kept_for_the_rule_that_reads_them() {
    let game = Wild::new(5, 6, 6);
    let mut search = Search::new(game).select(UcbTuned).seed(2);
    let report = search.run(Budget::simulations(5_000));
    let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
    assert_eq!(pulls, 5_000);
    for arm in report.arms.iter().filter(|arm| arm.pulls > 1) {
        // The largest standard error of rewards in 0..=1 with this mean.
        let most = (arm.mean * (1.0 - arm.mean) / (arm.pulls - 1) as f32).sqrt();
        assert!(arm.error.is_some_and(|error| error <= most + 1e-4), "{arm:?}");
    }
}
