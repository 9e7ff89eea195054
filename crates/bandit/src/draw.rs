//! Random numbers that are not uniform: normal, gamma and beta. They use no functions of the system, so the same seed
//! draws the same numbers on every machine.

use crate::Rng;
use crate::logarithm::{exp_real, ln_real};
use std::sync::LazyLock;

/// A number in 0..1 of 53 bits, above 0.
pub(crate) fn fraction(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// The ziggurat's layers: they have equal areas under half of the normal density.
const LAYERS: usize = 256;

/// Where the lowest layer ends and the tail begins.
const TAIL: f64 = 3.654_152_885_361_009;

/// The area of a layer under exp(-x^2 / 2). The lowest one includes the tail.
const AREA: f64 = 0.004_928_673_233_992;

/// The end of each layer and the density there, from the lowest layer to the top one, which ends at 0. The first
/// entry is where the lowest layer would end as a rectangle without a tail.
static ENDS: LazyLock<[(f64, f64); LAYERS + 1]> = LazyLock::new(|| {
    let mut ends = [(0.0, 1.0); LAYERS + 1];
    (ends[0], ends[1]) = (with_density(AREA / density(TAIL)), with_density(TAIL));
    for layer in 2..LAYERS {
        let (end, height) = ends[layer - 1];
        ends[layer] = with_density((-2.0 * ln_real(AREA / end + height)).sqrt());
    }
    ends
});

/// The normal density at x, scaled to 1 at 0.
fn density(x: f64) -> f64 {
    exp_real(-0.5 * x * x)
}

fn with_density(x: f64) -> (f64, f64) {
    (x, density(x))
}

/// A standard normal number, by the ziggurat of Marsaglia & Tsang (2000).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let ends: &[(f64, f64); LAYERS + 1] = &ENDS;
    loop {
        // The layer comes from the lowest bits, which the fraction does not use.
        let bits = rng.bits();
        let (layer, side) = (bits as usize % LAYERS, 2.0 * fraction(bits) - 1.0);
        let ((end, height), (next_end, next_height)) = (ends[layer], ends[layer + 1]);
        let x = side * end;
        // Nearly always: the number is within the layer above too.
        if x.abs() < next_end {
            return x;
        }
        if layer == 0 {
            return normal_beyond(rng).copysign(side);
        }
        if height + (next_height - height) * fraction(rng.bits()) < density(x) {
            return x;
        }
    }
}

/// A normal number in the tail.
#[cold]
fn normal_beyond(rng: &mut Rng) -> f64 {
    loop {
        let [over, y] = [1.0 / TAIL, 1.0].map(|scale| -scale * ln_real(fraction(rng.bits())));
        if 2.0 * y >= over * over {
            return TAIL + over;
        }
    }
}

/// The most tries for a gamma number; then its mean is taken. At most one try in ten fails.
const TRIES_MAX: u32 = 100;

/// Turns normal numbers into gamma numbers of a shape of at least 1, by Marsaglia & Tsang (2000).
struct Gamma {
    d: f64,
    c: f64,
}

impl Gamma {
    fn of(shape: f64) -> Gamma {
        let d = shape - 1.0 / 3.0;
        Gamma { d, c: 1.0 / (9.0 * d).sqrt() }
    }

    /// The gamma number, unless it is rejected.
    fn number_of(&self, x: f64, rng: &mut Rng) -> Option<f64> {
        let root = 1.0 + self.c * x;
        let v = root * root * root;
        let (u, square) = (fraction(rng.bits()), x * x);
        // The first test nearly always holds, and saves the logarithms of the second.
        let is_taken = root > 0.0
            && (u < 1.0 - 0.0331 * square * square
                || ln_real(u) < 0.5 * square + self.d * (1.0 - v + ln_real(v)));
        is_taken.then_some(self.d * v)
    }
}

/// A gamma number of any shape above 0.
pub(crate) fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    // For a shape below 1: a number of that shape plus 1, times a power of a uniform number.
    let (shape, factor) = match shape {
        1.0.. => (shape, 1.0),
        _ => (shape + 1.0, exp_real(ln_real(fraction(rng.bits())) / shape)),
    };
    let gamma = Gamma::of(shape);
    let number = (0..TRIES_MAX).find_map(|_| gamma.number_of(normal(rng), rng));
    factor * number.unwrap_or(shape)
}

/// A Beta number. Both parameters must be at least 1.
pub(crate) fn beta(wins: f64, losses: f64, rng: &mut Rng) -> f64 {
    // Closed forms, such as the larger of two uniform numbers.
    if losses == 1.0 {
        return exp_real(ln_real(fraction(rng.bits())) / wins);
    }
    if wins.min(losses) >= NEARLY_NORMAL {
        return beta_by_normal(wins, losses, normal(rng));
    }
    let (won, lost) = (Gamma::of(wins), Gamma::of(losses));
    for _ in 0..TRIES_MAX {
        // One normal number for each. If one is rejected both are drawn again, which keeps them independent.
        let [x, y] = [(); 2].map(|()| normal(rng));
        if let (Some(won), Some(lost)) = (won.number_of(x, rng), lost.number_of(y, rng)) {
            return won / (won + lost);
        }
    }
    wins / (wins + losses)
}

