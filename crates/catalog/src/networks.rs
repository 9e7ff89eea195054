//! Networks: from files, those that ship with the program, and those added to a workbench.

use crate::Error;
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

/// A network that comes with the program or was added to a workbench.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct KnownNetwork {
    /// The name of the game that it learned.
    pub game: String,
    /// Rows and columns of the board that it looks at.
    pub board: [usize; 2],
    /// Its design, as in `conv channels=32 blocks=3`.
    pub design: String,
    /// How many parameters it uses.
    pub parameters: usize,
    /// The size of its file.
    pub bytes: usize,
    /// Games of self-play that it learned from.
    pub games: u64,
    /// Training steps.
    pub steps: u64,
    /// The seed of its training.
    pub seed: u64,
}

impl KnownNetwork {
    fn new(word: &str, file: &[u8]) -> Option<KnownNetwork> {
        let (network, says) = Network::from_bytes(file).ok()?;
        let Shape { rows, columns, .. } = network.shape();
        Some(KnownNetwork {
            game: if says.game.is_empty() { word.into() } else { says.game },
            board: [rows, columns],
            design: network.design().to_string(),
            parameters: network.used_parameters().len(),
            bytes: file.len(),
            games: says.games,
            steps: says.steps,
            seed: says.seed,
        })
    }
}

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

    /// What is known of all networks, the last added first.
    pub(crate) fn known(&self) -> Vec<KnownNetwork> {
        self.all().filter_map(|(word, file)| KnownNetwork::new(word, file)).collect()
    }

    /// The file of the network that plays a game of this name and shape.
    pub(crate) fn file(&self, title: &str, game: &AnyGame, rules: &Rules) -> Option<&[u8]> {
        let of_game = self.all().filter(|(word, _)| *word == first_word(title)).map(|(_, file)| file);
        of_game.into_iter().find(|file| {
            let fits = |(network, says): (Network, Description)| {
                network.shape() == game.shape() && check_rules(&says, title, game, rules).is_ok()
            };
            Network::from_bytes(file).is_ok_and(fits)
        })
    }

    /// The network that a search asks for, if it asks for one. It fits the game. `rules` are the [unseen](Encoded::unseen)
    /// rules of a game by its name.
    pub(crate) fn asked_for(
        &self,
        name: &SearchName,
        title: &str,
        game: &AnyGame,
        rules: &Rules,
    ) -> Result<Option<Arc<Network>>, Error> {
        let Some(word) = name.network_word() else { return Ok(None) };
        if game.has_chance() {
            return Err(Error::new(format!(
                "{word}: {title} has chance; networks play games without chance"
            )));
        }
        let network = match &name.net {
            Some(path) => {
                let wrong = |error: String| Error::new(format!("{word} net={path}: {error}"));
                let (network, says) =
                    from_file(path).and_then(|found| fitting(found, title, game.shape())).map_err(wrong)?;
                check_rules(&says, title, game, rules).map_err(wrong)?;
                network
            }
            None => self.shipped(word, title, game, rules)?,
        };
        Ok(Some(Arc::new(network)))
    }

    /// The network that ships for a game of this name, shape and rules.
    fn shipped(&self, word: &str, title: &str, game: &AnyGame, rules: &Rules) -> Result<Network, Error> {
        let of_game = self.all().filter(|(game, _)| *game == first_word(title));
        let networks = of_game.filter_map(|(_, file)| Network::from_bytes(file).ok());
        let mut refused = None;
        for (network, says) in networks.filter(|(network, _)| network.shape() == game.shape()) {
            match check_rules(&says, title, game, rules) {
                Ok(()) => return Ok(network),
                Err(error) => refused = refused.or(Some(Error::new(format!("{word}: {error}")))),
            }
        }
        Err(refused.unwrap_or_else(|| self.nothing_ships(word, title)))
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

/// The unseen rules of a game by its name, if there is such a game.
pub(crate) type Rules<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// An error if the network learned by other rules than this game's, and cannot see that they differ.
fn check_rules(says: &Description, title: &str, game: &AnyGame, rules: &Rules) -> Result<(), String> {
    let Some(learned) = rules(&says.game) else { return Ok(()) };
    let here = game.unseen();
    let only_in = |one: &str, other: &str| {
        let differing = one.split(' ').filter(|rule| !other.split(' ').any(|same| same == *rule));
        differing.collect::<Vec<_>>().join(" ")
    };
    let (expected, found) = (only_in(&learned, &here), only_in(&here, &learned));
    if expected.is_empty() && found.is_empty() {
        return Ok(());
    }
    let trained = &says.game;
    Err(format!(
        "its network learned {trained} with {expected}, cannot see other rules, and {title} has {found}; play with {expected}, \
         take another agent, or train a network: aji train \"{title}\" --out DIR"
    ))
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
fn fitting(
    (network, says): (Network, Description),
    title: &str,
    shape: Shape,
) -> Result<(Network, Description), String> {
    if !says.game.is_empty() && first_word(&says.game) != first_word(title) {
        return Err(format!("it plays {}, expected a network for {title}", says.game));
    }
    if network.shape() != shape {
        let of = if says.game.is_empty() { String::new() } else { format!(" of {}", says.game) };
        let (found, expected) = (described(network.shape()), described(shape));
        return Err(format!("it looks at {found}{of}, expected {expected} of {title}"));
    }
    Ok((network, says))
}

fn described(shape: Shape) -> String {
    let Shape { planes, rows, columns, actions } = shape;
    format!("{planes} planes on {rows}x{columns} and {actions} actions")
}
