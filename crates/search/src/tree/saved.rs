//! The blocks of a tree as bytes, one at a time. `crate::saved` documents the whole format.

use super::{Edge, Node, Tree};
use crate::bounds::Bounds;
use crate::links::Head;
use crate::saved::Fields;
use aji_bandit::{ARM_WORDS, Arm};

/// A tree's counters that are not stored in edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) pulls: u32,
    pub(crate) left_out: u64,
    pub(crate) recycled: u64,
    pub(crate) recycles: bool,
}

/// The length of a block that has not been read yet. Any value but 0 would do.
const AWAITED: u16 = 1;

impl Node {
    pub(crate) fn count(self) -> u16 {
        self.count
    }
}

impl Tree {
    pub(crate) fn counters(&self) -> Counters {
        let Tree { left_out, recycled, recycles, .. } = *self;
        Counters { pulls: self.root.pulls, left_out, recycled, recycles }
    }

    pub(crate) fn set_counters(&mut self, counters: Counters) {
        self.root.pulls = counters.pulls;
        (self.left_out, self.recycled, self.recycles) =
            (counters.left_out, counters.recycled, counters.recycles);
    }

    /// The bytes of a block with this number of edges.
    pub(crate) fn block_bytes(&self, count: usize) -> usize {
        let squares = if self.extras.squares { size_of::<f32>() } else { 0 };
        let bounds = if self.extras.bounds { size_of::<[u32; 2]>() } else { 0 };
        let amaf = if self.extras.amaf { size_of::<Arm>() } else { 0 };
        let priors = if self.extras.priors { size_of::<f32>() } else { 0 };
        count * (ARM_WORDS * size_of::<u32>() + squares + bounds + amaf + priors) + count.div_ceil(8)
    }

    /// Adds the bytes of a node's block to `out`.
    pub(crate) fn write_block(&self, node: Node, out: &mut Vec<u8>) {
        let block = super::links(node.first, node.count);
        let mut put = |word: u32| out.extend_from_slice(&word.to_le_bytes());
        self.arms[super::words(node.first, node.count)].iter().for_each(|&word| put(word));
        if self.extras.squares {
            self.squares[block.clone()].iter().for_each(|square| put(square.to_bits()));
        }
        if self.extras.bounds {
            self.bounds[block.clone()].iter().flatten().for_each(|&word| put(word));
        }
        if self.extras.amaf {
            self.amaf[block.clone()]
                .iter()
                .flat_map(|arm| [arm.pulls, arm.mean.to_bits()])
                .for_each(&mut put);
        }
        if self.extras.priors {
            self.priors[block.clone()].iter().for_each(|prior| put(prior.to_bits()));
        }
        for start in block.clone().step_by(8) {
            let ids = start..block.end.min(start + 8);
            let bits = ids.enumerate().map(|(bit, id)| u8::from(self.links.head(id).count > 0) << bit);
            out.push(bits.sum());
        }
    }

    /// Appends the block in these bytes, for the root or for an edge. An edge whose block is still to be read leads
    /// to no valid node until then. None if the numbers make no sense, or if there is no room.
    pub(crate) fn read_block<A: Copy>(
        &mut self,
        owner: Option<Edge>,
        actions: &[A],
        mut fields: Fields,
    ) -> Option<Node> {
        let through = owner.map_or(self.root.pulls, |edge| self.below(edge).pulls);
        let node = self.open_at(owner, actions)?;
        let block = super::links(node.first, node.count);
        self.arms[super::words(node.first, node.count)].iter_mut().for_each(|word| *word = fields.u32());
        if self.extras.squares {
            self.squares[block.clone()].iter_mut().for_each(|square| *square = f32::from_bits(fields.u32()));
        }
        if self.extras.bounds && !self.read_bounds(node, &mut fields) {
            return None;
        }
        if self.extras.amaf {
            let mut arm = || Arm { pulls: fields.u32(), mean: f32::from_bits(fields.u32()) };
            self.amaf[block.clone()].iter_mut().for_each(|amaf| *amaf = arm());
        }
        if self.extras.priors {
            self.priors[block.clone()].iter_mut().for_each(|prior| *prior = f32::from_bits(fields.u32()));
        }
        for (start, bits) in block.clone().step_by(8).zip(fields.rest()) {
            let ids = start..block.end.min(start + 8);
            for (_, id) in ids.enumerate().filter(|(bit, _)| bits & (1 << bit) != 0) {
                self.links.set_head(id, Head { first: 0, count: AWAITED });
            }
        }
        self.is_sound(node, through).then_some(node)
    }

    /// Whether the statistics of a node's edges are valid for every rule, and their pulls add up to at most the
    /// node's.
    fn is_sound(&self, node: Node, through: u32) -> bool {
        let view = self.plain_view(node, 0, None);
        let pulls: u64 = view.pulls.iter().map(|&pulls| u64::from(pulls)).sum();
        view.means.iter().chain(view.squares).all(|mean| mean.is_finite())
            && self.amaf_of(node).iter().all(|arm| arm.mean.is_finite())
            && self.priors(node).iter().all(|prior| (0.0..=1.0).contains(prior))
            && view.spreads.iter().all(|&spread| spread >= 0.0)
            && pulls <= through.into()
    }

    /// Reads the proven bounds of a block's edges. Open bounds are all 0 and stay unwritten.
    fn read_bounds(&mut self, node: Node, fields: &mut Fields) -> bool {
        for id in super::links(node.first, node.count) {
            let packed = [fields.u32(), fields.u32()];
            if packed == Bounds::OPEN.pack() {
                continue;
            }
            let Bounds { low, high } = Bounds::unpack(packed);
            if !(low.is_finite() && high.is_finite()) {
                return false;
            }
            self.bounds[id] = packed;
            self.bounds_end = id + 1;
        }
        true
    }
}
