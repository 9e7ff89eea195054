//! Checks a `cargo` command against the files of the workspace: packages, test programs, tests, benches, fuzz targets.

use super::{aji_commands, files, read};
use std::path::{Path, PathBuf};

/// The packages and tests that commands can name.
pub struct Workspace {
    root: PathBuf,
    packages: Vec<Package>,
}

struct Package {
    name: String,
    folder: PathBuf,
}

/// A test by the path that the runner shows, without the modules within its file.
struct Test {
    path: String,
    is_ignored: bool,
}

impl Workspace {
    pub fn new(root: &Path) -> Workspace {
        let manifests =
            ["crates", "papers", "benches"].map(|folder| files(&root.join(folder), "Cargo.toml")).concat();
        let packages = manifests.iter().map(|manifest| {
            let text = read(manifest);
            let name =
                text.lines().find_map(|line| line.strip_prefix("name = ")).expect("a package has a name");
            Package {
                name: name.trim_matches('"').into(),
                folder: manifest.parent().expect("a folder").into(),
            }
        });
        Workspace { root: root.into(), packages: packages.collect() }
    }

    /// Checks a cargo command, given without its first word.
    pub fn check_cargo(&self, arguments: &[String], is_shown: bool) -> Result<(), String> {
        let is_toolchain = |word: &&String| word.starts_with('+');
        let arguments: Vec<&str> = arguments.iter().skip_while(is_toolchain).map(String::as_str).collect();
        match arguments[..] {
            ["test", ref rest @ ..] => self.check_test(rest),
            ["run", ref rest @ ..] => self.check_run(rest, is_shown),
            ["fuzz", "run", ref rest @ ..] => {
                let target = at_dashes(rest).0.last().unwrap_or(&"");
                let is_there = self.root.join(format!("fuzz/fuzz_targets/{target}.rs")).exists();
                is_there.then_some(()).ok_or_else(|| format!("no fuzz target {target}"))
            }
            _ => Ok(()),
        }
    }

    fn package(&self, name: &str) -> Result<&Package, String> {
        self.packages.iter().find(|package| package.name == name).ok_or_else(|| format!("no package {name}"))
    }

    fn check_run(&self, arguments: &[&str], is_shown: bool) -> Result<(), String> {
        let (own, others) = at_dashes(arguments);
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        match own.iter().position(|&word| word == "-p").and_then(|at| own.get(at + 1)) {
            None => aji_commands::check(&others, is_shown),
            Some(&"aji-benches") => self.check_benches(&others),
            Some(name) => self.package(name).map(|_| ()),
        }
    }

    fn check_test(&self, arguments: &[&str]) -> Result<(), String> {
        let (own, others) = at_dashes(arguments);
        let (mut packages, mut programs, mut filter) = (Vec::new(), Vec::new(), None);
        let mut words = own.iter();
        while let Some(&word) = words.next() {
            match word {
                "-p" | "--package" => packages.push(self.package(words.next().unwrap_or(&""))?),
                "--test" => programs.push(*words.next().unwrap_or(&"")),
                "--features" => drop(words.next()),
                "--release" | "--workspace" | "--lib" | "--locked" => {}
                _ if word.starts_with('-') => return Err(format!("{word} is not checked here")),
                _ => filter = Some(word),
            }
        }
        if packages.is_empty() {
            packages = self.packages.iter().collect();
        }
        let has_program =
            |program: &str| packages.iter().any(|package| !package.sources(&[program]).is_empty());
        if let Some(program) = programs.iter().find(|program| !has_program(program)) {
            return Err(format!("no test program {program}"));
        }
        let tests: Vec<Test> = packages.iter().flat_map(|package| package.tests(&programs)).collect();
        let filter = filter.unwrap_or_default();
        let mut found = tests.iter().filter(|test| test.path.contains(filter)).peekable();
        if found.peek().is_none() {
            return Err(format!("no test that has {filter} in its path"));
        }
        if others.contains(&"--ignored") && !found.any(|test| test.is_ignored) {
            return Err("none of these tests is ignored".into());
        }
        Ok(())
    }

