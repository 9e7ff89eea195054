//! Gumbel search (Danihelka, Guez, Schrittwieser & Silver, Policy improvement by planning with Gumbel, 2022).
//!
//! At the root the rule draws a Gumbel number g for every arm and multiplies it by `noise`: 1 in self-play, 0 for the
//! best move. It considers the arms with the highest g + ln prior, and runs Sequential Halving over them, ranked by g +
//! ln prior + sigma(q). Below the root it pulls the arm that lacks most of its share: the highest pi'(a) - n(a) / (1 +
//! n). Here pi' is the softmax of ln prior + sigma(q). There
//!
//! ```text
//! sigma(q) = (c_visit + the most pulls of an arm) c_scale q
//! ```
//!
//! and q is an arm's mean. For an untried arm q is the paper's mixed value: the position's own evaluation, counted once,
//! and the mean of the tried arms, weighted by their priors, counted once for each pull. Without an evaluation only
//! that mean counts (1/2 if no arm is tried). Without priors all arms have equal priors. At the root, recommend by
//! pulls.

use crate::draw::fraction;
use crate::elimination::{Round, current_round, next_of_round, rest_of_round};
use crate::filled::{Filled, round_in_words, setting, shown};
use crate::halving::{round_of, rounds_of};
use crate::logarithm::{exp_real, ln_real};
use crate::policy::{PRIOR_MIN, mixed_value};
use crate::{About, Allowance, CONSTANTS, Count, Number, Recommend, Rng, Rule, Select, View, VisitSettings};

/// Gumbel search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    /// How many arms are considered at the root.
    pub considered: u32,
    /// The pulls that sigma adds to the most pulls of an arm: how much values count from the beginning.
    pub c_visit: f32,
    /// The factor of sigma: how much values count against priors.
    pub c_scale: f32,
    /// The factor of the Gumbel numbers.
    pub noise: f32,
    /// The seed of the Gumbel numbers, and the number of arms it was drawn for.
    drawn: (u64, usize),
}

impl Default for Gumbel {
    fn default() -> Gumbel {
        Gumbel::new(16, 50.0, 1.0)
    }
}

impl Gumbel {
    /// The most arms that can be considered: the most actions of a position.
    pub const CONSIDERED_MAX: u32 = 65_534;

    /// The rule, with its constants.
    pub fn new(considered: u32, c_visit: f32, c_scale: f32) -> Gumbel {
        Gumbel { considered, c_visit, c_scale, noise: 1.0, drawn: (0, 0) }
    }

    /// The same without random numbers: the first choice is the arm of the highest prior.
    pub fn without_noise(self) -> Gumbel {
        Gumbel { noise: 0.0, ..self }
    }

    /// The Gumbel number of an arm. It stays the same until another seed is drawn.
    fn number(&self, index: usize) -> f64 {
        if self.noise == 0.0 {
            return 0.0;
        }
        -ln_real(-ln_real(fraction(mixed(self.drawn.0 ^ mixed(index as u64 + 1))))) * f64::from(self.noise)
    }

    /// The choice at the root.
    fn select_by_rounds(&mut self, view: &View, rng: &mut Rng) -> usize {
        if self.noise > 0.0 && (view.total == 0 || self.drawn.1 != view.means.len()) {
            self.drawn = (rng.bits(), view.means.len());
        }
        let values = Values::of(self, view);
        let rank = |index| self.number(index) + values.logit(view, index);
        next_of_round(view, self.round(view).0, rank)
    }

    /// The current round at the root, and the budget.
    fn round(&self, view: &View) -> (Round, u64) {
        let considered = (self.considered.max(1) as usize).min(view.means.len());
        let rounds = rounds_of(considered);
        let budget = Allowance::Fixed.budget(view, (considered * rounds) as u64);
        (current_round(view, rounds, |index| round_of(index, considered, budget)), budget)
    }

    /// The choice below the root.
    fn select_by_shares(&self, view: &View) -> usize {
        let values = Values::of(self, view);
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, share) in self.shares(view, &values).enumerate() {
            let lack = lack(view, index, share);
            best = if lack > best.0 { (lack, index) } else { best };
        }
        best.1
    }

    /// The policy pi'.
    fn shares(&self, view: &View, values: &Values) -> impl Iterator<Item = f64> {
        let logits = || (0..view.means.len()).map(|index| values.logit(view, index));
        let highest = logits().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits().map(|logit| exp_real(logit - highest)).sum();
        logits().map(move |logit| exp_real(logit - highest) / sum)
    }
}

