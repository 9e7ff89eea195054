//! A network as the evaluation of a search: it evaluates many leaves at once, gives a policy for each, and caches its
//! results.

use crate::cache::Cache;
use crate::network::{Network, Workspace};
use aji_search::{Encoded, Evaluate, Game, Hashed, Leaf, Payoff, Rng, Shape, Symmetric, Turn, ValueKind};
use std::sync::Arc;

/// The largest batch.
pub const BATCH_MAX: usize = 64;

/// The encoding of a game as plain functions, so that one type of evaluation serves every game.
#[derive(Debug)]
pub struct Encoding<G: Game> {
    /// The sizes of the network's input and output.
    pub shape: fn(&G) -> Shape,
    /// Adds the features that are on.
    pub features: fn(&G, &mut Vec<u32>),
    /// The number of an action.
    pub action_index: fn(&G, G::Action) -> usize,
    /// The hash of a position, for a cache.
    pub hash: fn(&G) -> u64,
    /// The symmetries, if the game has any: how many, the image of a cell, and the image of an action's number.
    pub symmetries: Option<Symmetries<G>>,
}

/// The symmetries of a game, as plain functions.
#[derive(Debug)]
pub struct Symmetries<G> {
    /// How many there are.
    pub count: fn(&G) -> usize,
    /// The cell to which a symmetry moves a cell.
    pub cell: fn(&G, usize, usize) -> usize,
    /// The number of an action's image.
    pub index: fn(&G, usize, usize) -> usize,
}

impl<G: Encoded + Hashed> Encoding<G> {
    /// The encoding of a game without symmetries.
    pub fn plain() -> Encoding<G> {
        Encoding {
            shape: |game| game.shape(),
            features: |game, out| game.features(out),
            action_index: |game, action| game.action_index(action),
            hash: |game| game.hash(),
            symmetries: None,
        }
    }

    /// The encoding of a game with symmetries.
    pub fn symmetric() -> Encoding<G>
    where
        G: Symmetric,
    {
        let symmetries = Symmetries {
            count: |game: &G| game.symmetries(),
            cell: |game: &G, symmetry, cell| game.cell_image(symmetry, cell),
            index: |game: &G, symmetry, index| game.index_image(symmetry, index),
        };
        Encoding { symmetries: Some(symmetries), ..Encoding::plain() }
    }
}

impl<G: Game> Clone for Encoding<G> {
    fn clone(&self) -> Encoding<G> {
        let symmetries = self.symmetries.as_ref();
        let symmetries =
            symmetries.map(|all| Symmetries { count: all.count, cell: all.cell, index: all.index });
        Encoding { symmetries, ..*self }
    }
}

/// A network that evaluates leaves.
pub struct NetworkEvaluation<G: Game> {
    network: Arc<Network>,
    encoding: Encoding<G>,
    workspace: Workspace,
    cache: Cache,
    /// Whether the network evaluates every symmetry of a position and averages the results.
    averages: bool,
    /// The leaves of the next batch.
    waiting: Vec<usize>,
    features: Vec<u32>,
    images: Vec<u32>,
    looks: u64,
}

impl<G: Game> NetworkEvaluation<G> {
    /// A network with a cache of this many bytes.
    pub fn new(network: Arc<Network>, encoding: Encoding<G>, cache_bytes: usize) -> NetworkEvaluation<G> {
        let workspace = Workspace::new(&network, BATCH_MAX);
        let cache = Cache::new(network.shape().actions, cache_bytes);
        let (features, images, waiting) = (Vec::new(), Vec::new(), Vec::new());
        NetworkEvaluation {
            network,
            encoding,
            workspace,
            cache,
            averages: false,
            waiting,
            features,
            images,
            looks: 0,
        }
    }

    /// The same evaluation, with batches of at most this many positions, up to [`BATCH_MAX`].
    pub fn room(mut self, positions: usize) -> NetworkEvaluation<G> {
        self.workspace = Workspace::new(&self.network, positions.clamp(1, BATCH_MAX));
        self
    }

    /// The same evaluation, which averages over the symmetries of a position, as many as fit into a batch.
    pub fn averaging(self, averages: bool) -> NetworkEvaluation<G> {
        NetworkEvaluation { averages, ..self }
    }

    /// How many positions the network has evaluated, and how many the cache has answered.
    pub fn looks(&self) -> (u64, u64) {
        (self.looks, self.cache.hits())
    }

