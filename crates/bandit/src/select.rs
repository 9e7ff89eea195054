//! The interface of rules: given the statistics of some arms, which one is pulled next?

use crate::{ARM_WORDS, Arm, Pending, Rng};

/// The arms of one choice, as a rule sees them: one array for each statistic.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The average reward of each arm, in 0..=1, from the chooser's side; 0 while untried. Never empty when a search
    /// asks a rule.
    pub means: &'a [f32],
    /// 1/sqrt(pulls) of each arm, infinite while untried.
    pub spreads: &'a [f32],
    /// The pulls of each arm.
    pub pulls: &'a [u32],
    /// The mean of each arm's squared rewards; empty unless the rule [wants](Select::wants_squares) them.
    pub squares: &'a [f32],
    /// All moves as first: the pulls of the same choice elsewhere, and their average reward, for each arm. Empty
    /// unless the rule [wants](Select::WANTS_AMAF) it and the caller keeps it.
    pub amaf: &'a [Arm],
    /// The prior probability of each arm; empty means equal priors.
    pub prior: &'a [f32],
    /// The evaluation of the position before any arm was pulled, from the chooser's side, if known: a network's value.
    pub evaluation: Option<f32>,
    /// Pulls of all arms so far. In a tree: the simulations through the node.
    pub total: u32,
    /// Pulls still to come, if known.
    pub left: Option<u32>,
    /// Steps below the root of the tree; 0 at the root, and for a bandit without a tree.
    pub depth: u32,
}

impl<'a> View<'a> {
    /// The view of a block's words (see [`Block`](crate::Block)).
    #[inline(always)]
    pub fn new(words: &'a [u32], total: u32) -> View<'a> {
        let (means, rest) = words.split_at(words.len() / ARM_WORDS);
        let (spreads, pulls) = rest.split_at(means.len());
        let (means, spreads) = (bytemuck::cast_slice(means), bytemuck::cast_slice(spreads));
        View {
            means,
            spreads,
            pulls,
            squares: &[],
            amaf: &[],
            prior: &[],
            evaluation: None,
            total,
            left: None,
            depth: 0,
        }
    }

    /// The statistics of one arm.
    pub fn arm(&self, index: usize) -> Arm {
        Arm { pulls: self.pulls[index], mean: self.means[index] }
    }

    /// The statistics of every arm.
    pub fn arms(&self) -> impl Iterator<Item = Arm> {
        (0..self.means.len()).map(|index| self.arm(index))
    }

    /// The first untried arm, if there is one.
    pub fn untried(&self) -> Option<usize> {
        self.pulls.iter().position(|&pulls| pulls == 0)
    }

    /// The prior of one arm.
    pub fn prior_of(&self, index: usize) -> f32 {
        self.prior.get(index).copied().unwrap_or(1.0 / self.means.len() as f32)
    }
}

/// A rule that decides which arm to pull next.
pub trait Select {
    /// Whether the rule reads `view.amaf`, which costs memory and time.
    const WANTS_AMAF: bool = false;

    /// Whether a search by this rule is also compiled for the CPU's newer instructions. A rule that is chosen by name
    /// is not, because it would be compiled twice for every game. Its hot loops choose their instructions themselves.
    const COMPILED_TWICE: bool = true;

    /// Whether the rule reads `view.prior`.
    const READS_PRIOR: bool = false;

    /// The index of the arm to pull. There must be at least one.
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize;

    /// Chooses an arm for each of several pulls before any of them has paid, faster than one at a time. Every choice
    /// sees those before it as [`Pending`] pulls. A rule that cannot do this returns false, and is then asked for one
    /// pull at a time.
    fn select_ahead(&mut self, _view: &View, _pending: &mut Pending, _picks: &mut [u16]) -> bool {
        false
    }

    /// The reward that the rule assumes for an untried arm, if it states one.
    fn untried(&self, _view: &View) -> Option<f32> {
        None
    }

    /// Whether the rule draws this choice at random, so that several choices ahead may fall on the same untried arm.
    fn draws_lots(&self, _view: &View) -> bool {
        false
    }

    /// True when the rule sees no use in further pulls. A search asks now and then, by its simulations and not by the
    /// clock.
    fn enough(&self, _view: &View) -> bool {
        false
    }

    /// How many further pulls may reuse this choice before [`Steady`](crate::Steady) asks the rule again, if a growth
    /// of the arm's pulls by 1/`share` hardly changes its statistics. 0 by default.
    fn rest(&self, _view: &View, _arm: usize, _share: u32) -> u32 {
        0
    }

    /// True when the rule reads `view.squares`, which cost memory.
    fn wants_squares(&self) -> bool {
        false
    }
}
