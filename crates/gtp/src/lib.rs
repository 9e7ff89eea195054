//! aji as an engine for Go programs. It speaks the Go Text Protocol, version 2, by Farnebäck's draft 2, with the
//! extensions of Sabaki, Lizzie, GoGui and KGS.
//!
//! The rules are area scoring with positional superko and without suicide. Any agent of the catalog can play.
//!
//! ```
//! use aji_gtp::{Options, serve};
//!
//! let options = Options { agent: Some("uct simulations=50".parse()?), ..Options::default() };
//! let mut output = Vec::new();
//! serve(&b"1 play b e5\n2 play w e5\n"[..], &mut output, &options)?;
//! assert_eq!(String::from_utf8(output)?, "=1 \n\n?2 illegal move\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod clock;
mod commands;
mod engine;
mod exercise;
mod handicap;
mod passing;
mod position;
mod protocol;
mod record;
mod serve;
mod sgf;
mod status;
mod thinking;
mod vertex;

pub use exercise::exercise;
pub use serve::serve;

use aji_catalog::{AgentName, Error};
use aji_games::GoRules;
use position::{SIZE_MAX, SIZE_MIN};

/// How an engine begins.
#[derive(Clone, Debug)]
pub struct Options {
    /// The agent that thinks; none: the strongest one known for the board. Its own limits on simulations and time apply in
    /// addition to the clock.
    pub agent: Option<AgentName>,
    /// The board size, until the controller sets another.
    pub size: usize,
    /// The points that white gets for moving second, until the controller sets another komi.
    pub komi: f64,
    /// Whether it thinks during the other player's time.
    pub ponder: bool,
    /// It resigns if its win rate is below this at two moves in a row, some time into the game.
    pub resign: Option<f32>,
    /// Whether `loadsgf` and `printsgf` read and write files.
    pub files: bool,
    /// Receives lines for people: when the agent changes, and when it cannot play on the board.
    pub note: fn(&str),
}

impl Default for Options {
    /// Nine by nine points, and an agent that plays to the end.
    fn default() -> Options {
        Options { agent: None, size: 9, komi: 7.5, ponder: false, resign: None, files: true, note: |_| () }
    }
}

impl Options {
    /// An error if an option is wrong.
    pub fn check(&self) -> Result<(), Error> {
        if !(SIZE_MIN..=SIZE_MAX).contains(&self.size) {
            return Err(Error::new(format!("size {}: expected {SIZE_MIN} to {SIZE_MAX}", self.size)));
        }
        if !GoRules::is_komi(self.komi) {
            let most = GoRules::KOMI_MAX;
            return Err(Error::new(format!(
                "komi {}: expected points such as 7.5, from -{most} to {most}",
                self.komi
            )));
        }
        match self.resign {
            Some(share) if !(0.0..=0.5).contains(&share) => {
                Err(Error::new(format!("resign {share}: expected a win rate from 0 to 0.5, such as 0.05")))
            }
            _ => Ok(()),
        }
    }
}
