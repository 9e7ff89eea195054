//! Fast natural logarithms and powers of e with the same bits on every machine (the system's `ln` does not guarantee
//! that).

use crate::vector::{Cpu, Vector};

/// A table holds sqrt(ln n) for counts below this. A power of two.
const SMALL: usize = 4096;

static SQRT_LN: [f32; SMALL] = {
    let mut table = [0.0; SMALL];
    let mut n = 2;
    while n < SMALL {
        table[n] = sqrt(ln(n as u64)) as f32;
        n += 1;
    }
    table
};

/// Larger counts are interpolated between this many points for every power of two.
const POINTS: usize = 128;

/// The points from `SMALL` up to 2^32, and one more to interpolate to.
static SQRT_LN_LARGE: [f32; (32 - SMALL.ilog2() as usize) * POINTS + 2] = {
    let mut table = [0.0; (32 - SMALL.ilog2() as usize) * POINTS + 2];
    let mut index = 0;
    while index < table.len() {
        let n = (SMALL / POINTS * (POINTS + index % POINTS)) as u64;
        table[index] = sqrt(ln(n << (index / POINTS))) as f32;
        index += 1;
    }
    table
};

/// sqrt(ln n) to six digits, and 0 for n = 0.
#[inline(always)]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    match SQRT_LN.get(n as usize) {
        Some(&root) => root,
        None => sqrt_ln_large(n),
    }
}

/// As an f32, a number's bits begin with its power of two. The next bits give the point below it, and the rest its
/// distance from that point.
#[inline(always)]
fn sqrt_ln_large(n: u32) -> f32 {
    const FIRST: usize = (SMALL as f32).to_bits() as usize >> REST;
    const REST: u32 = 23 - POINTS.ilog2();
    let bits = (n as f32).to_bits();
    let point = (bits >> REST) as usize - FIRST;
    let beyond = (bits & ((1 << REST) - 1)) as f32 * (1.0 / (1u32 << REST) as f32);
    let (below, above) = (SQRT_LN_LARGE[point], SQRT_LN_LARGE[point + 1]);
    below + (above - below) * beyond
}

/// The natural logarithm of a count to a dozen digits, and 0 for n = 0. It has the same bits on every machine, unlike
/// [`f64::ln`], which calls the system's C library.
pub const fn ln(n: u64) -> f64 {
    if n == 0 { 0.0 } else { ln_real(n as f64) }
}

/// ln x to a dozen digits for a normal number above 0; minus infinity for anything smaller.
pub(crate) const fn ln_real(x: f64) -> f64 {
    if x < f64::MIN_POSITIVE {
        return f64::NEG_INFINITY;
    }
    // x = m * 2^e with m between 1/sqrt(2) and sqrt(2); ln m = 2 artanh((m - 1) / (m + 1)), whose argument is < 0.172.
    let mut exponent = (x.to_bits() >> 52) as i64 - 1023;
    let mut m = f64::from_bits(x.to_bits() & MANTISSA | 1f64.to_bits());
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let q = s * s;
    let (mut series, mut term) = (0.0, ODD.len());
    while term > 0 {
        term -= 1;
        series = series * q + ODD[term];
    }
    2.0 * s * series + exponent as f64 * std::f64::consts::LN_2
}

/// 1, 1/3, 1/5 ... 1/15.
const ODD: [f64; 8] = [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0];

/// 1/0!, 1/1!, 1/2! ... 1/13!.
const FACTORIALS: [f64; 14] = {
    let mut inverses = [1.0; 14];
    let mut n = 1;
    while n < inverses.len() {
        inverses[n] = inverses[n - 1] / n as f64;
        n += 1;
    }
    inverses
};

/// The fraction bits of an f64.
const MANTISSA: u64 = (1 << 52) - 1;

