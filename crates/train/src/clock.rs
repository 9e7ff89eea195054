//! How long something took, by the clock and in CPU time. For the journal only: nothing that is learned depends on it.

use std::time::Instant;

/// Linux counts CPU time in ticks of this many a second (`USER_HZ`).
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

    /// CPU seconds of this process since the start. Where the system does not tell: those of threads that were never
    /// idle.
    pub(crate) fn cpu_seconds(&self, threads: usize) -> f64 {
        match (self.cpu, cpu_seconds()) {
            (Some(before), Some(now)) => now - before,
            _ => self.seconds() * threads as f64,
        }
    }
}

/// The 14th and the 15th number of the process's state: ticks in the program and in the system.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name, in brackets, which may hold anything.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let [program, system] = [fields.next()?, fields.next()?].map(|field| field.parse::<f64>().ok());
    Some((program? + system?) / TICKS)
}
