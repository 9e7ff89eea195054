//! All searches that the server keeps, and the memory that they share.

use crate::failure::Failure;
use crate::limits::{KEPT_MAX, RUNNING_MAX, SHARE, SHARE_MIN};
use crate::live::Live;
use crate::place::Place;
use aji_catalog::{Session, show_bytes};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The searches by number.
pub struct Searches {
    idle_max: Duration,
    kept: Mutex<Kept>,
}

struct Kept {
    next: u64,
    live: BTreeMap<u64, Arc<Live>>,
    memory: u64,
    /// The memory of searches that are not kept.
    lent: u64,
}

impl Kept {
    /// The memory that no search has.
    fn free(&self) -> u64 {
        let shares: u64 = self.live.values().map(|live| live.share).sum();
        self.memory.saturating_sub(shares + self.lent)
    }

    /// Makes room by dropping unused searches.
    fn make_room(&mut self, bytes: u64, most: usize) -> Result<(), Failure> {
        while self.live.len() >= most || self.free() < bytes {
            if !self.drop_oldest() {
                let (count, memory) = (self.live.len(), show_bytes(self.memory));
                let full = format!("{count} searches run, and hold the memory of {memory}");
                return Err(Failure::full(format!("{full}; stop one, or use aji serve --memory with more")));
            }
        }
        Ok(())
    }

    /// Drops the search that was unused for longest and does not run. False if all run.
    fn drop_oldest(&mut self) -> bool {
        let unused = self.live.values().filter(|live| !live.is_running());
        let oldest = unused.max_by_key(|live| live.idle()).map(|live| live.id);
        let dropped = oldest.and_then(|id| self.live.remove(&id));
        dropped.inspect(|live| live.close()).is_some()
    }

    /// The memory of a new search that asks for so much. Makes room by dropping unused searches.
    fn share(&mut self, asked: u64) -> Result<u64, Failure> {
        self.make_room(SHARE_MIN, KEPT_MAX)?;
        Ok(asked.min((self.free() / SHARE).max(SHARE_MIN)))
    }
}

impl Searches {
    /// No searches; this much memory for all, in bytes; and how long unused ones are kept.
    pub fn new(memory: u64, idle_max: Duration) -> Searches {
        Searches { idle_max, kept: Mutex::new(Kept { next: 1, live: BTreeMap::new(), memory, lent: 0 }) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a search of an agent that asks for so much memory.
    pub fn add(
        &self,
        memory: u64,
        asked: String,
        place: Place,
        session: Box<dyn Session>,
    ) -> Result<Arc<Live>, Failure> {
        let mut kept = self.kept();
        let share = kept.share(memory)?;
        let id = kept.next;
        kept.next += 1;
        let live = Arc::new(Live::new(id, share, asked, place, session));
        kept.live.insert(id, live.clone());
        Ok(live)
    }

    /// Lends memory to a search that ends with its request.
    pub fn lend(&self, bytes: u64) -> Result<Lent<'_>, Failure> {
        let mut kept = self.kept();
        kept.make_room(bytes, usize::MAX)?;
        kept.lent += bytes;
        Ok(Lent { searches: self, bytes })
    }

    /// The search of this number.
    pub fn find(&self, id: u64) -> Result<Arc<Live>, Failure> {
        let gone = || {
            Failure::missing(format!(
                "no search {id}: it has ended, or was unused for too long; start another"
            ))
        };
        self.kept().live.get(&id).cloned().ok_or_else(gone)
    }

    /// Marks a search as running, unless too many are.
    pub fn begin(&self, live: &Live) -> Result<(), Failure> {
        let kept = self.kept();
        let running = kept.live.values().filter(|live| live.is_running()).count();
        if running >= RUNNING_MAX {
            return Err(Failure::full(format!("{running} searches run, the most at a time; stop one first")));
        }
        live.begin()
    }

    /// Drops a search, which stops it, if it is still there.
    pub fn remove(&self, id: u64) {
        let removed = self.kept().live.remove(&id);
        removed.inspect(|live| live.close());
    }

    /// Stops what nobody watches, and drops what nobody uses.
    pub fn tidy(&self) {
        let mut kept = self.kept();
        kept.live.values().for_each(|live| live.stop_if_unwatched());
        kept.live.retain(|_, live| !live.is_stale(self.idle_max));
    }

    /// Stops and drops all.
    pub fn close(&self) {
        let live = std::mem::take(&mut self.kept().live);
        live.values().for_each(|live| live.close());
    }
}

/// Memory that is given back when this is dropped.
pub struct Lent<'a> {
    searches: &'a Searches,
    bytes: u64,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.searches.kept().lent -= self.bytes;
    }
}
