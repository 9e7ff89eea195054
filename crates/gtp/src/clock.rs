//! The clock, and how much of it a move may take. Nothing here reads the time: durations go in and come out.
//!
//! The time left is divided among the moves still expected, minus a margin for the lag between the engine and the
//! timekeeper. Overtime is fully used: a whole byo-yomi period for every move, and an equal share of a Canadian
//! period.

use std::time::Duration;

/// Subtracted from all time left: the answer's time in transit.
const LAG: Duration = Duration::from_millis(150);

/// The fewest further moves expected of a player. The end of a game takes longer than it looks.
const MOVES_MIN: u32 = 12;

/// The longest time for a move, whatever the clock says.
pub(crate) const MOVE_MAX: Duration = Duration::from_secs(300);

/// Longer times are read as this.
const TIME_MAX: f64 = 10.0 * 365.0 * 86_400.0;

/// The time system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TimeSystem {
    /// No limit.
    #[default]
    None,
    /// One time for the whole game.
    Absolute {
        /// The time of the whole game.
        main: Duration,
    },
    /// After the main time, periods that restart with each move made within them.
    Byoyomi {
        /// The main time.
        main: Duration,
        /// A period.
        period: Duration,
        /// The number of periods.
        periods: u32,
    },
    /// After the main time, periods in which this many stones must be played.
    Canadian {
        /// The main time.
        main: Duration,
        /// A period.
        period: Duration,
        /// The stones.
        stones: u32,
    },
}

impl TimeSystem {
    /// As given by the command time_settings: a period without stones means no limit, and no period means no
    /// overtime.
    pub(crate) fn standard(main: Duration, period: Duration, stones: u32) -> TimeSystem {
        match (period, stones) {
            (Duration::ZERO, _) => TimeSystem::Absolute { main },
            (_, 0) => TimeSystem::None,
            _ => TimeSystem::Canadian { main, period, stones },
        }
    }

    /// As given by the command kgs-time_settings. None if it does not fit.
    pub(crate) fn kgs(words: &[&str]) -> Option<TimeSystem> {
        let whole = |word: &str| word.parse::<u32>().ok();
        Some(match *words {
            ["none"] => TimeSystem::None,
            ["absolute", main] => TimeSystem::Absolute { main: seconds(main)? },
            ["byoyomi", main, period, periods] => TimeSystem::Byoyomi {
                main: seconds(main)?,
                period: seconds(period)?,
                periods: whole(periods)?,
            },
            ["canadian", main, period, stones] => {
                TimeSystem::standard(seconds(main)?, seconds(period)?, whole(stones)?)
            }
            _ => return None,
        })
    }

    /// A player's clock at the start.
    fn start(self) -> Reading {
        match self {
            TimeSystem::None => Reading::default(),
            TimeSystem::Absolute { main } => Reading { left: main, stones: 0 },
            TimeSystem::Byoyomi { main, period, periods } => match main {
                Duration::ZERO => Reading { left: period, stones: periods },
                _ => Reading { left: main, stones: 0 },
            },
            TimeSystem::Canadian { main, period, stones } => match main {
                Duration::ZERO => Reading { left: period, stones },
                _ => Reading { left: main, stones: 0 },
            },
        }
    }
}

/// A time in seconds. None if it is not a number, or negative.
pub(crate) fn seconds(word: &str) -> Option<Duration> {
    let seconds = word.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::from_secs_f64(seconds.min(TIME_MAX)))
}

/// The reading of a player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reading {
    left: Duration,
    /// In overtime, the stones to play in the time left, or the periods. 0 in main time.
    stones: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    system: TimeSystem,
    readings: [Reading; 2],
}

impl Clock {
    /// Both clocks at the start.
    pub(crate) fn new(system: TimeSystem) -> Clock {
        Clock { system, readings: [system.start(); 2] }
    }

    /// Resets both clocks to the start.
    pub(crate) fn restart(&mut self) {
        *self = Clock::new(self.system);
    }

    /// Sets the time that a player has left, and its stones (or periods); 0 in main time. If there was no limit
    /// before, this becomes the limit.
    pub(crate) fn set(&mut self, player: usize, left: Duration, stones: u32) {
        if self.system == TimeSystem::None {
            self.system = TimeSystem::standard(left, if stones > 0 { left } else { Duration::ZERO }, stones);
        }
        self.readings[player] = Reading { left, stones };
    }

    /// Subtracts the time of a move, in case nobody sends the time left.
    pub(crate) fn spend(&mut self, player: usize, spent: Duration) {
        let Reading { left, stones } = self.readings[player];
        let over = spent.saturating_sub(left);
        self.readings[player] = match self.system {
            TimeSystem::None => return,
            TimeSystem::Byoyomi { period, .. } if stones > 0 => Reading {
                left: period,
                stones: stones.saturating_sub(u32::from(over > Duration::ZERO)).max(1),
            },
            TimeSystem::Byoyomi { period, periods, .. } if over > Duration::ZERO => {
                Reading { left: period, stones: periods.max(1) }
            }
            TimeSystem::Canadian { period, stones: all, .. } if stones == 1 => {
                Reading { left: period, stones: all }
            }
            TimeSystem::Canadian { .. } if stones > 1 => {
                Reading { left: left.saturating_sub(spent), stones: stones - 1 }
            }
            TimeSystem::Canadian { period, stones: all, .. } if over > Duration::ZERO => {
                Reading { left: period.saturating_sub(over), stones: all }
            }
            _ => Reading { left: left.saturating_sub(spent), stones },
        };
    }

