//! The mistakes of an agent, counted.

use super::{Answer, Judged};
use crate::statistics::{Estimate, Interval, estimate, wilson};
use serde::Serialize;

/// The level of the intervals.
const LEVEL: f64 = 0.95;

/// A share, with its interval at 95%.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The share, in 0..=1.
    pub share: f64,
    /// Wilson's interval.
    pub interval: Interval,
}

impl Share {
    fn of(count: u64, of: u64) -> Option<Share> {
        let interval = wilson(count, of, LEVEL).filter(|_| of > 0)?;
        Some(Share { share: count as f64 / of as f64, interval })
    }
}

/// The positions in which an agent erred, by kind of mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Positions.
    pub positions: u64,
    /// Positions with an action that worsens the outcome. A lost position has none.
    pub could_err: u64,
    /// Wins that became draws.
    pub win_to_draw: u64,
    /// Wins that became losses.
    pub win_to_loss: u64,
    /// Draws that became losses.
    pub draw_to_loss: u64,
    /// The share of mistakes that a random action would make on average.
    pub by_chance: f64,
    /// The mean points lost against the best action.
    pub points_lost: Option<Estimate>,
}

impl Tally {
    /// Counts the answers. An answer without an agent's action counts only as a position.
    pub fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Tally {
        let (mut tally, mut lost, mut chances) = (Tally::default(), Vec::new(), 0.0);
        for Answer { judged, chosen } in answers {
            tally.positions += 1;
            let worse = judged.values.len() - judged.keeping();
            tally.could_err += u64::from(worse > 0);
            chances += worse as f64 / judged.values.len().max(1) as f64;
            let Some(value) = chosen.as_ref().and_then(|chosen| judged.value(chosen)) else { continue };
            lost.push(judged.best() - value);
            match (judged.outcome(), Judged::outcome_after(value)) {
                (1, 0) => tally.win_to_draw += 1,
                (1, -1) => tally.win_to_loss += 1,
                (0, -1) => tally.draw_to_loss += 1,
                _ => {}
            }
        }
        tally.by_chance = if tally.positions == 0 { 0.0 } else { chances / tally.positions as f64 };
        tally.points_lost = estimate(&lost);
        tally
    }

    /// All mistakes.
    pub fn mistakes(&self) -> u64 {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }

    /// The share of positions with a mistake; none without positions.
    pub fn share(&self) -> Option<Share> {
        Share::of(self.mistakes(), self.positions)
    }

    /// The share of mistakes among positions in which a mistake is possible; none without such positions.
    pub fn share_where_possible(&self) -> Option<Share> {
        Share::of(self.mistakes(), self.could_err)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Valued;
    use super::*;

    #[test]
    fn mistakes_are_counted_by_kind() {
        let answer = |values: &[f64], chosen: usize| {
            let valued = |(number, &value): (usize, &f64)| Valued(number.to_string(), value);
            let values = values.iter().enumerate().map(valued).collect();
            Answer { judged: Judged { position: String::new(), values }, chosen: Some(chosen.to_string()) }
        };
        let answers = [
            answer(&[1.0, 0.0, -1.0, 1.0], 1),
            answer(&[1.0, 0.0, -1.0, 1.0], 2),
            answer(&[0.0, -1.0], 1),
            answer(&[0.0, -1.0], 0),
            // Fewer points with the same outcome are no mistake, but count as points lost.
            answer(&[3.0, 7.0], 0),
            answer(&[-1.0, -1.0], 0),
        ];
        let tally = Tally::of(answers.iter());
        assert_eq!((tally.positions, tally.could_err, tally.mistakes()), (6, 4, 3));
        assert_eq!((tally.win_to_draw, tally.win_to_loss, tally.draw_to_loss), (1, 1, 1));
        assert!((tally.by_chance - 2.0 / 6.0).abs() < 1e-12);
        assert_eq!(tally.points_lost.map(|lost| lost.value), Some(8.0 / 6.0));
        assert_eq!(tally.share_where_possible().map(|share| share.share), Some(0.75));
        assert_eq!(Tally::of([].iter()).share(), None);
    }
}
