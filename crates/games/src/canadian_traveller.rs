//! The Canadian traveller's problem (C. Papadimitriou and M. Yannakakis, 1991). One player travels on a map of roads
//! from the first vertex to the last, at the least expected cost. Each road has a length, and is blocked by snow with
//! a known probability. The traveller sees whether a road is blocked on reaching one of its ends, and it never
//! changes. At each vertex the traveller takes a road known to be open, or a taxi straight to the goal. The taxi has
//! the same price everywhere: 5 times the shortest way from start to goal if all roads were open. So every trip can
//! end, whatever the weather. The payoff is minus the length walked, and minus the taxi's price if it was taken.
//!
//! Maps are drawn by a seed, much as in P. Eyerich, T. Keller and M. Helmert (High-Quality Policies for the Canadian
//! Traveler's Problem, 2010):
//!
//! - Vertices are uniform in a square of side 100, lettered from west to east.
//! - Roads are the edges of their Delaunay triangulation, with rounded lengths.
//! - Each road's probability of being blocked is uniform between 0 and a bound.
//!
//! A road from the start straight to the goal is left out, since it would leave nothing to decide. The roads at the
//! start are known to be open, so that the traveller acts first.
//!
//! A trip has at most n(n-1)/2 legs on n vertices; then only the taxi is left. The best traveller never notices.
//! Walking has a purpose only if it leads to a new vertex, where roads show, and k legs suffice to reach the k-th of
//! them.
//!
//! Actions are the vertex to go to, `a` to `t`, or `taxi`. At a new vertex, chance reveals its unknown roads, one at
//! a time: `open` or `blocked`. A position is written as the vertex, a sign for each road in the order of the board
//! (`?` unknown, `o` open, `x` blocked), the length walked and the legs: `b oo?x? 47 1`. If the taxi was taken,
//! `taxi` follows.

mod map;
mod solver;

use crate::bits::{indices, mix_all};
use crate::own_solver::{Limits, SelfSolving};
use aji_search::{Game, Hashed, Heuristic, Keyed, Named, Payoff, Player, Stopped, Turn};
use map::Map;
pub use solver::KnownTrips;
use solver::best_trip;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// An action of the traveller, or the state of a road that chance reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TravellerAction {
    /// Walk to this neighbouring vertex.
    Go(u8),
    /// Take the taxi to the goal.
    Taxi,
    /// The road is open.
    Open,
    /// The road is blocked.
    Blocked,
}

/// The state of a trip.
#[derive(Clone, Debug, PartialEq)]
pub struct CanadianTraveller {
    map: Arc<Map>,
    vertex: u8,
    /// Roads known to be open, and known to be blocked.
    open: u64,
    blocked: u64,
    walked: u32,
    legs: u32,
    /// The taxi was taken.
    is_driven: bool,
}

impl CanadianTraveller {
    /// The possible numbers of vertices.
    pub const VERTICES: RangeInclusive<usize> = 3..=20;

    /// The most unknown roads for which [`optimal_cost`](CanadianTraveller::optimal_cost) may be called.
    pub const UNKNOWN_MAX: usize = 16;

    /// The start of a trip on a map drawn by a seed. No road is blocked with a higher probability than `blocked`.
    pub fn new(vertices: usize, seed: u64, blocked: f32) -> CanadianTraveller {
        debug_assert!(CanadianTraveller::VERTICES.contains(&vertices) && (0.0..=1.0).contains(&blocked));
        CanadianTraveller::on(Map::drawn(vertices, seed, blocked))
    }

    fn on(map: Map) -> CanadianTraveller {
        let open = map.at[0];
        CanadianTraveller {
            map: Arc::new(map),
            vertex: 0,
            open,
            blocked: 0,
            walked: 0,
            legs: 0,
            is_driven: false,
        }
    }

    /// The number of roads not yet known to be open or blocked.
    pub fn unknown_roads(&self) -> usize {
        (self.map.all() & !(self.open | self.blocked)).count_ones() as usize
    }

