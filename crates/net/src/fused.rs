//! Multiplication and addition with a single rounding, the same bits on every CPU.
//!
//! CPUs since 2013 have an instruction for it, and the kernels depend on its speed. Without it, `f32::mul_add` calls
//! the C library for each number, which is a hundred times slower. So the portable version computes in double
//! precision. There the product of two f32 is exact. The sum is rounded to odd before it becomes an f32, so that no
//! second rounding shows (Boldo & Melquiond, Emulation of FMA and correctly rounded sums, 2008).

use aji_cpu::{Portable, V3};

/// The numbers per vector.
pub const LANES: usize = 8;

/// The vector instructions of a CPU for sums of products. Vectors stay in registers.
pub trait Cpu: Copy {
    /// Eight numbers.
    type Vector: Copy;

    /// The vector of these numbers.
    fn load(self, numbers: &[f32; LANES]) -> Self::Vector;

    /// The numbers of a vector.
    fn store(self, vector: Self::Vector, numbers: &mut [f32; LANES]);

    /// `factor * numbers + sum`, each rounded once.
    fn add_product(self, sum: Self::Vector, factor: f32, numbers: Self::Vector) -> Self::Vector;
}

/// The compiler would find the instructions for arrays too, but it would keep the sums in memory, at half the speed.
#[cfg(target_arch = "x86_64")]
impl Cpu for V3 {
    type Vector = core::arch::x86_64::__m256;

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Vector {
        // SAFETY: the `V3` proves that the CPU has avx, and a reference to eight numbers can be read, aligned or not.
        unsafe { core::arch::x86_64::_mm256_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, numbers: &mut [f32; LANES]) {
        // SAFETY: as for `load`, and the reference is unique.
        unsafe { core::arch::x86_64::_mm256_storeu_ps(numbers.as_mut_ptr(), vector) }
    }

    #[inline(always)]
    fn add_product(self, sum: Self::Vector, factor: f32, numbers: Self::Vector) -> Self::Vector {
        use core::arch::x86_64::{_mm256_fmadd_ps, _mm256_set1_ps};
        // SAFETY: the `V3` proves that the CPU has avx and fma; neither instruction touches memory.
        unsafe { _mm256_fmadd_ps(_mm256_set1_ps(factor), numbers, sum) }
    }
}

/// Never used: no other architecture has a `V3`.
#[cfg(not(target_arch = "x86_64"))]
impl Cpu for V3 {
    type Vector = [f32; LANES];

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Vector {
        *numbers
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, numbers: &mut [f32; LANES]) {
        *numbers = vector;
    }

    #[inline(always)]
    fn add_product(self, sum: Self::Vector, factor: f32, numbers: Self::Vector) -> Self::Vector {
        Portable.add_product(sum, factor, numbers)
    }
}

impl Cpu for Portable {
    type Vector = [f32; LANES];

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Vector {
        *numbers
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, numbers: &mut [f32; LANES]) {
        *numbers = vector;
    }

    #[inline(always)]
    fn add_product(self, mut sum: Self::Vector, factor: f32, numbers: Self::Vector) -> Self::Vector {
        for lane in 0..LANES {
            #[cfg(target_arch = "aarch64")]
            #[allow(
                clippy::disallowed_methods,
                reason = "one rounding is what is wanted, and the CPU has it"
            )]
            {
                sum[lane] = factor.mul_add(numbers[lane], sum[lane]);
            }
            #[cfg(not(target_arch = "aarch64"))]
            {
                sum[lane] = fused_in_double(factor, numbers[lane], sum[lane]);
            }
        }
        sum
    }
}

/// `a * b + c`, rounded once, without a fused instruction.
#[inline(always)]
#[cfg_attr(target_arch = "aarch64", allow(dead_code))]
pub(crate) fn fused_in_double(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The rounding error of the sum (Knuth's two-sum).
    let part = sum - product;
    let lost = (product - (sum - part)) + (c - part);
    // Round to odd: a sum that is not exact becomes the one of its two neighbours whose last bit is odd.
    let bits = sum.to_bits();
    let away_from_zero = (lost > 0.0) == (sum > 0.0);
    let odd = if away_from_zero { bits + 1 } else { bits.wrapping_sub(1) };
    let is_inexact = lost.abs() > 0.0 && bits & 1 == 0;
    f64::from_bits(if is_inexact { odd } else { bits }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_bandit::Rng;

    fn check(a: f32, b: f32, c: f32) {
        #[allow(clippy::disallowed_methods, reason = "the oracle")]
        let expect = a.mul_add(b, c);
        let found = fused_in_double(a, b, c);
        assert!(
            found.to_bits() == expect.to_bits() || found.is_nan() && expect.is_nan(),
            "{a:e} * {b:e} + {c:e} = {expect:e}, not {found:e}"
        );
    }

    /// Eight lanes at once, if the CPU has the instruction.
    #[test]
    fn vectors_are_like_numbers() {
        let Some(v3) = V3::detect() else { return };
        let mut rng = Rng::seeded(6);
        for _ in 0..10_000 {
            let mut any = || std::array::from_fn(|_| f32::from_bits(rng.bits() as u32));
            let (sum, numbers, factor): ([f32; LANES], [f32; LANES], [f32; LANES]) = (any(), any(), any());
            let mut found = [[0.0; LANES]; 2];
            v3.store(v3.add_product(v3.load(&sum), factor[0], v3.load(&numbers)), &mut found[0]);
            Portable.store(Portable.add_product(sum, factor[0], numbers), &mut found[1]);
            let is_same = |(one, other): (&f32, &f32)| {
                one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
            };
            assert!(found[0].iter().zip(&found[1]).all(is_same), "{found:?}");
        }
    }

    #[test]
    fn one_rounding_is_one_rounding() {
        let mut rng = Rng::seeded(3);
        for _ in 0..200_000 {
            let any = |rng: &mut Rng| f32::from_bits(rng.bits() as u32);
            check(any(&mut rng), any(&mut rng), any(&mut rng));
            let near = |rng: &mut Rng| (rng.unit() - 0.5) * 4.0;
            let (a, b) = (near(&mut rng), near(&mut rng));
            check(a, b, near(&mut rng));
            // Sums that nearly cancel, and sums that end halfway between two numbers.
            check(a, b, -a * b);
            check(
                1.0 + f32::EPSILON * rng.below(64) as f32,
                1.0 + f32::EPSILON * rng.below(64) as f32,
                near(&mut rng),
            );
            check(a, f32::EPSILON / 2.0, 1.0 + f32::EPSILON * rng.below(64) as f32);
        }
        for a in [0.0, -0.0, 1.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, 1e-45] {
            for b in [0.0, -0.0, -1.0, f32::MIN, 1e-45, f32::NEG_INFINITY] {
                for c in [0.0, -0.0, 1.0, f32::MAX, f32::INFINITY, -1e-45] {
                    check(a, b, c);
                }
            }
        }
    }
}
