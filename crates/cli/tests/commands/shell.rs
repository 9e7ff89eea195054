//! Runs aji as a shell does: its output, and its errors for bad input.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, to be run with these arguments.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aji"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The output of a command.
pub fn aji(arguments: &[&str]) -> Output {
    command(arguments).output().expect("aji runs")
}

/// The output of a command with this standard input.
pub fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("aji starts");
    // A command that does not read its input may have closed it already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("aji ends")
}

/// The standard output of a command that succeeds with an empty standard error.
pub fn printed(arguments: &[&str]) -> String {
    silent(aji(arguments), arguments)
}

/// The standard output of a command with this standard input.
pub fn answered(arguments: &[&str], input: &str) -> String {
    silent(with_input(arguments, input), arguments)
}

fn silent(output: Output, arguments: &[&str]) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "", "{arguments:?}: nothing is shown on standard error in a pipe");
    succeeded(output, arguments)
}

fn succeeded(output: Output, arguments: &[&str]) -> String {
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The standard output as JSON.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("one JSON value")
}

/// Bad input: exit code 2, nothing on standard output, one line on standard error.
pub fn refused(arguments: &[&str], expect: &str) {
    is_refusal(&aji(arguments), arguments, expect);
}

fn is_refusal(output: &Output, arguments: &[&str], expect: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("aji: ") && error.contains(expect), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

/// A file of this name that no other test writes.
pub fn temporary(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// A folder to run commands in.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one of this name, that no other test writes to.
    pub fn new(name: &str) -> Folder {
        let path = PathBuf::from(temporary(name));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").into()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }

    /// The output of a command that runs there.
    pub fn aji(&self, arguments: &[&str]) -> Output {
        command(arguments).current_dir(&self.0).output().expect("aji runs")
    }

    /// The standard output; standard error may have text.
    pub fn printed(&self, arguments: &[&str]) -> String {
        succeeded(self.aji(arguments), arguments)
    }

    /// Checks that a command there is refused as bad input.
    pub fn refused(&self, arguments: &[&str], expect: &str) {
        is_refusal(&self.aji(arguments), arguments, expect);
    }
}

/// Checks that every tag is closed in order, and every attribute.
pub fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for (index, part) in text.split('<').enumerate().skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("tag {index} has no end: {part}"));
        assert!(!after.contains('>') && tag.matches('"').count() % 2 == 0, "{part}");
        let name = tag.split_whitespace().next().expect("a name");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{part}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        let entities = after.split('&').skip(1);
        assert!(
            entities
                .into_iter()
                .all(|entity| ["amp;", "lt;", "gt;"].iter().any(|name| entity.starts_with(name)))
        );
    }
    assert!(open.is_empty() && text.starts_with("<svg "), "{open:?} are not closed");
}
