//! Detects the features of the CPU once, so that hot loops run at full speed in programs built for any CPU.
//!
//! Most loops here are twice as fast, and some five times, with the instructions of x86-64-v3 (avx2, bmi2, popcnt and
//! others; every Intel CPU since 2013 and every AMD CPU since 2017). A program built with cargo's defaults may not use
//! them, because it must also run on older CPUs. So such a loop is compiled twice, and [`dispatch!`] makes the function
//! that chooses:
//!
//! ```
//! struct Words(Vec<u64>);
//!
//! impl Words {
//!     #[inline(always)]
//!     fn count_by<C>(_cpu: C, words: &Words) -> u32 {
//!         words.0.iter().map(|word| word.count_ones()).sum()
//!     }
//!
//!     aji_cpu::dispatch! {
//!         /// How many bits are set.
//!         fn count, count_v3(words: &Words) -> u32 = Self::count_by
//!     }
//! }
//!
//! assert_eq!(Words::count(&Words(vec![7, 1, u64::MAX])), 68);
//! ```
//!
//! Both versions give the same results to the last bit. Whatever the CPU, the compiler neither fuses a multiplication
//! and an addition into one rounding nor reorders additions.

use std::sync::atomic::{AtomicU8, Ordering};

/// Proof that the CPU has all of x86-64-v3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V3(());

/// The detected CPU, or [`UNKNOWN`].
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const BASELINE: u8 = 1;
const V3_FOUND: u8 = 2;

impl V3 {
    /// The proof, if the CPU has all of x86-64-v3. A call takes a nanosecond: make one per batch of simulations or per
    /// playout, not per move.
    #[inline(always)]
    pub fn detect() -> Option<V3> {
        if cfg!(not(target_arch = "x86_64")) {
            return None;
        }
        match FOUND.load(Ordering::Relaxed) {
            V3_FOUND => Some(V3(())),
            BASELINE => None,
            _ => V3::look(),
        }
    }

    #[cold]
    fn look() -> Option<V3> {
        let found = has_v3();
        FOUND.store(if found { V3_FOUND } else { BASELINE }, Ordering::Relaxed);
        found.then_some(V3(()))
    }
}

/// Any CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable;

/// Makes an associated function that runs some work with the instructions of this CPU, and the version of it that is
/// compiled for x86-64-v3.
///
/// The work is a function marked `#[inline(always)]` that takes the CPU, a [`V3`] or [`Portable`], before its
/// arguments. Code inlined into it is compiled for that CPU. Functions that are not inlined stay as they were compiled
/// elsewhere.
#[macro_export]
macro_rules! dispatch {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident, $v3:ident $(<$($generic:ident: $bound:path),+>)?
            ($($argument:ident: $type:ty),* $(,)?) $(-> $output:ty)? = $work:expr
    ) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name $(<$($generic: $bound),+>)? ($($argument: $type),*) $(-> $output)? {
            match $crate::V3::detect() {
                // SAFETY: a `V3` proves that the CPU has all features that the function is compiled for.
                #[allow(unused_unsafe, reason = "other CPUs have no such function, and none is found there")]
                Some(v3) => unsafe { Self::$v3(v3, $($argument),*) },
                None => $work($crate::Portable, $($argument),*),
            }
        }

        #[cfg_attr(
            target_arch = "x86_64",
            target_feature(enable = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")
        )]
        #[inline]
        fn $v3 $(<$($generic: $bound),+>)? (v3: $crate::V3, $($argument: $type),*) $(-> $output)? {
            $work(v3, $($argument),*)
        }
    };
}

/// With true, [`V3::detect`] finds nothing from now on, in the whole process. With false, it detects again. For tests
/// that compare both versions.
pub fn pretend_baseline(pretend: bool) {
    FOUND.store(if pretend { BASELINE } else { UNKNOWN }, Ordering::Relaxed);
}

/// Whether the CPU has all features that [`dispatch!`] compiles for.
fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! has_all {
            ($($feature:tt)*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
        }
        has_all!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_give_the_same() {
        pretend_baseline(true);
        assert_eq!(V3::detect(), None);
        pretend_baseline(false);
        assert_eq!(V3::detect().is_some(), has_v3());
        let portable = Sum::by(Portable, 1.7);
        assert_eq!(Sum::here(1.7).to_bits(), portable.to_bits());
    }

    struct Sum;

    impl Sum {
        #[inline(always)]
        fn by<C>(_cpu: C, scale: f32) -> f32 {
            [0.1f32, 0.7, 3.3].iter().fold(0.0, |sum, float| sum + scale * float)
        }

        dispatch! { fn here, here_v3(scale: f32) -> f32 = Self::by }
    }
}
