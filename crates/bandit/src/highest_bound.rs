//! The hottest loop of a search: which arm has the highest mean + width * spread?
//!
//! It works on vectors of arms, without branches that depend on their numbers. If the number of arms is not a
//! multiple of the vector's lanes, the last vector reads some arms twice, which does not change a maximum.

use crate::View;
#[cfg(target_arch = "x86_64")]
use crate::vector::Half;
use crate::vector::{Best, Cpu, LANES, Vector, arms_of_halves};
use aji_cpu::{Portable, dispatch};

/// The code that is compiled for more than one CPU.
struct Scan;

impl Scan {
    dispatch! { fn of_many, of_many_v3(means: &[f32], spreads: &[f32], width: f32) -> usize = of_many_by }

    dispatch! { fn in_turn_of_few, in_turn_of_few_v3(means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) = in_turn_of_few_by }

    dispatch! { fn in_turn_of_many, in_turn_of_many_v3(means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) = in_turn_of_many_by }
}

/// The first arm with the highest `mean + width * spread`. There must be an arm. `width` must be above 0, so that
/// untried arms, of infinite spread, come first. If arms were not tried in order, it may be any untried arm.
#[inline(always)]
pub(crate) fn highest_bound(view: &View, width: f32) -> usize {
    debug_assert!(!view.means.is_empty() && width > 0.0);
    if let Some(untried) = next_of_first_sweep(view) {
        return untried;
    }
    match view.means.len() {
        0..4 => of_few(view, width),
        4..=8 => of_at_most_eight(view, width),
        _ => of_many(view.means, view.spreads, width),
    }
}

/// During the first sweep, in order, the number of pulls gives the next arm without a scan. The simulation that made
/// a node pulled none of its arms, so the count may be one lower.
#[inline(always)]
fn next_of_first_sweep(view: &View) -> Option<usize> {
    let is_untried = |index: usize| view.spreads[index] == f32::INFINITY;
    if !is_untried(view.spreads.len() - 1) {
        return None;
    }
    let is_next = |index: usize| {
        index < view.spreads.len() && is_untried(index) && (index == 0 || !is_untried(index - 1))
    };
    let total = view.total as usize;
    [total.wrapping_sub(1), total].into_iter().find(|&index| is_next(index))
}

#[inline(always)]
fn of_few(view: &View, width: f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, (mean, spread)) in view.means.iter().zip(view.spreads).enumerate() {
        let bound = mean + width * spread;
        best = if bound > best.0 { (bound, index) } else { best };
    }
    best.1
}

/// For four to eight arms: the first four, and the last four.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn of_at_most_eight(view: &View, width: f32) -> usize {
    let last = view.means.len() - 4;
    let load = |numbers: &[f32], start| Half::load(numbers[start..].first_chunk().expect("four fit"));
    let bounds = |start| load(view.means, start) + Half::splat(width) * load(view.spreads, start);
    let (front, back) = (bounds(0), bounds(last));
    let highest = front.max(back).highest();
    (front.bits_where_equal(highest) | back.bits_where_equal(highest) << last).trailing_zeros() as usize
}

#[cfg(not(target_arch = "x86_64"))]
use of_few as of_at_most_eight;

/// For more than eight arms. Not inlined: the code is long, and with this many arms a call costs nothing. A reference
/// to the whole view would make the caller write it to memory.
#[inline(never)]
fn of_many(means: &[f32], spreads: &[f32], width: f32) -> usize {
    Scan::of_many(means, spreads, width)
}

/// The scan on this CPU. The last vector reads some arms twice.
#[inline(always)]
fn of_many_by<C: Cpu>(cpu: C, means: &[f32], spreads: &[f32], width: f32) -> usize {
    let bounds =
        |means: &[f32; LANES], spreads: &[f32; LANES]| cpu.load(means) + cpu.splat(width) * cpu.load(spreads);
    let mut best = Best::new(cpu);
    for (means, spreads) in means.as_chunks().0.iter().zip(spreads.as_chunks().0) {
        best.offer_next(bounds(means, spreads));
    }
    if let (Some(last_means), Some(last_spreads)) = (means.last_chunk(), spreads.last_chunk()) {
        best.offer_from(means.len() - LANES, bounds(last_means, last_spreads));
    }
    best.first()
}

