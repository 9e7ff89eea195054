//! MC-RAVE (Gelly & Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011). It mixes
//! an arm's mean with the mean of the same choice made elsewhere (all moves as first, AMAF). The AMAF mean has many
//! more pulls, but measures something else. The more pulls an arm has of its own, the less AMAF counts.
//!
//! ```text
//! value = (1 - beta) mean + beta amaf + c sqrt(ln total / (n + 1))
//! ```
//!
//! with n the arm's own pulls and m its pulls elsewhere. With n + 1 instead of n, an arm with pulls elsewhere need not
//! be tried first. An arm without any pulls is tried first.
//!
//! RAVE explores by its AMAF statistics, and plays best with c = 0. Then an arm with a bad AMAF mean may never be
//! pulled again, even if it wins. So one pull in 64 goes to the arm with the fewest pulls, and every arm's own mean
//! settles in the end.

use crate::filled::{setting, shown};
use crate::logarithm::sqrt_ln;
use crate::vector::{Best, Cpu, LANES, Vector, arms_of_halves};
use crate::{
    About, Arm, CONSTANTS, Count, Filled, Number, Recommend, Rng, Rule, SHARES, Select, Slot, View,
    VisitSettings, spread,
};
use aji_cpu::dispatch;

/// The schedule of beta: how much pulls elsewhere count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// beta = sqrt(k / (3 n + k)): half at k pulls.
    HandPicked {
        /// The number of pulls at which both means count the same.
        k: f32,
    },
    /// beta = m / (n + m + 4 b^2 n m): the least squared error if the AMAF mean is off by b.
    MinimumError {
        /// The assumed error of the AMAF mean, for rewards in 0..=1.
        bias: f32,
    },
}

impl Schedule {
    /// The weight of a mean of `others` pulls elsewhere against a mean of `pulls` own pulls; 0 without others.
    #[inline(always)]
    pub fn beta(self, pulls: u32, others: u32) -> f32 {
        let (n, m) = (pulls as f32, others as f32);
        match self {
            _ if others == 0 => 0.0,
            Schedule::HandPicked { k } => (k / (3.0 * n + k)).sqrt(),
            Schedule::MinimumError { bias } => m / (n + m + 4.0 * bias * bias * n * m),
        }
    }
}

/// RAVE with a schedule and an exploration constant. Without pulls elsewhere it is much like [`Ucb1`](crate::Ucb1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rave {
    /// How much the rule favours uncertain arms, for rewards in 0..=1. RAVE explores by its AMAF statistics, so little
    /// or nothing is best.
    pub c: f32,
    /// How much pulls elsewhere count.
    pub schedule: Schedule,
    /// One pull in this many goes to the arm with the fewest pulls. 0 turns this off.
    pub every: u32,
}

impl Default for Rave {
    fn default() -> Rave {
        Rave { c: 0.0, schedule: Schedule::MinimumError { bias: 0.1 }, every: 64 }
    }
}

impl Rave {
    /// The first arm with the fewest pulls, if it is that arm's turn. Proven arms need no pulls.
    #[inline(always)]
    fn neglected(&self, view: &View) -> Option<usize> {
        if self.every == 0 || view.total == 0 || !view.total.is_multiple_of(self.every) {
            return None;
        }
        (0..view.means.len())
            .filter(|&index| view.spreads[index] != 0.0)
            .min_by_key(|&index| view.pulls[index])
    }

    /// The weight of an arm's AMAF mean.
    #[inline(always)]
    fn beta(&self, arm: Arm, amaf: Arm) -> f32 {
        if arm.pulls == 0 { 1.0 } else { self.schedule.beta(arm.pulls, amaf.pulls) }
    }

    /// The value that [`select`](Select::select) compares; infinite for an arm without any pulls, own or elsewhere.
    #[inline(always)]
    pub fn value(&self, view: &View, index: usize) -> f32 {
        let (pulls, mean) = (view.pulls[index], view.means[index]);
        // A proven value needs no estimate.
        if view.spreads[index] == 0.0 {
            return mean;
        }
        let amaf = amaf_of(view, index);
        if pulls == 0 && amaf.pulls == 0 {
            return f32::INFINITY;
        }
        let beta = self.beta(Arm { pulls, mean }, amaf);
        mean + beta * (amaf.mean - mean) + self.c * sqrt_ln(view.total) * spread(pulls + 1)
    }
}

