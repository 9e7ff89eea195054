//! Actions by key, so that they mean the same in many positions.

use crate::Player;

/// An action that a player took, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The key of the action.
    pub key: u32,
    /// Who took it.
    pub player: Player,
}

impl Played {
    /// An action by this player.
    #[inline(always)]
    pub fn new(key: usize, player: Player) -> Played {
        Played { key: key as u32, player }
    }
}

/// Marks what has happened in the current simulation, without clearing anything between simulations.
#[derive(Clone, Debug, Default)]
pub struct Stamps {
    stamps: Vec<u32>,
    simulation: u32,
}

impl Stamps {
    /// This many things; none has happened yet.
    pub fn new(count: usize) -> Stamps {
        Stamps { stamps: vec![0; count], simulation: 1 }
    }

    /// Starts a new simulation, in which nothing has happened yet.
    #[inline]
    pub fn begin(&mut self) {
        if self.simulation == u32::MAX {
            self.stamps.fill(0);
            self.simulation = 0;
        }
        self.simulation += 1;
    }

    /// Marks this as happened. True if it is the first time.
    #[inline(always)]
    pub fn is_first(&mut self, index: usize) -> bool {
        std::mem::replace(&mut self.stamps[index], self.simulation) != self.simulation
    }

    /// True if this has happened in the simulation.
    #[inline(always)]
    pub fn has(&self, index: usize) -> bool {
        self.stamps[index] == self.simulation
    }

    /// A range of them, `count` from `first` on.
    #[inline(always)]
    pub(crate) fn part(&self, first: usize, count: usize) -> StampsPart<'_> {
        StampsPart { stamps: &self.stamps[first..][..count], simulation: self.simulation }
    }

    /// The bytes of a table of this size.
    pub fn bytes(count: usize) -> usize {
        count * size_of::<u32>()
    }
}

/// A range of [`Stamps`], indexed from 0.
#[derive(Clone, Copy)]
pub(crate) struct StampsPart<'a> {
    stamps: &'a [u32],
    simulation: u32,
}

impl StampsPart<'_> {
    /// True if this has happened in the simulation.
    #[inline(always)]
    pub(crate) fn has(self, index: usize) -> bool {
        self.stamps[index] == self.simulation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_once_a_simulation() {
        let mut stamps = Stamps::new(2);
        stamps.simulation = u32::MAX - 2;
        for _ in 0..4 {
            stamps.begin();
            assert!(!stamps.has(0) && !stamps.has(1));
            assert_eq!([1, 0, 1, 0].map(|index| stamps.is_first(index)), [true, true, false, false]);
            assert!(stamps.has(0) && stamps.has(1));
        }
    }
}
