//! Converts a payoff in the game's unit into rewards in 0..=1, which the search maximises.

use crate::{Arm, Game, PLAYERS_MAX, Payoff, ValueKind};

/// What the search maximises. The user decides between the win and the score, not the game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Utility {
    /// Reward 1 for a positive payoff, 0.5 for zero, 0 for a negative one.
    #[default]
    Win,
    /// The payoff itself, scaled from `low` (reward 0) to `high` (reward 1).
    Score {
        /// The payoff with reward 0.
        low: f32,
        /// The payoff with reward 1.
        high: f32,
    },
}

impl Utility {
    /// The score, over the game's whole range of payoffs.
    pub fn score<G: Game>(game: &G) -> Utility {
        let (low, high) = game.payoff_range();
        Utility::Score { low, high }
    }

    /// The utility that suits the game: the score for one player, who has no opponent, and the win for more.
    pub fn suitable<G: Game>(game: &G) -> Utility {
        if game.players() == 1 { Utility::score(game) } else { Utility::Win }
    }

    /// The reward of an imagined pull in posterior means ([`Recommend::rank`](crate::Recommend::rank)): 0.5 for wins.
    /// For scores, which may fill only a small part of their range, it is the mean over all pulls.
    pub(crate) fn imagined(&self, arms: impl Iterator<Item = Arm>) -> f64 {
        if *self == Utility::Win {
            return 0.5;
        }
        let (sum, pulls) =
            arms.fold((0.0, 0.0), |(sum, pulls), arm| (sum + arm.sum(), pulls + f64::from(arm.pulls)));
        if pulls > 0.0 { sum / pulls } else { 0.5 }
    }

    /// The sum of the players' rewards: for one player (where it does not matter), or for two whose payoffs have this
    /// constant sum.
    pub fn reward_sum(&self, players: usize, payoff_sum: Option<f32>) -> Option<f32> {
        match (players, *self, payoff_sum) {
            (1, ..) => Some(0.0),
            (2, Utility::Win, Some(0.0)) => Some(1.0),
            (2, Utility::Score { low, high }, Some(sum)) if high > low => {
                Some((sum - 2.0 * low) / (high - low))
            }
            _ => None,
        }
    }

    /// Each player's reward for an evaluation's answer of this kind. `range` is the game's range of payoffs. NaN
    /// counts as 0.5.
    #[inline(always)]
    pub fn rewards_of(&self, payoff: &Payoff, kind: ValueKind, range: (f32, f32)) -> [f32; PLAYERS_MAX] {
        if kind == ValueKind::Result {
            self.rewards(payoff)
        } else {
            self.rewards_expected(payoff, kind, range)
        }
    }

    /// The same for kinds other than results. Not inlined: such an evaluation takes longer than a call.
    #[inline(never)]
    fn rewards_expected(&self, payoff: &Payoff, kind: ValueKind, range: (f32, f32)) -> [f32; PLAYERS_MAX] {
        let rewards = match (kind, self) {
            (ValueKind::Reward, _) => payoff.0.map(|reward| reward.clamp(0.0, 1.0)),
            (_, Utility::Win) => Utility::Score { low: range.0, high: range.1 }.rewards(payoff),
            _ => self.rewards(payoff),
        };
        rewards.map(|reward| if reward.is_nan() { 0.5 } else { reward })
    }

    /// Each player's reward.
    #[inline(always)]
    pub fn rewards(&self, payoff: &Payoff) -> [f32; PLAYERS_MAX] {
        match *self {
            Utility::Win => {
                payoff.0.map(|points| 0.5 + 0.5 * (f32::from(points > 0.0) - f32::from(points < 0.0)))
            }
            Utility::Score { low, high } => {
                let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
                payoff.0.map(|points| ((points - low) * scale).clamp(0.0, 1.0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_by_hand() {
        let payoff = Payoff([12.0, -12.0, 0.0, 90.0]);
        assert_eq!(Utility::Win.rewards(&payoff), [1.0, 0.0, 0.5, 1.0]);
        let score = Utility::Score { low: -20.0, high: 20.0 };
        let rewards = score.rewards(&payoff);
        for (found, expect) in rewards.into_iter().zip([0.8, 0.2, 0.5, 1.0]) {
            assert!((found - expect).abs() < 1e-6, "{rewards:?}");
        }
        assert_eq!(Utility::Score { low: 0.0, high: 0.0 }.rewards(&payoff), [0.0; 4]);
    }

    /// Estimates keep their size; results of finished games do not.
    #[test]
    fn estimates_keep_their_size() {
        let payoff = Payoff::margin(0.3);
        let check = |utility: Utility, kind, expect: [f32; 2]| {
            let rewards = utility.rewards_of(&payoff, kind, (-1.0, 1.0));
            assert!(
                (rewards[0] - expect[0]).abs() < 1e-6 && (rewards[1] - expect[1]).abs() < 1e-6,
                "{rewards:?}"
            );
        };
        check(Utility::Win, ValueKind::Result, [1.0, 0.0]);
        check(Utility::Win, ValueKind::Expected, [0.65, 0.35]);
        check(Utility::Win, ValueKind::Reward, [0.3, 0.0]);
        check(Utility::Score { low: -1.0, high: 1.0 }, ValueKind::Expected, [0.65, 0.35]);
        let nonsense = Utility::Win.rewards_of(&Payoff([f32::NAN; 4]), ValueKind::Reward, (-1.0, 1.0));
        assert_eq!(nonsense, [0.5; 4]);
    }
}
