//! A checkpoint of a training, as a file: counters, the network, its average and the optimizer's means.

use crate::folder::{checksum, pack, unpack};
use aji_net::Network;
use aji_net::optimizer::Optimizer;
use serde::{Deserialize, Serialize};

const WORD: &[u8; 8] = b"ajicheck";

/// The name of the file.
pub(crate) const NAME: &str = "checkpoint";

/// The counters of a training.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Finished iterations.
    pub iterations: u64,
    /// Games.
    pub games: u64,
    /// Samples, including copies.
    pub samples: u64,
    /// Training steps.
    pub steps: u64,
    /// Plies of self-play.
    pub plies: u64,
}

/// The head of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Heading {
    run: u64,
    progress: Progress,
    /// The iterations in the window, each with the checksum of its games.
    window: Vec<(u64, u64)>,
}

/// A checkpoint as it was read.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub(crate) progress: Progress,
    pub(crate) window: Vec<(u64, u64)>,
    parameters: Vec<f32>,
    state: [Vec<f32>; 3],
}

pub(crate) fn to_bytes(
    run: u64,
    progress: &Progress,
    window: &[(u64, u64)],
    network: &Network,
    optimizer: &Optimizer,
) -> Vec<u8> {
    let heading = Heading { run, progress: progress.clone(), window: window.to_vec() };
    let text = serde_json::to_string(&heading).unwrap_or_default();
    let [first, second, average] = optimizer.state().map(bytes_of);
    pack(WORD, &[text.as_bytes(), &bytes_of(network.parameters()), &first, &second, &average])
}

/// The checksum of a network's parameters.
pub(crate) fn sum_of(parameters: &[f32]) -> u64 {
    checksum(&bytes_of(parameters))
}

/// The checksum of a network, as files show it.
pub fn network_checksum(network: &Network) -> String {
    format!("{:016x}", sum_of(network.parameters()))
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Reads finite numbers only: others would spread through all that is learned later.
fn numbers_of(bytes: &[u8]) -> Option<Vec<f32>> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    (rest.is_empty() && numbers.iter().all(|number| number.is_finite())).then_some(numbers)
}

impl Checkpoint {
    /// Reads a checkpoint of this run. An error says what is wrong with the bytes.
    pub(crate) fn from_bytes(run: u64, bytes: &[u8]) -> Result<Checkpoint, String> {
        let [text, parts @ ..] = unpack::<5>(WORD, bytes)?;
        let heading: Heading =
            serde_json::from_slice(text).map_err(|error| format!("its heading: {error}"))?;
        if heading.run != run {
            return Err("it belongs to a run with other settings".into());
        }
        let numbers = parts.map(numbers_of);
        let [Some(parameters), Some(first), Some(second), Some(average)] = numbers else {
            return Err("a parameter is not a finite number".into());
        };
        let Heading { progress, window, .. } = heading;
        Ok(Checkpoint { progress, window, parameters, state: [first, second, average] })
    }

    /// Restores a network and its optimizer. An error if they have another size.
    pub(crate) fn restore(self, network: &mut Network, optimizer: &mut Optimizer) -> Result<(), String> {
        let (found, expected) = (self.parameters.len(), network.parameters().len());
        if found != expected || !optimizer.restore(self.progress.steps, self.state) {
            return Err(format!("{found} parameters: expected {expected}"));
        }
        network.set_parameters(&self.parameters);
        Ok(())
    }
}
