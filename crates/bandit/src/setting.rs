//! Settings: the values that a name can give to a rule or a search, each by a key.
//!
//! A rule lists its settings once ([`Rule::settings`](crate::Rule::settings)). Code that reads, prints or describes a
//! rule walks that list. A setting reads and shows one value; it knows nothing of the name around it.

use crate::Rng;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A description of valid values: the end of a message that begins with "expected".
pub type Expected = String;

/// One value that a name can give.
pub trait Setting {
    /// The values it takes: the text that follows "expected".
    fn takes(&self) -> Expected;

    /// Sets it from a text.
    fn read(&mut self, text: &str) -> Result<(), Expected>;

    /// Its value as a text that [`read`](Setting::read) takes; `None` while it has no value.
    fn show(&self) -> Option<String>;

    /// The words that it takes; none if it takes numbers.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The text of a random valid value, for tests.
    fn example(&self, rng: &mut Rng) -> String;
}

/// Called for each setting with its key and what it does.
pub type VisitSettings<'a> = dyn FnMut(&'static str, &'static str, &mut dyn Setting) + 'a;

/// Where a setting stores its value: a field, or an optional field.
pub trait Slot<T> {
    /// The value, if there is one.
    fn value(&self) -> Option<T>;

    /// Replaces the value.
    fn put(&mut self, value: T);
}

impl<T: Copy> Slot<T> for T {
    fn value(&self) -> Option<T> {
        Some(*self)
    }

    fn put(&mut self, value: T) {
        *self = value;
    }
}

impl<T: Copy> Slot<T> for Option<T> {
    fn value(&self) -> Option<T> {
        *self
    }

    fn put(&mut self, value: T) {
        *self = Some(value);
    }
}

/// The range of exploration constants. Beyond it a rule is uniform.
pub const CONSTANTS: RangeInclusive<f32> = 0.0..=1e6;

/// The range of probabilities and shares.
pub const SHARES: RangeInclusive<f32> = 0.0..=1.0;

/// A number within a range.
pub struct Number<'a, S>(pub &'a mut S, pub RangeInclusive<f32>);

impl<S: Slot<f32>> Setting for Number<'_, S> {
    fn takes(&self) -> Expected {
        match self.1.start() {
            &f32::MIN_POSITIVE => format!("a number above 0 and up to {}", self.1.end()),
            start => format!("a number from {start} to {}", self.1.end()),
        }
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        let found = decimal_number(text).filter(|number| self.1.contains(number));
        // Adding 0 turns -0, which a name would print, into 0.
        self.0.put(found.ok_or_else(|| self.takes())? + 0.0);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.0.value().map(|number| number.to_string())
    }

    /// Both ends are likely, and small numbers more than large ones.
    fn example(&self, rng: &mut Rng) -> String {
        let (low, high) = (*self.1.start(), *self.1.end());
        let square = |number: f32| number * number;
        let share = square(square(square(rng.unit())));
        [low, high, low + share * (high - low), low + share][rng.below(4)].min(high).to_string()
    }
}

/// The parts of a number as people write it. Every reader of numbers begins here.
struct Written {
    /// `+`, `-` or nothing.
    sign: String,
    /// The digits before the point, without separators.
    whole: String,
    /// The digits after the point, without zeros at the end.
    fraction: String,
    /// The power of ten that k, M, G or an exponent stands for.
    exponent: i32,
}

impl Written {
    fn read(text: &str) -> Option<Written> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let sign = text[..text.len() - unsigned.len()].to_string();
        let (digits, exponent) = match unsigned.char_indices().next_back()? {
            (at, 'k' | 'K') => (&unsigned[..at], 3),
            (at, 'M') => (&unsigned[..at], 6),
            (at, 'G') => (&unsigned[..at], 9),
            _ => match unsigned.split_once(['e', 'E']) {
                Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
                None => (unsigned, 0),
            },
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
        let whole = if whole.is_empty() && digits.starts_with('.') { "0" } else { whole };
        let whole = without_separators(whole)?;
        is_digits.then(|| Written { sign, whole, fraction: fraction.trim_end_matches('0').into(), exponent })
    }
}

/// A whole number as people write it: `1000000`, `1_000_000`, `1,000,000`, `1e6`, `1M`, `20k`, `1.5k`. `None` if the
/// text is not a number, is not whole, has a sign, or is too large.
pub fn whole_number(text: &str) -> Option<u64> {
    let Written { sign, whole, fraction, exponent } = Written::read(text)?;
    let zeros = u32::try_from(exponent).ok()?.checked_sub(fraction.len() as u32)?;
    let digits: u64 = (sign.is_empty().then_some(whole)? + &fraction).parse().ok()?;
    if digits == 0 { Some(0) } else { digits.checked_mul(10u64.checked_pow(zeros)?) }
}

/// An `f32` or `f64` as people write it: the forms of [`whole_number`], and also `-0.5`, `.5`, `1e-6`. `None` if the
/// text is not a number; words such as `inf` are not numbers.
pub fn decimal_number<T: FromStr>(text: &str) -> Option<T> {
    let Written { sign, whole, fraction, exponent } = Written::read(text)?;
    format!("{sign}{whole}.{fraction}e{exponent}").parse().ok()
}

/// The digits of a number without `_` between them and without thousands separators.
fn without_separators(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split(',').collect();
    let is_thousands = groups.len() == 1
        || (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    let parts: Vec<&str> = groups.iter().flat_map(|group| group.split('_')).collect();
    let is_digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (is_thousands && parts.iter().all(is_digits)).then(|| parts.concat())
}

/// Descriptions leave out upper ends from here on: they are the ends of a type.
const UNLIMITED: u64 = u32::MAX as u64;

/// A whole number within a range, written as [`whole_number`] reads it.
pub struct Count<'a, S, T>(pub &'a mut S, pub RangeInclusive<T>);

