//! Optimizers: Adam (Kingma & Ba 2015) with decoupled weight decay (Loshchilov & Hutter 2019), or gradient descent with
//! momentum. Gradients are clipped by their norm. A running average of the parameters plays better than the last ones.

use crate::network::Network;

/// How a gradient becomes a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Adam, with the decay rates of its two means.
    Adam {
        /// The decay of the gradient's mean.
        first: f32,
        /// The decay of the squared gradient's mean.
        second: f32,
    },
    /// Gradient descent with this momentum.
    Momentum(f32),
}

/// Added to the root that Adam divides by.
const EPSILON: f32 = 1e-8;

/// The settings of an optimizer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How a gradient becomes a step.
    pub method: Method,
    /// Weight decay: the share that a weight loses in each step, at a learning rate of 1. Biases do not decay.
    pub decay: f32,
    /// The largest norm of a gradient; longer ones are clipped to it.
    pub clip: f32,
    /// The decay of the running average of the parameters: the share that it keeps in each step.
    pub averaging: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        let method = Method::Adam { first: 0.9, second: 0.999 };
        Settings { method, decay: 1e-4, clip: 5.0, averaging: 0.999 }
    }
}

/// Changes the parameters of a network step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimizer {
    settings: Settings,
    steps: u64,
    /// The mean of the gradients, or the momentum.
    first: Vec<f32>,
    /// The mean of their squares.
    second: Vec<f32>,
    average: Vec<f32>,
    /// Whether each parameter is a weight; only weights decay.
    is_weight: Vec<bool>,
}

