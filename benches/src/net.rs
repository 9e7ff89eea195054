//! How fast networks are, as a share of what the CPU can do at most: multiplications and additions in registers, measured in the same rounds.

use crate::report::table;
use aji_cpu::dispatch;
use aji_net::fused::{Cpu, LANES};
use aji_net::optimizer::{Optimizer, Settings};
use aji_net::{Design, Gradient, Network, Sample, Workspace};
use aji_search::{Rng, Shape};
use std::hint::black_box;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Networks {
    /// How many rounds to run.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
}

/// The board of Connect Four.
const SHAPE: Shape = Shape { planes: 2, rows: 6, columns: 7, actions: 7 };
const DESIGNS: [Design; 4] = [
    Design::Conv { channels: 32, blocks: 3 },
    Design::Conv { channels: 48, blocks: 4 },
    Design::Conv { channels: 64, blocks: 5 },
    Design::Perceptron { hidden: [256, 128] },
];

/// Samples of a training step.
const BATCH: usize = 256;

/// Operations of one measurement, about.
const OPERATIONS: usize = 300_000_000;

/// A training step goes forward, and twice as much backward.
const PASSES: usize = 3;

/// Sums of the peak: with two vectors of numbers and one factor they fill the registers.
const SUMS: usize = 12;

struct Peak;

impl Peak {
    dispatch! { fn run, run_v3(rounds: usize, numbers: &[[f32; LANES]; 2]) -> f32 = sums_by }
}

#[inline(always)]
fn sums_by<C: Cpu>(cpu: C, rounds: usize, numbers: &[[f32; LANES]; 2]) -> f32 {
    let mut sums = [[0.0; LANES]; SUMS];
    for round in 0..rounds {
        let factor = (round & 7) as f32 * 1e-3;
        for (number, sum) in sums.iter_mut().enumerate() {
            cpu.add_product(sum, factor, &numbers[number & 1]);
        }
    }
    sums.iter().flatten().sum()
}

/// Billions of operations a second.
fn speed(operations: usize, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    work();
    operations as f64 / started.elapsed().as_secs_f64() / 1e9
}

fn peak() -> f64 {
    let rounds = OPERATIONS / (2 * SUMS * LANES);
    speed(OPERATIONS, || {
        black_box(Peak::run(black_box(rounds), &[[0.3; LANES], [0.1; LANES]]));
    })
}

fn samples() -> Vec<Sample> {
    let mut rng = Rng::seeded(1);
    let sample = |_| Sample {
        features: (0..SHAPE.features() as u32).filter(|_| rng.below(4) == 0).collect(),
        actions: (0..SHAPE.actions as u16).collect(),
        policy: vec![1.0 / SHAPE.actions as f32; SHAPE.actions],
        value: rng.unit(),
        weights: [1.0; 2],
    };
    (0..BATCH).map(sample).collect()
}

/// Looks at batches of this size on some threads, each with batches of its own.
fn looking(network: &Network, samples: &[Sample], batch: usize, threads: usize) -> f64 {
    let times = (OPERATIONS / network.operations() / batch).max(1);
    let work = || {
        let mut workspace = Workspace::new(network, batch);
        samples.iter().take(batch).for_each(|sample| workspace.add(&sample.features));
        (0..times).for_each(|_| network.look(black_box(&mut workspace)));
    };
    speed(threads * times * batch * network.operations(), || {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    })
}

fn learning(network: &Network, samples: &[Sample], threads: usize) -> f64 {
    let mut network = network.clone();
    let (mut gradient, mut optimizer) =
        (Gradient::new(&network, BATCH), Optimizer::new(&network, Settings::default()));
    let batch: Vec<&Sample> = samples.iter().collect();
    let times = (OPERATIONS / network.operations() / BATCH / PASSES).max(1);
    speed(PASSES * times * BATCH * network.operations(), || {
        for _ in 0..times {
            let direction = gradient.of(&network, &batch, threads).0;
            optimizer.step(&mut network, direction, 1e-3);
        }
    })
}

impl Networks {
    /// Measures and tells.
    pub fn run(self) -> String {
        let columns = [
            "network",
            "peak",
            "batch 1",
            "batch 32",
            "2 threads",
            "training",
            "2 threads",
            "looks/s, batch 32",
        ];
        let (mut table, samples) = (table(&columns), samples());
        for design in DESIGNS {
            let network = Network::new(SHAPE, design, 1).expect("a small network");
            let measures: [&dyn Fn() -> f64; 6] = [
                &peak,
                &|| looking(&network, &samples, 1, 1),
                &|| looking(&network, &samples, 32, 1),
                &|| looking(&network, &samples, 32, 2),
                &|| learning(&network, &samples, 1),
                &|| learning(&network, &samples, 2),
            ];
            let mut rounds: [Vec<f64>; 6] = Default::default();
            for _ in 0..self.repeats {
                rounds.iter_mut().zip(measures).for_each(|(speeds, measure)| speeds.push(measure()));
            }
            let [peak, single, many, together, learned, learned_together] = rounds.map(|mut speeds| {
                speeds.sort_by(f64::total_cmp);
                speeds[speeds.len() / 2]
            });
            let share = |speed: f64| format!("{:.0}%", 100.0 * speed / peak);
            table.add_row([
                design.to_string(),
                format!("{peak:.1} GFLOP/s"),
                share(single),
                share(many),
                format!("{:.2} x", together / many),
                share(learned),
                format!("{:.2} x", learned_together / learned),
                format!("{:.0}", many * 1e9 / network.operations() as f64),
            ]);
        }
        format!("shares of the peak, medians of {} rounds, one thread\n\n{table}\n", self.repeats)
    }
}