/// With at least this many wins and losses, one normal number makes a Beta number. Its distribution is off by less
/// than 0.003.
const NEARLY_NORMAL: f64 = 25.0;

/// Turns a normal number into a Beta number by the first terms of Cornish & Fisher (1938): mean, deviation and skew.
fn beta_by_normal(wins: f64, losses: f64, z: f64) -> f64 {
    let count = wins + losses;
    let mean = wins / count;
    let deviation = (mean * (1.0 - mean) / (count + 1.0)).sqrt();
    mean + deviation * z + (1.0 - 2.0 * mean) / (3.0 * (count + 2.0)) * (z * z - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u32 = 200_000;

    fn moments(mut draw: impl FnMut() -> f64) -> [f64; 2] {
        let draws: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(DRAWS);
        let variance = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / f64::from(DRAWS);
        [mean, variance]
    }

    #[test]
    fn moments_agree_with_closed_forms() {
        let mut rng = Rng::seeded(8);
        let [mean, variance] = moments(|| normal(&mut rng));
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.015, "{mean} {variance}");
        for shape in [1.0, 1.7, 40.0] {
            let gamma = Gamma::of(shape);
            let draw = || loop {
                if let Some(number) = gamma.number_of(normal(&mut rng), &mut rng) {
                    break number;
                }
            };
            let [mean, variance] = moments(draw);
            assert!(
                (mean / shape - 1.0).abs() < 0.015 && (variance / shape - 1.0).abs() < 0.05,
                "{mean} {variance}"
            );
        }
        for (wins, losses) in [(1.0, 1.0), (3.0, 1.0), (1.0, 6.0), (2.5, 4.5), (300.0, 100.0)] {
            let count: f64 = wins + losses;
            let expect = [wins / count, wins * losses / (count * count * (count + 1.0))];
            let found = moments(|| beta(wins, losses, &mut rng));
            assert!(
                (found[0] / expect[0] - 1.0).abs() < 0.01,
                "{wins} {losses}: {found:?} is not {expect:?}"
            );
            assert!(
                (found[1] / expect[1] - 1.0).abs() < 0.02,
                "{wins} {losses}: {found:?} is not {expect:?}"
            );
        }
    }

    /// The layers meet their conditions: the top one has the common area.
    #[test]
    fn layers_fill_the_density() {
        let (end, height) = ENDS[LAYERS - 1];
        assert!((end * (1.0 - height) - AREA).abs() < 1e-11, "{}", end * (1.0 - height));
    }

    /// The probability that a normal number is further from 0 than each of these.
    #[test]
    fn normal_tails() {
        let mut rng = Rng::seeded(10);
        let draws: Vec<f64> = (0..10 * DRAWS).map(|_| normal(&mut rng)).collect();
        for (x, chance) in [
            (0.1, 0.920_344_3),
            (1.0, 0.317_310_5),
            (2.0, 0.045_500_3),
            (3.0, 2.699_8e-3),
            (3.7, 2.156e-4),
            (4.2, 2.669e-5),
        ] {
            let beyond = draws.iter().filter(|draw| draw.abs() > x).count() as f64;
            let expect = chance * f64::from(10 * DRAWS);
            assert!((beyond - expect).abs() < 4.5 * expect.sqrt(), "{x}: {beyond} is not {expect}");
        }
    }

    /// The largest difference of both distributions, by sums of their densities over the same steps of z.
    #[test]
    fn large_betas_are_nearly_normal() {
        for (wins, losses) in [(1.0, 1.0), (1.0, 2.0), (1e6, 1.0), (1.0, 1e6), (30.0, 10.0)] {
            let [wins, losses] = [wins, losses].map(|number| number * NEARLY_NORMAL);
            let beta_density = |z: f64| {
                let [x, before, after] = [z, z - 1e-4, z + 1e-4].map(|z| beta_by_normal(wins, losses, z));
                let mean = wins / (wins + losses);
                let ln = (wins - 1.0) * (x / mean).ln() + (losses - 1.0) * ((1.0 - x) / (1.0 - mean)).ln();
                ln.exp() * (after - before)
            };
            let steps: Vec<f64> = (-6_000..=6_000).map(|step| f64::from(step) * 1e-3).collect();
            let total = |of: &dyn Fn(f64) -> f64| steps.iter().map(|&z| of(z)).sum::<f64>();
            let totals = [total(&beta_density), total(&density)];
            let (mut ahead, mut most) = (0.0f64, 0.0f64);
            for &z in &steps {
                ahead += beta_density(z) / totals[0] - density(z) / totals[1];
                most = most.max(ahead.abs());
            }
            assert!(most < 3e-3, "{wins} {losses}: {most}");
        }
    }

    /// A Beta(2, 3) number is below 1/2 with probability 11/16.
    #[test]
    fn a_quantile_of_beta() {
        let mut rng = Rng::seeded(9);
        let below = (0..DRAWS).filter(|_| beta(2.0, 3.0, &mut rng) < 0.5).count() as f64;
        // Five standard deviations.
        assert!((below / f64::from(DRAWS) - 11.0 / 16.0).abs() < 0.0052, "{below}");
    }
}
