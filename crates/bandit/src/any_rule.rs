//! The table of all rules, and one type for any of them.

use crate::{About, Filled, Pending, Rng, Rule, Select, View, VisitSettings};
use std::fmt;

/// Exports the rules, and makes the enum of all of them.
///
/// The functions marked `inline(never)` are compiled here once. Searches, which are compiled for each game, call
/// them.
macro_rules! rules {
    ($($module:ident::$rule:ident,)*) => {
        $(pub use crate::$module::*;)*

        /// Any of the sampling rules.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum AnyRule {
            $(#[doc = concat!("A [`", stringify!($rule), "`].")] $rule($rule),)*
        }

        impl AnyRule {
            /// Every rule, with its default settings.
            pub fn all() -> Vec<AnyRule> {
                vec![$(AnyRule::$rule($rule::default()),)*]
            }

            /// The facts that do not depend on its settings.
            pub fn about(&self) -> About {
                match self { $(AnyRule::$rule(_) => $rule::ABOUT,)* }
            }

            /// Whether it reads [`View::amaf`].
            pub fn wants_amaf(&self) -> bool {
                match self { $(AnyRule::$rule(_) => $rule::WANTS_AMAF,)* }
            }

            /// Visits its settings, in printing order.
            pub fn settings(&mut self, visit: &mut VisitSettings) {
                match self { $(AnyRule::$rule(rule) => rule.settings(visit),)* }
            }

            /// The rule's formula with the numbers of an arm, or how it chooses. A proven arm is worth its value.
            pub fn fill(&self, view: &View, index: usize) -> Filled {
                if view.spreads[index] == 0.0 {
                    return Filled { lines: Vec::new(), number: Some(view.means[index].into()) };
                }
                let filled = match self { $(AnyRule::$rule(rule) => rule.fill(view, index),)* };
                if filled.number == Some(f64::INFINITY) {
                    return Filled { lines: vec!["An untried action comes first.".into()], ..filled };
                }
                filled
            }

            #[inline(never)]
            fn select_by_any(&mut self, view: &View, rng: &mut Rng) -> usize {
                match self { $(AnyRule::$rule(rule) => rule.select(view, rng),)* }
            }
        }

        impl Select for AnyRule {
            const WANTS_AMAF: bool = true;
            const READS_PRIOR: bool = true;
            const COMPILED_TWICE: bool = false;

            /// Most searches use UCB1, and it is quick, so it alone is inlined.
            #[inline(always)]
            fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
                if let AnyRule::Ucb1(rule) = self {
                    return rule.select(view, rng);
                }
                self.select_by_any(view, rng)
            }

            #[inline(never)]
            fn select_ahead(&mut self, view: &View, pending: &mut Pending, picks: &mut [u16]) -> bool {
                match self { $(AnyRule::$rule(rule) => rule.select_ahead(view, pending, picks),)* }
            }

            fn untried(&self, view: &View) -> Option<f32> {
                match self { $(AnyRule::$rule(rule) => rule.untried(view),)* }
            }

            fn draws_lots(&self, view: &View) -> bool {
                match self { $(AnyRule::$rule(rule) => rule.draws_lots(view),)* }
            }

            #[inline(never)]
            fn enough(&self, view: &View) -> bool {
                match self { $(AnyRule::$rule(rule) => rule.enough(view),)* }
            }

            #[inline(never)]
            fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
                match self { $(AnyRule::$rule(rule) => rule.rest(view, arm, share),)* }
            }

            fn wants_squares(&self) -> bool {
                match self { $(AnyRule::$rule(rule) => rule.wants_squares(),)* }
            }
        }

        $(impl From<$rule> for AnyRule {
            fn from(rule: $rule) -> AnyRule {
                AnyRule::$rule(rule)
            }
        })*
    };
}

// The table. Lists show the rules in this order.
rules! {
    ucb1::Ucb1,
    ucb_tuned::UcbTuned,
    ucb_sqrt::UcbSqrt,
    epsilon::Epsilon,
    uniform::Uniform,
    puct::Puct,
    rave::Rave,
    voi::Voi,
    halving::Halving,
    rejects::Rejects,
    thompson::Thompson,
    top_two::TopTwo,
    ocba::Ocba,
    kg::KnowledgeGradient,
    blinkered::Blinkered,
    stopping::Stopping,
    kl_ucb::KlUcb,
    gumbel::Gumbel,
}

impl AnyRule {
    /// The rule with this word, with its default settings.
    pub fn of_word(word: &str) -> Option<AnyRule> {
        AnyRule::all().into_iter().find(|rule| rule.about().word == word)
    }

    /// The rule with random settings, for tests.
    pub fn with_examples(mut self, rng: &mut Rng) -> AnyRule {
        self.settings(&mut |key, _, setting| {
            let text = setting.example(rng);
            let read = setting.read(&text);
            debug_assert!(read.is_ok(), "{key}={text}: {read:?}");
        });
        self
    }

    /// The settings that have a value, each with its key.
    fn shown(mut self) -> Vec<(&'static str, String)> {
        let mut shown = Vec::new();
        self.settings(&mut |key, _, setting| shown.extend(setting.show().map(|value| (key, value))));
        shown
    }
}

/// The rule's word with the settings that differ from the default, or with all settings if the rule asks for that:
/// `voi(bound=phi)`.
impl fmt::Display for AnyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.about();
        let mut settings = self.shown();
        if !about.prints_defaults {
            let default = AnyRule::of_word(about.word).map_or(Vec::new(), AnyRule::shown);
            settings.retain(|setting| !default.contains(setting));
        }
        let settings: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(about.word)?;
        if settings.is_empty() { Ok(()) } else { write!(f, "({})", settings.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_what_differs() {
        let check = |rule: AnyRule, expect: &str| assert_eq!(rule.to_string(), expect);
        check(Ucb1::default().into(), "ucb1(c=1.4)");
        check(Uniform.into(), "uniform");
        check(Voi::default().into(), "voi");
        check(
            Voi { bound: ValueBound::Phi, stop: 1e-6, ..Voi::default() }.into(),
            "voi(bound=phi,stop=0.000001)",
        );
        check(
            Rave { schedule: Schedule::HandPicked { k: 300.0 }, ..Rave::default() }.into(),
            "rave(c=0,k=300,every=64)",
        );
    }
}
