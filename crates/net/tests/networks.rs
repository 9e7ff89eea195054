//! Networks against plain implementations: every layer by naive loops, gradients by finite differences. Also the same
//! bits on one thread and several, with and without the newer instructions of the CPU.

use aji_bandit::Rng;
use aji_net::kernel::{self, Finish, Layout};
use aji_net::optimizer::{Optimizer, Settings};
use aji_net::{Design, Gradient, Loss, Network, Sample, Workspace};
use aji_search::Shape;

fn shape(planes: usize, rows: usize, columns: usize, actions: usize) -> Shape {
    Shape { planes, rows, columns, actions }
}

const DESIGNS: [Design; 3] = [
    Design::Conv { channels: 8, blocks: 1 },
    Design::Conv { channels: 24, blocks: 2 },
    Design::Perceptron { hidden: [24, 16] },
];

/// A network with random parameters, as after some training.
fn network(shape: Shape, design: Design, seed: u64) -> Network {
    let mut network = Network::new(shape, design, seed).unwrap();
    let mut rng = Rng::seeded(seed);
    let used = network.used_parameters();
    let mut parameters = network.parameters().to_vec();
    for index in used {
        parameters[index] += 0.1 * (rng.unit() - 0.5);
    }
    network.set_parameters(&parameters);
    network
}

fn sample(shape: Shape, rng: &mut Rng) -> Sample {
    let features = (0..shape.features() as u32).filter(|_| rng.below(3) == 0).collect();
    let mut actions: Vec<u16> = (0..shape.actions as u16).filter(|_| rng.below(4) > 0).collect();
    if actions.is_empty() {
        actions.push(0);
    }
    let mut policy: Vec<f32> = actions.iter().map(|_| rng.unit() * rng.unit()).collect();
    let sum: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|chance| *chance /= sum);
    Sample { features, actions, policy, value: rng.unit(), weights: [0.5 + rng.unit(), rng.unit()] }
}

fn samples(shape: Shape, count: usize, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::seeded(seed);
    (0..count).map(|_| sample(shape, &mut rng)).collect()
}

fn loss_of(network: &Network, samples: &[Sample]) -> f64 {
    let batch: Vec<&Sample> = samples.iter().collect();
    let Loss { policy, value, .. } = Gradient::new(network, samples.len()).of(network, &batch, 1).1;
    policy + value
}

#[test]
fn gradients_are_those_of_small_steps() {
    for (number, design) in DESIGNS.into_iter().enumerate() {
        let shape = shape(3, 4, 3, 10);
        let network = network(shape, design, 7 + number as u64);
        let samples = samples(shape, 6, 3);
        let batch: Vec<&Sample> = samples.iter().collect();
        let mut gradient = Gradient::new(&network, 6);
        let gradient = gradient.of(&network, &batch, 1).0;
        let mut rng = Rng::seeded(1);
        let used = network.used_parameters();
        let mut bent = 0;
        for _ in 0..400 {
            let index = used[rng.below(used.len())];
            let at = |step: f32| {
                let mut moved = network.clone();
                let mut parameters = network.parameters().to_vec();
                parameters[index] += step;
                moved.set_parameters(&parameters);
                loss_of(&moved, &samples)
            };
            let step = 5e-4;
            let [below, here, above] = [at(-step), at(0.0), at(step)];
            let [left, right] = [(here - below) / f64::from(step), (above - here) / f64::from(step)];
            let expect = (left + right) / 2.0;
            if (left - right).abs() > 2e-3 + 0.02 * expect.abs() {
                // The step crossed the kink of a rectifier, where the slope changes.
                bent += 1;
                continue;
            }
            let found = f64::from(gradient[index]);
            assert!(
                (found - expect).abs() < 2e-3 + 0.03 * expect.abs(),
                "{design} {index}: {found} is not {expect}"
            );
        }
        assert!(bent < 60, "{design}: {bent} of 400 cannot be judged");
        let unused = (0..gradient.len()).filter(|index| !used.contains(index));
        assert!(unused.clone().count() > 0 && unused.into_iter().all(|index| gradient[index] == 0.0));
    }
}

/// Computes every row and output by its definition.
fn multiply_plainly(input: &[f32], layout: Layout, weights: &[f32], bias: &[f32], output: &mut [f32]) {
    for (&from, &to) in layout.inputs.iter().zip(layout.outputs) {
        for number in 0..layout.width {
            let mut sum = bias[number];
            for (tap, &offset) in layout.taps.iter().enumerate() {
                for place in 0..layout.depth {
                    let weight = weights[(tap * layout.depth + place) * layout.width + number];
                    #[allow(clippy::disallowed_methods, reason = "one rounding, by definition")]
                    let next = input[(from + offset) as usize + place].mul_add(weight, sum);
                    sum = next;
                }
            }
            output[to as usize + number] = sum;
        }
    }
}

