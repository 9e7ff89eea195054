//! A cache of a network's evaluations, in limited memory. A new position replaces the one in its place.
//!
//! It begins small, because a short search would spend its time on clearing memory, and forgets everything when it grows.

/// The places of a new cache.
const FIRST_PLACES: usize = 2_048;

/// How much larger it grows each time.
const GROWTH: usize = 8;

/// A table of values and policies by the hash of a position.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The hash, the value and the number of actions of each place; a hash of 0 means an empty place.
    heads: Vec<(u64, f32, u16)>,
    policies: Vec<f32>,
    /// The most actions of a stored policy.
    actions: usize,
    /// The most places.
    most: usize,
    /// The places in use.
    used: usize,
    hits: u64,
}

impl Cache {
    /// At most as many places as fit into this many bytes.
    pub(crate) fn new(actions: usize, bytes: usize) -> Cache {
        let each = size_of::<(u64, f32, u16)>() + actions * size_of::<f32>();
        let most = bytes / each;
        let mut cache = Cache { heads: Vec::new(), policies: Vec::new(), actions, most, used: 0, hits: 0 };
        cache.resize(FIRST_PLACES);
        cache
    }

    /// Forgets everything, and has this many places if it may.
    fn resize(&mut self, places: usize) {
        let places = places.min(self.most);
        // The old memory is free before the new is taken.
        (self.heads, self.policies, self.used) = (Vec::new(), Vec::new(), 0);
        self.heads = vec![(0, 0.0, 0); places];
        self.policies = vec![0.0; places * self.actions];
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heads.len() * size_of::<(u64, f32, u16)>() + self.policies.len() * size_of::<f32>()
    }

    pub(crate) fn hits(&self) -> u64 {
        self.hits
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill((0, 0.0, 0));
        self.used = 0;
    }

    /// The place of a hash: the hash scaled to the number of places.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.heads.len() as u128) >> 64) as usize
    }

    /// The value and the policy of the position with this hash, if it has this many actions.
    pub(crate) fn get(&mut self, hash: u64, actions: usize) -> Option<(f32, &[f32])> {
        let place = self.place(hash);
        let &(known, value, count) = self.heads.get(place)?;
        if known != hash | 1 || usize::from(count) != actions {
            return None;
        }
        self.hits += 1;
        Some((value, &self.policies[place * self.actions..][..actions]))
    }

    pub(crate) fn insert(&mut self, hash: u64, value: f32, policy: &[f32]) {
        if policy.len() > self.actions {
            return;
        }
        if self.used > self.heads.len() / 2 && self.heads.len() < self.most {
            self.resize(self.heads.len() * GROWTH);
        }
        let place = self.place(hash);
        if let Some(head) = self.heads.get_mut(place) {
            self.used += usize::from(head.0 == 0);
            *head = (hash | 1, value, policy.len() as u16);
            self.policies[place * self.actions..][..policy.len()].copy_from_slice(policy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_remembered() {
        let mut cache = Cache::new(3, 10_000);
        assert!(cache.bytes() <= 10_000 && cache.bytes() > 9_900);
        let hash = 0x1234_5678_9ABC_DEF1;
        assert_eq!(cache.get(hash, 2), None);
        cache.insert(hash, 0.25, &[0.5, 0.5]);
        assert_eq!(cache.get(hash, 2), Some((0.25, &[0.5, 0.5][..])));
        assert_eq!(cache.get(hash, 3), None);
        assert_eq!(cache.get(hash ^ 2, 2), None);
        cache.insert(hash, 0.75, &[0.1, 0.2, 0.7]);
        assert_eq!(cache.get(hash, 3), Some((0.75, &[0.1, 0.2, 0.7][..])));
        cache.clear();
        assert_eq!(cache.get(hash, 3), None);
        assert_eq!(cache.hits(), 2);
    }

    /// It grows to its limit and no further. What it has forgotten comes in again.
    #[test]
    fn a_cache_grows_to_its_limit() {
        let mut cache = Cache::new(2, 3_000_000);
        let (first, mut largest) = (cache.bytes(), 0);
        let hash = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for number in 1..300_000 {
            cache.insert(hash(number), 0.5, &[0.25, 0.75]);
            assert_eq!(cache.get(hash(number), 2), Some((0.5, &[0.25, 0.75][..])));
            largest = largest.max(cache.bytes());
        }
        assert!(first < 60_000 && largest > 2_990_000 && largest <= 3_000_000, "{first}, then {largest}");
    }

    #[test]
    fn a_cache_without_room_remembers_nothing() {
        let mut cache = Cache::new(100, 50);
        cache.insert(7, 0.5, &[1.0]);
        assert_eq!(cache.get(7, 1), None);
    }
}
