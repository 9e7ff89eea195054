//! The thermographs of a heap of Heap-Go: one for each number of counters left.

use crate::Error;
use aji_cgt::{Dyadic, Overflow, Side, Thermograph};
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
    /// What the move of Left and that of Right gain for the mover: payment and change of the mean.
    pub gains: [Dyadic; 2],
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
    let state = |(counters, thermograph): (usize, &Thermograph)| {
        let left = heap.with_height(counters);
        let stops = (thermograph.left_stop()?, thermograph.right_stop()?);
        let gains = [gain(&left, Side::Left, &graphs)?, gain(&left, Side::Right, &graphs)?];
        Ok(HeapState { counters, heap: left.to_string(), thermograph: thermograph.clone(), stops, gains })
    };
    let states: Result<Vec<HeapState>, Overflow> =
        graphs.iter().enumerate().skip(1).rev().map(state).collect();
    states.map_err(too_fine)
}

/// What a side's move gains for that side, by the means before and after it; 0 without counters.
fn gain(heap: &Heap, side: Side, graphs: &[Thermograph]) -> Result<Dyadic, Overflow> {
    let Some(taking) = heap.taking(side) else { return Ok(Dyadic::ZERO) };
    let (before, after) = (graphs[heap.counters().len()].mean(), graphs[usize::from(taking.left)].mean());
    let risen = match side {
        Side::Left => after.minus(before)?,
        Side::Right => before.minus(after)?,
    };
    risen.plus(Dyadic::from(taking.weight as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B5 pays 5 to either. R3B5: Left takes the red counter alone, Right all of it.
    #[test]
    fn gains_by_hand() {
        let states = study_heap("B5").expect("a heap");
        assert_eq!(states[0].gains.map(|gain| gain.to_string()), ["5", "5"]);
        // A switch has the same gain for both, its temperature.
        for state in study_heap("R3B5R7B2").expect("a heap") {
            let most = state.gains[0].max(state.gains[1]);
            assert!(most >= state.thermograph.temperature(), "{state:?}");
        }
    }
}
