//! Natural logarithms of counts, the same bits on every machine (the system's `ln` is not), and fast for small ones.

/// Counts below this have their sqrt(ln n) in a table.
const TABLE: usize = 4096;

static SQRT_LN: [f32; TABLE] = {
    let mut table = [0.0; TABLE];
    let mut n = 1;
    while n < TABLE {
        table[n] = sqrt(ln(n as u64)) as f32;
        n += 1;
    }
    table
};

/// sqrt(ln n), and 0 for n = 0.
#[inline(always)]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    match SQRT_LN.get(n as usize) {
        Some(&root) => root,
        None => ln(u64::from(n)).sqrt() as f32,
    }
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
    let series = 1.0
        + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0 + q / 13.0)))));
    2.0 * s * series + exponent as f64 * std::f64::consts::LN_2
}

/// A square root for the table, which is made by the compiler. Newton's steps from above, for x between 0 and 10.
const fn sqrt(x: f64) -> f64 {
    let mut root = 4.0;
    let mut step = 0;
    while step < 12 && x > 0.0 {
        root = 0.5 * (root + x / root);
        step += 1;
    }
    if x > 0.0 { root } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_system() {
        for n in (1..10_000).chain((10_000..4_000_000_000u64).step_by(7_654_321)) {
            let expect = (n as f64).ln();
            assert!((ln(n) - expect).abs() < 1e-12 * (1.0 + expect), "{n}");
            assert!((f64::from(sqrt_ln(n as u32)) - expect.sqrt()).abs() < 3e-7 * (1.0 + expect), "{n}");
        }
    }
}
