//! Verdicts on claims: the one place that says when a claim holds, fails, is partly so or stays open.
//!
//! A part is one measured value with its 95% interval. The position of the interval gives its verdict. The verdict on
//! a claim with several parts follows from theirs.

use super::Measured;
use aji_catalog::thousands;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a run for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every part holds.
    Holds,
    /// Some parts hold and some fail.
    Partly,
    /// Every part fails.
    Fails,
    /// The trials are too few to tell.
    Open,
}

impl Verdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Verdict; 4] = [Verdict::Holds, Verdict::Partly, Verdict::Fails, Verdict::Open];

    /// How the verdict on a claim follows from those on its parts.
    pub const OF_PARTS: &str = "the claim holds when every part holds, fails when every part fails, is partly so when \
                                some parts hold and some fail, and is open otherwise";

    /// When a claim has this verdict, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Verdict::Holds => "The whole 95% interval lies where the claim says, in every part.",
            Verdict::Partly => "Some parts hold and some fail.",
            Verdict::Fails => "The whole 95% interval lies elsewhere, in every part.",
            Verdict::Open => {
                "Too few trials: an interval lies on both sides of its threshold. The number of trials that would decide it \
                 assumes that the estimate stays the same."
            }
        }
    }

    /// The verdict on one part. A value that is not a number decides nothing.
    pub(super) fn of_interval(measured: &Measured, holds: bool, fails: bool) -> Verdict {
        match (measured.is_number(), holds, fails) {
            (true, true, _) => Verdict::Holds,
            (true, _, true) => Verdict::Fails,
            _ => Verdict::Open,
        }
    }

    /// The verdict on a claim with these parts. Without parts nothing was measured, so the claim is open.
    pub fn of_parts(parts: &[Verdict]) -> Verdict {
        let has = |verdict| parts.contains(&verdict);
        match (has(Verdict::Holds), has(Verdict::Fails)) {
            (true, true) => Verdict::Partly,
            _ if has(Verdict::Partly) => Verdict::Partly,
            (true, false) if !has(Verdict::Open) => Verdict::Holds,
            (false, true) if !has(Verdict::Open) => Verdict::Fails,
            _ => Verdict::Open,
        }
    }

    /// How many verdicts there are of each kind: `holds: 3, partly: 1, fails: 0, open: 2`.
    pub fn tally(verdicts: impl Iterator<Item = Verdict> + Clone) -> String {
        let count = |verdict| verdicts.clone().filter(|&found| found == verdict).count();
        Verdict::ALL.map(|verdict| format!("{verdict}: {}", count(verdict))).join(", ")
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Partly => "partly",
            Verdict::Fails => "fails",
            Verdict::Open => "open",
        })
    }
}

/// The most that a report asks for, as a multiple of the trials of this run.
const FACTOR_MAX: f64 = 1_000.0;

/// The number of trials after which the interval would no longer contain these thresholds, if the estimate stayed the
/// same. Half the width of an interval shrinks with the square root of the trials, so the factor is the square of
/// (that half / the distance).
pub(super) fn trials_needed(measured: &Measured, thresholds: &[f64]) -> String {
    let factor = |&threshold: &f64| {
        let distance = measured.value - threshold;
        let reach =
            if distance > 0.0 { measured.value - measured.low } else { measured.high - measured.value };
        (reach / distance).powi(2)
    };
    let factor =
        thresholds.iter().map(factor).fold(1.0, |largest, next| if next <= largest { largest } else { next });
    match measured.trials {
        _ if factor.is_nan() || factor > FACTOR_MAX => "more than 1,000 times the trials".to_string(),
        Some(trials) => {
            let needed = round_up(trials as f64 * factor) as u64;
            format!(
                "about {} trials, where {} were made",
                thousands(needed.max(trials + 1)),
                thousands(trials)
            )
        }
        None => format!("about {:.1} times the trials", ((factor * 10.0).ceil() / 10.0).max(1.1)),
    }
}

/// Rounded up to two significant digits.
fn round_up(value: f64) -> f64 {
    let unit = 10f64.powi((value.log10().floor() as i32 - 1).max(0));
    (value / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fails, Holds, Open, Partly};

    #[test]
    fn parts_decide() {
        let check = |parts: &[Verdict], expect: Verdict| {
            assert_eq!(Verdict::of_parts(parts), expect, "{parts:?}");
            let reversed: Vec<Verdict> = parts.iter().rev().copied().collect();
            assert_eq!(Verdict::of_parts(&reversed), expect, "{reversed:?}");
        };
        check(&[Holds], Holds);
        check(&[Holds, Holds], Holds);
        check(&[Fails, Fails], Fails);
        check(&[Holds, Fails], Partly);
        check(&[Holds, Open, Fails], Partly);
        check(&[Holds, Partly], Partly);
        check(&[Open, Partly], Partly);
        check(&[Holds, Open], Open);
        check(&[Fails, Open], Open);
        check(&[Open, Open], Open);
        check(&[], Open);
    }

    #[test]
    fn tallies_name_every_verdict() {
        let verdicts = [Holds, Open, Open];
        assert_eq!(Verdict::tally(verdicts.into_iter()), "holds: 1, partly: 0, fails: 0, open: 2");
    }

    /// An interval of 0.52 ± 0.04 needs four times the trials to leave 0.5.
    #[test]
    fn trials_grow_with_the_square_of_the_error() {
        let check = |measured: Measured, thresholds: &[f64], expect: &str| {
            assert_eq!(trials_needed(&measured, thresholds), expect);
        };
        let score = Measured::with_error(0.52, 0.04);
        check(score.over(400), &[0.5], "about 1,600 trials, where 400 were made");
        check(score, &[0.5], "about 4.0 times the trials");
        check(score.over(333), &[0.5], "about 1,400 trials, where 333 were made");
        // The half that faces the threshold counts.
        check(
            Measured::between(0.48, 0.1, 0.56).over(100),
            &[0.5],
            "about 1,600 trials, where 100 were made",
        );
        // Within two thresholds, both count; outside, the nearer one.
        check(Measured::between(1.0, 0.8, 1.4).over(10), &[0.8, 1.2], "about 40 trials, where 10 were made");
        check(Measured::between(1.4, 1.1, 1.5).over(10), &[0.8, 1.2], "about 23 trials, where 10 were made");
        // On the threshold, no number of trials is enough.
        check(Measured::with_error(0.5, 0.1).over(10), &[0.5], "more than 1,000 times the trials");
        check(Measured::exact(0.5), &[0.5], "more than 1,000 times the trials");
        check(Measured::between(1.0, 0.5, f64::INFINITY), &[2.0], "more than 1,000 times the trials");
        check(Measured::exact(f64::NAN), &[2.0], "more than 1,000 times the trials");
    }
}
