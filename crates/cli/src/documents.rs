//! Tests that every command shown in the documents, in comments and in the help can be run: its options parse, its
//! games and agents are known, and the packages, test programs and tests it names exist. The tests do not run the
//! commands.

mod aji_commands;
mod cargo_commands;
mod snippets;

use aji_catalog::{AgentName, GAMES, session};
use cargo_commands::Workspace;
use snippets::{Snippet, in_comments, in_help, in_markdown};
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder whose names have this ending, sorted. Folders that cargo writes to are left out.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("an entry of a folder").path()) {
            if path.is_dir() && !path.ends_with("target") {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Checks a command, or the name of an agent or a game. None for other text.
fn check(snippet: &Snippet, workspace: &Workspace) -> Option<Result<(), String>> {
    let text = snippet.text.as_str();
    let first = text.split_whitespace().next()?.trim_matches('"');
    let is_agent = AgentName::KNOWN.iter().any(|(word, _)| *word == first) || first == "gtp:";
    if aji_commands::is_subcommand(first) {
        Some(aji_commands::check_mention(text))
    } else if is_agent {
        Some(aji_commands::agent(text.trim_matches('"')).map(|_| ()))
    } else if GAMES.iter().any(|game| game.word == first) {
        Some(session(text.trim_matches('"')).map(|_| ()).map_err(|error| error.to_string()))
    } else {
        check_command(snippet, workspace)
    }
}

/// Checks a command line, which may be several commands joined by pipes.
fn check_command(snippet: &Snippet, workspace: &Workspace) -> Option<Result<(), String>> {
    let is_ours = |word: &&str| ["aji", "cargo", "aji-benches"].contains(word);
    snippet.text.split_whitespace().find(is_ours)?;
    let Some(words) = shlex::split(&snippet.text) else { return Some(Err("a quote is not closed".into())) };
    let commands = words.split(|word| word == "|").filter_map(|command| {
        let end = command.iter().position(|word| word == ">").unwrap_or(command.len());
        let is_variable =
            |word: &&String| word.split('=').next().is_some_and(is_variable_name) && word.contains('=');
        let start = command.iter().take_while(is_variable).count();
        let (program, arguments) = command.get(start..end)?.split_first()?;
        match program.as_str() {
            "aji" => Some(aji_commands::check(arguments, snippet.is_shown)),
            "aji-benches" => Some(workspace.check_benches(arguments)),
            "cargo" => Some(workspace.check_cargo(arguments, snippet.is_shown)),
            _ => None,
        }
    });
    commands.reduce(|all, next| all.and(next))
}

fn is_variable_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
}

/// Checks all snippets. Returns how many are commands or names; panics with a list of those that are wrong.
fn check_all(snippets: impl Iterator<Item = (PathBuf, Snippet)>) -> usize {
    let workspace = Workspace::new(&root());
    let (mut count, mut wrong) = (0, Vec::new());
    for (file, snippet) in snippets {
        let Some(checked) = check(&snippet, &workspace) else { continue };
        count += 1;
        if let Err(error) = checked {
            let file = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
            wrong.push(format!("{file}:{}: {}\n    {error}", snippet.line, snippet.text));
        }
    }
    assert!(wrong.is_empty(), "{} commands are wrong:\n{}", wrong.len(), wrong.join("\n"));
    count
}

fn snippets_of(
    files: Vec<PathBuf>,
    read_snippets: fn(&str) -> Vec<Snippet>,
) -> impl Iterator<Item = (PathBuf, Snippet)> {
    files.into_iter().flat_map(move |file| {
        let snippets = read_snippets(&read(&file));
        snippets.into_iter().map(move |snippet| (file.clone(), snippet))
    })
}

/// The Markdown files of the root, docs/*.md and papers/*/README.md. Pages of results record past commands, so they are
/// left out.
fn documents() -> Vec<PathBuf> {
    let root = root();
    let mut found: Vec<PathBuf> = files(&root.join("docs"), ".md");
    found.extend(files(&root.join("papers"), "README.md"));
    let entries =
        std::fs::read_dir(&root).expect("the repository").map(|entry| entry.expect("an entry").path());
    found.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    found
}

#[test]
fn commands_in_documents_can_be_run() {
    let documents = documents();
    for expect in ["README.md", "CONTRIBUTING.md", "docs/tree.md", "papers/kao2013/README.md"] {
        assert!(documents.contains(&root().join(expect)), "{expect} is a document");
    }
    let count = check_all(snippets_of(documents, in_markdown));
    assert!(count > 150, "only {count} commands and names were found");
}

#[test]
fn commands_in_comments_can_be_run() {
    let sources =
        ["crates", "papers", "benches", "fuzz"].map(|folder| files(&root().join(folder), ".rs")).concat();
    // A single word in a comment is often a name in the code, so only command lines count.
    let is_command = |snippet: &Snippet| snippet.text.contains("cargo ") || snippet.text.starts_with("aji ");
    let snippets = snippets_of(sources, in_comments).filter(|(_, snippet)| is_command(snippet));
    let count = check_all(snippets);
    assert!(count > 10, "only {count} commands were found");
}

#[test]
fn examples_of_the_help_can_be_run() {
    let count =
        check_all(in_help(&aji_commands::all()).into_iter().map(|snippet| ("--help".into(), snippet)));
    assert!(count > 40, "only {count} commands were found");
}

/// The README is short, and leads to every document.
#[test]
fn the_readme_leads_to_every_document() {
    let text = read(&root().join("README.md"));
    assert!(text.lines().count() < 150, "{} lines", text.lines().count());
    for path in files(&root().join("docs"), ".md") {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        assert!(text.contains(&format!("](docs/{name})")), "docs/{name} is not linked");
    }
}

/// Commands and names that the check must refuse.
#[test]
fn wrong_commands_are_found() {
    let workspace = Workspace::new(&root());
    let checked = |text: &str| {
        let snippet = Snippet { text: text.into(), line: 1, is_shown: true };
        check(&snippet, &workspace).unwrap_or_else(|| panic!("{text} is a command"))
    };
    for (text, expect) in [
        ("aji serch hex", "unrecognized subcommand 'serch'"),
        ("aji search hex --agnt uct", "unexpected argument '--agnt'"),
        ("aji search", "required"),
        ("aji search \"hex size=99\"", "size=99"),
        ("aji search hex --moves a1,", "a1,"),
        ("aji search hex --agent \"uct c=big\"", "c=big"),
        ("aji search connect-four --agent thermo", "plays only sums"),
        ("aji match hex --a uct --b \"uct wave=x\"", "wave=x"),
        ("aji bandit --rules voy", "voy"),
        ("aji bench --games hexx", "hexx"),
        ("aji reproduce kao2031", "kao2031"),
        ("aji reproduce kao2013 --study goo", "goo"),
        ("aji thermo R3X5", "found X"),
        ("aji cgt \"{3|x}\"", "found \"x\""),
        ("cargo run --release -- serch hex", "serch"),
        ("printf 'quit\\n' | cargo run --release -- gpt", "gpt"),
        ("search GAME [--agnt NAME]", "--agnt"),
        ("uct waves=8", "waves"),
        ("\"hex sizes=5\"", "sizes"),
        ("cargo test -p ajo", "no package ajo"),
        ("cargo test -p aji --test reuse", "no test program reuse"),
        ("cargo test -p aji --test searches reuses", "no test that has reuses in its path"),
        ("cargo test -p aji --test searches alpha_beta -- --ignored", "ignored"),
        ("cargo test -p aji-cli the_picture_of_nothing", "the_picture_of_nothing"),
        ("cargo test -p aji --tests searches", "--tests"),
        ("cargo run --release -p aji-benches -- rule", "no subcommand rule"),
        ("cargo run --release -p aji-benches -- rules --loud", "--loud"),
        ("aji-benches --engine arbor --loud", "--loud"),
        ("cargo run -p ajo", "no package ajo"),
        ("cargo +nightly fuzz run gpt", "no fuzz target gpt"),
    ] {
        let error = checked(text).expect_err(text);
        assert!(error.contains(expect), "{text}: {error}");
    }
    assert_eq!(checked("AJI_BLESS=1 cargo test -p aji-gtp --test transcripts"), Ok(()));
    assert_eq!(checked("cargo test -p aji --test searches reuse -- --ignored --nocapture"), Ok(()));
    assert_eq!(checked("aji export whole.jsonl > whole.csv"), Ok(()));
}
