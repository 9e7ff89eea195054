//! The gradient of the loss, by backpropagation.
//!
//! The loss of a sample is the cross-entropy of its policy, over the legal actions, and of its value. A batch is split
//! into a fixed number of parts, and their gradients are added in order, so that the result does not depend on the
//! number of threads.

use crate::kernel::{self, Finish};
use crate::math::{ln, logistic, softmax};
use crate::network::{Network, Workspace};
use crate::plan::{Connection, Layer, Plan};
use crate::sample::Sample;

/// The number of parts of a batch.
pub const PARTS: usize = 4;

/// The mean loss of some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Cross-entropy of the policy minus the entropy of the target: 0 is perfect.
    pub policy: f64,
    /// Cross-entropy of the value, likewise.
    pub value: f64,
    /// The entropy of the network's policy.
    pub entropy: f64,
}

/// The gradient of the loss of a batch.
#[derive(Debug)]
pub struct Gradient {
    parts: Vec<Part>,
    /// Each layer's weights, transposed for the backward pass.
    turned: Vec<Vec<f32>>,
    sum: Vec<f32>,
}

/// The buffers and the results of one part of a batch.
#[derive(Debug)]
struct Part {
    workspace: Workspace,
    /// The gradient of every buffer.
    buffers: Vec<Vec<f32>>,
    parameters: Vec<f32>,
    /// Zeros: the backward pass has no biases.
    nothing: Vec<f32>,
    loss: Loss,
}

impl Gradient {
    /// Buffers for batches of up to this many samples.
    pub fn new(network: &Network, batch: usize) -> Gradient {
        let part = |_| Part::new(network, batch.div_ceil(PARTS));
        Gradient {
            parts: (0..PARTS).map(part).collect(),
            turned: vec![Vec::new(); network.plan.layers.len()],
            sum: vec![0.0; network.parameters().len()],
        }
    }

    /// The gradient of the mean loss over a batch, on this many threads, and the loss.
    pub fn of(&mut self, network: &Network, batch: &[&Sample], threads: usize) -> (&mut [f32], Loss) {
        for (layer, turned) in network.plan.layers.iter().zip(&mut self.turned) {
            turn_around(layer, &network.parameters()[layer.weights.clone()], turned);
        }
        let share = |part: usize| batch.len() * part / PARTS;
        let shares: Vec<&[&Sample]> = (0..PARTS).map(|part| &batch[share(part)..share(part + 1)]).collect();
        let turned = &self.turned;
        let mut work: Vec<(&mut Part, &[&Sample])> = self.parts.iter_mut().zip(shares).collect();
        let each = PARTS.div_ceil(threads.clamp(1, PARTS));
        std::thread::scope(|scope| {
            for some in work.chunks_mut(each) {
                scope.spawn(move || {
                    for (part, samples) in some {
                        part.work(network, turned, samples, batch.len());
                    }
                });
            }
        });
        let mut loss = Loss::default();
        self.sum.fill(0.0);
        for part in &self.parts {
            for (sum, gradient) in self.sum.iter_mut().zip(&part.parameters) {
                *sum += gradient;
            }
            loss.policy += part.loss.policy;
            loss.value += part.loss.value;
            loss.entropy += part.loss.entropy;
        }
        (&mut self.sum, loss)
    }
}

impl Part {
    fn new(network: &Network, room: usize) -> Part {
        let workspace = Workspace::new(network, room);
        let plan = &network.plan;
        let widest = plan.layers.iter().map(|layer| layer.depth).max().unwrap_or(0);
        Part {
            buffers: workspace.values.clone(),
            nothing: vec![0.0; widest],
            parameters: vec![0.0; network.parameters().len()],
            loss: Loss::default(),
            workspace,
        }
    }

    fn work(&mut self, network: &Network, turned: &[Vec<f32>], samples: &[&Sample], batch: usize) {
        self.workspace.clear();
        samples.iter().for_each(|sample| self.workspace.add(&sample.features));
        network.look(&mut self.workspace);
        self.parameters.fill(0.0);
        for (number, buffer) in self.buffers.iter_mut().enumerate() {
            buffer[..samples.len() * network.plan.size(number)].fill(0.0);
        }
        self.loss = Loss::default();
        for (position, sample) in samples.iter().enumerate() {
            self.judge(&network.plan, position, sample, batch as f64);
        }
        for (number, layer) in network.plan.layers.iter().enumerate().rev() {
            self.go_back(&network.plan, layer, number, &turned[number]);
        }
    }

