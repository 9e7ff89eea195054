//! One heap of counters, and what each side can take from it.

use aji_cgt::{Dyadic, Move, Overflow, Position, Side, Thermograph};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The colour of a counter: it tells whose move it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Ends a move of Right.
    Blue,
    /// Ends a move of Left.
    Red,
}

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counter {
    /// Its colour.
    pub colour: Colour,
    /// Its worth to the player who takes it, at least 1.
    pub weight: u32,
}

/// A heap, and how much of it is left: a position that can be studied. Two are equal if the counters left are.
#[derive(Clone, Debug)]
pub struct Heap {
    whole: Arc<Whole>,
    height: usize,
}

/// A heap in its first state.
#[derive(Debug)]
struct Whole {
    /// From the bottom to the top.
    counters: Vec<Counter>,
    /// What Left and Right take, by the number of counters left, from one.
    takings: Vec<[Taking; 2]>,
}

/// What a move takes from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taking {
    /// The counters left after it.
    pub left: u16,
    /// Those that it takes.
    pub taken: u16,
    /// The weight of the taken counters.
    pub weight: u32,
}

impl Heap {
    /// The most counters of a heap.
    pub const COUNTERS_MAX: usize = 1_000;

    /// The largest weight of a counter.
    pub const WEIGHT_MAX: u32 = 1_000_000;

    /// A heap of these counters, from the bottom to the top: at most [`COUNTERS_MAX`](Heap::COUNTERS_MAX), of weights
    /// from 1 to [`WEIGHT_MAX`](Heap::WEIGHT_MAX).
    pub fn new(counters: Vec<Counter>) -> Heap {
        debug_assert!(counters.len() <= Heap::COUNTERS_MAX);
        let height = counters.len();
        let takings =
            (1..=height).map(|height| Side::BOTH.map(|side| taking(&counters[..height], side))).collect();
        Heap { whole: Arc::new(Whole { counters, takings }), height }
    }

    /// Reads a heap, the top counter first: `R3B5`.
    pub fn read(text: &str) -> Result<Heap, String> {
        let mut counters = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let place = text.len() - rest.len() + 1;
            let colour = match letter {
                'B' | 'b' => Colour::Blue,
                'R' | 'r' => Colour::Red,
                _ => {
                    return Err(format!(
                        "\"{text}\": expected R or B before a weight, found {letter} at {place}"
                    ));
                }
            };
            let digits =
                rest[1..].find(|digit: char| !digit.is_ascii_digit()).map_or(rest.len(), |end| end + 1);
            let weight =
                rest[1..digits].parse().ok().filter(|weight| (1..=Heap::WEIGHT_MAX).contains(weight));
            let Some(weight) = weight else {
                let (most, at) = (Heap::WEIGHT_MAX, place + 1);
                return Err(format!("\"{text}\": expected a weight from 1 to {most} after {letter} at {at}"));
            };
            counters.push(Counter { colour, weight });
            rest = &rest[digits..];
        }
        if counters.len() > Heap::COUNTERS_MAX {
            return Err(format!(
                "{} counters in a heap: expected at most {}",
                counters.len(),
                Heap::COUNTERS_MAX
            ));
        }
        counters.reverse();
        Ok(Heap::new(counters))
    }

    /// The counters that are left, from the bottom to the top.
    pub fn counters(&self) -> &[Counter] {
        &self.whole.counters[..self.height]
    }

    /// The same heap with this many counters left, at most its first height.
    pub fn with_height(&self, height: usize) -> Heap {
        debug_assert!(height <= self.whole.counters.len());
        Heap { whole: Arc::clone(&self.whole), height }
    }

    /// What a side takes, if the heap is not empty.
    pub fn taking(&self, side: Side) -> Option<Taking> {
        let takings = self.whole.takings[..self.height].last()?;
        Some(takings[if side == Side::Left { 0 } else { 1 }])
    }

    /// The thermographs of the heap with 0, 1, 2, ... counters left, up to its current height.
    pub fn thermographs(&self) -> Result<Vec<Thermograph>, Overflow> {
        let mut graphs = vec![Thermograph::score(Dyadic::ZERO)];
        for &[left, right] in &self.whole.takings[..self.height] {
            let weight = |taking: Taking| Dyadic::from(taking.weight as i32);
            let best = graphs[usize::from(left.left)].right().plus(weight(left))?;
            let least = graphs[usize::from(right.left)].left().plus(-weight(right))?;
            graphs.push(Thermograph::of_options(&[best], &[least])?);
        }
        Ok(graphs)
    }
}

