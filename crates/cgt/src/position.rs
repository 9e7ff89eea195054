//! What a game has to say of itself to be studied: what each side can move to.

use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Who is paid what is positive, and moves in the left options.
    Left,
    /// The other.
    Right,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A move: where it leads, and what it pays Left (Right where it is negative).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<P> {
    /// The position after it.
    pub to: P,
    /// What Left gets for it, at once.
    pub gain: i32,
}

/// A position of a game for two, without chance or draws, that ends: the moves of each side, whoever's turn it is.
///
/// Where moves pay nothing, who cannot move loses; a game that pays is over when neither can move, and what was paid counts.
pub trait Position: Clone + Eq + Hash {
    /// The moves of one side.
    fn moves(&self, side: Side) -> Vec<Move<Self>>;

    /// Independent parts of which this position is the sum; itself where it is one piece.
    fn parts(&self) -> Vec<Self> {
        vec![self.clone()]
    }
}
