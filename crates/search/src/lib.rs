//! Monte Carlo tree search over any [`Game`]. One loop of four phases works on a flat tree with a hard cap in bytes.
//!
//! Start with [`Game`], then [`Search`]. This crate knows no game by name, prints nothing and opens no file.
//!
//! ```
//! use aji_search::{Budget, Game, Payoff, Player, Search, Turn};
//!
//! /// Take one to three stones; who takes the last one wins.
//! #[derive(Clone)]
//! struct Stones(u32, Player);
//!
//! impl Game for Stones {
//!     type Action = u32;
//!     fn turn(&self) -> Turn {
//!         if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
//!     }
//!     fn actions(&self, out: &mut Vec<u32>) {
//!         out.extend(1..=self.0.min(3))
//!     }
//!     fn play(&mut self, taken: u32) {
//!         *self = Stones(self.0 - taken, 1 - self.1)
//!     }
//!     fn payoff(&self) -> Payoff {
//!         Payoff::win(1 - self.1)
//!     }
//! }
//!
//! let report = Search::new(Stones(10, 0)).run(Budget::simulations(5_000));
//! assert_eq!(report.best, Some(2));
//! ```

// The same seed gives the same bytes on every machine. Only tests may compare with the system's functions.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod abilities;
mod agent;
mod any_agent;
mod any_evaluation;
mod any_game;
mod bounds;
mod budget;
mod carry;
mod column;
mod encoded;
mod engine;
mod evaluate;
pub mod exact;
mod exchange;
mod game;
mod graph;
mod graph_engine;
mod graph_search;
pub mod identity;
mod kernel;
pub mod laws;
pub mod learn;
mod links;
mod many;
mod multistage;
pub mod playout;
mod prefetch;
mod report;
mod room;
mod root_parallel;
mod saved;
mod search;
#[cfg(test)]
mod toys;
mod tree;
mod utility;
mod versus;
mod watch;

pub use abilities::Abilities;
pub use agent::{Agent, Random};
pub use aji_bandit as bandit;
pub use aji_bandit::{Arm, Recommend, Rng, Select, Split};
pub use any_agent::{AnyAgent, hide_agent, hide_graph_search, hide_search};
pub use any_evaluation::{AnyEvaluation, HiddenLeaves};
pub use any_game::{AnyGame, Has, Playable};
pub use budget::{Budget, StopHandle, Stopped};
pub use carry::Carry;
pub use encoded::{Encoded, Shape, Symmetric, check_encoding, check_symmetries};
pub use engine::{Choice, Expansion, OVERHEAD_BYTES, Settings, Simulation, Top, overhead_bytes};
pub use evaluate::{Evaluate, Leaf, ValueKind};
pub use game::{Game, Hashed, Heuristic, Named, PLAYERS_MAX, Payoff, Player, Turn};
pub use graph::{Graph, GraphEdge, GraphNode};
pub use graph_search::GraphSearch;
pub use kernel::WAVE_MAX;
pub use learn::Keyed;
pub use many::{ManySearches, NoEvaluation};
pub use multistage::{Multistage, STAGES_MAX};
pub use playout::PLAYOUT_PLIES_MAX;
pub use report::{ArmReport, Line, Report};
pub use root_parallel::{RootParallel, THREADS_MAX};
pub use saved::LoadError;
pub use search::Search;
pub use tree::{ACTIONS_MAX, DEPTH_MAX, Edge, Extras, Tree};
pub use utility::Utility;
pub use versus::{Against, Opponent, Replies, SharedOpponent, Versus, VersusLeaves};
pub use watch::{Counted, Progress, Watch};
