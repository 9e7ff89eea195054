//! Programs that speak GTP, the Go Text Protocol (Farnebäck, version 2 draft 2, 2002), as agents in Go.
//!
//! A [`Program`] says what to run. A [`GtpPlayer`] runs it and asks it for moves, and so plays like any other agent.
//! Error messages call the program "it"; the caller puts the program's name in front.
//!
//! ```
//! use aji_games::{GoRules, SmallGo};
//! use aji_gtp_client::{GtpPlayer, Program, find_program};
//! use aji_search::{Agent, Budget};
//! use std::time::Duration;
//!
//! // A program that refuses every command.
//! let script = r"while read -r line; do printf '? not today\n\n'; done";
//! let program = Program {
//!     path: find_program("sh")?,
//!     arguments: vec!["-c".into(), script.into()],
//!     timeout: Duration::from_secs(60),
//! };
//! let mut player = GtpPlayer::new(program);
//! let report = player.think(&SmallGo::new(9, GoRules::default()), Budget::default(), &mut ());
//! assert_eq!(report.best, None);
//! let failure = "it cannot be set up: boardsize 9: it said \"? not today\"";
//! assert_eq!(player.failure().as_deref(), Some(failure));
//! # Ok::<(), String>(())
//! ```

mod pipe;
mod player;
mod program;
mod record;

pub use player::GtpPlayer;
pub use program::{Program, find_program};
