//! Where the rows of a layer begin in its buffers, in the forward and the backward pass.

use crate::kernel::Layout;
use crate::plan::{Connection, Layer, Plan};

/// The rows of one layer, for the largest batch.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    there: Way,
    back: Way,
    /// The rows of one position.
    each: usize,
}

/// The rows in one direction.
#[derive(Clone, Debug)]
struct Way {
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    taps: Vec<u32>,
}

impl Rows {
    pub(crate) fn new(plan: &Plan, layer: &Layer, positions: usize) -> Rows {
        let each = match layer.connection {
            Connection::Neighbours | Connection::Cell => plan.shape.cells(),
            Connection::All | Connection::Sparse => 1,
        };
        let way = |from: usize, width: usize, to: usize| {
            // The first of nine taps lies above and to the left.
            let corner = if layer.taps() == 9 { (plan.stride() + 1) * width } else { 0 };
            let row = |buffer: usize, row: usize| plan.cell(buffer, row / each, row % each);
            let tap = |tap: usize| (((tap / 3) * plan.stride() + tap % 3) * width) as u32;
            Way {
                inputs: (0..positions * each).map(|number| (row(from, number) - corner) as u32).collect(),
                outputs: (0..positions * each).map(|number| row(to, number) as u32).collect(),
                taps: (0..layer.taps()).map(tap).collect(),
            }
        };
        Rows {
            there: way(layer.input, layer.depth, layer.output),
            back: way(layer.output, layer.width, layer.input),
            each,
        }
    }

    /// The forward pass, from a layer's input to its output.
    pub(crate) fn there(&self, layer: &Layer, positions: usize) -> Layout<'_> {
        self.there.layout(positions * self.each, layer.depth, layer.width)
    }

    /// The backward pass, from a layer's output to its input.
    pub(crate) fn back(&self, layer: &Layer, positions: usize) -> Layout<'_> {
        self.back.layout(positions * self.each, layer.width, layer.depth)
    }
}

impl Way {
    fn layout(&self, rows: usize, depth: usize, width: usize) -> Layout<'_> {
        Layout {
            inputs: &self.inputs[..rows],
            outputs: &self.outputs[..rows],
            taps: &self.taps,
            depth,
            width,
        }
    }
}