#[test]
fn kernels_are_plain_sums() {
    let mut rng = Rng::seeded(11);
    for _ in 0..150 {
        let (depth, width) = (1 + rng.below(20), 8 * (1 + rng.below(6)));
        let (taps, rows) = (1 + rng.below(9), 1 + rng.below(30));
        let tap: Vec<u32> = (0..taps).map(|_| rng.below(40) as u32).collect();
        let inputs: Vec<u32> = (0..rows).map(|_| rng.below(100) as u32).collect();
        let outputs: Vec<u32> = (0..rows).map(|row| (row * (width + 3)) as u32).collect();
        let layout = Layout { inputs: &inputs, outputs: &outputs, taps: &tap, depth, width };
        let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() - 0.5).collect() };
        let (input, weights, bias) = (numbers(200), numbers(taps * depth * width), numbers(width));
        let before = numbers(rows * (width + 3));
        let (mut packed, mut plain) = (Vec::new(), before.clone());
        kernel::pack(&weights, width, &mut packed);
        multiply_plainly(&input, layout, &weights, &bias, &mut plain);
        let is_output = |place: usize| place % (width + 3) < width;
        for finish in [Finish::Store, Finish::Relu, Finish::Add, Finish::AddRelu] {
            let expect = |place: usize| match finish {
                _ if !is_output(place) => before[place],
                Finish::Store => plain[place],
                Finish::Relu => plain[place].max(0.0),
                Finish::Add => plain[place] + before[place],
                Finish::AddRelu => (plain[place] + before[place]).max(0.0),
            };
            let mut found = before.clone();
            kernel::multiply(&input, layout, &packed, &bias, finish, &mut found);
            assert!(
                (0..found.len()).all(|place| found[place].to_bits() == expect(place).to_bits()),
                "{finish:?}"
            );
        }
        let mut gradient = weights.clone();
        kernel::accumulate(&input, layout, &before, &mut gradient);
        for (index, found) in gradient.iter().enumerate() {
            let (tap, place, number) = (index / width / depth, index / width % depth, index % width);
            let mut sum = weights[index];
            for (&from, &to) in inputs.iter().zip(&outputs) {
                #[allow(clippy::disallowed_methods, reason = "one rounding, by definition")]
                let next = input[(from + layout.taps[tap]) as usize + place]
                    .mul_add(before[to as usize + number], sum);
                sum = next;
            }
            assert_eq!(found.to_bits(), sum.to_bits());
        }
    }
}

/// A position has the same evaluation alone and in a batch, on any CPU, with a sparse and with a dense input.
#[test]
fn positions_do_not_depend_on_their_neighbours() {
    for design in DESIGNS {
        let shape = shape(2, 6, 7, 7);
        let network = network(shape, design, 5);
        let samples = samples(shape, 13, 2);
        let look = |samples: &[Sample]| {
            let mut workspace = Workspace::new(&network, samples.len());
            samples.iter().for_each(|sample| workspace.add(&sample.features));
            network.look(&mut workspace);
            let answer = |position| (workspace.logits(position).to_vec(), workspace.value(position));
            (0..samples.len()).map(answer).collect::<Vec<_>>()
        };
        let together = look(&samples);
        for (position, sample) in samples.iter().enumerate() {
            assert_eq!(look(std::slice::from_ref(sample))[0], together[position]);
        }
        aji_cpu::pretend_baseline(true);
        let portable = look(&samples);
        aji_cpu::pretend_baseline(false);
        assert_eq!(portable, together);
    }
}

/// Training gives the same bits on one thread and more, and on any CPU.
#[test]
fn learning_does_not_depend_on_threads_or_cpus() {
    let shape = shape(2, 3, 5, 6);
    let learn = |design: Design, threads: usize| {
        let mut network = network(shape, design, 4);
        let samples = samples(shape, 30, 9);
        let mut gradient = Gradient::new(&network, 10);
        let mut optimizer = Optimizer::new(&network, Settings::default());
        for step in 0..6 {
            let batch: Vec<&Sample> = samples.iter().skip(step * 5).take(10).collect();
            let parts = gradient.of(&network, &batch, threads).0;
            optimizer.step(&mut network, parts, 0.01);
        }
        network.parameters().iter().map(|parameter| parameter.to_bits()).collect::<Vec<_>>()
    };
    for design in DESIGNS {
        let one = learn(design, 1);
        for threads in [2, 3, 4, 9] {
            assert_eq!(learn(design, threads), one);
        }
        aji_cpu::pretend_baseline(true);
        let portable = learn(design, 2);
        aji_cpu::pretend_baseline(false);
        assert_eq!(portable, one);
    }
}

