//! Playouts by an order of moves: always the first allowed move.

use super::cells::Cells;
use super::{Go, Keys};
use crate::go::board::Stone;
use aji_search::Player;
use aji_search::learn::Order;

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// Plays to the end and returns black's area less white's. Reports every stone to `played`.
    pub(super) fn by_order(&mut self, order: &Order, played: impl FnMut(usize, Player)) -> i16 {
        let keys = Keys::of(self);
        let (mut cells, mut counts) = ([Cells([0; CELLS]); 2], [0; 2]);
        for &key in order.keys() {
            let (player, cell) = keys.player_and_cell(key as usize);
            if self.board.has(cell, Stone::Empty) || self.board.stone(cell).player().is_some() {
                let player = usize::from(player);
                cells[player].set(counts[player], cell);
                counts[player] += 1;
            }
        }
        self.play_out(
            |board, colour| {
                let ranked = cells[colour as usize].0[..counts[colour as usize]].iter();
                let first = |&cell: &usize| board.has(cell, Stone::Empty) && board.is_allowed(cell, colour);
                ranked.map(|&cell| usize::from(cell)).find(first)
            },
            played,
        )
    }
}
