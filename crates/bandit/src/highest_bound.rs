//! The hottest loop of a search: which arm has the highest mean + width * spread?
//!
//! It works on vectors of arms, and has no branch that depends on their numbers. Where the number of arms is not a
//! multiple of the vector's lanes, the last vector goes over some arms again: a maximum does not mind.

use crate::View;
use wide::{f32x4, f32x8};

/// The first arm with the highest `mean + width * spread`. There must be an arm, and `width` must be above 0, so that
/// untried arms, of infinite spread, come first; where arms were not tried in order, any of the untried.
#[inline(always)]
pub(crate) fn highest_bound(view: &View, width: f32) -> usize {
    debug_assert!(!view.means.is_empty() && width > 0.0);
    if let Some(untried) = next_of_first_sweep(view) {
        return untried;
    }
    match view.means.len() {
        0..4 => of_at_most_three(view, width),
        4..=8 => of_at_most_eight(view, width),
        _ => of_many(view, width),
    }
}

/// While the arms are tried for the first time, in order, the pulls so far say which is next, and nothing needs to be
/// scanned. The simulation that made a node went to none of its arms, so it may be one less.
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
fn of_at_most_three(view: &View, width: f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, (mean, spread)) in view.means.iter().zip(view.spreads).enumerate() {
        let bound = mean + width * spread;
        best = if bound > best.0 { (bound, index) } else { best };
    }
    best.1
}

/// Four to eight arms: the first four, and the last four.
#[inline(always)]
fn of_at_most_eight(view: &View, width: f32) -> usize {
    let last = view.means.len() - 4;
    let bounds = |start| {
        let (means, spreads): ([f32; 4], [f32; 4]) = (lanes(view.means, start), lanes(view.spreads, start));
        f32x4::new(means) + f32x4::splat(width) * f32x4::new(spreads)
    };
    let (front, back) = (bounds(0), bounds(last));
    let [a, b, c, d] = front.fast_max(back).to_array();
    let highest = f32x4::splat(larger(larger(a, c), larger(b, d)));
    let found = front.simd_eq(highest).to_bitmask() | back.simd_eq(highest).to_bitmask() << last;
    found.trailing_zeros() as usize
}

/// More than eight arms: lane l keeps the best of the arms l, l + 8, l + 16, ... and where its vector started.
#[inline(always)]
fn of_many(view: &View, width: f32) -> usize {
    let bounds = |start| {
        let (means, spreads): ([f32; 8], [f32; 8]) = (lanes(view.means, start), lanes(view.spreads, start));
        f32x8::new(means) + f32x8::splat(width) * f32x8::new(spreads)
    };
    let last = view.means.len() - 8;
    let (mut best, mut started) = (bounds(0), f32x8::ZERO);
    let mut start = 0;
    while start < last {
        start = (start + 8).min(last);
        let next = bounds(start);
        started = next.simd_gt(best).select(f32x8::splat(start as f32), started);
        best = best.fast_max(next);
    }
    let (best, started) = (best.to_array(), started.to_array());
    let highest = best.into_iter().fold(0.0, larger);
    let at = |lane: usize| if best[lane] == highest { started[lane] as usize + lane } else { usize::MAX };
    (0..8).map(at).fold(usize::MAX, usize::min)
}

/// The arms of several pulls, each with the highest bound after [one pull more](crate::spread_of_one_more) of those before
/// it. Only for up to 32 arms, or a first sweep: otherwise false.
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
        4..=8 => in_turn(view, width, picks, [[0, count - 4]]),
        9..=32 => in_turn_of_many(view, width, picks),
        _ => return false,
    }
    true
}

/// Not inlined: there is much of it, and beside so many arms a call is nothing.
#[inline(never)]
fn in_turn_of_many(view: &View, width: f32, picks: &mut [u16]) {
    let count = view.means.len();
    match count {
        9..=16 => in_turn(view, width, picks, [[0, 4], [count - 8, count - 4]]),
        17..=24 => in_turn(view, width, picks, [[0, 4], [8, 12], [count - 8, count - 4]]),
        _ => in_turn(view, width, picks, [[0, 4], [8, 12], [16, 20], [count - 8, count - 4]]),
    }
}

