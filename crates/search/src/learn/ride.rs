//! RIDE, rapid incentive difference evaluation (Kao, Wu, Yen & Shan 2013): how much better one action is than
//! another, estimated from the positions that offer both.
//!
//! Each position on the path compares the action taken with each of the others tried there, by their mean rewards to
//! the player to move. The average of these differences is D. The order is the one of least cost under D, or that of
//! the potentials which fit D best.

use super::potentials::fit;
use super::{Differences, Learner, Order, Trace, linear_ordering};
use aji_bandit::Rng;

/// When the order is updated from D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// After every comparison, by the paper's three-way update.
    Always,
    /// After this many simulations, by a pass over all keys.
    Every(u32),
    /// After every comparison in the first simulations, while that is cheap. Later, every n simulations for n keys,
    /// and more rarely once new simulations hardly change D.
    ByKeys,
}

/// [`Repair::ByKeys`] updates the order after every comparison while simulations times keys are below this. The cost
/// of such an update grows with the keys, so all of them together cost at most as much as some thousand simulations.
const PROMPT: usize = 4_096;

/// [`Repair::ByKeys`] updates the order at least each time the simulations have grown by 1/16.
const SHARE: u32 = 16;

/// How the order is derived from D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOut {
    /// The list of least cost.
    List,
    /// By potentials: numbers whose differences fit D best, each pair weighted by its count.
    Potentials,
}

/// Learns D and an order.
#[derive(Clone, Debug)]
pub struct Ride {
    repair: Repair,
    read_out: ReadOut,
    differences: Differences,
    order: Order,
    /// The potentials, by key.
    worth: Vec<f32>,
    /// Keys taken since the last repair, each once.
    taken: Vec<u32>,
    is_taken: Vec<bool>,
    simulations: u32,
    repaired: u32,
}

impl Ride {
    /// Nothing learned yet.
    pub fn new(repair: Repair, read_out: ReadOut) -> Ride {
        Ride {
            repair,
            read_out,
            differences: Differences::default(),
            order: Order::default(),
            worth: Vec::new(),
            taken: Vec::new(),
            is_taken: Vec::new(),
            simulations: 0,
            repaired: 0,
        }
    }

    /// D.
    pub fn differences(&self) -> &Differences {
        &self.differences
    }

    /// Whether the order currently follows every comparison.
    fn is_prompt(&self) -> bool {
        match self.repair {
            Repair::Always => true,
            Repair::Every(_) => false,
            Repair::ByKeys => {
                self.read_out == ReadOut::List && self.simulations as usize * self.order.len() < PROMPT
            }
        }
    }

    /// Moves the keys taken since the last repair to their new places.
    fn repair(&mut self) {
        let Ride { differences, order, worth, taken, is_taken, .. } = self;
        let keys = taken.iter().map(|&key| key as usize);
        match self.read_out {
            ReadOut::List => {
                linear_ordering::improve(order, differences, keys);
            }
            ReadOut::Potentials => {
                fit(differences, worth, keys);
                order.sort_by_worth(worth);
            }
        }
        for key in taken.drain(..) {
            is_taken[key as usize] = false;
        }
        self.repaired = self.simulations;
    }
}

impl Learner for Ride {
    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        let (repair, read_out) = (self.repair, self.read_out);
        let (differences, order) = (Differences::new(keys), Order::random(keys, rng));
        let (worth, is_taken) = (vec![0.0; keys], vec![false; keys]);
        *self = Ride { differences, order, worth, is_taken, ..Ride::new(repair, read_out) };
    }

    fn learn(&mut self, trace: &Trace) {
        let is_prompt = self.is_prompt();
        let Ride { differences, order, taken, is_taken, .. } = self;
        for visit in trace.visits() {
            let (key, mean) = visit.chosen();
            if !is_prompt {
                differences.add_all(key, visit.others().map(|(other, others)| (other, mean - others)));
                if !is_taken[key] {
                    is_taken[key] = true;
                    taken.push(key as u32);
                }
                continue;
            }
            for (other, others) in visit.others() {
                let before = differences.of(key, other);
                differences.add_all(key, [(other, mean - others)].into_iter());
                if differences.of(key, other) > before {
                    linear_ordering::update(order, differences, key, other);
                } else {
                    linear_ordering::update(order, differences, other, key);
                }
            }
        }
        self.simulations += 1;
        let every = match self.repair {
            Repair::Every(simulations) => simulations,
            _ if is_prompt => return,
            _ => (self.order.len() as u32).max(self.simulations / SHARE),
        };
        if self.simulations - self.repaired >= every.max(1) {
            self.repair();
        }
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn bytes(&self, keys: usize) -> usize {
        let of_key = size_of::<f32>() + size_of::<u32>() + size_of::<bool>();
        Differences::bytes_max(keys) + keys * (Order::KEY_BYTES + of_key)
    }
}
