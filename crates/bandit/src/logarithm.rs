//! Natural logarithms of counts, the same bits on every machine (the system's `ln` is not), and fast.

/// Counts below this have their logarithm in a table.
const TABLE: usize = 4096;

static LN: [f32; TABLE] = {
    let mut table = [0.0; TABLE];
    let mut n = 1;
    while n < TABLE {
        table[n] = ln(n as u64) as f32;
        n += 1;
    }
    table
};

static SQRT_LN: [f32; TABLE] = {
    let mut table = [0.0; TABLE];
    let mut n = 2;
    while n < TABLE {
        table[n] = sqrt(ln(n as u64)) as f32;
        n += 1;
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

/// n = (m + f) 2^s with m in the upper half of the table and f below 1: ln n = ln m + ln(1 + f/m) + s ln 2, where
/// f/m is so small that it stands for its own logarithm.
#[inline(always)]
fn sqrt_ln_large(n: u32) -> f32 {
    let s = n.ilog2() - (TABLE.ilog2() - 1);
    let m = n >> s;
    let f_over_m = (n - (m << s)) as f32 / (m << s) as f32;
    (LN[m as usize % TABLE] + f_over_m + s as f32 * std::f32::consts::LN_2).sqrt()
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

/// A square root for the table, which the compiler makes: Newton's steps, for x between 0.5 and 10.
const fn sqrt(x: f64) -> f64 {
    let mut root = 2.0;
    let mut step = 0;
    while step < 8 {
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
        for n in (1..10_000).chain((10_000..u64::from(u32::MAX)).step_by(7_654_321)) {
            let expect = (n as f64).ln();
            assert!((ln(n) - expect).abs() < 1e-12 * (1.0 + expect), "{n}");
            let root = f64::from(sqrt_ln(n as u32));
            assert!((root - expect.sqrt()).abs() < 2e-7 * (1.0 + expect), "{n}: {root}");
        }
        assert_eq!((ln(0), sqrt_ln(0), sqrt_ln(1)), (0.0, 0.0, 0.0));
    }
}
