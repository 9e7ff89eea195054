//! Sailing: one player steers a boat from the lower left to the upper right corner of a square grid of points, in the
//! least expected time while the wind turns. The problem is R. Vanderbei's (Sailing Strategies, 1996); L. Kocsis and
//! C. Szepesvári (Bandit based Monte-Carlo Planning, 2006) tried UCT on it.
//!
//! A leg goes to one of the eight neighbouring points. The wind comes from one of the eight points of the compass. No
//! leg goes straight into it. A leg at 45 degrees to where it comes from (up) takes 4 minutes, at 90 (cross) 3, at
//! 135 (down) 2, and with the wind from behind (away) 1. A diagonal leg is longer, and takes √2 times the minutes. On
//! a leg up, cross or down, the wind strikes the boat from the left, a port tack, or from the right, a starboard
//! tack. A leg whose tack is opposite to that of the leg before takes 3 minutes more. A leg away has no tack, nor has
//! the boat at the start: there is no delay before or after it.
//!
//! After each leg the wind stays or turns by 45 degrees, with the odds of Vanderbei's program, as public ports of it
//! give them (the paper on UCT prints none):
//!
//! ```text
//! wind from          n    ne   e    se   s    sw   w    nw
//! counter-clockwise  0.3  0.4  0.4  0.4  0.4  0.3  0.3  0.3
//! stays              0.4  0.3  0.3  0.3  0.2  0.3  0.3  0.3
//! clockwise          0.3  0.3  0.3  0.3  0.4  0.4  0.4  0.4
//! ```
//!
//! A boat steered at random might never arrive. So a trip also ends after 40 minutes for each point of a side, and
//! counts as exactly this time: someone tows the boat. That is many times what a good trip takes
//! ([`Sailing::optimal_costs`] ignores it), yet short enough for payoffs to differ visibly within their range. The
//! payoff is minus the minutes.
//!
//! Actions are headings, those of chance where the wind comes from next: `n ne e se s sw w nw`. A position is written
//! as column, row, wind, tack (`port`, `starboard`, `none`), the minutes of straight legs with all delays, and those
//! of diagonal legs before multiplication: `2,1 nw port 7 4`. While the wind turns, `turns` follows.

mod costs;
mod trips;

use crate::bits::{a_random_bit, indices, mix_all};
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn};
pub use costs::SailingCosts;
use std::f64::consts::SQRT_2;
use std::ops::RangeInclusive;
pub use trips::SailingTrips;

/// The points of the compass, clockwise, each with the step that leads there.
const COMPASS: [(&str, i8, i8); 8] = [
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
];

/// For each wind, the odds in tenths that it turns counter-clockwise, stays, or turns clockwise.
const ODDS: [[u8; 3]; 8] =
    [[3, 4, 3], [4, 3, 3], [4, 3, 3], [4, 3, 3], [4, 2, 4], [3, 3, 4], [3, 3, 4], [3, 3, 4]];

/// Minutes of a straight leg, by the eighths of a circle between the heading and where the wind comes from. The first
/// entry is never used.
const MINUTES: [u16; 5] = [0, 4, 3, 2, 1];

/// Minutes lost when the tack changes sides.
const DELAY: u16 = 3;

/// The minutes after which a trip ends, for each point of a side.
const MINUTES_MAX: u16 = 40;

const TACKS: [(&str, Tack); 3] = [("port", Tack::Port), ("starboard", Tack::Starboard), ("none", Tack::None)];

/// The side from which the wind strikes the boat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tack {
    /// From the left.
    Port,
    /// From the right.
    Starboard,
    /// From behind, or before the first leg.
    None,
}

impl Tack {
    /// The tack of a leg with this heading in this wind.
    fn of(heading: u8, wind: u8) -> Tack {
        match (wind + 8 - heading) % 8 {
            1..=3 => Tack::Starboard,
            5..=7 => Tack::Port,
            _ => Tack::None,
        }
    }

