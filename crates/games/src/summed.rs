//! Games that are sums of independent parts, of which combinatorial game theory knows the worth one by one.

use aji_cgt::{Position, Side};
use aji_search::{Game, Player};

/// A game in which each move is a move in one of several parts. Player 0 is Left, and payoffs are what Left gets and its
/// negative.
pub trait Summed: Game {
    /// A part on its own.
    type Part: Position;

    /// The parts, in an order that a move does not change.
    fn parts(&self) -> Vec<Self::Part>;

    /// The action of a side's move in a part, by the move's number in [`Position::moves`].
    fn action_in(&self, part: usize, side: Side, number: usize) -> Self::Action;
}

/// The side of a player.
pub fn side_of(player: Player) -> Side {
    if player == 0 { Side::Left } else { Side::Right }
}
