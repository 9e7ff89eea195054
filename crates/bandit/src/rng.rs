//! The only source of randomness: xoshiro256++, named and portable, seeded by a number.

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A xoshiro256++ generator. The same seed gives the same numbers on every machine.
///
/// It is also a `rand_core` generator, so the distributions of `rand` work on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator with this seed.
    pub fn seeded(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator's state, for [`from_state`](Rng::from_state).
    pub fn state(&self) -> [u8; 32] {
        self.0.state()
    }

    /// The generator with this state. 32 zeros are not a valid state, and give a seeded generator.
    pub fn from_state(state: [u8; 32]) -> Rng {
        Rng(Xoshiro256PlusPlus::from_seed(state))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`; `n` must not be 0. It is off uniform by less than n / 2^32, which no experiment can see.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0 && n <= u32::MAX as usize);
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    /// A number in 0..1.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
    }

    /// A separate generator, for work that must not disturb this one's sequence.
    pub fn fork(&mut self) -> Rng {
        Rng::seeded(self.bits())
    }
}

impl TryRng for Rng {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, destination: &mut [u8]) -> Result<(), Self::Error> {
        self.0.try_fill_bytes(destination)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_even() {
        let mut rng = Rng::seeded(3);
        let mut counts = [0u32; 7];
        (0..70_000).for_each(|_| counts[rng.below(7)] += 1);
        // Each count has a standard deviation of 93.
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }

    #[test]
    fn a_state_goes_on_where_it_was() {
        let mut rng = Rng::seeded(5);
        for _ in 0..100 {
            rng.bits();
            assert_eq!(Rng::from_state(rng.state()), rng);
        }
    }

    #[test]
    fn unit_stays_below_one() {
        let mut rng = Rng::seeded(4);
        let numbers: Vec<f32> = (0..100_000).map(|_| rng.unit()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = numbers.iter().map(|&number| f64::from(number)).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }
}
