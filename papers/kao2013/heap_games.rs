//! Agents play random games of Heap-Go against each other, two games per position with the sides swapped. The sum of
//! the two scores decides, as in the paper's Fig. 6.
//!
//! Every pairing plays the same positions.

use super::match_rates::Size;
use aji_lab::contest::Contest;
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use serde::Serialize;

/// Two agents, and the number of positions they play.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Pairing {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) positions: u64,
}

struct HeapGames<'a> {
    name: &'static str,
    size: Size,
    pairings: &'a [Pairing],
}

impl Experiment for HeapGames<'_> {
    /// The points by which the first agent was ahead, over both games.
    type Record = f64;

    fn name(&self) -> String {
        format!("kao2013-{}", self.name)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "size": self.size, "pairings": self.pairings })
    }

    fn trials(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.positions).sum()
    }

    fn run(&self, trial: Trial) -> Result<f64, Error> {
        let (mut id, mut pairings) = (trial.id, self.pairings.iter());
        let pairing = loop {
            let pairing = pairings.next().ok_or_else(|| Error::new("a trial of no pairing"))?;
            if id < pairing.positions {
                break pairing;
            }
            id -= pairing.positions;
        };
        let position = Trial { id, ..trial };
        let game = self.size.game(position.seed_of("game"));
        let contest = Contest::of_two(&game, pairing.a.parse()?, pairing.b.parse()?, 1)?;
        let pair = Experiment::run(&contest, Trial { id: 0, seed: position.seed_of("players") })?;
        Ok(pair.margins().iter().sum())
    }
}

/// The result of two agents, position by position.
pub(super) struct Met {
    /// The points by which the first agent was ahead, over both games of a position.
    pub(super) sums: Vec<f64>,
}

/// Plays all pairings.
pub(super) fn play(
    lab: &Lab,
    name: &'static str,
    size: Size,
    pairings: &[Pairing],
) -> Result<Vec<Met>, Error> {
    let mut sums = lab.run(&HeapGames { name, size, pairings })?.into_iter();
    let met = |pairing: &Pairing| Met { sums: sums.by_ref().take(pairing.positions as usize).collect() };
    Ok(pairings.iter().map(met).collect())
}

impl Met {
    /// Positions that the first agent won, tied and lost.
    pub(super) fn counts(&self) -> [usize; 3] {
        let count = |of: fn(f64) -> bool| self.sums.iter().filter(|&&sum| of(sum)).count();
        [count(|sum| sum > 0.0), count(|sum| sum == 0.0), count(|sum| sum < 0.0)]
    }

    /// The share of positions won minus the share lost.
    pub(super) fn lead(&self) -> Estimate {
        self.mean(|sum| if sum == 0.0 { 0.0 } else { sum.signum() })
    }

    /// The mean of a function over positions.
    pub(super) fn mean(&self, of: impl Fn(f64) -> f64) -> Estimate {
        estimate(&self.sums.iter().map(|&sum| of(sum)).collect::<Vec<f64>>()).expect("two positions or more")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_decide() {
        let met = Met { sums: vec![3.0, 0.0, -1.0, 2.0] };
        assert_eq!(met.counts(), [2, 1, 1]);
        assert_eq!((met.lead().value, met.mean(|sum| sum).value), (0.25, 1.0));
    }
}
