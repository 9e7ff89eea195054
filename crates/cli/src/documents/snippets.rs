//! Finds the pieces of code in Markdown, in comments and in the help.

use clap::Command;

/// A piece of code.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    pub text: String,
    pub line: usize,
    /// True for a line of a block, which a reader can run as it stands. A command within a sentence may lack arguments.
    pub is_shown: bool,
}

/// The lines of all blocks except Rust, and the code within sentences, which may span line breaks.
pub fn in_markdown(text: &str) -> Vec<Snippet> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut paragraph: Vec<(usize, &str)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let is_blank = line.trim().is_empty();
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(language) };
            found.extend(in_sentences(&std::mem::take(&mut paragraph)));
        } else if let Some(language) = fence {
            found.extend((!is_blank && language != "rust").then(|| shown(line, index + 1)));
        } else if is_blank {
            found.extend(in_sentences(&std::mem::take(&mut paragraph)));
        } else if paragraph.is_empty() && line.starts_with("    ") {
            found.push(shown(line.trim_start(), index + 1));
        } else {
            paragraph.push((index + 1, line));
        }
    }
    found.extend(in_sentences(&paragraph));
    found
}

/// A line of a block without its prompt, and without the remark that follows two spaces.
fn shown(line: &str, number: usize) -> Snippet {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let mut is_quoted = false;
    let end = line.char_indices().zip(line.chars().skip(1)).find(|&((_, letter), next)| {
        is_quoted ^= letter == '"';
        !is_quoted && letter == ' ' && next == ' '
    });
    let text = end.map_or(line, |((end, _), _)| &line[..end]);
    Snippet { text: text.into(), line: number, is_shown: true }
}

/// The texts between backticks in the lines of a paragraph.
fn in_sentences(lines: &[(usize, &str)]) -> Vec<Snippet> {
    let mut found = Vec::new();
    let mut open: Option<Snippet> = None;
    for &(number, line) in lines {
        for (index, piece) in line.split('`').enumerate() {
            if index > 0 {
                let closed = open.take();
                if closed.is_none() {
                    open = Some(Snippet { text: String::new(), line: number, is_shown: false });
                }
                found.extend(closed);
            }
            if let Some(snippet) = &mut open {
                let gap = if snippet.text.is_empty() { "" } else { " " };
                snippet.text += &format!("{gap}{}", piece.trim());
            }
        }
    }
    found
}

/// The code within the sentences of a source file's comments.
pub fn in_comments(source: &str) -> Vec<Snippet> {
    let comment = |line: &'_ str| {
        let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
        comment.trim_start_matches(['/', '!']).trim_start().to_string()
    };
    // Lines of code become blank lines, which end a paragraph.
    let text: Vec<String> = source.lines().map(comment).collect();
    in_markdown(&text.join("\n")).into_iter().filter(|snippet| !snippet.is_shown).collect()
}

/// The examples after the help of all commands.
pub fn in_help(command: &Command) -> Vec<Snippet> {
    let mut found = Vec::new();
    for command in command.get_subcommands().chain([command]) {
        let help = command.get_after_help().map_or(String::new(), ToString::to_string);
        let examples =
            help.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| line.starts_with("aji "));
        found.extend(examples.map(|example| shown(example, 0)));
    }
    found
}

#[test]
fn code_is_found() {
    let text = "Say `a b` and `c\nd`.\n\n```text\n$ aji list   # all\n\naji cgt \"a  b\"  what\n```\n\n    e f\n\n```rust\ng\n```\n";
    let snippet = |text: &str, line, is_shown| Snippet { text: text.into(), line, is_shown };
    let expect = [
        snippet("a b", 1, false),
        snippet("c d", 1, false),
        snippet("aji list", 5, true),
        snippet("aji cgt \"a  b\"", 7, true),
        snippet("e f", 10, true),
    ];
    assert_eq!(in_markdown(text), expect);
    assert_eq!(in_comments("/// Say `a\n/// b`.\nlet c = \"`d`\";\n"), [snippet("a b", 1, false)]);
}
