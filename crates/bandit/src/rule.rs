//! The description of a rule, by which it can be named, listed and tested with all others.

use crate::{Filled, Recommend, Select, View, VisitSettings};

/// A rule with a name and settings. To add a rule, write a file that implements this trait, and a line in the table of
/// [`AnyRule`](crate::AnyRule).
pub trait Rule: Select + Copy + Default + PartialEq {
    /// The facts that do not depend on its settings.
    const ABOUT: About;

    /// Its formula with the numbers of an arm that is not proven, or how it chooses. The number must be the one that
    /// [`select`](Select::select) compares.
    fn fill(&self, view: &View, index: usize) -> Filled;

    /// Visits its settings, in printing order.
    fn settings(&mut self, _visit: &mut VisitSettings) {}
}

/// Facts about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its word in a name.
    pub word: &'static str,
    /// A short description, without its settings.
    pub summary: &'static str,
    /// The formula that the rule maximises over the arms, for people; empty if it has none. n counts all pulls, nᵢ those of the arm, p is its prior; `c` is the setting.
    pub formula: &'static str,
    /// Whether the number that the rule compares is an upper confidence bound; otherwise it is a score.
    pub is_bound: bool,
    /// How best to choose an arm once its pulls are spent.
    pub recommend: Recommend,
    /// Whether it pulls every arm once, in order, before anything else.
    pub tries_all_first: bool,
    /// Whether a printed name shows all settings, not only those that differ from the default.
    pub prints_defaults: bool,
    /// Two settings that exclude each other in a name, and a description of both.
    pub alternatives: Option<(&'static str, [&'static str; 2])>,
}

impl About {
    /// A rule that pulls every arm once before anything else, and prints only the settings that differ from the
    /// default.
    pub const fn new(word: &'static str, summary: &'static str, recommend: Recommend) -> About {
        About {
            word,
            summary,
            formula: "",
            is_bound: false,
            recommend,
            tries_all_first: true,
            prints_defaults: false,
            alternatives: None,
        }
    }
}
