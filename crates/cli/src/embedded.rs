//! The command line inside another program, such as a Python process: a command gives its output as text, and the program
//! decides what interrupts it.

use crate::{Workbench, commands, done, output, progress, stop, told};
use std::ffi::OsString;

pub use crate::trials::{COMMIT, VERSION, VERSION_AND_COMMIT};

/// What a command has printed, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its output.
    pub text: String,
    /// The line that says what went wrong.
    pub error: Option<String>,
    /// Whether it was interrupted. The output then has what was found until then.
    pub is_interrupted: bool,
    /// Whether it did a part of its work only, as the error says.
    pub is_partial: bool,
}

/// Commands that talk to a person or a program until these end.
const CONVERSATIONS: [&str; 3] = ["play", "gtp", "serve"];

/// Runs a command of these words, without the program's name, over these games and agents.
pub fn answer(words: &[String], workbench: &Workbench) -> Answer {
    if let Some(word) = words.first().filter(|word| CONVERSATIONS.contains(&word.as_str())) {
        let error = format!("{word} is a conversation: run the program aji for it");
        return Answer { text: String::new(), error: Some(error), is_interrupted: false, is_partial: false };
    }
    let arguments: Vec<OsString> =
        std::iter::once("aji").chain(words.iter().map(String::as_str)).map(OsString::from).collect();
    let _command = stop::begin();
    let (done, text) = output::kept(|| done(&arguments, workbench));
    let is_partial = done.as_ref().is_err_and(|error| error.is::<commands::Unfinished>());
    let error = done.err().map(|error| told(&error));
    Answer { text, error, is_interrupted: stop::is_asked(), is_partial }
}

/// Interrupts all commands under way, as Ctrl-C interrupts the program.
pub fn interrupt() {
    stop::interrupt();
}

/// Leaves out progress and notes, which go to standard error, or shows them again.
pub fn set_quiet(is_quiet: bool) {
    progress::set_quiet(is_quiet);
}
