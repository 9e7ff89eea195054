//! The least expected cost, exactly.

use super::CanadianTraveller;
use super::map::Map;
use crate::own_solver::Limits;
use aji_search::Stopped;
use std::collections::HashMap;

/// The rest of a trip with the best decisions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    /// The expected cost.
    pub(super) cost: f64,
    /// No more legs than these are walked, whatever the weather.
    pub(super) legs: u32,
}

/// The best trips on one map, by vertex, open and blocked roads, where all roads at the vertex are known.
#[derive(Debug, Default)]
pub struct KnownTrips(HashMap<(u8, u64, u64), Trip>);

impl KnownTrips {
    /// The bytes per entry: just after a map has grown, it has three slots for each old one that was in use.
    const ENTRY_BYTES: usize = 4 * size_of::<((u8, u64, u64), Trip)>();

    /// The number of known trips.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The most bytes of the known trips.
    pub(super) fn bytes(&self) -> usize {
        self.len() * KnownTrips::ENTRY_BYTES
    }
}

/// The number of trips found between two checks of the limits.
const INSTALMENT: usize = 1 << 10;

/// The best trip from here to the goal, without the length walked so far and ignoring the limit of legs.
pub(super) fn best_trip(
    trip: &CanadianTraveller,
    known: &mut KnownTrips,
    limits: &mut Limits,
) -> Result<Trip, Stopped> {
    let mut solver = Solver { map: &trip.map, known, limits };
    (solver.limits.go_on)(1)?;
    solver.revealed(trip.vertex, trip.open, trip.blocked)
}

struct Solver<'a, 'b> {
    map: &'a Map,
    known: &'a mut KnownTrips,
    limits: &'a mut Limits<'b>,
}

impl Solver<'_, '_> {
    /// The best trip from a vertex whose unknown roads are about to show.
    fn revealed(&mut self, vertex: u8, open: u64, blocked: u64) -> Result<Trip, Stopped> {
        if vertex == self.map.goal() {
            return Ok(Trip { cost: 0.0, legs: 0 });
        }
        let unknown = self.map.at[vertex as usize] & !(open | blocked);
        if unknown == 0 {
            return self.decided(vertex, open, blocked);
        }
        let road = unknown & unknown.wrapping_neg();
        let odds = f64::from(self.map.roads[road.trailing_zeros() as usize].blocked);
        let free = self.revealed(vertex, open | road, blocked)?;
        let shut = self.revealed(vertex, open, blocked | road)?;
        Ok(Trip { cost: (1.0 - odds) * free.cost + odds * shut.cost, legs: free.legs.max(shut.legs) })
    }

    /// The best trip from a vertex whose roads are all known: the taxi, or the best walk.
    fn decided(&mut self, vertex: u8, open: u64, blocked: u64) -> Result<Trip, Stopped> {
        if let Some(&trip) = self.known.0.get(&(vertex, open, blocked)) {
            return Ok(trip);
        }
        let goal = self.map.goal();
        let is_new = |&end: &u8| end == goal || self.map.at[end as usize] & !(open | blocked) != 0;
        let ends: Vec<u8> = (0..=goal).filter(is_new).collect();
        // A walk through a new vertex reveals its roads, so walks end at the first new vertex.
        let walks = self.map.walks(vertex, open, ends.iter().fold(0, |all, &end| all | 1 << end));
        // A shortest walk meets no vertex twice.
        let legs = self.map.at.len() as u32 - ends.len() as u32;
        let mut best = Trip { cost: f64::from(self.map.taxi), legs: 0 };
        for end in ends {
            let length = f64::from(walks[end as usize]);
            if length < best.cost {
                let rest = self.revealed(end, open, blocked)?;
                if length + rest.cost < best.cost {
                    best = Trip { cost: length + rest.cost, legs: legs + rest.legs };
                }
            }
        }
        self.remember((vertex, open, blocked), best)?;
        Ok(best)
    }

    fn remember(&mut self, key: (u8, u64, u64), trip: Trip) -> Result<(), Stopped> {
        self.known.0.insert(key, trip);
        if self.known.len().is_multiple_of(INSTALMENT) {
            (self.limits.go_on)(INSTALMENT as u64)?;
            if self.known.bytes() > self.limits.memory {
                return Err(Stopped::TooLarge);
            }
        }
        Ok(())
    }
}
