//! The costs of trips with the best legs in the game as it is played, in which a trip ends when its time is up.
//!
//! Straight and diagonal minutes only grow. So each state is valued once, from the largest numbers of minutes down.

use super::{ODDS, Sailing, TACKS};
use crate::bits::indices;
use crate::own_solver::{Limits, SelfSolving};
use aji_search::{Game, Stopped, Turn};
use std::f64::consts::SQRT_2;

/// The least expected minutes of whole trips, by the minutes spent and the state of the boat; empty at first.
#[derive(Clone, Debug, Default)]
pub struct SailingTrips {
    /// By diagonal minutes, then straight minutes, then point, wind and tack.
    costs: Vec<f64>,
}

impl Sailing {
    /// How many different numbers of straight and of diagonal minutes a trip can have before it ends.
    fn minute_counts(&self) -> (usize, usize) {
        let most = self.minutes_max();
        (most as usize, (most / SQRT_2) as usize + 1)
    }

    /// The number of states with the same minutes.
    fn states(&self) -> usize {
        usize::from(self.size).pow(2) * 8 * TACKS.len()
    }

    /// The index of this position's cost.
    fn place(&self) -> usize {
        let point = usize::from(self.row) * usize::from(self.size) + usize::from(self.column);
        let state = (point * 8 + usize::from(self.wind)) * TACKS.len() + self.tack as usize;
        let minutes = usize::from(self.diagonal) * self.minute_counts().0 + usize::from(self.straight);
        minutes * self.states() + state
    }

    /// The expected minutes of the whole trip, with the best legs from here on. The costs of all later states must be
    /// known.
    fn trip_minutes(&self, costs: &[f64]) -> f64 {
        if self.is_over() {
            return self.minutes().min(self.minutes_max());
        } else if !self.turning {
            return costs[self.place()];
        }
        let turned = |turn: u8| Sailing { wind: (self.wind + 7 + turn) % 8, turning: false, ..*self };
        let odds = ODDS[self.wind as usize];
        (0..3).map(|turn| f64::from(odds[usize::from(turn)]) / 10.0 * costs[turned(turn).place()]).sum()
    }

    /// Values all states with these minutes spent.
    fn value_states(&self, straight: u16, diagonal: u16, costs: &mut [f64]) {
        for point in 0..self.size * self.size {
            let (column, row) = (point % self.size, point / self.size);
            for (wind, (_, tack)) in (0..8).flat_map(|wind| TACKS.map(|tack| (wind, tack))) {
                let boat = Sailing { column, row, wind, tack, straight, diagonal, turning: false, ..*self };
                if boat.is_over() {
                    continue;
                }
                let after = indices(boat.headings().into()).map(|heading| {
                    let mut after = boat;
                    after.play(heading);
                    after.trip_minutes(costs)
                });
                costs[boat.place()] = after.fold(f64::INFINITY, f64::min);
            }
        }
    }
}

impl SelfSolving for Sailing {
    type Known = SailingTrips;

    fn best_payoff(&self, known: &mut SailingTrips, limits: &mut Limits) -> Result<f64, Stopped> {
        let (straights, diagonals) = self.minute_counts();
        if known.costs.is_empty() && self.turn() != Turn::Over {
            let count = straights * diagonals * self.states();
            if count.saturating_mul(size_of::<f64>()) > limits.memory {
                return Err(Stopped::TooLarge);
            }
            let mut costs = vec![0.0; count];
            for diagonal in (0..diagonals as u16).rev() {
                (limits.go_on)((straights * self.states()) as u64)?;
                for straight in (0..straights as u16).rev() {
                    self.value_states(straight, diagonal, &mut costs);
                }
            }
            known.costs = costs;
        }
        Ok(-self.trip_minutes(&known.costs))
    }

    fn size(known: &SailingTrips) -> (usize, usize) {
        (known.costs.len(), known.costs.len() * size_of::<f64>())
    }
}
