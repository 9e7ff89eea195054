//! The rules of Go that vary.

/// Which positions must not repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ko {
    /// A single stone that has just taken a single stone cannot be taken back immediately.
    Simple,
    /// No arrangement of stones repeats.
    #[default]
    Positional,
    /// No arrangement of stones repeats with the same player to move.
    Situational,
}

/// The rules of a game: area scoring, and these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoRules {
    /// What white gets for moving second, in half points.
    pub komi_halves: i16,
    /// Which positions must not repeat.
    pub ko: Ko,
    /// Whether a player may leave an own chain without liberties, so that it is taken off.
    pub suicide: bool,
    /// Whether a search considers moves into one's own eyes. They are legal, and hardly ever good.
    pub fills_eyes: bool,
}

impl GoRules {
    /// The largest komi, for white or for black.
    pub const KOMI_MAX: i16 = 1_000;

    /// The same in half points.
    pub const KOMI_HALVES_MAX: i16 = 2 * Self::KOMI_MAX;

    /// Whether this is a valid komi.
    pub fn is_komi(points: f64) -> bool {
        points.abs() <= Self::KOMI_MAX.into()
    }

    /// Komi in half points, with the same winner as by komi itself. A fraction decides like the half between
    /// its two neighbouring whole numbers, and a komi beyond the limit like the limit.
    pub fn halves(komi: f64) -> i16 {
        let halves = if komi.fract() == 0.0 { 2.0 * komi } else { 2.0 * komi.floor() + 1.0 };
        let most = f64::from(Self::KOMI_HALVES_MAX);
        halves.clamp(-most, most) as i16
    }

    /// The points that white gets for moving second.
    pub fn komi(&self) -> f32 {
        f32::from(self.komi_halves) / 2.0
    }
}

impl Default for GoRules {
    fn default() -> GoRules {
        GoRules { komi_halves: 15, ko: Ko::Positional, suicide: false, fills_eyes: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_in_halves() {
        let check = |komi, expect| assert_eq!(GoRules::halves(komi), expect, "{komi}");
        check(7.5, 15);
        check(7.0, 14);
        check(6.75, 13);
        check(0.25, 1);
        check(-0.25, -1);
        check(-7.5, -15);
        check(1e9, 2_000);
        check(-1e9, -2_000);
    }
}
