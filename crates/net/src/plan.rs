//! The layers of a network and the buffers between them, derived from its design.
//!
//! Parameters are stored in one list: for each layer its weights, in the order tap, input, output, and then its biases.
//! Widths are rounded up to multiples of eight; the padding stays zero.

use crate::design::Design;
use crate::fused::LANES;
use crate::kernel::Finish;
use aji_search::Shape;
use std::ops::Range;

/// The channels of a head's first layer.
const HEAD_CHANNELS: usize = 8;

/// The width of the value head's hidden layer.
const VALUE_HIDDEN: usize = 64;

/// The layout of the numbers in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Cell by cell, on a board with a border of zeros.
    Board,
    /// Cell by cell, without a border.
    Cells,
    /// A list.
    List,
}

/// A buffer: the numbers that a layer writes and others read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    pub(crate) place: Place,
    /// The numbers per cell, or of the list.
    pub(crate) width: usize,
}

/// How a layer connects its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    /// Every cell with its eight neighbours and itself.
    Neighbours,
    /// Every cell with itself.
    Cell,
    /// Everything with everything.
    All,
    /// The same for an input that is nearly all zero.
    Sparse,
}

/// A layer.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) connection: Connection,
    pub(crate) input: usize,
    pub(crate) output: usize,
    /// For a residual layer: the buffer whose numbers are added to the output.
    pub(crate) skip: Option<usize>,
    pub(crate) finish: Finish,
    /// The numbers per tap and per output row, with padding.
    pub(crate) depth: usize,
    pub(crate) width: usize,
    /// The same without padding.
    pub(crate) true_depth: usize,
    pub(crate) true_width: usize,
    pub(crate) weights: Range<usize>,
    pub(crate) bias: Range<usize>,
}

impl Layer {
    pub(crate) fn taps(&self) -> usize {
        if self.connection == Connection::Neighbours { 9 } else { 1 }
    }
}

/// All layers and buffers. Buffer 0 is the input.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) parameters: usize,
    /// The buffers of the policy's logits and of the value's logit.
    pub(crate) policy: usize,
    pub(crate) value: usize,
}

/// A width rounded up to whole vectors.
pub(crate) fn filled_up(width: usize) -> usize {
    width.next_multiple_of(LANES)
}

impl Plan {
    pub(crate) fn new(shape: Shape, design: Design) -> Plan {
        let mut plan =
            Plan { shape, buffers: Vec::new(), layers: Vec::new(), parameters: 0, policy: 0, value: 0 };
        match design {
            Design::Conv { channels, blocks } => plan.add_conv(channels, blocks),
            Design::Perceptron { hidden } => plan.add_perceptron(hidden),
        }
        plan
    }

    fn add_conv(&mut self, channels: usize, blocks: usize) {
        let input = self.buffer(Place::Board, filled_up(self.shape.planes));
        let mut trunk =
            self.layer("stem", Connection::Neighbours, input, Place::Board, channels, Finish::Relu);
        self.layers[0].true_depth = self.shape.planes;
        for block in 0..blocks {
            let name = |part| format!("block{block}.{part}");
            let hidden = self.layer(
                &name("first"),
                Connection::Neighbours,
                trunk,
                Place::Board,
                channels,
                Finish::Relu,
            );
            let end = self.layer(
                &name("second"),
                Connection::Neighbours,
                hidden,
                Place::Board,
                channels,
                Finish::AddRelu,
            );
            self.layers.last_mut().expect("just added").skip = Some(trunk);
            trunk = end;
        }
        let cells =
            self.layer("policy.cells", Connection::Cell, trunk, Place::Cells, HEAD_CHANNELS, Finish::Relu);
        self.policy =
            self.layer("policy", Connection::All, cells, Place::List, self.shape.actions, Finish::Store);
        let cells =
            self.layer("value.cells", Connection::Cell, trunk, Place::Cells, HEAD_CHANNELS, Finish::Relu);
        let hidden =
            self.layer("value.hidden", Connection::All, cells, Place::List, VALUE_HIDDEN, Finish::Relu);
        self.value = self.layer("value", Connection::All, hidden, Place::List, 1, Finish::Store);
    }

    fn add_perceptron(&mut self, hidden: [usize; 2]) {
        let features = self.shape.features();
        let input = self.buffer(Place::List, filled_up(features));
        let first = self.layer("first", Connection::Sparse, input, Place::List, hidden[0], Finish::Relu);
        self.layers[0].true_depth = features;
        let second = self.layer("second", Connection::All, first, Place::List, hidden[1], Finish::Relu);
        self.policy =
            self.layer("policy", Connection::All, second, Place::List, self.shape.actions, Finish::Store);
        self.value = self.layer("value", Connection::All, second, Place::List, 1, Finish::Store);
    }

    fn buffer(&mut self, place: Place, width: usize) -> usize {
        self.buffers.push(Buffer { place, width });
        self.buffers.len() - 1
    }

    /// Adds a layer and the buffer that it writes, and returns the buffer.
    fn layer(
        &mut self,
        name: &str,
        connection: Connection,
        input: usize,
        place: Place,
        true_width: usize,
        finish: Finish,
    ) -> usize {
        let width = filled_up(true_width);
        let output = self.buffer(place, width);
        let depth = match connection {
            Connection::Neighbours | Connection::Cell => self.buffers[input].width,
            Connection::All | Connection::Sparse => self.list_length(input),
        };
        let layer = Layer {
            name: name.to_string(),
            connection,
            input,
            output,
            skip: None,
            finish,
            depth,
            width,
            true_depth: depth,
            true_width,
            weights: 0..0,
            bias: 0..0,
        };
        let weights = self.parameters..self.parameters + layer.taps() * depth * width;
        let bias = weights.end..weights.end + width;
        self.parameters = bias.end;
        self.layers.push(Layer { weights, bias, ..layer });
        output
    }

    /// The numbers of a buffer for one position, as a dense layer reads them.
    fn list_length(&self, buffer: usize) -> usize {
        let Buffer { place, width } = self.buffers[buffer];
        if place == Place::Cells { self.shape.cells() * width } else { width }
    }

    /// The numbers of a buffer for one position.
    pub(crate) fn size(&self, buffer: usize) -> usize {
        let Buffer { place, width } = self.buffers[buffer];
        match place {
            Place::Board => (self.shape.rows + 2) * self.stride() * width,
            Place::Cells => self.shape.cells() * width,
            Place::List => width,
        }
    }

    /// The cells per row of a board with its border.
    pub(crate) fn stride(&self) -> usize {
        self.shape.columns + 2
    }

    /// Where a cell of a position begins in a buffer.
    pub(crate) fn cell(&self, buffer: usize, position: usize, cell: usize) -> usize {
        let Buffer { place, width } = self.buffers[buffer];
        let start = position * self.size(buffer);
        match place {
            Place::Board => {
                let (row, column) = (cell / self.shape.columns, cell % self.shape.columns);
                start + ((row + 1) * self.stride() + column + 1) * width
            }
            Place::Cells => start + cell * width,
            Place::List => start,
        }
    }
}
