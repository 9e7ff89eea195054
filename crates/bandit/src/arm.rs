//! Statistics of the arms of a choice: the pulls of each, and its average reward.
//!
//! The arms of one choice are stored column by column (all means, then all spreads, then all pulls), so that a rule
//! scans them as plain arrays. A tree stores many such blocks in one arena; [`Arms`] is a single one.

use crate::View;
use crate::vector::{Cpu, LANES};
use aji_cpu::dispatch;

/// The most pulls one arm can count.
pub const PULLS_MAX: u32 = u32::MAX;

/// The 32-bit words that one arm takes in a block: its mean, its spread and its pulls.
pub const ARM_WORDS: usize = 3;

/// The words of a block of untried arms: means of 0, infinite spreads, no pulls.
#[inline(always)]
pub fn untried_words(count: usize) -> impl ExactSizeIterator<Item = u32> {
    let spreads = count..2 * count;
    (0..ARM_WORDS * count).map(move |word| if spreads.contains(&word) { f32::INFINITY.to_bits() } else { 0 })
}

/// The same as runs of equal words: the length of each run, and its word.
#[inline(always)]
pub fn untried_runs(count: usize) -> [(usize, u32); ARM_WORDS] {
    [(count, 0), (count, f32::INFINITY.to_bits()), (count, 0)]
}

/// The statistics of one arm. Rewards, and so means, are in 0..=1, from the chooser's side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Arm {
    /// How often it was pulled.
    pub pulls: u32,
    /// The average reward, 0 while untried.
    pub mean: f32,
}

impl Arm {
    /// The sum of the rewards.
    pub fn sum(&self) -> f64 {
        f64::from(self.mean) * f64::from(self.pulls)
    }
}

/// A block of arms in borrowed words.
///
/// `spread` is 1/sqrt(pulls), stored so that an upper confidence bound is one multiplication and one addition. It is
/// infinite while an arm is untried, so that any such bound puts the arm first.
pub struct Block<'a> {
    words: &'a mut [u32],
    count: usize,
}

/// The 29 bits of an f64's mantissa that an f32 cannot hold.
const BELOW_F32: u64 = (1 << 29) - 1;

