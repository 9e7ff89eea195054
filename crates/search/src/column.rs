//! A vector that never moves: its room is reserved once, on a boundary of large pages, and never grows.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Large pages are of this size where there are any.
const LARGE_PAGE: usize = 2 << 20;

/// Up to `capacity` elements of plain data.
#[derive(Debug)]
pub(crate) struct Column<T: Copy> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
    layout: Layout,
}

// SAFETY: a column owns its elements alone, like a `Vec`.
unsafe impl<T: Copy + Send> Send for Column<T> {}
// SAFETY: a shared column gives out shared references only, like a `Vec`.
unsafe impl<T: Copy + Sync> Sync for Column<T> {}

impl<T: Copy> Column<T> {
    /// Room for so many elements, or none if the system refuses. Memory that is reserved and never used costs nothing.
    pub(crate) fn reserve(capacity: usize) -> Option<Column<T>> {
        let layout = Layout::array::<T>(capacity).ok()?;
        let aligned = if layout.size() < LARGE_PAGE { layout } else { layout.align_to(LARGE_PAGE).ok()? };
        // SAFETY: `allocated` asks only for layouts whose size is not 0.
        Self::allocated(aligned, |layout| unsafe { alloc(layout) }, 0)
    }

    /// So many elements whose bytes are all 0, or none if the system refuses. Those never written cost nothing, which the
    /// system grants only for an ordinary alignment.
    pub(crate) fn zeroed(count: usize) -> Option<Column<T>>
    where
        T: bytemuck::Zeroable,
    {
        // SAFETY: `allocated` asks only for layouts whose size is not 0. Bytes of 0 are a valid `T`, so all `count`
        // elements may be read.
        Self::allocated(Layout::array::<T>(count).ok()?, |layout| unsafe { alloc_zeroed(layout) }, count)
    }

    fn allocated(layout: Layout, allocate: impl Fn(Layout) -> *mut u8, len: usize) -> Option<Column<T>> {
        let start =
            if layout.size() == 0 { NonNull::dangling() } else { NonNull::new(allocate(layout))?.cast() };
        Some(Column { start, len, capacity: layout.size() / size_of::<T>().max(1), layout })
    }

    /// Appends elements. There must be room for them.
    #[inline]
    pub(crate) fn extend(&mut self, elements: impl ExactSizeIterator<Item = T>) {
        let count = elements.len();
        assert!(count <= self.capacity - self.len, "a column does not grow");
        // SAFETY: the column reserved `capacity` elements, and `len + count` is not more.
        let room = unsafe { self.start.add(self.len) };
        let mut written = 0;
        for (index, element) in elements.take(count).enumerate() {
            // SAFETY: `index` is below `count`.
            unsafe { room.add(index).write(element) };
            written = index + 1;
        }
        self.len += written;
    }

    /// The start of the column's room, for those who share it.
    pub(crate) fn start(&mut self) -> NonNull<T> {
        self.start
    }

    /// Takes the first `len` elements for written.
    ///
    /// # Safety
    ///
    /// They must be, and `len` be no more than was reserved.
    pub(crate) unsafe fn set_len(&mut self, len: usize) {
        debug_assert!(len <= self.capacity);
        self.len = len;
    }

    /// Forgets the elements from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Hints that the whole room is best made of large pages: fewer faults as it fills, fewer misses as it is walked.
    /// Where the system does not listen, nothing changes.
    pub(crate) fn prefer_large_pages(&mut self) {
        #[cfg(target_os = "linux")]
        {
            let bytes = self.capacity * size_of::<T>() / LARGE_PAGE * LARGE_PAGE;
            if bytes > 0 && self.layout.align() == LARGE_PAGE {
                // SAFETY: the range starts on a page, lies within the column's own memory, and this advice changes
                // neither what the memory holds nor whether it may be used. It may be refused, which does no harm.
                unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
            }
        }
    }
}

impl<T: Copy> Drop for Column<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `start` was allocated with this very layout, and elements of plain data need no drop.
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
        }
    }
}

impl<T: Copy> Deref for Column<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` elements were written, and `start` is aligned and not null even for an empty column.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Copy> DerefMut for Column<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the borrow of `self` keeps the reference alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_vector() {
        for capacity in [0, 1, 1000, 3 << 20] {
            let mut column = Column::<u32>::reserve(capacity).unwrap();
            column.prefer_large_pages();
            let mut vector = Vec::new();
            for start in (0..capacity.min(5000)).step_by(100) {
                let elements = start as u32..(start + 100).min(capacity) as u32;
                column.extend(elements.clone());
                vector.extend(elements);
            }
            assert_eq!(*column, *vector);
            let (third, half) = (vector.len() / 3, vector.len() / 2);
            column.copy_within(0..third, third);
            vector.copy_within(0..third, third);
            column.truncate(half);
            vector.truncate(half);
            column.extend(0..third as u32 / 2);
            vector.extend(0..third as u32 / 2);
            assert_eq!(*column, *vector);
        }
    }

    #[test]
    #[should_panic(expected = "a column does not grow")]
    fn no_element_is_written_past_the_end() {
        let mut column = Column::<u8>::reserve(10).unwrap();
        column.extend([1; 8].into_iter());
        column.extend([1; 3].into_iter());
    }

    #[test]
    fn zeroed_elements_are_there_at_once() {
        let mut column = Column::<u32>::zeroed(3 << 20).unwrap();
        assert!(column.iter().all(|&element| element == 0));
        column[(3 << 20) - 1] = 7;
        assert_eq!((column.len(), column.last()), (3 << 20, Some(&7)));
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Column::<u64>::reserve(usize::MAX / 4).is_none());
        assert!(Column::<u64>::reserve(1 << 50).is_none());
    }
}
