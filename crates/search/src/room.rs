//! Memory that is reserved once and never moves. The columns of an arena are made of it.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// The size of large pages, on systems that have them.
const LARGE_PAGE: usize = 2 << 20;

/// Bytes with the alignment of their layout. They may be uninitialised; the owner knows which are written.
#[derive(Debug)]
pub(crate) struct Room {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a room owns its bytes exclusively and gives out only their address.
unsafe impl Send for Room {}
// SAFETY: as above; whoever reads or writes at that address must prove that it may.
unsafe impl Sync for Room {}

impl Room {
    /// Memory of this layout, aligned to large pages if it is large; none if the system refuses. Reserved memory that
    /// is never used costs nothing.
    pub(crate) fn reserve(layout: Layout) -> Option<Room> {
        let aligned = if layout.size() < LARGE_PAGE { layout } else { layout.align_to(LARGE_PAGE).ok()? };
        // SAFETY: `allocated` never passes a layout of size 0.
        Room::allocated(aligned, |layout| unsafe { alloc(layout) })
    }

    /// The same with all bytes 0. Untouched bytes cost nothing, but the system grants that only for ordinary
    /// alignment.
    pub(crate) fn zeroed(layout: Layout) -> Option<Room> {
        // SAFETY: `allocated` never passes a layout of size 0.
        Room::allocated(layout, |layout| unsafe { alloc_zeroed(layout) })
    }

    fn allocated(layout: Layout, allocate: impl Fn(Layout) -> *mut u8) -> Option<Room> {
        let start = match layout.size() {
            0 => layout.dangling_ptr(),
            _ => NonNull::new(allocate(layout))?,
        };
        Some(Room { start, layout })
    }

    /// Its start: aligned, and not null even for an empty room.
    #[inline(always)]
    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Hints that large pages suit this memory: fewer faults while it fills, fewer misses while it is read. If the
    /// system ignores the hint, nothing changes.
    pub(crate) fn prefer_large_pages(&mut self) {
        #[cfg(target_os = "linux")]
        {
            let bytes = self.layout.size() / LARGE_PAGE * LARGE_PAGE;
            if bytes > 0 && self.layout.align() == LARGE_PAGE {
                // SAFETY: the range starts on a page and lies within the room's own memory. The advice changes
                // neither the content nor the access rights. The system may refuse it, which does no harm.
                unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
            }
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `start` was allocated with this layout.
            unsafe { dealloc(self.start.as_ptr(), self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_aligned(room: &Room, align: usize) -> bool {
        room.start().addr().get().is_multiple_of(align)
    }

    /// A room keeps what is written in it, and a large one starts on a large page.
    #[test]
    fn rooms_keep_what_is_written() {
        for (bytes, align) in [(1, 1), (24, 8), (4096, 64), (LARGE_PAGE - 1, 1), (3 * LARGE_PAGE + 40, 8)] {
            let layout = Layout::from_size_align(bytes, align).unwrap();
            let mut room = Room::reserve(layout).unwrap();
            let expect = if bytes < LARGE_PAGE { align } else { LARGE_PAGE };
            assert!(is_aligned(&room, expect), "{bytes} bytes at {:?}", room.start());
            for place in [0, bytes / 2, bytes - 1] {
                // SAFETY: the place is within the room.
                unsafe { room.start().add(place).write(place as u8) };
            }
            room.prefer_large_pages();
            for place in [0, bytes / 2, bytes - 1] {
                // SAFETY: the place is within the room, and was written.
                assert_eq!(unsafe { room.start().add(place).read() }, place as u8);
            }
        }
    }

    #[test]
    fn zeroed_rooms_are_zero() {
        for bytes in [1, 1000, LARGE_PAGE + 1000] {
            let room = Room::zeroed(Layout::from_size_align(bytes, 8).unwrap()).unwrap();
            // SAFETY: all bytes of the room are initialised to 0.
            let found = unsafe { std::slice::from_raw_parts(room.start().as_ptr(), bytes) };
            assert!(found.iter().all(|&byte| byte == 0));
        }
    }

    /// An empty room allocates nothing, but its start is still aligned.
    #[test]
    fn empty_rooms_are_aligned() {
        for align in [1, 16, 4096] {
            let layout = Layout::from_size_align(0, align).unwrap();
            for room in [Room::reserve(layout), Room::zeroed(layout)] {
                let mut room = room.unwrap();
                room.prefer_large_pages();
                assert!(is_aligned(&room, align));
            }
        }
    }

    #[test]
    fn too_much_is_refused() {
        let most = Layout::from_size_align(isize::MAX as usize - 4096, 1).unwrap();
        // The compiler removes an unused allocation, which then never fails.
        let is_refused = |room: Option<Room>| std::hint::black_box(room).is_none();
        assert!(is_refused(Room::reserve(most)) && is_refused(Room::zeroed(most)));
    }
}
