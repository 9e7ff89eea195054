//! A network as an evaluation of leaves: in batches, with a cache, and over all symmetries.

use aji_bandit::{Puct, Rng};
use aji_games::{ConnectFour, TicTacToe};
use aji_net::{BATCH_MAX, Design, Encoding, Network, NetworkEvaluation, Workspace};
use aji_search::{Budget, Encoded, Evaluate, Game, Leaf, Report, Search, Symmetric, Turn, ValueKind};
use std::sync::Arc;
use std::time::Duration;

/// A network with random parameters.
fn network(game: &impl Encoded) -> Arc<Network> {
    let mut network = Network::new(game.shape(), Design::Conv { channels: 16, blocks: 1 }, 3).unwrap();
    let (mut rng, mut parameters) = (Rng::seeded(5), network.parameters().to_vec());
    network.used_parameters().into_iter().for_each(|index| parameters[index] += 0.5 * (rng.unit() - 0.5));
    network.set_parameters(&parameters);
    Arc::new(network)
}

fn leaf<G: Game>(game: G) -> Leaf<G> {
    let mut leaf = Leaf::new(game);
    leaf.game.actions(&mut leaf.actions);
    leaf
}

/// Live positions of random games.
fn leaves<G: Game>(start: &G, count: usize) -> Vec<Leaf<G>> {
    let (mut rng, mut scratch, mut found) = (Rng::seeded(1), Vec::new(), Vec::new());
    while found.len() < count {
        let mut game = start.clone();
        for _ in 0..rng.below(8) {
            if game.turn() != Turn::Over {
                let action = game.random_action(&mut rng, &mut scratch);
                game.play(action);
            }
        }
        if game.turn() != Turn::Over {
            found.push(leaf(game));
        }
    }
    found
}

/// The value to the mover and the policy of each leaf.
fn answers<G: Game>(leaves: &[Leaf<G>]) -> Vec<(f32, Vec<f32>)> {
    let answer = |leaf: &Leaf<G>| {
        let Turn::Player(player) = leaf.game.turn() else { panic!("a live position") };
        assert_eq!(leaf.kind, ValueKind::Reward);
        assert!((leaf.payoff.of(0) + leaf.payoff.of(1) - 1.0).abs() < 1e-6);
        (leaf.payoff.of(player), leaf.policy.clone())
    };
    leaves.iter().map(answer).collect()
}

/// What the network itself says of each leaf.
fn looks<G: Encoded>(network: &Network, leaves: &[Leaf<G>]) -> Vec<(f32, Vec<f32>)> {
    let look = |leaf: &Leaf<G>| {
        let (mut workspace, mut features, mut policy) = (Workspace::new(network, 1), Vec::new(), Vec::new());
        leaf.game.features(&mut features);
        workspace.add(&features);
        network.look(&mut workspace);
        let numbers = leaf.actions.iter().map(|&action| leaf.game.action_index(action));
        workspace.policy(0, numbers, &mut policy);
        (workspace.value(0), policy)
    };
    leaves.iter().map(look).collect()
}

#[test]
fn leaves_get_what_the_network_says() {
    let start = ConnectFour::new();
    let network = network(&start);
    let expect = looks(&network, &leaves(&start, 2 * BATCH_MAX + 9));
    for bytes in [0, 1 << 20] {
        let mut evaluation = NetworkEvaluation::new(network.clone(), Encoding::symmetric(), bytes);
        assert!(evaluation.has_policy() && !evaluation.is_random());
        for round in 0..2 {
            let mut leaves = leaves(&start, 2 * BATCH_MAX + 9);
            evaluation.evaluate(&mut leaves, &mut Rng::seeded(0));
            assert_eq!(answers(&leaves), expect, "round {round}, {bytes} bytes");
        }
        let (looks, hits) = evaluation.looks();
        assert_eq!(bytes > 0, hits > 0, "{looks} looks, {hits} hits");
    }
}

/// Where all symmetries are looked at, a position and its image are worth the same.
#[test]
fn images_are_worth_the_same() {
    let start = TicTacToe::new();
    let mut evaluation = NetworkEvaluation::new(network(&start), Encoding::symmetric(), 0).averaging(true);
    let mut rng = Rng::seeded(9);
    for _ in 0..40 {
        let symmetry = rng.below(start.symmetries());
        let (mut game, mut image) = (start, start);
        for _ in 0..rng.below(5) {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let action = actions[rng.below(actions.len())];
            game.play(action);
            image.play(start.index_image(symmetry, action.into()) as u8);
        }
        let mut both = [leaf(game), leaf(image)];
        if both.iter().any(|leaf| leaf.game.turn() == Turn::Over) {
            continue;
        }
        evaluation.evaluate(&mut both, &mut rng);
        let found = answers(&both);
        assert!((found[0].0 - found[1].0).abs() < 1e-5);
        for (&action, chance) in both[0].actions.iter().zip(&found[0].1) {
            let place = start.index_image(symmetry, action.into());
            let other = both[1].actions.iter().position(|&other| usize::from(other) == place);
            assert!((chance - found[1].1[other.expect("its image")]).abs() < 1e-5);
        }
    }
}

/// A search by a network finds the same with a cache and without, one by one and again.
#[test]
fn searches_do_not_depend_on_the_cache() {
    let start = ConnectFour::new();
    let network = network(&start);
    let search = |bytes: usize, wave: usize| {
        let evaluation = NetworkEvaluation::new(network.clone(), Encoding::symmetric(), bytes);
        let search =
            Search::new(start).select(Puct::default()).evaluate(evaluation).memory(16 << 20).wave(wave);
        let mut search = search.solver(true);
        let report = search.run(Budget::simulations(300));
        Report { time: Duration::ZERO, ..report }
    };
    for wave in [1, 8] {
        let plain = search(0, wave);
        assert!(plain.arms.iter().all(|arm| arm.prior.is_some()));
        assert_eq!(plain, search(1 << 20, wave));
    }
}

#[test]
fn another_network_forgets_what_the_first_one_said() {
    let start = TicTacToe::new();
    let first = network(&start);
    let second = Arc::new(Network::new(start.shape(), Design::Perceptron { hidden: [8, 8] }, 1).unwrap());
    let mut evaluation = NetworkEvaluation::new(first, Encoding::symmetric(), 1 << 20);
    let mut one = [leaf(start)];
    evaluation.evaluate(&mut one, &mut Rng::seeded(0));
    assert_ne!(one[0].payoff.of(0), 0.5);
    evaluation.set_network(second);
    let mut one = [leaf(start)];
    evaluation.evaluate(&mut one, &mut Rng::seeded(0));
    assert_eq!((one[0].payoff.of(0), one[0].policy.clone()), (0.5, vec![1.0 / 9.0; 9]));
}
