//! Potentials: a number for each key, so that the difference of two is how much better one action is than the other.
//!
//! [`least_squares`] fits them to all of D, each pair weighed by how often it was seen. [`Potentials`] learns them as
//! simulations come, in memory that grows with the keys and not with their pairs.

use super::{Differences, Learner, Order, Trace};
use crate::Keyed;
use aji_bandit::Rng;

/// Sweeps over the keys, each of which takes the value that fits the others best: the count-weighted mean of what D says beside
/// each. The least of the sum of count * (D(a, b) - (p(a) - p(b)))^2 is where nothing changes any more.
pub fn least_squares(differences: &Differences, potentials: &mut [f32], sweeps: usize) {
    let keys = differences.keys();
    for _ in 0..sweeps {
        for key in 0..keys {
            let (mut sum, mut weight) = (0.0f64, 0.0f64);
            for other in (0..keys).filter(|&other| other != key) {
                let count = f64::from(differences.count(key, other));
                sum += count * f64::from(differences.of(key, other) + potentials[other]);
                weight += count;
            }
            if weight > 0.0 {
                potentials[key] = (sum / weight) as f32;
            }
        }
    }
}

/// Learns potentials online. At every position on the way down the tree, the potential of the action taken moves towards
/// what its mean reward says: by how much it differs from the mean of the others, where their potentials' mean stands.
#[derive(Clone, Debug)]
pub struct Potentials<G> {
    worth: Vec<f32>,
    counts: Vec<u32>,
    order: Order,
    simulations: u32,
    every: Option<u32>,
    game: Option<G>,
}

/// The least step towards a new sample: what is older than so many visits fades.
const STEP_MIN: f32 = 1.0 / 512.0;

impl<G> Potentials<G> {
    /// Nothing learned yet. Sorts the keys after every so many simulations, or as many as there are keys.
    pub fn new(every: Option<u32>) -> Potentials<G> {
        let (worth, counts, order) = (Vec::new(), Vec::new(), Order::default());
        Potentials { worth, counts, order, simulations: 0, every, game: None }
    }

    /// The potentials, by key.
    pub fn worth(&self) -> &[f32] {
        &self.worth
    }
}

impl<G: Keyed> Learner<G> for Potentials<G> {
    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        (self.worth, self.counts) = (vec![0.0; keys], vec![0; keys]);
        self.order = Order::random(keys, rng);
        self.simulations = 0;
    }

    fn learn(&mut self, trace: &Trace<G>) {
        let mut game = self.game.take().unwrap_or_else(|| trace.root.clone());
        let Potentials { worth, counts, .. } = self;
        trace.walk(&mut game, |visit| {
            let (mut others, mut potential) = (0u32, 0.0);
            for (key, mean) in visit.others() {
                potential += worth[key] - mean;
                others += 1;
            }
            if others > 0 {
                let (key, mean) = (visit.key(visit.taken), visit.arms.means[visit.taken]);
                counts[key] += 1;
                let step = (1.0 / counts[key] as f32).max(STEP_MIN);
                worth[key] += step * (mean + potential / others as f32 - worth[key]);
            }
        });
        self.game = Some(game);
        self.simulations += 1;
        let every = self.every.unwrap_or(self.order.len() as u32);
        if self.simulations.is_multiple_of(every.max(1)) {
            self.order.sort_by_worth(&self.worth);
        }
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn bytes(&self) -> usize {
        self.order.len() * (3 * size_of::<u32>() + size_of::<f32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where D is differences of numbers, those are found, up to a constant.
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

    /// Pairs that contradict each other count by how often they were seen.
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
