//! D(a, b): by how much action a has been better than b, on average over the visits to positions that offer both.
//!
//! A visit tells how the action taken compares with the others, so it adds to one row; D reads both rows. That makes D
//! antisymmetric by itself, and a visit touches contiguous memory.

/// The sum of some samples, and how many they were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Samples {
    sum: f32,
    count: u32,
}

/// Differences between all pairs of keys: 8 bytes for each pair in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    keys: usize,
    samples: Vec<Samples>,
}

impl Differences {
    /// Nothing known of so many keys.
    pub fn new(keys: usize) -> Differences {
        Differences { keys, samples: vec![Samples::default(); keys * keys] }
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.samples.len() * size_of::<Samples>()
    }

    /// Counts a sample: a, which was taken, has looked better than each of these others by so much.
    #[inline]
    pub fn add_all(&mut self, taken: usize, others: impl Iterator<Item = (usize, f32)>) {
        let row = &mut self.samples[taken * self.keys..][..self.keys];
        for (other, difference) in others {
            let samples = &mut row[other];
            samples.sum += difference;
            samples.count += 1;
        }
    }

    /// D(a, b); 0 of pairs never seen together.
    #[inline]
    pub fn of(&self, one: usize, other: usize) -> f32 {
        let (sum, count) = self.sum_and_count(one, other);
        if count == 0 { 0.0 } else { sum / count as f32 }
    }

    /// How often two keys were compared.
    #[inline]
    pub fn count(&self, one: usize, other: usize) -> u32 {
        self.sum_and_count(one, other).1
    }

    /// Adds what was found elsewhere about the same keys.
    pub fn merge(&mut self, other: &Differences) {
        for (own, others) in self.samples.iter_mut().zip(&other.samples) {
            own.sum += others.sum;
            own.count += others.count;
        }
    }

    /// Adds what was found about some of the keys: `keys` are those here of the keys there.
    pub fn merge_group(&mut self, group: &Differences, keys: &[u32]) {
        for (one, samples) in keys.iter().zip(group.samples.chunks(group.keys.max(1))) {
            for (other, samples) in keys.iter().zip(samples) {
                let own = &mut self.samples[*one as usize * self.keys + *other as usize];
                own.sum += samples.sum;
                own.count += samples.count;
            }
        }
    }

    /// The sum of the samples of D(a, b), and how many they were.
    #[inline(always)]
    pub fn sum_and_count(&self, one: usize, other: usize) -> (f32, u32) {
        let there = self.samples[one * self.keys + other];
        let back = self.samples[other * self.keys + one];
        (there.sum - back.sum, there.count + back.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_antisymmetric_means() {
        let mut differences = Differences::new(3);
        differences.add_all(0, [(1, 0.5), (2, -1.0)].into_iter());
        differences.add_all(1, [(0, 0.1)].into_iter());
        assert_eq!((differences.of(0, 1), differences.count(1, 0)), (0.2, 2));
        for one in 0..3 {
            for other in 0..3 {
                assert_eq!(differences.of(one, other), -differences.of(other, one));
            }
        }
        assert_eq!((differences.of(1, 2), differences.count(1, 2)), (0.0, 0));
    }

    #[test]
    fn merged_as_if_seen_at_once() {
        let (mut one, mut other, mut both) = (Differences::new(2), Differences::new(2), Differences::new(2));
        one.add_all(0, [(1, 0.5)].into_iter());
        other.add_all(1, [(0, 0.25)].into_iter());
        both.add_all(0, [(1, 0.5)].into_iter());
        both.add_all(1, [(0, 0.25)].into_iter());
        one.merge(&other);
        assert_eq!(one, both);
        let mut whole = Differences::new(4);
        whole.merge_group(&one, &[3, 1]);
        assert_eq!((whole.of(3, 1), whole.count(1, 3), whole.count(0, 1)), (0.125, 2, 0));
    }
}
