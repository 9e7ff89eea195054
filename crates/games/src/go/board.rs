//! Stones on a board, and the chains they form.
//!
//! The board is a line of cells: rows one after another, each with one cell of wall before it, and rows of wall above
//! and below. So every point has four neighbours at fixed distances. The board keeps up to date what a move needs:
//! the stones around each point, the chain of each stone, and the sums of a chain's liberties.
//!
//! A move does not test the kind of a neighbour if an update of an unused slot does no harm. Each empty point and
//! each cell of wall is the head of a chain of its own, whose liberties mean nothing.

use super::cells::{Cell, Cells};
use super::liberties::Liberties;
use super::zobrist;
use aji_search::Player;

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stone {
    /// A stone of player 0.
    Black,
    /// A stone of player 1.
    White,
    /// Nothing.
    Empty,
    /// Not a point of the board.
    Wall,
}

impl Stone {
    /// The stone of a player.
    #[inline(always)]
    pub fn of(player: Player) -> Stone {
        if player == 0 { Stone::Black } else { Stone::White }
    }

    /// Whose stone it is.
    pub fn player(self) -> Option<Player> {
        match self {
            Stone::Black => Some(0),
            Stone::White => Some(1),
            Stone::Empty | Stone::Wall => None,
        }
    }

    /// The stone of the other player. Empty points and walls stay as they are.
    #[inline(always)]
    pub fn other(self) -> Stone {
        [Stone::White, Stone::Black, Stone::Empty, Stone::Wall][self as usize]
    }
}

/// No cell: the first one, which is wall.
pub(crate) const NOWHERE: Cell = 0;

/// What a neighbour adds to the counts around a cell: three bits for each colour, and three for empty neighbours.
/// Wall counts for both colours. The bits above say what is on the cell itself.
const AROUND: [u16; 4] = [0x001, 0x010, 0x100, 0x011];
const EMPTY_AROUND: u16 = 0x700;
const STONE_SHIFT: u32 = 12;