impl<'a> Block<'a> {
    /// The block in these words: [`ARM_WORDS`] for each arm.
    #[inline(always)]
    pub fn new(words: &'a mut [u32]) -> Block<'a> {
        let count = words.len() / ARM_WORDS;
        Block { words, count }
    }

    /// Sets the statistics of one arm.
    pub fn set(&mut self, index: usize, arm: Arm) {
        let spread = if arm.pulls == 0 { f32::INFINITY } else { spread(arm.pulls) };
        self.words[index] = arm.mean.to_bits();
        self.words[self.count + index] = spread.to_bits();
        self.words[2 * self.count + index] = arm.pulls;
    }

    /// Counts pulls without a reward.
    #[inline(always)]
    pub fn count(&mut self, index: usize, pulls: u32) {
        self.words[2 * self.count + index] += pulls;
    }

    /// Marks an arm as proven: its mean is this value, and its spread is 0 from now on.
    pub fn prove(&mut self, index: usize, value: f32) {
        self.words[index] = value.to_bits();
        self.words[self.count + index] = 0f32.to_bits();
    }

    /// Counts one pull that paid `reward`, and returns the arm's pulls. They must stay below [`PULLS_MAX`].
    #[inline(always)]
    pub fn add(&mut self, index: usize, reward: f32) -> u32 {
        let words = &mut self.words[..ARM_WORDS * self.count];
        let pulls = words[2 * self.count + index] + 1;
        let mean = next_mean(f32::from_bits(words[index]), reward, pulls);
        words[index] = mean.to_bits();
        words[self.count + index] = spread(pulls).to_bits();
        words[2 * self.count + index] = pulls;
        pulls
    }

    /// Counts `count` pulls that paid `sum` together, and returns the arm's pulls. They must stay below
    /// [`PULLS_MAX`].
    #[inline(always)]
    pub fn add_all(&mut self, index: usize, count: u32, sum: f32) -> u32 {
        let words = &mut self.words[..ARM_WORDS * self.count];
        let pulls = words[2 * self.count + index] + count;
        let mean = next_mean_of_many(f32::from_bits(words[index]), count, sum, pulls);
        words[index] = mean.to_bits();
        words[self.count + index] = spread(pulls).to_bits();
        words[2 * self.count + index] = pulls;
        pulls
    }
}

/// Rewards the arms for which `is_made` is true. Branch-free: every arm is updated, eight at a time, and the others
/// add zero. The means are stored in f32, which is precise enough here.
#[inline(always)]
pub fn reward_some(arms: &mut [Arm], reward: f32, is_made: impl IsMade) {
    let (chunks, rest) = arms.as_chunks_mut();
    let first = LANES * chunks.len();
    if first > 0 {
        Arm::reward_chunks(chunks, reward, is_made);
    }
    for (lane, arm) in rest.iter_mut().enumerate() {
        if is_made(first + lane) {
            arm.pulls += 1;
            arm.mean += (reward - arm.mean) / arm.pulls as f32;
        }
    }
}

#[inline(always)]
fn reward_chunks_by<C: Cpu>(cpu: C, chunks: &mut [[Arm; LANES]], reward: f32, is_made: impl IsMade) {
    for (chunk, arms) in chunks.iter_mut().enumerate() {
        let mut made = 0;
        for lane in 0..LANES {
            made |= u32::from(is_made(LANES * chunk + lane)) << lane;
        }
        cpu.reward(arms, reward, made);
    }
}

impl Arm {
    dispatch! {
        fn reward_chunks, reward_chunks_v3<F: IsMade>(chunks: &mut [[Arm; LANES]], reward: f32, is_made: F) = reward_chunks_by
    }
}

/// Tells which arms were chosen.
pub trait IsMade: Fn(usize) -> bool + Copy {}

impl<F: Fn(usize) -> bool + Copy> IsMade for F {}

/// The mean after the reward of pull number `pulls`, from the mean before it.
#[inline(always)]
pub fn next_mean(mean: f32, reward: f32, pulls: u32) -> f32 {
    let mean = f64::from(mean);
    rounded(mean + (f64::from(reward) - mean) / f64::from(pulls), pulls)
}

/// The mean after `count` further pulls that paid `sum` together; `pulls` includes them.
#[inline(always)]
pub fn next_mean_of_many(mean: f32, count: u32, sum: f32, pulls: u32) -> f32 {
    let mean = f64::from(mean);
    rounded(mean + (f64::from(sum) - f64::from(count) * mean) / f64::from(pulls), pulls)
}

/// Rounds the mean of `pulls` pulls to f32.
///
/// A running mean in f32 would freeze after some ten million pulls, when a step is smaller than half a unit in the
/// last place. So the step is computed in f64, and the result is rounded up or down fairly: the offset added before
/// truncation runs through a Weyl sequence. The remaining noise is below the mean's own standard error up to some
/// fifty million pulls, and below 0.001 at any number.
#[inline(always)]
fn rounded(exact: f64, pulls: u32) -> f32 {
    let dither = u64::from(pulls.wrapping_mul(0x9E37_79B9) >> 3);
    f64::from_bits((exact.to_bits() + dither) & !BELOW_F32) as f32
}

/// 1/sqrt(pulls), the spread of a tried arm.
#[inline(always)]
pub fn spread(pulls: u32) -> f32 {
    1.0 / (pulls as f32).sqrt()
}

/// The spread after one more pull, to a percent. It approximates s / sqrt(1 + s^2) by a parabola in s^2, because
/// consecutive choices wait for each other's result. It is 1 for an untried arm and 0 for a proven one.
#[inline(always)]
pub fn spread_of_one_more(spread: f32) -> f32 {
    let square = spread * spread;
    let next = spread * (1.0 - square * (0.4411 - 0.1482 * square));
    if spread == f32::INFINITY { 1.0 } else { next }
}

/// A bandit without a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Arms {
    words: Vec<u32>,
    total: u32,
}

