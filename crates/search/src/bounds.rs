//! Proven bounds of a position: score-bounded Monte Carlo tree search (Cazenave & Saffidine 2010).
//!
//! Every edge has a lower and an upper bound on player 0's reward after it, in 0..=1. A finished game closes both.
//! The bounds of a position follow from those of its edges: a maximiser gets the best lower bound and the best upper
//! bound. Where the bounds meet, the value is proven: a win, a loss, a draw or an exact score.
//!
//! For one player, and for two whose rewards have a constant sum. At chance nodes the bounds are the worst and the
//! best outcome. That is sound, but exact only if all outcomes are equal.

/// Bounds on player 0's reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f32,
    pub(crate) high: f32,
}

/// Who chooses among some edges, from player 0's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chooser {
    Maximiser,
    Minimiser,
    Chance,
}

impl Bounds {
    /// Nothing is known.
    pub(crate) const OPEN: Bounds = Bounds { low: 0.0, high: 1.0 };

    pub(crate) fn exactly(value: f32) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// The bounds as a tree stores them. Open bounds are all 0, so memory never written means that nothing is known.
    pub(crate) fn pack(self) -> [u32; 2] {
        [self.low.to_bits(), self.high.to_bits() ^ Bounds::OPEN.high.to_bits()]
    }

    pub(crate) fn unpack([low, high]: [u32; 2]) -> Bounds {
        Bounds { low: f32::from_bits(low), high: f32::from_bits(high ^ Bounds::OPEN.high.to_bits()) }
    }

    /// The value, if it is proven.
    pub(crate) fn value(self) -> Option<f32> {
        (self.low == self.high).then_some(self.low)
    }

    /// The bounds of a position from those of its edges.
    pub(crate) fn of_position(edges: impl Iterator<Item = Bounds> + Clone, chooser: Chooser) -> Bounds {
        let lows = edges.clone().map(|bounds| bounds.low);
        let highs = edges.map(|bounds| bounds.high);
        let (low, high) = match chooser {
            Chooser::Maximiser => (lows.reduce(f32::max), highs.reduce(f32::max)),
            Chooser::Minimiser => (lows.reduce(f32::min), highs.reduce(f32::min)),
            Chooser::Chance => (lows.reduce(f32::min), highs.reduce(f32::max)),
        };
        Bounds { low: low.unwrap_or(Bounds::OPEN.low), high: high.unwrap_or(Bounds::OPEN.high) }
    }

    /// The intersection of both.
    pub(crate) fn tightened(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The same bounds for the player whose reward is `sum` minus player 0's.
    pub(crate) fn of_other(self, sum: f32) -> Bounds {
        Bounds { low: sum - self.high, high: sum - self.low }
    }

    /// True when a choice with these bounds can never be better than one with those.
    pub(crate) fn dominated_by(self, other: Bounds) -> bool {
        other.low >= self.high && other != self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_by_hand() {
        let (win, draw, loss) = (Bounds::exactly(1.0), Bounds::exactly(0.5), Bounds::exactly(0.0));
        let check = |edges: &[Bounds], chooser, low, high| {
            let found = Bounds::of_position(edges.iter().copied(), chooser);
            assert_eq!(found, Bounds { low, high }, "{edges:?} for {chooser:?}");
            assert_eq!(Bounds::unpack(found.pack()), found);
        };
        check(&[win, Bounds::OPEN], Chooser::Maximiser, 1.0, 1.0);
        check(&[loss, Bounds::OPEN], Chooser::Maximiser, 0.0, 1.0);
        check(&[loss, draw], Chooser::Maximiser, 0.5, 0.5);
        check(&[draw, Bounds::OPEN], Chooser::Maximiser, 0.5, 1.0);
        check(&[win, draw], Chooser::Minimiser, 0.5, 0.5);
        check(&[loss, Bounds::OPEN], Chooser::Minimiser, 0.0, 0.0);
        check(&[draw, win], Chooser::Chance, 0.5, 1.0);
        check(&[draw, draw], Chooser::Chance, 0.5, 0.5);
        assert!(loss.dominated_by(Bounds::OPEN) && draw.dominated_by(win) && !draw.dominated_by(draw));
        assert!(!Bounds::OPEN.dominated_by(draw));
        assert_eq!(Bounds::OPEN.pack(), [0, 0]);
    }
}
