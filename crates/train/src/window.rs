//! The replay window: the samples of the last iterations, packed as in their files, from which batches are drawn.

use crate::record::read_position;
use aji_bandit::Rng;
use aji_net::Sample;
use aji_search::Shape;
use std::collections::VecDeque;

/// The samples of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The iteration.
    pub iteration: u64,
    bytes: Vec<u8>,
    /// Where each sample begins; a sample with several copies appears several times.
    starts: Vec<u32>,
}

/// The most bytes of a block.
pub const BLOCK_BYTES_MAX: usize = u32::MAX as usize;

impl Block {
    /// Finds the samples of an iteration. None if the bytes are not samples of this shape.
    pub fn new(iteration: u64, bytes: Vec<u8>, shape: &Shape) -> Option<Block> {
        if bytes.len() > BLOCK_BYTES_MAX {
            return None;
        }
        let (mut starts, mut rest, mut sample) = (Vec::new(), &bytes[..], Sample::default());
        while !rest.is_empty() {
            let start = (bytes.len() - rest.len()) as u32;
            let copies = read_position(&mut rest, shape, &mut sample)?;
            starts.extend(std::iter::repeat_n(start, copies.into()));
        }
        starts.shrink_to_fit();
        Some(Block { iteration, bytes, starts })
    }

    /// The packed samples.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Samples, including copies.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of memory that it takes.
    pub fn memory(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<u32>()
    }
}

/// Blocks in order. The oldest leave first.
#[derive(Clone, Debug, Default)]
pub struct Window {
    blocks: VecDeque<Block>,
    samples: u64,
    memory: usize,
}

impl Window {
    /// Adds a block. Drops the oldest ones while the others hold at least `samples`, or while all take more than
    /// `memory` bytes. The newest always stays. True if memory alone made it drop one.
    pub fn add(&mut self, block: Block, samples: u64, memory: usize) -> bool {
        self.samples += block.len() as u64;
        self.memory += block.memory();
        self.blocks.push_back(block);
        let mut is_short = false;
        while let [oldest, _, ..] = self.blocks.make_contiguous() {
            let is_full = self.samples - oldest.len() as u64 >= samples;
            if !is_full && self.memory <= memory {
                break;
            }
            is_short |= !is_full;
            self.samples -= oldest.len() as u64;
            self.memory -= oldest.memory();
            self.blocks.pop_front();
        }
        is_short
    }

    /// Samples, including copies.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The iterations that it holds.
    pub fn iterations(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().map(|block| block.iteration)
    }

    /// Draws a sample, all with equal probability. The window must not be empty.
    pub(crate) fn draw(&self, shape: &Shape, rng: &mut Rng, sample: &mut Sample) {
        let mut place = ((u128::from(rng.bits()) * u128::from(self.samples)) >> 64) as usize;
        for block in &self.blocks {
            if let Some(&start) = block.starts.get(place) {
                let read = read_position(&mut &block.bytes[start as usize..], shape, sample);
                debug_assert!(read.is_some(), "a block is checked when it is made");
                return;
            }
            place -= block.starts.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Position;

    const SHAPE: Shape = Shape { planes: 1, rows: 1, columns: 8, actions: 8 };

    fn block(iteration: u64, values: &[(f32, u8)]) -> Block {
        let mut bytes = Vec::new();
        for &(value, copies) in values {
            Position { features: vec![3], policy: vec![(1, 1.0)], value, copies }.write(&mut bytes);
        }
        Block::new(iteration, bytes, &SHAPE).unwrap()
    }

    #[test]
    fn the_oldest_leave_first() {
        let mut window = Window::default();
        for iteration in 0..5 {
            assert!(!window.add(block(iteration, &[(0.5, 1); 10]), 25, usize::MAX));
        }
        // Two blocks would hold only 20 samples.
        assert_eq!(window.iterations().collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(window.samples(), 30);
        let memory = 2 * block(0, &[(0.5, 1); 10]).memory();
        assert!(window.add(block(5, &[(0.5, 1); 10]), 25, memory));
        assert_eq!(window.iterations().collect::<Vec<_>>(), [4, 5]);
        // The newest stays, however little memory there is.
        assert!(window.add(block(6, &[(0.5, 1); 10]), 25, 1));
        assert_eq!((window.iterations().collect::<Vec<_>>(), window.samples()), (vec![6], 10));
    }

    /// Draws follow the copies: 0, 1 and 3 of four.
    #[test]
    fn samples_are_drawn_by_their_copies() {
        let mut window = Window::default();
        window.add(block(0, &[(0.0, 0), (0.25, 1)]), 100, usize::MAX);
        window.add(block(1, &[(0.75, 3)]), 100, usize::MAX);
        let (mut rng, mut sample, mut found) = (Rng::seeded(1), Sample::default(), [0; 2]);
        for _ in 0..4_000 {
            window.draw(&SHAPE, &mut rng, &mut sample);
            assert_eq!((&sample.features[..], &sample.actions[..]), (&[3][..], &[1][..]));
            found[usize::from(sample.value == 0.75)] += 1;
            assert_ne!(sample.value, 0.0);
        }
        // 3,000 with a standard deviation of 27.
        assert!((2_860..3_140).contains(&found[1]), "{found:?}");
    }
}