    fn delay(self, next: Tack) -> u16 {
        let opposite = self != next && self != Tack::None && next != Tack::None;
        if opposite { DELAY } else { 0 }
    }
}

/// The state of a trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sailing {
    size: u8,
    column: u8,
    row: u8,
    /// Where the wind comes from; while it turns, where it came from.
    wind: u8,
    tack: Tack,
    turning: bool,
    /// Minutes are whole except for a factor of √2, so the two kinds are counted separately, without rounding.
    straight: u16,
    diagonal: u16,
}

impl Sailing {
    /// The possible sizes of a side, in points.
    pub const SIZES: RangeInclusive<usize> = 2..=40;

    /// The winds, by where they come from: 0 is n, 1 is ne, and so on clockwise.
    pub const WINDS: RangeInclusive<usize> = 0..=7;

    /// The start of a trip on `size` by `size` points, with this wind.
    pub fn new(size: usize, wind: usize) -> Sailing {
        debug_assert!(Sailing::SIZES.contains(&size) && Sailing::WINDS.contains(&wind));
        Sailing {
            size: size as u8,
            column: 0,
            row: 0,
            wind: wind as u8,
            tack: Tack::None,
            turning: false,
            straight: 0,
            diagonal: 0,
        }
    }

    fn last(&self) -> u8 {
        self.size - 1
    }

    fn minutes(&self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * SQRT_2
    }

    fn minutes_max(&self) -> f64 {
        f64::from(MINUTES_MAX) * f64::from(self.size)
    }

    fn is_over(&self) -> bool {
        self.column == self.last() && self.row == self.last() || self.minutes() >= self.minutes_max()
    }

    /// The headings that stay on the grid and are not into the wind, as bits. There is always one: even in a corner
    /// three headings stay on the grid, and at most one is into the wind.
    fn headings(&self) -> u8 {
        let (west, south) = (self.column == 0, self.row == 0);
        let (east, north) = (self.column == self.last(), self.row == self.last());
        let barred = |bar: bool, headings: u8| if bar { headings } else { 0 };
        let off_grid = barred(north, 0b1000_0011)
            | barred(east, 0b0000_1110)
            | barred(south, 0b0011_1000)
            | barred(west, 0b1110_0000);
        !(off_grid | 1 << self.wind)
    }

    /// The boat one leg later, before the wind turns.
    fn sailed(&self, heading: u8) -> Sailing {
        let (_, east, north) = COMPASS[heading as usize];
        let tack = Tack::of(heading, self.wind);
        let apart = (heading + 8 - self.wind) % 8;
        let minutes = MINUTES[usize::from(apart.min(8 - apart))];
        let is_diagonal = heading % 2 == 1;
        Sailing {
            column: self.column.wrapping_add_signed(east),
            row: self.row.wrapping_add_signed(north),
            tack,
            straight: self.straight + self.tack.delay(tack) + if is_diagonal { 0 } else { minutes },
            diagonal: self.diagonal + if is_diagonal { minutes } else { 0 },
            ..*self
        }
    }

    /// Reports a part of the position that no trip can lead to, if there is one.
    fn check(&self) -> Result<(), String> {
        let apart = self.column.abs_diff(self.row);
        let least = f64::from(apart) + f64::from(self.column.min(self.row)) * SQRT_2;
        if self.minutes() < least - 1e-9 {
            return Err(format!("{:.1} minutes: expected at least {least:.1} to get here", self.minutes()));
        }
        let dearest_leg = f64::from(MINUTES[1]) * SQRT_2 + f64::from(DELAY);
        let most = self.minutes_max() + dearest_leg;
        if self.minutes() >= most {
            return Err(format!("{:.1} minutes: expected less than {most:.1}", self.minutes()));
        }
        if self.turning && self.is_over() {
            return Err("the trip is over: expected no turns at the end".to_string());
        }
        Ok(())
    }
}

