//! Where the threads of an agent meet to share what they have learned.
//!
//! Threads meet after fixed numbers of simulations, never by the clock, and what they bring is added up in their order.
//! So the same seed and number of threads give the same result. A thread that ends tells the others, and they end where
//! they would have met it next.

use crate::{Progress, Top};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The simulations of a thread before the threads meet for the first time, and at least those from one meeting to the
/// next.
const FIRST: u64 = 32;

/// From one meeting to the next every thread runs 1/[`GROWTH`] of the simulations so far.
const GROWTH: u64 = 16;

/// How often a thread looks for the others before it sleeps. Waking up takes longer than a short wait.
const LOOKS: u32 = 2_000;

/// Where threads meet.
pub(crate) struct Exchange {
    room: Mutex<Room>,
    changed: Condvar,
}

struct Room {
    /// What each thread has brought to the next meeting.
    brought: Vec<Option<Top>>,
    /// The meetings so far.
    meetings: u64,
    /// The sum of what was brought to the last meeting.
    all: Arc<Top>,
    /// How many threads have ended.
    ended: usize,
    /// Whether a thread ended without what it had learned.
    is_broken: bool,
}

impl Exchange {
    pub(crate) fn new(threads: usize) -> Exchange {
        let brought = vec![None; threads];
        let room = Room { brought, meetings: 0, all: Arc::default(), ended: 0, is_broken: false };
        Exchange { room: Mutex::new(room), changed: Condvar::new() }
    }

    /// The part of one thread.
    pub(crate) fn seat(&self, number: usize) -> Seat<'_> {
        Seat { exchange: self, number, next: FIRST, was_ended: false, has_ended: false, has_shared: false }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, room: MutexGuard<'a, Room>) -> MutexGuard<'a, Room> {
        self.changed.wait(room).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all threads. The sum of what they have learned; none if one of them has ended.
    fn meet(&self, number: usize, own: Top) -> Option<Arc<Top>> {
        let mut room = self.room();
        if room.ended > 0 {
            return None;
        }
        let meeting = room.meetings;
        room.brought[number] = Some(own);
        self.add_up(&mut room);
        for _ in 0..LOOKS {
            if room.meetings > meeting || room.ended > 0 {
                break;
            }
            drop(room);
            std::hint::spin_loop();
            room = self.room();
        }
        while room.meetings == meeting && room.ended == 0 {
            room = self.wait(room);
        }
        (room.meetings > meeting).then(|| room.all.clone())
    }

    /// The last meeting: waits until all threads have ended. None if one of them could not say what it had learned.
    fn end(&self, number: usize, own: Option<Top>) -> Option<Arc<Top>> {
        let mut room = self.room();
        room.is_broken |= own.is_none();
        if room.ended == 0 {
            // What others brought to a meeting that will not take place they bring again when they end.
            room.brought.fill(None);
        }
        room.ended += 1;
        room.brought[number] = own;
        let threads = room.brought.len();
        if room.ended == threads && !room.is_broken {
            self.add_up(&mut room);
        }
        self.changed.notify_all();
        while room.ended < threads {
            room = self.wait(room);
        }
        (!room.is_broken).then(|| room.all.clone())
    }

    /// Adds up what was brought if everyone is there.
    fn add_up(&self, room: &mut Room) {
        if room.brought.iter().any(Option::is_none) {
            return;
        }
        let parts: Vec<Top> = room.brought.iter_mut().filter_map(Option::take).collect();
        room.all = Arc::new(Top::sum(&parts));
        room.meetings += 1;
        self.changed.notify_all();
    }
}

/// One thread's part in an exchange.
pub(crate) struct Seat<'a> {
    exchange: &'a Exchange,
    number: usize,
    /// The simulations after which the threads meet next.
    next: u64,
    /// Whether it ended because another thread had.
    was_ended: bool,
    has_ended: bool,
    /// Whether it has absorbed what all had learned in the end.
    has_shared: bool,
}

impl Seat<'_> {
    /// The simulations after which the threads meet next.
    pub(crate) fn next_look(&self) -> u64 {
        self.next
    }

    /// Meets the others if it is time. False if one of them has ended.
    pub(crate) fn look(&mut self, progress: &mut dyn Progress) -> bool {
        let simulations = progress.simulations();
        if simulations < self.next {
            return true;
        }
        self.next = simulations + (simulations / GROWTH).max(FIRST);
        let Some(own) = progress.learned() else { return true };
        match self.exchange.meet(self.number, own.clone()) {
            Some(all) => progress.absorb(&own, &all),
            None => self.was_ended = true,
        }
        !self.was_ended
    }

    /// Meets the others for the last time.
    pub(crate) fn ended(&mut self, progress: &mut dyn Progress) {
        self.has_ended = true;
        let own = progress.learned();
        let all = self.exchange.end(self.number, own.clone());
        if let (Some(own), Some(all)) = (own, all) {
            progress.absorb(&own, &all);
            self.has_shared = true;
        }
    }

    /// Whether it has shared everything in the end; then, whether it ended by itself.
    pub(crate) fn shared(&self) -> Option<bool> {
        self.has_shared.then_some(!self.was_ended)
    }
}

/// A thread that found nothing to search, or that panics, keeps nobody waiting.
impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            let mut room = self.exchange.room();
            (room.ended, room.is_broken) = (room.ended + 1, true);
            self.exchange.changed.notify_all();
        }
    }
}
