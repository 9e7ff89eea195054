//! Hex. A rhombus of hexagonal cells, with equally many rows and columns. The players take turns to put a stone on an
//! empty cell. x wins with a chain of neighbouring stones from the top edge to the bottom edge, o with one from the
//! left edge to the right edge. A full board holds exactly one such chain, so there are no draws. x begins, and there
//! is no swap rule.
//!
//! Actions are cells, `a1` at the upper left: a column letter, and a row number counted from the top. Each row is
//! drawn half a cell further right than the one above. So a cell touches the cells at its left and right, the one
//! above it and the next after that, and the one below it and the last before that:
//!
//! ```text
//!     b1 c1          the neighbours of b2
//!   a2 b2 c2
//!     a3 b3
//! ```

mod encoding;
mod lanes;

use crate::bits::{all_indices, an_nth_index, clear_nth, count, mix_all};
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES, Rows};
use aji_cpu::{Portable, dispatch};
use aji_search::{Game, Hashed, Keyed, Leaf, Named, Payoff, Player, Rng, Turn};
use std::array::from_fn;
use std::ops::RangeInclusive;

const SIZE_MAX: usize = 19;
const WORDS: usize = (SIZE_MAX * SIZE_MAX).div_ceil(64);

/// A set of cells, row after row from the top.
type Cells = [u64; WORDS];

/// The neighbours of a cell in order around it, as steps down and to the right.
const AROUND: [(isize, isize); 6] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];

/// The edges that each player has to join.
const EDGES: [&str; 2] = ["top and bottom", "left and right"];

/// The sets of cells that the search for a chain needs.
struct Shape {
    /// All cells with a cell at their right.
    inner: Cells,
    bottom: Cells,
}

static SHAPES: [Shape; SIZE_MAX + 1] = {
    let mut shapes = [const { Shape { inner: [0; WORDS], bottom: [0; WORDS] } }; SIZE_MAX + 1];
    let mut size = 1;
    while size <= SIZE_MAX {
        let mut cell = 0;
        while cell < size * size {
            if cell % size != size - 1 {
                shapes[size].inner[cell / 64] |= 1 << (cell % 64);
            }
            if cell / size == size - 1 {
                shapes[size].bottom[cell / 64] |= 1 << (cell % 64);
            }
            cell += 1;
        }
        size += 1;
    }
    shapes
};

/// A position of Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex {
    /// The stones of x, and the empty cells; o has the rest. A playout needs only these two.
    x: Cells,
    empty: Cells,
    size: u8,
    won: bool,
    plies: u16,
}

/// Calls a method compiled for the words that a board of this size needs.
macro_rules! by_words {
    ($game:ident.$method:ident($($argument:expr),*)) => {
        match $game.size {
            ..=8 => $game.$method::<1>($($argument),*),
            9..=11 => $game.$method::<2>($($argument),*),
            12..=13 => $game.$method::<3>($($argument),*),
            14..=16 => $game.$method::<4>($($argument),*),
            _ => $game.$method::<WORDS>($($argument),*),
        }
    };
}

/// Moves all cells to lower numbers; cells below 0 are dropped.
#[inline(always)]
fn lowered<const N: usize>(cells: &[u64; N], by: usize) -> [u64; N] {
    from_fn(|word| {
        let above = if word + 1 < N { cells[word + 1] } else { 0 };
        cells[word] >> by | above << (64 - by)
    })
}

/// Whether x joins top and bottom with these cells if o has all others.
///
/// This is the reduction of the game of Y (Schensted and Titus, Mudcrack Y & Poly-Y, 1975). On a full triangular board,
/// replace every three cells that touch each other by one, in the colour of their majority. The board becomes a size
/// smaller and the winner stays the same, down to a single cell. Hex is Y on a triangle that has its right angle at a1
/// and sides of 2 * size - 1. There x has all cells below the board and o all cells at its right.
#[inline(always)]
fn joins<const N: usize>(mut cells: [u64; N], size: usize) -> bool {
    let (inner, bottom) = (first(&SHAPES[size].inner), first(&SHAPES[size].bottom));
    for _ in 1..size {
        cells = reduced(&cells, size, inner, bottom);
    }
    // Now only the triangle between a1, the top edge and the left edge matters. It touches no other edge, and its
    // last steps stay within one word.
    let mut side = size;
    while (side - 1) * size >= 64 {
        cells = reduced(&cells, size, [!0; N], [0; N]);
        side -= 1;
    }
    let mut cells = [cells[0]];
    for _ in 1..side {
        cells = reduced(&cells, size, [!0], [0]);
    }
    cells[0] & 1 != 0
}

