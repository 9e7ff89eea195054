//! A wrapper that asks a rule less often as pulls grow.
//!
//! Once an arm has hundreds of pulls, one more hardly changes a rule's choice. But a rule that draws from posteriors or
//! weighs gains takes as long as several simulations. So the root reuses its last choice until that arm's pulls have
//! grown by a given share. With few pulls, it asks the rule for every pull, as if there were no wrapper. Each rule says
//! how long it [rests](Select::rest). Rules with rounds rest only within a round, so that their counts do not change.

use crate::{Pending, Rng, Select, View};

/// A rule, and its last choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady<R> {
    rule: R,
    share: u32,
    arm: usize,
    /// How many more pulls reuse the choice.
    kept: u32,
    /// The view when the arm was chosen: the number of arms, and the pulls of all.
    arms: usize,
    total: u32,
}

impl<R> Steady<R> {
    /// The share that suits a search is one in this many.
    pub const SHARE: u32 = 16;

    /// Asks the rule again when its arm's pulls have grown by 1/`share`, or sooner. With 0, for every pull.
    pub fn new(rule: R, share: u32) -> Steady<R> {
        Steady { rule, share, arm: 0, kept: 0, arms: 0, total: 0 }
    }

    /// Whether the pull reuses the last choice: the arms are the same ones, and the chosen arm is not proven.
    fn keeps(&self, view: &View) -> bool {
        self.kept > 0
            && view.means.len() == self.arms
            && view.total >= self.total
            && view.spreads[self.arm] > 0.0
    }
}

impl<R: Select> Select for Steady<R> {
    const WANTS_AMAF: bool = R::WANTS_AMAF;
    const READS_PRIOR: bool = R::READS_PRIOR;
    const COMPILED_TWICE: bool = R::COMPILED_TWICE;

    /// Rests only at the root: elsewhere the search makes choices at other nodes in between.
    #[inline]
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        if view.depth > 0 {
            return self.rule.select(view, rng);
        }
        if self.keeps(view) {
            (self.kept, self.total) = (self.kept - 1, view.total);
            return self.arm;
        }
        let arm = self.rule.select(view, rng);
        let kept = if self.share > 0 { self.rule.rest(view, arm, self.share) } else { 0 };
        (self.arm, self.kept, self.arms, self.total) = (arm, kept, view.means.len(), view.total);
        arm
    }

    /// A rule that chooses several arms at once is fast, and needs no rest.
    fn select_ahead(&mut self, view: &View, pending: &mut Pending, picks: &mut [u16]) -> bool {
        self.rule.select_ahead(view, pending, picks)
    }

    fn untried(&self, view: &View) -> Option<f32> {
        self.rule.untried(view)
    }

    fn draws_lots(&self, view: &View) -> bool {
        self.rule.draws_lots(view)
    }

    fn enough(&self, view: &View) -> bool {
        self.rule.enough(view)
    }

    fn wants_squares(&self) -> bool {
        self.rule.wants_squares()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    /// Counts how often it is asked, and takes the arms in turn.
    #[derive(Clone, Copy)]
    struct Asked(usize);

    impl Select for Asked {
        fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
            self.0 += 1;
            self.0 % view.means.len()
        }

        fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
            view.pulls[arm] / share
        }
    }

    #[test]
    fn arms_keep_their_pulls() {
        let (mut rule, mut rng) = (Steady::new(Asked(0), 10), Rng::seeded(0));
        let mut arms: Arms = [Arm { pulls: 25, mean: 0.5 }; 3].into_iter().collect();
        let mut pull = |arms: &mut Arms| {
            let chosen = rule.select(&arms.view(), &mut rng);
            arms.add(chosen, 0.5);
            chosen
        };
        // One pull, and two more: a tenth of 25.
        let chosen: Vec<usize> = (0..9).map(|_| pull(&mut arms)).collect();
        assert_eq!(chosen, [1, 1, 1, 2, 2, 2, 0, 0, 0]);
        // Fewer pulls in total mean other arms, so the kept choice is dropped. Arms with few pulls ask every time.
        pull(&mut arms);
        let mut fresh = Arms::new(3);
        let chosen: Vec<usize> = (0..4).map(|_| pull(&mut fresh)).collect();
        assert_eq!(chosen, [2, 0, 1, 2]);
    }

    #[test]
    fn settled_arms_and_other_depths_are_asked_for() {
        let (mut rule, mut rng) = (Steady::new(Asked(0), 1), Rng::seeded(0));
        let arms: Arms = [Arm { pulls: 9, mean: 0.5 }; 2].into_iter().collect();
        let view = arms.view();
        assert_eq!([rule.select(&view, &mut rng), rule.select(&view, &mut rng)], [1, 1]);
        assert_eq!(rule.select(&View { spreads: &[0.3, 0.0], ..view }, &mut rng), 0);
        assert_eq!(rule.select(&View { depth: 1, ..view }, &mut rng), 1);
        assert_eq!(rule.select(&view, &mut rng), 0);
        let mut plain = Steady::new(Asked(0), 0);
        assert_eq!([plain.select(&view, &mut rng), plain.select(&view, &mut rng)], [1, 0]);
    }
}