/// What a side takes from the top of these counters. There must be at least one.
fn taking(counters: &[Counter], side: Side) -> Taking {
    let last = if side == Side::Left { Colour::Red } else { Colour::Blue };
    let left = counters.iter().rposition(|counter| counter.colour == last).unwrap_or(0);
    let weight = counters[left..].iter().map(|counter| counter.weight).sum();
    Taking { left: left as u16, taken: (counters.len() - left) as u16, weight }
}

/// The top counter first; an empty heap is a dash.
impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.height == 0 {
            return write!(f, "-");
        }
        self.counters().iter().rev().try_for_each(|counter| {
            let letter = if counter.colour == Colour::Blue { 'B' } else { 'R' };
            write!(f, "{letter}{}", counter.weight)
        })
    }
}

impl PartialEq for Heap {
    fn eq(&self, other: &Heap) -> bool {
        let is_same = Arc::ptr_eq(&self.whole, &other.whole) && self.height == other.height;
        is_same || self.counters() == other.counters()
    }
}

impl Eq for Heap {}

impl Hash for Heap {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.counters().hash(state);
    }
}

impl Position for Heap {
    fn moves(&self, side: Side) -> Vec<Move<Heap>> {
        let paid = |weight: u32| if side == Side::Left { weight as i32 } else { -(weight as i32) };
        let taking = self.taking(side);
        taking
            .map(|Taking { left, weight, .. }| Move { to: self.with_height(left.into()), gain: paid(weight) })
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_cgt::thermograph_of;
    use aji_search::Rng;
    use std::collections::HashMap;

    /// From the bottom to the top, as the sources give them.
    fn from_bottom(text: &str) -> Heap {
        Heap::read(&text.split(' ').rev().collect::<String>()).expect("a heap")
    }

    fn number(numerator: i128, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).expect("a number that fits")
    }

    /// Heaps with the means and temperatures of all their heights.
    #[test]
    fn published_values() {
        let whole = |value| number(value, 0);
        let half = |value| number(value, 1);
        for (heap, expect) in [
            ("B2 B5", vec![(whole(0), whole(2)), (whole(1), whole(6))]),
            ("B5 R5 B3", vec![(whole(0), whole(5)), (half(-5), half(15)), (whole(2), whole(6))]),
            (
                "R3 B7 R4 B1 B6",
                vec![
                    (whole(0), whole(3)),
                    (half(3), half(17)),
                    (whole(-3), whole(8)),
                    (whole(-1), whole(2)),
                    (number(11, 2), number(39, 2)),
                ],
            ),
        ] {
            let graphs = from_bottom(heap).thermographs().expect("numbers that fit");
            let found: Vec<_> = graphs[1..].iter().map(|graph| (graph.mean(), graph.temperature())).collect();
            assert_eq!(found, expect, "{heap}");
        }
    }

    /// The paper's Fig. 3: Left takes two counters for 8, then Right one for 5.
    #[test]
    fn what_is_taken() {
        let heap = from_bottom("B5 R5 B3");
        let first = heap.taking(Side::Left).expect("counters");
        assert_eq!((first.left, first.weight), (1, 8));
        let second = heap.with_height(1).taking(Side::Right).expect("a counter");
        assert_eq!((second.left, second.weight), (0, 5));
        assert_eq!(heap.with_height(0).taking(Side::Left), None);
        assert_eq!((heap.to_string(), heap.with_height(0).to_string()), ("B3R5B5".into(), "-".into()));
    }

