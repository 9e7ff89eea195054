//! RIDE, rapid incentive difference evaluation (Kao, Wu, Shan & Lin 2013): how much better one action is than another, from
//! the positions that offer both.
//!
//! At every position on the way down the tree the action taken is compared with each of the others tried there, by their mean
//! rewards to who moves. The average of these differences is D; the order is that of least cost under D, or that of the
//! potentials which fit D best.

use super::{Differences, Learner, Order, Trace, least_squares, linear_ordering};
use crate::Keyed;
use aji_bandit::Rng;

/// When the order follows D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// After every comparison, by the paper's three-way update.
    Always,
    /// After so many simulations, by a pass over all keys.
    Every(u32),
    /// After as many simulations as there are keys.
    ByKeys,
}

/// How the order is read off D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOut {
    /// The list of least cost.
    List,
    /// By potentials: numbers whose differences fit D best, each pair by its count.
    Potentials,
}

/// Learns D and an order.
#[derive(Clone, Debug)]
pub struct Ride<G> {
    repair: Repair,
    read_out: ReadOut,
    differences: Differences,
    order: Order,
    simulations: u32,
    /// Of the potentials, by key.
    worth: Vec<f32>,
    /// Room to walk in.
    game: Option<G>,
}

impl<G> Ride<G> {
    /// Nothing learned yet.
    pub fn new(repair: Repair, read_out: ReadOut) -> Ride<G> {
        let (differences, order) = (Differences::default(), Order::default());
        Ride { repair, read_out, differences, order, simulations: 0, worth: Vec::new(), game: None }
    }

    /// D.
    pub fn differences(&self) -> &Differences {
        &self.differences
    }

    fn repair(&mut self) {
        match self.read_out {
            ReadOut::List => {
                linear_ordering::improve(&mut self.order, &self.differences);
            }
            ReadOut::Potentials => {
                least_squares(&self.differences, &mut self.worth, 1);
                self.order.sort_by_worth(&self.worth);
            }
        }
    }
}

impl<G: Keyed> Learner<G> for Ride<G> {
    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        self.differences = Differences::new(keys);
        self.order = Order::random(keys, rng);
        self.worth = vec![0.0; keys];
        self.simulations = 0;
    }

    fn learn(&mut self, trace: &Trace<G>) {
        let mut game = self.game.take().unwrap_or_else(|| trace.root.clone());
        let Ride { differences, order, repair, .. } = self;
        trace.walk(&mut game, |visit| {
            let (taken, mean) = (visit.key(visit.taken), visit.arms.means[visit.taken]);
            if *repair != Repair::Always {
                return differences
                    .add_all(taken, visit.others().map(|(other, others)| (other, mean - others)));
            }
            for (other, others) in visit.others() {
                let before = differences.of(taken, other);
                differences.add_all(taken, [(other, mean - others)].into_iter());
                if differences.of(taken, other) > before {
                    linear_ordering::update(order, differences, taken, other);
                } else {
                    linear_ordering::update(order, differences, other, taken);
                }
            }
        });
        self.game = Some(game);
        self.simulations += 1;
        let every = match self.repair {
            Repair::Always => return,
            Repair::Every(simulations) => simulations,
            Repair::ByKeys => self.order.len() as u32,
        };
        if self.simulations.is_multiple_of(every.max(1)) {
            self.repair();
        }
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn bytes(&self) -> usize {
        self.differences.bytes() + self.order.len() * (2 * size_of::<u32>() + size_of::<f32>())
    }
}
