//! Playouts of Connect Four side by side, one position per lane, so that one instruction moves in several games.
//!
//! The loops over lanes are plain; the compiler vectorises them. A lane draws one of all seven columns. If that
//! column is full, the lane waits and draws again with the next random number, so that each open column has the same
//! probability. Lanes whose game is over wait for the others. Packing the rest into half the lanes saves nothing.

use super::{BOARD, BOTTOM, ConnectFour, HEIGHT, ROWS, lines};
use crate::cpu::Cpu;
use aji_search::{Leaf, Payoff, Rng};

/// The number of games played side by side: two vectors of avx2.
const LANES: usize = 8;
/// Up to this many games are played one after another.
const ALONE_MAX: usize = 3;
/// From this ply on, too many columns are full to draw among all of them, and positions are played one after another.
/// The first leaf decides for all, as leaves of one search are about equally deep.
const PLIES_MAX: u8 = 32;

/// One position per lane.
struct Boards {
    /// The pieces of the mover, and of both players.
    own: [u64; LANES],
    all: [u64; LANES],
    /// All bits set until somebody has won.
    live: [u64; LANES],
}

/// The first bit of the column that a random byte draws: 36 bytes draw each of the seven. The last four bytes draw
/// one that is not on the board.
#[inline(always)]
fn column_start(byte: u8) -> u64 {
    // The multiplication divides by 36.
    ((u64::from(byte) * 1821) >> 16) * HEIGHT as u64
}

impl Boards {
    /// Lanes beyond the leaves have a full board, where nothing happens.
    #[inline(always)]
    fn new(leaves: &[Leaf<ConnectFour>]) -> Boards {
        let mut boards = Boards { own: [0; LANES], all: [BOARD; LANES], live: [0; LANES] };
        for (lane, Leaf { game, .. }) in leaves.iter().enumerate() {
            boards.own[lane] = game.own;
            boards.all[lane] = game.own | game.other;
            boards.live[lane] = if game.won { 0 } else { !0 };
        }
        boards
    }

    /// Drops a piece in each lane whose game is not over and whose column, drawn by its byte, is not full. Returns
    /// false if all games are over.
    #[inline(always)]
    fn drop_pieces(&mut self, bytes: [u8; LANES]) -> bool {
        let mut going_on = 0;
        for (lane, byte) in bytes.into_iter().enumerate() {
            let column = ((1 << ROWS) - 1) << column_start(byte);
            let (own, all) = (self.own[lane], self.all[lane]);
            let landing = (all + BOTTOM) & column & self.live[lane];
            self.own[lane] = own ^ if landing == 0 { 0 } else { all };
            self.all[lane] = all | landing;
            self.live[lane] &= if lines(own | landing) == 0 { !0 } else { 0 };
            going_on |= self.live[lane] & (self.all[lane] ^ BOARD);
        }
        going_on != 0
    }

    #[inline(always)]
    fn payoff(&self, lane: usize) -> Payoff {
        let plies = self.all[lane].count_ones();
        if self.live[lane] == 0 { Payoff::win((1 - plies % 2) as u8) } else { Payoff::DRAW }
    }
}

/// A playout from each of up to [`LANES`] leaves.
#[inline(always)]
fn play(leaves: &mut [Leaf<ConnectFour>], rng: &mut Rng) {
    let mut boards = Boards::new(leaves);
    while boards.drop_pieces(rng.bits().to_le_bytes()) {}
    for (lane, leaf) in leaves.iter_mut().enumerate() {
        leaf.payoff = boards.payoff(lane);
    }
}

/// A playout from each leaf.
#[inline(always)]
pub(super) fn playouts(cpu: impl Cpu, leaves: &mut [Leaf<ConnectFour>], rng: &mut Rng) {
    for leaves in leaves.chunks_mut(LANES) {
        if leaves.len() <= ALONE_MAX || leaves[0].game.plies >= PLIES_MAX {
            for leaf in leaves {
                leaf.payoff = ConnectFour::playout_by(cpu, &mut leaf.game, rng);
            }
        } else {
            play(leaves, rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::{Game, Turn};

    #[test]
    fn bytes_draw_the_columns_evenly() {
        let mut counts = [0; 8];
        for byte in 0..=255 {
            assert_eq!(column_start(byte) % HEIGHT as u64, 0);
            counts[column_start(byte) as usize / HEIGHT] += 1;
        }
        assert_eq!(counts, [36, 36, 36, 36, 36, 36, 36, 4]);
    }

    /// Replays the lanes' games by the rules, one lane at a time.
    #[test]
    fn lanes_go_as_by_the_rules() {
        let mut rng = Rng::seeded(1);
        let (mut waits, mut draws) = (0, 0);
        for round in 0..4_000 {
            let width = 1 + round % LANES;
            let mut games: Vec<ConnectFour> = (0..width).map(|_| random_game(&mut rng)).collect();
            let leaves: Vec<_> = games.iter().map(|&game| Leaf::new(game)).collect();
            let mut boards = Boards::new(&leaves);
            loop {
                let bytes = rng.bits().to_le_bytes();
                let going_on = boards.drop_pieces(bytes);
                for (lane, game) in games.iter_mut().enumerate() {
                    let (column, mut actions) = (bytes[lane] / 36, Vec::new());
                    game.actions(&mut actions);
                    if actions.contains(&column) {
                        game.play(column);
                    } else if !actions.is_empty() {
                        waits += 1;
                    }
                    assert_eq!((boards.own[lane], boards.all[lane]), (game.own, game.own | game.other));
                }
                assert_eq!(going_on, games.iter().any(|game| game.turn() != Turn::Over));
                if !going_on {
                    break;
                }
            }
            for (lane, game) in games.iter().enumerate() {
                assert_eq!(boards.payoff(lane), game.payoff());
                draws += u32::from(!game.won);
            }
        }
        assert!(
            waits > 1_000 && draws > 10,
            "{waits} waits and {draws} draws are too few to have tried them"
        );
    }

    /// The game after random plies, finished or not.
    fn random_game(rng: &mut Rng) -> ConnectFour {
        let mut game = ConnectFour::new();
        for _ in 0..rng.below(43) {
            if game.turn() != Turn::Over {
                game.play(game.random_action(rng, &mut Vec::new()));
            }
        }
        game
    }
}
