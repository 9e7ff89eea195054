//! The simplest good player of Heap-Go: it moves where the top counter weighs most. A heap is at least as hot as its
//! top counter is heavy, so that is often the hottest heap.

use super::HeapGo;
use aji_search::{Agent, Budget, Game, Report, Watch};
use std::time::Instant;

/// Moves in the heap with the heaviest top counter, the first of equals.
pub struct TopWeight;

impl Agent<HeapGo> for TopWeight {
    fn think(&mut self, game: &HeapGo, _budget: Budget, _watch: &mut dyn Watch) -> Report<u16> {
        let started = Instant::now();
        let mut heaps = Vec::new();
        game.actions(&mut heaps);
        let best = heaps.into_iter().rev().max_by_key(|&heap| game.top_weight(heap));
        Report::chosen(best, started.elapsed())
    }

    fn played(&mut self, _heap: u16) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_heaviest() {
        let game = HeapGo::new(HeapGo::read_heaps("R3B9/B7R1/-/R7B7").expect("heaps"));
        let report = TopWeight.think(&game, Budget::default(), &mut ());
        assert_eq!((report.best, report.arms.len()), (Some(1), 0));
    }
}
