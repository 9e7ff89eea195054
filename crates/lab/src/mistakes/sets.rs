//! Positions with exact values that come with the lab.

use super::Judged;

/// A list of positions by name.
pub struct PositionSet {
    /// Its name.
    pub name: &'static str,
    /// The game.
    pub game: &'static str,
    /// The command that made it, without the file.
    pub made_by: &'static str,
    lines: &'static str,
}

/// All lists.
pub static POSITION_SETS: &[PositionSet] = &[
    PositionSet {
        name: "connect-four-early",
        game: "connect-four",
        made_by: "aji mistakes connect-four --kind hard --plies 9..13 --positions 500 --seed 1",
        lines: include_str!("../../data/connect-four-early.jsonl"),
    },
    PositionSet {
        name: "connect-four-middle",
        game: "connect-four",
        made_by: "aji mistakes connect-four --kind hard --plies 15..22 --positions 500 --seed 1",
        lines: include_str!("../../data/connect-four-middle.jsonl"),
    },
];

impl PositionSet {
    /// The list of this name.
    pub fn named(name: &str) -> Option<&'static PositionSet> {
        POSITION_SETS.iter().find(|set| set.name == name)
    }

    /// Its lines, one a position.
    pub fn lines(&self) -> &'static str {
        self.lines
    }

    /// Its positions, with their values.
    pub fn positions(&self) -> Vec<Judged> {
        self.lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}
