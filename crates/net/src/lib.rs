//! Small networks for game search: a policy and a value for positions, learned from samples, with kernels written for
//! them.
//!
//! A [`Network`] has a [`Design`] and parameters. It evaluates the positions in a [`Workspace`], many at once.
//! [`Gradient`] computes the gradient of the loss for some [`Sample`]s, and [`Optimizer`](optimizer::Optimizer) changes
//! the parameters. All results have the same bits on every CPU and for any number of threads.
//!
//! ```
//! use aji_net::optimizer::{Optimizer, Settings};
//! use aji_net::{Design, Gradient, Network, Sample, Workspace};
//! use aji_search::Shape;
//!
//! let shape = Shape { planes: 2, rows: 3, columns: 3, actions: 9 };
//! let mut network = Network::new(shape, Design::Conv { channels: 16, blocks: 1 }, 1)?;
//! let sample = Sample { features: vec![4], actions: vec![0, 1], policy: vec![0.9, 0.1], value: 0.2, weights: [1.0; 2] };
//! let (mut gradient, mut optimizer) = (Gradient::new(&network, 1), Optimizer::new(&network, Settings::default()));
//! for _ in 0..100 {
//!     let (direction, _loss) = gradient.of(&network, &[&sample], 1);
//!     optimizer.step(&mut network, direction, 0.01);
//! }
//! let mut workspace = Workspace::new(&network, 1);
//! workspace.add(&sample.features);
//! network.look(&mut workspace);
//! assert!((workspace.value(0) - 0.2).abs() < 0.05);
//! # Ok::<(), String>(())
//! ```

// The same seed gives the same bytes on every machine; tests may compare with the system's functions.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![allow(clippy::needless_range_loop, reason = "tiles of registers are arrays that are indexed together")]

mod cache;
pub mod design;
mod evaluation;
mod file;
pub mod fused;
mod gradient;
mod grow;
pub mod kernel;
pub mod math;
mod mixed;
mod network;
pub mod optimizer;
mod plan;
mod playout;
mod rows;
mod sample;

pub use design::Design;
pub use evaluation::{BATCH_MAX, Encoding, NetworkEvaluation, Symmetries};
pub use file::{Description, FILE_BYTES_MAX};
pub use gradient::{Gradient, Loss, PARTS};
pub use mixed::MixedEvaluation;
pub use network::{Network, Workspace};
pub use playout::NetworkPlayout;
pub use sample::Sample;

/// Tests the examples of the document.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/networks.md")]
struct Document;
