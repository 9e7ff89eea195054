//! Heap-Go (Kao, Wu, Yen & Shan 2013). There are heaps of counters, each blue or red with a weight. Left and Right
//! move in turn, Left first. Left picks a heap and takes counters from its top until he has taken a red one or the
//! heap is empty. Right does the same until she has taken a blue one. Left's counters count for him, Right's against
//! him. When all heaps are empty the game is over. Left wins if the total is above 0, by that many points.
//!
//! A move is the number of a heap, from 1. A position is written as its heaps, the top counter first and `-` for an
//! empty one, the total so far, and who moves: `R3B5/-/B2R7 +4 L`. The last two may be left out, and are then `0 L`.

mod encoding;
mod heap;
mod top_weight;

pub use heap::{Colour, Counter, Heap, Taking};
pub use top_weight::TopWeight;

use crate::bits::mix;
use crate::summed::{Summed, side_of};
use aji_cgt::{Ending, Side, Thermographs};
use aji_search::learn::{Divisible, Order, Played};
use aji_search::playout::OrderedRoom;
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn, identity};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A position of Heap-Go.
#[derive(Debug)]
pub struct HeapGo {
    start: Arc<Start>,
    /// The counters left in each heap.
    heights: Vec<u16>,
    /// The counters left in all heaps.
    counters: u32,
    /// Left's weight so far minus Right's.
    score: i32,
    mover: Player,
    hash: u64,
}

/// The parts of a game that do not change.
#[derive(Clone, Debug)]
struct Start {
    heaps: Vec<Heap>,
    /// Where the states of each heap begin, one per counter; one more entry at the end.
    offsets: Vec<u32>,
    /// What Left and Right take in each state.
    takings: Vec<[Taking; 2]>,
    /// The most that the final score can be: the sum of all weights, and the points that a position had before these
    /// heaps.
    most: u32,
    /// Differs for every start.
    identity: u64,
}

impl HeapGo {
    /// The most heaps.
    pub const HEAPS_MAX: usize = 1_000;

    /// The possible numbers of heaps.
    pub const HEAPS: RangeInclusive<usize> = 1..=HeapGo::HEAPS_MAX;

    /// The possible numbers of counters in a heap.
    pub const COUNTERS: RangeInclusive<usize> = 1..=Heap::COUNTERS_MAX;

    /// The most that all counters may weigh together, so that no total is rounded.
    pub const TOTAL_MAX: u32 = 1 << 24;

    /// The start of a game with these heaps. They must pass [`check`](HeapGo::check).
    pub fn new(heaps: Vec<Heap>) -> HeapGo {
        debug_assert_eq!(HeapGo::check(&heaps), Ok(()));
        let mut offsets = vec![0];
        let (mut takings, mut most) = (Vec::new(), 0);
        for heap in &heaps {
            for height in 1..=heap.counters().len() {
                let state = heap.with_height(height);
                takings.extend(
                    state
                        .taking(Side::Left)
                        .zip(state.taking(Side::Right))
                        .map(|(left, right)| [left, right]),
                );
            }
            most += heap.counters().iter().map(|counter| counter.weight).sum::<u32>();
            offsets.push(takings.len() as u32);
        }
        let heights: Vec<u16> = heaps.iter().map(|heap| heap.counters().len() as u16).collect();
        let identity = identity::new();
        HeapGo::at(Arc::new(Start { heaps, offsets, takings, most, identity }), heights, 0, 0)
    }

    /// Heaps of this many counters each, drawn by a seed: colours by a fair coin, and weights uniform in a range.
    pub fn random(heaps: usize, counters: usize, weights: RangeInclusive<u32>, seed: u64) -> HeapGo {
        let mut rng = Rng::seeded(seed);
        let span = (weights.end() - weights.start() + 1) as usize;
        let mut counter = || Counter {
            colour: if rng.below(2) == 0 { Colour::Blue } else { Colour::Red },
            weight: weights.start() + rng.below(span) as u32,
        };
        HeapGo::new((0..heaps).map(|_| Heap::new((0..counters).map(|_| counter()).collect())).collect())
    }

    /// Reports what is wrong with the heaps of a new game, if anything.
    pub fn check(heaps: &[Heap]) -> Result<(), String> {
        if !HeapGo::HEAPS.contains(&heaps.len()) {
            return Err(format!("{} heaps: expected 1 to {}", heaps.len(), HeapGo::HEAPS_MAX));
        }
        let total: u64 = heaps.iter().flat_map(Heap::counters).map(|counter| u64::from(counter.weight)).sum();
        if total > HeapGo::TOTAL_MAX.into() {
            return Err(format!("all counters weigh {total}: expected at most {}", HeapGo::TOTAL_MAX));
        }
        Ok(())
    }

