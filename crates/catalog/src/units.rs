//! Values as people write them: `10k`, `512MB`, `2s`, `on`.

pub(crate) use aji_search::bandit::Expected;
use aji_search::bandit::{CONSTANTS, Count, Number, Setting, decimal_number, whole_number};
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

/// A whole number within these bounds; k and M mean thousands and millions.
pub(crate) fn count(text: &str, low: u64, high: u64) -> Result<u64, Expected> {
    let mut found = low;
    Count(&mut found, low..=high).read(text).map(|()| found)
}

/// Units of memory, largest first.
const BYTES: [(&str, u64); 4] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

/// Reads an amount of memory. The unit may be in any case: `2GB`, `2gb`. The error says what was expected.
pub fn bytes(text: &str) -> Result<u64, Expected> {
    let expected = || "an amount of memory such as 512MB or 1.5GB".to_string();
    let number = |unit: &str| {
        let (number, end) = text.split_at_checked(text.len().checked_sub(unit.len())?)?;
        end.eq_ignore_ascii_case(unit).then_some(number)
    };
    let (number, scale) =
        BYTES.into_iter().find_map(|(unit, scale)| Some((number(unit)?, scale))).ok_or_else(expected)?;
    // 1.5GB is read as the whole number 1.5e9, and so exactly.
    let bytes = match whole_number(number) {
        Some(whole) => whole.checked_mul(scale),
        None => whole_number(&format!("{number}e{}", scale.ilog10())),
    };
    bytes.filter(|&bytes| bytes > 0).ok_or_else(expected)
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
    let number: f64 = decimal_number(&text[..text.len() - unit.len()]).ok_or_else(expected)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_as_people_write_them() {
        for text in
            ["1500MB", "1.5GB", "1_500MB", "1,500MB", "1.5e3MB", "1.5kMB", "1500mb", "1_500_000kB", "1.5e9B"]
        {
            assert_eq!(bytes(text), Ok(1_500_000_000), "{text}");
        }
        assert_eq!(bytes("1.1GB"), Ok(1_100_000_000), "1.1 * 1e9 is not whole in floating point");
        for text in ["", "B", "MB", "1", "0MB", "-1MB", "0.5B", "1.5", "1MBB", "1 é", "20000000000GB", "1MiB"]
        {
            assert_eq!(bytes(text), Err("an amount of memory such as 512MB or 1.5GB".into()), "{text}");
        }
    }

    #[test]
    fn times_as_people_write_them() {
        for text in ["1500ms", "1.5s", "1_500ms", "1,500ms", "1.5e3ms", "1.5kms", "0.025min"] {
            assert_eq!(time(text), Ok(Duration::from_millis(1_500)), "{text}");
        }
        for text in ["", "s", "1", "0s", "-1s", "infs", "NaNs", "1,5s", "31000h"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
