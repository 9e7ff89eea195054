//! Othello. The board has eight by eight cells, or six by six or four by four. The four in the middle begin with two
//! discs of each player, crosswise. The players take turns to put a disc on an empty cell. The disc must enclose discs
//! of the opponent: an unbroken line of them (across, up or diagonal) from the new disc to another of the mover's. All
//! enclosed discs, in all eight directions, are turned over and become the mover's. A player who can enclose nothing
//! must pass; one who can must not. When neither can, the game is over. The payoff is the difference in discs; empty
//! cells count for nobody. x (Black) begins.
//!
//! Actions are cells, `a1` to `h8`, and `pass`. As everywhere in Othello, and unlike in the other games here, rows
//! count from the top: a1 is the upper left corner, and x begins with d3, c4, f5 or e6.
//!
//! A smaller board lies in the middle of the eight by eight cells. The cells around it stay empty, so lines of discs
//! end there as at the edge of the large board. Only the moves need to be confined to the board.

mod encoding;

use crate::abreast::{self, Course};
use crate::bits::{a_random_bit, indices, mix, random_bit};
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES, Rows};
use crate::lanes::Lanes;
use aji_cpu::{Portable, dispatch};
use aji_search::{Game, Hashed, Heuristic, Keyed, Leaf, Named, Payoff, Player, Rng, Turn};

/// The rows and columns of bits, whatever the size of the board.
const SIDE: usize = 8;
const PASS: u8 = (SIDE * SIDE) as u8;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const INNER_COLUMNS: u64 = !(FIRST_COLUMN | LAST_COLUMN);
const MIDDLE: u64 = 0x0000_0018_1800_0000;

/// The cells of the boards of size 8, 6 and 4. The index is the inset: the cells that the board lacks on each side.
const BOARDS: [u64; 3] = [!0, 0x007E_7E7E_7E7E_7E00, 0x0000_3C3C_3C3C_0000];
/// The corners of these boards.
const CORNERS: [u64; 3] = [0x8100_0000_0000_0081, 0x0042_0000_0000_4200, 0x0000_2400_0024_0000];

/// A position of Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    /// The discs of the mover, and of the other player.
    own: u64,
    other: u64,
    /// The cells that the mover can play on: none when the mover must pass, and when the game is over.
    moves: u64,
    mover: Player,
    over: bool,
    /// The inset: the cells that the board lacks on each side.
    inset: u8,
}

/// A position as seen by the mover along four lines: across, down to the left, down, and down to the right. `own` and
/// `other` are the discs of the two players, the same in each lane. `forward` are the opponent's discs that follow a
/// disc of the mover in an unbroken line towards higher cells; `backward`, towards lower cells. If such a line meets
/// an empty cell the mover can play there, and the move turns over the lines that lead back from it.
#[derive(Clone, Copy)]
struct Lines<C: Cpu> {
    cpu: C,
    own: C::Lanes,
    other: C::Lanes,
    forward: C::Lanes,
    backward: C::Lanes,
    /// The cells of the board.
    board: u64,
}

impl<C: Cpu> Lines<C> {
    /// The lines of a player with these discs.
    #[inline(always)]
    fn of(cpu: C, own: u64, other: u64, board: u64) -> Lines<C> {
        Lines::new(cpu, cpu.all(own), cpu.all(other), board)
    }

    #[inline(always)]
    fn new(cpu: C, own: C::Lanes, other: C::Lanes, board: u64) -> Lines<C> {
        // Only the line that runs down can enclose a disc on the left or right edge. Without such discs on the other
        // lines, no line runs over an edge.
        let through = other & cpu.lanes([INNER_COLUMNS, INNER_COLUMNS, !0, INNER_COLUMNS]);
        let forward = Self::follow(cpu, own, through, |cells, by| cells << by);
        let backward = Self::follow(cpu, own, through, |cells, by| cells >> by);
        Lines { cpu, own, other, forward, backward, board }
    }