impl<S: Slot<T>, T: Copy + Display + TryFrom<u64> + TryInto<u64>> Count<'_, S, T> {
    fn ends(&self) -> (u64, u64) {
        let wide = |end: &T| (*end).try_into().unwrap_or(u64::MAX);
        (wide(self.1.start()), wide(self.1.end()))
    }
}

impl<S: Slot<T>, T: Copy + Display + TryFrom<u64> + TryInto<u64>> Setting for Count<'_, S, T> {
    fn takes(&self) -> Expected {
        match self.ends() {
            (low, UNLIMITED..) => format!("a whole number from {low}"),
            (low, high) => format!("a whole number from {low} to {high}"),
        }
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        let (low, high) = self.ends();
        let found = whole_number(text).filter(|number| (low..=high).contains(number));
        let expected = || match decimal_number::<f64>(text) {
            Some(number) if number > high as f64 => format!("a whole number from {low} to {high}"),
            _ => self.takes(),
        };
        self.0.put(found.and_then(|number| number.try_into().ok()).ok_or_else(expected)?);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.0.value().map(|number| number.to_string())
    }

    /// Both ends are likely, and small numbers more than large ones.
    fn example(&self, rng: &mut Rng) -> String {
        let (low, high) = self.ends();
        let within = low + (rng.bits() >> rng.below(64)) % (high - low).saturating_add(1).max(1);
        [low, high, within, within][rng.below(4)].to_string()
    }
}

/// One of several words, each with its value.
pub struct Word<'a, S, T: 'static>(pub &'a mut S, pub &'static [(&'static str, T)]);

impl<S: Slot<T>, T: Copy + PartialEq> Setting for Word<'_, S, T> {
    fn takes(&self) -> Expected {
        self.words().join(" or ")
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        let found = self.1.iter().find(|(word, _)| *word == text);
        self.0.put(found.ok_or_else(|| self.takes())?.1);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        let value = self.0.value()?;
        self.1.iter().find(|known| known.1 == value).map(|(word, _)| word.to_string())
    }

    fn words(&self) -> Vec<&'static str> {
        self.1.iter().map(|(word, _)| *word).collect()
    }

    fn example(&self, rng: &mut Rng) -> String {
        self.1[rng.below(self.1.len())].0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_as_people_write_them() {
        for text in
            ["1000000", "1_000_000", "1,000,000", "1e6", "1E6", "1M", "1000k", "1.0e6", "0.001G", "10.00e5"]
        {
            assert_eq!(whole_number(text), Some(1_000_000), "{text}");
        }
        for (text, expect) in [
            ("0", 0),
            ("0e99", 0),
            ("1.5k", 1_500),
            ("1e+05", 100_000),
            ("20K", 20_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(whole_number(text), Some(expect), "{text}");
        }
        let wrong = [
            "",
            "k",
            "e6",
            "-1",
            "+1",
            "1.5",
            "1.",
            ".5",
            "1.2345k",
            "1,00",
            "1000,000",
            ",1",
            "1,",
            "_1",
            "1_",
            "1__0",
            "1e",
            "1e-3",
            "1e20",
            "1e99",
            "18446744073709551616",
            "20M0",
            "1 000",
            "1kk",
            "x",
            "é",
            "1.é",
            "1.5_0k",
        ];
        for text in wrong {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_numbers_as_people_write_them() {
        for text in ["1500", "1_500", "1,500", "1,500.00", "1.5k", "1.5e3", "+1500", "0.0015M", "15000e-1"] {
            assert_eq!(decimal_number(text), Some(1500.0), "{text}");
        }
        for (text, expect) in
            [(".5", 0.5), ("-0.5", -0.5), ("1e-6", 1e-6), ("0.1", 0.1), ("16777217", 16777217.0)]
        {
            assert_eq!(decimal_number(text), Some(expect), "{text}");
            // The text is rounded once. By way of an f64 some texts would give another f32.
            assert_eq!(decimal_number(text), text.parse::<f32>().ok(), "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "1.",
            "--1",
            "inf",
            "NaN",
            "1,5",
            "0x1",
            "1.5.0",
            "1e",
            "k",
            "1 000",
            "1e99999999999",
        ] {
            assert_eq!(decimal_number::<f64>(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_read_and_shown() {
        let mut number = None;
        let mut setting = Number(&mut number, SHARES);
        assert_eq!(
            (setting.show(), setting.read("0.25"), setting.show()),
            (None, Ok(()), Some("0.25".into()))
        );
        assert_eq!(setting.read("1.5"), Err("a number from 0 to 1".into()));
        let mut constant = 0.0;
        assert_eq!(Number(&mut constant, CONSTANTS).read("20k"), Ok(()));
        assert_eq!(constant, 20_000.0);
        assert_eq!(setting.read("NaN"), Err("a number from 0 to 1".into()));
        assert_eq!(number, Some(0.25));

        let mut count = 1u32;
        let mut setting = Count(&mut count, 1..=u32::MAX);
        assert_eq!((setting.read("20k"), setting.show()), (Ok(()), Some("20000".into())));
        assert_eq!(setting.read("5000M"), Err("a whole number from 1 to 4294967295".into()));
        assert_eq!(setting.read("0"), Err(setting.takes()));
        assert_eq!(count, 20_000);

        let mut word = 'a';
        let mut setting = Word(&mut word, &[("first", 'a'), ("second", 'b')]);
        assert_eq!((setting.show(), setting.read("second")), (Some("first".into()), Ok(())));
        assert_eq!(setting.read("third"), Err("first or second".into()));
        assert_eq!(word, 'b');
    }
}