    /// Adds the loss of a sample, and sets its gradient with respect to the network's outputs.
    fn judge(&mut self, plan: &Plan, position: usize, sample: &Sample, batch: f64) {
        let [for_policy, for_value] = sample.weights.map(|weight| f64::from(weight) / batch);
        let logits = &mut self.buffers[plan.policy][position * plan.size(plan.policy)..];
        let mut policy: Vec<f32> = Vec::with_capacity(sample.actions.len());
        let found = self.workspace.logits(position);
        policy.extend(sample.actions.iter().map(|&action| found[usize::from(action)]));
        if !policy.is_empty() {
            softmax(&mut policy);
        }
        for ((&action, &target), &found) in sample.actions.iter().zip(&sample.policy).zip(&policy) {
            logits[usize::from(action)] = (for_policy * f64::from(found - target)) as f32;
            self.loss.policy += for_policy * divergence(target.into(), found.into());
            self.loss.entropy -= f64::from(found) * ln(found.into()) / batch;
        }
        let (found, target) =
            (logistic(self.workspace.value_logit(position).into()), f64::from(sample.value));
        self.buffers[plan.value][position * plan.size(plan.value)] = (for_value * (found - target)) as f32;
        self.loss.value += for_value * (divergence(target, found) + divergence(1.0 - target, 1.0 - found));
    }

    /// Computes the gradients of a layer's parameters and input from the gradient of its output.
    fn go_back(&mut self, plan: &Plan, layer: &Layer, number: usize, turned: &[f32]) {
        let positions = self.workspace.positions;
        let used = positions * plan.size(layer.output);
        let (before, after) = self.buffers.split_at_mut(layer.output);
        let output = &mut after[0][..used];
        if layer.finish != Finish::Store {
            for (gradient, value) in output.iter_mut().zip(&self.workspace.values[layer.output]) {
                *gradient = if *value > 0.0 { *gradient } else { 0.0 };
            }
        }
        let layout = self.workspace.rows[number].there(layer, positions);
        for &row in layout.outputs {
            let bias = &mut self.parameters[layer.bias.clone()];
            for (sum, gradient) in bias.iter_mut().zip(&output[row as usize..]) {
                *sum += gradient;
            }
        }
        let weights = &mut self.parameters[layer.weights.clone()];
        if layer.connection == Connection::Sparse {
            for (features, gradients) in self.workspace.features.iter().zip(output.chunks_exact(layer.width))
            {
                for &feature in features {
                    let row = &mut weights[feature as usize * layer.width..][..layer.width];
                    row.iter_mut().zip(gradients).for_each(|(sum, gradient)| *sum += gradient);
                }
            }
        } else {
            kernel::accumulate(&self.workspace.values[layer.input], layout, output, weights);
        }
        if let Some(skip) = layer.skip {
            before[skip].iter_mut().zip(&*output).for_each(|(sum, gradient)| *sum += gradient);
        }
        if layer.input > 0 {
            let layout = self.workspace.rows[number].back(layer, positions);
            kernel::multiply(output, layout, turned, &self.nothing, Finish::Add, &mut before[layer.input]);
        }
    }
}

/// `target * ln(target / found)`.
fn divergence(target: f64, found: f64) -> f64 {
    if target > 0.0 { target * (ln(target) - ln(found)) } else { 0.0 }
}

/// The weights of the backward pass: from outputs to inputs, with the taps in the opposite order, packed.
fn turn_around(layer: &Layer, weights: &[f32], packed: &mut Vec<f32>) {
    let Layer { depth, width, .. } = *layer;
    let mut turned = vec![0.0; weights.len()];
    for (to, from) in turned.chunks_exact_mut(depth * width).zip(weights.chunks_exact(depth * width).rev()) {
        for place in 0..depth {
            for output in 0..width {
                to[output * depth + place] = from[place * width + output];
            }
        }
    }
    kernel::pack(&turned, depth, packed);
}