/// Replaces every cell by the majority of itself, the one at its right and the one below it. `inner` has the cells
/// with a right neighbour, `bottom` those without one below.
#[inline(always)]
fn reduced<const N: usize>(cells: &[u64; N], size: usize, inner: [u64; N], bottom: [u64; N]) -> [u64; N] {
    let (right, below) = (lowered(cells, 1), lowered(cells, size));
    from_fn(|word| {
        let (cell, right, below) = (cells[word], right[word] & inner[word], below[word] | bottom[word]);
        cell & right | below & (cell | right)
    })
}

/// A random set of this many of the empty cells, uniformly among all such sets.
#[inline(always)]
fn filling<const N: usize>(cpu: impl Cpu, empty: &[u64; N], stones: u32, rng: &mut Rng) -> [u64; N] {
    let coins = empty.map(|word| word & rng.bits());
    let drawn = count(&coins);
    // Coins favour no cell, so all sets with the same number of heads are equally likely. Removing random cells from
    // the side that has too many keeps it so.
    let flip = if drawn < stones { !0 } else { 0 };
    let mut surplus: [u64; N] = from_fn(|word| coins[word] ^ empty[word] & flip);
    let mut left = count(&surplus);
    for _ in 0..drawn.abs_diff(stones) {
        clear_nth(cpu, &mut surplus, rng.below(left as usize) as u32);
        left -= 1;
    }
    from_fn(|word| surplus[word] ^ empty[word] & flip)
}

/// The first words of a set, which hold all the cells of a small enough board.
#[inline(always)]
fn first<const N: usize>(cells: &Cells) -> [u64; N] {
    from_fn(|word| cells[word])
}

impl Hex {
    /// The possible sizes of a board.
    pub const SIZES: RangeInclusive<usize> = 2..=SIZE_MAX;

    /// The empty board of a size among [`SIZES`](Hex::SIZES).
    pub fn new(size: usize) -> Hex {
        debug_assert!(Hex::SIZES.contains(&size), "size {size} is not in {:?}", Hex::SIZES);
        let mut empty = [0; WORDS];
        (0..size * size).for_each(|cell| empty[cell / 64] |= 1 << (cell % 64));
        Hex { x: [0; WORDS], empty, size: size as u8, won: false, plies: 0 }
    }

    fn size(&self) -> usize {
        self.size.into()
    }

    fn mover(&self) -> Player {
        (self.plies & 1) as Player
    }

    fn stone(&self, column: usize, row: usize) -> Option<Player> {
        let cell = row * self.size() + column;
        let holds = |cells: &Cells| cells[cell / 64] >> (cell % 64) & 1 != 0;
        (!holds(&self.empty)).then_some(if holds(&self.x) { 0 } else { 1 })
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, stone: Option<Player>) {
        let bit = 1 << (cell % 64);
        self.x[cell / 64] &= !bit;
        self.empty[cell / 64] &= !bit;
        match stone {
            None => self.empty[cell / 64] |= bit,
            Some(0) => self.x[cell / 64] |= bit,
            Some(_) => {}
        }
    }

    /// Whether this player's stones join the player's edges.
    fn has_chain(&self, player: Player) -> bool {
        if player == 0 {
            self.joins(&self.x)
        } else {
            // o has a chain if x has none even with all the empty cells.
            !self.joins(&from_fn(|word| self.x[word] | self.empty[word]))
        }
    }

    fn joins(&self, cells: &Cells) -> bool {
        match self.size {
            ..=8 => joins::<1>(first(cells), self.size()),
            9..=11 => joins::<2>(first(cells), self.size()),
            12..=13 => joins::<3>(first(cells), self.size()),
            14..=16 => joins::<4>(first(cells), self.size()),
            _ => joins(*cells, self.size()),
        }
    }

    /// How many of the empty cells x will have when the board is full.
    #[inline(always)]
    fn stones_to_come(&self, empty: u32) -> u32 {
        (empty + 1 - u32::from(self.mover())) / 2
    }

    /// The cells that x gets if the empty ones are filled at random.
    #[inline(always)]
    fn random_filling<const N: usize>(&self, cpu: impl Cpu, rng: &mut Rng) -> [u64; N] {
        let empty = first(&self.empty);
        filling(cpu, &empty, self.stones_to_come(count(&empty)), rng)
    }

