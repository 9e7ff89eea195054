//! One tree, many threads: the tree of [`Tree`] while several threads search it, without locks.
//!
//! The memory is the same, word for word, so a shared search begins with any tree and leaves an ordinary one. While it is
//! shared every word is read and written as an atomic:
//!
//! - **Pulls** are counted by `fetch_add`, so none is lost. The **mean** is stepped by compare-and-swap, so that no reward
//!   overwrites another; the divisor is the pulls of that moment, which another thread may have counted and not yet
//!   rewarded, so that rewards that come at once weigh a little unequally. The **spread** follows the pulls.
//! - An edge taken looks as if pulled once more (its spread does) until its reward is backed up, as in a wave. Threads that
//!   overwrite each other's marks do no harm: the next backup sets the spread by the pulls.
//! - **Expanding**: a thread claims a leaf by swapping its count from 0 to [`CLAIMED`], takes room from the arena by
//!   `fetch_update`, fills it where nobody looks, and publishes it by storing the count (release) after the place. Who reads
//!   a count (acquire) that is neither sees a whole block. Who meets a claimed leaf takes it for a leaf.

use crate::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::prefetch::prefetch;
use crate::tree::{CACHE_LINE_WORDS, Edge, Node};
use aji_bandit::{ARM_WORDS, next_mean_of_many, spread, spread_of_one_more, untried_words};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The count of a leaf that a thread is expanding.
pub(crate) const CLAIMED: u16 = u16::MAX;

/// What a shared tree needs of an edge's link: where the block below starts, and how long it is.
#[repr(C)]
pub(crate) struct SharedLink<A> {
    pub(crate) first: AtomicU32,
    pub(crate) count: AtomicU16,
    pub(crate) action: A,
}

impl<A> SharedLink<A> {
    /// The block below, if it is published.
    #[inline(always)]
    pub(crate) fn below(&self) -> Option<(u32, u16)> {
        match self.count.load(Ordering::Acquire) {
            0 | CLAIMED => None,
            count => Some((self.first.load(Ordering::Relaxed), count)),
        }
    }

    /// Claims a leaf for this thread to expand. False if it is no leaf any more, or another's.
    pub(crate) fn claim(&self) -> bool {
        self.count.compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Publishes the block of a claimed leaf. What was written to the block before is seen by all who see this.
    pub(crate) fn publish(&self, first: u32, count: u16) {
        self.first.store(first, Ordering::Relaxed);
        self.count.store(count, Ordering::Release);
    }

    /// Gives a claimed leaf back.
    pub(crate) fn give_up(&self) {
        self.count.store(0, Ordering::Release);
    }
}

/// The words of a block of arms, shared: as in [`aji_bandit::Block`], means first, then spreads, then pulls.
#[derive(Clone, Copy)]
pub(crate) struct SharedBlock<'a> {
    words: &'a [AtomicU32],
    count: usize,
}

impl<'a> SharedBlock<'a> {
    #[inline(always)]
    pub(crate) fn new(words: &'a [AtomicU32]) -> SharedBlock<'a> {
        SharedBlock { words, count: words.len() / ARM_WORDS }
    }

    /// A copy of all words, each as it was at some moment meanwhile.
    #[inline(always)]
    pub(crate) fn copy(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.words.iter().map(|word| word.load(Ordering::Relaxed)));
    }

    #[inline(always)]
    pub(crate) fn pulls(&self, index: usize) -> u32 {
        self.words[2 * self.count + index].load(Ordering::Relaxed)
    }

    /// Lets an arm look as if it had been pulled once more, until its pulls are next counted.
    #[inline(always)]
    pub(crate) fn pull_virtually(&self, index: usize) {
        let word = &self.words[self.count + index];
        let spread = f32::from_bits(word.load(Ordering::Relaxed));
        word.store(spread_of_one_more(spread).to_bits(), Ordering::Relaxed);
    }

    /// Counts pulls that paid `sum` together.
    #[inline(always)]
    pub(crate) fn add(&self, index: usize, count: u32, sum: f32) {
        let pulled = &self.words[2 * self.count + index];
        pulled.fetch_add(count, Ordering::Relaxed);
        let mean = &self.words[index];
        let mut known = mean.load(Ordering::Relaxed);
        let pulls = loop {
            let pulls = pulled.load(Ordering::Relaxed);
            let next = next_mean_of_many(f32::from_bits(known), count, sum, pulls).to_bits();
            match mean.compare_exchange_weak(known, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break pulls,
                Err(other) => known = other,
            }
        };
        self.words[self.count + index].store(spread(pulls).to_bits(), Ordering::Relaxed);
    }
}

