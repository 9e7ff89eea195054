//! The grammar of all names: a word, then `key=value` pairs, as in `uct c=0.7 time=2s` and `hex size=5`. Inside a value
//! it has parentheses instead of spaces: `root=epsilon(epsilon=0.1)`.

use crate::Error;
use crate::error::unknown;
use crate::units::{Expected, count, number, switch};
use aji_search::bandit::Setting;
use std::ops::RangeInclusive;

/// The options of a name, `key=value` each. The function that opens the game or makes the agent takes out the options
/// it knows. The rest is refused.
///
/// ```
/// use aji_catalog::Workbench;
/// # use aji_games::Hex as Dots;
///
/// let workbench = Workbench::new().game("dots", |options| Ok(Dots::new(options.count("size", 2..=9)?.unwrap_or(3))));
/// assert!(workbench.session("dots size=4").is_ok());
/// let error = workbench.session("dots size=40").err().unwrap();
/// assert_eq!(error.to_string(), "game dots: size=40: expected a whole number from 2 to 9");
/// ```
pub struct Words<'a> {
    what: &'static str,
    pub(crate) name: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    keys: Vec<&'static str>,
}

/// The words of a text. White space within parentheses does not separate words.
fn outside_parentheses(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let is_space = move |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && letter.is_whitespace()
    };
    text.split(is_space).filter(|word| !word.is_empty())
}

impl<'a> Words<'a> {
    /// `what` is the kind of the name, for error messages: "agent", "game".
    pub(crate) fn parse(what: &'static str, text: &'a str) -> Result<Words<'a>, Error> {
        let mut words = outside_parentheses(text);
        let name = words.next().ok_or_else(|| Error::new(format!("the name of the {what} is empty")))?;
        Words::of(what, name, words)
    }

    /// The same within a value: `name(key=value,key=value)`.
    pub(crate) fn parse_nested(what: &'static str, text: &'a str) -> Result<Words<'a>, Error> {
        let Some((name, rest)) = text.split_once('(') else {
            return Words::of(what, text, std::iter::empty());
        };
        let inside = rest.strip_suffix(')');
        let inside = inside.ok_or_else(|| Error::new(format!("{what} \"{text}\": expected ) at the end")))?;
        Words::of(what, name, inside.split(','))
    }

    pub(crate) fn of(
        what: &'static str,
        name: &'a str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Words<'a>, Error> {
        let mut found = Words { what, name, pairs: Vec::new(), keys: Vec::new() };
        found.also(words)?;
        Ok(found)
    }

    /// Takes in more pairs.
    pub(crate) fn also(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), Error> {
        let Words { what, name, pairs, .. } = self;
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                return Err(Error::new(format!("{what} {name}: expected key=value, found \"{word}\"")));
            };
            if pairs.iter().any(|(other, _)| *other == key) {
                return Err(Error::new(format!("{what} {name}: {key}= is given twice")));
            }
            pairs.push((key, value));
        }
        Ok(())
    }

    /// Takes out the value of a key, if it is given, and reads it. The error of `read` says what was expected.
    pub fn take<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'a str) -> Result<T, Expected>,
    ) -> Result<Option<T>, Error> {
        self.keys.push(key);
        let Some(at) = self.pairs.iter().position(|(other, _)| *other == key) else { return Ok(None) };
        let (_, value) = self.pairs.remove(at);
        let wrong =
            |expected| Error::new(format!("{} {}: {key}={value}: expected {expected}", self.what, self.name));
        read(value).map(Some).map_err(wrong)
    }

    /// Takes out a whole number within these bounds.
    pub fn count(&mut self, key: &'static str, range: RangeInclusive<usize>) -> Result<Option<usize>, Error> {
        let (low, high) = (*range.start() as u64, *range.end() as u64);
        self.take(key, |text| count(text, low, high).map(|number| number as usize))
    }

    /// Takes out a number within these bounds.
    pub fn number(&mut self, key: &'static str, range: RangeInclusive<f32>) -> Result<Option<f32>, Error> {
        self.take(key, |text| number(text, *range.start(), *range.end()))
    }

    /// Takes out `on` or `off`.
    pub fn switch(&mut self, key: &'static str) -> Result<Option<bool>, Error> {
        self.take(key, switch)
    }

    /// All pairs that have not been taken out, each as it was written.
    pub fn rest(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.pairs).into_iter().map(|(key, value)| (key.into(), value.into())).collect()
    }

    /// Takes out the value of a key, if it is given, and sets it.
    pub(crate) fn set(&mut self, key: &'static str, setting: &mut dyn Setting) -> Result<(), Error> {
        self.take(key, |text| setting.read(text)).map(drop)
    }

    /// Whether a key is given and not yet taken out.
    pub(crate) fn gives(&self, key: &str) -> bool {
        self.pairs.iter().any(|(other, _)| *other == key)
    }

    /// Refuses keys that have not been taken out, and suggests the nearest known key.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, value)) if self.keys.is_empty() => Err(Error::new(format!(
                "{} {} takes no options, found \"{key}={value}\"",
                self.what, self.name
            ))),
            Some((key, _)) => {
                Err(unknown(&format!("option of {} {}:", self.what, self.name), key, &self.keys))
            }
        }
    }
}
