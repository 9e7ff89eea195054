//! A vector that never moves: its memory is reserved once and never grows.

use crate::room::Room;
use std::alloc::Layout;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Up to `capacity` elements of plain data.
#[derive(Debug)]
pub(crate) struct Column<T: Copy> {
    room: Room,
    len: usize,
    capacity: usize,
    elements: PhantomData<T>,
}

impl<T: Copy> Column<T> {
    /// Memory for this many elements; none if the system refuses. Reserved memory that is never used costs nothing.
    pub(crate) fn reserve(capacity: usize) -> Option<Column<T>> {
        let room = Room::reserve(Layout::array::<T>(capacity).ok()?)?;
        Some(Column { room, len: 0, capacity, elements: PhantomData })
    }

    /// This many elements with all bytes 0; none if the system refuses. Elements never written cost nothing.
    pub(crate) fn zeroed(count: usize) -> Option<Column<T>>
    where
        T: bytemuck::Zeroable,
    {
        // All-zero bytes are a valid `T`, so all `count` elements may be read.
        let room = Room::zeroed(Layout::array::<T>(count).ok()?)?;
        Some(Column { room, len: count, capacity: count, elements: PhantomData })
    }

    /// Appends elements. There must be room.
    #[inline]
    pub(crate) fn extend(&mut self, elements: impl ExactSizeIterator<Item = T>) {
        let count = elements.len();
        assert!(count <= self.capacity - self.len, "a column does not grow");
        // SAFETY: the column reserved `capacity` elements, and `len + count` is not more.
        let room = unsafe { self.start().add(self.len) };
        let mut written = 0;
        for (index, element) in elements.take(count).enumerate() {
            // SAFETY: `index` is below `count`.
            unsafe { room.add(index).write(element) };
            written = index + 1;
        }
        self.len += written;
    }

    /// Appends an element this many times. There must be room.
    #[inline]
    pub(crate) fn fill(&mut self, count: usize, element: T) {
        assert!(count <= self.capacity - self.len, "a column does not grow");
        for index in self.len..self.len + count {
            // SAFETY: the column reserved `capacity` elements, and `index` is below that.
            unsafe { self.start().add(index).write(element) };
        }
        self.len += count;
    }

    /// Forgets the elements from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Hints that large pages suit this memory.
    pub(crate) fn prefer_large_pages(&mut self) {
        self.room.prefer_large_pages();
    }

    #[inline(always)]
    fn start(&self) -> NonNull<T> {
        self.room.start().cast()
    }
}

impl<T: Copy> Deref for Column<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` elements were written. The start is aligned and not null, even for an empty column.
        unsafe { std::slice::from_raw_parts(self.start().as_ptr(), self.len) }
    }
}

impl<T: Copy> DerefMut for Column<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start().as_ptr(), self.len) }
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
