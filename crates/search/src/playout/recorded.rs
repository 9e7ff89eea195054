//! Playouts that record the players' actions in [`Leaf::played`]. Chance outcomes are not recorded.

use super::{OrderedRoom, PLAYOUT_PLIES_MAX, given_up};
use crate::learn::{Order, Played};
use crate::{Evaluate, Keyed, Leaf, Payoff, Player, Turn};
use aji_bandit::Rng;

/// Plays to the end and records it. `choose` picks every player's action; chance is drawn by its odds.
#[inline(always)]
pub fn playout<G: Keyed>(
    leaf: &mut Leaf<G>,
    rng: &mut Rng,
    mut choose: impl FnMut(&mut Leaf<G>, Player, &mut Rng) -> G::Action,
) -> Payoff {
    leaf.played.clear();
    for _ in 0..PLAYOUT_PLIES_MAX {
        let action = match leaf.game.turn() {
            Turn::Over => return leaf.game.payoff(),
            Turn::Chance => leaf.game.random_action(rng, &mut leaf.scratch),
            Turn::Player(player) => {
                let action = choose(leaf, player, rng);
                leaf.played.push(Played::new(leaf.game.key(action), player));
                action
            }
        };
        leaf.play(action);
    }
    given_up(&leaf.game)
}

/// Plays like the game's own [`playout`](crate::Game::playout).
#[inline]
pub fn random<G: Keyed>(leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
    let Leaf { game, scratch, played, .. } = leaf;
    played.clear();
    game.recorded_playout(rng, scratch, |action| played.push(action))
}

/// Always plays the action that is first in an order.
pub fn ordered<G: Keyed>(leaf: &mut Leaf<G>, order: &Order, room: &mut OrderedRoom, rng: &mut Rng) -> Payoff {
    let Leaf { game, scratch, played, .. } = leaf;
    played.clear();
    game.ordered_playout(order, room, rng, scratch, |action| played.push(action))
}

/// Uniformly random actions to the end, recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recorded;

impl<G: Keyed> Evaluate<G> for Recorded {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = random(leaf, rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::toys::Sweets;

    const SWEETS: &[f32] = &[1.0, 5.0, 2.0, 4.0, 3.0];

    /// Replays the record and returns its payoff.
    fn replayed(leaf: &Leaf<Sweets>) -> Payoff {
        let mut game = Sweets::new(SWEETS);
        for played in &leaf.played {
            assert_eq!(game.turn(), Turn::Player(played.player));
            game.play(played.key as u8);
        }
        assert_eq!(game.turn(), Turn::Over);
        game.payoff()
    }

    /// A recorded playout equals a plain one, and the record is complete.
    #[test]
    fn random_playouts_are_recorded() {
        let (mut recorded, mut plain) = (Rng::seeded(1), Rng::seeded(1));
        let mut leaf = Leaf::new(Sweets::new(SWEETS));
        for _ in 0..50 {
            leaf.game = Sweets::new(SWEETS);
            let payoff = random(&mut leaf, &mut recorded);
            assert_eq!(payoff, Sweets::new(SWEETS).playout(&mut plain, &mut Vec::new()));
            assert_eq!(payoff, replayed(&leaf));
        }
        assert_eq!(recorded, plain);
    }

    #[test]
    fn ordered_playouts_are_recorded() {
        let (order, mut rng) = (Order::of(vec![1, 3, 4, 2, 0]), Rng::seeded(1));
        let mut leaf = Leaf::new(Sweets::new(SWEETS));
        let payoff = ordered(&mut leaf, &order, &mut OrderedRoom::default(), &mut rng);
        assert!(leaf.played.iter().map(|played| played.key).eq(order.keys().iter().copied()));
        assert_eq!((payoff, replayed(&leaf)), (Payoff::margin(3.0), payoff));
    }
}
