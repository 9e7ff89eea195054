//! Games that are sums of independent parts. Combinatorial game theory values the parts one by one.

use aji_cgt::{Ending, Graphs, Position, Side};
use aji_search::{Game, Payoff, Player};

/// A game in which each move is a move in one of several parts. Player 0 is Left; payoffs are what Left gets and its
/// negative.
pub trait Summed: Game {
    /// A single part.
    type Part: Position + Send;

    /// Computes the thermographs of parts.
    type Graphs: Graphs<Self::Part> + Send;

    /// The parts.
    fn parts(&self) -> Vec<Self::Part>;

    /// The action of a side's move in a part, by the part's number in [`parts`](Summed::parts) and the move's in
    /// [`Position::moves`].
    fn action_in(&self, part: usize, side: Side, number: usize) -> Option<Self::Action>;

    /// The payoff of the players if play from here has this result.
    fn payoff_of(&self, ending: Ending) -> Payoff;
}

/// The side of a player.
pub fn side_of(player: Player) -> Side {
    if player == 0 { Side::Left } else { Side::Right }
}
