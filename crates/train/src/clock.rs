//! Measures wall time and CPU time. For the journal only: nothing that is learned depends on it.

use std::time::Instant;

/// The ticks per second in which Linux counts CPU time (`USER_HZ`).
const TICKS: f64 = 100.0;

pub(crate) struct Stopwatch {
    begun: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { begun: Instant::now(), cpu: cpu_seconds() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// CPU seconds of this process since the start. If the system does not report them, assumes that no thread was ever
    /// idle.
    pub(crate) fn cpu_seconds(&self, threads: usize) -> f64 {
        match (self.cpu, cpu_seconds()) {
            (Some(before), Some(now)) => now - before,
            _ => self.seconds() * threads as f64,
        }
    }
}

/// Reads fields 14 and 15 of `/proc/self/stat`: the ticks in user mode and in the kernel.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses, which may contain anything.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let [program, system] = [fields.next()?, fields.next()?].map(|field| field.parse::<f64>().ok());
    Some((program? + system?) / TICKS)
}
