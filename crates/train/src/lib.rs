//! Networks learned from self-play: games in lockstep, a replay window, training steps, checkpoints.
//!
//! A [`Training`] lives in a [`Folder`]. Each [`iterate`](Training::iterate) plays some games with the current network,
//! learns from the [window](window::Window) of the last games, and writes a checkpoint. The same [`Run`] gives the same
//! bytes on any number of threads, however often it is killed and resumed.
//!
//! This crate knows no game by name. A [`Lesson`] describes a game of any type, and hides the type.
//!
//! ```
//! use aji_games::TicTacToe;
//! use aji_train::{Folder, Lesson, Run, Training, Wishes};
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! let wishes = Wishes {
//!     game: Some("tic-tac-toe".into()),
//!     net: Some("perceptron hidden=16,16".into()),
//!     agent: Some("gumbel simulations=4".into()),
//!     options: Some("games=8 batch=16".into()),
//!     ..Wishes::default()
//! };
//! let path = std::env::temp_dir().join(format!("aji-train-{}", std::process::id()));
//! let game = Arc::new(Lesson::symmetric(TicTacToe::new()));
//! let mut training = Training::open(Folder::open(&path)?, Run::new(&wishes)?, game, "")?;
//! let line = training.iterate(1, &AtomicBool::new(false), &mut |_| {})?.expect("nobody stopped it");
//! assert_eq!((line.iteration, line.games), (1, 8));
//! # drop(training);
//! # std::fs::remove_dir_all(path).unwrap();
//! # Ok::<(), aji_train::Error>(())
//! ```

// The same seed gives the same bytes on every machine; tests may compare with the system's functions.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod checkpoint;
mod clock;
mod elsewhere;
mod error;
mod folder;
mod games_file;
mod images;
mod journal;
mod play;
pub mod record;
mod run;
mod search_plan;
mod self_play;
pub mod settings;
mod training;
pub mod window;

pub use checkpoint::{Progress, network_checksum};
pub use elsewhere::{Wanted, play_part};
pub use error::Error;
pub use folder::Folder;
pub use images::Images;
pub use journal::{Iteration, JOURNAL, Journal};
pub use play::{Counter, Learnable, Lesson, Partner, PlayGames};
pub use record::{Counts, GameRecord};
pub use run::{MEMORY_DEFAULT, MEMORY_MIN, RUN_FILE, Run, START, Wishes};
pub use search_plan::SearchPlan;
pub use self_play::{CACHE_BYTES, LOCKSTEP};
pub use settings::{Plan, Settings};
pub use training::{NETWORK, Stage, Training, network_name};