/// How much an arm lacks of its share of the pulls.
fn lack(view: &View, index: usize, share: f64) -> f64 {
    share - f64::from(view.pulls[index]) / (1.0 + f64::from(view.total))
}

/// Mixes bits, one to one, until they look random (the finalizer of SplitMix64).
fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// The values of the arms of one choice.
struct Values {
    /// The factor of sigma.
    scale: f64,
    /// The assumed value of an untried arm.
    untried: f64,
}

impl Values {
    fn of(rule: &Gumbel, view: &View) -> Values {
        let most = view.pulls.iter().copied().max().unwrap_or(0);
        let tried = (0..view.means.len()).filter(|&index| view.spreads[index] < f32::INFINITY);
        let of = |index| (view.pulls[index], f64::from(view.prior_of(index)), view.means[index]);
        let untried = mixed_value(tried.map(of), view.evaluation);
        Values { scale: (f64::from(rule.c_visit) + f64::from(most)) * f64::from(rule.c_scale), untried }
    }

    /// q: the mean, or what is assumed of an untried arm.
    fn mean(&self, view: &View, index: usize) -> f64 {
        if view.spreads[index] == f32::INFINITY { self.untried } else { view.means[index].into() }
    }

    /// ln prior + sigma(q).
    fn logit(&self, view: &View, index: usize) -> f64 {
        ln_real(f64::from(view.prior_of(index)).max(PRIOR_MIN)) + self.scale * self.mean(view, index)
    }
}

impl Rule for Gumbel {
    const ABOUT: About = About {
        tries_all_first: false,
        formula: "at the root g + ln p + σ(mean), round by round, with a Gumbel number g; below π'(a) - nᵢ / (1 + n), where π' is the softmax of ln p + σ(mean)",
        ..About::new("gumbel", "Gumbel search; all priors equal without a network", Recommend::MostPulls)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "considered",
            "how many actions the root considers",
            &mut Count(&mut self.considered, 1..=Gumbel::CONSIDERED_MAX),
        );
        visit(
            "c_visit",
            "how much values count from the first visits on",
            &mut Number(&mut self.c_visit, CONSTANTS),
        );
        visit("c_scale", "how much values count against priors", &mut Number(&mut self.c_scale, CONSTANTS));
        visit("noise", "the factor of the Gumbel noise", &mut Number(&mut self.noise, CONSTANTS));
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let values = Values::of(self, view);
        let (logit, mean, scale) = (values.logit(view, index), values.mean(view, index), shown(values.scale));
        let (most, sigma) = (view.pulls.iter().max().unwrap_or(&0), shown(values.scale * mean));
        let (visit, c_scale) = (setting(self.c_visit), setting(self.c_scale));
        let value =
            format!("σ(mean) = ({visit} + {most}) · {c_scale} · {} = {scale} · {0} = {sigma}", shown(mean));
        let prior = shown(f64::from(view.prior_of(index)).max(PRIOR_MIN));
        if view.depth > 0 {
            let (n, pulls) = (view.total, view.pulls[index]);
            let share = self.shares(view, &values).nth(index).unwrap_or(0.0);
            let lack = lack(view, index, share);
            let sum = format!(
                "π' = exp(ln {prior} + {sigma}) / the same of all actions, summed = {}",
                shown(share)
            );
            return Filled::equation("score", &format!("{} - {pulls} / (1 + {n})", shown(share)), lack)
                .after(sum)
                .after(value);
        }
        let (round, budget) = self.round(view);
        let round = round_in_words(view, round, budget);
        if self.noise > 0.0 && self.drawn.1 != view.means.len() {
            let unknown = format!("score = g + ln {prior} + {sigma} = g + {}", shown(logit));
            let why = "g is a random number of the action that only the running search knows.";
            return Filled::words(why.into()).after(unknown).after(value).after(round);
        }
        let number = self.number(index);
        let terms = format!("{} + ln {prior} + {sigma}", shown(number));
        Filled::equation("score", &terms, number + logit).after(value).after(round)
    }
}