    /// Replaces the network by another one for games of the same shape, and empties the cache.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.workspace = Workspace::new(&network, self.workspace.room());
        self.network = network;
        self.cache.clear();
    }

    /// How many images of a position the network evaluates.
    fn images_of(&self, game: &G) -> usize {
        match &self.encoding.symmetries {
            Some(symmetries) if self.averages => (symmetries.count)(game).clamp(1, self.workspace.room()),
            _ => 1,
        }
    }

    /// The key of a leaf in the cache. It includes the actions, because the history may forbid some and the hash may
    /// leave the history out.
    fn key(&self, leaf: &Leaf<G>) -> u64 {
        leaf.actions.iter().fold((self.encoding.hash)(&leaf.game), |key, &action| {
            let number = (self.encoding.action_index)(&leaf.game, action) as u64;
            let mixed = (key.rotate_left(23) ^ (number + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        })
    }

    /// Evaluates the waiting leaves and sets their values and policies.
    fn look(&mut self, leaves: &mut [Leaf<G>]) {
        self.network.look(&mut self.workspace);
        self.looks += self.workspace.len() as u64;
        let mut position = 0;
        for &number in &self.waiting {
            let leaf = &mut leaves[number];
            let (images, key) = (self.images_of(&leaf.game), self.key(leaf));
            let mut value = 0.0;
            let mut logits = vec![0.0; leaf.actions.len()];
            for symmetry in 0..images {
                value += self.workspace.value(position + symmetry) / images as f32;
                let all = self.workspace.logits(position + symmetry);
                for (logit, &action) in logits.iter_mut().zip(&leaf.actions) {
                    let mut index = (self.encoding.action_index)(&leaf.game, action);
                    if let Some(symmetries) = self.encoding.symmetries.as_ref().filter(|_| symmetry > 0) {
                        index = (symmetries.index)(&leaf.game, symmetry, index);
                    }
                    *logit += all.get(index).copied().unwrap_or(f32::MIN) / images as f32;
                }
            }
            if !logits.is_empty() {
                crate::math::softmax(&mut logits);
            }
            self.cache.insert(key, value, &logits);
            leaf.policy = logits;
            answer(leaf, value);
            position += images;
        }
        self.waiting.clear();
        self.workspace.clear();
    }

    /// Adds a position and its images to the batch.
    fn add(&mut self, game: &G, images: usize) {
        self.features.clear();
        (self.encoding.features)(game, &mut self.features);
        self.workspace.add(&self.features);
        let cells = self.network.shape().cells();
        for symmetry in 1..images {
            let Some(symmetries) = &self.encoding.symmetries else { return };
            self.images.clear();
            for &feature in &self.features {
                let (plane, cell) = (feature as usize / cells, feature as usize % cells);
                self.images.push((plane * cells + (symmetries.cell)(game, symmetry, cell)) as u32);
            }
            self.workspace.add(&self.images);
        }
    }
}

/// Sets a leaf's rewards: the value for the player to act, and the rest for the other.
fn answer<G: Game>(leaf: &mut Leaf<G>, value: f32) {
    let mut rewards = [0.0; aji_search::PLAYERS_MAX];
    if let Turn::Player(player) = leaf.game.turn() {
        let others = leaf.game.players().saturating_sub(1).max(1);
        rewards[..leaf.game.players()].fill((1.0 - value) / others as f32);
        rewards[usize::from(player)] = value;
    }
    (leaf.payoff, leaf.kind) = (Payoff(rewards), ValueKind::Reward);
}

impl<G: Game> Evaluate<G> for NetworkEvaluation<G> {
    fn has_policy(&self) -> bool {
        true
    }

    /// A network sees positions from the side of the player to act.
    fn values_chance(&self) -> bool {
        false
    }

    fn is_random(&self) -> bool {
        false
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], _rng: &mut Rng) {
        for number in 0..leaves.len() {
            let leaf = &mut leaves[number];
            let key = self.key(leaf);
            if let Some((value, policy)) = self.cache.get(key, leaf.actions.len()) {
                leaf.policy.clear();
                leaf.policy.extend_from_slice(policy);
                answer(leaf, value);
                continue;
            }
            let images = self.images_of(&leaf.game);
            if self.workspace.len() + images > self.workspace.room() {
                self.look(leaves);
            }
            self.add(&leaves[number].game, images);
            self.waiting.push(number);
        }
        if !self.waiting.is_empty() {
            self.look(leaves);
        }
    }

    fn bytes(&self, _game: &G) -> usize {
        self.cache.bytes() + self.workspace.bytes()
    }
}