impl Arms {
    /// `count` untried arms.
    pub fn new(count: usize) -> Arms {
        Arms { words: untried_words(count).collect(), total: 0 }
    }

    /// Counts one pull that paid `reward`.
    pub fn add(&mut self, index: usize, reward: f32) {
        Block::new(&mut self.words).add(index, reward);
        self.total += 1;
    }

    /// The view for a rule.
    pub fn view(&self) -> View<'_> {
        View::new(&self.words, self.total)
    }
}

impl FromIterator<Arm> for Arms {
    fn from_iter<I: IntoIterator<Item = Arm>>(arms: I) -> Arms {
        let arms: Vec<Arm> = arms.into_iter().collect();
        let mut made = Arms::new(arms.len());
        for (index, &arm) in arms.iter().enumerate() {
            Block::new(&mut made.words).set(index, arm);
            made.total += arm.pulls;
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn some_are_rewarded() {
        let mut arms: Vec<Arm> = (0..21)
            .map(|index| Arm { pulls: index % 4, mean: if index % 4 == 0 { 0.0 } else { 0.5 } })
            .collect();
        let before = arms.clone();
        let is_made = |index: usize| index % 3 == 1;
        reward_some(&mut arms, 1.0, is_made);
        for (index, (after, before)) in arms.iter().zip(before).enumerate() {
            let pulls = before.pulls + 1;
            let expect = Arm { pulls, mean: before.mean + (1.0 - before.mean) / pulls as f32 };
            assert_eq!(*after, if is_made(index) { expect } else { before }, "{index}");
        }
    }

    #[test]
    fn mean_follows_the_rewards() {
        let mut arms = Arms::new(3);
        for (reward, mean) in [(1.0, 1.0), (0.0, 0.5), (0.0, 1.0 / 3.0), (1.0, 0.5), (0.5, 0.5)] {
            arms.add(1, reward);
            assert!((arms.view().means[1] - mean).abs() < 1e-6, "{arms:?}");
        }
        let view = arms.view();
        assert_eq!((view.pulls, view.total), (&[0, 5, 0][..], 5));
        assert_eq!(view.spreads, [f32::INFINITY, 1.0 / 5f32.sqrt(), f32::INFINITY]);
        assert!((view.arm(1).sum() - 2.5).abs() < 1e-5);
    }

    #[test]
    fn one_pull_more() {
        assert_eq!((spread_of_one_more(f32::INFINITY), spread_of_one_more(0.0)), (1.0, 0.0));
        for pulls in 1..10_000 {
            let (found, expect) = (spread_of_one_more(spread(pulls)), spread(pulls + 1));
            assert!(
                (found / expect - 1.0).abs() < 0.01 && found < spread(pulls),
                "{pulls}: {found} {expect}"
            );
        }
    }

    #[test]
    fn constant_rewards_stay_exact() {
        for reward in [0.0, 0.25, 1.0] {
            let mut arms = Arms::new(1);
            (0..100_000).for_each(|_| arms.add(0, reward));
            assert_eq!(arms.view().means, [reward]);
        }
    }

    /// A frozen mean would not follow when the rewards change late in a long run.
    #[test]
    fn mean_does_not_freeze_at_many_pulls() {
        let mut rng = Rng::seeded(1);
        let mut arms: Arms = [Arm { pulls: 1 << 24, mean: 0.7 }].into_iter().collect();
        let mut sum = arms.view().arm(0).sum();
        for _ in 0..20_000_000 {
            let reward = if rng.unit() < 0.6 { 1.0 } else { 0.0 };
            arms.add(0, reward);
            sum += f64::from(reward);
        }
        let Arm { pulls, mean } = arms.view().arm(0);
        let exact = sum / f64::from(pulls);
        assert!((f64::from(mean) - exact).abs() < 1e-4, "{mean} is not {exact}");
    }
}
