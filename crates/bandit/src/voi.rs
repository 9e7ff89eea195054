//! Value of information (Tolpin & Shimony, VOI-aware MCTS, 2012): pull the arm whose further pulls could improve the
//! final choice the most.
//!
//! Let alpha be the arm of the best mean and beta the best of the others. N pulls are left, and X and n are an arm's
//! mean and pulls. If one arm got all remaining pulls, the gain would be at most (equations 2 and 3)
//!
//! ```text
//! alpha:      N / (N + n) * X_beta        * 2 exp(-phi(n) n (X_alpha - X_beta)^2)
//! any other:  N / (N + n) * (1 - X_alpha) * 2 exp(-phi(n) n (X_alpha - X)^2)
//! with        phi(n) = 2 ((1 + n/N) / (1 + sqrt(n/N)))^2
//! ```
//!
//! phi is above 1.37 for every N. With that, and N / n for N / (N + n), the bounds become equation 4. There N is a
//! factor of every arm, so the rule does not depend on the budget. The code compares logarithms, since the
//! exponential underflows.
//!
//! Under this rule alpha and beta get about the same number of pulls: recommend by the (posterior) mean, never by
//! pulls. A [proven](crate::Block::prove) arm is worth no pull.

use crate::filled::shown;
use crate::logarithm::{exp_real, ln_of_eight, ln_of_one, ln_real};
use crate::vector::{Cpu, LANES, Mask, Vector};
use crate::{About, Filled, Number, Recommend, Rng, Rule, SHARES, Select, View, VisitSettings, Word};
use aji_cpu::dispatch;

/// The constant printed in equation 4: a lower bound on phi, which is at least 1.3725830020.
const PHI_MIN: f64 = 1.37;

/// Which of the paper's bounds on the value the rule compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueBound {
    /// Equation 4, which needs no budget.
    #[default]
    Simple,
    /// Equations 2 and 3; equation 4 if the number of remaining pulls is not known.
    Phi,
}

impl ValueBound {
    /// The logarithm of the bound for an arm with this many pulls, and this many left. `stake` is the possible gain
    /// (X_beta for alpha, 1 - X_alpha for others). `difference` is the distance that its mean would have to make up.
    pub fn ln_value(self, stake: f64, difference: f64, pulls: f64, left: f64) -> f64 {
        let (share, phi) = match self {
            ValueBound::Simple => (left / pulls, PHI_MIN),
            ValueBound::Phi => {
                let ratio = pulls / left;
                let root = (1.0 + ratio) / (1.0 + ratio.sqrt());
                (left / (left + pulls), 2.0 * root * root)
            }
        };
        if left > 0.0 {
            ln_real(2.0 * share * stake) - phi * difference * difference * pulls
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// Which of several arms with the best mean is alpha. It matters with few pulls: up to 256 pulls of 32 arms `Random`
/// has more simple regret than `First` and `Most`, which are alike. Beyond, all three are alike
/// (`papers/tolpin2012/results`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Any of them, drawn again for every pull.
    #[default]
    Random,
    /// The most pulled.
    Most,
    /// The first.
    First,
}

const BOUNDS: &[(&str, ValueBound)] = &[("simple", ValueBound::Simple), ("phi", ValueBound::Phi)];

const TIES: &[(&str, Ties)] = &[("random", Ties::Random), ("most", Ties::Most), ("first", Ties::First)];

/// The rule. Untried arms come first, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Voi {
    /// The bound to compare.
    pub bound: ValueBound,
    /// Which of equal arms is alpha.
    pub ties: Ties,
    /// Pulls stop when no arm's value reaches this, if the number of remaining pulls is known. 0 never stops.
    pub stop: f32,
}

/// The leading arms.
#[derive(Clone, Copy, Debug)]
struct Leaders {
    alpha: usize,
    /// The best mean, alpha's.
    best: f32,
    /// The best mean of the others; 0 without others, so that nothing is at stake.
    second: f32,
}

impl Voi {
    /// The value of giving all remaining pulls (1 if not known) to each arm, by this rule's bound. It is infinite for
    /// untried arms and 0 for proven ones. The first of equal best arms is alpha.
    pub fn values(&self, view: &View) -> Vec<f64> {
        let leaders = leaders(view, Ties::First, &mut Rng::seeded(0));
        (0..view.means.len()).map(|index| exp_real_or_infinite(self.ln_value(view, leaders, index))).collect()
    }

