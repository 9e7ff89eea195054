//! Shapes of three by three around an empty point where a move is often good. MoGo called them patterns (Gelly, Wang,
//! Munos & Teytaud, Modification of UCT with patterns in Monte-Carlo Go, 2006); these drawings are our own.
//!
//! In a shape `x` is a stone of one colour and `o` one of the other. `X` is anything on the board but an `x`, and `O`
//! anything but an `o`. `.` is an empty point, `#` wall, `?` anything on the board. The move is in the middle. A shape
//! stands for its rotations, its mirror images and both colours, whoever is to move.

use super::board::{Board, Stone};
use super::cells::Cell;
use std::sync::LazyLock;

const SHAPES: [[&str; 3]; 13] = [
    // Hane around a stone between two, or beside one.
    ["xox", "...", "???"],
    ["xo.", "...", "?.?"],
    // Turn at the shoulder.
    ["xo?", "x..", "X.?"],
    // Lean on a stone that faces one's own.
    [".o.", "x..", "..."],
    // Cut at a corner, if nothing protects it or a stone waits there.
    ["xo?", "o.O", "?O?"],
    ["xo?", "o.x", "???"],
    // Cut between two stones.
    ["?x?", "o.o", "OOO"],
    // Cut a knight's move.
    ["ox?", "O.o", "???"],
    // At the edge: chase along it, block a cut, hold a connection, go down, cut.
    ["x.?", "o.?", "###"],
    ["ox?", "x.o", "###"],
    ["?x?", "X.o", "###"],
    ["?xo", "X.X", "###"],
    ["?ox", "x.o", "###"],
];

/// One bit for each state of eight neighbours, two bits each.
static MATCHES: LazyLock<Box<[u64; 1024]>> = LazyLock::new(|| {
    let mut bits = Box::new([0; 1024]);
    for shape in SHAPES {
        let mut cells: Vec<char> = shape.concat().chars().collect();
        for _ in 0..2 {
            for _ in 0..4 {
                cells = (0..9).map(|place| cells[3 * (2 - place % 3) + place / 3]).collect();
                for is_swapped in [false, true] {
                    mark(&mut bits, &cells, is_swapped);
                }
            }
            cells = (0..9).map(|place| cells[3 * (place / 3) + 2 - place % 3]).collect();
        }
    }
    bits
});

/// Marks all states that a drawing stands for.
fn mark(bits: &mut [u64; 1024], cells: &[char], is_swapped: bool) {
    let around: Vec<char> =
        cells.iter().enumerate().filter(|(place, _)| *place != 4).map(|(_, &cell)| cell).collect();
    let (x, o) = if is_swapped { (Stone::White, Stone::Black) } else { (Stone::Black, Stone::White) };
    let mut codes = vec![0u16];
    for (place, cell) in around.into_iter().enumerate() {
        let stones: Vec<Stone> = match cell {
            'x' => vec![x],
            'o' => vec![o],
            'X' => vec![o, Stone::Empty],
            'O' => vec![x, Stone::Empty],
            '.' => vec![Stone::Empty],
            '#' => vec![Stone::Wall],
            _ => vec![x, o, Stone::Empty],
        };
        codes = codes
            .iter()
            .flat_map(|code| stones.iter().map(move |&stone| code | (stone as u16) << (2 * place)))
            .collect();
    }
    codes.into_iter().for_each(|code| bits[usize::from(code >> 6)] |= 1 << (code & 63));
}

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// Whether the surroundings of an empty point are one of the shapes.
    #[inline]
    pub(super) fn has_shape(&self, cell: Cell) -> bool {
        let above = cell + STRIDE;
        let below = cell - STRIDE;
        let around = [above - 1, above, above + 1, cell - 1, cell + 1, below - 1, below, below + 1];
        let code = around.into_iter().rev().fold(0, |code, near| code << 2 | self.code(near));
        MATCHES[usize::from(code >> 6)] >> (code & 63) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use aji_search::Named;

    fn has_shape(text: &str, point: &str) -> bool {
        let go = SmallGo::new(5, GoRules::default()).read(text).unwrap();
        go.board.has_shape(go.read_point(point).unwrap().cell())
    }

    #[test]
    fn shapes_by_hand() {
        assert!(has_shape("...../.xox./...../...../..... x", "C3"));
        assert!(has_shape("...../.oxo./...../...../..... x", "C3"));
        // Rotated.
        assert!(has_shape("...../...x./...o./...x./..... x", "C3"));
        assert!(!has_shape("...../...../...../...../..... x", "C3"));
        assert!(!has_shape("...../.xxx./...../...../..... x", "C3"));
        // A cut.
        assert!(has_shape("...../.xo../.o.../...../..... x", "C3"));
        // At the edge, and not inside.
        assert!(has_shape("...../...../...../..xo./..... x", "C1"));
        assert!(!has_shape("...../..xo./...../..x../..... x", "C3"));
    }
}
