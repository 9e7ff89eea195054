//! Elo, and the score of a match with its interval.
//!
//! Elo (1978): a player who is d points stronger expects the score 1 / (1 + 10^(-d/400)). The interval of a score is
//! Wilson's, for a number n_eff of win-or-lose games with the same error: n_eff = p (1-p) / se^2. Here se is the
//! standard error over pairs (or over single games). So draws and the correlation within a pair count as observed,
//! and the interval stays within 0..1. The interval of Elo is that of the score, with its ends transformed.
//!
//! If all outcomes are equal, se = 0 says nothing about the spread. Then n_eff is the number of pairs (or of games):
//! one independent observation each, the least they can be worth. The same holds for a single one. A score of exactly
//! 0 or 1 is such a case. If nearly all pairs are equal, the interval depends on a small se, and is only as good as
//! that.

use serde::Serialize;

use super::proportion::wilson_of_rate;
use super::{GameCounts, Interval, PairCounts};

/// The difference in Elo at which a player expects this score. Infinite at 0 and 1, NaN outside.
pub fn elo(score: f64) -> f64 {
    400.0 * (score.log10() - (1.0 - score).log10())
}

/// The expected score of a player who is this many Elo stronger, in 0..=1.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The result of player a in a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// The mean score of a game, in 0..=1.
    pub score: f64,
    /// Its standard error over pairs, or over games; 0 if all were equal.
    pub error: f64,
    /// The number of independent win-or-lose games that would have this error.
    pub effective_games: f64,
    /// The interval of the score.
    pub interval: Interval,
    /// The difference in Elo. It may be infinite; JSON then has `null`.
    pub elo: f64,
    /// Its interval.
    pub elo_interval: Interval,
}

impl Score {
    /// The score of a match in pairs, with intervals of this level. None without pairs or if the level is not between 0
    /// and 1.
    pub fn of_pairs(counts: PairCounts, level: f64) -> Option<Score> {
        Score::of(&counts.frequencies(), 2 * counts.pairs(), level)
    }

    /// The score of a match from the points of player a in each pair, with intervals of this level. None without
    /// pairs, if the points of a pair are not 0, 0.5, 1, 1.5 or 2, or if the level is not between 0 and 1.
    pub fn of_pair_points(points: &[f64], level: f64) -> Option<Score> {
        Score::of_pairs(PairCounts::of_points(points)?, level)
    }

    /// The score of a match in rounds of several games each, by the mean score of player a in each round. Rounds are independent of each
    /// other, their games are not. None without rounds, if a score is not in 0..=1, or if the level is not between 0 and 1.
    pub fn of_rounds(scores: &[f64], games: u64, level: f64) -> Option<Score> {
        let mut sorted = scores.to_vec();
        sorted.sort_by(f64::total_cmp);
        let alike = sorted.chunk_by(|one, other| one == other);
        let frequencies: Vec<(f64, f64)> = alike.map(|alike| (alike[0], alike.len() as f64)).collect();
        let sound = frequencies.iter().all(|(score, _)| (0.0..=1.0).contains(score));
        if sound { Score::of(&frequencies, games, level) } else { None }
    }

    /// The score of independent games, with intervals of this level. None without games or if the level is not between
    /// 0 and 1.
    pub fn of_games(counts: GameCounts, level: f64) -> Option<Score> {
        Score::of(&counts.frequencies(), counts.games(), level)
    }

