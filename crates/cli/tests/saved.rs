//! A search saved and loaded by the command line: right, wrong, torn.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn search(game: &[&str], simulations: &str, agent: &str, more: &[&str]) -> Output {
    let agent = format!("{agent} simulations={simulations}");
    let command = Command::new(env!("CARGO_BIN_EXE_aji"))
        .arg("search")
        .args(game)
        .args(["--agent", &agent, "--json"])
        .args(more)
        .output();
    command.expect("aji starts")
}

fn found(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON value")
}

fn refused(output: &Output, expect: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.lines().count() == 1 && error.contains(expect), "{error} does not say {expect}");
    assert!(output.stdout.is_empty());
}

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("aji-saved-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FOUR: [&str; 1] = ["connect-four"];

#[test]
fn two_halves_are_a_whole() {
    let folder = Folder::new("halves");
    let file = folder.file("search.aji");
    for agent in ["uct seed=3", "uct solver=on", "uct wave=8", "uct below=ucb_tuned", "flat"] {
        let mut whole = found(&search(&FOUR, "5000", agent, &[]));
        found(&search(&FOUR, "2000", agent, &["--save", &file]));
        let mut second = found(&search(&FOUR, "3000", agent, &["--load", &file, "--save", &file]));
        assert_eq!((&second["loaded"], &second["simulations"]), (&2000.into(), &3000.into()), "{agent}");
        for key in ["seconds", "agent", "loaded", "simulations"] {
            (whole[key], second[key]) = (Value::Null, Value::Null);
        }
        assert_eq!(second, whole, "{agent}");
        let third = found(&search(&FOUR, "1", agent, &["--load", &file]));
        assert_eq!(third["loaded"], 5000, "{agent}: saved over the file that was loaded");
    }
    let files = fs::read_dir(&folder.0).expect("the folder").count();
    assert_eq!(files, 1, "no part of a file is left behind");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new("refused");
    let file = folder.file("search.aji");
    found(&search(&FOUR, "3000", "uct", &["--save", &file]));
    let load = ["--load", file.as_str()];
    refused(
        &search(&["hex size=5"], "9", "uct", &load),
        "saved of another game: connect-four, not hex size=5",
    );
    refused(&search(&["connect-four", "--moves", "d"], "9", "uct", &load), "saved of another position: ");
    refused(&search(&FOUR, "9", "uct c=0.7", &load), "saved of another agent: uct, not uct c=0.7");
    refused(&search(&FOUR, "9", "uct seed=2", &load), "saved of another agent: uct, not uct seed=2");
    refused(&search(&FOUR, "9", "uct memory=100kB", &load), "memory= is too small: the saved search needs ");
    refused(&search(&FOUR, "9", "uct reuse=off", &load), "reuse=off begins every search anew");
    refused(&search(&FOUR, "9", "uct threads=2", &load), "only the search of one thread can be saved");
    refused(&search(&FOUR, "9", "alphabeta", &load), "has no search to save; uct and flat have");
    refused(&search(&FOUR, "9", "alphabeta", &["--save", &file]), "has no search to save");
    refused(&search(&FOUR, "9", "uct", &["--load", &folder.file("none")]), "none: ");
    refused(&search(&FOUR, "9", "uct", &["--save", &folder.file("none/search.aji")]), "search.aji: ");
    found(&search(&FOUR, "9", "uct memory=2GB", &load));
}

#[test]
fn what_is_not_whole_is_refused() {
    let folder = Folder::new("torn");
    let file = folder.file("search.aji");
    found(&search(&FOUR, "1000", "uct", &["--save", &file]));
    let whole = fs::read(&file).expect("the file");
    let check = |bytes: &[u8], expect: &str| {
        fs::write(&file, bytes).expect("the file");
        refused(&search(&FOUR, "9", "uct", &["--load", &file]), expect);
    };
    check(&whole[..whole.len() / 2], "torn");
    check(&whole[..whole.len() - 1], "torn");
    check(b"", "torn");
    check(b"no search, but a text", "no saved search");
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        bytes
    };
    check(&flipped(whole.len() / 2), "damaged");
    check(&flipped(8), "version 17 of the form; expected version 1");
    fs::write(&file, &whole).expect("the file");
    found(&search(&FOUR, "9", "uct", &["--load", &file]));
}
