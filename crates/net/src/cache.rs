//! A cache of a network's evaluations, in fixed memory. A new position replaces the one in its place.

/// A table of values and policies by the hash of a position.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The hash, the value and the number of actions of each place; a hash of 0 means an empty place.
    heads: Vec<(u64, f32, u16)>,
    policies: Vec<f32>,
    /// The most actions of a stored policy.
    actions: usize,
    hits: u64,
}

impl Cache {
    /// As many places as fit into this many bytes.
    pub(crate) fn new(actions: usize, bytes: usize) -> Cache {
        let each = size_of::<(u64, f32, u16)>() + actions * size_of::<f32>();
        let places = bytes / each;
        Cache { heads: vec![(0, 0.0, 0); places], policies: vec![0.0; places * actions], actions, hits: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heads.len() * size_of::<(u64, f32, u16)>() + self.policies.len() * size_of::<f32>()
    }

    pub(crate) fn hits(&self) -> u64 {
        self.hits
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill((0, 0.0, 0));
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
        let place = self.place(hash);
        if policy.len() > self.actions {
            return;
        }
        if let Some(head) = self.heads.get_mut(place) {
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

    #[test]
    fn a_cache_without_room_remembers_nothing() {
        let mut cache = Cache::new(100, 50);
        cache.insert(7, 0.5, &[1.0]);
        assert_eq!(cache.get(7, 1), None);
    }
}
