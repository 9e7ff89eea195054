//! Saves a search and continues it as if it had never stopped. `crate::saved` has the format.
//!
//! A file holds everything the next simulation depends on: the tree, the random numbers and the proven bounds of the
//! root. It does not hold the position, the settings, the rule or the evaluation: the search that loads must have the
//! same.

use super::{Engine, LARGE_PAGES_FROM};
use crate::bounds::Bounds;
use crate::kernel::Kernel;
use crate::saved::{LoadError, Loader, Saver, TAG_BYTES_MAX};
use crate::tree::{Counters, Node};
use crate::{DEPTH_MAX, Edge, Rng, Tree, Turn, Utility};
use std::io::{self, BufReader, BufWriter, Read, Write};

/// The number of settings in the file.
const SETTINGS: usize = 8;

/// The bytes of the numbers in the head.
const NUMBERS_BYTES: usize = 4 * SETTINGS + 32 + 2 * 4 + 4 + 2 + 3 * 8 + 1;

/// The buffer for reading and writing.
const BUFFER_BYTES: usize = 64 << 10;

/// The head of a file.
struct Head {
    rng: Rng,
    root_bounds: Bounds,
    root_squares: Vec<f64>,
    counters: Counters,
    edges: u64,
}

impl Engine {
    /// Writes the search so far, under a tag that names it.
    pub(crate) fn save(&self, kernel: &dyn Kernel, tag: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.allowed.is_some() {
            let message = "a search of some actions only cannot be saved; allow all of them";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        let mut saver = Saver::begin(BufWriter::with_capacity(BUFFER_BYTES, out))?;
        if tag.len() > TAG_BYTES_MAX {
            let message = format!("a tag of {} bytes is longer than {TAG_BYTES_MAX}", tag.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        saver.write(&(tag.len() as u16).to_le_bytes())?;
        saver.write(tag.as_bytes())?;
        self.save_head(kernel, &mut saver)?;
        if let Some(tree) = &self.tree {
            save_blocks(tree, &mut saver)?;
        }
        saver.seal()?;
        saver.finish()
    }

    fn save_head(&self, kernel: &dyn Kernel, saver: &mut Saver<impl Write>) -> io::Result<()> {
        let tree = self.tree.as_ref();
        let root = tree.map_or(Node::default(), Tree::root);
        let counters = tree.map_or(Counters { recycles: true, ..Counters::default() }, Tree::counters);
        let mut numbers = Vec::with_capacity(NUMBERS_BYTES);
        for (_, setting) in self.saved_settings(kernel) {
            numbers.extend(setting.to_le_bytes());
        }
        numbers.extend(self.rng.state());
        numbers.extend(self.root_bounds.pack().map(u32::to_le_bytes).as_flattened());
        numbers.extend(counters.pulls.to_le_bytes());
        numbers.extend(root.count().to_le_bytes());
        for number in [tree.map_or(0, Tree::len) as u64, counters.left_out, counters.recycled] {
            numbers.extend(number.to_le_bytes());
        }
        numbers.push(counters.recycles.into());
        saver.write(&numbers)?;
        let squares = self.root_squares.iter().take(root.count().into());
        saver.write(&squares.flat_map(|square| square.to_le_bytes()).collect::<Vec<u8>>())?;
        saver.seal()
    }

    /// The settings that continuing depends on, by name.
    fn saved_settings(&self, kernel: &dyn Kernel) -> [(&'static str, u32); SETTINGS] {
        let (unit, low, high) = match self.settings.utility {
            Utility::Win => (0, 0.0, 0.0),
            Utility::Score { low, high } => (1, low, high),
        };
        let extras = self.extras(kernel);
        [
            (
                "the rule",
                u32::from(extras.squares) | u32::from(extras.amaf) << 1 | u32::from(extras.priors) << 2,
            ),
            ("the solver", extras.bounds.into()),
            ("the wave", self.settings.wave as u32),
            ("the depth", self.settings.depth as u32),
            ("recycling", self.settings.recycle.into()),
            ("the unit", unit),
            ("the lowest score", low.to_bits()),
            ("the highest score", high.to_bits()),
        ]
    }

    /// Replaces this search's tree with a search saved under the same tag, exact to the last bit.
    pub(crate) fn load(
        &mut self,
        kernel: &mut dyn Kernel,
        tag: &str,
        from: &mut dyn Read,
    ) -> Result<(), LoadError> {
        let mut loader = Loader::begin(BufReader::with_capacity(BUFFER_BYTES, from))?;
        let head = self.load_head(kernel, tag, &mut loader)?;
        self.allow(None);
        let mut tree = self.tree.take().unwrap_or_else(|| self.new_tree(kernel));
        if head.edges > tree.capacity() as u64 {
            let bytes = head.edges.saturating_mul(tree.bytes_each() as u64);
            self.tree = Some(tree);
            return Err(LoadError::TooLarge {
                memory_min: bytes.saturating_add(self.overhead(kernel) as u64),
            });
        }
        if head.edges >= LARGE_PAGES_FROM {
            tree.prefer_large_pages();
        }
        let loaded = load_tree(kernel, &mut tree, &head, &mut loader);
        let tree = self.tree.insert(tree);
        if loaded.is_err() {
            tree.clear();
            return loaded;
        }
        (self.rng, self.root_bounds, self.root_squares) = (head.rng, head.root_bounds, head.root_squares);
        Ok(())
    }

    fn load_head(
        &self,
        kernel: &dyn Kernel,
        tag: &str,
        loader: &mut Loader<impl Read>,
    ) -> Result<Head, LoadError> {
        let length = loader.read(size_of::<u16>())?.u16();
        let saved_tag = String::from_utf8_lossy(loader.read(length.into())?.rest()).into_owned();
        let mut numbers = loader.read(NUMBERS_BYTES)?;
        let settings: [u32; SETTINGS] = std::array::from_fn(|_| numbers.u32());
        let rng = Rng::from_state(numbers.bytes());
        let root_bounds = Bounds::unpack([numbers.u32(), numbers.u32()]);
        let (pulls, root_edges) = (numbers.u32(), numbers.u16());
        let (edges, left_out, recycled) = (numbers.u64(), numbers.u64(), numbers.u64());
        let counters = Counters { pulls, left_out, recycled, recycles: numbers.u8() != 0 };
        let mut squares = loader.read(usize::from(root_edges) * size_of::<f64>())?;
        let root_squares = (0..root_edges).map(|_| f64::from_bits(squares.u64())).collect();
        // The loader trusts the head only after its checksum.
        loader.check_seal()?;
        if saved_tag != tag {
            return Err(LoadError::Tag(saved_tag));
        }
        if let Some((&(name, _), _)) =
            self.saved_settings(kernel).iter().zip(settings).find(|(here, saved)| here.1 != *saved)
        {
            return Err(LoadError::Setting(name));
        }
        Ok(Head { rng, root_bounds, root_squares, counters, edges })
    }
}

/// Reads the blocks in the order they were written, each at its position.
fn load_tree(
    kernel: &mut dyn Kernel,
    tree: &mut Tree,
    head: &Head,
    loader: &mut Loader<impl Read>,
) -> Result<(), LoadError> {
    tree.clear();
    tree.set_counters(head.counters);
    let mut waiting = Vec::new();
    let turn = kernel.start_walk();
    if head.edges > 0 {
        let root = load_block(kernel, tree, None, turn, loader)?;
        if usize::from(root.count()) != head.root_squares.len() {
            return Err(LoadError::Damaged);
        }
        waiting.push(root.edges());
    }
    while let Some(edges) = waiting.last_mut() {
        let Some(edge) = edges.find(|&edge| !tree.below(edge).is_leaf()) else {
            waiting.pop();
            kernel.walk_back();
            continue;
        };
        if waiting.len() == DEPTH_MAX {
            return Err(LoadError::Damaged);
        }
        let turn = kernel.walk(tree, edge);
        let node = load_block(kernel, tree, Some(edge), turn, loader)?;
        waiting.push(node.edges());
    }
    loader.check_seal()?;
    loader.check_end()?;
    if tree.len() as u64 == head.edges { Ok(()) } else { Err(LoadError::Damaged) }
}

/// Reads the block of the walk's position.
fn load_block(
    kernel: &mut dyn Kernel,
    tree: &mut Tree,
    owner: Option<Edge>,
    turn: Turn,
    loader: &mut Loader<impl Read>,
) -> Result<Node, LoadError> {
    let count = usize::from(loader.read(size_of::<u16>())?.u16());
    if turn == Turn::Over {
        return Err(LoadError::Damaged);
    }
    let fields = loader.read(tree.block_bytes(count))?;
    kernel.load(tree, owner, count, fields)
}

/// Writes all blocks, each before those below it.
fn save_blocks(tree: &Tree, saver: &mut Saver<impl Write>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut save = |node: Node| {
        bytes.clear();
        tree.write_block(node, &mut bytes);
        saver.write(&node.count().to_le_bytes())?;
        saver.write(&bytes)
    };
    let mut waiting = Vec::new();
    if !tree.root().is_leaf() {
        save(tree.root())?;
        waiting.push(tree.root().edges());
    }
    while let Some(edges) = waiting.last_mut() {
        match edges.map(|edge| tree.below(edge)).find(|node| !node.is_leaf()) {
            Some(node) => {
                save(node)?;
                waiting.push(node.edges());
            }
            None => {
                waiting.pop();
            }
        }
    }
    Ok(())
}