    /// Heaps as they are written: `R3B5/B2R7`.
    pub fn read_heaps(text: &str) -> Result<Vec<Heap>, String> {
        let read = |(number, heap): (usize, &str)| match heap {
            "-" => Ok(Heap::new(Vec::new())),
            "" => Err(format!("heap {number}: expected counters such as R3B5, or - for none")),
            _ => Heap::read(heap).map_err(|error| {
                let is_parted = heap.contains(|letter: char| !letter.is_ascii_alphanumeric());
                let hint = if is_parted { "; / separates heaps" } else { "" };
                format!("heap {number} {error}{hint}")
            }),
        };
        let heaps: Vec<Heap> = (1..).zip(text.split('/')).map(read).collect::<Result<_, _>>()?;
        HeapGo::check(&heaps)?;
        Ok(heaps)
    }

    fn at(start: Arc<Start>, heights: Vec<u16>, score: i32, mover: Player) -> HeapGo {
        let counters = heights.iter().map(|&height| u32::from(height)).sum();
        let mut game = HeapGo { start, heights, counters, score, mover, hash: 0 };
        game.hash =
            (0..game.heights.len()).fold(mix(u64::from(mover)), |hash, heap| hash ^ game.heap_hash(heap));
        game
    }

    /// The heaps as they are now.
    pub fn heaps(&self) -> impl Iterator<Item = Heap> {
        self.start.heaps.iter().zip(&self.heights).map(|(heap, &height)| heap.with_height(height.into()))
    }

    /// Left's score so far minus Right's.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// The weight of the top counter of a heap, 0 for an empty one.
    pub fn top_weight(&self, heap: u16) -> u32 {
        let (heap, height) = (usize::from(heap), usize::from(self.heights[usize::from(heap)]));
        self.start.heaps[heap].counters()[..height].last().map_or(0, |counter| counter.weight)
    }

    /// The key of a move in a heap, numbered from 0, with this many counters, from 1 to its first height.
    pub fn key_of(&self, heap: usize, counters: usize) -> usize {
        self.start.offsets[heap] as usize + counters - 1
    }

    /// The state number of a heap that is not empty: that of its top counter.
    #[inline(always)]
    fn state(&self, heap: usize) -> usize {
        self.start.offsets[heap] as usize + usize::from(self.heights[heap]) - 1
    }

    /// The part of the hash for a heap: a number for all that is left in it.
    #[inline(always)]
    fn heap_hash(&self, heap: usize) -> u64 {
        if self.heights[heap] == 0 { 0 } else { mix(2 + self.state(heap) as u64) }
    }

    /// Takes a side's counters from a heap, and returns what they pay Left.
    #[inline(always)]
    fn take(&mut self, heap: usize) -> i32 {
        let Taking { left, weight, .. } = self.start.takings[self.state(heap)][usize::from(self.mover)];
        self.counters -= u32::from(self.heights[heap] - left);
        self.heights[heap] = left;
        if self.mover == 0 { weight as i32 } else { -(weight as i32) }
    }
}

impl Clone for HeapGo {
    fn clone(&self) -> HeapGo {
        HeapGo { start: Arc::clone(&self.start), heights: self.heights.clone(), ..*self }
    }

    /// Reuses its memory.
    fn clone_from(&mut self, source: &HeapGo) {
        if !Arc::ptr_eq(&self.start, &source.start) {
            self.start = Arc::clone(&source.start);
        }
        self.heights.clone_from(&source.heights);
        (self.counters, self.score) = (source.counters, source.score);
        (self.mover, self.hash) = (source.mover, source.hash);
    }
}

impl PartialEq for HeapGo {
    fn eq(&self, other: &HeapGo) -> bool {
        let heaps = if Arc::ptr_eq(&self.start, &other.start) {
            self.heights == other.heights
        } else {
            self.heaps().eq(other.heaps())
        };
        heaps && self.score == other.score && self.mover == other.mover
    }
}