    /// The time for this player's next move, with this many empty points. None without a limit. Never more than the
    /// time left plus what overtime allows.
    pub(crate) fn budget(&self, player: usize, empty_points: usize) -> Option<Duration> {
        let Reading { left, stones } = self.readings[player];
        let usable = |time: Duration| time.saturating_sub(LAG);
        let moves = (empty_points as u32 / 3).max(MOVES_MIN);
        let from_main = |overtime: Duration| {
            let share = usable(left) / moves;
            share.max(usable(overtime)).min(usable(left + overtime))
        };
        let budget = match self.system {
            TimeSystem::None => return None,
            TimeSystem::Absolute { .. } => from_main(Duration::ZERO),
            TimeSystem::Byoyomi { .. } if stones > 0 => usable(left),
            TimeSystem::Byoyomi { period, .. } => from_main(period),
            TimeSystem::Canadian { .. } if stones > 0 => usable(left) / stones,
            TimeSystem::Canadian { period, stones, .. } => from_main(period / stones.max(1)),
        };
        Some(budget.min(MOVE_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(words: &str) -> Clock {
        let words: Vec<&str> = words.split(' ').collect();
        Clock::new(TimeSystem::kgs(&words).expect("a time system"))
    }

    #[test]
    fn budgets_by_hand() {
        let check = |words, empty, expect| assert_eq!(clock(words).budget(0, empty), expect, "{words}");
        check("none", 81, None);
        // 54.15 s minus the margin, over 27 moves.
        check("absolute 54.15", 81, Some(ms(2_000)));
        check("absolute 12.15", 3, Some(ms(1_000)));
        check("absolute 0", 81, Some(ms(0)));
        check("absolute 0.1", 81, Some(ms(0)));
        check("absolute 1e300", 81, Some(MOVE_MAX));
        // A period of 10 s may be fully used, whatever the main time.
        check("byoyomi 0 10 3", 81, Some(ms(9_850)));
        check("byoyomi 60 10 3", 81, Some(ms(9_850)));
        check("byoyomi 540.15 10 3", 81, Some(ms(20_000)));
        // 25 stones in 300 s: 12 s each.
        check("canadian 0 300.15 25", 81, Some(ms(12_000)));
        check("canadian 10 300 25", 81, Some(ms(11_850)));
        check("canadian 60 300 0", 81, None);
        check("canadian 54.15 0 5", 81, Some(ms(2_000)));
    }

    #[test]
    fn what_is_told_counts() {
        let mut clock = clock("canadian 60 30 10");
        clock.set(1, ms(5_150), 5);
        assert_eq!(clock.budget(1, 81), Some(ms(1_000)));
        assert_eq!(clock.budget(0, 81), Some(ms(2_850)), "three seconds a stone once the main time is over");
        let mut clock = Clock::default();
        assert_eq!(clock.budget(0, 81), None);
        clock.set(0, ms(12_150), 0);
        assert_eq!(clock.budget(0, 0), Some(ms(1_000)));
        clock.set(0, ms(3_150), 2);
        assert_eq!(clock.budget(0, 0), Some(ms(250)), "a limit that was absolute stays so");
    }

    #[test]
    fn what_was_spent_is_gone() {
        let check = |words, spent: &[u64], left, stones| {
            let mut clock = clock(words);
            spent.iter().for_each(|&spent| clock.spend(0, ms(spent)));
            assert_eq!(clock.readings[0], Reading { left: ms(left), stones }, "{words}");
            assert_eq!(clock.readings[1], clock.system.start(), "{words}");
        };
        check("none", &[5_000], 0, 0);
        check("absolute 60", &[5_000, 1_000], 54_000, 0);
        check("absolute 60", &[65_000], 0, 0);
        check("byoyomi 60 10 3", &[50_000], 10_000, 0);
        check("byoyomi 60 10 3", &[65_000], 10_000, 3);
        check("byoyomi 0 10 3", &[9_000], 10_000, 3);
        check("byoyomi 0 10 3", &[11_000], 10_000, 2);
        check("canadian 0 30 3", &[9_000], 21_000, 2);
        check("canadian 0 30 3", &[9_000, 1_000, 1_000], 30_000, 3);
        check("canadian 60 30 3", &[62_000], 28_000, 3);
    }

    #[test]
    fn never_more_than_what_is_left() {
        for system in ["absolute 9", "byoyomi 9 2 3", "byoyomi 0 9 3", "canadian 9 20 7", "canadian 0 9 1"] {
            for left in [0, 1, 149, 150, 151, 1_000, 9_000] {
                for stones in [0, 1, 7] {
                    let mut clock = clock(system);
                    clock.set(0, ms(left), stones);
                    // Main time is followed by a move's share of overtime.
                    let overtime = match clock.system {
                        TimeSystem::Byoyomi { period, .. } if stones == 0 => period,
                        TimeSystem::Canadian { period, stones: all, .. } if stones == 0 => period / all,
                        _ => Duration::ZERO,
                    };
                    let budget = clock.budget(0, 40).expect("a limit");
                    assert!(
                        budget <= (ms(left) + overtime).saturating_sub(LAG),
                        "{system}, {left}, {stones}"
                    );
                }
            }
        }
    }

    #[test]
    fn settings_that_are_none() {
        let check =
            |words: &str| assert_eq!(TimeSystem::kgs(&words.split(' ').collect::<Vec<_>>()), None, "{words}");
        check("");
        check("absolute");
        check("absolute -1");
        check("absolute NaN");
        check("byoyomi 1 2");
        check("byoyomi 1 2 -3");
        check("fischer 1 2");
    }
}
