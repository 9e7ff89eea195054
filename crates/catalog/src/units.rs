//! Values as people write them: `10k`, `512MB`, `2s`, `on`.

pub(crate) use aji_search::bandit::Expected;
use aji_search::bandit::{CONSTANTS, Count, Number, Setting};
use std::time::Duration;

/// A number within these bounds.
pub(crate) fn number(text: &str, low: f32, high: f32) -> Result<f32, Expected> {
    let mut found = low;
    Number(&mut found, low..=high).read(text).map(|()| found)
}

/// A constant of exploration.
pub(crate) fn constant(text: &str) -> Result<f32, Expected> {
    number(text, *CONSTANTS.start(), *CONSTANTS.end())
}

/// A whole number within these bounds; k and M stand for thousands and millions.
pub(crate) fn count(text: &str, low: u64, high: u64) -> Result<u64, Expected> {
    let mut found = low;
    Count(&mut found, low..=high).read(text).map(|()| found)
}

/// Units of memory, largest first.
const BYTES: [(&str, u64); 4] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

/// Reads an amount of memory. An error is what was expected.
pub fn bytes(text: &str) -> Result<u64, Expected> {
    let expected = || "an amount of memory such as 512MB or 2GB".to_string();
    let (unit, scale) = BYTES.into_iter().find(|(unit, _)| text.ends_with(unit)).ok_or_else(expected)?;
    let digits = &text[..text.len() - unit.len()];
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(scale))
        .filter(|&n| n > 0)
        .ok_or_else(expected)
}

/// Writes an amount of memory in the largest unit that divides it.
pub fn show_bytes(bytes: u64) -> String {
    let (unit, scale) = BYTES.into_iter().find(|(_, scale)| bytes.is_multiple_of(*scale)).unwrap_or(BYTES[3]);
    format!("{}{unit}", bytes / scale)
}

/// Writes a whole number with commas between the thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The longest time that can be asked for.
const TIME_MAX: Duration = Duration::from_secs(30 * 24 * 3600);

/// A span of time.
pub(crate) fn time(text: &str) -> Result<Duration, Expected> {
    let expected = || "a time such as 2s, 500ms or 1.5s, at most 30 days".to_string();
    let units = [("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    let (unit, scale) = units.into_iter().find(|(unit, _)| text.ends_with(unit)).ok_or_else(expected)?;
    let number: f64 = text[..text.len() - unit.len()].parse().map_err(|_| expected())?;
    let time = Duration::try_from_secs_f64(number * scale).map_err(|_| expected())?;
    if time.is_zero() || time > TIME_MAX { Err(expected()) } else { Ok(time) }
}

/// Writes a span of time so that it reads back the same.
pub(crate) fn show_time(time: Duration) -> String {
    if time.subsec_millis() == 0 && time.subsec_nanos() == 0 {
        format!("{}s", time.as_secs())
    } else if time.as_secs() == 0 && time.as_nanos().is_multiple_of(1_000_000) {
        format!("{}ms", time.as_millis())
    } else {
        format!("{}s", time.as_secs_f64())
    }
}

/// One of these words.
pub(crate) fn choice<T: Copy>(text: &str, known: &[(&str, T)]) -> Result<T, Expected> {
    let found = known.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
    found.ok_or_else(|| known.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or "))
}

pub(crate) const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];

/// `on` or `off`.
pub(crate) fn switch(text: &str) -> Result<bool, Expected> {
    choice(text, SWITCH)
}