impl Game for HeapGo {
    type Action = u16;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.counters == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend((0..).zip(&self.heights).filter(|&(_, &height)| height > 0).map(|(heap, _)| heap));
    }

    #[inline]
    fn play(&mut self, heap: u16) {
        let heap = usize::from(heap);
        debug_assert!(self.heights[heap] > 0, "heap {} is empty", heap + 1);
        self.hash ^= self.heap_hash(heap) ^ mix(0) ^ mix(1);
        self.score += self.take(heap);
        self.hash ^= self.heap_hash(heap);
        self.mover = 1 - self.mover;
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(self.score as f32)
    }

    fn payoff_range(&self) -> (f32, f32) {
        let most = self.start.most as f32;
        (-most, most)
    }

    fn pays_points(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        size_of::<HeapGo>() + self.heights.capacity() * size_of::<u16>()
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<u16>) -> Payoff {
        self.play_out(rng, scratch, |_| {})
    }

    fn playout_moves(&self, rng: &mut Rng) -> Option<Vec<u16>> {
        let mut moves = Vec::new();
        self.clone().play_out(rng, &mut Vec::new(), |heap| moves.push(heap));
        Some(moves)
    }
}

impl HeapGo {
    /// Random moves to the end, told to `played`. It keeps a list of the heaps that are not empty, so that the cost of a
    /// move does not depend on the number of heaps.
    #[inline(always)]
    fn play_out(&mut self, rng: &mut Rng, scratch: &mut Vec<u16>, mut played: impl FnMut(u16)) -> Payoff {
        scratch.clear();
        self.actions(scratch);
        while !scratch.is_empty() {
            let place = rng.below(scratch.len());
            played(scratch[place]);
            let heap = usize::from(scratch[place]);
            self.score += self.take(heap);
            self.mover = 1 - self.mover;
            if self.heights[heap] == 0 {
                scratch.swap_remove(place);
            }
        }
        self.payoff()
    }
}

impl Keyed for HeapGo {
    fn key_count(&self) -> usize {
        self.start.takings.len()
    }

    /// The heap, and the counters left in it: both players' moves there have the same key.
    #[inline(always)]
    fn key(&self, heap: u16) -> usize {
        self.state(heap.into())
    }

    /// Keeps a bit for each place in the order whose key is the current state of a heap. The first bit is the move. For
    /// each place, a table has both sides' scores there and the place of the heap after the move.
    fn ordered_playout(
        &mut self,
        order: &Order,
        room: &mut OrderedRoom,
        _rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        let words = order.len().div_ceil(64);
        let (bits, table) = room.table(order, self.start.identity, |table| {
            // The place of an empty heap: a bit that nobody reads.
            let none = 64 * words;
            table.extend(order.keys().iter().map(|&key| {
                let key = key as usize;
                let rank = |left: u16, taken: u16| {
                    if left == 0 { none } else { order.rank(key - usize::from(taken)) }
                };
                self.start.takings[key]
                    .map(|Taking { weight, left, taken }| u64::from(weight) << 32 | rank(left, taken) as u64)
            }));
        });
        bits.clear();
        bits.resize(words + 1, 0);
        for heap in (0..self.heights.len()).filter(|&heap| self.heights[heap] > 0) {
            let rank = order.rank(self.state(heap));
            bits[rank / 64] |= 1 << (rank % 64);
        }
        let mut scores = [0, 0];
        let (mut word, mut mover) = (0, usize::from(self.mover));
        while word < words {
            let offered = bits[word];
            if offered == 0 {
                word += 1;
                continue;
            }
            let rank = 64 * word + offered.trailing_zeros() as usize;
            played(Played::new(order.key_at(rank), mover as Player));
            bits[word] = offered & (offered - 1);
            let taken = table[rank][mover];
            scores[mover] += (taken >> 32) as i32;
            mover = 1 - mover;
            let next = taken as u32 as usize;
            bits[next / 64] |= 1 << (next % 64);
            word = word.min(next / 64);
        }
        self.score += scores[0] - scores[1];
        self.payoff()
    }
}

impl Divisible for HeapGo {
    fn live_parts(&self) -> Vec<usize> {
        (0..self.heights.len()).filter(|&heap| self.heights[heap] > 0).collect()
    }

    /// The same heaps in their current state, with a score of 0.
    fn group(&self, parts: &[usize]) -> (HeapGo, Vec<u32>) {
        let heap = |&part: &usize| self.start.heaps[part].with_height(self.heights[part].into());
        let keys = |&part: &usize| {
            let first = self.start.offsets[part];
            first..first + u32::from(self.heights[part])
        };
        let mut group = HeapGo::new(parts.iter().map(heap).collect());
        if self.mover == 1 {
            group.pass();
        }
        (group, parts.iter().flat_map(keys).collect())
    }

    fn pass(&mut self) {
        self.hash ^= mix(0) ^ mix(1);
        self.mover = 1 - self.mover;
    }
}

impl Hashed for HeapGo {
    #[inline(always)]
    fn hash(&self) -> u64 {
        self.hash
    }

