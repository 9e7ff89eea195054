//! What can go wrong with an experiment.

use std::fmt;

/// One line that says what was wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<aji_catalog::Error> for Error {
    fn from(error: aji_catalog::Error) -> Error {
        Error(error.to_string())
    }
}
