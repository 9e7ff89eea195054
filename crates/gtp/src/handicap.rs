//! The placement of handicap stones (GTP 2, section 4.1).

use crate::vertex::Vertex;

/// The smallest handicap.
const STONES_MIN: usize = 2;

/// The points of a fixed handicap with this many stones. None if the standard has none for this board.
pub(crate) fn fixed(size: usize, stones: usize) -> Option<Vec<Vertex>> {
    let most = match size {
        0..=6 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(STONES_MIN..=most).contains(&stones) {
        return None;
    }
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    // Sides are added in pairs; a remaining stone goes to the centre.
    let (corner_count, side_count) = (stones.min(4), stones.saturating_sub(4) / 2 * 2);
    let has_centre = stones > 4 && stones % 2 == 1;
    let points = corners[..corner_count].iter().chain(&sides[..side_count]);
    let centre = has_centre.then_some((middle, middle));
    Some(points.copied().chain(centre).map(|(column, row)| Vertex::Point(column, row)).collect())
}

/// The engine's points for a free handicap, perhaps fewer than asked for. None if this number is not a handicap on
/// this board.
pub(crate) fn free(size: usize, stones: usize) -> Option<Vec<Vertex>> {
    if stones < STONES_MIN || stones >= size * size {
        return None;
    }
    // The largest standard handicap for the board, or the diagonal on a small board.
    let most = (STONES_MIN..=stones).rev().find_map(|count| fixed(size, count));
    Some(most.unwrap_or_else(|| (0..stones.min(size)).map(|step| Vertex::Point(step, step)).collect()))
}

/// Whether a controller's free handicap is valid: at least two points, no duplicates, and not the whole board.
pub(crate) fn is_sound(size: usize, stones: &[Vertex]) -> bool {
    let is_double = |(index, vertex): (usize, &Vertex)| stones[..index].contains(vertex);
    (STONES_MIN..size * size).contains(&stones.len())
        && !stones.contains(&Vertex::Pass)
        && !stones.iter().enumerate().any(is_double)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::listed;

    #[test]
    fn fixed_handicaps_by_the_table() {
        let check = |size, stones, expect: Option<&str>| {
            assert_eq!(fixed(size, stones).map(listed).as_deref(), expect, "{size}, {stones}");
        };
        check(19, 2, Some("D4 Q16"));
        check(19, 3, Some("D4 Q16 D16"));
        check(19, 4, Some("D4 Q16 D16 Q4"));
        check(19, 5, Some("D4 Q16 D16 Q4 K10"));
        check(19, 6, Some("D4 Q16 D16 Q4 D10 Q10"));
        check(19, 7, Some("D4 Q16 D16 Q4 D10 Q10 K10"));
        check(19, 8, Some("D4 Q16 D16 Q4 D10 Q10 K4 K16"));
        check(19, 9, Some("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"));
        check(9, 4, Some("C3 G7 C7 G3"));
        check(13, 5, Some("D4 K10 D10 K4 G7"));
        check(7, 4, Some("C3 E5 C5 E3"));
        for (size, stones) in [(19, 1), (19, 10), (19, 0), (8, 5), (7, 5), (6, 2), (2, 2)] {
            check(size, stones, None);
        }
    }

    #[test]
    fn free_handicaps() {
        let check = |size, stones, expect: Option<&str>| {
            assert_eq!(free(size, stones).map(listed).as_deref(), expect, "{size}, {stones}");
        };
        check(9, 5, Some("C3 G7 C7 G3 E5"));
        check(8, 6, Some("C3 F6 C6 F3"));
        check(5, 3, Some("A1 B2 C3"));
        check(2, 2, Some("A1 B2"));
        check(19, 1, None);
        check(3, 9, None);
        check(9, usize::MAX, None);
        assert!(is_sound(9, &[Vertex::Point(0, 0), Vertex::Point(1, 0)]));
        assert!(!is_sound(9, &[Vertex::Point(0, 0), Vertex::Point(0, 0)]));
        assert!(!is_sound(9, &[Vertex::Point(0, 0), Vertex::Pass]));
        assert!(!is_sound(9, &[Vertex::Point(0, 0)]));
    }
}
