//! What a network is to learn from one position.

/// A position with what the network should say of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The features that are on, in ascending order.
    pub features: Vec<u32>,
    /// The numbers of the legal actions.
    pub actions: Vec<u16>,
    /// How likely each of them should be; they add up to 1.
    pub policy: Vec<f32>,
    /// The reward that the player to act should expect, in 0..=1.
    pub value: f32,
    /// How much the sample counts for the policy, and for the value.
    pub weights: [f32; 2],
}
