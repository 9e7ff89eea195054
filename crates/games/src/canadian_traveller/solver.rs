//! The least expected cost, exactly.

use super::map::Map;
use std::collections::HashMap;

/// The least expected cost from a vertex to the goal, with these roads known to be open or blocked.
pub(super) fn best_cost(map: &Map, vertex: u8, open: u64, blocked: u64) -> f64 {
    Solver { map, known: HashMap::new() }.revealed(vertex, open, blocked)
}

/// Expected costs with the best decisions.
struct Solver<'a> {
    map: &'a Map,
    /// Costs by vertex, open and blocked roads, once all roads at the vertex are known.
    known: HashMap<(u8, u64, u64), f64>,
}

impl Solver<'_> {
    /// The cost at a vertex whose unknown roads are about to show.
    fn revealed(&mut self, vertex: u8, open: u64, blocked: u64) -> f64 {
        if vertex == self.map.goal() {
            return 0.0;
        }
        let unknown = self.map.at[vertex as usize] & !(open | blocked);
        if unknown == 0 {
            return self.decided(vertex, open, blocked);
        }
        let road = unknown & unknown.wrapping_neg();
        let odds = f64::from(self.map.roads[road.trailing_zeros() as usize].blocked);
        (1.0 - odds) * self.revealed(vertex, open | road, blocked)
            + odds * self.revealed(vertex, open, blocked | road)
    }

    /// The cost at a vertex whose roads are all known: the taxi, or the best walk.
    fn decided(&mut self, vertex: u8, open: u64, blocked: u64) -> f64 {
        if let Some(&cost) = self.known.get(&(vertex, open, blocked)) {
            return cost;
        }
        let goal = self.map.goal();
        let is_new = |&end: &u8| end == goal || self.map.at[end as usize] & !(open | blocked) != 0;
        let ends: Vec<u8> = (0..=goal).filter(is_new).collect();
        // A walk through a new vertex reveals its roads, so walks end at the first new vertex.
        let walks = self.map.walks(vertex, open, ends.iter().fold(0, |all, &end| all | 1 << end));
        let mut cost = f64::from(self.map.taxi);
        for end in ends {
            let length = walks[end as usize];
            if f64::from(length) < cost {
                cost = cost.min(f64::from(length) + self.revealed(end, open, blocked));
            }
        }
        self.known.insert((vertex, open, blocked), cost);
        cost
    }
}
