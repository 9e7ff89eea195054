//! Pulls chosen together before any of them has paid, as a wave of simulations does in a node.
//!
//! Every rule sees the pending pulls. Each counts as a pull that paid its arm's mean. For an arm without pulls that is
//! the value that the rule states, or the mean of the other arms. So several pulls spread over the arms. If all rewards
//! are equal, the wave makes the same pulls as the rule would one after another.

use crate::arm::{ARM_WORDS, spread, spread_of_one_more};
use crate::{Rng, Select, View};

/// A copy of some arms with the pending pulls. It reuses its memory from one choice to the next.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    words: Vec<u32>,
    spreads: Vec<f32>,
    squares: Vec<f32>,
    pulls: u32,
    /// The assumed reward of an arm without pulls.
    untried: f32,
}

impl Pending {
    /// Lets a rule choose an arm for each of `picks`.
    #[inline(always)]
    pub fn select(&mut self, rule: &mut impl Select, view: &View, rng: &mut Rng, picks: &mut [u16]) {
        if !rule.select_ahead(view, self, picks) {
            self.select_in_turn(rule, view, rng, picks);
        }
    }

    /// Asks the rule once for each pull.
    #[inline(never)]
    fn select_in_turn(&mut self, rule: &mut impl Select, view: &View, rng: &mut Rng, picks: &mut [u16]) {
        self.copy(view);
        self.untried = rule.untried(view).unwrap_or_else(|| usual(view));
        for pick in picks {
            let mut chosen = rule.select(&self.view(view), rng);
            let is_new = view.pulls[chosen] == 0 && self.block_pulls()[chosen] > 0;
            if is_new && rule.draws_lots(view) {
                // Nothing is known of either arm, so an untried one is as good, and teaches more.
                chosen = self.block_pulls().iter().position(|&pulls| pulls == 0).unwrap_or(chosen);
            }
            self.pull(chosen);
            *pick = chosen as u16;
        }
    }

    /// Chooses by spreads alone, which shrink [by about one pull](spread_of_one_more) for each choice. This is faster
    /// than counting.
    pub(crate) fn select_by_spreads(
        &mut self,
        view: &View,
        picks: &mut [u16],
        mut choose: impl FnMut(&View) -> usize,
    ) {
        self.spreads.clear();
        self.spreads.extend_from_slice(view.spreads);
        for pick in picks {
            let chosen = choose(&View { spreads: &self.spreads, ..*view });
            self.spreads[chosen] = spread_of_one_more(self.spreads[chosen]);
            *pick = chosen as u16;
        }
    }

    fn copy(&mut self, view: &View) {
        self.words.clear();
        self.words.extend(view.means.iter().chain(view.spreads).map(|number| number.to_bits()));
        self.words.extend(view.pulls);
        self.squares.clear();
        self.squares.extend(view.squares);
        self.pulls = 0;
    }

    fn block_pulls(&self) -> &[u32] {
        &self.words[self.words.len() / ARM_WORDS * 2..]
    }

    fn view<'a>(&'a self, view: &View<'a>) -> View<'a> {
        View {
            squares: &self.squares,
            amaf: view.amaf,
            prior: view.prior,
            evaluation: view.evaluation,
            depth: view.depth,
            left: view.left.map(|left| left.saturating_sub(self.pulls)),
            ..View::new(&self.words, view.total.saturating_add(self.pulls))
        }
    }

    fn pull(&mut self, index: usize) {
        let (count, untried) = (self.words.len() / ARM_WORDS, self.untried);
        let pulls = self.words[2 * count + index].saturating_add(1);
        let is_proven = f32::from_bits(self.words[count + index]) == 0.0;
        if pulls == 1 && !is_proven {
            self.words[index] = untried.to_bits();
            if let Some(square) = self.squares.get_mut(index) {
                *square = untried * untried;
            }
        }
        if !is_proven {
            self.words[count + index] = spread(pulls).to_bits();
        }
        self.words[2 * count + index] = pulls;
        self.pulls += 1;
    }
}

/// The mean reward of a pull; a half if there was none.
fn usual(view: &View) -> f32 {
    let pulls: f64 = view.pulls.iter().map(|&pulls| f64::from(pulls)).sum();
    if pulls == 0.0 { 0.5 } else { (view.arms().map(|arm| arm.sum()).sum::<f64>() / pulls) as f32 }
}