    /// The least expected cost from here to the goal, without the length walked so far and without the limit of legs.
    /// It is exact. A walk has a purpose only if it leads to the goal or to a vertex with unknown roads. So the best
    /// cost is the least sum, over these, of the shortest walk there and the expected cost from there. The time is
    /// exponential in the number of unknown roads, which must be at most
    /// [`UNKNOWN_MAX`](CanadianTraveller::UNKNOWN_MAX).
    pub fn optimal_cost(&self) -> f64 {
        let (unknown, most) = (self.unknown_roads(), CanadianTraveller::UNKNOWN_MAX);
        assert!(
            unknown <= most,
            "{unknown} unknown roads, more than {most}, are too many for an exact solution"
        );
        if self.is_driven {
            return 0.0;
        }
        let limits = &mut Limits { memory: usize::MAX, go_on: &mut |_| Ok(()) };
        best_trip(self, &mut KnownTrips::default(), limits).map_or(f64::NAN, |trip| trip.cost)
    }

    /// The expected cost of the whole trip, with the best decisions from here on: the cost so far, and
    /// [`optimal_cost`](CanadianTraveller::optimal_cost).
    pub fn expected_cost(&self) -> f64 {
        f64::from(self.cost()) + self.optimal_cost()
    }

    /// The road that chance reveals next.
    #[inline]
    fn unknown_here(&self) -> Option<u8> {
        let unknown = self.map.at[self.vertex as usize] & !(self.open | self.blocked);
        let is_asked = unknown != 0 && !self.is_over();
        is_asked.then_some(unknown.trailing_zeros() as u8)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.is_driven || self.vertex == self.map.goal()
    }

    fn cost(&self) -> u32 {
        self.walked + if self.is_driven { self.map.taxi } else { 0 }
    }

    fn go(&mut self, vertex: u8) {
        let between = self.map.at[self.vertex as usize] & self.map.at[vertex as usize];
        debug_assert!(between & self.open != 0, "no open road to {vertex} in {self:?}");
        self.walked += self.map.roads[between.trailing_zeros() as usize].length;
        self.legs += 1;
        self.vertex = vertex;
    }

    /// Reports a part of the position that no trip can lead to, if there is one.
    fn check(&self) -> Result<(), String> {
        let map = &self.map;
        if self.open & map.at[0] != map.at[0] {
            return Err("a road at the start is not open: expected o".to_string());
        }
        if self.legs > map.legs_max() {
            return Err(format!("{} legs: expected at most {}", self.legs, map.legs_max()));
        }
        let (least, most) = (map.distances[self.vertex as usize], self.legs * map.longest());
        if !(least..=most).contains(&self.walked) {
            let (walked, legs) = (self.walked, self.legs);
            return Err(format!("{walked} walked: expected {least} to {most} in {legs} legs"));
        }
        if self.is_driven && self.vertex == map.goal() {
            return Err("a taxi at the goal: expected none".to_string());
        }
        if self.is_driven && map.at[self.vertex as usize] & !(self.open | self.blocked) != 0 {
            return Err("a taxi before all roads here are known: expected o or x for them".to_string());
        }
        Ok(())
    }

    fn vertex_name(&self, vertex: u8) -> char {
        char::from(b'a' + vertex)
    }

    /// The sign for what is known of a road.
    fn sign(&self, road: usize) -> char {
        match (self.open >> road & 1, self.blocked >> road & 1) {
            (1, _) => 'o',
            (_, 1) => 'x',
            _ => '?',
        }
    }

    fn read_roads(&self, signs: &str) -> Result<(u64, u64), String> {
        let (mut open, mut blocked) = (0, 0);
        let count = self.map.roads.len();
        if signs.chars().count() != count {
            return Err(format!("\"{signs}\": expected {count} signs, one for each road"));
        }
        for (road, sign) in signs.chars().enumerate() {
            match sign {
                'o' => open |= 1 << road,
                'x' => blocked |= 1 << road,
                '?' => {}
                _ => return Err(format!("\"{sign}\" for road {}: expected o, x or ?", road + 1)),
            }
        }
        Ok((open, blocked))
    }
}

