//! How a run tells how far it is. The lab prints nothing; a shell does.

/// Told from any thread, one at a time.
pub trait Progress: Sync {
    /// This experiment comes next, where a report has several.
    fn entered(&self, experiment: &str) {
        let _ = experiment;
    }

    /// The run begins, with `done` of `of` trials found in the journal.
    fn begun(&self, done: u64, of: u64) {
        let _ = (done, of);
    }

    /// A trial's record is safe; `done` of `of` trials are.
    fn recorded(&self, trial: u64, done: u64, of: u64) {
        let _ = (trial, done, of);
    }

    /// A line for the user, such as that the journal's last line was torn and its trial is run again.
    fn noted(&self, line: &str) {
        let _ = line;
    }
}

/// Tells nobody.
impl Progress for () {}