/// The AMAF statistics of an arm; no pulls if the view has none.
#[inline(always)]
fn amaf_of(view: &View, index: usize) -> Arm {
    view.amaf.get(index).copied().unwrap_or(Arm { pulls: 0, mean: 0.0 })
}

/// The numbers of eight arms.
struct Chunk<'a> {
    means: &'a [f32; LANES],
    spreads: &'a [f32; LANES],
    pulls: &'a [u32; LANES],
    amaf: &'a [Arm; LANES],
}

/// The [values](Rave::value) of eight arms, equal to the last bit below 2^24 pulls.
#[inline(always)]
fn values<C: Cpu>(cpu: C, rule: &Rave, chunk: Chunk, width: f32) -> C::Vector {
    let (means, spreads, n) = (cpu.load(chunk.means), cpu.load(chunk.spreads), cpu.count(chunk.pulls));
    let [m, others] = cpu.arms(chunk.amaf);
    let (zero, one) = (cpu.splat(0.0), cpu.splat(1.0));
    let beta = match rule.schedule {
        Schedule::HandPicked { k } => {
            let k = cpu.splat(k);
            zero.where_or(m.equals(zero), (k / (cpu.splat(3.0) * n + k)).sqrt())
        }
        Schedule::MinimumError { bias } => {
            let all = n + m + cpu.splat(4.0 * bias * bias) * n * m;
            m / one.where_or(all.equals(zero), all)
        }
    };
    let beta = one.where_or(n.equals(zero), beta);
    let mut values = means + beta * (others - means);
    if width > 0.0 {
        values = values + cpu.splat(width) * (one / (n + one).sqrt());
    }
    let values = cpu.splat(f32::INFINITY).where_or((n + m).equals(zero), values);
    means.where_or(spreads.equals(zero), values)
}

/// The choice among more than eight arms that all have AMAF statistics. The last vector reads some arms twice.
#[inline(always)]
fn select_of_many_by<C: Cpu>(cpu: C, rule: &Rave, view: &View) -> usize {
    let (width, mut best) = (rule.c * sqrt_ln(view.total), Best::new(cpu));
    let chunks = view.means.as_chunks().0.iter().zip(view.spreads.as_chunks().0);
    let chunks = chunks.zip(view.pulls.as_chunks().0).zip(view.amaf.as_chunks().0);
    for (((means, spreads), pulls), amaf) in chunks {
        best.offer_next(values(cpu, rule, Chunk { means, spreads, pulls, amaf }, width));
    }
    if let (Some(means), Some(spreads), Some(pulls), Some(amaf)) =
        (view.means.last_chunk(), view.spreads.last_chunk(), view.pulls.last_chunk(), view.amaf.last_chunk())
    {
        let last = values(cpu, rule, Chunk { means, spreads, pulls, amaf }, width);
        best.offer_from(view.means.len() - LANES, last);
    }
    best.first()
}

/// The choice among four to eight arms that all have AMAF statistics: the first four, and the last four.
#[inline(always)]
fn select_of_few_by<C: Cpu>(cpu: C, rule: &Rave, view: &View) -> usize {
    let starts = [0, view.means.len() - LANES / 2];
    let chunk = Chunk {
        means: &halves(view.means, starts),
        spreads: &halves(view.spreads, starts),
        pulls: &halves(view.pulls, starts),
        amaf: &halves(view.amaf, starts),
    };
    let values = values(cpu, rule, chunk, rule.c * sqrt_ln(view.total));
    arms_of_halves(values.equals(values.highest()), starts).trailing_zeros() as usize
}

/// Four elements from each of two places.
#[inline(always)]
fn halves<T: Copy>(all: &[T], [low, high]: [usize; 2]) -> [T; LANES] {
    let half = |start: usize| *all[start..].first_chunk::<{ LANES / 2 }>().expect("four fit");
    let ([a, b, c, d], [e, f, g, h]) = (half(low), half(high));
    [a, b, c, d, e, f, g, h]
}

/// The choice among any arms.
fn select_one_by_one(rule: &Rave, view: &View) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for index in 0..view.means.len() {
        let value = rule.value(view, index);
        best = if value > best.0 { (value, index) } else { best };
    }
    best.1
}

impl Rave {
    dispatch! { fn select_of_many, select_of_many_v3(rule: &Rave, view: &View) -> usize = select_of_many_by }

    dispatch! { fn select_of_few, select_of_few_v3(rule: &Rave, view: &View) -> usize = select_of_few_by }
}

