//! A contest that is played now. It writes its journal, and tells whoever watches; it needs nobody to watch.

use super::shown::{Fixed, Shown, State};
use crate::limits::{JOURNAL_MAX, LAB_TELL_EVERY};
use crate::live::News;
use aji_lab::contest::{Contest, Course, PairRecord};
use aji_lab::{Ending, Error, JournalWriter, Runner};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often the thread that tells looks whether the run is over.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Telling takes at most this part of the time.
const TELL_SHARE: u32 = 4;

/// A contest under way.
pub struct Run {
    pub fixed: Fixed,
    stop: Arc<AtomicBool>,
    course: Mutex<Course>,
    news: watch::Sender<News>,
}

impl Run {
    /// A contest before its first round. Once `stop` is set, its agents stop.
    pub fn new(fixed: Fixed, stop: Arc<AtomicBool>) -> Run {
        let course = Mutex::new(Course::new(&fixed.plan, fixed.rounds));
        Run { fixed, stop, course, news: watch::Sender::new(News::begun()) }
    }

    /// Ends it after the rounds that are recorded.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What watchers are told.
    pub fn subscribe(&self) -> watch::Receiver<News> {
        let mut news = self.news.subscribe();
        news.mark_changed();
        news
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contest so far.
    pub fn shown(&self, state: State, error: Option<String>) -> Shown {
        let course = self.course().clone();
        Shown::new(&self.fixed, &course, state, error)
    }

    /// Plays on this thread and others, to the end or until it is stopped. Returns how it ended; the error is that of a
    /// trial or of the journal.
    pub fn play(&self, contest: &Contest, runner: &Runner, journal: JournalWriter) -> Result<Ending, Error> {
        contest.keep_games(&journal)?;
        let over = AtomicBool::new(false);
        let count = &mut |trial: u64, record: &PairRecord| {
            let mut course = self.course();
            // Rounds after a gap come when the run goes on.
            if trial == course.rounds() {
                course.add(record);
            }
            course.is_decided()
        };
        let ending = std::thread::scope(|scope| {
            let tell = || self.tell_until(&over);
            let teller = std::thread::Builder::new().spawn_scoped(scope, tell);
            teller.map_err(|error| Error::new(format!("cannot start a thread: {error}")))?;
            let _over = SetAtEnd(&over);
            runner.run_each(contest, Some(journal), &(), &self.stop, count)
        });
        if ending.as_ref().is_ok_and(|ending| *ending != Ending::Stopped) {
            contest.forget_games();
        }
        ending
    }

    /// Tells those who watch how it goes, as often as it changes, but not too often.
    fn tell_until(&self, over: &AtomicBool) {
        let (mut told, mut pause) = (None, LAB_TELL_EVERY);
        let mut last = Instant::now().checked_sub(pause).unwrap_or_else(Instant::now);
        while !over.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK_EVERY);
            if last.elapsed() < pause || self.news.receiver_count() == 0 {
                continue;
            }
            let rounds = self.course().rounds();
            if told == Some(rounds) {
                continue;
            }
            last = Instant::now();
            let news = News::new("snapshot", &self.shown(State::Running, None));
            pause = LAB_TELL_EVERY.max(TELL_SHARE * last.elapsed());
            self.news.send_replace(news);
            told = Some(rounds);
        }
    }

    /// Tells watchers how it has ended. Nothing follows.
    pub fn tell_end(&self, state: State, error: Option<String>) {
        self.news.send_replace(News::new("ended", &self.shown(state, error)));
    }
}

/// Sets a flag when it is dropped, also if somebody panics.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Writes whole lines to a journal, until it would become larger than the page shows.
pub struct UpTo {
    out: Box<dyn Write + Send>,
    left: u64,
}

impl UpTo {
    /// A journal with so many bytes.
    pub fn new(out: Box<dyn Write + Send>, bytes: u64) -> UpTo {
        UpTo { out, left: JOURNAL_MAX.saturating_sub(bytes) }
    }
}

impl Write for UpTo {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if line.len() as u64 > self.left {
            let full = format!("a journal of the page has at most {JOURNAL_MAX} bytes; use the command line");
            return Err(io::Error::other(full));
        }
        let written = self.out.write(line)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