    /// The logarithm of one arm's value.
    fn ln_value(&self, view: &View, leaders: Leaders, index: usize) -> f64 {
        let spread = f64::from(view.spreads[index]);
        if spread == 0.0 {
            return f64::NEG_INFINITY;
        }
        let [best, second, mean] = [leaders.best, leaders.second, view.means[index]].map(f64::from);
        let (stake, difference) =
            if index == leaders.alpha { (second, best - second) } else { (1.0 - best, best - mean) };
        // From the spread instead of the pulls, because the spread also counts pending pulls.
        let pulls = 1.0 / (spread * spread);
        match (self.bound, view.left) {
            _ if spread == f64::INFINITY => f64::INFINITY,
            (bound, Some(left)) => bound.ln_value(stake, difference, pulls, left.into()),
            (_, None) => ValueBound::Simple.ln_value(stake, difference, pulls, 1.0),
        }
    }

    /// The choice in double precision, arm by arm.
    fn select_plainly(&self, view: &View, rng: &mut Rng) -> usize {
        let untried = view.spreads.iter().position(|&spread| spread == f32::INFINITY);
        untried.unwrap_or_else(|| self.choose_plainly(view, leaders(view, self.ties, rng)))
    }

    /// The same, if all arms have been tried.
    #[inline(never)]
    fn choose_plainly(&self, view: &View, leaders: Leaders) -> usize {
        // Equation 4 does not depend on the number of remaining pulls, which may be 0.
        let left = if self.bound == ValueBound::Simple { None } else { view.left };
        let view = View { left: left.map(|left| left.max(1)), ..*view };
        let mut highest = (f64::NEG_INFINITY, None);
        for index in 0..view.means.len() {
            let value = self.ln_value(&view, leaders, index);
            highest = if value > highest.0 { (value, Some(index)) } else { highest };
        }
        highest.1.unwrap_or_else(|| less_known(&view, leaders))
    }
}

fn exp_real_or_infinite(x: f64) -> f64 {
    if x == f64::INFINITY { x } else { exp_real(x) }
}

/// If no arm seems worth a pull: the less pulled of alpha and beta. A proven arm only if both are.
#[cold]
fn less_known(view: &View, leaders: Leaders) -> usize {
    let is_beta = |&index: &usize| index != leaders.alpha && view.means[index] == leaders.second;
    let beta = (0..view.means.len()).find(is_beta).unwrap_or(leaders.alpha);
    if view.spreads[beta] > view.spreads[leaders.alpha] { beta } else { leaders.alpha }
}

/// The leaders, arm by arm.
fn leaders(view: &View, ties: Ties, rng: &mut Rng) -> Leaders {
    let best = view.means.iter().copied().fold(0.0, f32::max);
    let alpha = alpha_of(view, best, ties, rng);
    let others = view.means.iter().enumerate().filter(|(index, _)| *index != alpha);
    Leaders { alpha, best, second: others.map(|(_, &mean)| mean).fold(0.0, f32::max) }
}

/// Which of the arms with the best mean is alpha.
fn alpha_of(view: &View, best: f32, ties: Ties, rng: &mut Rng) -> usize {
    let mut equals = (0..view.means.len()).filter(|&index| view.means[index] == best);
    let alpha = match ties {
        Ties::First => equals.next(),
        // The smallest spread, the first of equals.
        Ties::Most => {
            equals.reduce(|most, next| if view.spreads[next] < view.spreads[most] { next } else { most })
        }
        Ties::Random => {
            let count = equals.clone().count();
            equals.nth(rng.below(count.max(1)))
        }
    };
    alpha.unwrap_or(0)
}

/// The arms in vectors. The two halves of a vector are read separately, so that seven arms fill one: some are read
/// twice. `ONE` tells the compiler that one vector is enough.
struct Vectors<'a, C, const ONE: bool> {
    cpu: C,
    /// At least four, and at most eight for one vector.
    means: &'a [f32],
    spreads: &'a [f32],
}

