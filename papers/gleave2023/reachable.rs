//! Whether play leads to a position of Connect Four.
//!
//! The game reads every position without pieces in the air and with the right number of each player's pieces. The players
//! alternate, so some of these positions cannot arise: an o below an x with no other piece on the board is one.

use std::collections::HashSet;

/// The columns of a position from the left, each from the bottom, as it is written. None if the text has no rows.
fn columns(text: &str) -> Option<Vec<Vec<u8>>> {
    let rows: Vec<&[u8]> = text.split(' ').next()?.split('/').map(str::as_bytes).collect();
    let width = rows.first()?.len();
    if rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let column =
        |number: usize| rows.iter().rev().map(|row| row[number]).filter(|&cell| cell != b'.').collect();
    Some((0..width).map(column).collect())
}

/// Whether the pieces can be taken off the tops of columns in turns, the last player's first. Nobody has four in a row before the
/// end if nobody has at the end.
pub(super) fn is_reachable(text: &str) -> bool {
    let Some(columns) = columns(text) else { return false };
    let full: Vec<usize> = columns.iter().map(Vec::len).collect();
    let (mut seen, mut waiting) = (HashSet::new(), vec![full]);
    while let Some(heights) = waiting.pop() {
        let pieces: usize = heights.iter().sum();
        if pieces == 0 {
            return true;
        }
        // x has placed the odd pieces.
        let last = if pieces % 2 == 1 { b'x' } else { b'o' };
        for (number, column) in columns.iter().enumerate() {
            let height = heights[number];
            if height > 0 && column[height - 1] == last {
                let mut below = heights.clone();
                below[number] -= 1;
                if seen.insert(below.clone()) {
                    waiting.push(below);
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_catalog::session;

    #[test]
    fn positions_by_hand() {
        let check = |text: &str, expect: bool| assert_eq!(is_reachable(text), expect, "{text}");
        check("......./......./......./......./......./....... x", true);
        check("......./......./......./......./o....../x...... x", true);
        // The first piece would be o.
        check("......./......./......./......./x....../o...... x", false);
        check("......./......./......./o....../x....../o.....x x", true);
        check("......./......./......./x....../x....../o.....o x", false);
        check("3,4 1", false);
    }

    /// All positions of up to four plies against those that play reaches. The others are the ones that the game reads.
    #[test]
    fn short_games_against_play() {
        let mut session = session("connect-four").unwrap();
        let mut reached: HashSet<String> = HashSet::from([session.text()]);
        for _ in 0..4 {
            let mut next = HashSet::new();
            for position in &reached {
                assert!(is_reachable(position), "{position}");
                session.set_position(position).unwrap();
                for action in session.actions() {
                    session.play(&action).unwrap();
                    next.insert(session.text());
                    session.undo();
                }
            }
            reached = next;
        }
        let (mut possible, mut others) = (HashSet::new(), 0);
        fill(&mut vec![String::new(); 7], 0, (2, 2), &mut |columns| {
            let cell = |row: usize, column: &String| column.chars().nth(row).unwrap_or('.');
            let row = |row: usize| columns.iter().map(|column| cell(row, column)).collect::<String>();
            let text = format!("{} x", (0..6).rev().map(row).collect::<Vec<_>>().join("/"));
            match is_reachable(&text) {
                true => assert!(possible.insert(text)),
                false => others += 1,
            }
        });
        assert_eq!(possible, reached);
        assert!(others > 0);
    }

    /// All ways to put this many x and o into the columns from this one on.
    fn fill(columns: &mut Vec<String>, from: usize, left: (usize, usize), found: &mut impl FnMut(&[String])) {
        if left == (0, 0) {
            return found(columns);
        }
        for column in from..7 {
            for (piece, rest) in
                [('x', (left.0.wrapping_sub(1), left.1)), ('o', (left.0, left.1.wrapping_sub(1)))]
            {
                if rest.0 > 2 || rest.1 > 2 {
                    continue;
                }
                columns[column].push(piece);
                fill(columns, column, rest, found);
                columns[column].pop();
            }
        }
    }
}
