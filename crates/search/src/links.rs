//! The links of an arena's edges: where an edge leads, and its action, whose type the arena does not know.
//!
//! An arena that knew the type of its actions would be compiled for every game. So a link is raw bytes: a head that
//! anyone may read, then the action. Only the search that stored the action reads it, with its type.

use crate::prefetch::prefetch_address;
use crate::room::Room;
use std::alloc::Layout;
use std::ptr::NonNull;

/// Where an edge leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Head {
    /// Where the block below starts, if `count` is not 0.
    pub(crate) first: u32,
    pub(crate) count: u16,
}

/// The memory layout of a link. It does not nest `Head`, so that a small action fits into the padding.
#[derive(Clone, Copy)]
#[repr(C)]
struct Link<A> {
    first: u32,
    count: u16,
    action: A,
}

/// The links of all edges, by number. They may cross threads whatever the type of the actions. Only the search that
/// stored the actions reads them, and the type decides whether that search may cross threads.
#[derive(Debug)]
pub(crate) struct Links {
    room: Room,
    len: usize,
    capacity: usize,
    /// The layout of one link.
    link: Layout,
}

impl Links {
    /// The bytes of a link with an action of this type.
    pub(crate) const fn bytes<A: Copy>() -> usize {
        size_of::<Link<A>>()
    }

    /// Memory for links with actions of this type; none if the system refuses.
    pub(crate) fn reserve<A: Copy>(capacity: usize) -> Option<Links> {
        let room = Room::reserve(Layout::array::<Link<A>>(capacity).ok()?)?;
        Some(Links { room, len: 0, capacity, link: Layout::new::<Link<A>>() })
    }

    /// The number of links.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes of one link.
    pub(crate) fn stride(&self) -> usize {
        self.link.size()
    }

    /// Hints that large pages suit this memory.
    pub(crate) fn prefer_large_pages(&mut self) {
        self.room.prefer_large_pages();
    }

    /// Appends edges that lead nowhere yet. There must be room, and the actions must have the type of
    /// [`reserve`](Links::reserve).
    #[inline(always)]
    pub(crate) fn extend<A: Copy>(&mut self, actions: &[A]) {
        assert!(actions.len() <= self.capacity - self.len, "links do not grow");
        assert!(self.link == Layout::new::<Link<A>>(), "all actions of a tree are of one type");
        // SAFETY: the room holds `capacity` links of this layout, and `len` plus the new ones is not more.
        let room = unsafe { self.room.start().cast::<Link<A>>().add(self.len) };
        for (index, &action) in actions.iter().enumerate() {
            // SAFETY: `index` is below the number of new links.
            unsafe { room.add(index).write(Link { first: 0, count: 0, action }) };
        }
        self.len += actions.len();
    }

    /// Where an edge leads.
    #[inline(always)]
    pub(crate) fn head(&self, id: usize) -> Head {
        // SAFETY: the head of each of the `len` links was written.
        unsafe { self.at(id).cast::<Head>().read() }
    }

    /// Sets where an edge leads.
    #[inline(always)]
    pub(crate) fn set_head(&mut self, id: usize, Head { first, count }: Head) {
        let link = self.at(id).cast::<Link<()>>();
        // SAFETY: the link is one of the `len` in our room, and the borrow is exclusive. The fields are written one
        // by one, because part of the action may lie in the head's padding.
        unsafe {
            (&raw mut (*link.as_ptr()).first).write(first);
            (&raw mut (*link.as_ptr()).count).write(count);
        }
    }

    /// The action of an edge.
    ///
    /// # Safety
    ///
    /// `A` must be the type of the actions that were [appended](Links::extend).
    #[inline(always)]
    pub(crate) unsafe fn action<A: Copy>(&self, id: usize) -> A {
        assert!(id < self.len, "link {id} of {}", self.len);
        // SAFETY: there are more than `id` links, and the caller promises that they were written as this type.
        unsafe { self.room.start().cast::<Link<A>>().add(id).as_ref().action }
    }

    /// The action of an edge, and where it leads.
    ///
    /// # Safety
    ///
    /// As for [`action`](Links::action).
    #[inline(always)]
    pub(crate) unsafe fn follow<A: Copy>(&self, id: usize) -> (A, Head) {
        assert!(id < self.len, "link {id} of {}", self.len);
        // SAFETY: as for `action`.
        let &Link { first, count, action } = unsafe { self.room.start().cast::<Link<A>>().add(id).as_ref() };
        (action, Head { first, count })
    }

    /// Copies links over those at another place.
    pub(crate) fn copy_within(&mut self, from: std::ops::Range<usize>, to: usize) {
        let count = from.len();
        if count == 0 {
            return;
        }
        assert!(from.end <= self.len && to + count <= self.len, "links are copied among themselves");
        let (from, to) = (self.at(from.start), self.at(to));
        // SAFETY: both ranges lie within the links; they may overlap.
        unsafe { from.copy_to(to, count * self.link.size()) };
    }

    /// Forgets the links from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Prefetches a link. Any number is safe.
    #[inline(always)]
    pub(crate) fn ask_for<A: Copy>(&self, id: usize) {
        prefetch_address(self.room.start().as_ptr().cast::<Link<A>>().wrapping_add(id).cast());
    }

