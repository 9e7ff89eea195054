//! Eight numbers at a time.
//!
//! A function over vectors takes a [`Cpu`], which makes them: a [`V3`], whose registers hold eight numbers, or
//! [`Portable`]. Both give the same bits. [`aji_cpu::dispatch!`] makes the function that chooses between them.
//!
//! Code on registers must be inlined all the way. The compiler may find a closure or a function of the standard
//! library (`array::map`) too large, and then makes a call for each instruction. So these functions use plain loops.

use crate::Arm;
use aji_cpu::{Portable, V3};
use std::ops::{Add, Div, Mul, Sub};

/// The numbers per vector.
pub(crate) const LANES: usize = 8;

/// The vector instructions of a CPU.
pub(crate) trait Cpu: Copy {
    /// Whether this is [`Portable`].
    const IS_PORTABLE: bool;

    type Vector: Vector;

    fn splat(self, number: f32) -> Self::Vector;

    fn load(self, numbers: &[f32; LANES]) -> Self::Vector;

    /// The nearest numbers to these counts.
    fn count(self, counts: &[u32; LANES]) -> Self::Vector;

    /// 0, 1, 2 ... 7.
    #[inline(always)]
    fn lanes(self) -> Self::Vector {
        self.load(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    }

    /// The first four lanes, and the last four.
    fn join(self, low: &[f32; LANES / 2], high: &[f32; LANES / 2]) -> Self::Vector;

    /// Four numbers from each of two places.
    #[inline(always)]
    fn load_halves(self, numbers: &[f32], [low, high]: [usize; 2]) -> Self::Vector {
        self.join(
            numbers[low..].first_chunk().expect("four fit"),
            numbers[high..].first_chunk().expect("four fit"),
        )
    }

    /// The indices of these numbers.
    #[inline(always)]
    fn indices(self, [low, high]: [usize; 2]) -> Self::Vector {
        let half = self.join(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0]);
        half + self.join(&[low as f32; LANES / 2], &[high as f32; LANES / 2])
    }

    /// Rewards the arms whose bit is set. The others do not change.
    fn reward(self, arms: &mut [Arm; LANES], reward: f32, made: u32);

    /// The pulls and the means of arms.
    #[inline(always)]
    fn arms(self, arms: &[Arm; LANES]) -> [Self::Vector; 2] {
        [self.count(&arms.map(|arm| arm.pulls)), self.load(&arms.map(|arm| arm.mean))]
    }
}

/// Eight numbers. NaN must not be compared.
pub(crate) trait Vector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type Mask: Mask;

    fn to_array(self) -> [f32; LANES];

    /// The number of the first lane.
    fn first(self) -> f32;

    fn sqrt(self) -> Self;

    /// The larger number of each lane.
    fn max(self, other: Self) -> Self;

    /// The highest number, in every lane.
    fn highest(self) -> Self;

    fn equals(self, other: Self) -> Self::Mask;

    fn exceeds(self, other: Self) -> Self::Mask;

    /// The numbers of this vector where the mask is true, and of the other one elsewhere.
    fn where_or(self, mask: Self::Mask, other: Self) -> Self;

    /// Splits normal numbers above 0 into m * 2^e with m between 1/sqrt(2) and sqrt(2): all m, and all e. 0 gives m =
    /// 1 and e = -127.
    fn split(self) -> [Self; 2];
}

/// True or false for each lane.
pub(crate) trait Mask: Copy {
    /// A bit for each lane; the first is the lowest.
    fn bits(self) -> u32;
}

/// The arms for which the mask is true, as bits. The vector's halves begin with these arms.
#[inline(always)]
pub(crate) fn arms_of_halves<M: Mask>(mask: M, [low, high]: [usize; 2]) -> u64 {
    let bits = u64::from(mask.bits());
    (bits & 15) << low | (bits >> 4) << high
}

/// The arm of the highest number, found vector by vector. Each lane stores its highest number and that number's arm.
pub(crate) struct Best<C: Cpu> {
    cpu: C,
    numbers: C::Vector,
    /// Negative, so that the first of two arms is the higher number.
    arms: C::Vector,
    /// The arms of the next vector, likewise.
    next: C::Vector,
}

