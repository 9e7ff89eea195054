//! Colours and vertices as the protocol writes them.

use aji_games::{go_point_name, read_go_point};
use aji_search::Player;

/// A pass, or a point by its column and row, both from 0, rows from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertex {
    Pass,
    Point(usize, usize),
}

impl Vertex {
    /// The point or pass with this name, in any case. None outside a board of this size.
    pub(crate) fn read(name: &str, size: usize) -> Option<Vertex> {
        if name.eq_ignore_ascii_case("pass") {
            return Some(Vertex::Pass);
        }
        read_go_point(name, size).map(|(column, row)| Vertex::Point(column, row))
    }
}

impl std::fmt::Display for Vertex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Vertex::Pass => f.write_str("pass"),
            Vertex::Point(column, row) => f.write_str(&go_point_name((column, row))),
        }
    }
}

/// The vertices, separated by spaces.
pub(crate) fn listed(vertices: impl IntoIterator<Item = Vertex>) -> String {
    let names: Vec<String> = vertices.into_iter().map(|vertex| vertex.to_string()).collect();
    names.join(" ")
}

/// The player of a colour: `b`, `black`, `w`, `white`, in any case.
pub(crate) fn read_colour(word: &str) -> Option<Player> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(0),
        "w" | "white" => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_both_ways() {
        let check = |name: &str, size, expect| assert_eq!(Vertex::read(name, size), expect, "{name}");
        check("A1", 9, Some(Vertex::Point(0, 0)));
        check("j9", 9, Some(Vertex::Point(8, 8)));
        check("Z25", 25, Some(Vertex::Point(24, 24)));
        check("PASS", 9, Some(Vertex::Pass));
        for name in ["", "I5", "K1", "A10", "A0", "A+1", "A", "5", "A1x", "ä1", "resign"] {
            check(name, 9, None);
        }
        for name in ["A1", "H8", "J9", "T19", "pass"] {
            assert_eq!(Vertex::read(name, 25).expect("a vertex").to_string(), name);
        }
        assert_eq!([read_colour("B"), read_colour("White"), read_colour("green")], [Some(0), Some(1), None]);
    }
}
