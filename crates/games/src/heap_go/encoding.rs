//! The encoding of Heap-Go for networks: a row for each heap, and a column for each counter from the bottom. Planes
//! give the colour and the weight of each counter that is left. A colour is the mover's or the other's. An action is a
//! heap.

use super::{Colour, HeapGo};
use aji_search::{Encoded, Player, Shape};

impl HeapGo {
    /// The largest weight that has a plane of its own; heavier counters share the last one.
    pub const WEIGHTS_SEEN: u32 = 10;
}

impl Encoded for HeapGo {
    fn shape(&self) -> Shape {
        let columns = self.start.heaps.iter().map(|heap| heap.counters().len()).max().unwrap_or(0);
        let rows = self.start.heaps.len();
        Shape { planes: 2 * HeapGo::WEIGHTS_SEEN as usize, rows, columns, actions: rows }
    }

    fn features(&self, out: &mut Vec<u32>) {
        let Shape { rows, columns, .. } = self.shape();
        for (row, (heap, &height)) in self.start.heaps.iter().zip(&self.heights).enumerate() {
            for (column, counter) in heap.counters().iter().take(height.into()).enumerate() {
                let owner = Player::from(counter.colour == Colour::Blue);
                let weight = counter.weight.clamp(1, HeapGo::WEIGHTS_SEEN) - 1;
                let plane = 2 * weight as usize + usize::from(owner != self.mover);
                out.push(((plane * rows + row) * columns + column) as u32);
            }
        }
    }

    fn action_index(&self, heap: u16) -> usize {
        heap.into()
    }
}