impl<C: Cpu> Best<C> {
    #[inline(always)]
    pub fn new(cpu: C) -> Best<C> {
        let first = cpu.splat(0.0) - cpu.lanes();
        Best { cpu, numbers: cpu.splat(f32::NEG_INFINITY), arms: first, next: first }
    }

    /// Adds the numbers of the next eight arms.
    #[inline(always)]
    pub fn offer_next(&mut self, numbers: C::Vector) {
        self.offer(self.next, numbers);
        self.next = self.next - self.cpu.splat(LANES as f32);
    }

    /// Adds the numbers of eight arms, from this one on.
    #[inline(always)]
    pub fn offer_from(&mut self, start: usize, numbers: C::Vector) {
        self.offer(self.cpu.splat(-(start as f32)) - self.cpu.lanes(), numbers);
    }

    #[inline(always)]
    fn offer(&mut self, arms: C::Vector, numbers: C::Vector) {
        self.arms = arms.where_or(numbers.exceeds(self.numbers), self.arms);
        self.numbers = self.numbers.max(numbers);
    }

    /// The first arm that has the highest number.
    #[inline(always)]
    pub fn first(self) -> usize {
        let is_highest = self.numbers.equals(self.numbers.highest());
        let first = self.arms.where_or(is_highest, self.cpu.splat(f32::NEG_INFINITY)).highest().first();
        -first as usize
    }
}

/// Subtracted from a number's bits before its power of two is cut off, so that m begins at 1/sqrt(2).
const BITS_OF_LEAST_M: i32 = std::f32::consts::FRAC_1_SQRT_2.to_bits() as i32;

/// The larger of two numbers; `f32::max` would also handle NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Eight numbers as an array.
#[derive(Clone, Copy)]
pub(crate) struct Plain([f32; LANES]);

impl Plain {
    #[inline(always)]
    fn both(self, other: Plain, of: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|lane| of(self.0[lane], other.0[lane])))
    }
}

impl Cpu for Portable {
    const IS_PORTABLE: bool = true;

    type Vector = Plain;

    #[inline(always)]
    fn splat(self, number: f32) -> Plain {
        Plain([number; LANES])
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Plain {
        Plain(*numbers)
    }

    #[inline(always)]
    fn count(self, counts: &[u32; LANES]) -> Plain {
        Plain(counts.map(|count| count as f32))
    }

    #[inline(always)]
    fn join(self, low: &[f32; LANES / 2], high: &[f32; LANES / 2]) -> Plain {
        Plain(bytemuck::cast([*low, *high]))
    }

    #[inline(always)]
    fn reward(self, arms: &mut [Arm; LANES], reward: f32, made: u32) {
        let made: [u32; LANES] = std::array::from_fn(|lane| if made & 1 << lane == 0 { 0 } else { u32::MAX });
        // True is -1.
        let pulls: [u32; LANES] = std::array::from_fn(|lane| arms[lane].pulls.wrapping_sub(made[lane]));
        let (zero, one) = (self.splat(0.0), self.splat(1.0));
        let means = self.load(&arms.map(|arm| arm.mean));
        let count = Plain(pulls.map(|pulls| pulls as i32 as f32)).max(one);
        let gains = (self.splat(reward) - means) / count;
        let means = (means + gains.where_or(made, zero)).to_array();
        *arms = std::array::from_fn(|lane| Arm { pulls: pulls[lane], mean: means[lane] });
    }
}

macro_rules! operators_of_arrays {
    ($($operator:ident $function:ident,)*) => {
        $(impl $operator for Plain {
            type Output = Plain;

            #[inline(always)]
            fn $function(self, other: Plain) -> Plain {
                self.both(other, f32::$function)
            }
        })*
    };
}

operators_of_arrays! { Add add, Sub sub, Mul mul, Div div, }

impl Mask for [u32; LANES] {
    #[inline(always)]
    fn bits(self) -> u32 {
        let bits: [u32; LANES] = std::array::from_fn(|lane| self[lane] & 1 << lane);
        bits.into_iter().fold(0, |all, bit| all | bit)
    }
}

impl Vector for Plain {
    type Mask = [u32; LANES];

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        self.0
    }

