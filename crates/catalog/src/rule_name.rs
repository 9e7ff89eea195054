//! Sampling rules by name: `ucb1(c=0.7)`, `uniform`. The table of rules is [`AnyRule`], which also prints them.

use crate::Error;
use crate::error::unknown;
use crate::units::Expected;
use crate::words::Words;
use aji_search::Rng;
use aji_search::bandit::{AnyRule, Setting};

/// The words of all rules, each with what the rule is and its settings.
pub fn known_rules() -> Vec<(&'static str, String)> {
    let line = |mut rule: AnyRule| {
        let mut settings = Vec::new();
        rule.settings(&mut |key, _, setting| {
            let words = setting.words().join(", ");
            settings.push(if words.is_empty() { key.to_string() } else { format!("{key} ({words})") });
        });
        let about = rule.about();
        let colon = if settings.is_empty() { "" } else { ": " };
        (about.word, format!("{}{colon}{}", about.summary, settings.join(", ")))
    };
    AnyRule::all().into_iter().map(line).collect()
}

/// The rule of this name.
pub fn read_rule(name: &str) -> Result<AnyRule, Error> {
    rule_of_words(Words::parse_nested("rule", name)?)
}

pub(crate) fn rule_of_words(mut words: Words) -> Result<AnyRule, Error> {
    let Some(mut rule) = AnyRule::of_word(words.name) else {
        let known: Vec<&str> = AnyRule::all().iter().map(|rule| rule.about().word).collect();
        return Err(unknown("rule", words.name, &known));
    };
    if let Some((what, [one, other])) = rule.about().alternatives
        && words.gives(one)
        && words.gives(other)
    {
        let word = words.name;
        return Err(Error::new(format!("rule {word}: {one}= and {other}= are two {what}: give one")));
    }
    let mut read = Ok(());
    rule.settings(&mut |key, _, setting| {
        if read.is_ok() {
            read = words.set(key, setting);
        }
    });
    read?;
    words.finish()?;
    Ok(rule)
}

/// A setting whose value is a rule.
pub(crate) struct RuleSetting<'a>(pub(crate) &'a mut Option<AnyRule>);

impl Setting for RuleSetting<'_> {
    fn takes(&self) -> Expected {
        "a rule".into()
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        *self.0 = Some(read_rule(text).map_err(|error| format!("a rule, but {error}"))?);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.0.map(|rule| rule.to_string())
    }

    fn example(&self, rng: &mut Rng) -> String {
        let rules = AnyRule::all();
        rules[rng.below(rules.len())].with_examples(rng).to_string()
    }
}
