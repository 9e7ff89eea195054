//! Games whose actions have keys: [`Keyed`], for everything that learns about actions across positions.

use crate::learn::{Order, Played};
use crate::playout::{OrderedRoom, PLAYOUT_PLIES_MAX, given_up};
use crate::{Game, Payoff, Rng, Turn};

/// Actions that are the same choice in many positions (a point on the board, a heap's counter) share a key. So what
/// is learned about an action in one position can be used in another.
pub trait Keyed: Game {
    /// The number of keys.
    fn key_count(&self) -> usize;

    /// The key of an action, below [`key_count`](Keyed::key_count).
    fn key(&self, action: Self::Action) -> usize;

    /// A whole playout as in [`Game::playout`]. Calls `played` for every action that a player takes.
    #[inline]
    fn recorded_playout(
        &mut self,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Action>,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        for _ in 0..PLAYOUT_PLIES_MAX {
            let turn = self.turn();
            if turn == Turn::Over {
                return self.payoff();
            }
            let action = self.random_action(rng, scratch);
            if let Turn::Player(player) = turn {
                played(Played::new(self.key(action), player));
            }
            self.play(action);
        }
        given_up(self)
    }

    /// Plays to the end and returns the payoff, always taking the legal action whose key is first in the order. Calls
    /// `played` for every action that a player takes. A game should replace this if it can find that action without
    /// looking at all of them; `room` is for that. The position afterwards has no meaning.
    fn ordered_playout(
        &mut self,
        order: &Order,
        _room: &mut OrderedRoom,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Action>,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        for _ in 0..PLAYOUT_PLIES_MAX {
            let action = match self.turn() {
                Turn::Over => return self.payoff(),
                Turn::Chance => self.random_action(rng, scratch),
                Turn::Player(player) => {
                    scratch.clear();
                    self.playout_actions(scratch);
                    let first = scratch.iter().copied().min_by_key(|&action| order.rank(self.key(action)));
                    let Some(action) = first else { break };
                    played(Played::new(self.key(action), player));
                    action
                }
            };
            self.play(action);
        }
        given_up(self)
    }
}
