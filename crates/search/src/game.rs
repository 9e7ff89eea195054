//! The interface of games: [`Game`], and the optional capabilities.

use crate::Leaf;
use crate::learn::Played;
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

/// Each player's payoff at the end, in the game's own unit: points, or +1, 0, -1. It is 0 for players that the game
/// does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Payoff(pub [f32; PLAYERS_MAX]);

impl Payoff {
    /// 0 for every player.
    pub const DRAW: Payoff = Payoff([0.0; PLAYERS_MAX]);

    /// +1 for the winner of a two-player game, -1 for the other.
    #[inline]
    pub fn win(winner: Player) -> Payoff {
        Payoff::margin(if winner == 0 { 1.0 } else { -1.0 })
    }

    /// The payoff of player 0 in a two-player zero-sum game; player 1 gets the opposite.
    #[inline]
    pub fn margin(points: f32) -> Payoff {
        Payoff([points, -points, 0.0, 0.0])
    }

    /// The payoff of one player.
    #[inline]
    pub fn of(&self, player: Player) -> f32 {
        self.0[player as usize]
    }
}

/// A position of a game, played forward only. A simulation copies the root once (`clone_from`) and plays on.
///
/// Four methods make a game. The others have defaults, which a game may replace with better ones. No method fails:
/// playing an action that is not among [`actions`](Game::actions) is the caller's mistake.
///
/// A game in which [`Turn::Chance`] occurs must say so in [`has_chance`](Game::has_chance), one without two players in
/// [`players`](Game::players), and one with other payoffs than +1, 0 and -1 in [`payoff_range`](Game::payoff_range).
/// [`Payoff::win`], [`Payoff::DRAW`] and [`Payoff::margin`] are the usual payoffs.
pub trait Game: Clone {
    /// One choice. Small is better: the tree stores one per node.
    type Action: Copy + Eq;

    /// Who acts now.
    fn turn(&self) -> Turn;

    /// Adds the legal actions to `out`, which is empty; for chance, the outcomes. Their order is always the same, and
    /// no two are equal. There is at least one unless the game is over, and at most
    /// [`ACTIONS_MAX`](crate::ACTIONS_MAX).
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Plays a legal action.
    fn play(&mut self, action: Self::Action);

    /// Each player's payoff. Called only when the game is over.
    fn payoff(&self) -> Payoff;

    /// The number of players, 1 to [`PLAYERS_MAX`]. Players are numbered from 0.
    fn players(&self) -> usize {
        2
    }

    /// The lowest and the highest payoff that a player can get.
    fn payoff_range(&self) -> (f32, f32) {
        (-1.0, 1.0)
    }

    /// True if payoffs are points, false if they only say who won. By default a range of -1 to 1 stands for the win.
    fn pays_points(&self) -> bool {
        self.payoff_range() != (-1.0, 1.0)
    }

    /// The sum of all players' payoffs if it is constant; none if it varies.
    fn payoff_sum(&self) -> Option<f32> {
        Some(0.0)
    }

    /// True if chance may act during the game.
    fn has_chance(&self) -> bool {
        false
    }

    /// The bytes of the position, including memory that it alone owns elsewhere. Callers that keep many positions
    /// under a cap count these bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    /// The odds of a chance outcome, on any scale. At least one outcome must have positive odds;
    /// [`laws::game`](crate::laws::game) reports a position where none has. In such a position searches take every
    /// outcome as equally likely, and exact play finds no value.
    fn weight(&self, _outcome: Self::Action) -> f32 {
        1.0
    }

    /// A random action: for a player, uniform over the [playout actions](Game::playout_actions); for chance, by
    /// weight. The game is not over. `scratch` is a buffer whose content has no meaning before or after.
    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Self::Action {
        scratch.clear();
        self.playout_actions(scratch);
        match self.turn() {
            Turn::Chance => scratch[draw(scratch.iter().map(|&outcome| self.weight(outcome)), rng)],
            _ => scratch[rng.below(scratch.len())],
        }
    }

    /// Adds the actions that playouts choose from to `out`, which is empty: some or all of the legal ones, and for
    /// chance all. In some games, such as Go, random play is meaningless unless it omits some actions. Such a game
    /// omits them here and in [`playout`](Game::playout).
    fn playout_actions(&self, out: &mut Vec<Self::Action>) {
        self.actions(out);
    }

    /// Plays random actions to the end and returns the payoff: a whole playout. A game should replace this if it
    /// knows a faster way to the same distribution of payoffs. The position afterwards has no meaning. A game that
    /// lasts [`PLAYOUT_PLIES_MAX`] plies is [given up](crate::playout::given_up).
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

    /// The moves of the [`playout`](Game::playout) with these random numbers, those of chance too. A game must give them
    /// if its playout does not play [random actions](Game::random_action) one by one; others give none. Only
    /// explained simulations ask for them.
    fn playout_moves(&self, _rng: &mut Rng) -> Option<Vec<Self::Action>> {
        None
    }

