//! An interval of numbers.

use std::fmt;

use serde::Serialize;

/// All numbers from `low` to `high`, both included. An end may be infinite; JSON then has `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The distance between the ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether the value lies within, or on an end.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The interval transformed by an increasing function.
    pub fn map(&self, increasing: impl Fn(f64) -> f64) -> Interval {
        Interval { low: increasing(self.low), high: increasing(self.high) }
    }
}

/// `0.487 to 0.538`, with three decimals or the precision of the format.
impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let decimals = formatter.precision().unwrap_or(3);
        write!(formatter, "{:.decimals$} to {:.decimals$}", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_belong_to_it() {
        let interval = Interval { low: -1.0, high: f64::INFINITY };
        assert!(interval.contains(-1.0) && interval.contains(1e300) && !interval.contains(-1.1));
        assert!(!interval.contains(f64::NAN));
        assert_eq!(interval.width(), f64::INFINITY);
    }

    #[test]
    fn prints_both_ends() {
        let interval = Interval { low: 0.48651, high: 0.5 };
        assert_eq!(interval.to_string(), "0.487 to 0.500");
        assert_eq!(format!("{interval:.1}"), "0.5 to 0.5");
        assert_eq!(interval.map(|end| end * 10.0).to_string(), "4.865 to 5.000");
    }
}
