//! An experiment, and one trial of it.
//!
//! A trial is a pure function from its id and the experiment's seed to a record. It depends on nothing else: no
//! clock, no thread, no other trial. So trials can run in any order, on any machine, and again.

use crate::Error;
use aji_search::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Many trials of one kind.
pub trait Experiment: Sync {
    /// The result of a trial: plain data.
    ///
    /// A record is what its JSON parses back to. JSON has no NaN and no infinity: such an `f64` stops the run with a
    /// message, and such an `Option<f64>` comes back as `None`. Every other `f64` comes back exactly.
    type Record: Serialize + DeserializeOwned + Send + Clone + 'static;

    /// A word for the kind of experiment.
    fn name(&self) -> String;

    /// Everything the records depend on besides the seed, including the rule that stops the run early, if there is
    /// one. A journal with other parameters is refused.
    fn parameters(&self) -> serde_json::Value;

    /// The number of trials; their ids count from 0.
    fn trials(&self) -> u64;

    /// Runs one trial. An error stops the run.
    fn run(&self, trial: Trial) -> Result<Self::Record, Error>;

    /// Whether a trial ends early, without a sound record, once the run is asked to stop. The run then drops the trials
    /// under way. The same run on the same journal runs them again.
    fn is_stoppable(&self) -> bool {
        false
    }
}

/// A trial of an experiment, and all of its randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Counts from 0.
    pub id: u64,
    /// The experiment's seed, the same for all of its trials.
    pub seed: u64,
}

impl Trial {
    /// The seed of this trial alone: number `id` of the SplitMix64 sequence that starts at the scrambled seed of the
    /// experiment. Two trials of an experiment never share it. Neither do trials of the same id under two seeds.
    pub fn own_seed(&self) -> u64 {
        // Scrambled first, because otherwise the sequence of seed 7 + STEP would be that of seed 7, shifted by one
        // trial.
        let start = scramble(self.seed.wrapping_add(STEP));
        scramble(start.wrapping_add(self.id.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// A generator seeded with [`own_seed`](Trial::own_seed).
    pub fn rng(&self) -> Rng {
        Rng::seeded(self.own_seed())
    }

    /// A seed for a part of the trial, such as "opening". It does not change when other parts are added or removed.
    pub fn seed_of(&self, part: &str) -> u64 {
        scramble(self.own_seed() ^ scramble(fnv1a(part.bytes())))
    }
}

/// 2^64 divided by the golden ratio, made odd: the step of SplitMix64.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). It is a
/// bijection.
fn scramble(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// FNV-1a, 64 bits.
pub(crate) fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn published_values() {
        // The first numbers of SplitMix64 from 1234567, as printed on Rosetta Code.
        let sequence = |n: u64| scramble(1_234_567u64.wrapping_add(STEP.wrapping_mul(n)));
        assert_eq!([1, 2].map(sequence), [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        // FNV's own test vectors.
        assert_eq!(fnv1a("".bytes()), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("foobar".bytes()), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn seeds_differ() {
        let mut seen = HashSet::new();
        for seed in [0, 1, 2, STEP, STEP.wrapping_mul(2), u64::MAX] {
            for id in 0..2000 {
                let trial = Trial { id, seed };
                assert!(seen.insert(trial.own_seed()), "{trial:?}");
                assert!(seen.insert(trial.seed_of("opening")), "{trial:?}");
                assert!(seen.insert(trial.seed_of("left")), "{trial:?}");
            }
        }
    }
}
