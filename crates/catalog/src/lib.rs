//! Games and agents by name, and sessions in which agents play games.
//!
//! This crate parses text, so most errors begin here: each is one line that says what was wrong, where, and what would
//! be right. A [`Session`] hides the type of its game; no crate above it knows the type. A [`Workbench`] holds all
//! names: the built-in games and agents, and those that you add.
//!
//! ```
//! use aji_catalog::{AgentName, session};
//!
//! let mut session = session("connect-four")?;
//! session.play("d")?;
//! let agent: AgentName = "uct c=0.7 simulations=2000".parse()?;
//! let report = session.think(&agent, &mut ())?;
//! println!("{} is worth {:.2}", report.best.unwrap(), report.value.unwrap());
//! # Ok::<(), aji_catalog::Error>(())
//! ```

// The same seed gives the same bytes on every machine, so the system's math functions are not used, except in tests.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod action_text;
mod agent_name;
mod analysis;
mod attack_name;
mod bandit_name;
mod error;
mod explanation;
mod found;
mod games;
mod guide;
mod known_options;
mod learner_name;
mod maker;
mod many;
mod network_parts;
mod networks;
mod own;
mod own_agent;
mod playout_name;
mod program_name;
mod rule_name;
mod saved_tag;
mod search_graph;
mod search_name;
mod seen;
mod session;
mod strongest;
mod thinker;
mod tree_node;
mod units;
mod victim;
mod words;
mod workbench;

pub use agent_name::{AgentName, AlphaBetaName, Expert, Method};
pub use aji_search::StopHandle;
pub use analysis::{Actions, Request, Snapshot};
pub use attack_name::{AttackName, ModelName, VictimName};
pub use bandit_name::BanditName;
pub use error::{Error, nearest, unknown};
pub use explanation::{Explanation, STEPS_MAX, ToldArm, ToldChoice, ToldNode, ToldRule, ToldSimulation};
pub use found::{Found, FoundArm, Searched, stopped_word};
pub use games::{Entry, GAMES};
pub use guide::{Guide, guide};
pub use known_options::{KnownOption, known_rule_options};
pub use learner_name::{CouponsName, LearnerName, ReadName};
pub use many::search_together;
pub use networks::{KnownNetwork, SHIPPED, SHIPPED_BYTES_MAX};
pub use own::{IntoOwn, Missing, Own};
pub use own_agent::OwnAgentName;
pub use playout_name::PlayoutName;
pub use program_name::ProgramName;
pub use rule_name::{known_rules, read_rule};
pub use search_graph::{PositionNode, SearchGraph, Way};
pub use search_name::{LINES_MAX, Preset, SEARCHES, SearchName, Unit};
pub use session::Session;
pub use strongest::{OnBoard, Strongest, agent_for};
pub use tree_node::{TREE_DEPTH_MAX, TreeNode};
pub use units::{bytes as read_bytes, show_bytes, thousands};
pub use victim::Victim;
pub use words::Words as Options;
pub use workbench::{Listed, Workbench, session};
