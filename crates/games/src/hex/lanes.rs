//! Playouts of Hex side by side. Each board is filled separately; then all are searched for a chain at once, one
//! board per lane. The loops over lanes are plain; the compiler vectorises them.

use super::{Hex, SHAPES, WORDS, filling, first};
use crate::bits::count;
use crate::cpu::Cpu;
use aji_search::{Game, Leaf, Payoff, Player, Rng};
use std::array::from_fn;

/// The number of boards searched at once: two vectors of avx2 per word.
const LANES: usize = 8;
/// Up to this many games are played one after another.
const ALONE_MAX: usize = 2;

/// The cells of x on each board: word after word, one board per lane.
type Boards<const N: usize> = [[u64; LANES]; N];

/// In each lane, replaces every cell by the majority of itself, the one at its right and the one below it, as in
/// [`reduced`](super::reduced), on the first `N` words.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "a lane is an index into every word, not a word")]
fn reduce<const N: usize>(boards: &mut [[u64; LANES]], size: usize, inner: [u64; N], bottom: [u64; N]) {
    for lane in 0..LANES {
        let cells: [u64; N] = from_fn(|word| boards[word][lane]);
        let cells = super::reduced(&cells, size, inner, bottom);
        for word in 0..N {
            boards[word][lane] = cells[word];
        }
    }
}

/// The lowest bit of each lane is set if x joins top and bottom there, as in [`joins`](super::joins).
#[inline(always)]
fn joins<const N: usize>(boards: &mut Boards<N>, size: usize) -> [u64; LANES] {
    let (inner, bottom): ([u64; N], [u64; N]) = (first(&SHAPES[size].inner), first(&SHAPES[size].bottom));
    for _ in 1..size {
        reduce(boards, size, inner, bottom);
    }
    let mut side = size;
    while (side - 1) * size >= 64 {
        reduce(boards, size, [!0; N], [0; N]);
        side -= 1;
    }
    for _ in 1..side {
        reduce(boards, size, [!0], [0]);
    }
    boards[0]
}

/// A playout from each of up to [`LANES`] leaves, all of one size.
#[inline(always)]
fn play<const N: usize>(cpu: impl Cpu, leaves: &mut [Leaf<Hex>], rng: &mut Rng) {
    let size = leaves[0].game.size();
    let mut boards: Boards<N> = [[0; LANES]; N];
    for (lane, Leaf { game, .. }) in leaves.iter().enumerate() {
        let empty: [u64; N] = first(&game.empty);
        let filling = filling(cpu, &empty, game.stones_to_come(count(&empty)), rng);
        for word in 0..N {
            boards[word][lane] = game.x[word] | filling[word];
        }
    }
    let joined = joins(&mut boards, size);
    for (leaf, joined) in leaves.iter_mut().zip(joined) {
        leaf.payoff = if leaf.game.won { leaf.game.payoff() } else { Payoff::win((!joined & 1) as Player) };
    }
}

/// A playout from each leaf.
#[inline(always)]
pub(super) fn playouts(cpu: impl Cpu, leaves: &mut [Leaf<Hex>], rng: &mut Rng) {
    for leaves in leaves.chunks_mut(LANES) {
        let size = leaves[0].game.size;
        if leaves.len() <= ALONE_MAX || leaves.iter().any(|leaf| leaf.game.size != size) {
            leaves.iter_mut().for_each(|leaf| leaf.payoff = leaf.game.playout(rng, &mut leaf.scratch));
            continue;
        }
        match size {
            ..=8 => play::<1>(cpu, leaves, rng),
            9..=11 => play::<2>(cpu, leaves, rng),
            12..=13 => play::<3>(cpu, leaves, rng),
            14..=16 => play::<4>(cpu, leaves, rng),
            _ => play::<WORDS>(cpu, leaves, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of all densities, checked by [`super::super::joins`] one at a time.
    #[test]
    fn chains_are_those_found_one_by_one() {
        fn check<const N: usize>(size: usize, rng: &mut Rng) -> usize {
            let cells: [u64; N] = first(&Hex::new(size).empty);
            let boards: Boards<N> = cells.map(|word| {
                from_fn(|lane| match lane {
                    0 => word & rng.bits() & rng.bits(),
                    1 => word & (rng.bits() | rng.bits()),
                    _ => word & rng.bits(),
                })
            });
            let joined = joins(&mut boards.clone(), size).map(|lane| lane & 1 != 0);
            let expect = from_fn(|lane| super::super::joins::<N>(boards.map(|word| word[lane]), size));
            assert_eq!(joined, expect, "{boards:?}");
            joined.into_iter().filter(|&joined| joined).count()
        }
        let mut rng = Rng::seeded(1);
        for size in Hex::SIZES {
            let joined: usize = (0..200)
                .map(|_| match size {
                    ..=8 => check::<1>(size, &mut rng),
                    9..=11 => check::<2>(size, &mut rng),
                    12..=13 => check::<3>(size, &mut rng),
                    14..=16 => check::<4>(size, &mut rng),
                    _ => check::<WORDS>(size, &mut rng),
                })
                .sum();
            assert!((400..1_200).contains(&joined), "{joined} of 1600");
        }
    }
}