    /// The moves of a [recorded](crate::playout::recorded) playout from here that reported these actions. A game must
    /// give them if its recorded playouts do not play [random actions](Game::random_action) one by one; others give
    /// none. Only explained simulations ask for them.
    fn recorded_moves(&self, _played: &[Played]) -> Option<Vec<Self::Action>> {
        None
    }

    /// Plays one independent playout from each leaf and sets its payoff, with the same distribution as
    /// [`playout`](Game::playout). A game should replace this if it plays many positions side by side faster. It may
    /// use other random numbers than separate playouts would. The positions afterwards have no meaning.
    #[inline]
    fn playouts(leaves: &mut [Leaf<Self>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = leaf.game.playout(rng, &mut leaf.scratch);
        }
    }
}

/// Draws the index of one of the weights. If no weight is positive, all indices are equally likely; without weights it
/// is 0.
pub(crate) fn draw(weights: impl Iterator<Item = f32> + Clone, rng: &mut Rng) -> usize {
    let (total, unit): (f32, f32) = (weights.clone().sum(), rng.unit());
    let mut left = unit * total;
    let mut last = None;
    for (index, weight) in weights.clone().enumerate() {
        if weight > 0.0 {
            if left < weight {
                return index;
            }
            left -= weight;
            last = Some(index);
        }
    }
    // Rounding may leave a little over after the last weight.
    last.unwrap_or_else(|| any_index(weights.count(), unit))
}

/// One of `count` indices, by a number in 0..1.
#[cold]
fn any_index(count: usize, unit: f32) -> usize {
    ((unit * count as f32) as usize).min(count.saturating_sub(1))
}

/// Positions that can be recognised when reached by another path.
pub trait Hashed: Game {
    /// Equal for equal positions with the same player to act. Other positions differ, except for rare collisions.
    ///
    /// Equal positions have the same actions in the same order, and the same payoffs for the same play. A game that
    /// pays during play may leave out the score so far, if [`so_far`](Hashed::so_far) returns it. A game whose history
    /// forbids actions may leave the history out too, if [`whole_hash`](Hashed::whole_hash) includes it. Searches then
    /// merge positions that differ only in their history.
    fn hash(&self) -> u64;

    /// Each player's score so far, for a game whose payoff adds up during play and whose hash leaves the score out.
    /// It is part of the final payoff. If two positions of the same hash are played on alike, their payoffs differ by
    /// exactly the difference of their scores so far. Always none if the hash includes everything.
    #[inline(always)]
    fn so_far(&self) -> Option<Payoff> {
        None
    }

    /// The hash of the position together with each player's score so far and what its history forbids. It is equal
    /// only if everything that follows is equal. Exact methods use it.
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

/// An estimate of the payoff of a position that is not over.
pub trait Heuristic: Game {
    /// The estimate, within [`payoff_range`](Game::payoff_range).
    fn estimate(&self) -> Payoff;
}

/// Positions and actions as text.
pub trait Named: Game {
    /// The name of an action: no spaces, and unique among the legal actions.
    fn action_name(&self, action: Self::Action) -> String;

    /// The position in one line, which [`read`](Named::read) parses.
    fn text(&self) -> String;

    /// The position that a text describes, of the same variant (size, options) as `self`. An error says what is
    /// wrong, where, and what would be right.
    fn read(&self, text: &str) -> Result<Self, String>;

    /// The board for people: several lines, each ended by a newline.
    fn board(&self) -> String;

    /// The name of a player.
    fn player_name(&self, player: Player) -> String {
        format!("player {}", player + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each weight is drawn in 30,000 draws.
    fn counts(weights: &[f32]) -> Vec<u32> {
        let (mut rng, mut counts) = (Rng::seeded(1), vec![0; weights.len()]);
        (0..30_000).for_each(|_| counts[draw(weights.iter().copied(), &mut rng)] += 1);
        counts
    }

    /// Five standard deviations are at most 430 of 30,000 draws.
    fn check(weights: &[f32], shares: &[f64]) {
        let counts = counts(weights);
        for (&count, share) in counts.iter().zip(shares) {
            assert!((f64::from(count) - 30_000.0 * share).abs() < 430.0, "{weights:?}: {counts:?}");
        }
    }

    #[test]
    fn outcomes_are_drawn_by_their_odds() {
        check(&[1.0, 2.0, 1.0], &[0.25, 0.5, 0.25]);
        assert_eq!(counts(&[0.0, 3.0, -1.0])[..], [0, 30_000, 0]);
    }

    /// Without positive odds no outcome is preferred. An earlier version always took the first one.
    #[test]
    fn outcomes_without_odds_are_equally_likely() {
        check(&[0.0; 3], &[1.0 / 3.0; 3]);
        check(&[-1.0, 0.0], &[0.5; 2]);
        check(&[f32::NAN; 2], &[0.5; 2]);
        assert_eq!(draw([].into_iter(), &mut Rng::seeded(1)), 0);
    }
}
