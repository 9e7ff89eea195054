//! Rationals whose denominator is a power of two: the finite games that are numbers equal these.
//!
//! The numerator has 127 bits. A result that does not fit is an [`Overflow`], never a wrong number.

use std::cmp::Ordering;
use std::fmt;

/// A number is too large, or too fine, to be stored exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number needs more than {} bits", Dyadic::BITS)
    }
}

impl std::error::Error for Overflow {}

/// numerator / 2^exponent in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    /// Odd unless `exponent` is 0. Never the smallest i128, so that every number can be negated.
    numerator: i128,
    exponent: u32,
}

impl Dyadic {
    /// The bits of the largest numerator, and the largest exponent.
    pub const BITS: u32 = i128::BITS - 1;

    /// 0.
    pub const ZERO: Dyadic = Dyadic { numerator: 0, exponent: 0 };

    /// 1.
    pub const ONE: Dyadic = Dyadic { numerator: 1, exponent: 0 };

    /// numerator / 2^exponent.
    pub fn new(numerator: i128, exponent: u32) -> Result<Dyadic, Overflow> {
        let shift = numerator.trailing_zeros().min(exponent);
        // Zero has 128 trailing zeros.
        let (numerator, exponent) =
            if numerator == 0 { (0, 0) } else { (numerator >> shift, exponent - shift) };
        let fits = numerator != i128::MIN && exponent <= Dyadic::BITS;
        fits.then_some(Dyadic { numerator, exponent }).ok_or(Overflow)
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The exponent of the denominator, a power of two.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// True for whole numbers.
    pub fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// The sum.
    pub fn plus(self, other: Dyadic) -> Result<Dyadic, Overflow> {
        let exponent = self.exponent.max(other.exponent);
        let sum = self.scaled_to(exponent)?.checked_add(other.scaled_to(exponent)?).ok_or(Overflow)?;
        Dyadic::new(sum, exponent)
    }

    /// The difference.
    pub fn minus(self, other: Dyadic) -> Result<Dyadic, Overflow> {
        self.plus(-other)
    }

    /// The product with a whole number.
    pub fn times(self, factor: i128) -> Result<Dyadic, Overflow> {
        Dyadic::new(self.numerator.checked_mul(factor).ok_or(Overflow)?, self.exponent)
    }

    /// Half of it.
    pub fn half(self) -> Result<Dyadic, Overflow> {
        Dyadic::new(self.numerator, self.exponent + 1)
    }

    /// The largest whole number that is not above it.
    pub fn floor(self) -> i128 {
        self.numerator >> self.exponent.min(Dyadic::BITS)
    }

    /// The nearest float, for drawing.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / 2f64.powi(self.exponent as i32)
    }

    /// The simplest number strictly between two others: the one with the earliest birthday. `None` leaves a side
    /// unbounded.
    pub fn simplest_between(low: Option<Dyadic>, high: Option<Dyadic>) -> Result<Option<Dyadic>, Overflow> {
        if let (Some(low), Some(high)) = (low, high)
            && low >= high
        {
            return Ok(None);
        }
        let above_low = |number: Dyadic| low.is_none_or(|low| number > low);
        let below_high = |number: Dyadic| high.is_none_or(|high| number < high);
        // The whole number nearest to 0, if there is one in between.
        let nearest = match (low, high) {
            (Some(low), _) if low >= Dyadic::ZERO => low.floor().checked_add(1).ok_or(Overflow)?,
            (_, Some(high)) if high <= Dyadic::ZERO => -(-high).floor().checked_add(1).ok_or(Overflow)?,
            _ => 0,
        };
        let whole = Dyadic::new(nearest, 0)?;
        if above_low(whole) && below_high(whole) {
            return Ok(Some(whole));
        }
        // Otherwise both bounds are given and lie between two neighbouring whole numbers: halve until a number is in
        // between.
        let Some(low) = low else { return Ok(None) };
        for exponent in 1..=Dyadic::BITS {
            let next = low.floor_at(exponent)?.checked_add(1).ok_or(Overflow)?;
            let number = Dyadic::new(next, exponent)?;
            if below_high(number) {
                return Ok(Some(number));
            }
        }
        Err(Overflow)
    }

    /// The largest n with n / 2^exponent <= self.
    fn floor_at(self, exponent: u32) -> Result<i128, Overflow> {
        if exponent >= self.exponent {
            self.scaled_to(exponent)
        } else {
            Ok(self.numerator >> (self.exponent - exponent).min(Dyadic::BITS))
        }
    }

    /// The numerator over 2^exponent. `exponent` must not be below its own.
    fn scaled_to(self, exponent: u32) -> Result<i128, Overflow> {
        let shift = exponent - self.exponent;
        let room = self.numerator.unsigned_abs().leading_zeros().saturating_sub(1);
        match self.numerator {
            0 => Ok(0),
            _ if shift > room => Err(Overflow),
            numerator => Ok(numerator << shift),
        }
    }
}

impl From<i32> for Dyadic {
    fn from(number: i32) -> Dyadic {
        Dyadic { numerator: number.into(), exponent: 0 }
    }
}

