//! The speed of networks as a share of the CPU's peak, which is multiplications and additions in registers, measured in
//! the same rounds. Shares use CPU time, which other programs affect little; two threads are compared with one by wall
//! time.

use crate::report::table;
use aji_cpu::dispatch;
use aji_net::fused::{Cpu, LANES};
use aji_net::optimizer::{Optimizer, Settings};
use aji_net::{Design, Gradient, Network, Sample, Workspace};
use aji_search::{Rng, Shape};
use cpu_time::ProcessTime;
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

/// The approximate number of operations of one measurement.
const OPERATIONS: usize = 1_000_000_000;

/// A training step has one forward pass, and a backward pass of twice its cost.
const PASSES: usize = 3;

/// The sums in the loop that measures the peak: with two vectors of numbers and one factor they fill the registers.
const SUMS: usize = 12;

struct Peak;

impl Peak {
    dispatch! { fn run, run_v3(rounds: usize, numbers: &[[f32; LANES]; 2]) -> f32 = sums_by }
}

#[inline(always)]
fn sums_by<C: Cpu>(cpu: C, rounds: usize, numbers: &[[f32; LANES]; 2]) -> f32 {
    let (mut sums, numbers) = ([cpu.load(&[0.0; LANES]); SUMS], numbers.map(|vector| cpu.load(&vector)));
    let factor = black_box(1e-3);
    for _ in 0..rounds {
        for (number, sum) in sums.iter_mut().enumerate() {
            *sum = cpu.add_product(*sum, factor, numbers[number & 1]);
        }
    }
    let mut stored = [[0.0; LANES]; SUMS];
    sums.into_iter().zip(&mut stored).for_each(|(sum, stored)| cpu.store(sum, stored));
    stored.iter().flatten().sum()
}

/// Billions of operations per second of CPU time, and per second of wall time.
type Speed = [f64; 2];

fn speed(operations: usize, mut work: impl FnMut()) -> Speed {
    let (cpu, clock) = (ProcessTime::now(), Instant::now());
    work();
    [cpu.elapsed(), clock.elapsed()].map(|time| operations as f64 / time.as_secs_f64() / 1e9)
}

fn peak() -> Speed {
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

/// Evaluates batches of this size on some threads, each with its own batches.
fn looking(network: &Network, samples: &[Sample], batch: usize, threads: usize) -> Speed {
    let times = (OPERATIONS / network.operations() / batch).max(1);
    let mut workspaces = vec![Workspace::new(network, batch); threads];
    for workspace in &mut workspaces {
        samples.iter().take(batch).for_each(|sample| workspace.add(&sample.features));
        network.look(workspace);
    }
    let work = |workspace: &mut Workspace| (0..times).for_each(|_| network.look(black_box(workspace)));
    speed(threads * times * batch * network.operations(), || match &mut workspaces[..] {
        [workspace] => work(workspace),
        workspaces => std::thread::scope(|scope| {
            workspaces.iter_mut().for_each(|workspace| drop(scope.spawn(|| work(workspace))));
        }),
    })
}

fn learning(network: &Network, samples: &[Sample], threads: usize) -> Speed {
    let mut network = network.clone();
    let (mut gradient, mut optimizer) =
        (Gradient::new(&network, BATCH), Optimizer::new(&network, Settings::default()));
    let batch: Vec<&Sample> = samples.iter().collect();
    let times = (OPERATIONS / network.operations() / BATCH / PASSES).max(1);
    gradient.of(&network, &batch, threads);
    speed(PASSES * times * BATCH * network.operations(), || {
        for _ in 0..times {
            let direction = gradient.of(&network, &batch, threads).0;
            optimizer.step(&mut network, direction, 1e-3);
        }
    })
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

impl Networks {
    /// Measures, and returns the table.
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
            let measures: [&dyn Fn() -> Speed; 6] = [
                &peak,
                &|| looking(&network, &samples, 1, 1),
                &|| looking(&network, &samples, 32, 1),
                &|| looking(&network, &samples, 32, 2),
                &|| learning(&network, &samples, 1),
                &|| learning(&network, &samples, 2),
            ];
            let mut rounds: [Vec<Speed>; 6] = Default::default();
            for _ in 0..self.repeats {
                rounds.iter_mut().zip(measures).for_each(|(speeds, measure)| speeds.push(measure()));
            }
            let [peak, single, many, together, learned, learned_together] =
                rounds.map(|speeds| [0, 1].map(|time| median(speeds.iter().map(|speed| speed[time]))));
            let share = |speed: Speed| format!("{:.0}%", 100.0 * speed[0] / peak[0]);
            let gain = |two: Speed, one: Speed| format!("{:.2} x", two[1] / one[1]);
            table.add_row([
                design.to_string(),
                format!("{:.1} GFLOP/s", peak[0]),
                share(single),
                share(many),
                gain(together, many),
                share(learned),
                gain(learned_together, learned),
                format!("{:.0}", many[0] * 1e9 / network.operations() as f64),
            ]);
        }
        format!(
            "shares of the peak by CPU time, one thread; two threads by wall time; medians of {} rounds\n\n{table}\n",
            self.repeats
        )
    }
}
