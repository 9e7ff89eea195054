//! Networks: from files, those that ship with the program, and those added to a workbench.

use crate::Error;
use crate::maker::missing;
use crate::search_name::SearchName;
use aji_net::{Description, FILE_BYTES_MAX, Network};
use aji_search::{AnyGame, Encoded, Game, Shape};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// The networks that ship, each with the word of its game. The file says the size of the board.
/// A new one is a line. `docs/networks.md` says how each was trained.
pub static SHIPPED: &[(&str, &[u8])] = &[
    ("tic-tac-toe", include_bytes!("../networks/tic-tac-toe.safetensors")),
    ("connect-four", include_bytes!("../networks/connect-four.safetensors")),
    ("othello", include_bytes!("../networks/othello-6.safetensors")),
    ("hex", include_bytes!("../networks/hex-7.safetensors")),
    ("go", include_bytes!("../networks/go-7.safetensors")),
];

/// The largest file that ships.
pub const SHIPPED_BYTES_MAX: usize = 1_000_000;

/// Networks that were added.
#[derive(Clone, Default)]
pub(crate) struct Networks(Vec<Arc<(String, Vec<u8>)>>);

impl Networks {
    /// Adds the network of a file for games of this word.
    pub(crate) fn add(&mut self, game: &str, file: Vec<u8>) -> Result<(), Error> {
        Network::from_bytes(&file).map_err(|error| Error::new(format!("network of {game}: {error}")))?;
        self.0.insert(0, Arc::new((game.into(), file)));
        Ok(())
    }

    /// All networks, the last added first.
    fn all(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let added = self.0.iter().map(|added| (added.0.as_str(), added.1.as_slice()));
        added.chain(SHIPPED.iter().copied())
    }

    /// The network that a search asks for, if it asks for one. It fits the game.
    pub(crate) fn asked_for(
        &self,
        name: &SearchName,
        title: &str,
        game: &AnyGame,
    ) -> Result<Option<Arc<Network>>, Error> {
        let Some(word) = name.network_word() else { return Ok(None) };
        if !game.has().encoded {
            return Err(missing(word, "Encoded", "shows positions to networks", "encoded"));
        }
        if game.has_chance() {
            return Err(Error::new(format!(
                "{word}: {title} has chance; networks play games without chance"
            )));
        }
        let network = match &name.net {
            Some(path) => {
                let wrong = |error: String| Error::new(format!("{word} net={path}: {error}"));
                from_file(path).and_then(|found| fitting(found, title, game.shape())).map_err(wrong)?
            }
            None => self.shipped(title, game.shape()).ok_or_else(|| self.nothing_ships(word, title))?,
        };
        Ok(Some(Arc::new(network)))
    }

    /// The network that ships for a game of this name and shape.
    fn shipped(&self, title: &str, shape: Shape) -> Option<Network> {
        let of_game = self.all().filter(|(game, _)| *game == first_word(title));
        let networks = of_game.filter_map(|(_, file)| Network::from_bytes(file).ok());
        networks.map(|(network, _)| network).find(|network| network.shape() == shape)
    }

    fn nothing_ships(&self, word: &str, title: &str) -> Error {
        let name = |(game, file): (&str, &[u8])| match Network::from_bytes(file) {
            Ok((_, description)) if !description.game.is_empty() => description.game,
            _ => game.into(),
        };
        let games: Vec<String> = self.all().map(name).collect();
        let known = if games.is_empty() {
            "no game has one yet".into()
        } else {
            format!("only for {}", games.join(", "))
        };
        Error::new(format!(
            "{word}: no network ships for {title} ({known}); give net=FILE, or train one: aji train \"{title}\" --out DIR"
        ))
    }
}

fn first_word(title: &str) -> &str {
    title.split_whitespace().next().unwrap_or_default()
}

/// The network of a file.
fn from_file(path: &str) -> Result<(Network, Description), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // Reading one byte too many is enough to refuse a file that is too long or endless.
    let most = FILE_BYTES_MAX as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Network::from_bytes(&bytes)
}

/// The network, if it plays this game with this shape.
fn fitting((network, says): (Network, Description), title: &str, shape: Shape) -> Result<Network, String> {
    if !says.game.is_empty() && first_word(&says.game) != first_word(title) {
        return Err(format!("it plays {}, expected a network for {title}", says.game));
    }
    if network.shape() != shape {
        let of = if says.game.is_empty() { String::new() } else { format!(" of {}", says.game) };
        let (found, expected) = (described(network.shape()), described(shape));
        return Err(format!("it looks at {found}{of}, expected {expected} of {title}"));
    }
    Ok(network)
}

fn described(shape: Shape) -> String {
    let Shape { planes, rows, columns, actions } = shape;
    format!("{planes} planes on {rows}x{columns} and {actions} actions")
}