    #[inline(always)]
    fn so_far(&self) -> Option<Payoff> {
        Some(Payoff::margin(self.score as f32))
    }
}

impl Named for HeapGo {
    fn action_name(&self, heap: u16) -> String {
        (heap + 1).to_string()
    }

    fn text(&self) -> String {
        let heaps: Vec<String> = self.heaps().map(|heap| heap.to_string()).collect();
        format!("{} {:+} {}", heaps.join("/"), self.score, if self.mover == 0 { 'L' } else { 'R' })
    }

    /// Reads any heaps. Heaps that are a rest of this game's keep their keys.
    fn read(&self, text: &str) -> Result<HeapGo, String> {
        let mut words = text.split_whitespace();
        let heaps = HeapGo::read_heaps(words.next().ok_or("expected heaps such as R3B5/B2R7")?)?;
        let score = words.next().unwrap_or("0");
        let most = HeapGo::TOTAL_MAX as i32;
        let score: i32 =
            score.parse().ok().filter(|score| (-most..=most).contains(score)).ok_or_else(|| {
                format!("\"{score}\": expected the total so far, a number from -{most} to {most}")
            })?;
        let mover = match words.next() {
            None | Some("L") => 0,
            Some("R") => 1,
            Some(other) => return Err(format!("\"{other}\": expected L or R for who moves")),
        };
        if let Some(extra) = words.next() {
            return Err(format!("\"{extra}\": expected nothing after who moves"));
        }
        let is_left_of = |(part, whole): (&Heap, &Heap)| whole.counters().starts_with(part.counters());
        let is_ours =
            heaps.len() == self.start.heaps.len() && heaps.iter().zip(&self.start.heaps).all(is_left_of);
        let heights = heaps.iter().map(|heap| heap.counters().len() as u16).collect();
        let left: u32 = heaps.iter().flat_map(Heap::counters).map(|counter| counter.weight).sum();
        let mut start = if is_ours { Arc::clone(&self.start) } else { HeapGo::new(heaps).start };
        // The score may be more than the heaps have paid.
        let most = left + score.unsigned_abs();
        if most > start.most {
            start = Arc::new(Start { most, identity: identity::new(), ..(*start).clone() });
        }
        Ok(HeapGo::at(start, heights, score, mover))
    }

    fn board(&self) -> String {
        let line = |(number, heap): (usize, Heap)| format!("{number:>4}: {heap}\n");
        let heaps: String = (1..).zip(self.heaps()).map(line).collect();
        format!("{heaps}total: {:+}\n", self.score)
    }

    fn player_name(&self, player: Player) -> String {
        format!("{:?}", side_of(player))
    }
}

impl Summed for HeapGo {
    type Part = Heap;
    type Graphs = Thermographs<Heap>;

    fn parts(&self) -> Vec<Heap> {
        self.heaps().collect()
    }

    fn action_in(&self, part: usize, _side: Side, number: usize) -> Option<u16> {
        let has_counters = self.heights.get(part).is_some_and(|&height| height > 0);
        (number == 0 && has_counters).then_some(part as u16)
    }

