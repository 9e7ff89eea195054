//! Self-play behind an interface that hides the game's type, for the training loop.

use crate::images::Images;
use crate::record::GameRecord;
use crate::self_play::SelfPlay;
use crate::settings::Plan;
use aji_net::{Encoding, Network};
use aji_search::{Encoded, Game, Hashed, Shape, Symmetric};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A game that a network can learn.
pub trait Learnable: Send + Sync {
    /// The sizes of a network's input and output for it.
    fn shape(&self) -> Shape;

    /// Its symmetries.
    fn images(&self) -> Images;

    /// A player that plays games by this plan, with a cache of this many bytes. Each thread has one.
    fn player(&self, plan: &Plan, cache_bytes: usize) -> Box<dyn PlayGames>;
}

/// Plays games of self-play on one thread.
pub trait PlayGames: Send {
    /// Plays games with a network until there are no more, or until the counter says to stop. Returns the finished
    /// ones, in any order. A game depends only on the network, the plan and its number.
    fn play(&mut self, network: &Arc<Network>, counter: &Counter) -> Vec<GameRecord>;

    /// How many positions the network has evaluated so far, and how many the cache has answered.
    fn looks(&self) -> (u64, u64);
}

/// Hands out game numbers to threads.
#[derive(Debug)]
pub struct Counter<'a> {
    next: AtomicU64,
    end: u64,
    finished: AtomicU64,
    stop: &'a AtomicBool,
}

impl<'a> Counter<'a> {
    /// Hands out this many games, from number `first` on.
    pub fn new(first: u64, games: u64, stop: &'a AtomicBool) -> Counter<'a> {
        Counter { next: AtomicU64::new(first), end: first + games, finished: AtomicU64::new(0), stop }
    }

    /// The number of the next game.
    pub fn next_game(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end).then_some(number)
    }

    /// Counts a finished game.
    pub fn finish_game(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// Games that were finished.
    pub fn finished(&self) -> u64 {
        self.finished.load(Ordering::Relaxed)
    }

    /// Whether to stop immediately.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A game of type `G` that a network can learn, from one start.
pub struct Lesson<G: Game> {
    start: G,
    shape: Shape,
    encoding: Encoding<G>,
}

impl<G: Encoded + Hashed> Lesson<G> {
    /// A game without symmetries.
    pub fn plain(start: G) -> Lesson<G> {
        Lesson { shape: start.shape(), start, encoding: Encoding::plain() }
    }

    /// A game with symmetries.
    pub fn symmetric(start: G) -> Lesson<G>
    where
        G: Symmetric,
    {
        Lesson { shape: start.shape(), start, encoding: Encoding::symmetric() }
    }
}

impl<G: Game> Lesson<G> {
    /// A game with this shape and encoding.
    pub fn new(start: G, shape: Shape, encoding: Encoding<G>) -> Lesson<G> {
        Lesson { start, shape, encoding }
    }
}

impl<G: Game<Action: Send> + Send + Sync + 'static> Learnable for Lesson<G> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn images(&self) -> Images {
        Images::of(&self.start, &self.shape, &self.encoding)
    }

    fn player(&self, plan: &Plan, cache_bytes: usize) -> Box<dyn PlayGames> {
        let start = self.start.clone();
        Box::new(SelfPlay::new(start, self.shape, self.encoding.clone(), plan.clone(), cache_bytes))
    }
}