    /// The distance between cells that stand this many steps apart on each of the four lines.
    #[inline(always)]
    fn steps(cpu: C, count: u64) -> C::Lanes {
        cpu.lanes([count, 7 * count, 8 * count, 9 * count])
    }

    /// The cells of `through` that follow a cell of `from` in an unbroken line, in the direction in which `shift`
    /// moves cells. An enclosed line has at most six.
    #[inline(always)]
    fn follow(
        cpu: C,
        from: C::Lanes,
        through: C::Lanes,
        shift: impl Fn(C::Lanes, C::Lanes) -> C::Lanes,
    ) -> C::Lanes {
        let (step, steps) = (Self::steps(cpu, 1), Self::steps(cpu, 2));
        let pairs = through & shift(through, step);
        let one = through & shift(from, step);
        let two = one | through & shift(one, step);
        let four = two | pairs & shift(two, steps);
        four | pairs & shift(four, steps)
    }

    /// The cells that the mover can play on.
    #[inline(always)]
    fn moves(&self) -> u64 {
        let step = Self::steps(self.cpu, 1);
        let ends = self.forward << step | self.backward >> step;
        (ends & !(self.own | self.other)).union() & self.board
    }

    /// The position after a move on the cell of this bit, as the opponent sees it.
    #[inline(always)]
    fn after(&self, bit: u64) -> Lines<C> {
        let disc = self.cpu.all(bit);
        let ahead = Self::follow(self.cpu, disc, self.backward, |cells, by| cells << by);
        let behind = Self::follow(self.cpu, disc, self.forward, |cells, by| cells >> by);
        let turned = (ahead | behind).union_in_all();
        Lines::new(self.cpu, self.other ^ turned, self.own ^ disc ^ turned, self.board)
    }

    /// The position after a pass.
    #[inline(always)]
    fn after_pass(&self) -> Lines<C> {
        Lines::new(self.cpu, self.other, self.own, self.board)
    }
}

/// The difference in discs, from the side of the first player.
#[inline(always)]
fn margin(own: u64, other: u64, mover: Player) -> Payoff {
    let margin = own.count_ones() as f32 - other.count_ones() as f32;
    Payoff::margin(if mover == 0 { margin } else { -margin })
}

/// These cells and all cells that touch them.
fn with_neighbours(cells: u64) -> u64 {
    let across = cells | (cells & !LAST_COLUMN) << 1 | (cells & !FIRST_COLUMN) >> 1;
    across | across << 8 | across >> 8
}

impl Othello {
    /// The sizes of boards.
    pub const SIZES: [usize; 3] = [4, 6, 8];

    /// The four discs in the middle of eight by eight cells.
    pub fn new() -> Othello {
        Othello::sized(SIDE).unwrap_or_else(|| unreachable!("eight is one of the sizes"))
    }

    /// The four discs in the middle of a board with this many rows and columns; none if the number is not among
    /// [`SIZES`](Othello::SIZES).
    pub fn sized(size: usize) -> Option<Othello> {
        let inset = Othello::SIZES.contains(&size).then_some((SIDE - size.min(SIDE)) / 2)?;
        let lines = Lines::of(Portable, 1 << 28 | 1 << 35, 1 << 27 | 1 << 36, BOARDS[inset]);
        Some(Othello::at(lines, 0, inset as u8))
    }

    #[inline(always)]
    fn at(lines: Lines<impl Cpu>, mover: Player, inset: u8) -> Othello {
        let moves = lines.moves();
        let over = moves == 0 && lines.after_pass().moves() == 0;
        Othello { own: lines.own.union(), other: lines.other.union(), moves, mover, over, inset }
    }

    #[inline(always)]
    fn lines<C: Cpu>(&self, cpu: C) -> Lines<C> {
        Lines::of(cpu, self.own, self.other, self.board_cells())
    }