    fn random_heap(rng: &mut Rng, counters: usize, heaviest: usize) -> Heap {
        let counter = |rng: &mut Rng| Counter {
            colour: if rng.below(2) == 0 { Colour::Blue } else { Colour::Red },
            weight: 1 + rng.below(heaviest) as u32,
        };
        Heap::new((0..counters).map(|_| counter(rng)).collect())
    }

    /// Every non-empty heap is at least as hot as its top counter, and its stops differ by twice that counter. The
    /// walls computed height by height equal those computed from the moves.
    #[test]
    fn facts_of_random_heaps() {
        let mut rng = Rng::seeded(1);
        for round in 0..300 {
            let heap = random_heap(&mut rng, 1 + round % 30, 10);
            let graphs = heap.thermographs().expect("numbers that fit");
            for (height, graph) in graphs.iter().enumerate().skip(1) {
                let top = heap.counters()[height - 1].weight as i128;
                let stops = graph.left_stop().and_then(|left| left.minus(graph.right_stop()?));
                assert_eq!(stops, Ok(number(2 * top, 0)), "{heap} at {height}");
                assert!(graph.temperature() >= number(top, 0), "{heap} at {height}");
            }
            assert_eq!(thermograph_of(&heap).as_ref(), Ok(&graphs[heap.counters().len()]), "{heap}");
        }
    }

    /// n times the mean <= the left stop of n copies <= n times the mean + the temperature, by full search.
    #[test]
    fn means_and_temperatures_by_definition() {
        let mut rng = Rng::seeded(2);
        for round in 0..200 {
            let heap = random_heap(&mut rng, 1 + round % 7, 10);
            let graph = thermograph_of(&heap).expect("numbers that fit");
            for copies in 1..=5 {
                let heights = vec![heap.counters().len(); copies];
                let stop = number(best_score(&heap, heights, Side::Left, &mut HashMap::new()), 0);
                let least = graph.mean().times(copies as i128).expect("it fits");
                let most = least.plus(graph.temperature()).expect("it fits");
                assert!(least <= stop && stop <= most, "{copies} of {heap}: {least} <= {stop} <= {most}");
            }
        }
    }

    /// What Left gets from copies of a heap of these heights under best play.
    fn best_score(heap: &Heap, mut heights: Vec<usize>, side: Side, known: &mut Scores) -> i128 {
        heights.sort_unstable();
        if let Some(&score) = known.get(&(heights.clone(), side)) {
            return score;
        }
        let mut best = None;
        for (which, &height) in heights.iter().enumerate() {
            let Some(Taking { left, weight, .. }) = heap.with_height(height).taking(side) else { continue };
            let mut after = heights.clone();
            after[which] = left.into();
            let gain = if side == Side::Left { i128::from(weight) } else { -i128::from(weight) };
            let score = gain + best_score(heap, after, side.other(), known);
            best = Some(best.map_or(score, |best| better(side, best, score)));
        }
        known.insert((heights, side), best.unwrap_or(0));
        best.unwrap_or(0)
    }

    type Scores = HashMap<(Vec<usize>, Side), i128>;

    fn better(side: Side, one: i128, other: i128) -> i128 {
        if side == Side::Left { one.max(other) } else { one.min(other) }
    }

