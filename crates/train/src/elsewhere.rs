//! Games of an iteration that are played elsewhere: by other processes, on other machines.
//!
//! A game depends only on network, run and number. So [`play_part`] gives the bytes that the training would have played
//! itself, and [`Training::provide`](crate::Training::provide) takes them in its place.

use crate::checkpoint;
use crate::folder::{pack, unpack};
use crate::training::cache_bytes;
use crate::{Counter, Counts, Error, GameRecord, Learnable, Run};
use aji_net::Network;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const WORD: &[u8; 8] = b"ajipart\0";

/// The games that the next iteration needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number of the iteration.
    pub iteration: u64,
    /// The number of the first game.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// The file of the network that plays them.
    pub network: Vec<u8>,
}

/// The header of a part.
#[derive(Debug, Serialize, Deserialize)]
struct Heading {
    run: u64,
    network: u64,
    games: Vec<Head>,
}

/// A game of a part: its number, its counts, and the length of its bytes.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    number: u64,
    counts: Counts,
    length: usize,
}

/// Plays some games of a run with the network of a file, on this thread. None if `stop` was set meanwhile.
pub fn play_part(
    run: &Run,
    game: &dyn Learnable,
    network: &[u8],
    (first, games): (u64, u64),
    stop: &AtomicBool,
) -> Result<Option<Vec<u8>>, Error> {
    let network = Arc::new(Network::from_bytes(network)?.0);
    if network.shape() != game.shape() {
        return Err(Error::new(format!("the network is not one of {}", run.game)));
    }
    let mut player = game.player(&run.plan()?, cache_bytes(run.memory, 1));
    let mut records = player.play(&network, &Counter::new(first, games, stop));
    if records.len() as u64 != games {
        return Ok(None);
    }
    records.sort_unstable_by_key(|record| record.number);
    let head = |record: &GameRecord| Head {
        number: record.number,
        counts: record.counts,
        length: record.bytes.len(),
    };
    let heading = Heading {
        run: run.number(),
        network: checkpoint::sum_of(network.parameters()),
        games: records.iter().map(head).collect(),
    };
    let text = serde_json::to_string(&heading).map_err(|error| Error::new(error.to_string()))?;
    let games: Vec<u8> = records.into_iter().flat_map(|record| record.bytes).collect();
    Ok(Some(pack(WORD, &[text.as_bytes(), &games])))
}

/// The games of a part, if it is of this run and of the network with this checksum.
pub(crate) fn read_part(bytes: &[u8], run: u64, network: u64) -> Result<Vec<GameRecord>, String> {
    let [text, mut games] = unpack(WORD, bytes)?;
    let heading: Heading = serde_json::from_slice(text).map_err(|error| format!("its heading: {error}"))?;
    if heading.run != run {
        return Err("its games are of another run".into());
    }
    if heading.network != network {
        return Err("another network played its games".into());
    }
    let mut record = |head: Head| {
        let bytes = games.split_off(..head.length)?.to_vec();
        Some(GameRecord { number: head.number, bytes, counts: head.counts })
    };
    let records: Option<Vec<GameRecord>> = heading.games.into_iter().map(&mut record).collect();
    records.ok_or_else(|| "its games are cut off".into())
}