    #[inline(always)]
    fn board_cells(&self) -> u64 {
        BOARDS[usize::from(self.inset)]
    }

    /// The rows and columns of the board.
    #[inline(always)]
    fn size(&self) -> usize {
        SIDE - 2 * usize::from(self.inset)
    }

    /// The number of cells of the board.
    #[inline(always)]
    fn cell_count(&self) -> usize {
        self.size() * self.size()
    }

    /// The bit of a cell of the board.
    fn bit_of(&self, column: usize, row: usize) -> usize {
        let inset = usize::from(self.inset);
        (row + inset) * SIDE + column + inset
    }

    /// The column and the row of a bit of the board.
    fn cell_of(&self, bit: usize) -> (usize, usize) {
        let inset = usize::from(self.inset);
        (bit % SIDE - inset, bit / SIDE - inset)
    }

    /// The number of a bit of the board, row by row.
    fn index_of(&self, bit: usize) -> usize {
        let (column, row) = self.cell_of(bit);
        row * self.size() + column
    }

    /// The position after an action, by this CPU's instructions.
    #[inline(always)]
    fn after_by(cpu: impl Cpu, game: &Othello, action: u8) -> Othello {
        let lines = match action {
            PASS => game.lines(cpu).after_pass(),
            cell => game.lines(cpu).after(1 << cell),
        };
        Othello::at(lines, 1 - game.mover, game.inset)
    }

    /// A whole playout by this CPU's instructions.
    #[inline(always)]
    fn playout_by(cpu: impl Cpu, game: &Othello, rng: &mut Rng) -> Payoff {
        let mut course = Underway::new(cpu, game);
        loop {
            if course.step(rng) {
                return course.result();
            }
        }
    }

    /// Playouts in turns by this CPU's instructions.
    #[inline(always)]
    fn playouts_by<C: Cpu>(cpu: C, leaves: &mut [Leaf<Othello>], rng: &mut Rng) {
        abreast::playouts::<Othello, Underway<C>, C>(cpu, leaves, rng);
    }

    dispatch! { fn after, after_v3(game: &Othello, action: u8) -> Othello = Self::after_by }

    dispatch! { fn playout_here, playout_v3(game: &Othello, rng: &mut Rng) -> Payoff = Self::playout_by }

    dispatch! { fn playouts_here, playouts_v3(leaves: &mut [Leaf<Othello>], rng: &mut Rng) = Self::playouts_by }

    fn disc(&self, column: usize, row: usize) -> Option<Player> {
        let bit = 1 << self.bit_of(column, row);
        let stands = |discs: u64, player| (discs & bit != 0).then_some(player);
        stands(self.own, self.mover).or(stands(self.other, 1 - self.mover))
    }
}

impl Default for Othello {
    fn default() -> Othello {
        Othello::new()
    }
}

impl Game for Othello {
    type Action = u8;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u8>) {
        if self.moves != 0 {
            out.extend(indices(self.moves));
        } else if !self.over {
            out.push(PASS);
        }
    }

    #[inline(always)]
    fn play(&mut self, action: u8) {
        if action == PASS {
            debug_assert!(self.moves == 0 && !self.over, "who can move must not pass");
        } else {
            debug_assert!(self.moves & 1 << action != 0, "cell {action} encloses nothing");
        }
        *self = Othello::after(self, action);
    }

    #[inline(always)]
    fn payoff(&self) -> Payoff {
        margin(self.own, self.other, self.mover)
    }

    fn payoff_range(&self) -> (f32, f32) {
        (-(self.cell_count() as f32), self.cell_count() as f32)
    }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        if self.moves == 0 { PASS } else { a_random_bit(self.moves, rng).trailing_zeros() as u8 }
    }

    #[inline(always)]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Payoff {
        Othello::playout_here(self, rng)
    }

    #[inline]
    fn playouts(leaves: &mut [Leaf<Othello>], rng: &mut Rng) {
        Othello::playouts_here(leaves, rng);
    }
}