    /// Coupons, each worth a sixteenth less than the one before, make a heap worth its mean. Left's best score when
    /// he begins is that plus the coupons' payments, to within some sixteenths. Above the temperature the coupon is
    /// the better move, below it the heap.
    #[test]
    fn temperatures_by_coupons() {
        let (mut rng, mut clear) = (Rng::seeded(3), 0);
        for round in 0..200 {
            let heap = random_heap(&mut rng, 1 + round % 9, 6);
            let (graph, height) = (thermograph_of(&heap).expect("numbers that fit"), heap.counters().len());
            let in_steps = |value: Dyadic| value.times(STEPS).expect("it fits").floor();
            let temperature = in_steps(graph.temperature());
            let mut known = HashMap::new();
            let mut best = |coupon| best_with_coupons(&heap, height, coupon, Side::Left, &mut known);
            let above = temperature + STEPS;
            let coupons: i128 =
                (1..=above).rev().zip([1, -1].into_iter().cycle()).map(|(coupon, sign)| sign * coupon).sum();
            let found = best(above) - coupons - in_steps(graph.mean());
            assert!(found.abs() <= STEPS / 4, "{heap}: {found} steps off its mean");
            let [above, below] = [above, temperature - STEPS].map(|coupon| {
                let Taking { left, weight, .. } = heap.taking(Side::Left).expect("counters");
                let mut known = HashMap::new();
                let taken = best_with_coupons(&heap, left.into(), coupon, Side::Right, &mut known);
                let left_alone = best_with_coupons(&heap, height, coupon - 1, Side::Right, &mut known);
                (STEPS * i128::from(weight) + taken) - (coupon + left_alone)
            });
            assert!(above <= 0, "{heap}: above its temperature the heap is better by {above}");
            assert!(below >= 0, "{heap}: below its temperature the coupon is better by {}", -below);
            clear += u32::from(above < 0 && below > 0);
        }
        // At some coupons it does not matter, since the opponent can take the other one.
        assert!(clear > 100, "only {clear} of 200 heaps tell");
    }

    /// Coupons for each point.
    const STEPS: i128 = 16;

    /// The best score, in steps, of a heap beside coupons. The first is worth this many steps, and each next one a
    /// step less.
    fn best_with_coupons(heap: &Heap, height: usize, coupon: i128, side: Side, known: &mut Scores) -> i128 {
        let state = (vec![height, coupon as usize], side);
        if let Some(&score) = known.get(&state) {
            return score;
        }
        let sign = if side == Side::Left { 1 } else { -1 };
        let mut scores = Vec::new();
        if coupon > 0 {
            scores.push(sign * coupon + best_with_coupons(heap, height, coupon - 1, side.other(), known));
        }
        if let Some(Taking { left, weight, .. }) = heap.with_height(height).taking(side) {
            let rest = best_with_coupons(heap, left.into(), coupon, side.other(), known);
            scores.push(sign * STEPS * i128::from(weight) + rest);
        }
        let best = scores.into_iter().reduce(|one, other| better(side, one, other)).unwrap_or(0);
        known.insert(state, best);
        best
    }

    /// `cargo test --release -p aji-games heaps_take -- --ignored --nocapture`
    #[test]
    #[ignore = "measures"]
    fn how_long_heaps_take() {
        for (heaps, counters) in [(172, 10), (361, 3), (1, 1_000)] {
            let mut rng = Rng::seeded(5);
            let all: Vec<Heap> = (0..heaps).map(|_| random_heap(&mut rng, counters, 10)).collect();
            let started = std::time::Instant::now();
            let hottest = all
                .iter()
                .filter_map(|heap| heap.thermographs().ok())
                .flatten()
                .map(|graph| graph.temperature())
                .max();
            println!("{heaps} x {counters}: {:?}, the hottest {hottest:?}", started.elapsed());
        }
    }

    #[test]
    fn heaps_are_read_and_written() {
        let mut rng = Rng::seeded(4);
        for counters in 1..50 {
            let heap = random_heap(&mut rng, counters, 1_000);
            assert_eq!(Heap::read(&heap.to_string()).as_ref(), Ok(&heap));
        }
        for (text, expect) in [
            ("R3X5", "\"R3X5\": expected R or B before a weight, found X at 3"),
            ("R", "\"R\": expected a weight from 1 to 1000000 after R at 2"),
            ("R3B0", "\"R3B0\": expected a weight from 1 to 1000000 after B at 4"),
            ("B99999999999", "\"B99999999999\": expected a weight from 1 to 1000000 after B at 2"),
            ("3R", "\"3R\": expected R or B before a weight, found 3 at 1"),
            ("Ré", "\"Ré\": expected a weight from 1 to 1000000 after R at 2"),
        ] {
            assert_eq!(Heap::read(text).expect_err(text), expect);
        }
        assert!(Heap::read(&"B1".repeat(1_001)).expect_err("too many").contains("at most 1000"));
    }
}
