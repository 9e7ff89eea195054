//! Potentials: a number for each key. The difference of two potentials says how much better one action is than the
//! other.
//!
//! [`least_squares`] fits them to all of D, each pair weighted by how often it was seen. [`Potentials`] learns them
//! online, in memory that grows with the keys and not with their pairs.

use super::{Differences, Learner, Order, Trace};
use aji_bandit::Rng;

/// Sweeps over all keys, and gives each the value that best fits the others. The fixed point minimises the sum of
/// count * (D(a, b) - (p(a) - p(b)))^2.
pub fn least_squares(differences: &Differences, potentials: &mut [f32], sweeps: usize) {
    for _ in 0..sweeps {
        fit(differences, potentials, 0..differences.keys());
    }
}

/// Gives each of these keys the value that best fits the others: the mean of the potentials plus D, weighted by
/// counts.
pub(super) fn fit(differences: &Differences, potentials: &mut [f32], some: impl Iterator<Item = usize>) {
    for key in some {
        let (mut sum, mut weight) = (0.0f32, 0.0f32);
        for (other, &potential) in potentials.iter().enumerate() {
            let (difference, count) = differences.sum_and_count(key, other);
            sum += difference + count as f32 * potential;
            weight += count as f32;
        }
        if weight > 0.0 {
            potentials[key] = sum / weight;
        }
    }
}

/// Learns potentials online. Each position on the path compares the action taken with each of the others. The error
/// is the difference of their mean rewards minus the difference of their potentials. Both potentials move by their
/// share of the error: one divided by the comparisons that each has seen. A potential is then about the mean of what
/// [`least_squares`] averages, without a table of pairs.
#[derive(Clone, Debug)]
pub struct Potentials {
    worth: Vec<f32>,
    counts: Vec<u32>,
    order: Order,
    simulations: u32,
    every: Option<u32>,
}

impl Potentials {
    /// Nothing learned yet. Sorts the keys every `every` simulations; by default, every n simulations for n keys.
    pub fn new(every: Option<u32>) -> Potentials {
        let (worth, counts, order) = (Vec::new(), Vec::new(), Order::default());
        Potentials { worth, counts, order, simulations: 0, every }
    }

    /// The potentials, by key.
    pub fn worth(&self) -> &[f32] {
        &self.worth
    }
}

impl Learner for Potentials {
    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        (self.worth, self.counts) = (vec![0.0; keys], vec![0; keys]);
        self.order = Order::random(keys, rng);
        self.simulations = 0;
    }

    fn learn(&mut self, trace: &Trace) {
        let Potentials { worth, counts, .. } = self;
        for visit in trace.visits() {
            let (key, mean) = visit.chosen();
            let (mut total, before) = (0.0, worth[key]);
            let mut seen = counts[key];
            for (other, others) in visit.others() {
                let surprise = (mean - others) - (before - worth[other]);
                counts[other] = counts[other].saturating_add(1);
                worth[other] -= surprise / counts[other] as f32;
                total += surprise;
                seen = seen.saturating_add(1);
            }
            if seen > counts[key] {
                counts[key] = seen;
                worth[key] += total / seen as f32;
            }
        }
        self.simulations += 1;
        let every = self.every.unwrap_or(self.order.len() as u32);
        if self.simulations.is_multiple_of(every.max(1)) {
            self.order.sort_by_worth(&self.worth);
        }
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn bytes(&self, keys: usize) -> usize {
        keys * (Order::KEY_BYTES + size_of::<u32>() + size_of::<f32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If D consists of differences of numbers, the fit finds them, up to a constant.
    #[test]
    fn consistent_differences_are_fitted() {
        let numbers = [0.3f32, -1.0, 0.8, 0.1];
        let mut differences = Differences::new(4);
        for (one, other) in [(0, 1), (1, 2), (2, 3)] {
            differences.add_all(one, [(other, numbers[one] - numbers[other])].into_iter());
        }
        let mut potentials = [0.0; 4];
        least_squares(&differences, &mut potentials, 200);
        for key in 1..4 {
            let (found, expect) = (potentials[key] - potentials[0], numbers[key] - numbers[0]);
            assert!((found - expect).abs() < 1e-3, "{potentials:?}");
        }
    }

    /// Contradicting samples count by how often they were seen.
    #[test]
    fn counts_weigh() {
        let mut differences = Differences::new(2);
        differences.add_all(0, [(1, 1.0)].into_iter());
        (0..3).for_each(|_| differences.add_all(1, [(0, 1.0)].into_iter()));
        let mut potentials = [0.0; 2];
        least_squares(&differences, &mut potentials, 50);
        assert!((potentials[0] - potentials[1] + 0.5).abs() < 1e-4, "{potentials:?}");
    }
}