/// The arms of several pulls. Each choice counts the earlier ones as [one more pull](crate::spread_of_one_more) of
/// their arms. Works only for up to 32 arms or during a first sweep, and otherwise returns false.
#[inline(always)]
pub(crate) fn highest_bounds(view: &View, width: f32, picks: &mut [u16]) -> bool {
    let count = view.means.len();
    if let Some(untried) = next_of_first_sweep(view)
        && untried + picks.len() <= count
    {
        (untried..).zip(picks).for_each(|(index, pick)| *pick = index as u16);
        return true;
    }
    match count {
        0..4 => in_turn_of_three(view, width, picks),
        4..=8 => Scan::in_turn_of_few(view.means, view.spreads, width, picks),
        9..=32 => in_turn_of_many(view.means, view.spreads, width, picks),
        _ => return false,
    }
    true
}

/// For up to three arms.
#[inline(always)]
fn in_turn_of_three(view: &View, width: f32, picks: &mut [u16]) {
    let mut spreads = [0.0; 3];
    let spreads = &mut spreads[..view.spreads.len()];
    spreads.copy_from_slice(view.spreads);
    for pick in picks {
        let chosen = of_few(&View { spreads, ..*view }, width);
        spreads[chosen] = crate::spread_of_one_more(spreads[chosen]);
        *pick = chosen as u16;
    }
}

/// For four to eight arms.
#[inline(always)]
fn in_turn_of_few_by<C: Cpu>(cpu: C, means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) {
    if C::IS_PORTABLE {
        return in_turn_of_few_portably(means, spreads, width, picks);
    }
    in_turn(cpu, [means, spreads], width, picks, [[0, means.len() - 4]]);
}

/// Not inlined: otherwise the code for a [`V3`](aji_cpu::V3) would contain both loops.
#[inline(never)]
fn in_turn_of_few_portably(means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) {
    in_turn(Portable, [means, spreads], width, picks, [[0, means.len() - 4]]);
}

/// Not inlined: the code is long, and with this many arms a call costs nothing.
#[inline(never)]
fn in_turn_of_many(means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) {
    Scan::in_turn_of_many(means, spreads, width, picks)
}

#[inline(always)]
fn in_turn_of_many_by<C: Cpu>(cpu: C, means: &[f32], spreads: &[f32], width: f32, picks: &mut [u16]) {
    let count = means.len();
    match count {
        9..=16 => in_turn(cpu, [means, spreads], width, picks, [[0, 4], [count - 8, count - 4]]),
        17..=24 => in_turn(cpu, [means, spreads], width, picks, [[0, 4], [8, 12], [count - 8, count - 4]]),
        _ => {
            in_turn(cpu, [means, spreads], width, picks, [[0, 4], [8, 12], [16, 20], [count - 8, count - 4]])
        }
    }
}

/// Picks one arm after another. Everything stays in registers, since a store to memory would stall the next pick.
/// `starts` says which arms are in the lower and the upper half of each vector; some are in two.
#[inline(always)]
fn in_turn<const VECTORS: usize, C: Cpu>(
    cpu: C,
    [all_means, all_spreads]: [&[f32]; 2],
    width: f32,
    picks: &mut [u16],
    starts: [[usize; 2]; VECTORS],
) {
    let zero = cpu.splat(0.0);
    let (mut means, mut spreads, mut bounds) = ([zero; VECTORS], [zero; VECTORS], [zero; VECTORS]);
    for vector in 0..VECTORS {
        means[vector] = cpu.load_halves(all_means, starts[vector]);
        spreads[vector] = cpu.load_halves(all_spreads, starts[vector]);
        bounds[vector] = means[vector] + cpu.splat(width) * spreads[vector];
    }
    for pick in picks {
        let mut best = bounds[0];
        for &bounds in &bounds[1..] {
            best = best.max(bounds);
        }
        let highest = best.highest();
        let mut found = 0;
        for vector in 0..VECTORS {
            found |= arms_of_halves(bounds[vector].equals(highest), starts[vector])
        }
        *pick = found.trailing_zeros() as u16;
        // The first of equal arms.
        let is_tied = !found.is_power_of_two();
        for vector in 0..VECTORS {
            let mut picked = bounds[vector].equals(highest);
            if is_tied {
                picked = cpu.indices(starts[vector]).equals(cpu.splat(f32::from(*pick)));
            }
            // The new spread of each arm does not depend on the pick, so it is computed early.
            let next = spreads_of_one_more(cpu, spreads[vector]);
            spreads[vector] = next.where_or(picked, spreads[vector]);
            let next = means[vector] + cpu.splat(width) * next;
            bounds[vector] = next.where_or(picked, bounds[vector]);
        }
    }
}

