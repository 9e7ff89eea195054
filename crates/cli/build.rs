//! Tells the program which commit it is built from.
//!
//! Only the same program can repeat a measurement. So the commit is `3f2a91c07d` only if the sources are those of the
//! commit. Otherwise it is `3f2a91c07d+5be1044c`, with a hash of the sources, so that programs with different changes
//! have different commits. Without git, or in a package, the commit is unknown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of the program, as git pathspecs. The results in the folders of papers are not among them.
const SOURCES: [&str; 7] = [
    ":/Cargo.toml",
    ":/Cargo.lock",
    ":/.cargo",
    ":/crates/*/Cargo.toml",
    ":/crates/*/src/*",
    ":/papers/Cargo.toml",
    ":/papers/*.rs",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let shown = if commit.is_empty() { "unknown" } else { &commit };
    println!("cargo::rustc-env=AJI_COMMIT={commit}");
    println!("cargo::rustc-env=AJI_VERSION_AND_COMMIT={version} (commit {shown})");
}

fn commit() -> Option<String> {
    // A package unpacked inside another project must not report that project's commit.
    if git(&["rev-parse", "--show-prefix"])? != "crates/cli/" {
        return None;
    }
    let head = git(&["rev-parse", "--short=10", "HEAD"])?;
    watch_commits();
    let sources = sources();
    for path in &sources {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let changes = git(&[
        &["--no-optional-locks", "status", "--porcelain", "--untracked-files=all", "--"],
        &SOURCES[..],
    ]
    .concat())?;
    Some(if changes.is_empty() { head } else { format!("{head}+{:08x}", hash(&sources)) })
}

/// Reruns this script when the commit changes: HEAD names the branch, the branch the commit, and the log grows with
/// every commit and checkout.
fn watch_commits() {
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // A missing file would rerun this script at every build.
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The files that the program is built from, in order.
fn sources() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        ["Cargo.toml", "Cargo.lock", "papers/Cargo.toml"].map(|name| Path::new("../..").join(name)).into();
    for package in children(Path::new("..")) {
        files.push(package.join("Cargo.toml"));
        collect(&package.join("src"), &|_| true, &mut files);
    }
    collect(
        Path::new("../../papers"),
        &|path| path.extension().is_some_and(|ending| ending == "rs"),
        &mut files,
    );
    // A missing file would rerun this script at every build.
    files.retain(|path| path.exists());
    files
}

fn collect(folder: &Path, is_source: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) {
    for path in children(folder) {
        if path.is_dir() {
            collect(&path, is_source, files);
        } else if is_source(&path) {
            files.push(path);
        }
    }
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// FNV-1a over names and contents, folded to 32 bits.
fn hash(files: &[PathBuf]) -> u32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for path in files {
        let contents = fs::read(path).unwrap_or_default();
        for byte in path.to_string_lossy().bytes().chain(contents) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    (hash ^ (hash >> 32)) as u32
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
