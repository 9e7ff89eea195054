//! Monte Carlo tree search for any game.
//!
//! This crate re-exports what a program needs from the other crates. A program with its own game needs only the search:
//! `aji = { version = "0.1", default-features = false }` builds in seconds.
//!
//! ```
//! use aji::{Budget, Search, games::ConnectFour};
//!
//! let mut search = Search::new(ConnectFour::new()).seed(7).memory(64 << 20);
//! let report = search.run(Budget::simulations(20_000));
//! println!("{:?}, worth {:?}", report.best, report.value);
//! search.advance(report.best.unwrap()); // play it, and keep the tree below
//! ```

#[cfg(feature = "catalog")]
pub use aji_catalog as catalog;
#[cfg(feature = "catalog")]
pub use aji_catalog::{Own, Workbench, agent_for};
#[cfg(feature = "cgt")]
pub use aji_cgt as cgt;
#[cfg(feature = "cli")]
pub use aji_cli as cli;
#[cfg(feature = "games")]
pub use aji_games as games;
#[cfg(feature = "lab")]
pub use aji_lab as lab;
#[cfg(feature = "net")]
pub use aji_net as net;
pub use aji_search::*;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