/// e^x to a dozen digits; 0 below the smallest normal number, and never infinite.
pub(crate) fn exp_real(x: f64) -> f64 {
    if x < -708.0 {
        return 0.0;
    }
    // e^x = 2^k e^r with |r| at most ln 2 / 2, whose series has 13 terms.
    let x = x.min(709.0);
    let k = (x * std::f64::consts::LOG2_E + 0.5).floor();
    let r = x - k * std::f64::consts::LN_2;
    let series = FACTORIALS.iter().rev().fold(0.0, |sum, inverse| sum * r + inverse);
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// ln x to six digits for eight normal numbers above 0 at once. For 0 it gives about -88, not minus infinity.
#[inline(always)]
pub(crate) fn ln_of_eight<C: Cpu>(cpu: C, x: C::Vector) -> C::Vector {
    let ([m, exponent], one) = (x.split(), cpu.splat(1.0));
    let s = (m - one) / (m + one);
    let q = s * s;
    let third = cpu.splat(2.0 / 3.0);
    let series = cpu.splat(2.0) + q * (third + q * (cpu.splat(0.4) + q * cpu.splat(2.0 / 7.0)));
    s * series + exponent * cpu.splat(std::f32::consts::LN_2)
}

/// The same for one number.
#[inline(always)]
pub(crate) fn ln_of_one(x: f32) -> f32 {
    let bits = x.to_bits() as i32;
    let exponent = (bits - std::f32::consts::FRAC_1_SQRT_2.to_bits() as i32) >> 23;
    let m = f32::from_bits((bits - (exponent << 23)) as u32);
    let s = (m - 1.0) / (m + 1.0);
    let q = s * s;
    s * (2.0 + q * (2.0 / 3.0 + q * (0.4 + q * (2.0 / 7.0)))) + exponent as f32 * std::f32::consts::LN_2
}

/// A square root for the tables, at compile time: Newton's steps, for x between 0.5 and 30.
const fn sqrt(x: f64) -> f64 {
    let mut root = 2.0;
    let mut step = 0;
    while step < 9 {
        root = 0.5 * (root + x / root);
        step += 1;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_cpu::Portable;

    #[test]
    fn agrees_with_the_system() {
        let far = (10_000..u64::from(u32::MAX)).step_by(7_654_321);
        for n in (1..10_000).chain(far).chain([u32::MAX.into()]) {
            let expect = (n as f64).ln();
            assert!((ln(n) - expect).abs() < 1e-12 * (1.0 + expect), "{n}");
            let root = f64::from(sqrt_ln(n as u32));
            assert!((root - expect.sqrt()).abs() < 1e-6 * (1.0 + expect.sqrt()), "{n}: {root}");
        }
        assert_eq!((ln(0), sqrt_ln(0), sqrt_ln(1)), (0.0, 0.0, 0.0));
    }
    #[test]
    fn real_numbers_agree_with_the_system() {
        for step in -7_000..7_000 {
            let (x, expect) = (f64::from(step) * 0.1, (f64::from(step) * 0.1).exp());
            assert!((exp_real(x) - expect).abs() <= 1e-12 * (1.0 + x.abs()) * expect, "{x}");
            assert!((ln_real(expect) - x).abs() < 1e-12 * (1.0 + x.abs()), "{x}");
        }
        assert_eq!((exp_real(f64::NEG_INFINITY), exp_real(0.0), ln_real(1.0)), (0.0, 1.0, 0.0));
        assert!(exp_real(f64::INFINITY).is_finite());
        assert_eq!((ln_real(0.0), ln_real(-1.0)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn eight_at_once_agree_with_the_system() {
        for step in 0..100_000 {
            let x = (step as f32 * 0.001 - 70.0).exp();
            let found = ln_of_eight(Portable, Portable.splat(x)).to_array();
            assert!(
                found.into_iter().all(|found| (found - x.ln()).abs() < 1e-6 * (1.0 + x.ln().abs())),
                "{x}"
            );
        }
    }
}
