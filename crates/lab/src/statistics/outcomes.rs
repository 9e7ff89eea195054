//! The result of a match as counts: of games, or of pairs of games with the sides swapped.

use serde::{Deserialize, Serialize};

/// How many pairs of games gave player a 0, 0.5, 1, 1.5 and 2 points. The two games of a pair share a start with the
/// sides swapped, so they are not independent; the pairs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts pairs by the points of player a in each. None if one is not 0, 0.5, 1, 1.5 or 2.
    pub fn of_points(points: &[f64]) -> Option<PairCounts> {
        let mut counts = PairCounts::default();
        points.iter().all(|&points| counts.add(points)).then_some(counts)
    }

    /// Adds a pair by the points of player a. Returns false and adds nothing if they are not 0, 0.5, 1, 1.5 or 2.
    pub fn add(&mut self, points: f64) -> bool {
        let doubled = points * 2.0;
        let valid = [0.0, 1.0, 2.0, 3.0, 4.0].contains(&doubled);
        if valid {
            self.0[doubled as usize] += 1;
        }
        valid
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs as player b sees them.
    pub fn reversed(&self) -> PairCounts {
        let mut counts = self.0;
        counts.reverse();
        PairCounts(counts)
    }

    /// The score per game of each outcome, in 0..=1 and in order, and its count.
    pub(crate) fn frequencies(&self) -> [(f64, f64); 5] {
        std::array::from_fn(|outcome| (outcome as f64 / 4.0, self.0[outcome] as f64))
    }
}

/// Independent games, from player a's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games that player a won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that player a lost.
    pub losses: u64,
}

impl GameCounts {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same games as player b sees them.
    pub fn reversed(&self) -> GameCounts {
        GameCounts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The score of each outcome, in 0..=1 and in order, and its count.
    pub(crate) fn frequencies(&self) -> [(f64, f64); 3] {
        [(0.0, self.losses as f64), (0.5, self.draws as f64), (1.0, self.wins as f64)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted() {
        let counts = PairCounts::of_points(&[0.0, 0.5, 2.0, 1.0, 1.5, 2.0]).unwrap();
        assert_eq!(counts, PairCounts([1, 1, 1, 1, 2]));
        assert_eq!(counts.pairs(), 6);
        assert_eq!(counts.reversed(), PairCounts([2, 1, 1, 1, 1]));
    }

    #[test]
    fn other_points_are_refused() {
        for points in [0.25, -0.5, 2.5, f64::NAN, f64::INFINITY] {
            assert_eq!(PairCounts::of_points(&[1.0, points]), None);
        }
    }
}