impl Game for CanadianTraveller {
    type Action = TravellerAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_over() {
            Turn::Over
        } else if self.unknown_here().is_some() {
            Turn::Chance
        } else {
            Turn::Player(0)
        }
    }

    fn actions(&self, out: &mut Vec<TravellerAction>) {
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend([TravellerAction::Open, TravellerAction::Blocked]),
            Turn::Player(_) => {
                let roads = if self.legs < self.map.legs_max() { self.open } else { 0 };
                for road in indices(self.map.at[self.vertex as usize] & roads) {
                    out.push(TravellerAction::Go(self.map.roads[road as usize].other_end(self.vertex)));
                }
                out.push(TravellerAction::Taxi);
            }
        }
    }

    fn play(&mut self, action: TravellerAction) {
        let road = self.unknown_here();
        debug_assert_eq!(road.is_some(), matches!(action, TravellerAction::Open | TravellerAction::Blocked));
        match action {
            TravellerAction::Go(vertex) => self.go(vertex),
            TravellerAction::Taxi => self.is_driven = true,
            TravellerAction::Open => self.open |= road.map_or(0, |road| 1 << road),
            TravellerAction::Blocked => self.blocked |= road.map_or(0, |road| 1 << road),
        }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff(&self) -> Payoff {
        Payoff([-(self.cost() as f32), 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    /// From the longest walk back and forth with a taxi at the end, to the shortest way.
    fn payoff_range(&self) -> (f32, f32) {
        let dearest = self.map.legs_max() * self.map.longest() + self.map.taxi;
        (-(dearest as f32), -(self.map.distances[self.map.goal() as usize] as f32))
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn weight(&self, outcome: TravellerAction) -> f32 {
        let blocked = self.unknown_here().map_or(0.0, |road| self.map.roads[road as usize].blocked);
        if outcome == TravellerAction::Blocked { blocked } else { 1.0 - blocked }
    }
}

impl Keyed for CanadianTraveller {
    /// The vertex to go to, the taxi, and each road open or blocked.
    fn key_count(&self) -> usize {
        self.map.at.len() + 1 + 2 * self.map.roads.len()
    }

    fn key(&self, action: TravellerAction) -> usize {
        let roads_from = self.map.at.len() + 1;
        let road = usize::from(self.unknown_here().unwrap_or(0));
        match action {
            TravellerAction::Go(vertex) => vertex.into(),
            TravellerAction::Taxi => roads_from - 1,
            TravellerAction::Open => roads_from + 2 * road,
            TravellerAction::Blocked => roads_from + 2 * road + 1,
        }
    }
}

impl Hashed for CanadianTraveller {
    fn hash(&self) -> u64 {
        let trip = u64::from(self.walked) << 32 | u64::from(self.legs);
        mix_all([self.open, self.blocked, trip, u64::from(self.vertex) << 1 | u64::from(self.is_driven)])
    }
}

impl Heuristic for CanadianTraveller {
    /// The optimistic cost: every road that may be open is open, and the taxi is taken if no way is left. Eyerich,
    /// Keller and Helmert (2010) value leaves this way.
    fn estimate(&self) -> Payoff {
        let way = self.map.walks(self.vertex, !self.blocked, 0)[self.map.goal() as usize];
        let left = if self.is_driven { 0 } else { way.min(self.map.taxi) };
        Payoff([-((self.cost() + left) as f32), 0.0, 0.0, 0.0])
    }
}

impl SelfSolving for CanadianTraveller {
    type Known = KnownTrips;

    /// Ignores the limit of legs. That is right if the best trip needs no more legs than are left; otherwise it is an
    /// error.
    fn best_payoff(&self, known: &mut KnownTrips, limits: &mut Limits) -> Result<f64, Stopped> {
        if self.is_over() {
            return Ok(-f64::from(self.cost()));
        } else if self.unknown_roads() > CanadianTraveller::UNKNOWN_MAX {
            return Err(Stopped::TooLarge);
        }
        let trip = best_trip(self, known, limits)?;
        let legs_left = self.map.legs_max() - self.legs;
        if trip.legs > legs_left { Err(Stopped::TooLarge) } else { Ok(-f64::from(self.walked) - trip.cost) }
    }

    fn size(known: &KnownTrips) -> (usize, usize) {
        (known.len(), known.bytes())
    }
}

impl Named for CanadianTraveller {
    fn action_name(&self, action: TravellerAction) -> String {
        match action {
            TravellerAction::Go(vertex) => self.vertex_name(vertex).to_string(),
            TravellerAction::Taxi => "taxi".to_string(),
            TravellerAction::Open => "open".to_string(),
            TravellerAction::Blocked => "blocked".to_string(),
        }
    }

    fn text(&self) -> String {
        let signs: String = (0..self.map.roads.len()).map(|road| self.sign(road)).collect();
        let taxi = if self.is_driven { " taxi" } else { "" };
        format!("{} {signs} {} {}{taxi}", self.vertex_name(self.vertex), self.walked, self.legs)
    }

    fn read(&self, text: &str) -> Result<CanadianTraveller, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (vertex, signs, walked, legs, is_driven) = match words[..] {
            [vertex, signs, walked, legs] => (vertex, signs, walked, legs, false),
            [vertex, signs, walked, legs, "taxi"] => (vertex, signs, walked, legs, true),
            _ => return Err(format!("\"{text}\": expected vertex, roads, length walked, legs, maybe taxi")),
        };
        let goal = self.map.goal();
        let Some(vertex) = (0..=goal).find(|&other| self.vertex_name(other).to_string() == vertex) else {
            return Err(format!("\"{vertex}\": expected a vertex, a to {}", self.vertex_name(goal)));
        };
        let (open, blocked) = self.read_roads(signs)?;
        let number = |text: &str, what: &str| {
            let found = text.parse::<u16>().map(u32::from);
            found.map_err(|_| format!("\"{text}\": expected {what}, a whole number"))
        };
        let (walked, legs) = (number(walked, "the length walked")?, number(legs, "the legs")?);
        let map = self.map.clone();
        let trip = CanadianTraveller { map, vertex, open, blocked, walked, legs, is_driven };
        trip.check().map_err(|error| format!("\"{text}\": {error}"))?;
        Ok(trip)
    }

    fn board(&self) -> String {
        let mut lines = String::new();
        for (index, road) in self.map.roads.iter().enumerate() {
            let (from, to) = (self.vertex_name(road.from), self.vertex_name(road.to));
            let state = match self.sign(index) {
                'o' => "open".to_string(),
                'x' => "blocked".to_string(),
                _ => format!("blocked with probability {:.2}", road.blocked),
            };
            lines += &format!("{from}-{to} {:>4}  {state}\n", road.length);
        }
        let place = if self.is_driven { self.map.goal() } else { self.vertex };
        let (place, goal) = (self.vertex_name(place), self.vertex_name(self.map.goal()));
        lines + &format!("at {place}, to {goal}; spent {}, the taxi costs {}\n", self.cost(), self.map.taxi)
    }

    fn player_name(&self, _player: Player) -> String {
        "traveller".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::map::Road;
    use super::*;
    use std::collections::HashMap;

    /// A map of roads (from, to, length, probability of being blocked).
    fn map(vertices: usize, roads: &[(u8, u8, u32, f32)]) -> CanadianTraveller {
        let road = |&(from, to, length, blocked)| Road { from, to, length, blocked };
        CanadianTraveller::on(Map::new(vertices, roads.iter().map(road).collect()))
    }

    fn check_cost(trip: &CanadianTraveller, expect: f64) {
        let found = trip.optimal_cost();
        assert!((found - expect).abs() < 1e-6 * expect.max(1.0), "{}: {found}, not {expect}", trip.text());
    }

    /// The least expected cost of the game as played, including the limit of legs: tries every action and outcome.
    fn expectimax(trip: &CanadianTraveller, known: &mut HashMap<String, f64>) -> f64 {
        if trip.turn() == Turn::Over {
            return -f64::from(trip.payoff().of(0));
        }
        if let Some(&cost) = known.get(&trip.text()) {
            return cost;
        }
        let mut actions = Vec::new();
        trip.actions(&mut actions);
        let mut after = |action: TravellerAction| {
            let mut next = trip.clone();
            next.play(action);
            expectimax(&next, known)
        };
        let cost = match trip.turn() {
            Turn::Chance => {
                actions.iter().map(|&action| f64::from(trip.weight(action)) * after(action)).sum()
            }
            _ => actions.iter().map(|&action| after(action)).fold(f64::INFINITY, f64::min),
        };
        known.insert(trip.text(), cost);
        cost
    }

    #[test]
    fn costs_by_hand() {
        // One open road.
        check_cost(&map(2, &[(0, 1, 7, 0.0)]), 7.0);
        // To b, then one road that is blocked half the time; the taxi costs 5 (10 + 10) then.
        check_cost(&map(3, &[(0, 1, 10, 0.0), (1, 2, 10, 0.5)]), 10.0 + 0.5 * 10.0 + 0.5 * 100.0);
        // A sure way of 30, or one of 20 that fails half the time and then costs the way back: 10 + (10 + 40) / 2.
        let roads = [(0, 1, 10, 0.0), (1, 3, 10, 0.5), (0, 2, 15, 0.0), (2, 3, 15, 0.0)];
        check_cost(&map(4, &roads), 30.0);
        // If it fails less often, it is worth trying: 10 + 0.8 * 10 + 0.2 * 40.
        let roads = [(0, 1, 10, 0.0), (1, 3, 10, 0.2), (0, 2, 15, 0.0), (2, 3, 15, 0.0)];
        check_cost(&map(4, &roads), 26.0);
        // A road that is surely blocked leaves only the taxi, taken at once.
        check_cost(&map(3, &[(0, 1, 10, 0.0), (1, 2, 10, 1.0)]), 100.0);
    }

    /// The solver solves the whole game: neither the limit of legs nor pointless walks make a difference.
    #[test]
    fn costs_are_those_of_the_game() {
        let mut differ = false;
        for (vertices, seed) in [(3, 1), (4, 2), (4, 3), (5, 4), (5, 5)] {
            let trip = CanadianTraveller::new(vertices, seed, 1.0);
            check_cost(&trip, expectimax(&trip, &mut HashMap::new()));
            differ |= trip.optimal_cost() > f64::from(-trip.payoff_range().1) + 1.0;
        }
        assert!(differ, "some map has roads that matter");
    }

    /// The estimate is at most the cost, and exact if all roads are known.
    #[test]
    fn estimates_are_optimistic() {
        let roads = [(0, 1, 10, 0.0), (1, 3, 10, 0.5), (0, 2, 15, 0.0), (2, 3, 15, 0.0)];
        let trip = map(4, &roads);
        let check = |text: &str, expect: f32| {
            assert_eq!(trip.read(text).expect(text).estimate().of(0), expect, "{text}");
        };
        check("a oo?? 0 0", -20.0);
        check("b oox? 10 1", -50.0);
        check("b oo?? 10 1", -20.0);
        check("b oox? 10 1 taxi", -110.0);
        assert!(-trip.estimate().of(0) as f64 <= trip.optimal_cost());
    }

    /// The best decision keeps the expected cost.
    #[test]
    fn what_is_expected_stays() {
        for seed in 0..10 {
            let (trip, mut actions) = (CanadianTraveller::new(5, seed, 1.0), Vec::new());
            trip.actions(&mut actions);
            let after = |&action: &TravellerAction| {
                let mut after = trip.clone();
                after.play(action);
                after.expected_cost()
            };
            let best = actions.iter().map(after).fold(f64::INFINITY, f64::min);
            assert!((best - trip.expected_cost()).abs() < 1e-9, "{best}");
        }
    }

    #[test]
    fn without_snow_the_shortest_way_is_the_best() {
        for seed in 0..20 {
            let trip = CanadianTraveller::new(6, seed, 0.0);
            check_cost(&trip, f64::from(-trip.payoff_range().1));
        }
    }

    #[test]
    fn trips_by_hand() {
        let roads = [(0, 1, 10, 0.0), (0, 2, 15, 0.0), (1, 2, 3, 0.25), (1, 3, 10, 0.5), (2, 3, 15, 0.75)];
        let mut trip = map(4, &roads);
        let mut play = |action: TravellerAction, legal: &str, expect: &str| {
            let mut actions = Vec::new();
            trip.actions(&mut actions);
            let names: Vec<String> = actions.iter().map(|&action| trip.action_name(action)).collect();
            assert_eq!(names.join(" "), legal);
            let blocked = trip.weight(TravellerAction::Blocked);
            trip.play(action);
            assert_eq!(trip.text(), expect);
            blocked
        };
        play(TravellerAction::Go(1), "b c taxi", "b oo??? 10 1");
        assert_eq!(play(TravellerAction::Open, "open blocked", "b ooo?? 10 1"), 0.25);
        assert_eq!(play(TravellerAction::Blocked, "open blocked", "b ooox? 10 1"), 0.5);
        play(TravellerAction::Go(2), "a c taxi", "c ooox? 13 2");
        assert_eq!(play(TravellerAction::Blocked, "open blocked", "c oooxx 13 2"), 0.75);
        play(TravellerAction::Taxi, "a b taxi", "c oooxx 13 2 taxi");
        assert_eq!((trip.turn(), trip.payoff().of(0)), (Turn::Over, -(13.0 + 5.0 * 20.0)));
        assert_eq!(trip.payoff_range(), (-(6.0 * 15.0 + 100.0), -20.0));
        let worn_out = trip.read("a oooxx 90 6").unwrap();
        let mut actions = Vec::new();
        worn_out.actions(&mut actions);
        assert_eq!(actions, [TravellerAction::Taxi]);
    }

    #[test]
    fn roads_are_listed() {
        let trip = map(3, &[(0, 1, 10, 0.0), (1, 2, 10, 0.5)]);
        let lines = "a-b   10  open\nb-c   10  blocked with probability 0.50\n";
        assert_eq!(trip.board(), format!("{lines}at a, to c; spent 0, the taxi costs 100\n"));
    }

    #[test]
    fn maps_differ_by_seed_and_bound() {
        let trip = CanadianTraveller::new(20, 1, 0.5);
        assert_eq!(trip, CanadianTraveller::new(20, 1, 0.5));
        assert_ne!(trip.board(), CanadianTraveller::new(20, 2, 0.5).board());
        let odds: Vec<f32> = trip.map.roads.iter().map(|road| road.blocked).collect();
        assert!(odds.iter().all(|&odds| odds < 0.5) && odds.iter().any(|&odds| odds > 0.4), "{odds:?}");
        let later = trip.map.roads.iter().filter(|road| road.from > 0);
        assert!(later.clone().count() < odds.len() && trip.unknown_roads() == later.count());
    }

    #[test]
    fn bad_positions_are_refused() {
        let trip = map(3, &[(0, 1, 10, 0.0), (1, 2, 10, 0.5)]);
        let check = |text: &str, expect: &str| {
            let error = trip.read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected vertex, roads, length walked, legs, maybe taxi");
        check("a o? 0 0 bus", "expected vertex");
        check("d o? 0 0", "\"d\": expected a vertex, a to c");
        check("b o 10 1", "\"o\": expected 2 signs, one for each road");
        check("b oy 10 1", "\"y\" for road 2: expected o, x or ?");
        check("b oo x 1", "\"x\": expected the length walked, a whole number");
        check("b oo 10 -1", "\"-1\": expected the legs");
        check("b ?o 10 1", "a road at the start is not open: expected o");
        check("b oo 40 4", "4 legs: expected at most 3");
        check("b oo 9 1", "9 walked: expected 10 to 10 in 1 legs");
        check("b oo 21 2", "21 walked: expected 10 to 20 in 2 legs");
        check("c oo 20 2 taxi", "a taxi at the goal: expected none");
        check("b o? 10 1 taxi", "a taxi before all roads here are known");
    }
}