impl<'a, C: Cpu, const ONE: bool> Vectors<'a, C, ONE> {
    #[inline(always)]
    fn new(cpu: C, view: &View<'a>) -> Vectors<'a, C, ONE> {
        Vectors { cpu, means: view.means, spreads: &view.spreads[..view.means.len()] }
    }

    #[inline(always)]
    fn count(&self) -> usize {
        if ONE { 1 } else { self.means.len().div_ceil(LANES) }
    }

    /// The first arms of a vector's two halves.
    #[inline(always)]
    fn starts(&self, vector: usize) -> [usize; 2] {
        let start = if ONE { 0 } else { (LANES * vector).min(self.means.len() - LANES) };
        [start, if ONE { self.means.len() - LANES / 2 } else { start + LANES / 2 }]
    }

    #[inline(always)]
    fn means(&self, vector: usize) -> C::Vector {
        self.read(self.means, vector)
    }

    #[inline(always)]
    fn spreads(&self, vector: usize) -> C::Vector {
        self.read(self.spreads, vector)
    }

    #[inline(always)]
    fn read(&self, numbers: &[f32], vector: usize) -> C::Vector {
        let starts = self.starts(vector);
        if ONE {
            self.cpu.load_halves(numbers, starts)
        } else {
            self.cpu.load(numbers[starts[0]..].first_chunk().expect("a vector fits"))
        }
    }

    /// The indices of a vector's arms as f32.
    #[inline(always)]
    fn indices(&self, vector: usize) -> C::Vector {
        self.cpu.indices(self.starts(vector))
    }

    /// The arms of these lanes, as bits from the vector's first arm on, without those of earlier vectors.
    #[inline(always)]
    fn arms(&self, vector: usize, lanes: u32) -> u32 {
        let [low, high] = self.starts(vector);
        let seen = LANES * vector - low;
        ((lanes & 15) | (lanes >> 4) << (high - low)) >> seen << seen
    }

    /// The leaders; `None` if an arm is untried.
    #[inline(always)]
    fn leaders(&self, view: &View, ties: Ties, rng: &mut Rng) -> Option<Leaders> {
        let (mut means, mut spreads) = (self.means(0), self.spreads(0));
        for vector in 1..self.count() {
            means = means.max(self.means(vector));
            spreads = spreads.max(self.spreads(vector));
        }
        if spreads.equals(self.cpu.splat(f32::INFINITY)).bits() != 0 {
            return None;
        }
        let (best, zero) = (means.highest(), self.cpu.splat(0.0));
        let (mut equals, mut first, mut second) = (0, 0, zero);
        for vector in (0..self.count()).rev() {
            let means = self.means(vector);
            let is_best = means.equals(best);
            second = second.max(zero.where_or(is_best, means));
            let arms = self.arms(vector, is_best.bits());
            if arms != 0 {
                equals += arms.count_ones();
                first = self.starts(vector)[0] + arms.trailing_zeros() as usize;
            }
        }
        let best = best.first();
        if equals == 1 {
            Some(Leaders { alpha: first, best, second: second.highest().first() })
        } else {
            Some(Leaders { alpha: alpha_of(view, best, ties, rng), best, second: best })
        }
    }

    /// The choice by equation 4. Every arm's value is divided by 1 - X_alpha, so that this factor concerns alpha
    /// alone.
    #[inline(always)]
    fn choose(&self, view: &View, leaders: Leaders) -> usize {
        let (Leaders { alpha, best, second }, cpu) = (leaders, self.cpu);
        // Nothing beats a mean of 1: only pulls of alpha could teach anything.
        if best >= 1.0 {
            let worth = second > 0.0 && self.spreads[alpha] > 0.0;
            return if worth { alpha } else { less_known(view, leaders) };
        }
        let factor = if second > 0.0 { ln_of_one(second / (1.0 - best)) } else { f32::NEG_INFINITY };
        let (mut highest, mut found) = (cpu.splat(f32::NEG_INFINITY), cpu.splat(0.0));
        for vector in 0..self.count() {
            let (spreads, indices) = (self.spreads(vector), self.indices(vector));
            // The CPU can compute these before the leaders are known.
            let square = spreads * spreads;
            let (ln_square, scale) = (ln_of_eight(cpu, square), cpu.splat(-PHI_MIN as f32) / square);
            let is_alpha = indices.equals(cpu.splat(alpha as u32 as f32));
            let mean = cpu.splat(second).where_or(is_alpha, self.means(vector));
            let difference = cpu.splat(best) - mean;
            let factor = cpu.splat(factor).where_or(is_alpha, cpu.splat(0.0));
            let value = ln_square + factor + scale * difference * difference;
            let value = value.where_or(square.exceeds(cpu.splat(0.0)), cpu.splat(f32::NEG_INFINITY));
            if !ONE {
                found = indices.where_or(value.exceeds(highest), found);
            }
            highest = highest.max(value);
        }
        let top = highest.highest();
        if top.first() == f32::NEG_INFINITY {
            return less_known(view, leaders);
        }
        let lanes = highest.equals(top).bits();
        if ONE {
            return self.arms(0, lanes).trailing_zeros() as usize;
        }
        found.to_array()[lanes.trailing_zeros() as usize % LANES] as usize
    }

    /// The choice, in vectors except for the exact phi; `None` if an arm is untried.
    #[inline(always)]
    fn select(&self, rule: &Voi, view: &View, rng: &mut Rng) -> Option<usize> {
        let leaders = self.leaders(view, rule.ties, rng)?;
        Some(match (rule.bound, view.left) {
            (ValueBound::Phi, Some(_)) => rule.choose_plainly(view, leaders),
            _ => self.choose(view, leaders),
        })
    }
}

#[inline(always)]
fn select_by<C: Cpu>(cpu: C, rule: &Voi, view: &View, rng: &mut Rng) -> usize {
    let chosen = match view.means.len() {
        0..4 => None,
        4..=LANES => Vectors::<C, true>::new(cpu, view).select(rule, view, rng),
        _ => Vectors::<C, false>::new(cpu, view).select(rule, view, rng),
    };
    chosen.unwrap_or_else(|| rule.select_plainly(view, rng))
}

impl Voi {
    dispatch! { fn select_here, select_v3(rule: &Voi, view: &View, rng: &mut Rng) -> usize = select_by }
}

impl Rule for Voi {
    const ABOUT: About = About {
        formula: "N / nᵢ · gain · 2 exp(-φ · nᵢ · d²), with N pulls left, d the distance that the mean would have to make up, and gain what that would bring; φ = 1.37, or with bound=phi N / (N + nᵢ) in place of N / nᵢ and φ = 2 ((1 + nᵢ/N) / (1 + √(nᵢ/N)))²",
        ..About::new("voi", "value of information", Recommend::PosteriorMean)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit("bound", "the bound on the value of information", &mut Word(&mut self.bound, BOUNDS));
        visit(
            "ties",
            "which of the arms with the highest mean counts as the best",
            &mut Word(&mut self.ties, TIES),
        );
        visit(
            "stop",
            "stops when no arm's value of information reaches this; 0: never",
            &mut Number(&mut self.stop, SHARES),
        );
    }