    /// The score of independent outcomes, given as (score per game, count).
    fn of(frequencies: &[(f64, f64)], games: u64, level: f64) -> Option<Score> {
        let count: f64 = frequencies.iter().map(|(_, count)| count).sum();
        if count == 0.0 {
            return None;
        }
        let score = frequencies.iter().map(|(score, count)| score * count).sum::<f64>() / count;
        let squares: f64 = frequencies.iter().map(|(value, count)| count * (value - score).powi(2)).sum();
        let alike = frequencies.iter().filter(|(_, count)| *count > 0.0).count() < 2;
        let error = if alike { 0.0 } else { (squares / (count * (count - 1.0))).sqrt() };
        let effective_games = if alike { count } else { score * (1.0 - score) / (error * error) };
        let interval = wilson_of_rate(score, effective_games, level)?;
        let elo_interval = interval.map(elo);
        Some(Score { games, score, error, effective_games, interval, elo: elo(score), elo_interval })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::wilson;

    #[test]
    fn elo_and_back() {
        assert_eq!(elo(0.5), 0.0);
        assert_eq!(expected_score(0.0), 0.5);
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((expected_score(f64::INFINITY), expected_score(f64::NEG_INFINITY)), (1.0, 0.0));
        assert!(elo(1.5).is_nan());
        for difference in [-700.0, -3.0, 0.1, 250.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-10);
        }
    }

    #[test]
    fn all_alike_is_one_observation_a_pair() {
        let won = Score::of_pairs(PairCounts([0, 0, 0, 0, 12]), 0.95).unwrap();
        assert_eq!((won.games, won.score, won.error, won.effective_games), (24, 1.0, 0.0, 12.0));
        assert_eq!(won.interval, wilson(12, 12, 0.95).unwrap());
        assert_eq!((won.elo, won.elo_interval.high), (f64::INFINITY, f64::INFINITY));
        assert!(won.elo_interval.low.is_finite());
        let even = Score::of_pairs(PairCounts([0, 0, 12, 0, 0]), 0.95).unwrap();
        assert_eq!((even.elo, even.effective_games), (0.0, 12.0));
        let single = Score::of_pair_points(&[1.5], 0.95).unwrap();
        assert_eq!((single.score, single.error, single.effective_games), (0.75, 0.0, 1.0));
    }

    /// Without draws, the effective number of games is the number of games, except for n - 1 in place of n.
    #[test]
    fn games_without_draws() {
        let score = Score::of_games(GameCounts { wins: 60, draws: 0, losses: 40 }, 0.95).unwrap();
        assert!((score.effective_games - 99.0).abs() < 1e-9, "{}", score.effective_games);
        let mirror = Score::of_games(GameCounts { wins: 40, draws: 0, losses: 60 }, 0.95).unwrap();
        assert!((score.elo + mirror.elo).abs() < 1e-10);
        assert!((score.elo_interval.low + mirror.elo_interval.high).abs() < 1e-10);
    }

    /// Rounds of two games are pairs; rounds of more have the spread of their means.
    #[test]
    fn rounds_are_one_observation_each() {
        let rounds = [0.0, 0.25, 1.0, 0.5, 0.75, 1.0];
        let doubled: Vec<f64> = rounds.iter().map(|score| 2.0 * score).collect();
        assert_eq!(Score::of_rounds(&rounds, 12, 0.95), Score::of_pair_points(&doubled, 0.95));
        let thirds = Score::of_rounds(&[1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0], 24, 0.95).unwrap();
        assert!((thirds.score - 0.5).abs() < 1e-12 && thirds.games == 24);
        assert!((thirds.error - (1.0f64 / 36.0 / 3.0).sqrt()).abs() < 1e-12, "{}", thirds.error);
        assert_eq!(Score::of_rounds(&[1.0; 5], 30, 0.95).unwrap().effective_games, 5.0);
        assert_eq!(Score::of_rounds(&[], 0, 0.95), None);
        assert_eq!(Score::of_rounds(&[0.5, f64::NAN], 4, 0.95), None);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(Score::of_pairs(PairCounts::default(), 0.95), None);
        assert_eq!(Score::of_games(GameCounts::default(), 0.95), None);
        assert_eq!(Score::of_pairs(PairCounts([1, 0, 0, 0, 1]), 1.0), None);
        assert_eq!(Score::of_pair_points(&[1.0, 0.3], 0.95), None);
    }
}