/// The state of a playout.
#[derive(Clone, Copy)]
struct Underway<C: Cpu> {
    lines: Lines<C>,
    moves: u64,
    mover: Player,
}

impl<C: Cpu> Course<Othello, C> for Underway<C> {
    #[inline(always)]
    fn new(cpu: C, game: &Othello) -> Underway<C> {
        Underway { lines: game.lines(cpu), moves: game.moves, mover: game.mover }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        if self.moves == 0 {
            self.lines = self.lines.after_pass();
            (self.moves, self.mover) = (self.lines.moves(), 1 - self.mover);
            if self.moves == 0 {
                return true;
            }
        }
        self.lines = self.lines.after(random_bit(self.lines.cpu, self.moves, rng));
        (self.moves, self.mover) = (self.lines.moves(), 1 - self.mover);
        false
    }

    #[inline(always)]
    fn result(&self) -> Payoff {
        margin(self.lines.own.union(), self.lines.other.union(), self.mover)
    }
}

impl Keyed for Othello {
    fn key_count(&self) -> usize {
        self.cell_count() + 1
    }

    /// The cell, or the pass.
    fn key(&self, action: u8) -> usize {
        if action == PASS { self.cell_count() } else { self.index_of(action.into()) }
    }
}

impl Hashed for Othello {
    fn hash(&self) -> u64 {
        // The same discs with the other player to move are another position: all bits differ.
        mix(mix(self.own) ^ self.other) ^ u64::from(self.mover).wrapping_neg()
    }
}

impl Heuristic for Othello {
    /// Counts corners, which are never turned over, and the available moves. Also discs that touch an empty cell, which
    /// give the opponent moves, and the discs themselves, more so as the board fills.
    fn estimate(&self) -> Payoff {
        Othello::estimate_here(self)
    }
}

impl Othello {
    #[inline(always)]
    fn estimate_by<C>(_cpu: C, game: &Othello) -> Payoff {
        let (empty, cells) = (game.board_cells() & !(game.own | game.other), game.cell_count() as f32);
        let shore = with_neighbours(empty);
        let difference = |own: u64, other: u64| own.count_ones() as f32 - other.count_ones() as f32;
        let corners = CORNERS[usize::from(game.inset)];
        let corners = difference(game.own & corners, game.other & corners);
        let moves = difference(game.moves, game.lines(Portable).after_pass().moves());
        let exposed = difference(game.own & shore, game.other & shore);
        let filled = 1.0 - empty.count_ones() as f32 / cells;
        let squared = filled * filled;
        let discs = difference(game.own, game.other) * (squared * squared);
        let margin = 8.0 * corners + moves - exposed + discs;
        let margin = margin.clamp(-cells, cells);
        Payoff::margin(if game.mover == 0 { margin } else { -margin })
    }

    dispatch! { fn estimate_here, estimate_v3(game: &Othello) -> Payoff = Self::estimate_by }
}

impl Named for Othello {
    fn action_name(&self, action: u8) -> String {
        if action == PASS {
            return "pass".to_string();
        }
        let (column, row) = self.cell_of(action.into());
        grid::cell_name(column, row)
    }

    fn text(&self) -> String {
        grid::text(self.size(), Rows::from_top(self.size()), self.mover, |column, row| self.disc(column, row))
    }

    fn read(&self, text: &str) -> Result<Othello, String> {
        let size = self.size();
        let grid = Grid::read(text, size, Rows::from_top(size))?;
        let [own, other] = [grid.mover, 1 - grid.mover].map(|player| {
            let of_player = grid.cells.iter().enumerate().filter(|(_, cell)| **cell == Some(player));
            of_player.fold(0, |discs, (cell, _)| discs | 1 << self.bit_of(cell % size, cell / size))
        });
        let discs = own | other;
        if let Some(cell) = indices(MIDDLE & !discs).next() {
            let name = self.action_name(cell);
            return Err(format!("{name} is empty: the four cells in the middle hold discs from the start"));
        }
        let mut joined = MIDDLE;
        while with_neighbours(joined) & discs != joined {
            joined = with_neighbours(joined) & discs;
        }
        if let Some(cell) = indices(discs & !joined).next() {
            let name = self.action_name(cell);
            return Err(format!("the disc at {name} is cut off: every disc is put beside another"));
        }
        Ok(Othello::at(Lines::of(Portable, own, other, self.board_cells()), grid.mover, self.inset))
    }