/// The network learns a handful of samples by heart.
#[test]
fn a_few_samples_are_learned_by_heart() {
    for design in [Design::Conv { channels: 16, blocks: 2 }, Design::Perceptron { hidden: [64, 32] }] {
        let shape = shape(2, 4, 4, 8);
        let mut network = Network::new(shape, design, 3).unwrap();
        let samples: Vec<Sample> =
            samples(shape, 16, 6).into_iter().map(|sample| Sample { weights: [1.0; 2], ..sample }).collect();
        let batch: Vec<&Sample> = samples.iter().collect();
        let mut gradient = Gradient::new(&network, 16);
        let mut optimizer = Optimizer::new(&network, Settings { decay: 0.0, ..Settings::default() });
        let before = loss_of(&network, &samples);
        for _ in 0..600 {
            let parts = gradient.of(&network, &batch, 2).0;
            optimizer.step(&mut network, parts, 0.003);
        }
        let after = loss_of(&network, &samples);
        assert!(before > 0.2 && after < 0.005, "{design}: {before} became {after}");
    }
}

/// A network that has learned nothing has a uniform policy and a value of a half.
#[test]
fn new_networks_know_nothing() {
    for design in DESIGNS {
        let shape = shape(2, 3, 3, 9);
        let network = Network::new(shape, design, 1).unwrap();
        let mut workspace = Workspace::new(&network, 1);
        workspace.add(&[0, 4, 17, 99_999]);
        network.look(&mut workspace);
        let mut policy = Vec::new();
        workspace.policy(0, [1, 5, 7, 8].into_iter(), &mut policy);
        assert_eq!((workspace.value(0), policy), (0.5, vec![0.25; 4]));
    }
    let refused = Network::new(shape(0, 3, 3, 9), DESIGNS[0], 1).unwrap_err();
    assert!(refused.contains("planes"), "{refused}");
    let refused = Network::new(shape(1, 33, 3, 9), DESIGNS[0], 1).unwrap_err();
    assert!(refused.contains("33 rows: expected at most 32"), "{refused}");
}

#[test]
fn a_grown_network_gives_the_same_answers_and_learns_with_all_of_its_parameters() {
    let shape = shape(3, 4, 3, 10);
    let samples = samples(shape, 6, 5);
    let check = |small: Design, large: Design| {
        let small = network(shape, small, 3);
        let large = small.grown(large, 4).unwrap();
        let answers = |network: &Network| {
            let mut workspace = Workspace::new(network, samples.len());
            samples.iter().for_each(|sample| workspace.add(&sample.features));
            network.look(&mut workspace);
            let of = |position| (workspace.logits(position).to_vec(), workspace.value(position));
            (0..samples.len()).map(of).collect::<Vec<_>>()
        };
        for ((logits, value), (same_logits, same_value)) in answers(&small).iter().zip(answers(&large)) {
            assert!((value - same_value).abs() < 1e-5);
            assert!(logits.iter().zip(&same_logits).all(|(logit, same)| (logit - same).abs() < 1e-5));
        }
        // New parameters learn too: more of them move than the small network has.
        let mut learned = large.clone();
        let batch: Vec<&Sample> = samples.iter().collect();
        let mut gradient = Gradient::new(&learned, samples.len());
        for _ in 0..3 {
            let step = gradient.of(&learned, &batch, 1).0.to_vec();
            let moved =
                learned.parameters().iter().zip(&step).map(|(parameter, slope)| parameter - 0.1 * slope);
            let moved: Vec<f32> = moved.collect();
            learned.set_parameters(&moved);
        }
        let changed =
            large.parameters().iter().zip(learned.parameters()).filter(|(old, new)| old != new).count();
        assert!(changed > small.used_parameters().len(), "{changed} parameters have changed");
        assert!(loss_of(&learned, &samples) < loss_of(&large, &samples));
    };
    check(DESIGNS[0], DESIGNS[1]);
    check(DESIGNS[0], Design::Conv { channels: 8, blocks: 3 });
    check(DESIGNS[2], Design::Perceptron { hidden: [40, 16] });
    let small = network(shape, DESIGNS[1], 3);
    assert!(small.grown(DESIGNS[0], 1).unwrap_err().contains("does not grow to conv channels=8 blocks=1"));
    assert!(small.grown(DESIGNS[2], 1).is_err());
}
