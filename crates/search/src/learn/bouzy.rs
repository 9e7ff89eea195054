//! The pairwise rule of Bouzy & Chaslot (Monte-Carlo Go reinforcement learning experiments, 2006), as described by
//! Kao et al. 2013. Two evaluations that start with actions a and b give v(a) and v(b). The values q of both actions
//! move so that their difference follows that of the outcomes.
//!
//! ```text
//! error = C (v(a) - v(b)) - (q(a) - q(b))
//! q(a) += alpha(a) error,  q(b) -= alpha(b) error,  alpha(x) = step / sqrt(visits of x)
//! ```
//!
//! **What was inferred.** The formula is missing from the text that we have. The text says that the values of two
//! evaluations enter it, with a constant C from 0.7 to 1. Alpha falls as one over the square root of an action's
//! visits. The rule learns differences. Each action has one value, which is updated whenever the action is played.
//!
//! The place of C, the step of alpha and the choice of evaluations to compare are ours. The two evaluations are one
//! simulation and the next. They agree up to some position, where one continued with a and the other with b. From there
//! they are evaluations that start with a and b, early or late in the game. Outcomes are in the game's unit, from the
//! side of the player who chose. With chance, simulations that differ only by chance are compared as if they were in
//! the same position.

use super::{Learner, Order, Played, Trace};
use crate::Payoff;
use aji_bandit::Rng;

/// Learns values from the differences of simulations, and an order by them.
#[derive(Clone, Debug)]
pub struct Bouzy {
    constant: f32,
    step: f32,
    every: Option<u32>,
    values: Vec<f32>,
    visits: Vec<u32>,
    order: Order,
    simulations: u32,
    /// The actions of this simulation and of the previous one, and the payoff of the previous one.
    plays: Vec<Played>,
    plays_before: Vec<Played>,
    payoff_before: Option<Payoff>,
}

impl Bouzy {
    /// The default of C.
    pub const CONSTANT: f32 = 0.85;

    /// The default step of an action's first visit. It is small, since two simulations differ more by luck than by
    /// actions.
    pub const STEP: f32 = 0.1;

    /// Nothing learned yet. `constant` is C, and `step` the step of an action's first visit. Sorts the keys every
    /// `every` simulations; by default, every n simulations for n keys.
    pub fn new(constant: f32, step: f32, every: Option<u32>) -> Bouzy {
        Bouzy {
            constant,
            step,
            every,
            values: Vec::new(),
            visits: Vec::new(),
            order: Order::default(),
            simulations: 0,
            plays: Vec::new(),
            plays_before: Vec::new(),
            payoff_before: None,
        }
    }

    /// The values, by key. Only their differences mean something.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// An evaluation that started with `one` was better by `difference` than another that started with `other`.
    fn compare(&mut self, one: usize, other: usize, difference: f32) {
        let error = self.constant * difference - (self.values[one] - self.values[other]);
        for (key, error) in [(one, error), (other, -error)] {
            self.visits[key] += 1;
            self.values[key] += self.step / (self.visits[key] as f32).sqrt() * error;
        }
    }
}

impl Learner for Bouzy {
    fn hears_playouts(&self) -> bool {
        true
    }

    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        (self.values, self.visits) = (vec![0.0; keys], vec![0; keys]);
        self.order = Order::random(keys, rng);
        (self.simulations, self.payoff_before) = (0, None);
    }

    fn learn(&mut self, trace: &Trace) {
        std::mem::swap(&mut self.plays, &mut self.plays_before);
        self.plays.clear();
        self.plays.extend(trace.plays());
        let parting = self.plays.iter().zip(&self.plays_before).find(|(one, other)| one != other);
        if let (Some((&one, &other)), Some(before)) = (parting, self.payoff_before)
            && one.player == other.player
        {
            let difference = trace.payoff.of(one.player) - before.of(one.player);
            self.compare(one.key as usize, other.key as usize, difference);
        }
        self.payoff_before = Some(*trace.payoff);
        self.simulations += 1;
        let every = self.every.unwrap_or(self.order.len() as u32);
        if self.simulations.is_multiple_of(every.max(1)) {
            self.order.sort_by_worth(&self.values);
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
    use crate::learn::{Advice, Learning};
    use crate::toys::Sweets;
    use crate::{Budget, Search, Utility};
    use aji_bandit::Uniform;

    #[test]
    fn a_comparison_by_hand() {
        let mut bouzy = Bouzy::new(0.8, 0.5, None);
        bouzy.begin(3, &mut Rng::seeded(1));
        bouzy.compare(0, 1, 10.0);
        assert_eq!(bouzy.values(), [4.0, -4.0, 0.0]);
        // 0.8 * 5 minus their difference, 8; half of that, over the root of two.
        bouzy.compare(1, 0, -5.0);
        let step = 0.5 / 2f32.sqrt() * 4.0;
        assert_eq!(bouzy.values(), [4.0 - step, -4.0 + step, 0.0]);
    }

    /// The value of a sweet follows its worth.
    #[test]
    fn sweets_are_put_in_order() {
        let game = Sweets::new(&[1.0, 5.0, 2.0, 4.0, 3.0]);
        let learning = Learning::new(Bouzy::new(Bouzy::CONSTANT, Bouzy::STEP, None), Advice::None);
        let search = Search::new(game).select(Uniform).utility(Utility::score(&game)).seed(1);
        let mut search = search.evaluate(learning);
        search.run(Budget::simulations(40_000));
        let bouzy = search.evaluation().learner();
        assert_eq!(bouzy.order().keys(), [1, 3, 4, 2, 0], "{:?}", bouzy.values());
    }
}