    fn board(&self) -> String {
        grid::board(self.size(), Rows::from_top(self.size()), |column, row| self.disc(column, row))
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::Budget;
    use aji_search::exact::MaxN;

    /// The rules, cell by cell.
    #[derive(Clone)]
    struct Slow {
        cells: Vec<Option<Player>>,
        size: i32,
        mover: Player,
    }

    impl Slow {
        fn new(game: &Othello) -> Slow {
            let size = game.size();
            let cells = (0..size * size).map(|cell| game.disc(cell % size, cell / size)).collect();
            Slow { cells, size: size as i32, mover: game.mover }
        }

        /// The discs that a disc of this player on this cell would enclose.
        fn enclosed(&self, cell: u8, player: Player) -> Vec<usize> {
            let mut enclosed = Vec::new();
            if self.cells[cell as usize].is_some() {
                return enclosed;
            }
            for (right, down) in [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)] {
                let mut line = Vec::new();
                let (mut column, mut row) = (i32::from(cell) % self.size, i32::from(cell) / self.size);
                loop {
                    (column, row) = (column + right, row + down);
                    if !(0..self.size).contains(&column) || !(0..self.size).contains(&row) {
                        break;
                    }
                    let index = (row * self.size + column) as usize;
                    match self.cells[index] {
                        None => break,
                        Some(owner) if owner == player => {
                            enclosed.append(&mut line);
                            break;
                        }
                        Some(_) => line.push(index),
                    }
                }
            }
            enclosed
        }

        /// The number of the pass in the slow rules, whose cells count from 0.
        fn pass(&self) -> u8 {
            self.cells.len() as u8
        }

        fn moves(&self, player: Player) -> Vec<u8> {
            (0..self.pass()).filter(|&cell| !self.enclosed(cell, player).is_empty()).collect()
        }
    }

    impl Game for Slow {
        type Action = u8;

        fn turn(&self) -> Turn {
            let over = self.moves(0).is_empty() && self.moves(1).is_empty();
            if over { Turn::Over } else { Turn::Player(self.mover) }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            out.extend(self.moves(self.mover));
            if out.is_empty() && self.turn() != Turn::Over {
                out.push(self.pass());
            }
        }

        fn play(&mut self, action: u8) {
            if action != self.pass() {
                for cell in self.enclosed(action, self.mover) {
                    self.cells[cell] = Some(self.mover);
                }
                self.cells[action as usize] = Some(self.mover);
            }
            self.mover = 1 - self.mover;
        }

        fn payoff(&self) -> Payoff {
            let count = |player| self.cells.iter().filter(|&&cell| cell == Some(player)).count() as f32;
            Payoff::margin(count(0) - count(1))
        }