    /// The same for `playout_moves`.
    fn filled<const N: usize>(&self, rng: &mut Rng) -> Cells {
        let mut cells = [0; WORDS];
        cells[..N].copy_from_slice(&self.random_filling::<N>(Portable, rng));
        cells
    }

    /// Who wins if the empty cells are filled at random.
    #[inline(always)]
    fn random_winner<const N: usize>(&self, cpu: impl Cpu, rng: &mut Rng) -> Player {
        let (x, filling): ([u64; N], [u64; N]) = (first(&self.x), self.random_filling(cpu, rng));
        let x_wins = joins::<N>(from_fn(|word| x[word] | filling[word]), self.size());
        Player::from(!x_wins)
    }

    /// The same for a board of any size, by this CPU's instructions.
    #[inline(always)]
    fn winner_by(cpu: impl Cpu, game: &Hex, rng: &mut Rng) -> Player {
        by_words!(game.random_winner(cpu, rng))
    }

    dispatch! { fn winner_here, winner_v3(game: &Hex, rng: &mut Rng) -> Player = Self::winner_by }

    dispatch! { fn playouts_here, playouts_v3(leaves: &mut [Leaf<Hex>], rng: &mut Rng) = lanes::playouts }

    /// False if the player's stones around the cell are connected: then a stone on it joins nothing new.
    fn is_link(&self, player: Player, cell: u16) -> bool {
        let size = self.size() as isize;
        let (row, column) = (cell as isize / size, cell as isize % size);
        let mut own = 0;
        for (place, (down, right)) in AROUND.into_iter().enumerate() {
            let (row, column) = (row + down, column + right);
            let beyond = if player == 0 { row } else { column };
            // Beyond the player's own edges, everything is the player's.
            let is_own = if row.min(column) < 0 || row.max(column) >= size {
                beyond < 0 || beyond >= size
            } else {
                self.stone(column as usize, row as usize) == Some(player)
            };
            own |= u32::from(is_own) << place;
        }
        let next = own >> 1 | own << 5;
        (own & !next).count_ones() > 1
    }
}

impl Game for Hex {
    type Action = u16;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.won { Turn::Over } else { Turn::Player(self.mover()) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u16>) {
        if !self.won {
            out.extend(all_indices(&self.empty));
        }
    }

    #[inline]
    fn play(&mut self, cell: u16) {
        debug_assert!(self.empty[cell as usize / 64] >> (cell % 64) & 1 != 0, "cell {cell} is taken");
        let player = self.mover();
        self.set(cell.into(), Some(player));
        self.plies += 1;
        // The first chain needs `size` stones of x, with one less of o before them.
        self.won = self.plies as usize >= 2 * self.size() - 1
            && self.is_link(player, cell)
            && self.has_chain(player);
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.mover())
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> u16 {
        let empty = self.size().pow(2) - self.plies as usize;
        an_nth_index(&self.empty, rng.below(empty) as u32)
    }

    /// Fills the board at once. Playing on after the win changes no winner, and random play to a full board gives
    /// every filling with the right counts the same probability.
    #[inline]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Payoff {
        if self.won {
            return self.payoff();
        }
        Payoff::win(Hex::winner_here(self, rng))
    }

    /// The stones that fill the board, in random order, up to the win.
    fn playout_moves(&self, rng: &mut Rng) -> Option<Vec<u16>> {
        let (mut game, mut moves) = (*self, Vec::new());
        if game.won {
            return Some(moves);
        }
        let x = by_words!(game.filled(rng));
        let mut order = rng.clone();
        let mut stones = [x, from_fn(|word| self.empty[word] & !x[word])];
        while !game.won {
            let own = &mut stones[usize::from(game.mover())];
            let cell = an_nth_index(own, order.below(count(own) as usize) as u32);
            own[usize::from(cell) / 64] &= !(1 << (cell % 64));
            game.play(cell);
            moves.push(cell);
        }
        Some(moves)
    }

    #[inline]
    fn playouts(leaves: &mut [Leaf<Hex>], rng: &mut Rng) {
        Hex::playouts_here(leaves, rng);
    }
}

impl Keyed for Hex {
    fn key_count(&self) -> usize {
        self.size().pow(2)
    }

    fn key(&self, cell: u16) -> usize {
        cell.into()
    }
}

impl Hashed for Hex {
    /// The number of stones determines who moves.
    fn hash(&self) -> u64 {
        mix_all(self.x.into_iter().chain(self.empty))
    }
}

impl Named for Hex {
    fn action_name(&self, cell: u16) -> String {
        grid::cell_name(cell as usize % self.size(), cell as usize / self.size())
    }