/// Picks one arm after another. All stays in registers, where a mark in memory would have to be waited for. `starts` says
/// which arms are in the lower and the upper half of each vector; some are in two.
#[inline(always)]
fn in_turn<const VECTORS: usize>(view: &View, width: f32, picks: &mut [u16], starts: [[usize; 2]; VECTORS]) {
    let join =
        |[low, high]: [[f32; 4]; 2]| f32x8::new(std::array::from_fn(|lane| [low, high][lane / 4][lane % 4]));
    let vectors = |numbers: &[f32]| starts.map(|halves| join(halves.map(|start| lanes(numbers, start))));
    let indices =
        starts.map(|halves| join(halves.map(|start| [0, 1, 2, 3].map(|lane| (start + lane) as f32))));
    let (means, mut spreads) = (vectors(view.means), vectors(view.spreads));
    let bounds_by = |spreads: [f32x8; VECTORS]| -> [f32x8; VECTORS] {
        std::array::from_fn(|vector| means[vector] + f32x8::splat(width) * spreads[vector])
    };
    let mut bounds = bounds_by(spreads);
    for pick in picks {
        // What each arm would come to if it were picked does not wait for which one is.
        let next_spreads = spreads.map(spreads_of_one_more);
        let next_bounds = bounds_by(next_spreads);
        let best =
            bounds.into_iter().reduce(|best, next| best.fast_max(next)).unwrap_or(f32x8::ZERO).to_array();
        let [a, b, c, d] = std::array::from_fn(|lane| larger(best[lane], best[lane + 4]));
        let highest = f32x8::splat(larger(larger(a, c), larger(b, d)));
        let mut picked = bounds.map(|vector| vector.simd_eq(highest));
        let found = (0..VECTORS).fold(0u64, |found, vector| {
            let (mask, [low, high]) = (u64::from(picked[vector].to_bitmask()), starts[vector]);
            found | (mask & 15) << low | (mask >> 4) << high
        });
        *pick = found.trailing_zeros() as u16;
        if !found.is_power_of_two() {
            // Of several that are alike, the first.
            picked = indices.map(|vector| vector.simd_eq(f32x8::splat(f32::from(*pick))));
        }
        for vector in 0..VECTORS {
            spreads[vector] = picked[vector].select(next_spreads[vector], spreads[vector]);
            bounds[vector] = picked[vector].select(next_bounds[vector], bounds[vector]);
        }
    }
}

/// [`spread_of_one_more`](crate::spread_of_one_more) of eight arms.
#[inline(always)]
fn spreads_of_one_more(spreads: f32x8) -> f32x8 {
    let squares = spreads * spreads;
    let factor = f32x8::splat(0.4411) - f32x8::splat(0.1482) * squares;
    let next = spreads * (f32x8::splat(1.0) - squares * factor);
    spreads.simd_eq(f32x8::splat(f32::INFINITY)).select(f32x8::splat(1.0), next)
}

/// A vector's worth of values, from this one on.
#[inline(always)]
pub(crate) fn lanes<T: Copy, const LANES: usize>(numbers: &[T], start: usize) -> [T; LANES] {
    *numbers[start..].first_chunk().expect("a vector fits")
}

/// The larger of two numbers; `f32::max` would also care about what is not a number.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};
    use proptest::prelude::*;

    proptest! {
        /// Few distinct means, so that ties abound; some arms untried, so that infinities do too.
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

        /// Arms chosen ahead are those that are chosen one at a time, with a mark left for each.
        #[test]
        fn arms_ahead_are_arms_in_turn(
            arms in prop::collection::vec((1u32..50, 0u8..9), 4..33), untried in 0usize..33, c in 0f32..2.0, count in 1usize..40,
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