/// A board whose rows are `STRIDE` cells apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<const STRIDE: usize, const CELLS: usize> {
    /// The sums of a chain's liberties, at the chain's head.
    liberties: Cells<Liberties, CELLS>,
    head: Cells<u16, CELLS>,
    /// The next stone of the chain, in a ring.
    next: Cells<u16, CELLS>,
    /// At a chain's head, its number of stones. For an empty point, its place in the list of empty points, or the
    /// mark that it is [settled](super::settled).
    pub(super) tally: Cells<u16, CELLS>,
    /// What is on a cell, and around it.
    around: Cells<u16, CELLS>,
    /// The empty points except settled ones, in any order.
    empty: Cells<u16, CELLS>,
    empty_count: u16,
    /// The number of settled points, which exist only in playouts.
    pub(super) settled: u16,
    ko: u16,
    /// Black stones less white ones. Settled points count as their owners' stones.
    pub(super) balance: i16,
    size: u8,
}

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// The largest size.
    pub(crate) const SIZE_MAX: usize = STRIDE - 1;

    /// The neighbours of a point.
    #[inline(always)]
    pub(crate) fn neighbours(cell: Cell) -> [Cell; 4] {
        [cell - 1, cell + 1, cell - STRIDE, cell + STRIDE]
    }

    /// The points diagonally next to one.
    #[inline(always)]
    pub(crate) fn diagonals(cell: Cell) -> [Cell; 4] {
        [cell - STRIDE - 1, cell - STRIDE + 1, cell + STRIDE - 1, cell + STRIDE + 1]
    }

    /// An empty board. The size is at most [`SIZE_MAX`](Board::SIZE_MAX).
    pub(crate) fn new(size: usize) -> Self {
        let mut board = Board {
            liberties: Cells([Liberties::NONE; CELLS]),
            head: Cells(std::array::from_fn(|cell| cell as u16)),
            next: Cells(std::array::from_fn(|cell| cell as u16)),
            tally: Cells([1; CELLS]),
            // The counts around walls are updated too, but nobody reads them. Four empty neighbours are enough to
            // subtract from.
            around: Cells(
                [((Stone::Wall as u16) << STONE_SHIFT) | (4 * AROUND[Stone::Empty as usize]); CELLS],
            ),
            empty: Cells([0; CELLS]),
            empty_count: 0,
            settled: 0,
            ko: 0,
            balance: 0,
            size: size as u8,
        };
        for cell in board.points() {
            board.set_stone(cell, Stone::Empty);
            board.add_empty(cell);
        }
        for cell in board.points() {
            let around = Self::neighbours(cell).map(|near| AROUND[board.stone(near) as usize]);
            board.around[cell] = ((Stone::Empty as u16) << STONE_SHIFT) | around.into_iter().sum::<u16>();
        }
        board
    }

    /// The side.
    pub(crate) fn size(&self) -> usize {
        self.size.into()
    }

    /// The cell at a column and a row, both from 0, rows from the bottom.
    pub(crate) fn cell(column: usize, row: usize) -> Cell {
        (row + 1) * STRIDE + column + 1
    }

    /// The column and the row of a point.
    pub(crate) fn column_and_row(cell: Cell) -> (usize, usize) {
        (cell % STRIDE - 1, cell / STRIDE - 1)
    }

    /// All points, by row and then column.
    pub(crate) fn points(&self) -> impl Iterator<Item = Cell> + use<STRIDE, CELLS> {
        let size = self.size();
        (0..size).flat_map(move |row| Self::cell(0, row)..Self::cell(size, row))
    }

    /// What stands on a cell.
    #[inline(always)]
    pub(crate) fn stone(&self, cell: Cell) -> Stone {
        [Stone::Black, Stone::White, Stone::Empty, Stone::Wall]
            [usize::from(self.around[cell] >> STONE_SHIFT & 3)]
    }

    #[inline(always)]
    fn set_stone(&mut self, cell: Cell, stone: Stone) {
        let around = self.around[cell] & ((1 << STONE_SHIFT) - 1);
        self.around[cell] = around | ((stone as u16) << STONE_SHIFT);
    }

    /// The content of a cell, as a number.
    #[inline(always)]
    pub(crate) fn code(&self, cell: Cell) -> u16 {
        self.around[cell] >> STONE_SHIFT
    }

    /// Whether a stone is on a cell.
    #[inline(always)]
    pub(crate) fn has_stone(&self, cell: Cell) -> bool {
        self.code(cell) <= Stone::White as u16
    }

    /// Whether this is on a cell.
    #[inline(always)]
    pub(crate) fn has(&self, cell: Cell, stone: Stone) -> bool {
        is(self.around[cell], stone)
    }

    /// The empty points except settled ones, in any order.
    #[inline(always)]
    pub(crate) fn empties(&self) -> impl ExactSizeIterator<Item = Cell> {
        self.empty.0[..usize::from(self.empty_count)].iter().map(|&cell| cell.into())
    }

    /// The empty point at a place of the list.
    #[inline(always)]
    pub(crate) fn empty_at(&self, place: usize) -> Cell {
        self.empty.at(place)
    }

    /// Where the last move took a ko, which must not be taken back immediately.
    pub(crate) fn ko(&self) -> Cell {
        self.ko.into()
    }

    /// Sets the point of the ko.
    pub(crate) fn set_ko(&mut self, cell: Cell) {
        self.ko = cell as u16;
    }

    /// The number of stones of a colour. No point may be settled.
    pub(crate) fn count(&self, colour: Stone) -> u16 {
        let stones = i16::from(self.size) * i16::from(self.size) - self.empty_count as i16;
        ((stones + sign(colour) * self.balance) / 2) as u16
    }

    /// The hash of the stones.
    pub(crate) fn hash(&self) -> u64 {
        let stones = self.points().filter(|&cell| !self.has(cell, Stone::Empty));
        stones.fold(0, |hash, cell| hash ^ zobrist::stone(cell, self.stone(cell)))
    }

    /// How a stone there would change the hash, including its captures.
    pub(crate) fn hash_change(&self, cell: Cell, colour: Stone) -> u64 {
        let mut change = zobrist::stone(cell, colour);
        let taken = if self.breathes(cell, colour) { colour.other() } else { colour };
        let neighbours = Self::neighbours(cell);
        for (index, &near) in neighbours.iter().enumerate() {
            let is_again = neighbours[..index]
                .iter()
                .any(|&before| self.has(before, taken) && self.head(before) == self.head(near));
            if self.has(near, taken) && self.liberties(near).are_all_at(cell) && !is_again {
                change = self.chain(near).fold(change, |change, stone| change ^ zobrist::stone(stone, taken));
            }
        }
        if taken == colour { change ^ zobrist::stone(cell, colour) } else { change }
    }

    /// The liberties of the chain of a stone.
    #[inline(always)]
    pub(crate) fn liberties(&self, stone: Cell) -> Liberties {
        self.liberties[self.head.at(stone)]
    }

    /// The head of the chain of a stone.
    #[inline(always)]
    pub(crate) fn head(&self, stone: Cell) -> Cell {
        self.head.at(stone)
    }

    /// The number of stones in its chain.
    #[inline(always)]
    pub(crate) fn length(&self, stone: Cell) -> u16 {
        self.tally[self.head.at(stone)]
    }

    /// The stones of a chain.
    pub(crate) fn chain(&self, stone: Cell) -> impl Iterator<Item = Cell> {
        let mut at = stone;
        std::iter::once(stone).chain(std::iter::from_fn(move || {
            at = self.next.at(at);
            (at != stone).then_some(at)
        }))
    }

    /// Whether a stone can stand there: it has a liberty, or its chain does, or it captures. The point must be empty.
    /// Ignores ko.
    #[inline(always)]
    pub(crate) fn breathes(&self, cell: Cell, colour: Stone) -> bool {
        if self.around[cell] & EMPTY_AROUND != 0 {
            return true;
        }
        let mut breathes = false;
        for near in Self::neighbours(cell) {
            breathes |= !self.has(near, Stone::Wall)
                & (self.liberties(near).are_all_at(cell) != self.has(near, colour));
        }
        breathes
    }

    /// Whether an empty point is an eye of a colour. Stones of that colour must be on all sides. The opponent may
    /// have at most one of the diagonal points, and none at the edge.
    #[inline(always)]
    pub(crate) fn is_eye(&self, cell: Cell, colour: Stone) -> bool {
        self.is_surrounded(cell, colour) && self.is_safe_eye(cell, colour)
    }

    /// Whether all neighbours of a point are of one colour, or wall.
    #[inline(always)]
    pub(super) fn is_surrounded(&self, cell: Cell, colour: Stone) -> bool {
        self.around[cell] & (4 * AROUND[colour as usize]) != 0
    }

    #[inline(always)]
    fn is_safe_eye(&self, cell: Cell, colour: Stone) -> bool {
        // Written out, because the compiler would leave a call that maps an array as it is.
        let [a, b, c, d] = Self::diagonals(cell);
        let one = |near: Cell| 1u32 << (8 * u32::from(self.code(near)));
        let counts = one(a) + one(b) + one(c) + one(d);
        let bad = counts >> (8 * (colour.other() as u32)) & 0xFF;
        let is_edge = counts >= 1 << (8 * (Stone::Wall as u32));
        bad + u32::from(is_edge) < 2
    }

    /// Whether light playouts may put a stone there: not in one's own eye, not back into the ko, and no suicide.
    #[inline(always)]
    pub(crate) fn is_allowed(&self, cell: Cell, colour: Stone) -> bool {
        if self.around[cell] & EMPTY_AROUND != 0 {
            return true;
        }
        cell != self.ko() && !self.is_eye(cell, colour) && self.breathes(cell, colour)
    }

    #[inline(always)]
    pub(super) fn add_empty(&mut self, cell: Cell) {
        self.empty.set(self.empty_count.into(), cell);
        self.tally[cell] = self.empty_count;
        self.empty_count += 1;
    }

    #[inline(always)]
    pub(super) fn remove_empty(&mut self, cell: Cell) {
        self.empty_count -= 1;
        let (place, last) = (self.tally.at(cell), self.empty.at(self.empty_count.into()));
        self.empty.set(place, last);
        self.tally.set(last, place);
    }

    /// Swaps two empty points in their list.
    #[inline(always)]
    pub(crate) fn swap_empties(&mut self, one: usize, other: usize) {
        self.empty.0.swap(one, other);
        self.tally.set(self.empty.at(one), one);
        self.tally.set(self.empty.at(other), other);
    }

    /// Black's area less white's, if no two empty points are neighbours: a point belongs to the colour on all its
    /// sides.
    #[inline(always)]
    pub(crate) fn area_of_single_points(&self) -> i16 {
        let side = |cell, colour| i16::from(self.is_surrounded(cell, colour));
        let points = self.empties().map(|cell| side(cell, Stone::Black) - side(cell, Stone::White));
        self.balance + points.sum::<i16>()
    }

    /// Black's area less white's: stones, and the empty regions that touch stones of one colour only.
    pub(crate) fn area(&self) -> i16 {
        let mut is_seen = Cells([false; CELLS]);
        let (mut area, mut waiting) = (self.balance, Cells([0; CELLS]));
        for start in self.empties() {
            if is_seen[start] {
                continue;
            }
            let (mut points, mut touches) = (0, [false; 4]);
            is_seen[start] = true;
            waiting.set(0, start);
            let mut last = 1;
            while last > 0 {
                last -= 1;
                points += 1;
                let cell = waiting.at(last);
                for near in Self::neighbours(cell) {
                    touches[self.stone(near) as usize] = true;
                    if self.has(near, Stone::Empty) && !is_seen[near] {
                        is_seen[near] = true;
                        waiting.set(last, near);
                        last += 1;
                    }
                }
            }
            area += points * (i16::from(touches[0] && !touches[1]) - i16::from(touches[1] && !touches[0]));
        }
        area
    }

    /// Puts a stone on an empty point and takes what it captures, or its own chain if that has no liberty then.
    /// Returns the change of the position's hash if asked to.
    #[inline(always)]
    pub(crate) fn put<const HASHED: bool>(&mut self, cell: Cell, colour: Stone) -> u64 {
        let mut hash = if HASHED { zobrist::stone(cell, colour) } else { 0 };
        let neighbours = Self::neighbours(cell);
        let (mut own, gone, other) = (Liberties::NONE, Liberties::at(cell), colour.other());
        self.remove_empty(cell);
        self.tally[cell] = 1;
        self.set_stone(cell, colour);
        self.balance += sign(colour);
        // Neighbours by place, as bits. These conditions cannot be predicted, so one test covers all four.
        let (mut joined, mut taken) = (0u32, 0u32);
        let added = AROUND[colour as usize].wrapping_sub(AROUND[Stone::Empty as usize]);
        for (place, near) in neighbours.into_iter().enumerate() {
            let (around, head) = (self.around[near], self.head.at(near));
            self.around[near] = around.wrapping_add(added);
            let left = self.liberties[head].without(gone);
            self.liberties[head] = left;
            own = own.with(Liberties::at(near).only_if(is(around, Stone::Empty)));
            joined |= u32::from(is(around, colour)) << place;
            // A chain may touch several neighbours. At the last of them it has no liberty left.
            taken |= u32::from(is(around, other) & (left == Liberties::NONE)) << place;
        }
        self.liberties[cell] = own;
        self.ko = NOWHERE as u16;
        while joined != 0 {
            self.join(cell, neighbours[joined.trailing_zeros() as usize % 4]);
            joined &= joined - 1;
        }
        if taken != 0 {
            let mut captured = 0;
            while taken != 0 {
                let near = neighbours[taken.trailing_zeros() as usize % 4];
                taken &= taken - 1;
                captured += self.length(near);
                self.ko = near as u16;
                hash ^= self.remove::<HASHED>(near);
            }
            // A ko: one stone took one stone, and has no other liberty.
            let is_ko = captured == 1 && self.length(cell) == 1 && self.liberties[cell].count() == 1;
            self.ko = if is_ko { self.ko } else { NOWHERE as u16 };
        } else if self.liberties(cell) == Liberties::NONE {
            hash ^= self.remove::<HASHED>(cell);
        }
        if self.settled > 0 {
            self.unsettle_around(cell);
        }
        hash
    }

    /// Joins two chains, unless they are one already.
    #[inline(always)]
    fn join(&mut self, one: Cell, other: Cell) {
        let (one, other) = (self.head.at(one), self.head.at(other));
        if one == other {
            return;
        }
        let (to, from) = if self.tally[one] < self.tally[other] { (other, one) } else { (one, other) };
        self.liberties[to] = self.liberties[to].with(self.liberties[from]);
        self.tally[to] += self.tally[from];
        let mut at = from;
        loop {
            self.head.set(at, to);
            at = self.next.at(at);
            if at == from {
                break;
            }
        }
        self.next.0.swap(to, from);
    }

    /// Takes a chain off the board.
    fn remove<const HASHED: bool>(&mut self, stone: Cell) -> u64 {
        let colour = self.stone(stone);
        let added = AROUND[Stone::Empty as usize].wrapping_sub(AROUND[colour as usize]);
        let (mut hash, mut at) = (0, stone);
        self.balance -= sign(colour) * self.length(stone) as i16;
        loop {
            let next = self.next.at(at);
            self.set_stone(at, Stone::Empty);
            self.head.set(at, at);
            self.next.set(at, at);
            self.add_empty(at);
            for near in Self::neighbours(at) {
                self.around[near] = self.around[near].wrapping_add(added);
                let head = self.head.at(near);
                self.liberties[head] = self.liberties[head].with(Liberties::at(at));
            }
            if HASHED {
                hash ^= zobrist::stone(at, colour);
            }
            at = next;
            if at == stone {
                return hash;
            }
        }
    }
}

/// Whether these counts say that this is on the cell.
#[inline(always)]
fn is(around: u16, stone: Stone) -> bool {
    around >> STONE_SHIFT == stone as u16
}

/// What a stone adds to the balance of black less white.
#[inline(always)]
pub(super) fn sign(colour: Stone) -> i16 {
    if colour == Stone::Black { 1 } else { -1 }
}
