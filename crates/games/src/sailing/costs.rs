//! The costs of trips with the best legs, by value iteration.

use super::{ODDS, Sailing, TACKS, Tack};
use crate::bits::indices;
use aji_search::{Game, Turn};

/// The least expected minutes from every state of the plain problem, in which no trip is cut off.
#[derive(Clone, Debug)]
pub struct SailingCosts {
    size: usize,
    costs: Vec<f64>,
}

impl SailingCosts {
    /// The minutes from a point, with the wind from this compass point (0 is n, 1 is ne) and the tack of the leg
    /// before.
    pub fn of(&self, column: usize, row: usize, wind: usize, tack: Tack) -> f64 {
        self.costs[self.index(column, row, wind, tack)]
    }

    fn index(&self, column: usize, row: usize, wind: usize, tack: Tack) -> usize {
        ((row * self.size + column) * 8 + wind) * TACKS.len() + tack as usize
    }

    /// The expected cost of a leg from here, with the best legs after it.
    pub(super) fn of_leg(&self, boat: &Sailing, heading: u8) -> f64 {
        let after = boat.sailed(heading);
        let (column, row) = (after.column.into(), after.row.into());
        let mut cost = after.minutes() - boat.minutes();
        for (turn, odds) in ODDS[boat.wind as usize].into_iter().enumerate() {
            let wind = (usize::from(boat.wind) + 7 + turn) % 8;
            cost += f64::from(odds) / 10.0 * self.of(column, row, wind, after.tack);
        }
        cost
    }

    /// Sets a state to the cost of its best leg, and returns the change.
    fn improve(&mut self, boat: &Sailing) -> f64 {
        let headings = indices(boat.headings().into());
        let best = headings.map(|heading| self.of_leg(boat, heading)).fold(f64::INFINITY, f64::min);
        let index = self.index(boat.column.into(), boat.row.into(), boat.wind.into(), boat.tack);
        let change = (best - self.costs[index]).abs();
        self.costs[index] = best;
        change
    }
}

impl Sailing {
    /// The least expected minutes from every state, by value iteration to the last digits. Each round improves every
    /// state from its neighbours, starting from zero, until none changes. There is no horizon; a trip goes on until
    /// it arrives.
    pub fn optimal_costs(size: usize) -> SailingCosts {
        const CHANGE_MIN: f64 = 1e-12;
        let start = Sailing::new(size, 0);
        let mut costs = SailingCosts { size, costs: vec![0.0; size * size * 8 * TACKS.len()] };
        let mut change = f64::INFINITY;
        while change > CHANGE_MIN {
            change = 0.0;
            // From the goal back, so that costs spread in few rounds.
            for point in (0..size * size - 1).rev() {
                for (wind, (_, tack)) in (0..8).flat_map(|wind| TACKS.map(|tack| (wind, tack))) {
                    let (column, row) = ((point % size) as u8, (point / size) as u8);
                    change = costs.improve(&Sailing { column, row, wind, tack, ..start }).max(change);
                }
            }
        }
        costs
    }

    /// The expected cost of the whole trip, with the best legs from here on, by the costs of a grid of this size.
    pub fn expected_cost(&self, costs: &SailingCosts) -> f64 {
        let at = |wind| costs.of(self.column.into(), self.row.into(), wind, self.tack);
        let left: f64 = match self.turn() {
            Turn::Over => 0.0,
            Turn::Player(_) => at(self.wind.into()),
            Turn::Chance => {
                let winds = (0..3).map(|turn| (usize::from(self.wind) + 7 + turn) % 8);
                winds
                    .zip(ODDS[self.wind as usize])
                    .map(|(wind, odds)| f64::from(odds) / 10.0 * at(wind))
                    .sum()
            }
        };
        self.minutes() + left
    }
}