    /// Of equal best arms the first counts as the best, whatever the setting.
    fn fill(&self, view: &View, index: usize) -> Filled {
        let leaders = leaders(view, Ties::First, &mut Rng::seeded(0));
        let number = exp_real_or_infinite(self.ln_value(view, leaders, index));
        let (pulls, left) = (view.pulls[index], view.left.unwrap_or(1));
        let (best, second, mean) = (leaders.best, leaders.second, view.means[index]);
        let [b, s, m] = [best, second, mean].map(|mean| shown(mean.into()));
        let (gain, d, why) = match index == leaders.alpha {
            true => (second, best - second, format!("gain = {s}, d = {b} - {s}")),
            false => (1.0 - best, best - mean, format!("gain = 1 - {b}, d = {b} - {m}")),
        };
        let [gain, d] = [gain, d].map(|number| shown(number.into()));
        let (share, phi) = match (self.bound, view.left) {
            (ValueBound::Phi, Some(_)) => {
                let ratio = format!("{pulls}/{left}");
                (format!("{left} / ({left} + {pulls})"), format!("2 · ((1 + {ratio}) / (1 + √({ratio})))²"))
            }
            _ => (format!("{left} / {pulls}"), PHI_MIN.to_string()),
        };
        let terms = format!("{share} · {gain} · 2 · exp(-{phi} · {pulls} · {d}²)");
        Filled::equation("score", &terms, number).after(why)
    }
}

impl Select for Voi {
    #[inline(always)]
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        Voi::select_here(self, view, rng)
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }

