//! The interval of a median from the ranks of the sample (the sign test turned around): it holds for any distribution.
//!
//! A value of the sample lies below the median with probability one half. So the values of rank k and n + 1 - k enclose the
//! median unless fewer than k of n fair coins fall on one side.

use super::distribution::{beta_cumulative, is_level};

/// The ranks, from 1 on, of the sorted values that enclose the median with at least this level, as narrow as possible. None if
/// the sample is too small for the level, or the level is not between 0 and 1.
pub fn median_ranks(count: u64, level: f64) -> Option<(u64, u64)> {
    if !is_level(level) {
        return None;
    }
    // The probability that fewer than `rank` of the coins fall on a given side, from the binomial distribution.
    let below = |rank: u64| beta_cumulative(0.5, (count + 1 - rank) as f64, rank as f64);
    let holds = |rank: &u64| 1.0 - 2.0 * below(*rank) >= level;
    let rank = (1..=count.div_ceil(2)).take_while(holds).last()?;
    Some((rank, count + 1 - rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coverage counted from all outcomes of the coins.
    #[test]
    fn ranks_cover_and_the_next_do_not() {
        for count in 1..=30_u64 {
            let choose = |k: u64| (0..k).fold(1_u64, |ways, i| ways * (count - i) / (i + 1));
            let coverage =
                |rank: u64| 1.0 - 2.0 * (0..rank).map(choose).sum::<u64>() as f64 / 2_f64.powi(count as i32);
            match median_ranks(count, 0.95) {
                Some((low, high)) => {
                    assert!(coverage(low) >= 0.95 && low + high == count + 1, "{count}");
                    assert!(low == count.div_ceil(2) || coverage(low + 1) < 0.95, "{count}");
                }
                None => assert!(coverage(1) < 0.95, "{count}"),
            }
        }
    }

    /// Values of printed tables.
    #[test]
    fn known_ranks() {
        let check =
            |count: u64, expect: Option<(u64, u64)>| assert_eq!(median_ranks(count, 0.95), expect, "{count}");
        check(5, None);
        check(6, Some((1, 6)));
        check(10, Some((2, 9)));
        check(20, Some((6, 15)));
        check(0, None);
        assert_eq!(median_ranks(20, 1.0), None);
    }
}
