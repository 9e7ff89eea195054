//! The progress of a run: a bar on a terminal, a line every few seconds elsewhere, nothing for short runs.

use crate::stop;
use aji_catalog::thousands;
use aji_lab::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a terminal shows a new rate.
const DRAWN_EVERY: Duration = Duration::from_millis(200);

/// How often a line is written without a terminal.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// The bar on the terminal. Other lines are written above it.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Whether progress and notes are left out.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out progress and notes, or shows them again.
pub fn set_quiet(is_quiet: bool) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Writes a line to standard error, above the bar if there is one.
pub fn note(line: &str) {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let line = format!("{line}\n");
    match shown {
        Some(bar) => bar.suspend(|| write(&line)),
        None => write(&line),
    }
}

/// Writes to standard error, and ignores errors there, such as a full disk or a closed pipe.
pub fn write(text: &str) {
    if IS_QUIET.load(Ordering::Relaxed) {
        return;
    }
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Shows a run's progress on standard error. One bar serves several runs, one after the other, and disappears when
/// dropped.
pub struct Bar {
    bar: ProgressBar,
    is_drawn: bool,
    state: Arc<Mutex<State>>,
    /// Dropped with the bar, which ends the thread that waits for the first trial.
    waiting: Mutex<Option<Sender<()>>>,
}

struct State {
    label: String,
    /// The running experiment, if there are several.
    experiment: String,
    begun: Instant,
    /// How many trials were in the journal when the run began. Rates leave them out, since their time is not known.
    found: u64,
    told: Instant,
}

impl Bar {
    /// A bar for a run of this name.
    pub fn new(label: &str) -> Bar {
        let is_drawn = std::io::stderr().is_terminal() && !IS_QUIET.load(Ordering::Relaxed);
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{prefix} [{bar:24}] {pos} of {len}  {msg}");
        bar.set_style(style.expect("a template that is written here").progress_chars("=> "));
        let now = Instant::now();
        let state = State { label: label.into(), experiment: String::new(), begun: now, found: 0, told: now };
        Bar { bar, is_drawn, state: Arc::new(Mutex::new(state)), waiting: Mutex::new(None) }
    }

    /// Says every few seconds that the run goes on, until its first trial ends.
    fn wait_for_first(&self, done: u64, of: u64) {
        let (sender, over) = mpsc::channel();
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        let (state, bar, is_drawn) = (self.state.clone(), self.bar.clone(), self.is_drawn);
        let every = if is_drawn { Duration::from_secs(1) } else { WRITTEN_EVERY };
        // Without the thread only these lines are missing.
        let _ = std::thread::Builder::new().spawn(move || {
            while over.recv_timeout(every) == Err(RecvTimeoutError::Timeout) && !stop::is_asked() {
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                let running =
                    format!("running for {}", duration(state.begun.elapsed().as_secs_f64().floor()));
                if is_drawn {
                    bar.set_message(running);
                    bar.tick();
                } else {
                    write(&format!(
                        "{}: {} of {} trials, {running}\n",
                        state.name(),
                        thousands(done),
                        thousands(of)
                    ));
                }
            }
        });
    }

    /// Sets the label of the runs that follow.
    pub fn label(&self, label: &str) {
        self.state().label = label.into();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn name(&self) -> String {
        format!("{} {}", self.label, self.experiment).trim_end().into()
    }
}

impl Progress for Bar {
    fn entered(&self, experiment: &str) {
        self.state().experiment = experiment.into();
    }

    fn begun(&self, done: u64, of: u64) {
        let mut state = self.state();
        let now = Instant::now();
        (state.begun, state.found, state.told) = (now, done, now);
        if self.is_drawn {
            self.bar.set_length(of);
            self.bar.set_position(done);
            self.bar.set_prefix(state.name());
            self.bar.set_message(if done > 0 {
                format!("{} from the journal", thousands(done))
            } else {
                String::new()
            });
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.tick();
            *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bar.clone());
        }
        drop(state);
        if done < of {
            self.wait_for_first(done, of);
        }
    }

    fn recorded(&self, _trial: u64, done: u64, of: u64) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // After Ctrl-C the last trials end, and the command says how far it got.
        if stop::is_asked() {
            return;
        }
        let mut state = self.state();
        if state.told.elapsed() < if self.is_drawn { DRAWN_EVERY } else { WRITTEN_EVERY } {
            return;
        }
        state.told = Instant::now();
        let pace = pace(done - state.found.min(done), of - done, state.begun.elapsed());
        if self.is_drawn {
            self.bar.set_position(done);
            self.bar.set_message(pace);
        } else {
            write(&format!("{}: {} of {} trials, {pace}\n", state.name(), thousands(done), thousands(of)));
        }
    }

    fn noted(&self, line: &str) {
        note(line);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.finish_and_clear();
    }
}

/// "12.5/s, 40 s left".
fn pace(done: u64, left: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    let shown = if rate >= 100.0 { thousands(rate as u64) } else { format!("{rate:.1}") };
    format!("{shown}/s, {} left", duration(left as f64 / rate.max(1e-9)))
}

/// A time as people say it: "40 s", "3 min", "2 h 05 min".
pub fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match seconds {
        _ if seconds < 99.5 => format!("{} s", seconds.ceil() as u64),
        _ if minutes < 60 => format!("{minutes} min"),
        _ if minutes < 48 * 60 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{} days", thousands((minutes as f64 / (24.0 * 60.0)).round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_say_them() {
        let check = |seconds: f64, expect: &str| assert_eq!(duration(seconds), expect);
        check(0.0, "0 s");
        check(0.2, "1 s");
        check(99.0, "99 s");
        check(99.7, "2 min");
        check(3_569.0, "59 min");
        check(3_599.0, "1 h 00 min");
        check(7_500.0, "2 h 05 min");
        check(1e6, "12 days");
    }

    #[test]
    fn what_the_journal_held_took_no_time_now() {
        assert_eq!(pace(100, 50, Duration::from_secs(10)), "10.0/s, 5 s left");
        assert_eq!(pace(5_000, 0, Duration::from_secs(1)), "5,000/s, 0 s left");
    }
}
