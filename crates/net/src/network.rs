//! A network: its parameters, and its evaluation of positions.

use crate::design::{Design, check_shape};
use crate::kernel::{self, Finish};
use crate::math::{logistic, softmax};
use crate::plan::{Connection, Layer, Place, Plan};
use crate::rows::Rows;
use aji_bandit::Rng;
use aji_search::Shape;

/// A network of some design for games of some shape.
#[derive(Clone, Debug)]
pub struct Network {
    design: Design,
    pub(crate) plan: Plan,
    parameters: Vec<f32>,
    /// The weights of each layer, packed in the order in which the kernel reads them.
    packed: Vec<Vec<f32>>,
}

impl Network {
    /// A network that has learned nothing: its policy is uniform, its value is a half.
    pub fn new(shape: Shape, design: Design, seed: u64) -> Result<Network, String> {
        check_shape(&shape)?;
        let plan = Plan::new(shape, design);
        let mut parameters = vec![0.0; plan.parameters];
        let mut rng = Rng::seeded(seed);
        for layer in &plan.layers {
            // The output layers and the residual layers start at zero.
            if layer.finish == Finish::Relu {
                spread_weights(layer, &mut parameters[layer.weights.clone()], &mut rng);
            }
        }
        Ok(Network::with_parameters(design, plan, parameters))
    }

    pub(crate) fn with_parameters(design: Design, plan: Plan, parameters: Vec<f32>) -> Network {
        let mut network = Network { design, packed: vec![Vec::new(); plan.layers.len()], plan, parameters };
        network.pack();
        network
    }

    /// The design.
    pub fn design(&self) -> Design {
        self.design
    }

    /// The shape of the games that it can evaluate.
    pub fn shape(&self) -> Shape {
        self.plan.shape
    }

    /// All parameters, including padding.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Replaces all parameters; the number must be the same.
    pub fn set_parameters(&mut self, parameters: &[f32]) {
        self.parameters.copy_from_slice(parameters);
        self.pack();
    }

    /// The places of the parameters that are not padding.
    pub fn used_parameters(&self) -> Vec<usize> {
        let mut used = Vec::new();
        for layer in &self.plan.layers {
            let place = |weight: usize| (weight / layer.width % layer.depth, weight % layer.width);
            let is_used = |weight: &usize| {
                let (input, output) = place(*weight);
                input < layer.true_depth && output < layer.true_width
            };
            used.extend((0..layer.weights.len()).filter(is_used).map(|weight| layer.weights.start + weight));
            used.extend(layer.bias.start..layer.bias.start + layer.true_width);
        }
        used
    }

    fn pack(&mut self) {
        for (layer, packed) in self.plan.layers.iter().zip(&mut self.packed) {
            kernel::pack(&self.parameters[layer.weights.clone()], layer.width, packed);
        }
    }

    /// Multiplications and additions for one position, each counted as one operation.
    pub fn operations(&self) -> usize {
        let rows = |layer: &Layer| match layer.connection {
            Connection::Neighbours | Connection::Cell => self.plan.shape.cells(),
            Connection::All | Connection::Sparse => 1,
        };
        self.plan.layers.iter().map(|layer| 2 * rows(layer) * layer.weights.len()).sum()
    }

    /// Evaluates all positions in a workspace.
    pub fn look(&self, workspace: &mut Workspace) {
        for (number, layer) in self.plan.layers.iter().enumerate() {
            let bias = &self.parameters[layer.bias.clone()];
            let (inputs, outputs) = workspace.values.split_at_mut(layer.output);
            let (input, output) = (&inputs[layer.input], &mut outputs[0]);
            if let Some(skip) = layer.skip {
                let used = workspace.positions * self.plan.size(skip);
                output[..used].copy_from_slice(&inputs[skip][..used]);
            }
            if layer.connection == Connection::Sparse {
                let weights = &self.parameters[layer.weights.clone()];
                for (position, output) in (0..workspace.positions).zip(output.chunks_exact_mut(layer.width)) {
                    kernel::add_rows(&workspace.features[position], weights, bias, output);
                }
                continue;
            }
            let layout = workspace.rows[number].there(layer, workspace.positions);
            kernel::multiply(input, layout, &self.packed[number], bias, layer.finish, output);
        }
    }
}

