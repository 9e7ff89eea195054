//! What a game is to the search: [`Game`], and the capabilities a game may add to it.

use crate::Leaf;
use crate::playout::{PLAYOUT_PLIES_MAX, given_up};
use aji_bandit::Rng;

/// The most players a game can have.
pub const PLAYERS_MAX: usize = 4;

/// A player's number, from 0.
pub type Player = u8;

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This player chooses among the actions.
    Player(Player),
    /// Chance draws one of the actions, by their weights.
    Chance,
    /// The game has ended.
    Over,
}

/// What each player gets at the end, in the game's own unit: points, or +1, 0, -1. Players beyond the game's number
/// get 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Payoff(pub [f32; PLAYERS_MAX]);

impl Payoff {
    /// Nothing for anyone.
    pub const DRAW: Payoff = Payoff([0.0; PLAYERS_MAX]);

    /// +1 for the winner of a two-player game, -1 for the other.
    #[inline]
    pub fn win(winner: Player) -> Payoff {
        Payoff::margin(if winner == 0 { 1.0 } else { -1.0 })
    }

    /// What player 0 gets in a two-player game of sum zero; player 1 gets the opposite.
    #[inline]
    pub fn margin(points: f32) -> Payoff {
        Payoff([points, -points, 0.0, 0.0])
    }

    /// What one player gets.
    #[inline]
    pub fn of(&self, player: Player) -> f32 {
        self.0[player as usize]
    }
}

/// A position of a game, played forward only: a simulation copies the root once (`clone_from`) and plays on.
///
/// Four methods make a game. The others have defaults, to be replaced where a game can do better. No method fails:
/// an action that is not among [`actions`](Game::actions) is the caller's mistake.
pub trait Game: Clone {
    /// One choice. Small is good: the tree stores one per node.
    type Action: Copy + Eq;

    /// Who acts now.
    fn turn(&self) -> Turn;

    /// Adds the legal actions to `out`, which is empty; at chance, the outcomes. At least one unless the game is
    /// over, no two equal, at most [`ACTIONS_MAX`](crate::ACTIONS_MAX), and always in the same order.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Plays a legal action.
    fn play(&mut self, action: Self::Action);

    /// What each player gets. Asked only when the game is over.
    fn payoff(&self) -> Payoff;

    /// The number of players, 1 to [`PLAYERS_MAX`]. Players are numbered from 0.
    fn players(&self) -> usize {
        2
    }

    /// The lowest and the highest payoff that a player can get.
    fn payoff_range(&self) -> (f32, f32) {
        (-1.0, 1.0)
    }

    /// The sum of all players' payoffs where it is always the same; none where it varies.
    fn payoff_sum(&self) -> Option<f32> {
        Some(0.0)
    }

    /// True where chance may act in the course of the game.
    fn has_chance(&self) -> bool {
        false
    }

    /// The bytes that the position takes, with those that it alone owns elsewhere. Who keeps many positions under a cap counts
    /// them so.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    /// The odds of a chance outcome, on any scale.
    fn weight(&self, _outcome: Self::Action) -> f32 {
        1.0
    }

    /// One of the actions: uniform over [those of playouts](Game::playout_actions) for a player, by weight for chance. The
    /// game is not over. `scratch` is room to work in; what it holds before and after means nothing.
    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Self::Action {
        scratch.clear();
        self.playout_actions(scratch);
        match self.turn() {
            Turn::Chance => scratch[draw(scratch.iter().map(|&outcome| self.weight(outcome)), rng)],
            _ => scratch[rng.below(scratch.len())],
        }
    }

    /// Adds the actions that playouts choose from to `out`, which is empty: some or all of the legal ones, at chance all. A game where
    /// play at random tells nothing unless some are left out, such as Go, leaves them out here and in
    /// [`playout`](Game::playout).
    fn playout_actions(&self, out: &mut Vec<Self::Action>) {
        self.actions(out);
    }

    /// Plays random actions to the end and returns the payoff: a whole playout. A game that knows a faster way to
    /// the same distribution of payoffs should take it; what position it leaves behind means nothing.
    /// A game that goes on for [`PLAYOUT_PLIES_MAX`] plies is [given up](crate::playout::given_up).
    #[inline]
    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Payoff {
        for _ in 0..PLAYOUT_PLIES_MAX {
            if self.turn() == Turn::Over {
                return self.payoff();
            }
            let action = self.random_action(rng, scratch);
            self.play(action);
        }
        given_up(self)
    }

    /// A whole playout from each leaf, independent of the others, with the distribution of payoffs of
    /// [`playout`](Game::playout); sets the payoff of every leaf. A game that plays many positions side by side faster
    /// than one after another should do so here. It may take other random numbers than so many playouts would. What
    /// positions it leaves behind mean nothing.
    #[inline]
    fn playouts(leaves: &mut [Leaf<Self>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = leaf.game.playout(rng, &mut leaf.scratch);
        }
    }
}

/// The index of one of the weights, drawn by them. Weights that sum to nothing count as equal.
pub(crate) fn draw(weights: impl Iterator<Item = f32> + Clone, rng: &mut Rng) -> usize {
    let total: f32 = weights.clone().sum();
    let mut left = rng.unit() * total;
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return index;
            }
            left -= weight;
            last = index;
        }
    }
    last
}

/// Positions that can be recognised when reached by another way.
pub trait Hashed: Game {
    /// Equal for equal positions, with the same player to act; different, but for bad luck, for others.
    ///
    /// Equal positions have the same actions in the same order, and the same payoffs for the same play. A game that pays
    /// on the way may leave what was paid out of its hash, if it says so in [`so_far`](Hashed::so_far). A game whose past
    /// forbids actions may leave that out too, if it is in [`whole_hash`](Hashed::whole_hash): searches then take for one
    /// position what differs only by what has become of it before.
    fn hash(&self) -> u64;

    /// For a game whose payoff adds up on the way, and whose hash tells nothing of what has been added up: what each
    /// player has so far. It is part of the payoff to come, whatever that will be: two positions of the same hash that
    /// are played on alike end with payoffs that differ by just as much as what they have so far. None, always, where the
    /// hash has it all.
    #[inline(always)]
    fn so_far(&self) -> Option<Payoff> {
        None
    }

    /// The hash of the position together with what each player has so far, and with what the past forbids: equal only where
    /// all that follows is equal. Exact methods go by it.
    #[inline(always)]
    fn whole_hash(&self) -> u64 {
        let mut hash = self.hash();
        if let Some(Payoff(points)) = self.so_far() {
            for points in points {
                // Zero and minus zero are the same score.
                let bits = u64::from((points + 0.0).to_bits());
                hash = (hash.rotate_left(23) ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                hash ^= hash >> 32;
            }
        }
        hash
    }
}

/// A guess at the payoff of a position that is not over.
pub trait Heuristic: Game {
    /// The guess, within [`payoff_range`](Game::payoff_range).
    fn estimate(&self) -> Payoff;
}

/// Positions and actions as text.
pub trait Named: Game {
    /// The name of an action: no spaces, no two legal actions alike.
    fn action_name(&self, action: Self::Action) -> String;

    /// The position in one line, which [`read`](Named::read) understands.
    fn text(&self) -> String;

    /// The position that a text describes, of the same variant (size, options) as `self`. An error says what was
    /// wrong, where, and what would be right.
    fn read(&self, text: &str) -> Result<Self, String>;

    /// The board as a person wants to see it, several lines, each ended by a newline.
    fn board(&self) -> String;

    /// What a player is called.
    fn player_name(&self, player: Player) -> String {
        format!("player {}", player + 1)
    }
}
