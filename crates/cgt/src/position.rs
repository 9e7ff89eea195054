//! The interface of games that can be studied: the moves of each side.

use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Positive payments go to Left, who moves in the left options.
    Left,
    /// The other.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A move: where it leads, and what it pays Left (Right if negative).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<P> {
    /// The position after it.
    pub to: P,
    /// What Left gets for it immediately.
    pub gain: i32,
}

/// A position of a finite game for two, without chance or draws. It lists the moves of both sides, whoever's turn it
/// is.
///
/// If moves pay nothing, the player who cannot move loses. A game with payments is over when neither can move, and
/// the payments decide.
pub trait Position: Clone + Eq + Hash {
    /// The moves of one side.
    fn moves(&self, side: Side) -> Vec<Move<Self>>;

    /// Independent parts whose sum is this position. A position in one piece returns itself.
    fn parts(&self) -> Vec<Self> {
        vec![self.clone()]
    }
}