/// Draws uniform weights, scaled so that a layer's outputs vary as much as its inputs (He et al. 2015).
fn spread_weights(layer: &Layer, weights: &mut [f32], rng: &mut Rng) {
    let inputs = (layer.taps() * layer.true_depth) as f32;
    let limit = (6.0 / inputs).sqrt();
    for (place, row) in weights.chunks_exact_mut(layer.width).enumerate() {
        for weight in row[..layer.true_width].iter_mut() {
            let drawn = limit * (2.0 * rng.unit() - 1.0);
            *weight = if place % layer.depth < layer.true_depth { drawn } else { 0.0 };
        }
    }
}

/// The buffers in which a network evaluates several positions at once.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(crate) plan: Plan,
    pub(crate) positions: usize,
    room: usize,
    pub(crate) features: Vec<Vec<u32>>,
    pub(crate) values: Vec<Vec<f32>>,
    pub(crate) rows: Vec<Rows>,
}

impl Workspace {
    /// Buffers for this many positions.
    pub fn new(network: &Network, room: usize) -> Workspace {
        let plan = network.plan.clone();
        let values = (0..plan.buffers.len()).map(|buffer| vec![0.0; room * plan.size(buffer)]).collect();
        let rows = plan.layers.iter().map(|layer| Rows::new(&plan, layer, room)).collect();
        Workspace { positions: 0, room, features: vec![Vec::new(); room], values, rows, plan }
    }

    /// How many positions there is room for.
    pub fn room(&self) -> usize {
        self.room
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        let numbers: usize = self.values.iter().map(Vec::len).sum();
        numbers * size_of::<f32>()
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.positions = 0;
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// Adds a position with these features on. There must be room. Features outside the shape are ignored.
    pub fn add(&mut self, features: &[u32]) {
        debug_assert!(self.positions < self.room, "no room for another position");
        let (position, cells) = (self.positions, self.plan.shape.cells());
        let size = self.plan.size(0);
        let known =
            features.iter().copied().filter(|&feature| (feature as usize) < self.plan.shape.features());
        self.features[position].clear();
        self.features[position].extend(known);
        self.features[position].sort_unstable();
        let input = &mut self.values[0];
        input[position * size..(position + 1) * size].fill(0.0);
        for &feature in &self.features[position] {
            let (plane, cell) = (feature as usize / cells, feature as usize % cells);
            let place = match self.plan.buffers[0].place {
                Place::List => position * size + feature as usize,
                _ => self.plan.cell(0, position, cell) + plane,
            };
            input[place] = 1.0;
        }
        self.positions += 1;
    }

    /// The logits of all action numbers in a position, once it is evaluated.
    pub fn logits(&self, position: usize) -> &[f32] {
        let size = self.plan.size(self.plan.policy);
        &self.values[self.plan.policy][position * size..][..self.plan.shape.actions]
    }

    /// The probabilities of some actions, by their numbers, once the position is evaluated.
    pub fn policy(&self, position: usize, actions: impl Iterator<Item = usize>, out: &mut Vec<f32>) {
        let logits = self.logits(position);
        out.clear();
        out.extend(actions.map(|action| logits.get(action).copied().unwrap_or(f32::MIN)));
        softmax(out);
    }

    /// The expected reward of the player to act, in 0..=1, once the position is evaluated.
    pub fn value(&self, position: usize) -> f32 {
        logistic(self.value_logit(position).into()) as f32
    }

    pub(crate) fn value_logit(&self, position: usize) -> f32 {
        self.values[self.plan.value][position * self.plan.size(self.plan.value)]
    }
}
