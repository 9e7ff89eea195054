//! Random numbers that are not uniform: normal, gamma and beta. They use no function of the system's, so the same seed
//! draws the same on every machine.

use crate::Rng;
use crate::logarithm::{exp_real, ln_real};

/// A number in 0..1 of 53 bits, above 0.
pub(crate) fn fraction(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// Two numbers of the standard normal distribution, by Marsaglia's polar method (1964).
pub(crate) fn two_normals(rng: &mut Rng) -> [f64; 2] {
    loop {
        let [x, y] = [0; 2].map(|_| 2.0 * fraction(rng.bits()) - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            let scale = (-2.0 * ln_real(square) / square).sqrt();
            return [x * scale, y * scale];
        }
    }
}

/// Tries of gamma numbers before their means are taken instead. One try in ten fails at the most.
const TRIES_MAX: u32 = 100;

/// What turns a normal number into one of the gamma distribution of a shape of at least 1, by Marsaglia & Tsang (2000).
struct Gamma {
    d: f64,
    c: f64,
}

impl Gamma {
    fn of(shape: f64) -> Gamma {
        let d = shape - 1.0 / 3.0;
        Gamma { d, c: 1.0 / (9.0 * d).sqrt() }
    }

    /// The number, unless it is refused.
    fn from_normal(&self, x: f64, rng: &mut Rng) -> Option<f64> {
        let root = 1.0 + self.c * x;
        let v = root * root * root;
        let (u, square) = (fraction(rng.bits()), x * x);
        // The first test, which nearly always holds, spares the logarithms of the second.
        let is_taken = root > 0.0
            && (u < 1.0 - 0.0331 * square * square
                || ln_real(u) < 0.5 * square + self.d * (1.0 - v + ln_real(v)));
        is_taken.then_some(self.d * v)
    }
}

/// A number of the Beta distribution, whose numbers must be at least 1.
pub(crate) fn beta(wins: f64, losses: f64, rng: &mut Rng) -> f64 {
    // The larger of two uniform numbers, and the like, in closed form.
    if losses == 1.0 {
        return exp_real(ln_real(fraction(rng.bits())) / wins);
    }
    let (won, lost) = (Gamma::of(wins), Gamma::of(losses));
    for _ in 0..TRIES_MAX {
        // One normal number for each. Where one of the two is refused both are drawn anew, which leaves them independent.
        let [x, y] = two_normals(rng);
        if let (Some(won), Some(lost)) = (won.from_normal(x, rng), lost.from_normal(y, rng)) {
            return won / (won + lost);
        }
    }
    wins / (wins + losses)
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
        let [mean, variance] = moments(|| two_normals(&mut rng)[1]);
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.015, "{mean} {variance}");
        for shape in [1.0, 1.7, 40.0] {
            let gamma = Gamma::of(shape);
            let draw = || loop {
                if let Some(number) = gamma.from_normal(two_normals(&mut rng)[0], &mut rng) {
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

    /// Of Beta(2, 3) the chance to be below 1/2 is 11/16.
    #[test]
    fn a_quantile_of_beta() {
        let mut rng = Rng::seeded(9);
        let below = (0..DRAWS).filter(|_| beta(2.0, 3.0, &mut rng) < 0.5).count() as f64;
        // Five standard deviations.
        assert!((below / f64::from(DRAWS) - 11.0 / 16.0).abs() < 0.0052, "{below}");
    }
}