    #[inline(always)]
    fn first(self) -> f32 {
        self.0[0]
    }

    #[inline(always)]
    fn sqrt(self) -> Plain {
        Plain(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn max(self, other: Plain) -> Plain {
        self.both(other, larger)
    }

    #[inline(always)]
    fn highest(self) -> Plain {
        let of_two: [f32; 4] = std::array::from_fn(|lane| larger(self.0[lane], self.0[lane + 4]));
        let of_four: [f32; 2] = std::array::from_fn(|lane| larger(of_two[lane], of_two[lane + 2]));
        Plain([larger(of_four[0], of_four[1]); LANES])
    }

    #[inline(always)]
    fn equals(self, other: Plain) -> [u32; LANES] {
        std::array::from_fn(|lane| if self.0[lane] == other.0[lane] { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn exceeds(self, other: Plain) -> [u32; LANES] {
        std::array::from_fn(|lane| if self.0[lane] > other.0[lane] { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn where_or(self, mask: [u32; LANES], other: Plain) -> Plain {
        Plain(std::array::from_fn(|lane| {
            f32::from_bits(self.0[lane].to_bits() & mask[lane] | other.0[lane].to_bits() & !mask[lane])
        }))
    }

    #[inline(always)]
    fn split(self) -> [Plain; 2] {
        let bits = self.0.map(|number| number.to_bits() as i32);
        let exponents = bits.map(|bits| (bits - BITS_OF_LEAST_M) >> 23);
        let m = |lane: usize| f32::from_bits((bits[lane] - (exponents[lane] << 23)) as u32);
        [Plain(std::array::from_fn(m)), Plain(exponents.map(|exponent| exponent as f32))]
    }
}

/// No other architecture has such a CPU.
#[cfg(not(target_arch = "x86_64"))]
impl Cpu for V3 {
    const IS_PORTABLE: bool = false;

    type Vector = Plain;

    #[inline(always)]
    fn splat(self, number: f32) -> Plain {
        Portable.splat(number)
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Plain {
        Portable.load(numbers)
    }

    #[inline(always)]
    fn count(self, counts: &[u32; LANES]) -> Plain {
        Portable.count(counts)
    }

    #[inline(always)]
    fn join(self, low: &[f32; LANES / 2], high: &[f32; LANES / 2]) -> Plain {
        Portable.join(low, high)
    }

    #[inline(always)]
    fn reward(self, arms: &mut [Arm; LANES], reward: f32, made: u32) {
        Portable.reward(arms, reward, made)
    }
}

#[cfg(target_arch = "x86_64")]
mod v3 {
    use super::*;
    use std::arch::x86_64::*;

    /// Eight numbers in a register. Only a [`V3`] makes one.
    #[derive(Clone, Copy)]
    pub(crate) struct Register(__m256);

    /// True or false for each lane: all of its bits are set, or none.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(__m256);

    impl Cpu for V3 {
        const IS_PORTABLE: bool = false;

        type Vector = Register;

        #[inline(always)]
        fn splat(self, number: f32) -> Register {
            // SAFETY: a V3 has AVX.
            Register(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; LANES]) -> Register {
            // SAFETY: a V3 has AVX, and there are eight numbers.
            Register(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn count(self, counts: &[u32; LANES]) -> Register {
            self.load(&counts.map(|count| count as f32))
        }

        #[inline(always)]
        fn join(self, low: &[f32; LANES / 2], high: &[f32; LANES / 2]) -> Register {
            // SAFETY: a V3 has AVX, and there are four numbers in each half.
            Register(unsafe { _mm256_loadu2_m128(high.as_ptr(), low.as_ptr()) })
        }

        #[inline(always)]
        fn reward(self, arms: &mut [Arm; LANES], reward: f32, made: u32) {
            let words: *mut f32 = arms.as_mut_ptr().cast();
            // SAFETY: a V3 has AVX and AVX2, and each arm is two words, its pulls and its mean.
            unsafe {
                // Pulls and means alternate. Separated, they are in the order of arms 0 1 4 5 2 3 6 7.
                let (low, high) = (_mm256_loadu_ps(words), _mm256_loadu_ps(words.add(LANES)));
                let pulls = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
                let means = _mm256_shuffle_ps::<0b11_01_11_01>(low, high);
                let bits = _mm256_setr_epi32(1, 2, 16, 32, 4, 8, 64, 128);
                let is_made =
                    _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(made as i32), bits), bits);
                // True is -1.
                let pulls = _mm256_sub_epi32(pulls, is_made);
                let count = _mm256_max_ps(_mm256_cvtepi32_ps(pulls), _mm256_set1_ps(1.0));
                let gains = _mm256_div_ps(_mm256_sub_ps(_mm256_set1_ps(reward), means), count);
                let means = _mm256_add_ps(means, _mm256_and_ps(gains, _mm256_castsi256_ps(is_made)));
                let pulls = _mm256_castsi256_ps(pulls);
                _mm256_storeu_ps(words, _mm256_unpacklo_ps(pulls, means));
                _mm256_storeu_ps(words.add(LANES), _mm256_unpackhi_ps(pulls, means));
            }
        }
    }

    macro_rules! operators {
        ($($operator:ident $function:ident $instruction:ident,)*) => {
            $(impl $operator for Register {
                type Output = Register;

                #[inline(always)]
                fn $function(self, other: Register) -> Register {
                    // SAFETY: the V3 that made them has AVX.
                    Register(unsafe { $instruction(self.0, other.0) })
                }
            })*
        };
    }

    operators! {
        Add add _mm256_add_ps,
        Sub sub _mm256_sub_ps,
        Mul mul _mm256_mul_ps,
        Div div _mm256_div_ps,
    }

    impl Mask for Lanes {
        #[inline(always)]
        fn bits(self) -> u32 {
            // SAFETY: the V3 that made it has AVX.
            unsafe { _mm256_movemask_ps(self.0) as u32 }
        }
    }

    impl Vector for Register {
        type Mask = Lanes;

        #[inline(always)]
        fn to_array(self) -> [f32; LANES] {
            let mut numbers = [0.0; LANES];
            // SAFETY: a V3 has AVX, and there is room for eight numbers.
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
            numbers
        }

        #[inline(always)]
        fn first(self) -> f32 {
            // SAFETY: a V3 has AVX.
            unsafe { _mm256_cvtss_f32(self.0) }
        }

        #[inline(always)]
        fn sqrt(self) -> Register {
            // SAFETY: a V3 has AVX.
            Register(unsafe { _mm256_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn max(self, other: Register) -> Register {
            // SAFETY: a V3 has AVX.
            Register(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn highest(self) -> Register {
            // SAFETY: a V3 has AVX.
            unsafe {
                // Swap the halves, then the halves of these, then neighbours.
                let of_two = _mm256_max_ps(self.0, _mm256_permute2f128_ps::<1>(self.0, self.0));
                let of_four = _mm256_max_ps(of_two, _mm256_permute_ps::<0b01_00_11_10>(of_two));
                Register(_mm256_max_ps(of_four, _mm256_permute_ps::<0b10_11_00_01>(of_four)))
            }
        }

        #[inline(always)]
        fn equals(self, other: Register) -> Lanes {
            // SAFETY: a V3 has AVX.
            Lanes(unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn exceeds(self, other: Register) -> Lanes {
            // SAFETY: a V3 has AVX.
            Lanes(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn where_or(self, mask: Lanes, other: Register) -> Register {
            // SAFETY: a V3 has AVX.
            Register(unsafe { _mm256_blendv_ps(other.0, self.0, mask.0) })
        }

        #[inline(always)]
        fn split(self) -> [Register; 2] {
            // SAFETY: a V3 has AVX and AVX2.
            unsafe {
                let bits = _mm256_castps_si256(self.0);
                let exponents =
                    _mm256_srai_epi32::<23>(_mm256_sub_epi32(bits, _mm256_set1_epi32(BITS_OF_LEAST_M)));
                let m = _mm256_sub_epi32(bits, _mm256_slli_epi32::<23>(exponents));
                [Register(_mm256_castsi256_ps(m)), Register(_mm256_cvtepi32_ps(exponents))]
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use half::Half;

#[cfg(target_arch = "x86_64")]
mod half {
    use super::*;
    use std::arch::x86_64::*;

    /// Four numbers in a register, which every x86-64 has. NaN must not be compared.
    #[derive(Clone, Copy)]
    pub(crate) struct Half(__m128);

    impl Half {
        #[inline(always)]
        pub fn splat(number: f32) -> Half {
            // SAFETY: every x86-64 has SSE.
            Half(unsafe { _mm_set1_ps(number) })
        }

        #[inline(always)]
        pub fn load(numbers: &[f32; 4]) -> Half {
            // SAFETY: every x86-64 has SSE, and there are four numbers.
            Half(unsafe { _mm_loadu_ps(numbers.as_ptr()) })
        }

        /// The larger number of each lane.
        #[inline(always)]
        pub fn max(self, other: Half) -> Half {
            // SAFETY: every x86-64 has SSE.
            Half(unsafe { _mm_max_ps(self.0, other.0) })
        }

        /// The highest number, in every lane.
        #[inline(always)]
        pub fn highest(self) -> Half {
            // SAFETY: every x86-64 has SSE.
            unsafe {
                // Swap the halves, then neighbours.
                let of_two = _mm_max_ps(self.0, _mm_shuffle_ps::<0b01_00_11_10>(self.0, self.0));
                Half(_mm_max_ps(of_two, _mm_shuffle_ps::<0b10_11_00_01>(of_two, of_two)))
            }
        }

        /// A bit for each lane where both numbers are equal; the first is the lowest.
        #[inline(always)]
        pub fn bits_where_equal(self, other: Half) -> u32 {
            // SAFETY: every x86-64 has SSE.
            unsafe { _mm_movemask_ps(_mm_cmpeq_ps(self.0, other.0)) as u32 }
        }
    }

    impl Add for Half {
        type Output = Half;

        #[inline(always)]
        fn add(self, other: Half) -> Half {
            // SAFETY: every x86-64 has SSE.
            Half(unsafe { _mm_add_ps(self.0, other.0) })
        }
    }

    impl Mul for Half {
        type Output = Half;

        #[inline(always)]
        fn mul(self, other: Half) -> Half {
            // SAFETY: every x86-64 has SSE.
            Half(unsafe { _mm_mul_ps(self.0, other.0) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The results of all vector operations, as bits.
    fn results<C: Cpu>(cpu: C, a: [f32; LANES], b: [f32; LANES], counts: [u32; LANES]) -> Vec<u32> {
        let (x, y, n) = (cpu.load(&a), cpu.load(&b), cpu.count(&counts));
        let one = cpu.splat(1.0);
        let vectors = [
            x + y,
            x - y,
            x * y,
            x / one.max(y),
            one.max(x).sqrt(),
            x.max(y),
            x.highest(),
            x.where_or(x.exceeds(y), y),
            n,
            cpu.lanes(),
            cpu.indices([3, 11]),
            cpu.load_halves(&a, [0, 3]),
            n.split()[0],
            n.split()[1],
        ];
        let mut arms: [Arm; LANES] =
            std::array::from_fn(|lane| Arm { pulls: counts[lane] / 4, mean: b[lane] });
        cpu.reward(&mut arms, a[0], counts[0] & 255);
        let [pulls, means] = cpu.arms(&arms);
        let mut bits = vec![x.equals(y).bits(), x.exceeds(y).bits(), x.first().to_bits()];
        for vector in vectors.into_iter().chain([pulls, means]) {
            bits.extend(vector.to_array().map(f32::to_bits));
        }
        bits.extend(arms.iter().flat_map(|arm| [arm.pulls, arm.mean.to_bits()]));
        bits
    }

    /// The same, lane by lane.
    fn expected(a: [f32; LANES], b: [f32; LANES], counts: [u32; LANES]) -> Vec<u32> {
        let mask = |is: fn(&f32, &f32) -> bool| {
            (0..LANES).filter(|&lane| is(&a[lane], &b[lane])).map(|lane| 1 << lane).sum::<u32>()
        };
        let mut bits = vec![mask(f32::eq), mask(f32::gt), a[0].to_bits()];
        let highest = a.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let binary_exponent = |x: f32| x.log2().round();
        let arm = |lane: usize| {
            let (made, pulls, mean) = (counts[0] >> lane & 1, counts[lane] / 4, b[lane]);
            let step = if made == 1 { (a[0] - mean) / (pulls + 1) as f32 } else { 0.0 };
            Arm { pulls: pulls + made, mean: mean + step }
        };
        let lanes: [&dyn Fn(usize) -> f32; 16] = [
            &|lane| a[lane] + b[lane],
            &|lane| a[lane] - b[lane],
            &|lane| a[lane] * b[lane],
            &|lane| a[lane] / b[lane].max(1.0),
            &|lane| a[lane].max(1.0).sqrt(),
            &|lane| a[lane].max(b[lane]),
            &|_| highest,
            &|lane| a[lane].max(b[lane]),
            &|lane| counts[lane] as f32,
            &|lane| lane as f32,
            &|lane| if lane < 4 { lane as f32 + 3.0 } else { lane as f32 + 7.0 },
            &|lane| if lane < 4 { a[lane] } else { a[lane - 1] },
            &|lane| counts[lane] as f32 / binary_exponent(counts[lane] as f32).exp2(),
            &|lane| binary_exponent(counts[lane] as f32),
            &|lane| arm(lane).pulls as f32,
            &|lane| arm(lane).mean,
        ];
        bits.extend(lanes.iter().flat_map(|number| (0..LANES).map(|lane| number(lane).to_bits())));
        bits.extend((0..LANES).flat_map(|lane| [arm(lane).pulls, arm(lane).mean.to_bits()]));
        bits
    }

    proptest! {
        #[test]
        fn every_cpu_gives_the_same_bits(
            a in prop::array::uniform8(prop_oneof![Just(1.0f32), Just(0.5), 0f32..=1.0]),
            b in prop::array::uniform8(prop_oneof![Just(1.0f32), Just(0.5), 0f32..=1.0]),
            counts in prop::array::uniform8(prop_oneof![1u32..50, 1u32..]),
        ) {
            let expect = expected(a, b, counts);
            prop_assert_eq!(results(Portable, a, b, counts), expect.clone());
            if let Some(v3) = V3::detect() {
                prop_assert_eq!(results(v3, a, b, counts), expect);
            }
        }
    }

    #[test]
    fn infinities_are_compared() {
        fn check<C: Cpu>(cpu: C) {
            let numbers =
                cpu.load(&[f32::INFINITY, 0.0, 1.0, f32::NEG_INFINITY, -0.0, 2.0, f32::INFINITY, 3.0]);
            let infinite = numbers.equals(cpu.splat(f32::INFINITY));
            assert_eq!((infinite.bits(), numbers.equals(cpu.splat(0.0)).bits()), (0b100_0001, 0b1_0010));
            assert_eq!(numbers.exceeds(cpu.splat(0.0)).bits(), 0b1110_0101);
            let finite = cpu.splat(0.0).where_or(infinite, numbers);
            assert_eq!((numbers.highest().first(), finite.highest().first()), (f32::INFINITY, 3.0));
            let mut best = Best::new(cpu);
            best.offer_next(finite);
            best.offer_next(numbers);
            best.offer_from(9, numbers);
            assert_eq!(best.first(), 8);
        }
        check(Portable);
        if let Some(v3) = V3::detect() {
            check(v3);
        }
    }
}