    /// Checks the arguments of `aji-benches`. It takes minutes to build, so its commands and options are read from its
    /// sources.
    pub fn check_benches(&self, arguments: &[String]) -> Result<(), String> {
        let sources: String =
            files(&self.root.join("benches/src"), ".rs").iter().map(|path| read(path)).collect();
        let subcommand = arguments.first().filter(|word| !word.starts_with('-'));
        if let Some(word) = subcommand
            && !subcommands_in(&sources).any(|known| known == *word)
        {
            return Err(format!("no subcommand {word} of aji-benches"));
        }
        let mut asked = arguments.iter().filter_map(|word| word.strip_prefix("--"));
        match asked.find(|option| !options_in(&sources).any(|known| known == *option)) {
            Some(option) => Err(format!("no option --{option} of aji-benches")),
            None => Ok(()),
        }
    }
}

/// The variants of an enum that derives `Subcommand`.
fn subcommands_in(source: &str) -> impl Iterator<Item = String> {
    let (_, body) = source.split_once("#[derive(Subcommand)]").expect("benches have subcommands");
    let variants = body.split("\n}").next().unwrap_or_default().lines();
    let words = variants.filter_map(|line| line.strip_prefix("    ")?.split(['(', ' ']).next());
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase())).map(str::to_lowercase)
}

/// The fields that have the attribute `arg(long)`.
fn options_in(source: &str) -> impl Iterator<Item = String> {
    source.split("#[arg(long").skip(1).filter_map(|rest| {
        let field = rest.lines().nth(1)?.split(':').next()?.trim();
        Some(field.trim_start_matches("pub ").replace('_', "-"))
    })
}

/// The words before `--`, and the words after it.
fn at_dashes<'a, 'b>(words: &'b [&'a str]) -> (&'b [&'a str], &'b [&'a str]) {
    let at = words.iter().position(|&word| word == "--").unwrap_or(words.len());
    (&words[..at], words.get(at + 1..).unwrap_or(&[]))
}

impl Package {
    /// The sources of these test programs, or of the whole package if there are none, each with the path of its module.
    fn sources(&self, programs: &[&str]) -> Vec<(String, PathBuf)> {
        let module = |folder: &Path, path: &Path| {
            let path = path.strip_prefix(folder).unwrap_or(path).with_extension("");
            let names = path.iter().map(|name| name.to_string_lossy().into_owned());
            names
                .filter(|name| !["main", "lib", "mod"].contains(&name.as_str()))
                .collect::<Vec<_>>()
                .join("::")
        };
        let below = |folder: PathBuf| {
            let found = if folder.is_dir() { files(&folder, ".rs") } else { Vec::new() };
            found.into_iter().map(|path| (module(&folder, &path), path)).collect::<Vec<_>>()
        };
        let tests = self.folder.join("tests");
        if programs.is_empty() {
            let is_of_tests = |path: &Path| path.starts_with(&tests);
            let own = below(self.folder.join("src")).into_iter();
            let own =
                own.chain(below(self.folder.clone()).into_iter().filter(|(_, path)| !is_of_tests(path)));
            return own.chain(below(tests.clone())).collect();
        }
        let program = |program: &&str| {
            let file = tests.join(format!("{program}.rs"));
            let folder = tests.join(program);
            let main = folder.join("main.rs");
            if file.exists() {
                vec![(String::new(), file)]
            } else if main.exists() {
                below(folder)
            } else {
                Vec::new()
            }
        };
        programs.iter().flat_map(program).collect()
    }

    fn tests(&self, programs: &[&str]) -> Vec<Test> {
        self.sources(programs).iter().flat_map(|(module, path)| tests_in(module, &read(path))).collect()
    }
}

/// The functions of a source file that have the attribute `test`.
fn tests_in(module: &str, source: &str) -> Vec<Test> {
    let mut found = Vec::new();
    let (mut is_test, mut is_ignored) = (false, false);
    for line in source.lines().map(str::trim_start) {
        is_test |= line.starts_with("#[test]");
        is_ignored |= line.starts_with("#[ignore");
        if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
            if is_test {
                let path = if module.is_empty() { name.to_string() } else { format!("{module}::{name}") };
                found.push(Test { path, is_ignored });
            }
            (is_test, is_ignored) = (false, false);
        }
    }
    found
}
