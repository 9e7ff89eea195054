//! Programs by name: `gtp: gnugo --mode gtp`, or `gtp(timeout=30s): ...`. After the colon comes a command line. It is split
//! into words by a shell's rules for quotes, but no shell runs.

use crate::Error;
use crate::units::{show_time, time};
use crate::words::Words;
use aji_gtp_client::{Program, find_program};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The default of `timeout=`.
const TIMEOUT_DEFAULT: Duration = Duration::from_secs(60);

/// The name of a program that plays Go by GTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramName {
    /// The program and its arguments. Never empty.
    pub command: Vec<String>,
    /// `timeout=`, the longest that the program may take to answer a command.
    pub timeout: Duration,
}

impl ProgramName {
    /// The word that such names begin with.
    pub const WORD: &str = "gtp";

    /// Whether a name begins like that of a program. The rest of it may be wrong.
    pub(crate) fn is_meant(text: &str) -> bool {
        let is_end = |letter: char| letter.is_whitespace() || letter == ':' || letter == '(';
        text.trim().split(is_end).next() == Some(ProgramName::WORD)
    }

    /// The program, ready to run. An error if there is no such file.
    pub(crate) fn program(&self) -> Result<Program, Error> {
        let (program, arguments) = (&self.command[0], &self.command[1..]);
        let path = find_program(program).map_err(|error| Error::new(format!("{self}: {error}")))?;
        Ok(Program { path, arguments: arguments.to_vec(), timeout: self.timeout })
    }
}

impl FromStr for ProgramName {
    type Err = Error;

    fn from_str(text: &str) -> Result<ProgramName, Error> {
        let example = "such as gtp: gnugo --mode gtp";
        let Some((head, command)) = text.split_once(':') else {
            return Err(Error::new(format!("agent \"{text}\": expected a colon and a command, {example}")));
        };
        let mut words = Words::parse_nested("agent", head.trim())?;
        let timeout = words.take("timeout", time)?.unwrap_or(TIMEOUT_DEFAULT);
        words.finish()?;
        if command.contains(char::is_control) {
            return Err(Error::new("agent gtp: expected a command without control characters, on one line"));
        }
        let command = shlex::split(command)
            .ok_or_else(|| Error::new(format!("agent gtp: \"{}\": a quote is not closed", command.trim())))?;
        if command.first().is_none_or(String::is_empty) {
            return Err(Error::new(format!("agent gtp: expected a command after the colon, {example}")));
        }
        Ok(ProgramName { command, timeout })
    }
}

impl fmt::Display for ProgramName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ProgramName::WORD)?;
        if self.timeout != TIMEOUT_DEFAULT {
            write!(f, "(timeout={})", show_time(self.timeout))?;
        }
        f.write_str(":")?;
        self.command.iter().try_for_each(|word| write!(f, " {}", quoted(word)))
    }
}

/// A word of a command line, in quotes if it would otherwise be split or changed.
fn quoted(word: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || "'\"\\#".contains(letter);
    if word.is_empty() || word.contains(is_special) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.into()
    }
}