impl Optimizer {
    /// An optimizer that has made no step.
    pub fn new(network: &Network, settings: Settings) -> Optimizer {
        let count = network.parameters().len();
        let mut is_weight = vec![false; count];
        network.plan.layers.iter().for_each(|layer| is_weight[layer.weights.clone()].fill(true));
        let average = network.parameters().to_vec();
        Optimizer {
            settings,
            steps: 0,
            first: vec![0.0; count],
            second: vec![0.0; count],
            average,
            is_weight,
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The running average of the parameters. Early on it covers only recent steps, because the first parameters know
    /// nothing.
    pub fn average(&self) -> &[f32] {
        &self.average
    }

    /// Makes a step against the gradient. Returns the gradient's norm before clipping.
    pub fn step(&mut self, network: &mut Network, gradient: &mut [f32], rate: f32) -> f32 {
        self.steps += 1;
        let length =
            gradient.iter().map(|&part| f64::from(part) * f64::from(part)).sum::<f64>().sqrt() as f32;
        if length > self.settings.clip {
            let shorter = self.settings.clip / length;
            gradient.iter_mut().for_each(|part| *part *= shorter);
        }
        let mut parameters = network.parameters().to_vec();
        match self.settings.method {
            Method::Adam { first, second } => self.adam(&mut parameters, gradient, rate, [first, second]),
            Method::Momentum(momentum) => {
                for (index, parameter) in parameters.iter_mut().enumerate() {
                    self.first[index] = momentum * self.first[index] + gradient[index];
                    *parameter -= rate * self.first[index];
                }
            }
        }
        let lost = rate * self.settings.decay;
        // The average covers about the last tenth of the steps, up to the length that the setting gives.
        let kept = self.settings.averaging.min((1 + self.steps) as f32 / (10 + self.steps) as f32);
        for (index, parameter) in parameters.iter_mut().enumerate() {
            if self.is_weight[index] {
                *parameter -= lost * *parameter;
            }
            self.average[index] = kept * self.average[index] + (1.0 - kept) * *parameter;
        }
        network.set_parameters(&parameters);
        length
    }

    fn adam(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32, [first, second]: [f32; 2]) {
        // Bias correction: both means start at 0.
        let whole = |decay: f32| (1.0 - power(decay.into(), self.steps)) as f32;
        let (whole_first, whole_second) = (whole(first), whole(second));
        for (index, parameter) in parameters.iter_mut().enumerate() {
            let part = gradient[index];
            self.first[index] = first * self.first[index] + (1.0 - first) * part;
            self.second[index] = second * self.second[index] + (1.0 - second) * part * part;
            let root = (self.second[index] / whole_second).sqrt();
            *parameter -= rate * (self.first[index] / whole_first) / (root + EPSILON);
        }
    }

    /// The numbers to save in a checkpoint: both means and the average.
    pub fn state(&self) -> [&[f32]; 3] {
        [&self.first, &self.second, &self.average]
    }

    /// Restores the [`state`](Optimizer::state) after this many steps. False if it has the wrong size.
    pub fn restore(&mut self, steps: u64, state: [Vec<f32>; 3]) -> bool {
        if state.iter().any(|numbers| numbers.len() != self.first.len()) {
            return false;
        }
        self.steps = steps;
        [self.first, self.second, self.average] = state;
        true
    }
}

/// `base` to a whole power, by squaring: the same on every machine.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;
    use aji_search::Shape;

    fn network() -> Network {
        let shape = Shape { planes: 1, rows: 1, columns: 1, actions: 2 };
        Network::new(shape, Design::Perceptron { hidden: [8, 8] }, 1).unwrap()
    }

    #[test]
    fn powers() {
        assert_eq!([power(2.0, 0), power(2.0, 1), power(2.0, 10), power(0.5, 3)], [1.0, 2.0, 1024.0, 0.125]);
    }

    /// The first step of Adam has the length of the rate, against the sign of the gradient, whatever its size.
    #[test]
    fn adam_by_hand() {
        let mut network = network();
        let settings = Settings { decay: 0.0, ..Settings::default() };
        let mut optimizer = Optimizer::new(&network, settings);
        let before = network.parameters().to_vec();
        let mut gradient = vec![0.0; before.len()];
        (gradient[0], gradient[1]) = (0.3, -0.001);
        optimizer.step(&mut network, &mut gradient, 0.01);
        let moved = |index: usize| network.parameters()[index] - before[index];
        assert!((moved(0) + 0.01).abs() < 1e-5 && (moved(1) - 0.01).abs() < 1e-5 && moved(2) == 0.0);
        // The second step: the mean is 0.9 * 0.03 - 0.03, with the bias correction 1 - 0.81.
        let middle = network.parameters()[0];
        gradient[0] = -0.3;
        optimizer.step(&mut network, &mut gradient, 0.01);
        let mean = (0.9 * 0.03 - 0.03) / (1.0 - 0.81);
        let expect = -0.01 * mean / 0.3;
        assert!((network.parameters()[0] - middle - expect).abs() < 1e-5);
    }

    #[test]
    fn momentum_decay_and_clipping_by_hand() {
        let mut network = network();
        let settings = Settings { method: Method::Momentum(0.5), decay: 0.1, clip: 1.0, averaging: 0.0 };
        let mut optimizer = Optimizer::new(&network, settings);
        let start = network.parameters()[0];
        let mut gradient = vec![0.0; network.parameters().len()];
        gradient[0] = 4.0;
        assert_eq!(optimizer.step(&mut network, &mut gradient, 0.5), 4.0);
        // The gradient is clipped to 1, so the step is 0.5; then the weight decays by a twentieth.
        let first = (start - 0.5) * 0.95;
        assert!((network.parameters()[0] - first).abs() < 1e-6);
        assert_eq!(optimizer.average(), network.parameters());
        gradient.fill(0.0);
        optimizer.step(&mut network, &mut gradient, 0.5);
        assert!((network.parameters()[0] - (first - 0.25) * 0.95).abs() < 1e-6);
    }

    #[test]
    fn averages_follow() {
        let mut network = network();
        let mut optimizer = Optimizer::new(&network, Settings { decay: 0.0, ..Settings::default() });
        let mut gradient = vec![0.0; network.parameters().len()];
        for _ in 0..30 {
            gradient[0] = 1.0;
            optimizer.step(&mut network, &mut gradient, 0.1);
        }
        let (average, last) = (optimizer.average()[0], network.parameters()[0]);
        assert!(average > last + 0.3 && average < last + 2.0, "{average} {last}");
    }
}