impl std::ops::Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic { numerator: -self.numerator, exponent: self.exponent }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        let exponent = self.exponent.max(other.exponent);
        match (self.scaled_to(exponent), other.scaled_to(exponent)) {
            (Ok(own), Ok(others)) => own.cmp(&others),
            // A number that does not fit is further from 0 than any that does. Only one of the two was scaled.
            (Err(Overflow), _) => self.numerator.cmp(&0),
            (_, Err(Overflow)) => 0.cmp(&other.numerator),
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As a fraction, `-5/2`. With `{:#}` as the exact decimal, `-2.5`.
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            return write!(f, "{}", self.numerator);
        }
        if !f.alternate() {
            return match 1u128.checked_shl(self.exponent) {
                Some(denominator) => write!(f, "{}/{denominator}", self.numerator),
                None => write!(f, "{}/2^{}", self.numerator, self.exponent),
            };
        }
        let (whole, mut rest) = {
            let size = self.numerator.unsigned_abs();
            (size >> self.exponent, size & ((1 << self.exponent) - 1))
        };
        write!(f, "{}{whole}.", if self.numerator < 0 { "-" } else { "" })?;
        let mut exponent = self.exponent;
        while rest != 0 {
            // Ten times the rest is 5 * rest over the next smaller power of two. The power cancels, so it is left
            // out.
            let (high, low) = (rest >> 64, rest & u128::from(u64::MAX));
            let (low, high) = (5 * low, 5 * high);
            exponent -= 1;
            // The digit is (high * 2^64 + low) >> exponent, which is below 10.
            let carried = high + (low >> 64);
            let low = low & u128::from(u64::MAX);
            let (digit, left) = if exponent >= 64 {
                let digit = carried >> (exponent - 64);
                (digit, ((carried & ((1 << (exponent - 64)) - 1)) << 64) | low)
            } else {
                let all = (carried << 64) | low;
                (all >> exponent, all & ((1 << exponent) - 1))
            };
            write!(f, "{digit}")?;
            rest = left;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dyadic(numerator: i128, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).expect("a number that fits")
    }

    fn any() -> impl Strategy<Value = Dyadic> {
        (-1_000i128..1_000, 0u32..12).prop_map(|(numerator, exponent)| dyadic(numerator, exponent))
    }

    #[test]
    fn shown_as_fractions_and_decimals() {
        for (number, fraction, decimal) in [
            (dyadic(-10, 2), "-5/2", "-2.5"),
            (dyadic(11, 2), "11/4", "2.75"),
            (dyadic(-1, 3), "-1/8", "-0.125"),
            (dyadic(6, 1), "3", "3"),
            (dyadic(0, 9), "0", "0"),
            (
                dyadic(1, 70),
                "1/1180591620717411303424",
                "0.00000000000000000000084703294725430033906832250067964196205139160156250",
            ),
        ] {
            assert_eq!(number.to_string(), fraction);
            assert_eq!(format!("{number:#}").trim_end_matches('0'), decimal.trim_end_matches('0'));
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let large = dyadic(i128::MAX, 0);
        assert_eq!(large.plus(Dyadic::ONE), Err(Overflow));
        assert_eq!(large.times(2), Err(Overflow));
        assert_eq!(Dyadic::new(i128::MIN, 0), Err(Overflow));
        let fine = dyadic(1, Dyadic::BITS);
        assert_eq!(fine.half(), Err(Overflow));
        assert_eq!(large.plus(fine), Err(Overflow));
        assert!(large > fine && -large < fine && fine > Dyadic::ZERO && fine < Dyadic::ONE);
        assert_eq!(large.minus(large), Ok(Dyadic::ZERO));
    }

    #[test]
    fn simplest_numbers() {
        let half = dyadic(1, 1);
        for (low, high, expect) in [
            (None, None, Some(Dyadic::ZERO)),
            (Some(Dyadic::ZERO), None, Some(Dyadic::ONE)),
            (None, Some(dyadic(-7, 1)), Some(dyadic(-4, 0))),
            (Some(dyadic(5, 1)), Some(dyadic(19, 1)), Some(dyadic(3, 0))),
            (Some(Dyadic::ZERO), Some(Dyadic::ONE), Some(half)),
            (Some(dyadic(1, 2)), Some(Dyadic::ONE), Some(half)),
            (Some(half), Some(Dyadic::ONE), Some(dyadic(3, 2))),
            (Some(dyadic(-1, 0)), Some(Dyadic::ZERO), Some(dyadic(-1, 1))),
            (Some(half), Some(half), None),
        ] {
            assert_eq!(Dyadic::simplest_between(low, high), Ok(expect), "{low:?} {high:?}");
        }
    }

    proptest! {
        #[test]
        fn a_group_in_order(a in any(), b in any(), c in any()) {
            prop_assert_eq!(a.plus(b), b.plus(a));
            prop_assert_eq!(a.plus(b).and_then(|sum| sum.plus(c)), b.plus(c).and_then(|sum| a.plus(sum)));
            prop_assert_eq!(a.plus(-a), Ok(Dyadic::ZERO));
            prop_assert_eq!(a.half().and_then(|half| half.plus(half)), Ok(a));
            prop_assert_eq!(a.cmp(&b), a.to_f64().total_cmp(&b.to_f64()));
            prop_assert_eq!(a.plus(c).unwrap().cmp(&b.plus(c).unwrap()), a.cmp(&b));
            prop_assert_eq!(format!("{a:#}").parse::<f64>().unwrap(), a.to_f64());
        }

        /// No number with a smaller denominator, and no whole number nearer to 0, lies in between.
        #[test]
        fn the_simplest_is_in_between(a in any(), b in any()) {
            prop_assume!(a != b);
            let (low, high) = (a.min(b), a.max(b));
            let found = Dyadic::simplest_between(Some(low), Some(high)).unwrap().unwrap();
            prop_assert!(low < found && found < high);
            for exponent in 0..found.exponent() {
                let next = dyadic(low.floor_at(exponent).unwrap() + 1, exponent);
                prop_assert!(next >= high, "{} is simpler than {}", next, found);
            }
            if found.is_integer() && found != Dyadic::ZERO {
                let nearer = dyadic(found.numerator() - found.numerator().signum(), 0);
                prop_assert!(nearer <= low || nearer >= high);
            }
        }
    }
}