    #[inline(always)]
    fn at(&self, id: usize) -> NonNull<u8> {
        assert!(id < self.len, "link {id} of {}", self.len);
        // SAFETY: the room holds more than `id` links.
        unsafe { self.room.start().add(id * self.link.size()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_bandit::Rng;
    use std::fmt::Debug;

    /// A small action without alignment.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Pair(u8, u8);

    const CAPACITY: usize = 150;

    /// The links and a vector of them, which undergo the same changes.
    struct Twins<A> {
        links: Links,
        vector: Vec<(Head, A)>,
    }

    impl<A: Copy + Debug + PartialEq> Twins<A> {
        fn new() -> Twins<A> {
            Twins { links: Links::reserve::<A>(CAPACITY).unwrap(), vector: Vec::new() }
        }

        fn extend(&mut self, actions: &[A]) {
            self.links.extend(actions);
            self.vector.extend(actions.iter().map(|&action| (Head::default(), action)));
        }

        fn set_head(&mut self, id: usize, head: Head) {
            self.links.set_head(id, head);
            self.vector[id].0 = head;
        }

        fn copy_within(&mut self, from: std::ops::Range<usize>, to: usize) {
            self.links.copy_within(from.clone(), to);
            self.vector.copy_within(from, to);
        }

        fn truncate(&mut self, len: usize) {
            self.links.truncate(len);
            self.vector.truncate(len);
        }

        fn check(&self) {
            assert_eq!(self.links.len(), self.vector.len());
            for (id, &(head, action)) in self.vector.iter().enumerate() {
                assert_eq!(self.links.head(id), head, "link {id}");
                // SAFETY: `extend` appends actions of this type only.
                unsafe {
                    assert_eq!(self.links.action::<A>(id), action, "link {id}");
                    assert_eq!(self.links.follow::<A>(id), (action, head), "link {id}");
                }
            }
        }
    }

    /// Applies random changes to both, with actions made of random bits.
    fn check<A: Copy + Debug + PartialEq>(stride: usize, action: fn(u64) -> A) {
        let (mut twins, mut rng) = (Twins::new(), Rng::seeded(1));
        assert_eq!((Links::bytes::<A>(), twins.links.stride()), (stride, stride));
        twins.links.prefer_large_pages();
        for _ in 0..600 {
            let len = twins.vector.len();
            match rng.below(5) {
                0 | 1 => {
                    let count = rng.below(20).min(CAPACITY - len);
                    let actions: Vec<A> = (0..count).map(|_| action(rng.bits())).collect();
                    twins.extend(&actions);
                }
                2 if len > 0 => {
                    let bits = rng.bits();
                    twins.set_head(rng.below(len), Head { first: bits as u32, count: (bits >> 32) as u16 });
                }
                // The two ranges often overlap, in either direction.
                3 if len > 0 => {
                    let (one, other) = (rng.below(len), rng.below(len));
                    let count = rng.below(len - one.max(other) + 1);
                    twins.copy_within(one..one + count, other);
                }
                // A length above the current one changes nothing.
                4 => twins.truncate((len + 10).saturating_sub(rng.below(40))),
                _ => {}
            }
            twins.links.ask_for::<A>(rng.below(2 * CAPACITY));
            twins.check();
        }
    }

    #[test]
    fn links_behave_like_a_vector() {
        check(8, |_| ());
        check(8, |bits| bits as u8);
        check(8, |bits| bits as u16);
        check(8, |bits| Pair(bits as u8, (bits >> 8) as u8));
        check(12, |bits| [bits as u8, (bits >> 8) as u8, (bits >> 16) as u8]);
        check(12, |bits| bits as u32);
        check(16, |bits| bits);
        check(32, |bits| u128::from(bits) << 64 | u128::from(!bits));
        check(24, |bits| ["one", "of", "three"][bits as usize % 3]);
    }

    /// Ranges that overlap forward or backward, or are equal.
    #[test]
    fn overlapping_links_are_copied_whole() {
        for (from, to) in [(0..8, 2), (2..10, 0), (3..9, 4), (4..10, 3), (0..10, 0), (5..5, 9), (0..1, 9)] {
            let mut twins = Twins::new();
            twins.extend(&(10..20u16).collect::<Vec<u16>>());
            (0..10).for_each(|id| twins.set_head(id, Head { first: 100 + id as u32, count: 7 }));
            twins.copy_within(from, to);
            twins.check();
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Links::reserve::<u64>(usize::MAX / 4).is_none());
        assert!(Links::reserve::<u64>(1 << 50).is_none());
    }

    /// Three links, after truncating a fourth.
    fn three() -> Links {
        let mut links = Links::reserve::<u16>(5).unwrap();
        links.extend(&[1u16, 2, 3, 4]);
        links.truncate(3);
        links
    }

    #[test]
    #[should_panic(expected = "link 3 of 3")]
    fn no_head_past_the_end() {
        three().head(3);
    }

    #[test]
    #[should_panic(expected = "link 3 of 3")]
    fn no_head_is_set_past_the_end() {
        three().set_head(3, Head::default());
    }

    #[test]
    #[should_panic(expected = "link 3 of 3")]
    fn no_action_past_the_end() {
        // SAFETY: the actions are of this type.
        unsafe { three().action::<u16>(3) };
    }

    #[test]
    #[should_panic(expected = "link 3 of 3")]
    fn none_is_followed_past_the_end() {
        // SAFETY: the actions are of this type.
        unsafe { three().follow::<u16>(3) };
    }

    #[test]
    #[should_panic(expected = "links do not grow")]
    fn no_more_links_than_there_is_room_for() {
        three().extend(&[4u16, 5, 6]);
    }

    #[test]
    #[should_panic(expected = "all actions of a tree are of one type")]
    fn no_actions_of_another_layout() {
        three().extend(&[4u32]);
    }

    #[test]
    #[should_panic(expected = "links are copied among themselves")]
    fn none_is_copied_from_past_the_end() {
        three().copy_within(2..4, 0);
    }

    #[test]
    #[should_panic(expected = "links are copied among themselves")]
    fn none_is_copied_to_past_the_end() {
        three().copy_within(0..2, 2);
    }
}
