//! A search saved and loaded by the command line: right, wrong, torn.

use crate::shell::{Folder, json, refused};
use serde_json::Value;
use std::fs;

fn words<'a>(game: &[&'a str], agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["search"], game, &["--json", "--agent", agent], more].concat()
}

/// A search of this many simulations, and its result.
fn found(game: &[&str], simulations: &str, agent: &str, more: &[&str]) -> Value {
    json(&words(game, &format!("{agent} simulations={simulations}"), more))
}

/// A search that is refused before it begins.
fn not_begun(game: &[&str], simulations: &str, agent: &str, more: &[&str], expect: &str) {
    refused(&words(game, &format!("{agent} simulations={simulations}"), more), expect);
}

const FOUR: [&str; 1] = ["connect-four"];

#[test]
fn two_halves_are_a_whole() {
    let folder = Folder::new("saved/halves");
    let file = folder.file("search.aji");
    for agent in ["uct seed=3", "uct solver=on", "uct wave=8", "uct below=ucb_tuned", "flat"] {
        let mut whole = found(&FOUR, "5000", agent, &[]);
        found(&FOUR, "2000", agent, &["--save", &file]);
        let mut second = found(&FOUR, "3000", agent, &["--load", &file, "--save", &file]);
        assert_eq!((&second["loaded"], &second["simulations"]), (&2000.into(), &3000.into()), "{agent}");
        for key in ["seconds", "agent", "loaded", "simulations"] {
            (whole[key], second[key]) = (Value::Null, Value::Null);
        }
        assert_eq!(second, whole, "{agent}");
        let third = found(&FOUR, "1", agent, &["--load", &file]);
        assert_eq!(third["loaded"], 5000, "{agent}: saved over the file that was loaded");
    }
    let files = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(files, 1, "no part of a file is left behind");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new("saved/refused");
    let file = folder.file("search.aji");
    found(&FOUR, "3000", "uct", &["--save", &file]);
    let load = ["--load", file.as_str()];
    not_begun(&["hex size=5"], "9", "uct", &load, "saved of another game: connect-four, not hex size=5");
    not_begun(&["connect-four", "--moves", "d"], "9", "uct", &load, "saved of another position: ");
    not_begun(&FOUR, "9", "uct c=0.7", &load, "saved of another agent: uct, not uct c=0.7");
    not_begun(&FOUR, "9", "uct seed=2", &load, "saved of another agent: uct, not uct seed=2");
    not_begun(&FOUR, "9", "uct memory=100kB", &load, "memory= is too small: the saved search needs ");
    not_begun(&FOUR, "9", "uct reuse=off", &load, "reuse=off begins every search anew");
    not_begun(&FOUR, "9", "uct threads=2", &load, "only the search of one thread can be saved");
    not_begun(
        &FOUR,
        "9",
        "alphabeta",
        &load,
        "has no search to save; uct, rave, flat, alphazero and gumbel have",
    );
    not_begun(&FOUR, "9", "alphabeta", &["--save", &file], "has no search to save");
    not_begun(&FOUR, "9", "uct", &["--load", &folder.file("none")], "none: ");
    not_begun(&FOUR, "9", "uct", &["--save", &folder.file("none/search.aji")], "search.aji: ");
    found(&FOUR, "9", "uct memory=2GB", &load);
}

/// A rename would replace a link, a pipe or a device.
#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    let folder = Folder::new("saved/replaced");
    let (file, link, pipe) = (folder.file("search.aji"), folder.file("link.aji"), folder.file("pipe.aji"));
    std::os::unix::fs::symlink("search.aji", &link).expect("a link");
    not_begun(&FOUR, "9", "uct", &["--save", &link], "it is a link to a file that does not exist");
    found(&FOUR, "9", "uct", &["--save", &file]);
    found(&FOUR, "20", "uct", &["--save", &link]);
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert_eq!(found(&FOUR, "1", "uct", &["--load", &file])["loaded"], 20, "written through the link");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    not_begun(&FOUR, "9", "uct", &["--save", &pipe], "pipe.aji: it is no regular file");
    not_begun(&FOUR, "9", "uct", &["--save", "/dev/null"], "/dev/null: it is no regular file");
    not_begun(&FOUR, "9", "uct", &["--save", &folder.path().to_string_lossy()], "it is a directory");
}

#[test]
fn what_is_not_whole_is_refused() {
    let folder = Folder::new("saved/torn");
    let file = folder.file("search.aji");
    found(&FOUR, "1000", "uct", &["--save", &file]);
    let whole = fs::read(&file).expect("the file");
    let check = |bytes: &[u8], expect: &str| {
        fs::write(&file, bytes).expect("the file");
        not_begun(&FOUR, "9", "uct", &["--load", &file], expect);
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
    found(&FOUR, "9", "uct", &["--load", &file]);
}