/// [`spread_of_one_more`](crate::spread_of_one_more) of eight arms.
#[inline(always)]
fn spreads_of_one_more<C: Cpu>(cpu: C, spreads: C::Vector) -> C::Vector {
    let squares = spreads * spreads;
    let factor = cpu.splat(0.4411) - cpu.splat(0.1482) * squares;
    let next = spreads * (cpu.splat(1.0) - squares * factor);
    cpu.splat(1.0).where_or(spreads.equals(cpu.splat(f32::INFINITY)), next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};
    use proptest::prelude::*;

    proptest! {
        /// Few distinct means, for many ties; some untried arms, for infinities.
        #[test]
        fn lanes_agree_with_a_plain_scan(arms in prop::collection::vec((0u32..5, 0u8..4), 1..200), c in 0f32..2.0) {
            let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean: f32::from(mean) / 4.0 }).collect();
            let (view, width) = (arms.view(), c.max(f32::MIN_POSITIVE));
            let mut plain = (f32::NEG_INFINITY, 0);
            for (index, (mean, spread)) in view.means.iter().zip(view.spreads).enumerate() {
                let bound = mean + width * spread;
                plain = if bound > plain.0 { (bound, index) } else { plain };
            }
            let found = highest_bound(&view, width);
            let untried = |index: usize| view.spreads[index] == f32::INFINITY;
            let in_order = (1..view.spreads.len()).all(|index| untried(index) || !untried(index - 1));
            prop_assert!(found == plain.1 || (!in_order && untried(found)), "{} is not {}", found, plain.1);
        }

        /// Arms chosen ahead equal those chosen one at a time with pending pulls.
        #[test]
        fn arms_ahead_are_arms_in_turn(
            arms in prop::collection::vec((1u32..50, 0u8..9), 1..33), untried in 0usize..33, c in 0f32..2.0, count in 1usize..40,
        ) {
            // The last ones are untried.
            let pulls_of = |index: usize, pulls| if index + untried < arms.len() { pulls } else { 0 };
            let arm = |(index, &(pulls, mean)): (usize, &(u32, u8))| {
                Arm { pulls: pulls_of(index, pulls), mean: f32::from(mean) / 8.0 }
            };
            let arms: Arms = arms.iter().enumerate().map(arm).collect();
            let width = c.max(f32::MIN_POSITIVE);
            let mut picks = vec![0; count];
            prop_assert!(highest_bounds(&arms.view(), width, &mut picks));
            let mut spreads = arms.view().spreads.to_vec();
            for pick in picks {
                let bounds = arms.view().means.iter().zip(&spreads).map(|(mean, spread)| mean + width * spread);
                let highest = bounds.clone().fold(f32::NEG_INFINITY, f32::max);
                prop_assert_eq!(Some(usize::from(pick)), bounds.into_iter().position(|bound| bound == highest));
                let spread = &mut spreads[usize::from(pick)];
                *spread = crate::spread_of_one_more(*spread);
            }
        }

        /// The first sweep, and the scans after it.
        #[test]
        fn arms_are_tried_in_order(count in 1usize..60, tried in 0usize..60, extra in 0u32..3, c in 0f32..2.0) {
            let pulls = |index: usize| if index < tried { 1 + extra * (index as u32 % 2) } else { 0 };
            let arms: Arms = (0..count).map(|index| Arm { pulls: pulls(index), mean: 0.5 }).collect();
            if tried < count {
                prop_assert_eq!(highest_bound(&arms.view(), c.max(f32::MIN_POSITIVE)), tried);
            }
        }
    }
}
