//! Prefetching memory.

/// Hints that `slice[index]` will be read soon. An index out of range is harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    prefetch_address(slice.as_ptr().wrapping_add(index).cast());
}

/// Hints that this address will be read soon. Any address is safe.
#[inline(always)]
pub(crate) fn prefetch_address(address: *const i8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is only a hint. It never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_address_will_do() {
        super::prefetch(&[1, 2, 3], usize::MAX / 8);
        super::prefetch::<u64>(&[], 0);
    }
}
