//! Programs by name: `gtp: gnugo --mode gtp`, or `gtp(timeout=30s): ...`. After the colon comes a command line, taken apart
//! as a shell does for quotes; no shell is started.

use crate::Error;
use crate::units::{show_time, time};
use crate::words::Words;
use std::env;
use std::fmt;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// How long a command may take where the name does not say.
const TIMEOUT_DEFAULT: Duration = Duration::from_secs(60);

/// Where programs for play lie on some systems, though it is not on every PATH.
const GAMES_FOLDER: &str = "/usr/games";

/// A program that plays Go, by GTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramName {
    /// The program, and its arguments. Never empty.
    pub command: Vec<String>,
    /// `timeout=`, the longest that it may take for the answer to a command.
    pub timeout: Duration,
}

impl ProgramName {
    /// The word that such names begin with.
    pub const WORD: &str = "gtp";

    /// Whether a name is one of a program, right or wrong.
    pub(crate) fn is_meant(text: &str) -> bool {
        let is_end = |letter: char| letter.is_whitespace() || letter == ':' || letter == '(';
        text.trim().split(is_end).next() == Some(ProgramName::WORD)
    }

    /// The file of the program: as it is given, or where the PATH or the folder of games has it.
    pub(crate) fn find(&self) -> Result<PathBuf, Error> {
        let program = &self.command[0];
        if program.contains('/') {
            let is_there = Path::new(program).is_file();
            return is_there
                .then(|| program.into())
                .ok_or_else(|| Error::new(format!("{self}: there is no file {program}")));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain([PathBuf::from(GAMES_FOLDER)]);
        let is_program = |file: &PathBuf| file.metadata().is_ok_and(|data| data.is_file() && may_run(&data));
        folders.map(|folder| folder.join(program)).find(is_program).ok_or_else(|| {
            Error::new(format!(
                "{self}: no program {program} on the PATH or in {GAMES_FOLDER}; install it, or give its path"
            ))
        })
    }
}

#[cfg(unix)]
fn may_run(data: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_data: &Metadata) -> bool {
    true
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

/// A word of a command line. Only what would be read otherwise has quotes.
fn quoted(word: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || "'\"\\#".contains(letter);
    if word.is_empty() || word.contains(is_special) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        let check = |text: &str, printed: &str, words: &[&str]| {
            let name: ProgramName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(name.to_string(), printed);
            assert_eq!(name.command, words);
            assert_eq!(printed.parse(), Ok(name));
        };
        check("gtp: gnugo --mode gtp", "gtp: gnugo --mode gtp", &["gnugo", "--mode", "gtp"]);
        check("gtp:gnugo  --level=0", "gtp: gnugo --level=0", &["gnugo", "--level=0"]);
        check("gtp(timeout=60s): x", "gtp: x", &["x"]);
        check("gtp(timeout=1500ms): ./a:b", "gtp(timeout=1.5s): ./a:b", &["./a:b"]);
        check("gtp: sh -c \"a 'b' c\"", r"gtp: sh -c 'a '\''b'\'' c'", &["sh", "-c", "a 'b' c"]);
        check(r"gtp: a\ b '' '#c'", "gtp: 'a b' '' '#c'", &["a b", "", "#c"]);
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let check = |text: &str, expect: &str| {
            let error = text.parse::<ProgramName>().unwrap_err().to_string();
            assert!(error.contains(expect) && !error.contains('\n'), "{text}: {error}");
        };
        check("gtp gnugo", "expected a colon and a command");
        check("gtp:", "expected a command after the colon, such as gtp: gnugo");
        check("gtp: ''", "expected a command after the colon");
        check("gtp: gnugo 'a", "\"gnugo 'a\": a quote is not closed");
        check("gtp: gnugo\n--mode", "without control characters");
        check("gtp(timeout=x): gnugo", "agent gtp: timeout=x: expected a time such as 2s");
        check("gtp(seed=1): gnugo", "unknown option of agent gtp: \"seed\"");
        check("gtp(timeout=1s: gnugo", "expected ) at the end");
    }

    #[test]
    fn programs_are_found() {
        let find = |text: &str| text.parse::<ProgramName>().and_then(|name| name.find());
        assert!(find("gtp: sh").is_ok_and(|path| path.ends_with("sh") && path.is_absolute()));
        assert_eq!(find("gtp: /bin/sh"), Ok("/bin/sh".into()));
        let missing = find("gtp: no-such-program").unwrap_err().to_string();
        assert!(missing.contains("no program no-such-program on the PATH or in /usr/games"), "{missing}");
        let missing = find("gtp: ./no/such").unwrap_err().to_string();
        assert!(missing.contains("there is no file ./no/such"), "{missing}");
    }
}
