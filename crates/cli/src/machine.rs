//! The machine and the time, for the foot of a report.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// "AMD EPYC 7B13, 2 cores, linux x86_64".
pub fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(String::new(), |(_, name)| format!("{}, ", name.trim()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plural = if cores == 1 { "" } else { "s" };
    format!("{model}{cores} core{plural}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// "2026-03-01 14:05 UTC".
pub fn now() -> String {
    shown(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs())
}

/// A time in seconds since 1970 as date and time of day.
fn shown(seconds: u64) -> String {
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    let mut left = seconds / DAY_SECONDS;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 0;
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02} {hour:02}:{minute:02} UTC", month + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_others_count_them() {
        let check = |seconds: u64, expect: &str| assert_eq!(shown(seconds), expect);
        // By `date --utc --date=@…`.
        check(0, "1970-01-01 00:00 UTC");
        check(951_782_399, "2000-02-28 23:59 UTC");
        check(951_782_400, "2000-02-29 00:00 UTC");
        check(1_709_251_199, "2024-02-29 23:59 UTC");
        check(1_767_225_599, "2025-12-31 23:59 UTC");
        check(1_772_373_900, "2026-03-01 14:05 UTC");
        check(4_107_542_400, "2100-03-01 00:00 UTC");
    }
}
