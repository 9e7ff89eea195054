//! What the computations with games may use: memory, and time until another thread stops them.

use super::{Form, GameError, Games};
use crate::Thermograph;
use crate::quick_map::QuickMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps between two looks at the limits.
const LOOK_EVERY: u32 = 1 << 8;

/// About the bytes that an allocation needs beside its content.
const ALLOCATION: usize = 32;

/// What the computations of a [`Games`] may use.
#[derive(Clone, Debug)]
pub struct GameLimits {
    /// About the most bytes of all games, and of what is cached about them.
    pub bytes: usize,
    /// Whoever sets this stops the computation.
    pub stop: Arc<AtomicBool>,
}

impl Default for GameLimits {
    /// [`Form::BYTES_MAX`], and nobody who stops it.
    fn default() -> GameLimits {
        GameLimits { bytes: Form::BYTES_MAX, stop: Arc::default() }
    }
}

impl Games {
    /// An error if a limit is passed. It looks at the limits now and then.
    pub(super) fn look(&mut self) -> Result<(), GameError> {
        self.unlooked += 1;
        if self.unlooked < LOOK_EVERY {
            return Ok(());
        }
        self.unlooked = 0;
        if self.limits.stop.load(Ordering::Relaxed) {
            return Err(GameError::Stopped);
        }
        if self.bytes() > self.limits.bytes { Err(GameError::Memory(self.limits.bytes)) } else { Ok(()) }
    }

    /// About the bytes of all games and caches, at most.
    fn bytes(&self) -> usize {
        let kept = self.kept.len() * 3 * size_of::<super::Kept>();
        let names = bytes_of(&self.ids) + bytes_of(&self.negatives) + bytes_of(&self.sums);
        let known = bytes_of(&self.at_least) + bytes_of(&self.thermographs) + bytes_of(&self.birthdays);
        kept + names + known + self.lists + self.beside
    }
}

/// An upper estimate of a table's bytes. A table that grows holds its old buckets and twice that number of new ones.
pub(super) fn bytes_of<K, V>(table: &QuickMap<K, V>) -> usize {
    table.len() * (size_of::<(K, V)>() + 1) * 7 / 2
}

/// About the bytes of two lists of options.
pub(super) fn bytes_of_options<L: AsRef<[Form]>>(options: &[L; 2]) -> usize {
    options.iter().map(|list| size_of_val(list.as_ref()) + ALLOCATION).sum()
}

/// About the bytes of a thermograph.
pub(super) fn bytes_of_graph(graph: &Thermograph) -> usize {
    let walls = [graph.left(), graph.right()].map(|wall| size_of_val(wall.corners()) + ALLOCATION);
    walls.iter().sum::<usize>() + size_of::<Thermograph>() + ALLOCATION
}