/// Room in the arena, given out without locks.
pub(crate) struct Room {
    used: AtomicUsize,
    capacity: usize,
    left_out: AtomicU64,
}

impl Room {
    pub(crate) fn new(used: usize, capacity: usize) -> Room {
        Room { used: AtomicUsize::new(used), capacity, left_out: AtomicU64::new(0) }
    }

    /// Where so many edges may be put by the caller and nobody else; none when it is full.
    pub(crate) fn take(&self, count: usize) -> Option<usize> {
        let fits = |used: usize| (count <= self.capacity - used).then_some(used + count);
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok();
        if taken.is_none() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
        taken
    }

    /// The edges in use, and how often there was no room.
    pub(crate) fn ends(self) -> (usize, u64) {
        (self.used.load(Ordering::Relaxed), self.left_out.load(Ordering::Relaxed))
    }
}

/// A tree that several threads search. It borrows the tree's memory; [`ends`](SharedTree::ends) says what it holds then.
pub(crate) struct SharedTree<'a, A> {
    arms: NonNull<AtomicU32>,
    links: NonNull<SharedLink<A>>,
    room: Room,
    root: (u32, u16),
    root_pulls: AtomicU32,
    borrowed: PhantomData<&'a mut A>,
}

// SAFETY: all that threads share is atomic, but for actions, which are written before a block is published and only read
// after, and new blocks, which belong to the thread that took their room until it publishes them.
unsafe impl<A: Send + Sync> Sync for SharedTree<'_, A> {}

/// What a shared tree came to: edges in use, blocks left out for want of room, and simulations through the root.
pub(crate) struct Ends {
    pub(crate) used: usize,
    pub(crate) left_out: u64,
    pub(crate) root_pulls: u32,
}

impl<A: Copy> SharedTree<'_, A> {
    /// Shares the memory of a tree.
    ///
    /// # Safety
    ///
    /// `arms` and `links` must be valid for `capacity` edges, aligned, written for the first `used` of them as a tree
    /// does, and used by nothing else for the lifetime of the result. The root's block must be among those.
    pub(crate) unsafe fn new(
        arms: NonNull<u32>,
        links: NonNull<SharedLink<A>>,
        (used, capacity): (usize, usize),
        root: (u32, u16),
        root_pulls: u32,
    ) -> Self {
        SharedTree {
            arms: arms.cast(),
            links,
            room: Room::new(used, capacity),
            root,
            root_pulls: AtomicU32::new(root_pulls),
            borrowed: PhantomData,
        }
    }

    #[inline(always)]
    pub(crate) fn root(&self) -> Node {
        Node::new(self.root, self.root_pulls.load(Ordering::Relaxed))
    }

    /// Counts so many simulations through the root.
    #[inline(always)]
    pub(crate) fn count_root(&self, simulations: u32) {
        self.root_pulls.fetch_add(simulations, Ordering::Relaxed);
    }

    /// The node that an edge leads to: one without edges as long as nobody has published them.
    #[inline(always)]
    pub(crate) fn below(&self, edge: Edge) -> Node {
        let pulls = self.arms(edge.block()).pulls(edge.index());
        Node::new(self.link(edge).below().unwrap_or_default(), pulls)
    }

    /// Asks for the arms of a node, which will be read soon.
    #[inline(always)]
    pub(crate) fn ask_for(&self, node: Node) {
        let words = self.arms(node.block()).words;
        (0..words.len()).step_by(CACHE_LINE_WORDS).take(3).for_each(|word| prefetch(words, word));
    }

    /// The arms of a block that the caller has from the root or a link.
    #[inline(always)]
    pub(crate) fn arms(&self, (first, count): (u32, u16)) -> SharedBlock<'_> {
        let (start, len) = (first as usize * ARM_WORDS, usize::from(count) * ARM_WORDS);
        // SAFETY: blocks come from the root or from published links. They lie within the arena and were written before
        // they were published, which the acquiring read of the link has seen.
        SharedBlock::new(unsafe { std::slice::from_raw_parts(self.arms.add(start).as_ptr(), len) })
    }

    /// The link of an edge of such a block.
    #[inline(always)]
    pub(crate) fn link(&self, edge: Edge) -> &SharedLink<A> {
        // SAFETY: as for `arms`: an edge is one of its block.
        unsafe { self.links.add(edge.id()).as_ref() }
    }

    /// Gives a claimed leaf its block, if there is room.
    pub(crate) fn open(&self, link: &SharedLink<A>, actions: &[A]) -> bool {
        let fits = actions.len() < usize::from(CLAIMED) && !actions.is_empty();
        let taken = if fits { self.room.take(actions.len()) } else { None };
        let Some(first) = taken else {
            link.give_up();
            return false;
        };
        for (index, word) in untried_words(actions.len()).enumerate() {
            // SAFETY: the room from `first` on was taken by this thread alone and lies within the arena.
            unsafe { self.arms.add(first * ARM_WORDS + index).write(AtomicU32::new(word)) };
        }
        for (index, &action) in actions.iter().enumerate() {
            let link = SharedLink { first: AtomicU32::new(0), count: AtomicU16::new(0), action };
            // SAFETY: as above.
            unsafe { self.links.add(first + index).write(link) };
        }
        link.publish(first as u32, actions.len() as u16);
        true
    }

    pub(crate) fn ends(self) -> Ends {
        let (used, left_out) = self.room.ends();
        Ends { used, left_out, root_pulls: self.root_pulls.load(Ordering::Relaxed) }
    }
}

