//! What is known of one choice: how often it was pulled and what it paid on average.

/// The most pulls one arm can count.
pub const PULLS_MAX: u32 = u32::MAX;

/// What is known of one choice. Rewards, and so means, are in 0..=1, from the chooser's side.
///
/// Twelve bytes, with what selection needs kept ready: `spread` is 1/sqrt(pulls), so that an upper confidence bound
/// is one multiplication and one addition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    mean: f32,
    spread: f32,
    pulls: u32,
}

/// The 29 bits of an f64's mantissa that an f32 has no room for.
const BELOW_F32: u64 = (1 << 29) - 1;

impl Arm {
    /// An arm that was never pulled. Its spread is infinite, so that any confidence bound puts it first.
    pub const UNTRIED: Arm = Arm { mean: 0.0, spread: f32::INFINITY, pulls: 0 };

    /// An arm that was pulled `pulls` times and paid `mean` on average.
    pub fn new(pulls: u32, mean: f32) -> Arm {
        if pulls == 0 { Arm::UNTRIED } else { Arm { mean, spread: spread(pulls), pulls } }
    }

    /// How often the arm was pulled.
    #[inline(always)]
    pub fn pulls(&self) -> u32 {
        self.pulls
    }

    /// The average reward, 0 while untried.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// 1/sqrt(pulls), infinite while untried.
    #[inline(always)]
    pub fn spread(&self) -> f32 {
        self.spread
    }

    /// The sum of the rewards.
    #[inline]
    pub fn sum(&self) -> f64 {
        f64::from(self.mean) * f64::from(self.pulls)
    }

    /// Counts one pull that paid `reward`. The pulls must stay below [`PULLS_MAX`].
    ///
    /// A running mean in f32 would freeze after some ten million pulls, when a step is smaller than half a unit in
    /// the last place. So the step is made in f64 and rounded up or down in turn: what is added before the cut runs
    /// through a Weyl sequence, which makes the rounding fair. What is left of it is noise: less than the mean's own
    /// standard error up to some fifty million pulls, and less than 0.001 at any number.
    #[inline(always)]
    pub fn add(&mut self, reward: f32) {
        debug_assert!(self.pulls < PULLS_MAX);
        self.pulls += 1;
        self.spread = spread(self.pulls);
        let mean = f64::from(self.mean);
        let exact = mean + (f64::from(reward) - mean) / f64::from(self.pulls);
        let dither = u64::from(self.pulls.wrapping_mul(0x9E37_79B9) >> 3);
        self.mean = f64::from_bits((exact.to_bits() + dither) & !BELOW_F32) as f32;
    }
}

#[inline(always)]
fn spread(pulls: u32) -> f32 {
    1.0 / (pulls as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn mean_follows_the_rewards() {
        let mut arm = Arm::UNTRIED;
        for (reward, mean) in [(1.0, 1.0), (0.0, 0.5), (0.0, 1.0 / 3.0), (1.0, 0.5), (0.5, 0.5)] {
            arm.add(reward);
            assert!((arm.mean() - mean).abs() < 1e-6, "{arm:?}");
        }
        assert_eq!(arm.pulls(), 5);
        assert_eq!(arm.spread(), 1.0 / 5f32.sqrt());
        assert!((arm.sum() - 2.5).abs() < 1e-5);
    }

    #[test]
    fn constant_rewards_stay_exact() {
        for reward in [0.0, 0.25, 1.0] {
            let mut arm = Arm::UNTRIED;
            (0..100_000).for_each(|_| arm.add(reward));
            assert_eq!(arm.mean(), reward);
        }
    }

    /// After a change of the rewards' mean late in a long run, a mean that froze would not follow.
    #[test]
    fn mean_does_not_freeze_at_many_pulls() {
        let mut rng = Rng::seeded(1);
        let mut arm = Arm::new(1 << 24, 0.7);
        let mut sum = arm.sum();
        for _ in 0..20_000_000 {
            let reward = if rng.unit() < 0.6 { 1.0 } else { 0.0 };
            arm.add(reward);
            sum += f64::from(reward);
        }
        let exact = sum / f64::from(arm.pulls());
        assert!((f64::from(arm.mean()) - exact).abs() < 1e-4, "{} is not {exact}", arm.mean());
    }
}
