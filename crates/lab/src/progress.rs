//! How a run reports its progress. The lab prints nothing; the caller does.

/// Called from any thread, one at a time.
pub trait Progress: Sync {
    /// This experiment starts next, in a report with several.
    fn entered(&self, experiment: &str) {
        let _ = experiment;
    }

    /// The run starts, with `done` of `of` trials found in the journal.
    fn begun(&self, done: u64, of: u64) {
        let _ = (done, of);
    }

    /// A trial's record is safe; `done` of `of` trials are done.
    fn recorded(&self, trial: u64, done: u64, of: u64) {
        let _ = (trial, done, of);
    }

    /// A line for the user, for example that the journal's last line was torn and its trial runs again.
    fn noted(&self, line: &str) {
        let _ = line;
    }
}

/// Ignores everything.
impl Progress for () {}
