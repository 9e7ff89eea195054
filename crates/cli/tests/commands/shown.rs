//! The outputs shown in README.md and docs/ are what the commands print, except for times.

use crate::shell::command;
use std::path::{Path, PathBuf};

/// The beginning of every command in the documents.
const PROMPT: &str = "$ cargo run --release -- ";

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages =
        std::fs::read_dir(root.join("docs")).expect("docs/").map(|entry| entry.expect("a page").path());
    let mut found: Vec<PathBuf> =
        pages.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    found.push(root.join("README.md"));
    found.sort();
    found
}

/// The commands of a page, each with the output that follows it.
fn shown(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```text\n").skip(1).filter_map(|block| block.split("\n```").next());
    let shown = blocks.filter_map(|block| block.strip_prefix(PROMPT)?.split_once('\n'));
    shown.map(|(command, output)| (command.to_string(), output.to_string())).collect()
}

/// A text without measured times: numbers before a unit of time.
fn timeless(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_time = |place: usize| {
            let next = words.get(place + 1).map_or("", |next| next.trim_matches([';', ',']));
            words[place].contains("/s") || ["s", "ms"].contains(&next)
        };
        let word = |place: usize| if is_time(place) { "*" } else { words[place] };
        (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
    };
    text.trim().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_shown_is_printed() {
    let mut checked = 0;
    for page in documents() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (line, output) in shown(&text) {
            let arguments = shlex::split(&line).expect("a command");
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            // A slow machine shows progress on standard error, which is not compared.
            let ended = command(&arguments).output().expect("aji runs");
            assert!(ended.status.success(), "{}: {line}", page.display());
            let found = String::from_utf8(ended.stdout).expect("text");
            assert_eq!(timeless(&found), timeless(&output), "{}: {line}", page.display());
            checked += 1;
        }
    }
    assert!(checked >= 2, "only {checked} outputs are shown");
}
