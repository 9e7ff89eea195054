//! The file, the arguments and the timeout of a program.

use std::env;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Some systems put games here, and not every PATH has it.
const GAMES_FOLDER: &str = "/usr/games";

/// A program that speaks GTP, and how to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The longest that it may take to answer a command.
    pub timeout: Duration,
}

/// Finds the file of a program. A name with a slash is a path; any other name is looked up on the PATH, then in
/// `/usr/games`. The error says where nothing was found.
pub fn find_program(program: &str) -> Result<PathBuf, String> {
    if program.contains('/') {
        let is_there = Path::new(program).is_file();
        return is_there.then(|| program.into()).ok_or_else(|| format!("there is no file {program}"));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(GAMES_FOLDER)]);
    let is_program = |file: &PathBuf| file.metadata().is_ok_and(|data| data.is_file() && may_run(&data));
    folders.map(|folder| folder.join(program)).find(is_program).ok_or_else(|| {
        format!("no program {program} on the PATH or in {GAMES_FOLDER}; install it, or give its path")
    })
}

#[cfg(unix)]
fn may_run(data: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_data: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found() {
        assert!(find_program("sh").is_ok_and(|path| path.ends_with("sh") && path.is_absolute()));
        assert_eq!(find_program("/bin/sh"), Ok("/bin/sh".into()));
        let missing = find_program("no-such-program").unwrap_err();
        assert!(missing.contains("no program no-such-program on the PATH or in /usr/games"), "{missing}");
        let missing = find_program("./no/such").unwrap_err();
        assert!(missing.contains("there is no file ./no/such"), "{missing}");
    }
}
