//! Errors of experiments.

use std::fmt;
use std::io;
use std::path::Path;

/// One line that says what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    is_part: bool,
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), is_part: false }
    }

    /// The end of a run that did its part of the trials.
    pub(crate) fn part(message: String) -> Error {
        Error { message, is_part: true }
    }

    /// Whether nothing failed: a part of the trials was run as asked, and the others are not there.
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    /// "cannot write trials.jsonl: no space left on device".
    pub(crate) fn file(verb: &str, path: &Path, error: &io::Error) -> Error {
        Error::new(format!("cannot {verb} {}: {}", path.display(), cause(error)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<aji_train::Error> for Error {
    fn from(error: aji_train::Error) -> Error {
        Error::new(error.to_string())
    }
}

impl From<aji_catalog::Error> for Error {
    fn from(error: aji_catalog::Error) -> Error {
        Error::new(error.to_string())
    }
}

/// The system's message without its number and its capital letter, for the middle of a line.
pub(crate) fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_read_on() {
        assert_eq!(cause(&io::Error::other("Disk on fire")), "disk on fire");
        let missing = std::fs::read("/nowhere/at/all").unwrap_err();
        assert!(!cause(&missing).contains("os error"), "{}", cause(&missing));
    }
}