        /// A pass takes no random number: there is nothing to choose.
        fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
            let actions = actions(self);
            if actions == [self.pass()] { self.pass() } else { actions[rng.below(actions.len())] }
        }
    }

    fn read(text: &str) -> Othello {
        Othello::new().read(text).unwrap()
    }

    fn actions<G: Game>(game: &G) -> Vec<G::Action> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        actions
    }

    /// The number of ways to play this many plies.
    fn ways(game: &Othello, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        let after = |action| {
            let mut next = *game;
            next.play(action);
            ways(&next, plies - 1)
        };
        actions(game).into_iter().map(after).sum()
    }

    #[test]
    fn counts_are_the_published_ones() {
        let counts: Vec<u64> = (1..=7).map(|plies| ways(&Othello::new(), plies)).collect();
        assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55092]);
    }

    /// The keys of the actions, which number the cells of any board row by row as the slow rules do.
    fn numbers(game: &Othello) -> Vec<u8> {
        actions(game).into_iter().map(|action| game.key(action) as u8).collect()
    }

    /// Plays random games by both rules, and returns how often a player passed.
    fn check_games(start: Othello, games: u32) -> u32 {
        let (mut rng, mut passes) = (Rng::seeded(1), 0);
        let rows = Rows::from_top(start.size());
        for _ in 0..games {
            let (mut game, mut slow) = (start, Slow::new(&start));
            while game.turn() != Turn::Over {
                assert_eq!(game.turn(), slow.turn());
                assert_eq!(numbers(&game), actions(&slow), "{}", game.text());
                let action = game.random_action(&mut rng, &mut Vec::new());
                passes += u32::from(action == PASS);
                slow.play(game.key(action) as u8);
                game.play(action);
                let cell = |column: usize, row: usize| slow.cells[row * start.size() + column];
                assert_eq!(game.text(), grid::text(start.size(), rows, slow.mover, cell));
                assert_eq!(start.read(&game.text()), Ok(game));
            }
            assert_eq!(slow.turn(), Turn::Over);
            assert!(actions(&game).is_empty());
            assert_eq!(game.payoff(), slow.payoff());
        }
        passes
    }

    #[test]
    fn games_go_as_by_the_rules() {
        for size in Othello::SIZES {
            let passes = check_games(Othello::sized(size).unwrap(), 300);
            assert!(passes > 100, "{passes} passes are too few to have tried them");
        }
        assert_eq!([0, 5, 7, 10].map(Othello::sized), [None; 4]);
    }

    /// The same random numbers give the same game: the fast playout draws as the plain one does.
    #[test]
    fn playouts_are_those_of_the_rules() {
        let mut rng = Rng::seeded(2);
        for seed in 0..300 {
            let mut game = Othello::sized(Othello::SIZES[seed as usize % 3]).unwrap();
            for _ in 0..seed % 64 {
                if game.turn() != Turn::Over {
                    game.play(game.random_action(&mut rng, &mut Vec::new()));
                }
            }
            let slow = Slow::new(&game).playout(&mut Rng::seeded(seed), &mut Vec::new());
            assert_eq!(game.playout(&mut Rng::seeded(seed), &mut Vec::new()), slow);
        }
    }

    #[test]
    fn random_actions_are_even() {
        let mut rng = Rng::seeded(3);
        let mut counts = [0u32; SIDE * SIDE];
        (0..40_000).for_each(|_| {
            counts[Othello::new().random_action(&mut rng, &mut Vec::new()) as usize] += 1;
        });
        // Each count has a standard deviation of 87.
        for action in actions(&Othello::new()) {
            assert!((9_650..10_350).contains(&counts[action as usize]), "{counts:?}");
        }
    }

    #[test]
    fn who_cannot_move_passes_or_the_game_is_over() {
        let check = |text: &str, expect_turn: Turn, expect_actions: &[u8]| {
            let game = read(text);
            assert_eq!((game.turn(), actions(&game).as_slice()), (expect_turn, expect_actions), "{text}");
        };
        // x can play only a8, and o nothing at all: o passes, and x ends the game.
        let text = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/.oxxxxxx";
        check(&format!("{text} o"), Turn::Player(1), &[PASS]);
        check(&format!("{text} x"), Turn::Player(0), &[56]);
        let mut game = read(&format!("{text} o"));
        game.play(PASS);
        assert_eq!(game, read(&format!("{text} x")));
        game.play(56);
        assert_eq!((game.turn(), game.payoff()), (Turn::Over, Payoff::margin(64.0)));
        // Nobody has a disc to enclose; the empty cells count for nobody.
        let text = "......../......../......../...oo.../...oo.../......../......../........";
        check(&format!("{text} x"), Turn::Over, &[]);
        check(&format!("{text} o"), Turn::Over, &[]);
        assert_eq!(read(&format!("{text} o")).payoff(), Payoff::margin(-4.0));
        assert_eq!(
            read(&format!("{text} o")).playout(&mut Rng::seeded(4), &mut Vec::new()),
            Payoff::margin(-4.0)
        );
    }

    #[test]
    fn rows_count_from_the_top() {
        let game = Othello::new();
        let names: Vec<String> = actions(&game).into_iter().map(|action| game.action_name(action)).collect();
        assert_eq!(names, ["d3", "c4", "f5", "e6"]);
        assert_eq!(game.text(), "......../......../......../...ox.../...xo.../......../......../........ x");
        assert!(game.board().starts_with("  1 . ."), "{}", game.board());
    }

    #[test]
    fn the_better_move_by_estimate_beats_a_random_one() {
        let mut rng = Rng::seeded(5);
        let mut wins = 0;
        for round in 0..100 {
            let thinker = round % 2;
            let mut game = Othello::new();
            while let Turn::Player(mover) = game.turn() {
                let worth = |&action: &u8| {
                    let mut next = game;
                    next.play(action);
                    let payoff = if next.over { next.payoff() } else { next.estimate() };
                    assert!(payoff.of(0).abs() <= 64.0);
                    payoff.of(thinker)
                };
                let best =
                    || actions(&game).into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap();
                let action =
                    if mover == thinker { best() } else { game.random_action(&mut rng, &mut Vec::new()) };
                game.play(action);
            }
            wins += u32::from(game.payoff().of(thinker) > 0.0);
        }
        assert!(wins > 85, "{wins} of 100");
    }

    #[test]
    fn smaller_boards_have_their_own_cells() {
        let game = Othello::sized(6).unwrap();
        let names: Vec<String> = actions(&game).into_iter().map(|action| game.action_name(action)).collect();
        assert_eq!(names, ["c2", "b3", "e4", "d5"]);
        assert_eq!(game.text(), "....../....../..ox../..xo../....../...... x");
        assert_eq!((game.payoff_range(), game.key_count()), ((-36.0, 36.0), 37));
        let game = Othello::sized(4).unwrap();
        assert_eq!(game.text(), "..../.ox./.xo./.... x");
        assert_eq!(numbers(&game), [1, 4, 11, 14]);
    }

    /// Published solutions: the second player wins by four discs on six by six cells, and by eight on four by four.
    #[test]
    fn the_second_player_wins_on_four_by_four_cells() {
        let solved = MaxN::hashed().solve(&Othello::sized(4).unwrap(), Budget::default(), &mut ()).solved();
        assert_eq!(solved.expect("few positions").values[0], -8.0);
    }

    #[test]
    fn hashes_tell_positions_apart() {
        let text = "......../......../......../...ox.../...xo.../......../......../........";
        let swapped = text.replace('x', "-").replace('o', "x").replace('-', "o");
        let positions =
            [format!("{text} x"), format!("{text} o"), format!("{swapped} x"), format!("{swapped} o")];
        let mut hashes = positions.map(|position| read(&position).hash()).to_vec();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 4);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Othello::new().read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("......../......../......../...o..../...xo.../......../......../........ x", "e4 is empty");
        check(
            "x......./......../......../...ox.../...xo.../......../......../........ x",
            "the disc at a1 is cut off",
        );
        // The last cell of a row does not touch the first of the next.
        check(
            "......../......../.......x/xxxxx.../...xo.../......../......../........ x",
            "the disc at h3 is cut off",
        );
        check("......../......../......../...ox.../...xo.../......../........ x", "expected 8 rows");
        check("......../......../...z..../...ox.../...xo.../......../......../........ x", "at d3, found z");
    }
}
