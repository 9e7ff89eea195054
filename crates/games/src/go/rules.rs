//! What varies in the rules of Go.

/// Which positions must not come again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ko {
    /// A single stone that has just taken a single stone cannot be taken back at once.
    Simple,
    /// No position of stones comes twice.
    #[default]
    Positional,
    /// No position of stones comes twice with the same player to move.
    Situational,
}

/// The rules of a game: area scoring, and these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoRules {
    /// What white gets for moving second, in half points.
    pub komi_halves: i16,
    /// Which positions must not come again.
    pub ko: Ko,
    /// Whether a chain may be left without liberties by its own player, and is taken off.
    pub suicide: bool,
    /// Whether a search looks at moves into one's own eyes. They are legal, and hardly ever good.
    pub fills_eyes: bool,
}

impl GoRules {
    /// White gets no more points than this, and black neither.
    pub const KOMI_MAX: i16 = 1_000;

    /// The same in half points.
    pub const KOMI_HALVES_MAX: i16 = 2 * Self::KOMI_MAX;

    /// Whether these points can be a komi.
    pub fn is_komi(points: f64) -> bool {
        points.abs() <= Self::KOMI_MAX.into()
    }

    /// Komi in half points, such that the same player wins as by komi itself: what is no whole number decides like the half
    /// next to it, and what is more than the most there is like that.
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
