//! Natural logarithms of counts, the same bits on every machine (the system's `ln` is not), and fast.

/// Counts below this have their sqrt(ln n) in a table. A power of two.
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

/// Larger counts have their logarithms interpolated between this many points for every power of two.
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

/// The bits of a number, as they stand in an f32, begin with its power of two; those that follow say which point is the
/// next below, and the rest how far beyond it the number is.
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

/// ln n to a dozen digits, and 0 for n = 0.
pub(crate) const fn ln(n: u64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    // n = m * 2^e with m between 1/sqrt(2) and sqrt(2); ln m = 2 artanh((m - 1) / (m + 1)), whose argument is < 0.172.
    let mut exponent = n.ilog2() as i64;
    let mut m = n as f64 / (1u64 << exponent) as f64;
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let q = s * s;
    let (mut series, mut k) = (0.0, 15);
    while k > 0 {
        series = series * q + 1.0 / k as f64;
        k -= 2;
    }
    2.0 * s * series + exponent as f64 * std::f64::consts::LN_2
}

/// A square root for the table, which the compiler makes: Newton's steps, for x between 0.5 and 30.
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
}
