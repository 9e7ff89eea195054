//! Numbers on the command line, as people write them: 1e6, 1M, 1_000_000, 1,000,000, 20k.

use aji_search::bandit::{decimal_number, whole_number};
use std::ops::RangeInclusive;

/// Reads whole numbers within a range.
pub fn count(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| {
        let (low, high) = (range.start(), range.end());
        let outside = |number: &str| match *high {
            u64::MAX => format!("{number} is not in {low}.."),
            _ => format!("{number} is not in {low}..={high}"),
        };
        match whole_number(text) {
            Some(number) if range.contains(&number) => Ok(number),
            Some(number) => Err(outside(&number.to_string())),
            None if text.strip_prefix('-').and_then(whole_number).is_some() => Err(outside(text)),
            None => Err("expected a whole number such as 2000, 20k or 1e6".into()),
        }
    }
}

/// Reads any whole number.
pub fn any(text: &str) -> Result<u64, String> {
    count(0..=u64::MAX)(text)
}

/// Reads a number that need not be whole.
pub fn decimal(text: &str) -> Result<f64, String> {
    decimal_number(text).ok_or_else(|| "expected a number such as 7.5".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept() {
        let read = count(1..=2_000_000);
        assert_eq!((read("1M"), read("1,000")), (Ok(1_000_000), Ok(1_000)));
        assert_eq!(read("3e6"), Err("3000000 is not in 1..=2000000".into()));
        assert_eq!(count(1..=u64::MAX)("0"), Err("0 is not in 1..".into()));
        assert_eq!(
            (read("-1"), any("-1k")),
            (Err("-1 is not in 1..=2000000".into()), Err("-1k is not in 0..".into()))
        );
        assert_eq!((decimal("-6.5"), decimal("1_0.5")), (Ok(-6.5), Ok(10.5)));
        assert_eq!(decimal("x"), Err("expected a number such as 7.5".into()));
        assert!(read("x").unwrap_err().contains("such as 2000, 20k or 1e6"));
    }
}
