//! What a rule says of itself, so that it can be named, listed and tested with all others.

use crate::{Recommend, Select, VisitSettings};

/// A rule with a name and settings. A file that implements it and a line in [`AnyRule`](crate::AnyRule)'s table make a rule known.
pub trait Rule: Select + Copy + Default + PartialEq {
    /// What does not depend on its settings.
    const ABOUT: About;

    /// Visits its settings, in the order in which they are printed.
    fn settings(&mut self, _visit: &mut VisitSettings) {}
}

/// Facts of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its word in a name.
    pub word: &'static str,
    /// What it is, in a few words, without its settings.
    pub summary: &'static str,
    /// How its pulls are best read in the end.
    pub recommend: Recommend,
    /// Whether it pulls every arm once, in order, before anything else.
    pub tries_all_first: bool,
    /// Whether a printed name has all settings, not only those that differ from the default.
    pub prints_defaults: bool,
    /// Two settings of which a name gives one at most, and what both are.
    pub alternatives: Option<(&'static str, [&'static str; 2])>,
}

impl About {
    /// The facts of a rule that pulls every arm once before anything else, and prints the settings that differ from the default.
    pub const fn new(word: &'static str, summary: &'static str, recommend: Recommend) -> About {
        About { word, summary, recommend, tries_all_first: true, prints_defaults: false, alternatives: None }
    }
}
