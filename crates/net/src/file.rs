//! Networks as files: safetensors with a description.
//!
//! Every layer has a weight and a bias. Convolutions are stored as `[outputs, inputs, 3, 3]` and other layers as
//! `[outputs, inputs]`, so that the same network written in PyTorch can read and write them. A dense layer reads a
//! board channel by channel, as PyTorch flattens it.

use crate::design::{Design, check_shape};
use crate::network::Network;
use crate::plan::{Connection, Layer, Place, Plan};
use aji_search::Shape;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The largest file that can be read.
pub const FILE_BYTES_MAX: usize = 256 << 20;

/// The key of the description in the file's metadata. There is only one key, so that the same network gives the same
/// bytes.
const KEY: &str = "aji";

/// The description of a network in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The name of the game that it plays.
    pub game: String,
    /// Training steps.
    pub steps: u64,
    /// Games of self-play that it learned from.
    pub games: u64,
    /// The seed of its training.
    pub seed: u64,
    /// The commit of the program that trained it.
    pub commit: String,
}

/// The description as it is stored: with the network's design and shape.
#[derive(Serialize, Deserialize)]
struct Stored {
    design: String,
    planes: usize,
    rows: usize,
    columns: usize,
    actions: usize,
    #[serde(flatten)]
    description: Description,
}

impl Network {
    /// The network as a file.
    pub fn to_bytes(&self, description: &Description) -> Result<Vec<u8>, String> {
        let Shape { planes, rows, columns, actions } = self.shape();
        let (design, description) = (self.design().to_string(), description.clone());
        let stored = Stored { design, planes, rows, columns, actions, description };
        let text = serde_json::to_string(&stored).map_err(|error| error.to_string())?;
        let mut tensors = Vec::new();
        for layer in &self.plan.layers {
            let weights = self.weights_of(layer);
            let bias = &self.parameters()[layer.bias.clone()][..layer.true_width];
            tensors.push((format!("{}.weight", layer.name), sizes(layer), bytes_of(&weights)));
            tensors.push((format!("{}.bias", layer.name), vec![layer.true_width], bytes_of(bias)));
        }
        let mut views = Vec::new();
        for (name, sizes, bytes) in &tensors {
            let view =
                TensorView::new(Dtype::F32, sizes.clone(), bytes).map_err(|error| error.to_string())?;
            views.push((name.as_str(), view));
        }
        let metadata = HashMap::from([(KEY.to_string(), text)]);
        safetensors::serialize(views, Some(metadata)).map_err(|error| error.to_string())
    }

    /// The network in a file, and its description. An error says what is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Network, Description), String> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(format!("{} bytes: expected at most {FILE_BYTES_MAX}", bytes.len()));
        }
        let wrong = |error| format!("no safetensors file: {error}");
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(wrong)?;
        let text = metadata.metadata().as_ref().and_then(|all| all.get(KEY));
        let text = text.ok_or("a safetensors file without the description of a network of aji")?;
        let stored: Stored =
            serde_json::from_str(text).map_err(|error| format!("description of the network: {error}"))?;
        let Stored { design, planes, rows, columns, actions, description } = stored;
        let (design, shape): (Design, _) = (design.parse()?, Shape { planes, rows, columns, actions });
        check_shape(&shape)?;
        let plan = Plan::new(shape, design);
        let tensors = SafeTensors::deserialize(bytes).map_err(wrong)?;
        let mut parameters = vec![0.0; plan.parameters];
        for layer in &plan.layers {
            let weights = numbers(&tensors, &format!("{}.weight", layer.name), &sizes(layer))?;
            for (number, weight) in weights.into_iter().enumerate() {
                parameters[layer.weights.start + place_of(&plan, layer, number)] = weight;
            }
            let bias = numbers(&tensors, &format!("{}.bias", layer.name), &[layer.true_width])?;
            parameters[layer.bias.start..][..bias.len()].copy_from_slice(&bias);
        }
        let expected = 2 * plan.layers.len();
        if tensors.len() != expected {
            return Err(format!("{} tensors: expected {expected}", tensors.len()));
        }
        Ok((Network::with_parameters(design, plan, parameters), description))
    }

    /// A layer's weights in the order of the file.
    fn weights_of(&self, layer: &Layer) -> Vec<f32> {
        let weights = &self.parameters()[layer.weights.clone()];
        let count = layer.taps() * layer.true_depth * layer.true_width;
        (0..count).map(|number| weights[place_of(&self.plan, layer, number)]).collect()
    }
}

/// The dimensions of a layer's weights in a file.
fn sizes(layer: &Layer) -> Vec<usize> {
    match layer.connection {
        Connection::Neighbours => vec![layer.true_width, layer.true_depth, 3, 3],
        Connection::Cell => vec![layer.true_width, layer.true_depth, 1, 1],
        Connection::All | Connection::Sparse => vec![layer.true_width, layer.true_depth],
    }
}

/// The place among a layer's weights of the weight with this number in a file.
fn place_of(plan: &Plan, layer: &Layer, number: usize) -> usize {
    let (taps, depth) = (layer.taps(), layer.true_depth);
    let (output, input, tap) = (number / (depth * taps), number / taps % depth, number % taps);
    let buffer = plan.buffers[layer.input];
    let is_flattened = layer.connection == Connection::All && buffer.place == Place::Cells;
    let input = match is_flattened {
        true => input % plan.shape.cells() * buffer.width + input / plan.shape.cells(),
        false => input,
    };
    (tap * layer.depth + input) * layer.width + output
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The numbers of a tensor, which must have these dimensions.
fn numbers(tensors: &SafeTensors, name: &str, sizes: &[usize]) -> Result<Vec<f32>, String> {
    let tensor = tensors.tensor(name).map_err(|_| format!("tensor {name} is missing"))?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != sizes {
        let (found, kind) = (tensor.shape(), tensor.dtype());
        return Err(format!("tensor {name}: expected F32 of sizes {sizes:?}, found {kind:?} of {found:?}"));
    }
    let numbers: Vec<f32> =
        tensor.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(place) => {
            Err(format!("tensor {name}: number {place} is {}, expected a finite one", numbers[place]))
        }
        None => Ok(numbers),
    }
}
