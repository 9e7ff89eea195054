//! The format of a saved search: pieces of bytes under a running checksum, and the errors of reading it.
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
//! The file stores neither actions nor places. Loading plays through the positions, which give the actions. The order
//! of the blocks gives their places. So no file can make a tree with invalid links.

use std::fmt;
use std::io::{self, Read, Write};

/// No text starts like this, and copying the file as text destroys it.
const MAGIC: [u8; 8] = *b"\x89aji\r\n\x1a\n";

/// The version of the format. Loading rejects any other.
const VERSION: u32 = 1;

/// The most bytes of a tag.
pub(crate) const TAG_BYTES_MAX: usize = u16::MAX as usize;

/// Why a saved search was not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The file could not be read.
    Io(io::Error),
    /// The file is not a saved search.
    Foreign,
    /// The file has this other version of the format.
    Version(u32),
    /// The file ends too early.
    Torn,
    /// Some bytes have changed, or the file is of another game.
    Damaged,
    /// The file was saved under this other tag.
    Tag(String),
    /// The file was saved with another value of this setting.
    Setting(&'static str),
    /// The memory cap is too small for it.
    TooLarge {
        /// The smallest cap that is enough.
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

/// A hash of pieces of bytes. Each step is invertible, so a change of a single word is always detected.
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
        // The product carries differences up; the rotation brings them back down.
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// Writes pieces.
pub(crate) struct Saver<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Saver<W> {
    /// Writes magic and version.
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

/// Reads pieces.
pub(crate) struct Loader<R> {
    from: R,
    checksum: Checksum,
    piece: Vec<u8>,
}

impl<R: Read> Loader<R> {
    /// Reads and checks magic and version.
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

    /// The next piece, which has this length.
    pub(crate) fn read(&mut self, length: usize) -> Result<Fields<'_>, LoadError> {
        self.piece.resize(length, 0);
        self.from.read_exact(&mut self.piece)?;
        self.checksum.add(&self.piece);
        Ok(Fields(&self.piece))
    }

    /// Checks the checksum of all pieces so far.
    pub(crate) fn check_seal(&mut self) -> Result<(), LoadError> {
        let mut seal = [0; 8];
        self.from.read_exact(&mut seal)?;
        if u64::from_le_bytes(seal) == self.checksum.0 { Ok(()) } else { Err(LoadError::Damaged) }
    }

    /// Checks that nothing follows.
    pub(crate) fn check_end(&mut self) -> Result<(), LoadError> {
        match self.from.read_exact(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
            Err(error) => Err(LoadError::Io(error)),
            Ok(()) => Err(LoadError::Damaged),
        }
    }
}

/// The unread rest of a piece. The reader knows its length.
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

    /// All unread bytes.
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
        /// The checksum detects any one or two changed bytes, wherever they are.
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
