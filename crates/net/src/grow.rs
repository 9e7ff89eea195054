//! A larger network with the same answers, to go on learning from (Net2Net, Chen, Goodfellow & Shlens 2016).
//!
//! New outputs of a layer begin at random, as in a new network. Old outputs ignore new inputs at first: those weights
//! begin at zero. A new residual block begins by adding nothing.

use crate::design::Design;
use crate::network::Network;
use crate::plan::Layer;

impl Network {
    /// This network with more channels, blocks or hidden units, and the same answers. The seed draws the new weights.
    pub fn grown(&self, design: Design, seed: u64) -> Result<Network, String> {
        if !self.design().fits_in(design) {
            return Err(format!("a network {} does not grow to {design}", self.design()));
        }
        let mut grown = Network::new(self.shape(), design, seed)?;
        let mut parameters = grown.parameters().to_vec();
        for old in &self.plan.layers {
            let new = grown.plan.layers.iter().find(|layer| layer.name == old.name);
            let new = new.ok_or_else(|| format!("the layer {} is missing in {design}", old.name))?;
            let from = self.parameters();
            copy_weights((old, &from[old.weights.clone()]), (new, &mut parameters[new.weights.clone()]));
            parameters[new.bias.start..][..old.true_width]
                .copy_from_slice(&from[old.bias.clone()][..old.true_width]);
        }
        grown.set_parameters(&parameters);
        Ok(grown)
    }
}

/// Copies the weights between old inputs and old outputs, and separates old outputs from new inputs.
fn copy_weights((old, from): (&Layer, &[f32]), (new, to): (&Layer, &mut [f32])) {
    for tap in 0..new.taps() {
        for input in 0..new.depth {
            let row = &mut to[(tap * new.depth + input) * new.width..][..old.true_width];
            match input < old.depth {
                true => row.copy_from_slice(&from[(tap * old.depth + input) * old.width..][..old.true_width]),
                false => row.fill(0.0),
            }
        }
    }
}

impl Design {
    /// Whether a network of this design grows to the other one: the same kind, and nothing smaller.
    pub fn fits_in(self, other: Design) -> bool {
        match (self, other) {
            (Design::Conv { channels, blocks }, Design::Conv { channels: wider, blocks: deeper }) => {
                channels <= wider && blocks <= deeper
            }
            (Design::Perceptron { hidden: [a, b] }, Design::Perceptron { hidden: [c, d] }) => {
                a <= c && b <= d
            }
            _ => false,
        }
    }
}
