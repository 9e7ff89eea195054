//! A training sample.

/// A position with its targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The features that are on, in ascending order.
    pub features: Vec<u32>,
    /// The numbers of the legal actions.
    pub actions: Vec<u16>,
    /// The target probability of each action; they add up to 1.
    pub policy: Vec<f32>,
    /// The target value: the expected reward of the player to act, in 0..=1.
    pub value: f32,
    /// The weights of the sample in the loss of the policy and of the value.
    pub weights: [f32; 2],
}