/// The number of the compass point with this name.
fn read_wind(text: &str) -> Result<u8, String> {
    let wind = COMPASS.iter().position(|(name, ..)| *name == text);
    wind.map(|wind| wind as u8)
        .ok_or_else(|| format!("\"{text}\": expected a wind, one of n ne e se s sw w nw"))
}

impl Game for Sailing {
    /// A heading, or where the wind comes from next: 0 is n, 1 is ne, and so on clockwise.
    type Action = u8;

    #[inline]
    fn turn(&self) -> Turn {
        if self.turning {
            Turn::Chance
        } else if self.is_over() {
            Turn::Over
        } else {
            Turn::Player(0)
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend([7, 0, 1].map(|turn| (self.wind + turn) % 8)),
            Turn::Player(_) => out.extend(indices(self.headings().into())),
        }
    }

    #[inline]
    fn play(&mut self, action: u8) {
        if self.turning {
            (self.wind, self.turning) = (action, false);
        } else {
            debug_assert!(self.headings() >> action & 1 == 1, "no heading {action} in {self:?}");
            *self = self.sailed(action);
            self.turning = !self.is_over();
        }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff(&self) -> Payoff {
        Payoff([-self.minutes().min(self.minutes_max()) as f32, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    /// The best trip goes diagonally, with the wind from behind.
    fn payoff_range(&self) -> (f32, f32) {
        (-self.minutes_max() as f32, -(f64::from(self.last()) * SQRT_2) as f32)
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn weight(&self, wind: u8) -> f32 {
        let turn = (wind + 8 - self.wind + 1) % 8;
        f32::from(ODDS[self.wind as usize][turn as usize])
    }

    /// The same as listing the actions, without the list.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        if !self.turning {
            return a_random_bit(self.headings().into(), rng).trailing_zeros() as u8;
        }
        let [less, same, _] = ODDS[self.wind as usize];
        let tenth = rng.below(10) as u8;
        let turn = if tenth < less { 7 } else { u8::from(tenth >= less + same) };
        (self.wind + turn) % 8
    }
}

impl Keyed for Sailing {
    /// Headings by the point they start from, and winds.
    fn key_count(&self) -> usize {
        (usize::from(self.size).pow(2) + 1) * 8
    }

    fn key(&self, action: u8) -> usize {
        let size = usize::from(self.size);
        let point = usize::from(self.row) * size + usize::from(self.column);
        usize::from(action) + 8 * if self.turning { size * size } else { point }
    }
}

impl Hashed for Sailing {
    fn hash(&self) -> u64 {
        let boat = [self.column, self.row, self.wind, self.tack as u8, self.turning.into()];
        mix_all([self.straight, self.diagonal].map(u64::from).into_iter().chain(boat.map(u64::from)))
    }
}

impl Named for Sailing {
    fn action_name(&self, action: u8) -> String {
        COMPASS[action as usize].0.to_string()
    }

    fn text(&self) -> String {
        let Sailing { column, row, straight, diagonal, .. } = self;
        let (wind, tack) = (COMPASS[self.wind as usize].0, TACKS[self.tack as usize].0);
        let turning = if self.turning { " turns" } else { "" };
        format!("{column},{row} {wind} {tack} {straight} {diagonal}{turning}")
    }

    fn read(&self, text: &str) -> Result<Sailing, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let turning = words.len() == 6 && words[5] == "turns";
        words.truncate(if turning { 5 } else { words.len() });
        let [point, wind, tack, straight, diagonal] = words[..] else {
            return Err(format!(
                "\"{text}\": expected point, wind, tack, two counts of minutes, maybe turns"
            ));
        };
        let place = |text: &str| text.parse().ok().filter(|&place| place < self.size);
        let places = point.split_once(',').map(|(column, row)| (place(column), place(row)));
        let Some((Some(column), Some(row))) = places else {
            let last = self.last();
            return Err(format!("\"{point}\": expected column and row such as 1,0, each 0 to {last}"));
        };
        let Some(&(_, tack)) = TACKS.iter().find(|(name, _)| *name == tack) else {
            return Err(format!("\"{tack}\": expected a tack, one of port starboard none"));
        };
        let minutes = |text: &str| {
            let most = (MINUTES_MAX + 1) * u16::from(self.size);
            let found = text.parse().ok().filter(|&minutes: &u16| minutes <= most);
            found.ok_or_else(|| format!("\"{text}\": expected minutes, 0 to {most}"))
        };
        let (straight, diagonal, wind) = (minutes(straight)?, minutes(diagonal)?, read_wind(wind)?);
        let boat = Sailing { column, row, wind, tack, turning, straight, diagonal, ..*self };
        boat.check().map_err(|error| format!("\"{text}\": {error}"))?;
        Ok(boat)
    }

    /// The boat is @, the goal *.
    fn board(&self) -> String {
        let mut lines = String::new();
        for row in (0..self.size).rev() {
            for column in 0..self.size {
                let is_boat = (column, row) == (self.column, self.row);
                let is_goal = (column, row) == (self.last(), self.last());
                lines += if is_boat {
                    " @"
                } else if is_goal {
                    " *"
                } else {
                    " ."
                };
            }
            lines.push('\n');
        }
        let (wind, tack) = (COMPASS[self.wind as usize].0, TACKS[self.tack as usize].0);
        lines + &format!("wind from {wind}, tack {tack}, {:.1} minutes\n", self.minutes())
    }

    fn player_name(&self, _player: Player) -> String {
        "sailor".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boat(size: usize, text: &str) -> Sailing {
        Sailing::new(size, 0).read(text).unwrap()
    }

    fn legal(boat: &Sailing) -> Vec<String> {
        let mut actions = Vec::new();
        boat.actions(&mut actions);
        actions.into_iter().map(|action| boat.action_name(action)).collect()
    }

    #[test]
    fn legs_by_hand() {
        let check = |from: &str, heading: &str, expect: &str| {
            let mut boat = boat(5, from);
            boat.play(read_wind(heading).unwrap());
            assert_eq!(boat.text(), expect, "{from} to {heading}");
        };
        // The wind comes from the north: on a heading to the east it strikes from the left.
        check("1,1 n none 4 0", "e", "2,1 n port 7 0 turns");
        check("1,1 n none 4 0", "w", "0,1 n starboard 7 0 turns");
        check("1,1 n none 4 0", "ne", "2,2 n port 4 4 turns");
        check("1,1 n none 4 0", "se", "2,0 n port 4 2 turns");
        check("1,1 n none 4 0", "s", "1,0 n none 5 0 turns");
        check("1,1 n starboard 4 0", "e", "2,1 n port 10 0 turns");
        check("1,1 n port 4 0", "sw", "0,0 n starboard 7 2 turns");
        check("1,1 n starboard 4 0", "s", "1,0 n none 5 0 turns");
        check("3,3 sw port 4 5", "ne", "4,4 sw none 4 6");
        check("3,3 sw port 199 0", "nw", "2,4 sw port 199 3");
    }

    #[test]
    fn headings_stay_on_the_grid_and_off_the_wind() {
        let check = |from: &str, expect: &str| assert_eq!(legal(&boat(5, from)).join(" "), expect, "{from}");
        check("2,2 s none 40 0", "n ne e se sw w nw");
        check("0,0 n none 0 0", "ne e");
        check("0,0 sw none 0 0", "n ne e");
        check("4,0 nw none 40 0", "n w");
        check("0,4 e none 40 0", "se s");
        check("4,2 ne none 40 0", "n s sw w nw");
        check("2,2 n none 40 0 turns", "nw n ne");
        check("4,4 n none 40 0", "");
    }

    /// The rows of the matrix as Vanderbei gives them, from each wind (down) to each (across).
    #[test]
    fn the_wind_turns_by_the_matrix() {
        let matrix = [
            [4, 3, 0, 0, 0, 0, 0, 3],
            [4, 3, 3, 0, 0, 0, 0, 0],
            [0, 4, 3, 3, 0, 0, 0, 0],
            [0, 0, 4, 3, 3, 0, 0, 0],
            [0, 0, 0, 4, 2, 4, 0, 0],
            [0, 0, 0, 0, 3, 3, 4, 0],
            [0, 0, 0, 0, 0, 3, 3, 4],
            [4, 0, 0, 0, 0, 0, 3, 3],
        ];
        let (mut rng, mut outcomes) = (Rng::seeded(1), Vec::new());
        for (wind, row) in matrix.into_iter().enumerate() {
            let turning = Sailing { turning: true, ..Sailing::new(3, wind) };
            let mut odds = [0.0; 8];
            outcomes.clear();
            turning.actions(&mut outcomes);
            outcomes.iter().for_each(|&outcome| odds[outcome as usize] = turning.weight(outcome));
            assert_eq!(odds, row.map(|tenths| tenths as f32), "from {wind}");
            let mut counts = [0; 8];
            (0..10_000).for_each(|_| counts[turning.random_action(&mut rng, &mut outcomes) as usize] += 1);
            // Each count has a standard deviation of at most 50.
            let near = |(count, tenths): (i32, i32)| (count - 1_000 * tenths).abs() < 250;
            assert!(counts.into_iter().zip(row).all(near), "from {wind}: {counts:?}");
        }
    }

    /// On two by two points, with the wind from the southwest, the goal is one leg away with the wind from behind.
    #[test]
    fn costs_by_hand() {
        let costs = Sailing::optimal_costs(2);
        let check = |column, row, wind, tack, expect: f64| {
            let found = costs.of(column, row, wind, tack);
            assert!((found - expect).abs() < 1e-9, "{column},{row} {wind} {tack:?}: {found}, not {expect}");
        };
        check(1, 1, 0, Tack::Port, 0.0);
        check(0, 0, 5, Tack::None, SQRT_2);
        check(0, 0, 4, Tack::None, 2.0 * SQRT_2);
        check(0, 1, 6, Tack::Port, 1.0);
        check(1, 0, 4, Tack::None, 1.0);
        // East with the wind from the northwest is down and a port tack.
        check(0, 1, 7, Tack::None, 2.0);
        check(0, 1, 7, Tack::Port, 2.0);
        // With the opposite tack, a delay of 3 costs less than any detour.
        check(0, 1, 7, Tack::Starboard, 5.0);
    }

    /// Every cost is that of its best leg and what follows, computed again by playing the game.
    #[test]
    fn costs_keep_bellmans_equation() {
        let size = 4;
        let costs = Sailing::optimal_costs(size);
        let start = Sailing::new(size, 0);
        for (point, wind) in (0..size * size - 1).flat_map(|point| (0..8u8).map(move |wind| (point, wind))) {
            for (_, tack) in TACKS {
                let (column, row) = ((point % size) as u8, (point / size) as u8);
                let state = Sailing { column, row, wind, tack, ..start };
                let mut headings = Vec::new();
                state.actions(&mut headings);
                let through = |heading: u8| {
                    let mut after = state;
                    after.play(heading);
                    let (mut winds, minutes) = (Vec::new(), after.minutes());
                    after.turning = true;
                    after.actions(&mut winds);
                    let cost = |&wind: &u8| {
                        let (column, row) = (after.column.into(), after.row.into());
                        f64::from(after.weight(wind)) / 10.0 * costs.of(column, row, wind.into(), after.tack)
                    };
                    minutes + winds.iter().map(cost).sum::<f64>()
                };
                let best = headings.into_iter().map(through).fold(f64::INFINITY, f64::min);
                let found = costs.of(column.into(), row.into(), wind.into(), tack);
                assert!((found - best).abs() < 1e-9, "{state:?}: {found}, not {best}");
            }
        }
    }

    #[test]
    fn trips_by_the_costs_take_as_long_as_they_say() {
        const TRIPS: u32 = 20_000;
        let costs = Sailing::optimal_costs(5);
        let (mut rng, mut scratch, mut minutes) = (Rng::seeded(2), Vec::new(), 0.0);
        for _ in 0..TRIPS {
            let mut trip = Sailing::new(5, 0);
            while trip.turn() != Turn::Over {
                let mut headings = indices(trip.headings().into());
                let best =
                    |&one: &u8, &other: &u8| costs.of_leg(&trip, one).total_cmp(&costs.of_leg(&trip, other));
                let action = match trip.turning {
                    true => trip.random_action(&mut rng, &mut scratch),
                    false => headings.by_ref().min_by(best).unwrap(),
                };
                trip.play(action);
            }
            minutes -= f64::from(trip.payoff().of(0));
        }
        let (mean, expect) = (minutes / f64::from(TRIPS), costs.of(0, 0, 0, Tack::None));
        // A trip's minutes have a standard deviation of about 5.
        assert!((mean - expect).abs() < 0.2, "{mean}, not {expect}");
    }

    /// The best leg keeps the expected cost, no leg lowers it, and the average over the winds is the cost before they
    /// turn.
    #[test]
    fn what_is_expected_stays() {
        let (costs, mut rng, mut actions) = (Sailing::optimal_costs(4), Rng::seeded(3), Vec::new());
        let mut trip = Sailing::new(4, 5);
        while trip.turn() != Turn::Over {
            actions.clear();
            trip.actions(&mut actions);
            let after = actions.iter().map(|&action| {
                let mut after = trip;
                after.play(action);
                after.expected_cost(&costs)
            });
            let found: f64 = if trip.turning {
                after.zip(&actions).map(|(cost, &wind)| f64::from(trip.weight(wind)) / 10.0 * cost).sum()
            } else {
                after.fold(f64::INFINITY, f64::min)
            };
            assert!((found - trip.expected_cost(&costs)).abs() < 1e-6, "{trip:?}");
            trip.play(trip.random_action(&mut rng, &mut actions));
        }
        assert_eq!(trip.expected_cost(&costs), trip.minutes());
    }

    #[test]
    fn the_payoff_is_minus_the_minutes() {
        let check = |text: &str, expect: f64| {
            let boat = boat(5, text);
            assert_eq!((boat.turn(), boat.payoff().of(0)), (Turn::Over, -expect as f32), "{text}");
        };
        check("4,4 sw none 0 4", 4.0 * SQRT_2);
        check("4,4 n port 7 10", 7.0 + 10.0 * SQRT_2);
        check("4,4 n port 201 0", 200.0);
        check("0,0 n port 200 0", 200.0);
        assert_eq!(Sailing::new(5, 0).payoff_range(), (-200.0, -(4.0 * SQRT_2) as f32));
    }

    #[test]
    fn the_lake_is_drawn() {
        let drawn = " . . *\n . @ .\n . . .\nwind from nw, tack port, 6.7 minutes\n";
        assert_eq!(boat(3, "1,1 nw port 1 4").board(), drawn);
    }

    #[test]
    fn bad_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Sailing::new(5, 0).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected point, wind, tack, two counts of minutes, maybe turns");
        check("1,1 n none 4 0 stays", "expected point");
        check("1,5 n none 40 0", "\"1,5\": expected column and row such as 1,0, each 0 to 4");
        check("1 n none 40 0", "expected column and row");
        check("1,1 nn none 40 0", "\"nn\": expected a wind");
        check("1,1 n left 40 0", "\"left\": expected a tack");
        check("1,1 n none x 0", "\"x\": expected minutes, 0 to 205");
        check("1,1 n none 1 0", "1.0 minutes: expected at least 1.4 to get here");
        check("1,1 n none 205 100", "346.4 minutes: expected less than 208.7");
        check("4,4 n none 40 0 turns", "the trip is over: expected no turns at the end");
        check("1,1 n none 200 0 turns", "the trip is over");
    }
}
