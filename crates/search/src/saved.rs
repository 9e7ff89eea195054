//! The form of a saved search: pieces of bytes under a running checksum, and what can be wrong with them.
//!
//! All numbers are little-endian, whatever the machine.
//!
//! ```text
//! magic 8, version u32
//! tag: length u16, UTF-8
//! settings u32 x 8, random numbers 32 bytes, root: bounds u32 x 2, pulls u32, edges u16
//! tree: edges u64, left out u64, recycled u64, whether recycling helps u8
//! root: the sum of squared rewards of each edge f64
//! checksum u64
//! blocks, each before those below it (depth first):
//!     edges u16, means f32.., spreads f32.., pulls u32.., [squares f32..], [bounds u32 x 2..],
//!     [pulls elsewhere u32 and their mean f32..], [priors f32..], a bit for each: has a block
//! checksum u64
//! ```
//!
//! Neither actions nor places are stored. The actions are those of the positions, which loading plays through; a block's
//! place follows from the order. So no file can make a tree whose links lead astray.

use std::fmt;
use std::io::{self, Read, Write};

/// No text begins like this, and copying as text destroys it.
const MAGIC: [u8; 8] = *b"\x89aji\r\n\x1a\n";

/// The version of the form. Another one is refused.
const VERSION: u32 = 1;

/// The most bytes of a tag.
pub(crate) const TAG_BYTES_MAX: usize = u16::MAX as usize;

/// Why a saved search was not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It could not be read.
    Io(io::Error),
    /// It is no saved search.
    Foreign,
    /// It has this version of the form, which is another one.
    Version(u32),
    /// It ends too early.
    Torn,
    /// Some of its bytes were changed, or it is of another game.
    Damaged,
    /// It was saved under this tag, which is another one.
    Tag(String),
    /// It was saved with another value of this setting.
    Setting(&'static str),
    /// The memory cap has no room for it.
    TooLarge {
        /// The smallest cap that has.
        memory_min: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(error) => write!(f, "it cannot be read: {error}"),
            LoadError::Foreign => f.write_str("it is no saved search"),
            LoadError::Version(version) => {
                write!(f, "it has version {version} of the form; expected version {VERSION}")
            }
            LoadError::Torn => f.write_str("it is torn: it ends too early"),
            LoadError::Damaged => {
                f.write_str("it is damaged: what it holds does not agree with its checksum or the game")
            }
            LoadError::Tag(tag) => write!(f, "it was saved of something else: {tag:?}"),
            LoadError::Setting(name) => write!(f, "it was saved with another setting of {name}"),
            LoadError::TooLarge { memory_min } => write!(f, "it needs a memory of {memory_min} bytes"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        if error.kind() == io::ErrorKind::UnexpectedEof { LoadError::Torn } else { LoadError::Io(error) }
    }
}

/// A hash of pieces of bytes. Each step can be undone, so no change of a single word goes unseen.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const FIRST: Checksum = Checksum(0x243F_6A88_85A3_08D3);

    fn add(&mut self, piece: &[u8]) {
        let (words, rest) = piece.as_chunks::<8>();
        words.iter().for_each(|&word| self.mix(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
        self.mix(piece.len() as u64);
    }

    fn mix(&mut self, word: u64) {
        // The product carries differences up, the rotation brings them back down.
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// Writes pieces.
pub(crate) struct Saver<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Saver<W> {
    /// Begins with magic and version.
    pub(crate) fn begin(out: W) -> io::Result<Saver<W>> {
        let mut saver = Saver { out, checksum: Checksum::FIRST };
        saver.write(&MAGIC)?;
        saver.write(&VERSION.to_le_bytes())?;
        Ok(saver)
    }

    pub(crate) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.checksum.add(piece);
        self.out.write_all(piece)
    }

    /// Writes the checksum of all pieces so far.
    pub(crate) fn seal(&mut self) -> io::Result<()> {
        self.out.write_all(&self.checksum.0.to_le_bytes())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads the same pieces.
pub(crate) struct Loader<R> {
    from: R,
    checksum: Checksum,
    piece: Vec<u8>,
}

impl<R: Read> Loader<R> {
    /// Begins with magic and version.
    pub(crate) fn begin(from: R) -> Result<Loader<R>, LoadError> {
        let mut loader = Loader { from, checksum: Checksum::FIRST, piece: Vec::new() };
        if loader.read(MAGIC.len())?.bytes::<8>() != MAGIC {
            return Err(LoadError::Foreign);
        }
        match loader.read(size_of::<u32>())?.u32() {
            VERSION => Ok(loader),
            other => Err(LoadError::Version(other)),
        }
    }

    /// The next piece, of which the length is known.
    pub(crate) fn read(&mut self, length: usize) -> Result<Fields<'_>, LoadError> {
        self.piece.resize(length, 0);
        self.from.read_exact(&mut self.piece)?;
        self.checksum.add(&self.piece);
        Ok(Fields(&self.piece))
    }

    /// Compares the checksum of all pieces so far.
    pub(crate) fn check_seal(&mut self) -> Result<(), LoadError> {
        let mut seal = [0; 8];
        self.from.read_exact(&mut seal)?;
        if u64::from_le_bytes(seal) == self.checksum.0 { Ok(()) } else { Err(LoadError::Damaged) }
    }

    /// Nothing may follow.
    pub(crate) fn check_end(&mut self) -> Result<(), LoadError> {
        match self.from.read_exact(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
            Err(error) => Err(LoadError::Io(error)),
            Ok(()) => Err(LoadError::Damaged),
        }
    }
}

/// What is left of a piece. Its reader knows how long it is.
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("a piece as long as its fields");
        self.0 = rest;
        *bytes
    }

    pub(crate) fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.bytes())
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(pieces: &[Vec<u8>]) -> u64 {
        let mut checksum = Checksum::FIRST;
        pieces.iter().for_each(|piece| checksum.add(piece));
        checksum.0
    }

    proptest! {
        /// Any one or two bytes that differ are seen, wherever they stand.
        #[test]
        fn changes_are_seen(
            piece in prop::collection::vec(any::<u8>(), 1..200), one: prop::sample::Index, other: prop::sample::Index,
            flips in (1u8.., 0u8..),
        ) {
            let (one, other) = (one.index(piece.len()), other.index(piece.len()));
            let mut changed = piece.clone();
            changed[one] ^= flips.0;
            changed[other] ^= if other == one { 0 } else { flips.1 };
            prop_assert_ne!(sum(&[piece]), sum(&[changed]));
        }
    }

    #[test]
    fn zeros_at_the_end_count() {
        assert_ne!(sum(&[vec![1]]), sum(&[vec![1, 0]]));
        assert_ne!(sum(&[vec![0; 8]]), sum(&[vec![0; 16]]));
    }
}