    fn text(&self) -> String {
        grid::text(self.size(), Rows::from_top(self.size()), self.mover(), |column, row| {
            self.stone(column, row)
        })
    }

    fn read(&self, text: &str) -> Result<Hex, String> {
        let grid = Grid::read(text, self.size(), Rows::from_top(self.size()))?;
        grid.check_turns()?;
        let mut hex = Hex::new(self.size());
        grid.cells.iter().enumerate().for_each(|(cell, &stone)| hex.set(cell, stone));
        hex.plies = (grid.count(0) + grid.count(1)) as u16;
        let (mover, last) = (hex.mover(), 1 - hex.mover());
        if hex.has_chain(mover) {
            let (piece, edges) = (PIECES[mover as usize], EDGES[mover as usize]);
            return Err(format!("{piece} has joined {edges} already, so {piece} cannot be to move"));
        }
        hex.won = hex.has_chain(last);
        let is_needed = |cell: usize| {
            let mut without = hex;
            without.set(cell, None);
            grid.cells[cell] == Some(last) && !without.has_chain(last)
        };
        if hex.won && !(0..grid.cells.len()).any(is_needed) {
            let (piece, edges) = (PIECES[last as usize], EDGES[last as usize]);
            return Err(format!("{piece} had joined {edges} before its last stone, so that one cannot be"));
        }
        Ok(hex)
    }

