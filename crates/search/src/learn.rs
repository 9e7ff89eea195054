//! What a search learns about actions across positions, beyond its tree: which of two actions is better in positions
//! that offer both. `docs/ride.md` derives it.
//!
//! A [`Learner`] receives every simulation as a [`Trace`] and keeps an [`Order`] of all actions, by their keys.
//! Playouts can follow that order. [`Learning`] combines a learner and a playout policy into an evaluation of leaves.

mod amaf;
mod bouzy;
mod coupon_player;
mod coupons;
mod differences;
mod divide;
mod divide_player;
mod enriched;
mod keyed;
mod learning;
pub mod linear_ordering;
mod order;
mod played;
mod potentials;
mod ride;
mod trace;
mod whole_path;

pub use amaf::{Amaf, Reading};
pub use bouzy::Bouzy;
pub use coupon_player::CouponPlayer;
pub use coupons::{Coupons, PartHeat, order_of};
pub use differences::Differences;
pub use divide::{Divisible, Division, GROUP_SIMULATIONS};
pub use divide_player::DividePlayer;
pub use enriched::LEVELS_MAX;
pub use keyed::Keyed;
pub use learning::{Advice, Learning};
pub use order::Order;
pub use played::{Played, Stamps};
pub use potentials::{Potentials, least_squares};
pub use ride::{ReadOut, Repair, Ride};
pub use trace::{Trace, Visit};
pub use whole_path::WholePath;

use aji_bandit::Rng;

/// Learns from simulations how actions compare.
pub trait Learner {
    /// Whether it needs the record of playouts ([`Trace::played`]). Playouts are then recorded.
    fn hears_playouts(&self) -> bool {
        false
    }

    /// Forgets everything and starts with this number of keys, in random order.
    fn begin(&mut self, keys: usize, rng: &mut Rng);

    /// Learns from a simulation.
    fn learn(&mut self, trace: &Trace);

    /// All keys, those of the best actions first.
    fn order(&self) -> &Order;

    /// The most bytes of its tables for this number of keys.
    fn bytes(&self, keys: usize) -> usize;
}

impl<L: Learner + ?Sized> Learner for Box<L> {
    fn hears_playouts(&self) -> bool {
        (**self).hears_playouts()
    }

    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        (**self).begin(keys, rng);
    }

    fn learn(&mut self, trace: &Trace) {
        (**self).learn(trace);
    }

    fn order(&self) -> &Order {
        (**self).order()
    }

    fn bytes(&self, keys: usize) -> usize {
        (**self).bytes(keys)
    }
}
