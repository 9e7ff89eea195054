//! What a player did, told so that it means the same in many positions.

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
    /// What this player did.
    #[inline(always)]
    pub fn new(key: usize, player: Player) -> Played {
        Played { key: key as u32, player }
    }
}

/// Tells what happens for the first time in a simulation from what happens again, without clearing anything in between.
#[derive(Clone, Debug, Default)]
pub struct Stamps {
    stamps: Vec<u32>,
    simulation: u32,
}

impl Stamps {
    /// So many things, none of which has happened.
    pub fn new(count: usize) -> Stamps {
        Stamps { stamps: vec![0; count], simulation: 1 }
    }

    /// A new simulation begins: nothing has happened in it yet.
    #[inline]
    pub fn begin(&mut self) {
        if self.simulation == u32::MAX {
            self.stamps.fill(0);
            self.simulation = 0;
        }
        self.simulation += 1;
    }

    /// This happens. True if it is for the first time.
    #[inline(always)]
    pub fn is_first(&mut self, index: usize) -> bool {
        std::mem::replace(&mut self.stamps[index], self.simulation) != self.simulation
    }

    /// True if this has happened in the simulation.
    #[inline(always)]
    pub fn has(&self, index: usize) -> bool {
        self.stamps[index] == self.simulation
    }

    /// So many of them, from this one on.
    #[inline(always)]
    pub(crate) fn part(&self, first: usize, count: usize) -> StampsPart<'_> {
        StampsPart { stamps: &self.stamps[first..][..count], simulation: self.simulation }
    }

    /// The bytes of a table of so many things.
    pub fn bytes(count: usize) -> usize {
        count * size_of::<u32>()
    }
}

/// Some of the things that may happen in a simulation, counted from 0.
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