/// Every order of a few threads' steps, tried by a model checker: `RUSTFLAGS="--cfg loom" cargo test -p aji-search --lib`.
#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    fn words(count: usize) -> Vec<AtomicU32> {
        untried_words(count).map(AtomicU32::new).collect()
    }

    /// Two threads pull the same arm: both pulls are counted, and the mean is one that their rewards can have.
    #[test]
    fn no_pull_is_lost() {
        loom::model(|| {
            let arms = Arc::new(words(2));
            let other = Arc::clone(&arms);
            let thread = thread::spawn(move || {
                let block = SharedBlock::new(&other);
                block.pull_virtually(1);
                block.add(1, 1, 1.0);
            });
            let block = SharedBlock::new(&arms);
            block.pull_virtually(1);
            block.add(1, 1, 0.0);
            thread.join().expect("a thread that ends");
            let mut copy = Vec::new();
            block.copy(&mut copy);
            let mean = f32::from_bits(copy[1]);
            assert_eq!(copy[4..], [0, 2]);
            assert!((0.0..=1.0).contains(&mean), "{mean}");
        });
    }

    /// Of two threads that want to expand a leaf one does, and whoever sees the block sees all of it.
    #[test]
    fn a_block_is_published_whole() {
        loom::model(|| {
            let link =
                Arc::new(SharedLink { first: AtomicU32::new(0), count: AtomicU16::new(0), action: () });
            let room = Arc::new(Room::new(2, 4));
            let arena = Arc::new(words(4));
            let work = |link: Arc<SharedLink<()>>, room: Arc<Room>, arena: Arc<Vec<AtomicU32>>| {
                let claimed = link.claim();
                if claimed {
                    let first = room.take(2).expect("room for one block");
                    arena[first].store(7, Ordering::Relaxed);
                    link.publish(first as u32, 2);
                }
                if let Some((first, count)) = link.below() {
                    assert_eq!((first, count), (2, 2));
                    assert_eq!(arena[first as usize].load(Ordering::Relaxed), 7, "a block seen half written");
                }
                claimed
            };
            let (others, own) = ((link.clone(), room.clone(), arena.clone()), (link, room.clone(), arena));
            let thread = thread::spawn(move || work(others.0, others.1, others.2));
            let claimed = work(own.0, own.1, own.2);
            assert_ne!(claimed, thread.join().expect("a thread that ends"), "one of them expands");
            assert_eq!(room.used.load(Ordering::Relaxed), 4);
        });
    }

    /// Room for one block is given to one thread, and the other is told that there is none.
    #[test]
    fn room_is_given_once() {
        loom::model(|| {
            let room = Arc::new(Room::new(0, 3));
            let other = Arc::clone(&room);
            let thread = thread::spawn(move || other.take(2));
            let taken = [room.take(2), thread.join().expect("a thread that ends")];
            assert_eq!(taken.iter().flatten().count(), 1, "{taken:?}");
            assert_eq!(room.left_out.load(Ordering::Relaxed), 1);
        });
    }
}