    fn board(&self) -> String {
        let mut lines = String::from("   ");
        (0..self.size()).for_each(|column| lines += &format!(" {}", grid::column_letter(column)));
        lines.push('\n');
        for row in 0..self.size() {
            lines += &format!("{:row$}{:>3}", "", row + 1);
            for column in 0..self.size() {
                let piece = self.stone(column, row).map_or('.', |player| PIECES[player as usize]);
                lines += &format!(" {piece}");
            }
            lines.push('\n');
        }
        lines
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The neighbours of a cell that are on the board.
    fn neighbours(size: usize, cell: usize) -> impl Iterator<Item = usize> {
        let (row, column) = ((cell / size) as isize, (cell % size) as isize);
        let on_board = move |&(row, column): &(isize, isize)| {
            (0..size as isize).contains(&row) && (0..size as isize).contains(&column)
        };
        AROUND
            .into_iter()
            .map(move |(down, right)| (row + down, column + right))
            .filter(on_board)
            .map(move |(row, column)| row as usize * size + column as usize)
    }

    /// Whether a player has a chain, cell by cell.
    fn has_chain_plain(hex: &Hex, player: Player) -> bool {
        let size = hex.size();
        let along = |cell: usize| if player == 0 { cell / size } else { cell % size };
        let is_own = |cell: usize| hex.stone(cell % size, cell / size) == Some(player);
        let mut open: Vec<usize> =
            (0..size * size).filter(|&cell| along(cell) == 0 && is_own(cell)).collect();
        let mut seen = open.clone();
        while let Some(cell) = open.pop() {
            if along(cell) == size - 1 {
                return true;
            }
            for next in neighbours(size, cell) {
                if is_own(next) && !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        false
    }

    /// The game after this many random plies, or fewer if it ends before.
    fn random_game(size: usize, plies: usize, rng: &mut Rng) -> Hex {
        let mut hex = Hex::new(size);
        for _ in 0..plies {
            if hex.won {
                break;
            }
            hex.play(hex.random_action(rng, &mut Vec::new()));
        }
        hex
    }

    /// A playout ply by ply.
    fn stepwise_playout(mut hex: Hex, rng: &mut Rng) -> Payoff {
        while !hex.won {
            hex.play(hex.random_action(rng, &mut Vec::new()));
        }
        hex.payoff()
    }

    #[test]
    fn chains_are_those_found_cell_by_cell() {
        let mut rng = Rng::seeded(1);
        for size in Hex::SIZES {
            for trial in 0..200 {
                let mut hex = Hex::new(size);
                let full = trial % 2 == 0;
                for cell in 0..size * size {
                    let stone = rng.below(if full { 20 } else { 21 });
                    hex.set(cell, (stone < 20).then_some((stone % 2) as Player));
                }
                let chains = [0, 1].map(|player| hex.has_chain(player));
                assert_eq!(chains, [0, 1].map(|player| has_chain_plain(&hex, player)), "{}", hex.board());
                assert!(!full || chains[0] != chains[1], "{}", hex.board());
            }
        }
    }

    #[test]
    fn games_end_with_the_first_chain() {
        let mut rng = Rng::seeded(2);
        for size in [2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 17, 19] {
            for _ in 0..if size < 9 { 30 } else { 3 } {
                let mut hex = Hex::new(size);
                while !hex.won {
                    let player = hex.mover();
                    hex.play(hex.random_action(&mut rng, &mut Vec::new()));
                    assert_eq!(hex.won, has_chain_plain(&hex, player), "{}", hex.board());
                    assert!(!has_chain_plain(&hex, 1 - player), "{}", hex.board());
                    assert_eq!(hex.read(&hex.text()), Ok(hex));
                }
            }
        }
    }

    #[test]
    fn playouts_pay_as_ply_by_ply() {
        const PLAYOUTS: usize = 4_000;
        let mut rng = Rng::seeded(3);
        for (size, plies) in
            [(2, 0), (3, 1), (4, 5), (5, 0), (8, 20), (11, 0), (11, 41), (13, 60), (14, 99), (19, 150)]
        {
            let start = random_game(size, plies, &mut rng);
            let mean = |playout: &mut dyn FnMut() -> Payoff| {
                (0..PLAYOUTS).map(|_| playout().of(0)).sum::<f32>() / PLAYOUTS as f32
            };
            let stepwise = mean(&mut || stepwise_playout(start, &mut rng));
            let at_once = mean(&mut || start.clone().playout(&mut rng, &mut Vec::new()));
            let error = ((1.0 - stepwise * stepwise).max(0.01) * 2.0 / PLAYOUTS as f32).sqrt();
            assert!((stepwise - at_once).abs() < 4.0 * error, "{stepwise} {at_once}\n{}", start.board());
        }
    }

    #[test]
    fn fillings_are_all_alike() {
        let mut rng = Rng::seeded(4);
        // Chi-squared has a mean of `fillings - 1` and a variance of twice that.
        let mut check = |empty: [u64; 2], stones: u32, fillings: usize| {
            let mut counts = std::collections::HashMap::new();
            for _ in 0..200 * fillings {
                *counts.entry(filling(aji_cpu::Portable, &empty, stones, &mut rng)).or_insert(0u32) += 1;
            }
            assert_eq!(counts.len(), fillings);
            for cells in counts.keys() {
                assert!(count(cells) == stones && cells[0] & !empty[0] == 0 && cells[1] & !empty[1] == 0);
            }
            let squares: f64 = counts.values().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
            let freedom = (fillings - 1) as f64;
            assert!(
                (squares - freedom).abs() < 4.0 * (2.0 * freedom).sqrt() + 4.0,
                "{squares} for {freedom}"
            );
        };
        check([0b1111, 0], 2, 6);
        check([0b1_1111_1111, 0], 5, 126);
        check([0b0_1011_1101, 0], 3, 20);
        check([7 << 61, 0b111], 3, 20);
        check([1 << 63, 0b1111], 1, 5);
        check([1 << 63, 0b1111], 5, 1);
    }

    #[test]
    fn random_actions_are_the_actions() {
        let mut rng = Rng::seeded(5);
        let hex = random_game(9, 70, &mut rng);
        let mut actions = Vec::new();
        hex.actions(&mut actions);
        assert_eq!(actions.len(), 81 - hex.plies as usize);
        let mut drawn: Vec<u16> = (0..1_000).map(|_| hex.random_action(&mut rng, &mut Vec::new())).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, actions);
    }

    #[test]
    fn boards_slant() {
        let mut hex = Hex::new(3);
        [4, 2].into_iter().for_each(|cell| hex.play(cell));
        assert_eq!(hex.text(), "..o/.x./... x");
        assert_eq!(hex.board(), "    a b c\n  1 . . o\n   2 . x .\n    3 . . .\n");
        assert_eq!([4, 2].map(|cell| hex.action_name(cell)), ["b2", "c1"]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Hex::new(3).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check(".../... x", "expected 3 rows");
        check(".../.q./... x", "row 2 \".q.\": expected x, o or . at b2, found q");
        check("xx./.../... x", "2 x and 0 o with x to move cannot be");
        check("xo./xo./xo. x", "x has joined top and bottom already, so x cannot be to move");
        check("ooo/xx./xx. o", "o has joined left and right already, so o cannot be to move");
        let error = Hex::new(4).read("xoxo/xoxo/xoxo/xox. o").unwrap_err();
        assert!(error.contains("x had joined top and bottom before its last stone"), "{error}");
    }
}
