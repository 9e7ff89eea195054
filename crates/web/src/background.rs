//! Long work, which gives way to the threads that answer requests.
//!
//! Searches and studies take all the time that the system gives them. On a machine with fewer cores than searches, an
//! answer would wait behind them at each step: to be accepted, to be worked out, to be sent.

use std::thread;

/// How much the system prefers other threads, on its scale from 0 to 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Does long work, and waits for its end. The thread that waits keeps its priority; the work has a thread of its own.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            give_way();
            work()
        });
        worker.join()
    });
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Lowers the priority of this thread, and of those that it begins. It cannot be raised again without privileges. Where
/// the system refuses, or knows priorities of processes only, nothing changes.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getpriority_process, setpriority_process};
        // On Linux this is the priority of the calling thread, not of the process.
        let own = getpriority_process(None).unwrap_or(0);
        let _ = setpriority_process(None, own.saturating_add(NICENESS).min(19));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;

    #[test]
    fn only_the_work_gives_way() {
        let before = getpriority_process(None).unwrap();
        let during = run(|| thread::spawn(|| getpriority_process(None).unwrap()).join().unwrap());
        assert_eq!(during, (before + NICENESS).min(19), "threads of the work give way too");
        assert_eq!(getpriority_process(None).unwrap(), before);
    }

    #[test]
    #[should_panic(expected = "told")]
    fn a_panic_reaches_who_waits() {
        run(|| panic!("told"));
    }
}