/// The bias of a schedule that has one.
struct Bias<'a>(&'a mut Schedule);

impl Slot<f32> for Bias<'_> {
    fn value(&self) -> Option<f32> {
        if let Schedule::MinimumError { bias } = *self.0 { Some(bias) } else { None }
    }

    fn put(&mut self, bias: f32) {
        *self.0 = Schedule::MinimumError { bias };
    }
}

/// The k of a schedule that has one.
struct PullsOfEqualWeight<'a>(&'a mut Schedule);

impl Slot<f32> for PullsOfEqualWeight<'_> {
    fn value(&self) -> Option<f32> {
        if let Schedule::HandPicked { k } = *self.0 { Some(k) } else { None }
    }

    fn put(&mut self, k: f32) {
        *self.0 = Schedule::HandPicked { k };
    }
}

impl Rule for Rave {
    const ABOUT: About = About {
        tries_all_first: false,
        prints_defaults: true,
        formula: "(1 - β) · mean + β · AMAF mean + c · √(ln n / (nᵢ + 1)), with β = m / (nᵢ + m + 4 bias² nᵢ m) or √(k / (3 nᵢ + k)), where m counts the arm's pulls elsewhere",
        alternatives: Some(("schedules", ["bias", "k"])),
        ..About::new(
            "rave",
            "means mixed with those of all moves as first, by bias or by k",
            Recommend::MostPulls,
        )
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "c",
            "how much the rule favours uncertain arms, for rewards from 0 to 1",
            &mut Number(&mut self.c, CONSTANTS),
        );
        visit(
            "bias",
            "the assumed error of the AMAF mean",
            &mut Number(&mut Bias(&mut self.schedule), SHARES),
        );
        visit(
            "k",
            "instead of bias: the pulls at which AMAF and own mean count equally",
            &mut Number(&mut PullsOfEqualWeight(&mut self.schedule), 1.0..=1e9),
        );
        visit(
            "every",
            "one pull in this many goes to the arm with the fewest; 0: none",
            &mut Count(&mut self.every, 0..=u32::MAX),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let (arm, amaf) = (view.arm(index), amaf_of(view, index));
        let number = self.value(view, index).into();
        let (n, m) = (arm.pulls, amaf.pulls);
        let beta = shown(self.beta(arm, amaf).into());
        let (mean, elsewhere, c) = (shown(arm.mean.into()), shown(amaf.mean.into()), setting(self.c));
        let width = format!("{c} · √(ln {} / ({n} + 1))", view.total);
        let terms = format!("(1 - {beta}) · {mean} + {beta} · {elsewhere} + {width}");
        let schedule = match self.schedule {
            _ if n == 0 => "without visits of its own β = 1".into(),
            _ if m == 0 => "without pulls elsewhere β = 0".into(),
            Schedule::HandPicked { k } => format!("β = √({k} / (3 · {n} + {k})) = {beta}"),
            Schedule::MinimumError { bias } => {
                format!("β = {m} / ({n} + {m} + 4 · {}² · {n} · {m}) = {beta}", setting(bias))
            }
        };
        let filled = Filled::equation("score", &terms, number).after(schedule);
        match self.neglected(view) {
            Some(_) => filled.after(format!(
                "Next is the action with the fewest visits, as at every {} visits.",
                self.every
            )),
            None => filled,
        }
    }
}

impl Select for Rave {
    const WANTS_AMAF: bool = true;

    /// The first arm with the highest value. At every `every`-th pull, the arm with the fewest pulls.
    #[inline]
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        if let Some(index) = self.neglected(view) {
            return index;
        }
        match view.means.len() {
            count if count < LANES / 2 || count != view.amaf.len() => select_one_by_one(self, view),
            ..=LANES => Rave::select_of_few(self, view),
            _ => Rave::select_of_many(self, view),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arms, Rng};
    use proptest::prelude::*;

    fn arm(pulls: u32, mean: f32) -> Arm {
        Arm { pulls, mean }
    }

    #[test]
    fn schedules_by_hand() {
        let check = |schedule: Schedule, pulls, others, expect: f32| {
            let beta = schedule.beta(pulls, others);
            assert!((beta - expect).abs() < 1e-6, "{schedule:?} of {pulls} and {others}: {beta}");
        };
        let hand_picked = Schedule::HandPicked { k: 100.0 };
        check(hand_picked, 0, 5, 1.0);
        check(hand_picked, 100, 5, 0.5);
        check(hand_picked, 100, 0, 0.0);
        check(Schedule::MinimumError { bias: 0.0 }, 10, 30, 0.75);
        check(Schedule::MinimumError { bias: 0.5 }, 10, 30, 30.0 / 340.0);
    }

