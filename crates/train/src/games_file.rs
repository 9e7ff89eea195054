//! The games of an iteration as a file.

use crate::folder::{pack, unpack};
use crate::record::Counts;
use crate::window::Block;
use aji_search::Shape;
use serde::{Deserialize, Serialize};

const WORD: &[u8; 8] = b"ajigames";

/// The header of a file of games. Games belong to a run, an iteration and a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heading {
    /// The checksum of the run's settings.
    pub(crate) run: u64,
    pub(crate) iteration: u64,
    /// The checksum of the network's parameters.
    pub(crate) network: u64,
    pub(crate) counts: Counts,
}

/// The name of an iteration's file.
pub(crate) fn name_of(iteration: u64) -> String {
    format!("games/{iteration:06}.games")
}

pub(crate) fn to_bytes(heading: &Heading, games: &[u8]) -> Vec<u8> {
    let text = serde_json::to_string(heading).unwrap_or_default();
    pack(WORD, &[text.as_bytes(), games])
}

/// Reads the games of a file. An error says what is wrong with it.
pub(crate) fn from_bytes(bytes: &[u8], shape: &Shape) -> Result<(Heading, Block), String> {
    let [text, games] = unpack(WORD, bytes)?;
    let heading: Heading = serde_json::from_slice(text).map_err(|error| format!("its heading: {error}"))?;
    let block = Block::new(heading.iteration, games.to_vec(), shape);
    Ok((heading, block.ok_or("its samples are not those of this game")?))
}
