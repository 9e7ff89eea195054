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
    /// White gets no more than this, and black neither.
    pub const KOMI_HALVES_MAX: i16 = 2 * 1_000;

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