impl Select for Gumbel {
    const READS_PRIOR: bool = true;

    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        if view.depth == 0 { self.select_by_rounds(view, rng) } else { self.select_by_shares(view) }
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        let (round, budget) = self.round(view);
        rest_of_round(view, round, arm, share, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elimination::tests::{payer, pulls_of};
    use crate::{Arm, Arms, Rng, Steady};
    use proptest::prelude::*;

    /// The rule considers 16 of 32 arms. Four rounds of 32 pulls leave them at 2, 6, 14 and, for the last two, 30.
    #[test]
    fn rounds_over_the_considered() {
        let (mut rule, mut rng, mut arms) = (Gumbel::default(), Rng::seeded(1), Arms::new(32));
        for left in (1..=128).rev() {
            let chosen = rule.select(&View { left: Some(left), ..arms.view() }, &mut rng);
            arms.add(chosen, if rng.unit() < 0.5 { 1.0 } else { 0.0 });
        }
        let mut pulls = arms.view().pulls.to_vec();
        pulls.sort();
        let mut expect = vec![0; 16];
        expect.extend([vec![2; 8], vec![6; 4], vec![14; 2], vec![30; 2]].concat());
        assert_eq!(pulls, expect);
    }

    proptest! {
        /// Once all rounds are done, every arm has the same pulls with rests as without.
        #[test]
        fn rests_leave_the_counts(seed: u64, count in 1usize..40, budget in 64u32..2_000) {
            let mut asked = pulls_of(&mut Gumbel::default(), count, payer(seed, count), budget);
            let mut rested = pulls_of(&mut Steady::new(Gumbel::default(), 4), count, payer(seed, count), budget);
            asked.sort();
            rested.sort();
            prop_assert_eq!(asked, rested);
        }
    }

    /// The arm with the highest g + ln prior is a draw by the priors.
    #[test]
    fn the_first_pull_is_drawn_by_the_prior() {
        let (arms, mut rng) = (Arms::new(3), Rng::seeded(2));
        let view = View { prior: &[0.1, 0.3, 0.6], ..arms.view() };
        let mut counts = [0; 3];
        (0..30_000).for_each(|_| counts[Gumbel::new(3, 50.0, 1.0).select(&view, &mut rng)] += 1);
        for (count, expect) in counts.into_iter().zip([3_000, 9_000, 18_000i32]) {
            assert!((count - expect).abs() < 400, "{counts:?}");
        }
    }

    /// Without noise the first pulls go down the priors, whatever the seed.
    #[test]
    fn the_first_pulls_follow_the_prior() {
        for seed in 0..20 {
            let (mut rule, mut rng, mut arms) =
                (Gumbel::new(3, 50.0, 1.0).without_noise(), Rng::seeded(seed), Arms::new(4));
            let prior = [0.1, 0.3, 0.05, 0.55];
            let mut chosen = Vec::new();
            for left in (1..=3).rev() {
                let view = View { prior: &prior, left: Some(left), ..arms.view() };
                chosen.push(rule.select(&view, &mut rng));
                arms.add(chosen[chosen.len() - 1], 0.5);
            }
            assert_eq!(chosen, [3, 1, 0]);
        }
    }

    /// The tried arms have means .2 and .1. The untried one gets their mean, .15; with an evaluation of .9 it gets
    /// (.9 + 2 x .15) / 3 = .4, and after two more pulls (.9 + 4 x .15) / 5 = .3.
    #[test]
    fn evaluations_count_once() {
        let arms: Arms =
            [(1, 0.2), (1, 0.1), (0, 0.0)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let rule = Gumbel::new(16, 2.0, 1.0 / 3.0);
        let untried = |view: &View| Values::of(&rule, view).untried;
        let view = View { depth: 1, total: 3, ..arms.view() };
        assert!((untried(&view) - 0.15).abs() < 1e-6);
        let view = View { evaluation: Some(0.9), ..view };
        assert!((untried(&view) - 0.4).abs() < 1e-6);
        let view = View { pulls: &[1, 3, 0], ..view };
        assert!((untried(&view) - 0.3).abs() < 1e-6);
    }

    /// Scale (2 + 4) / 3 = 2. Values .75, .25, and their mean .5 for the untried arm: logits 1.5, .5, 1, so shares
    /// .506, .186, .307. Of 6 pulls, 4 and 1 went to the first two: lacks .506 - 4/7 = -.065, .186 - 1/7 = .043,
    /// .307.
    #[test]
    fn shares_by_hand() {
        let arms: Arms =
            [(4, 0.75), (1, 0.25), (0, 0.0)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let view = View { depth: 1, total: 6, ..arms.view() };
        assert_eq!(Gumbel::new(16, 2.0, 1.0 / 3.0).select(&view, &mut Rng::seeded(0)), 2);
        let arms: Arms =
            [(4, 0.75), (1, 0.25), (2, 0.5)].map(|(pulls, mean)| Arm { pulls, mean }).into_iter().collect();
        let view = View { depth: 1, total: 6, ..arms.view() };
        assert_eq!(Gumbel::new(16, 2.0, 1.0 / 3.0).select(&view, &mut Rng::seeded(0)), 1);
    }
}
