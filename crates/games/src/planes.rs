//! Shared parts of the encodings of boards: bits as features, and the symmetries of a rectangle.

/// Adds a feature for each bit that is set: `first` for bit 0.
pub(crate) fn add_bits(bits: u64, first: usize, out: &mut Vec<u32>) {
    let mut rest = bits;
    while rest != 0 {
        out.push(first as u32 + rest.trailing_zeros());
        rest &= rest - 1;
    }
}

/// The number of symmetries of a rectangle, or of a square.
pub(crate) fn symmetries(rows: usize, columns: usize) -> usize {
    if rows == columns { 8 } else { 4 }
}

/// The image of a cell: bit 0 of the symmetry mirrors the columns, bit 1 the rows, and bit 2 then swaps columns and
/// rows.
pub(crate) fn cell_image(symmetry: usize, rows: usize, columns: usize, cell: usize) -> usize {
    let (mut row, mut column) = (cell / columns, cell % columns);
    if symmetry & 1 != 0 {
        column = columns - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = rows - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * columns + column
}
