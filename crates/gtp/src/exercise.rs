//! Runs any bytes as a conversation: for fuzzing, and for tests with random lines.

use crate::protocol::{LINE_MAX, parse};
use crate::{Options, serve};
use std::io::Cursor;

/// Serves an engine with these bytes. The engine touches no files and hardly thinks. Panics unless every command up
/// to the first `quit` gets exactly one well-formed answer, under its number.
pub fn exercise(input: &[u8]) {
    let agent = "uct simulations=4 memory=8MB".parse().ok();
    let options = Options { agent, size: 5, files: false, resign: Some(0.4), ..Options::default() };
    let mut output = Vec::new();
    serve(Cursor::new(input.to_vec()), &mut output, &options).expect("a list takes all that is written");
    let output = String::from_utf8(output).expect("answers are text");
    let expected = ids(input);
    let answers: Vec<&str> = output.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), expected.len(), "one answer a command: {output:?}");
    assert!(output.is_empty() || output.ends_with("\n\n"), "the last answer ends: {output:?}");
    for (answer, id) in answers.iter().zip(&expected) {
        let rest = answer.strip_prefix(['=', '?']).unwrap_or_else(|| panic!("{answer:?} has no sign"));
        let rest = rest.strip_prefix(id.as_str()).unwrap_or_else(|| panic!("{answer:?} is not of {id:?}"));
        assert!(rest.is_empty() || rest.starts_with([' ', '\n']), "{answer:?} is of another than {id:?}");
        assert!(!answer.chars().any(|letter| letter.is_control() && letter != '\n'), "{answer:?}");
    }
}

/// The numbers of the commands that need an answer; empty for commands without a number.
fn ids(input: &[u8]) -> Vec<String> {
    let mut ids = Vec::new();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        if line.len() > LINE_MAX || (line.len() == LINE_MAX && line.last() != Some(&b'\n')) {
            ids.push(String::new());
        } else if let Some(request) = parse(line) {
            ids.push(request.id);
            if request.name == "quit" {
                break;
            }
        }
    }
    ids
}