    /// Every heap is hot until it is empty, so the stop of a sum is the payoff of best play to the end.
    fn payoff_of(&self, ending: Ending) -> Payoff {
        Payoff::margin(self.score as f32 + ending.stop.to_f64() as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> HeapGo {
        HeapGo::new(HeapGo::read_heaps(text).expect("heaps"))
    }

    /// The paper's Fig. 3, from the bottom B5 R5 B3: Left takes two for 8, Right one for 5.
    #[test]
    fn a_game_by_hand() {
        let mut game = read("B3R5B5/R2");
        assert_eq!((game.key_count(), game.key(0), game.key(1)), (4, 2, 3));
        game.play(0);
        assert_eq!((game.text(), game.key(0)), ("B5/R2 +8 R".into(), 0));
        game.play(0);
        assert_eq!(game.text(), "-/R2 +3 L");
        game.play(1);
        assert_eq!((game.turn(), game.payoff()), (Turn::Over, Payoff::margin(5.0)));
    }

    #[test]
    fn games_can_be_written_down() {
        let mut rng = Rng::seeded(1);
        for seed in 0..50 {
            let start = HeapGo::random(1 + seed % 7, 1 + seed % 6, 1..=10, seed as u64);
            let mut game = start.clone();
            while game.turn() != Turn::Over {
                let again = start.read(&game.text()).expect("our own text");
                assert_eq!((&again, again.hash), (&game, game.hash), "{}", game.text());
                // As a position of another game it is the same, except for its keys.
                assert_eq!(HeapGo::random(2, 2, 1..=1, 0).read(&game.text()).as_ref(), Ok(&game));
                game.play(game.random_action(&mut rng, &mut Vec::new()));
            }
        }
    }

    /// A position may begin with more points than its heaps have.
    #[test]
    fn the_range_includes_the_score_so_far() {
        let start = read("B9/R2");
        let check = |text: &str, most: f32| {
            let game = start.read(text).expect("a position");
            assert_eq!(game.payoff_range(), (-most, most), "{text}");
        };
        check("B9/R2", 11.0);
        check("-/R2 +9 R", 11.0);
        check("-/R2 -9 L", 11.0);
        check("B9/- +40 L", 49.0);
        check("B1", 1.0);
        check("B1 -100 R", 101.0);
        assert!(start.read("B1").expect("a position").pays_points());
    }

    /// The list of open heaps gives the same payoffs as moves one by one.
    #[test]
    fn playouts_are_random_games() {
        let game = HeapGo::random(3, 3, 1..=10, 5);
        let mut rng = Rng::seeded(1);
        let mut scratch = Vec::new();
        let mut mean = |whole: bool| {
            let mut sum = 0.0;
            for _ in 0..40_000 {
                let mut game = game.clone();
                sum += if whole {
                    game.playout(&mut rng, &mut scratch).of(0)
                } else {
                    while game.turn() != Turn::Over {
                        game.play(game.random_action(&mut rng, &mut scratch));
                    }
                    game.payoff().of(0)
                };
            }
            sum / 40_000.0
        };
        let (whole, stepped) = (mean(true), mean(false));
        // Scores have a standard deviation of about 15 points, the difference one of 0.1.
        assert!((whole - stepped).abs() < 0.5, "{whole} {stepped}");
    }

    /// Bits find the same moves as a scan of all heaps.
    #[test]
    fn the_first_in_the_order_is_played() {
        let (mut rng, mut room) = (Rng::seeded(1), OrderedRoom::default());
        for seed in 0..100 {
            let mut game = HeapGo::random(1 + seed % 9, 1 + seed % 17, 1..=10, seed as u64);
            let order = Order::random(game.key_count(), &mut rng);
            game.play((seed % game.heights.len()) as u16);
            let (mut naive, mut expect, mut actions) = (game.clone(), Vec::new(), Vec::new());
            while let Turn::Player(player) = naive.turn() {
                let mut heaps = Vec::new();
                naive.actions(&mut heaps);
                let first = heaps.into_iter().min_by_key(|&heap| order.rank(naive.key(heap)));
                let first = first.expect("a heap");
                expect.push(Played::new(naive.key(first), player));
                naive.play(first);
            }
            let payoff = game
                .ordered_playout(&order, &mut room, &mut rng, &mut Vec::new(), |action| actions.push(action));
            assert_eq!((payoff, actions), (naive.payoff(), expect));
        }
    }

    /// Groups are the same heaps, their keys map back to the whole game, and divided learning finds the hot moves.
    #[test]
    fn groups_of_heaps_keep_their_keys() {
        let mut game = HeapGo::random(6, 4, 1..=10, 1);
        game.play(2);
        let (group, keys) = game.group(&[4, 2]);
        let heaps: Vec<Heap> = game.heaps().collect();
        assert_eq!(group.heaps().collect::<Vec<_>>(), [heaps[4].clone(), heaps[2].clone()]);
        assert_eq!((group.turn(), group.score, keys.len()), (game.turn(), 0, group.key_count()));
        assert_eq!([0, 1].map(|heap| keys[group.key(heap)] as usize), [game.key(4), game.key(2)]);
        assert_eq!(group.hash, group.read(&group.text()).expect("its text").hash);
    }

    #[test]
    fn bad_texts_are_refused() {
        let game = read("R3B5");
        for (text, expect) in [
            ("", "expected heaps such as R3B5/B2R7"),
            ("R3//B2", "heap 2: expected counters such as R3B5, or - for none"),
            ("R3/X2", "heap 2 \"X2\": expected R or B before a weight, found X at 1"),
            ("R3 x", "\"x\": expected the total so far, a number from -16777216 to 16777216"),
            ("R3 0 B", "\"B\": expected L or R for who moves"),
            ("R3 0 L L", "\"L\": expected nothing after who moves"),
        ] {
            assert_eq!(game.read(text).expect_err(text), expect);
        }
        let heavy = vec!["B1000000"; 17].join("/");
        assert!(game.read(&heavy).expect_err("too heavy").contains("expected at most 16777216"));
    }
}