    fn enough(&self, view: &View) -> bool {
        let values = || self.values(view).into_iter().fold(0.0, f64::max);
        self.stop > 0.0 && view.left.is_some() && values() < self.stop.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms, Block, Rng};
    use proptest::prelude::*;

    /// The means .8 .6 .5 .1 of 10, 5, 4 and 2 pulls, with 100 left: the stake is .6 for the first and .2 for others.
    #[test]
    fn golden_values() {
        let arms = [(0.6, 0.2, 10.0), (0.2, 0.2, 5.0), (0.2, 0.3, 4.0), (0.2, 0.7, 2.0)];
        let check = |bound: ValueBound, expect: [f64; 4]| {
            for ((stake, difference, pulls), expect) in arms.into_iter().zip(expect) {
                let found = bound.ln_value(stake, difference, pulls, 100.0).exp();
                assert!((found - expect).abs() < 1e-8, "{bound:?}: {found} is not {expect}");
            }
        };
        check(ValueBound::Simple, [6.937258376, 6.082656602, 6.106691230, 5.223315082]);
        check(ValueBound::Phi, [0.6239200006, 0.2837595519, 0.2239547078, 0.0819805010]);
        let means = [0.8, 0.6, 0.5, 0.1];
        let arms: Arms = [10, 5, 4, 2].iter().zip(means).map(|(&pulls, mean)| Arm { pulls, mean }).collect();
        let view = View { left: Some(100), ..arms.view() };
        let found = Voi { bound: ValueBound::Phi, ..Voi::default() }.values(&view);
        assert!(
            (found[0] - 0.6239200006).abs() < 1e-6 && (found[3] - 0.0819805010).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(Voi::default().select(&view, &mut Rng::seeded(0)), 0);
    }

    /// phi is smallest at n/N = 3 - 2 sqrt 2, where it is 24 - 16 sqrt 2 = 1.3725830020.
    #[test]
    fn phi_stays_above_its_bound() {
        let phi = |pulls: f64| {
            (ValueBound::Phi.ln_value(1.0, 0.0, pulls, 1e6) - ValueBound::Phi.ln_value(1.0, 1.0, pulls, 1e6))
                / pulls
        };
        let least = (1..100_000).map(|step| phi(f64::from(step) * 10.0)).fold(f64::INFINITY, f64::min);
        assert!((least - 1.372583002).abs() < 1e-8, "{least}");
        assert!((phi(171_572.875_3) - least).abs() < 1e-9);
    }

    fn arms_of(arms: &[(u32, f32)]) -> Arms {
        arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect()
    }

    #[test]
    fn edges_of_the_formula() {
        let check = |arms: &[(u32, f32)], expect: &[usize]| {
            for bound in [ValueBound::Simple, ValueBound::Phi] {
                let view_arms = arms_of(arms);
                let view = View { left: Some(50), ..view_arms.view() };
                let chosen = Voi { bound, ties: Ties::First, stop: 0.0 }.select(&view, &mut Rng::seeded(0));
                assert!(expect.contains(&chosen), "{bound:?} of {arms:?}: {chosen}");
            }
        };
        check(&[(7, 0.3)], &[0]);
        check(&[(7, 0.5), (6, 0.5)], &[1]);
        // Nothing is at stake: the less pulled of the best two.
        for others in 0..9 {
            let mut arms = vec![(9, 1.0), (5, 0.0)];
            arms.extend(vec![(8, 0.0); others]);
            check(&arms, &[1]);
        }
        // Means of 0: alpha has nothing to lose, and the least pulled of the others is next.
        check(&[(5, 0.0), (4, 0.0), (3, 0.0), (4, 0.0), (6, 0.0)], &[2]);
        // Means of 1: the others have nothing to gain.
        check(&[(5, 1.0), (4, 1.0), (3, 1.0), (4, 1.0), (6, 1.0)], &[0]);
        check(
            &[(1_000_000_000, 0.5), (1_000_000_000, 0.4), (1_000_000_000, 0.3), (900_000_000, 0.5)],
            &[0, 3],
        );
    }

    #[test]
    fn settled_arms_are_not_pulled() {
        for count in [2, 3, 7, 12] {
            let mut words: Vec<u32> = crate::untried_words(count).collect();
            let mut block = Block::new(&mut words);
            (0..count).for_each(|index| block.set(index, Arm { pulls: 9, mean: 0.1 * (index % 8) as f32 }));
            (0..count - 1).for_each(|index| block.prove(index, 0.75));
            let view = View::new(&words, 9 * count as u32);
            assert_eq!(Voi::default().select(&view, &mut Rng::seeded(1)), count - 1);
        }
    }

    #[test]
    fn ties_by_their_rule() {
        let arms = arms_of(&[(4, 0.1), (5, 0.6), (8, 0.6), (8, 0.6), (2, 0.2)]);
        let alpha = |ties, seed| leaders(&arms.view(), ties, &mut Rng::seeded(seed)).alpha;
        assert_eq!((alpha(Ties::First, 0), alpha(Ties::Most, 0)), (1, 2));
        let drawn: Vec<usize> = (0..300).map(|seed| alpha(Ties::Random, seed)).collect();
        assert!((1..4).all(|arm| (70..130).contains(&drawn.iter().filter(|&&drawn| drawn == arm).count())));
    }

    #[test]
    fn stops_when_nothing_is_to_be_won() {
        let clear = arms_of(&[(400, 0.9), (400, 0.2)]);
        let close = arms_of(&[(400, 0.52), (400, 0.5)]);
        let rule = Voi { stop: 1e-6, ..Voi::default() };
        let enough = |rule: Voi, arms: &Arms, left| rule.enough(&View { left, ..arms.view() });
        assert!(enough(rule, &clear, Some(1_000)) && !enough(rule, &close, Some(1_000)));
        assert!(!enough(rule, &clear, None) && !enough(Voi::default(), &clear, Some(1_000)));
        assert!(!enough(rule, &arms_of(&[(400, 0.9), (0, 0.0)]), Some(1_000)));
    }

    /// Arms as in a search: means are sums by pulls; some arms are proven.
    fn blocks() -> impl Strategy<Value = Vec<u32>> {
        let arm = (1u32..2_000, 0f32..=1.0, 0..20).prop_map(|(pulls, mean, kind)| {
            let mean = (mean * pulls as f32).round() / pulls as f32;
            (Arm { pulls: if kind == 1 { pulls * 1_000_000 } else { pulls }, mean }, kind == 0)
        });
        prop::collection::vec(arm, 1..40).prop_map(|arms| {
            let mut words: Vec<u32> = crate::untried_words(arms.len()).collect();
            let mut block = Block::new(&mut words);
            for (index, (arm, proven)) in arms.into_iter().enumerate() {
                block.set(index, arm);
                if proven {
                    block.prove(index, arm.mean);
                }
            }
            words
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// The vectors' choice has the highest value, up to single precision.
        #[test]
        fn vectors_choose_as_double_precision_does(words in blocks(), ties in 0usize..3) {
            let view = View::new(&words, 1);
            let rule = Voi { ties: [Ties::First, Ties::Most, Ties::Random][ties], ..Voi::default() };
            let leaders = leaders(&view, rule.ties, &mut Rng::seeded(3));
            let (chosen, plain) = ({ rule }.select(&view, &mut Rng::seeded(3)), rule.choose_plainly(&view, leaders));
            let value = |index| rule.ln_value(&view, leaders, index);
            let (found, best) = (value(chosen), value(plain));
            prop_assert!(found == best || best - found < 1e-4 + 1e-6 * best.abs(), "{} {} {} {}", chosen, plain, found, best);
        }

        /// The budget is a factor of all values of equation 4.
        #[test]
        fn the_simple_rule_does_not_depend_on_the_budget(words in blocks(), left in 1u32..) {
            let view = View::new(&words, 1);
            let select = |left| Voi::default().select(&View { left, ..view }, &mut Rng::seeded(3));
            prop_assert_eq!(select(None), select(Some(left)));
            // The budget scales every value alike, so the ratio of any two arms does not depend on it.
            let leaders = leaders(&view, Ties::First, &mut Rng::seeded(3));
            let value = |left, index| Voi::default().ln_value(&View { left: Some(left), ..view }, leaders, index);
            for index in 0..view.means.len() {
                let gain = value(left, index) - value(1, index);
                let close = (gain - f64::from(left).ln()).abs() < 1e-9 * (1.0 + value(1, index).abs());
                prop_assert!(close || value(1, index) == f64::NEG_INFINITY, "{}", gain);
            }
        }
    }
}
