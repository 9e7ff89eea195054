//! A network as an evaluation of leaves: in batches, with a cache, and over all symmetries.

use aji_bandit::{Puct, Rng};
use aji_games::{ConnectFour, TicTacToe};
use aji_net::{
    BATCH_MAX, Design, Encoding, MixedEvaluation, Network, NetworkEvaluation, NetworkPlayout, Workspace,
};
use aji_search::playout::Uniform;
use aji_search::{
    Budget, Encoded, Evaluate, Game, Leaf, Report, Search, Symmetric, Turn, Utility, ValueKind,
};
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

/// Positions of random games that are not over.
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

/// The network's own evaluation of each leaf.
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

/// If the network averages over all symmetries, a position and its image have the same value.
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

/// A search by a network gives the same result with and without a cache, and when it is run again.
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

/// Positions that differ only in their history share a hash, but not a cache entry.
#[test]
fn what_is_remembered_belongs_to_the_actions() {
    let start = ConnectFour::new();
    let mut evaluation = NetworkEvaluation::new(network(&start), Encoding::symmetric(), 1 << 20);
    let policy = |evaluation: &mut NetworkEvaluation<ConnectFour>, left_out: usize| {
        let mut one = [leaf(start)];
        one[0].actions.remove(left_out);
        evaluation.evaluate(&mut one, &mut Rng::seeded(0));
        one[0].policy.clone()
    };
    let first = policy(&mut evaluation, 0);
    assert_ne!(policy(&mut evaluation, 6), first);
    assert_eq!(policy(&mut evaluation, 0), first);
    assert_eq!(evaluation.looks(), (2, 1));
}

/// Playouts by a network that has learned nothing have the same mean result as uniform playouts. Playouts that always
/// take the first action have the result of that game.
#[test]
fn playouts_follow_the_policy() {
    let start = TicTacToe::new();
    let playout = |network: Network, temperature: f32| {
        let network = NetworkEvaluation::new(Arc::new(network), Encoding::symmetric(), 1 << 20);
        NetworkPlayout::new(network, temperature)
    };
    let even = Network::new(start.shape(), Design::Perceptron { hidden: [8, 8] }, 1).unwrap();
    let mut leaves: Vec<_> = (0..4_000).map(|_| leaf(start)).collect();
    playout(even.clone(), 1.0).evaluate(&mut leaves, &mut Rng::seeded(1));
    assert!(leaves.iter().all(|leaf| leaf.game.turn() == Turn::Over && leaf.kind == ValueKind::Result));
    // The first player wins 737/1260 of random games and loses 121/420: the mean payoff is 0.2968.
    let mean = leaves.iter().map(|leaf| leaf.payoff.of(0)).sum::<f32>() / 4_000.0;
    assert!((mean - 0.2968).abs() < 0.04, "{mean}");
    // The biases of the policy, which come before those of the value, prefer low numbers.
    let mut parameters = even.parameters().to_vec();
    let used = even.used_parameters();
    let policy_bias = used.len() - 9 - 8 - 1;
    for (number, &place) in used[policy_bias..policy_bias + 9].iter().enumerate() {
        parameters[place] = -2.0 * number as f32;
    }
    let mut ordered = even;
    ordered.set_parameters(&parameters);
    let mut leaves: Vec<_> = (0..50).map(|_| leaf(start)).collect();
    playout(ordered, 0.01).evaluate(&mut leaves, &mut Rng::seeded(1));
    // Cells 0 to 6 in turn: the first player has 0, 2, 4 and 6, and wins by the diagonal.
    assert!(leaves.iter().all(|leaf| leaf.payoff.of(0) == 1.0));
}

/// The playout has the weight lambda, and the policy is the network's.
#[test]
fn values_are_mixed() {
    let start = ConnectFour::new();
    let network = network(&start);
    let fresh = || NetworkEvaluation::new(network.clone(), Encoding::symmetric(), 0);
    let mut plain = leaves(&start, 40);
    fresh().evaluate(&mut plain, &mut Rng::seeded(0));
    let mut played = leaves(&start, 40);
    Uniform.evaluate(&mut played, &mut Rng::seeded(7));
    for lambda in [0.0, 0.25, 1.0] {
        let mut mixed = MixedEvaluation::new(Box::new(fresh()), Box::new(Uniform), lambda, Utility::Win);
        assert!(mixed.has_policy() && mixed.is_random() == (lambda > 0.0));
        let mut both = leaves(&start, 40);
        mixed.evaluate(&mut both, &mut Rng::seeded(7));
        for (leaf, (plain, played)) in both.iter().zip(plain.iter().zip(&played)) {
            let result = 0.5 + 0.5 * played.payoff.of(0);
            let expect = (1.0 - lambda) * plain.payoff.of(0) + lambda * result;
            assert!((leaf.payoff.of(0) - expect).abs() < 1e-6);
            assert_eq!((leaf.kind, &leaf.policy), (ValueKind::Reward, &plain.policy));
            assert!(leaf.game == plain.game, "the leaf's position stays");
        }
    }
}
