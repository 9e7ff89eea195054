//! Asking the system for large pages under a large arena: fewer page faults as it grows, fewer misses as it is walked.

/// The size of a large page on the systems that have the call.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// Hints that the room reserved by a vector, used or not, is best made of large pages. Nothing else changes, and where
/// the system does not listen, nothing does. The first two large pages' worth stays small, for small searches.
pub(crate) fn prefer_huge_pages<T>(vector: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        let start = vector.as_mut_ptr().addr();
        let end = start + vector.capacity() * size_of::<T>();
        let (first, last) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
        if first < last {
            let pointer = vector.as_mut_ptr().cast::<libc::c_void>().wrapping_byte_add(first - start);
            // SAFETY: the range lies within the vector's own allocation, and this advice changes neither what the
            // memory holds nor whether it may be used. It may be refused, which does no harm.
            unsafe { libc::madvise(pointer, last - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = vector;
}