    #[test]
    fn means_are_mixed() {
        let arms: Arms = [arm(10, 0.5), arm(0, 0.0), arm(10, 0.4)].into_iter().collect();
        let mut rule = Rave { schedule: Schedule::MinimumError { bias: 0.0 }, ..Rave::default() };
        let mut check = |amaf: &[Arm], value: f32, chosen: usize| {
            let view = View { amaf, ..arms.view() };
            assert!((rule.value(&view, 0) - value).abs() < 1e-6 || rule.value(&view, 0) == value);
            assert_eq!(rule.select(&view, &mut Rng::seeded(0)), chosen);
        };
        // No AMAF statistics: the untried arm.
        check(&[], 0.5, 1);
        check(&[arm(0, 0.0); 3], 0.5, 1);
        // Three quarters of 0.1 and one of 0.5; the untried arm has its AMAF mean.
        check(&[arm(30, 0.1), arm(30, 0.3), arm(30, 0.2)], 0.2, 1);
        check(&[arm(30, 0.1), arm(30, 0.1), arm(30, 0.2)], 0.2, 2);
        check(&[arm(30, 0.9), arm(30, 0.3), arm(30, 0.2)], 0.8, 0);
    }

    /// Exploration prefers arms with fewer pulls.
    #[test]
    fn uncertain_arms_are_favoured() {
        let arms: Arms = [arm(90, 0.5), arm(10, 0.4)].into_iter().collect();
        let amaf = [arm(100, 0.5), arm(100, 0.4)];
        let view = View { amaf: &amaf, ..arms.view() };
        let select = |c| Rave { c, ..Rave::default() }.select(&view, &mut Rng::seeded(0));
        assert_eq!((select(0.0), select(1.4)), (0, 1));
    }

    /// Every 64th pull goes to the unproven arm with the fewest pulls.
    #[test]
    fn no_arm_is_forgotten() {
        let arms: Arms = [arm(60, 0.5), arm(1, 0.1), arm(3, 0.1)].into_iter().collect();
        let amaf = [arm(100, 0.5), arm(100, 0.1), arm(100, 0.1)];
        let check = |spreads: &[f32], total, every, expect| {
            let view = View { amaf: &amaf, spreads, total, ..arms.view() };
            let chosen = Rave { every, ..Rave::default() }.select(&view, &mut Rng::seeded(0));
            assert_eq!(chosen, expect, "at {total} of {every}");
        };
        let spreads = arms.view().spreads.to_vec();
        check(&spreads, 63, 64, 0);
        check(&spreads, 64, 64, 1);
        check(&spreads, 65, 64, 0);
        check(&spreads, 64, 0, 0);
        check(&[spreads[0], 0.0, spreads[2]], 64, 64, 2);
        check(&[0.0, 0.0, 0.0], 64, 64, 0);
    }

    proptest! {
        /// The vector code chooses as the formula does arm by arm. Few distinct numbers make many ties and unknown
        /// arms.
        #[test]
        fn vectors_agree_with_the_formula(
            known in prop::collection::vec((0u32..4, 0u8..4, 0u32..4, 0u8..4), 1..60),
            c in 0f32..1.0,
            is_hand_picked: bool,
        ) {
            let k = 3.0;
            let schedule = if is_hand_picked { Schedule::HandPicked { k } } else { Schedule::MinimumError { bias: 0.2 } };
            let mean = |pulls: u32, quarter: u8| if pulls == 0 { 0.0 } else { f32::from(quarter) / 4.0 };
            let arms: Arms = known.iter().map(|&(n, mean_of, ..)| arm(n, mean(n, mean_of))).collect();
            let amaf: Vec<Arm> = known.iter().map(|&(.., m, mean_of)| arm(m, mean(m, mean_of))).collect();
            let view = View { amaf: &amaf, ..arms.view() };
            for c in [0.0, c] {
                let mut rule = Rave { c, schedule, every: 0 };
                let mut best = (f32::NEG_INFINITY, 0);
                for index in 0..known.len() {
                    let value = rule.value(&view, index);
                    best = if value > best.0 { (value, index) } else { best };
                }
                prop_assert_eq!(rule.select(&view, &mut Rng::seeded(0)), best.1);
            }
        }
    }
}
