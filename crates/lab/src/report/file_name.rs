//! Unique names of files and anchors, made from titles.

use std::collections::HashSet;

/// The longest name made from a title, in characters.
const LENGTH_MAX: usize = 60;

/// Gives out unique names.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A name made from the title: lower-case letters, digits and dashes. A second one of the same title ends in
    /// `-2`.
    pub(super) fn fresh(&mut self, title: &str) -> String {
        let stem = dashed(title);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut candidates = std::iter::once(stem.clone()).chain(numbered);
        let name = candidates.find(|name| !self.0.contains(name)).expect("numbers do not end");
        self.0.insert(name.clone());
        name
    }
}

fn dashed(title: &str) -> String {
    let lower = title.to_lowercase();
    let words =
        lower.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(LENGTH_MAX).collect();
    let name = name.trim_end_matches('-');
    if name.is_empty() { "untitled".to_string() } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_fresh() {
        let mut names = Names::default();
        assert_eq!(names.fresh("Win rate (9x9), ±"), "win-rate-9x9");
        assert_eq!(names.fresh("win rate 9x9"), "win-rate-9x9-2");
        assert_eq!(names.fresh("win rate 9x9 2"), "win-rate-9x9-2-2");
        assert_eq!(names.fresh("../../etc"), "etc");
        assert_eq!(names.fresh("…"), "untitled");
        assert_eq!(names.fresh(&"a".repeat(500)).len(), LENGTH_MAX);
    }
}
