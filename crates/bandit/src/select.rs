//! The question every rule answers: given what is known of these arms, which one is pulled next?

use crate::{Arm, Rng};

/// The arms of one choice, as a rule sees them.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What is known of each arm. Never empty when a rule is asked.
    pub arms: &'a [Arm],
    /// The mean of each arm's squared rewards; empty unless the rule [wants](Select::wants_squares) them.
    pub squares: &'a [f32],
    /// The prior probability of each arm; empty means that all are alike.
    pub prior: &'a [f32],
    /// Pulls of this choice so far, by any arm. In a tree: the simulations through the node.
    pub pulls: u32,
    /// Pulls still to come, where that is known.
    pub pulls_left: Option<u32>,
    /// Steps below the root of the tree; 0 at the root, and for a bandit that stands alone.
    pub depth: u32,
}

impl<'a> View<'a> {
    /// The view of a bandit that stands alone.
    #[inline(always)]
    pub fn new(arms: &'a [Arm], pulls: u32) -> View<'a> {
        View { arms, squares: &[], prior: &[], pulls, pulls_left: None, depth: 0 }
    }

    /// The first arm never pulled, if there is one.
    pub fn untried(&self) -> Option<usize> {
        self.arms.iter().position(|arm| arm.pulls() == 0)
    }

    /// The prior of one arm.
    pub fn prior_of(&self, index: usize) -> f32 {
        self.prior.get(index).copied().unwrap_or(1.0 / self.arms.len() as f32)
    }
}

/// A rule that decides which arm to pull next.
pub trait Select {
    /// The index of the arm to pull. `view.arms` must not be empty.
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize;

    /// True when the rule sees no use in further pulls.
    fn enough(&self, _view: &View) -> bool {
        false
    }

    /// True when the rule reads `view.squares`, which cost memory.
    fn wants_squares(&self) -> bool {
        false
    }
}

/// How many arms are scored side by side.
const LANES: usize = 8;

/// The first arm with the highest score.
#[inline(always)]
pub fn first_best(arms: &[Arm], score: impl Fn(&Arm) -> f32) -> usize {
    if arms.len() < 2 * LANES { first_best_plain(arms, score) } else { first_best_lanes(arms, score) }
}

#[inline(always)]
fn first_best_plain(arms: &[Arm], score: impl Fn(&Arm) -> f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, arm) in arms.iter().enumerate() {
        let score = score(arm);
        best = if score > best.0 { (score, index) } else { best };
    }
    best.1
}

/// The same, in lanes that the compiler turns into vectors: lane l sees the arms l, l + 8, l + 16, ...
#[inline(always)]
fn first_best_lanes(arms: &[Arm], score: impl Fn(&Arm) -> f32) -> usize {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut round_of = [0u32; LANES];
    let (rounds, rest) = arms.as_chunks::<LANES>();
    for (round, arms) in (0u32..).zip(rounds) {
        for lane in 0..LANES {
            let score = score(&arms[lane]);
            let better = score > best[lane];
            best[lane] = if better { score } else { best[lane] };
            round_of[lane] = if better { round } else { round_of[lane] };
        }
    }
    let mut winner = (f32::NEG_INFINITY, 0);
    for lane in 0..LANES {
        let index = round_of[lane] as usize * LANES + lane;
        if best[lane] > winner.0 || (best[lane] == winner.0 && index < winner.1) {
            winner = (best[lane], index);
        }
    }
    for (index, arm) in (rounds.len() * LANES..).zip(rest) {
        let score = score(arm);
        winner = if score > winner.0 { (score, index) } else { winner };
    }
    winner.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Few distinct means, so that ties abound; some arms untried, so that infinities do too.
        #[test]
        fn lanes_agree_with_the_plain_scan(arms in prop::collection::vec((0u32..5, 0u8..4), 1..200), c in 0f32..2.0) {
            let arms: Vec<Arm> = arms.iter().map(|&(pulls, mean)| Arm::new(pulls, f32::from(mean) / 4.0)).collect();
            let score = |arm: &Arm| arm.mean() + c.max(f32::MIN_POSITIVE) * arm.spread();
            prop_assert_eq!(first_best_lanes(&arms, score), first_best_plain(&arms, score));
        }
    }
}
