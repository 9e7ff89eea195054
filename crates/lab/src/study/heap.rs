//! The thermographs of a heap of Heap-Go: one for each number of counters left.

use crate::Error;
use aji_cgt::{Dyadic, Overflow, Thermograph};
use aji_games::Heap;

/// A state of a heap.
#[derive(Clone, Debug)]
pub struct HeapState {
    /// How many counters are left.
    pub counters: usize,
    /// The counters that are left, the top one first.
    pub heap: String,
    /// Its thermograph.
    pub thermograph: Thermograph,
    /// The left stop and the right stop: what Left gets when Left moves first, and when Right does.
    pub stops: (Dyadic, Dyadic),
}

/// Every state of a heap such as `R3B5` (the top counter comes first), from the whole heap down to one counter.
pub fn study_heap(text: &str) -> Result<Vec<HeapState>, Error> {
    let heap = Heap::read(text).map_err(|error| Error::new(format!("heap {error}")))?;
    if heap.counters().is_empty() {
        return Err(Error::new("an empty heap: expected counters such as R3B5, the top one first"));
    }
    let too_fine =
        |overflow: Overflow| Error::new(format!("a heap of {} counters: {overflow}", heap.counters().len()));
    let graphs = heap.thermographs().map_err(too_fine)?;
    let state = |(counters, thermograph): (usize, Thermograph)| {
        let stops = (thermograph.left_stop()?, thermograph.right_stop()?);
        Ok(HeapState { counters, heap: heap.with_height(counters).to_string(), thermograph, stops })
    };
    let states: Result<Vec<HeapState>, Overflow> =
        graphs.into_iter().enumerate().skip(1).rev().map(state).collect();
    states.map_err(too_fine)
}
