//! Go. Black and white take turns to put a stone on an empty point, or pass. Stones of one colour joined along the
//! lines form a chain. A chain without an empty point next to it (a liberty) is taken off: first the opponent's
//! chains, then one's own, which is forbidden unless the rules allow suicide. Two passes in a row end the game. A
//! player's area is the player's stones and the empty points that only these stones reach; white gets komi on top.
//! The [`Ko`] rule says which positions must not repeat.
//!
//! Playouts are light. They choose uniformly among the empty points that are not one's own eye, not suicide, and
//! allowed by the simple ko rule. A player without such a point passes. A playout ends after three plies a point at the
//! latest, and the board is then scored as it is.

mod atari;
mod board;
mod cells;
mod encoding;
mod liberties;
mod light;
mod notation;
mod ordered;
mod owners;
mod past;
mod rules;
mod settled;
mod sgf;
mod shapes;
mod tactics;
mod zobrist;

#[cfg(test)]
mod tests;

pub use atari::AtariSteps;
pub use board::Stone;
pub use notation::{go_point_name, read_go_point};
pub use rules::{GoRules, Ko};
pub use sgf::{GoPoint, GoRecord, GoStep};

use aji_cpu::dispatch;
use aji_search::learn::{Order, Played};
use aji_search::playout::OrderedRoom;
use aji_search::{Game, Hashed, Keyed, Payoff, Player, Rng, Turn};
use board::{Board, NOWHERE};
use past::{Past, with_mover};

/// A position of Go on a board whose rows are `STRIDE` cells apart: [`SmallGo`] or [`LargeGo`].
///
/// Two positions are equal if the same moves can be played from them, apart from moves that the history forbids. The
/// comparison ignores the history; only the whole hash includes it.
#[derive(Debug)]
pub struct Go<const STRIDE: usize, const CELLS: usize> {
    board: Board<STRIDE, CELLS>,
    rules: GoRules,
    mover: Player,
    passes: u8,
    /// The last move; a pass if there is none.
    last: GoMove,
    /// The stones that each player has taken.
    captures: [u16; 2],
    /// Whether stones were ever taken off. Until then no position can repeat.
    is_thinned: bool,
    stones_hash: u64,
    past: Past,
}

/// Up to 9 by 9: a copy takes thirty to forty nanoseconds.
pub type SmallGo = Go<10, 111>;

/// Up to 25 by 25.
pub type LargeGo = Go<26, 703>;

/// A point of the board, or a pass. Points are numbered by row from the bottom, and then by column. The numbers
/// depend on the type of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoMove(pub(crate) u16);

impl GoMove {
    /// No stone.
    pub const PASS: GoMove = GoMove(NOWHERE as u16);

    pub(crate) fn at(cell: usize) -> GoMove {
        GoMove(cell as u16)
    }

    pub(crate) fn cell(self) -> usize {
        self.0.into()
    }
}

impl<const STRIDE: usize, const CELLS: usize> Clone for Go<STRIDE, CELLS> {
    fn clone(&self) -> Self {
        Go { past: self.past.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.board = other.board;
        (self.rules, self.mover, self.passes) = (other.rules, other.mover, other.passes);
        (self.last, self.captures) = (other.last, other.captures);
        (self.is_thinned, self.stones_hash) = (other.is_thinned, other.stones_hash);
        self.past.clone_from(&other.past);
    }
}

impl<const STRIDE: usize, const CELLS: usize> PartialEq for Go<STRIDE, CELLS> {
    fn eq(&self, other: &Self) -> bool {
        let cheap =
            |go: &Self| (go.stones_hash, go.mover, go.passes, go.rules, go.board.size(), go.board.ko());
        cheap(self) == cheap(other)
            && self.board.points().all(|cell| self.board.stone(cell) == other.board.stone(cell))
    }
}

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// The largest board.
    pub const SIZE_MAX: usize = Board::<STRIDE, CELLS>::SIZE_MAX;

    /// The smallest board.
    pub const SIZE_MIN: usize = 2;

    /// The most plies of a playout, as a multiple of the board's points.
    const PLAYOUT_PLIES_A_POINT: usize = 3;

    /// An empty board. Sizes outside [`SIZE_MIN`](Go::SIZE_MIN) to [`SIZE_MAX`](Go::SIZE_MAX) become the nearest of
    /// these.
    pub fn new(size: usize, rules: GoRules) -> Self {
        let size = size.clamp(Self::SIZE_MIN, Self::SIZE_MAX);
        Self::of_board(Board::new(size), rules, 0)
    }

    fn of_board(board: Board<STRIDE, CELLS>, rules: GoRules, mover: Player) -> Self {
        let stones_hash = board.hash();
        let mut past = Past::default();
        past.add(Self::remembered(rules.ko, stones_hash, mover));
        Go {
            board,
            rules,
            mover,
            passes: 0,
            last: GoMove::PASS,
            captures: [0; 2],
            is_thinned: false,
            stones_hash,
            past,
        }
    }

    /// A position without a past: these stones, with this player to move. An error names a chain without liberties.
    pub fn with_stones(
        size: usize,
        rules: GoRules,
        stones: impl IntoIterator<Item = (GoMove, Player)>,
        mover: Player,
    ) -> Result<Self, String> {
        let mut board = Board::new(size.clamp(Self::SIZE_MIN, Self::SIZE_MAX));
        // If all chains have liberties in the end, putting stones one after another captures nothing: until a chain
        // is whole, the point of a missing stone is a liberty. So a stone that is gone, or a full board, means a
        // chain without liberties.
        let mut put = Vec::new();
        for (point, player) in stones {
            if board.stone(point.cell()) != Stone::Empty {
                return Err(format!("two stones at {}", Self::point_name(point)));
            }
            board.put::<false>(point.cell(), Stone::of(player));
            put.push((point, player));
        }
        let lost = put.iter().find(|(point, player)| board.stone(point.cell()) != Stone::of(*player));
        if let Some((point, _)) = lost {
            return Err(format!("the stone at {} has no liberty", Self::point_name(*point)));
        }
        board.set_ko(NOWHERE);
        Ok(Self::of_board(board, rules, mover))
    }

    /// The side of the board.
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The rules.
    pub fn rules(&self) -> GoRules {
        self.rules
    }

    /// Sets komi, in half points.
    pub fn set_komi(&mut self, halves: i16) {
        self.rules.komi_halves = halves;
    }

    /// Who is to move, even if the game is over.
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Lets this player move next, as if the other had passed, but does not count a pass towards the end.
    pub fn set_mover(&mut self, mover: Player) {
        if self.mover != mover {
            self.mover = mover;
            self.board.set_ko(NOWHERE);
        }
    }

    /// The number of passes just made in a row.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The point where a ko must not be taken back.
    pub fn ko(&self) -> Option<GoMove> {
        (self.board.ko() != NOWHERE).then(|| GoMove::at(self.board.ko()))
    }

    /// The stones that each player has taken.
    pub fn captures(&self) -> [u16; 2] {
        self.captures
    }

    /// The stone at a column and a row, both from 0, rows from the bottom.
    pub fn stone(&self, column: usize, row: usize) -> Stone {
        let inside = column < self.size() && row < self.size();
        if inside { self.board.stone(Board::<STRIDE, CELLS>::cell(column, row)) } else { Stone::Wall }
    }

    /// The move at a column and a row, both from 0, rows from the bottom. None outside the board.
    pub fn point(&self, column: usize, row: usize) -> Option<GoMove> {
        let inside = column < self.size() && row < self.size();
        inside.then(|| GoMove::at(Board::<STRIDE, CELLS>::cell(column, row)))
    }

    /// The column and the row of a point, both from 0, rows from the bottom. None for a pass.
    pub fn column_and_row(point: GoMove) -> Option<(usize, usize)> {
        (point != GoMove::PASS).then(|| Board::<STRIDE, CELLS>::column_and_row(point.cell()))
    }

    /// Whether the player to move may play this, even if the game is over.
    pub fn is_legal(&self, point: GoMove) -> bool {
        if point == GoMove::PASS {
            return true;
        }
        let colour = Stone::of(self.mover);
        point.cell() < CELLS
            && self.board.stone(point.cell()) == Stone::Empty
            && point.cell() != self.board.ko()
            && (self.rules.suicide || self.board.breathes(point.cell(), colour))
            && !(self.rules.ko != Ko::Simple && self.repeats(point.cell()))
    }

    /// A playout that saves stones in danger and knows some shapes. It reports every stone to `played` by its key.
    pub fn atari_playout(&mut self, steps: AtariSteps, rng: &mut Rng, played: impl FnMut(Played)) -> Payoff {
        Go::atari_here(self, steps, rng, played)
    }

    #[inline(always)]
    fn atari_by<C>(
        _cpu: C,
        game: &mut Self,
        steps: AtariSteps,
        rng: &mut Rng,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        let keys = Keys::of(game);
        let area = game.tactical_area(steps, rng, |cell, player| played(keys.played(cell, player)));
        game.paid(area)
    }

    dispatch! {
        fn atari_here, atari_v3<F: FnMut(Played)>(game: &mut Self, steps: AtariSteps, rng: &mut Rng, played: F) -> Payoff
            = Self::atari_by
    }

    /// A light playout. It reports every stone to `played` by its key.
    #[inline(always)]
    fn playout_by<C>(_cpu: C, game: &mut Self, rng: &mut Rng, mut played: impl FnMut(Played)) -> Payoff {
        let keys = Keys::of(game);
        let area = game.light_playout(rng, |cell, player| played(keys.played(cell, player)));
        game.paid(area)
    }

    dispatch! {
        fn playout_here, playout_v3<F: FnMut(Played)>(game: &mut Self, rng: &mut Rng, played: F) -> Payoff
            = Self::playout_by
    }

    /// The moves of a playout from here that put these stones.
    fn with_passes(&self, stones: &[(usize, Player)]) -> Vec<GoMove> {
        let (mut moves, mut mover, mut passes) = (Vec::new(), self.mover, self.passes);
        for &(cell, player) in stones {
            if player != mover {
                moves.push(GoMove::PASS);
            }
            moves.push(GoMove::at(cell));
            (mover, passes) = (1 - player, 0);
        }
        // A playout that lasts too long ends without passes.
        let left = (self.playout_plies() as usize).saturating_sub(moves.len());
        moves.extend(std::iter::repeat_n(GoMove::PASS, left.min(2_usize.saturating_sub(passes.into()))));
        moves
    }

    /// Black's area less white's, without komi.
    pub fn area(&self) -> i16 {
        self.board.area()
    }

    /// Black's area less white's area and komi.
    pub fn score(&self) -> f32 {
        f32::from(self.area()) - self.rules.komi()
    }

    /// Plays a stone or a pass, even if the game is over.
    pub fn advance(&mut self, action: GoMove) {
        if action == GoMove::PASS {
            self.passes = self.passes.saturating_add(1);
            self.board.set_ko(NOWHERE);
        } else {
            self.passes = 0;
            let colour = Stone::of(self.mover);
            let (before, empty) = (self.board.count(colour.other()), self.board.empties().len());
            self.stones_hash ^= self.board.put::<true>(action.cell(), colour);
            let captures = &mut self.captures[self.mover as usize];
            *captures = captures.saturating_add(before - self.board.count(colour.other()));
            self.is_thinned |= self.board.empties().len() + 1 != empty;
        }
        self.last = action;
        self.mover = 1 - self.mover;
        self.past.add(Self::remembered(self.rules.ko, self.stones_hash, self.mover));
    }

    fn remembered(ko: Ko, stones: u64, mover: Player) -> u64 {
        if ko == Ko::Situational { with_mover(stones, mover) } else { stones }
    }

    /// Whether a stone there repeats an earlier position.
    fn repeats(&self, cell: usize) -> bool {
        // The stone itself makes the position new, unless it is taken off at once.
        if !self.is_thinned && !self.rules.suicide {
            return false;
        }
        let after = self.stones_hash ^ self.board.hash_change(cell, Stone::of(self.mover));
        self.past.has(Self::remembered(self.rules.ko, after, 1 - self.mover))
    }

    fn playout_plies(&self) -> u32 {
        (Self::PLAYOUT_PLIES_A_POINT * self.size().pow(2)) as u32
    }

    /// The payoff of a playout that ends with this area.
    fn paid(&self, area: i16) -> Payoff {
        Payoff::margin(f32::from(area) - self.rules.komi())
    }
}

impl<const STRIDE: usize, const CELLS: usize> Game for Go<STRIDE, CELLS> {
    type Action = GoMove;

    #[inline]
    fn turn(&self) -> Turn {
        if self.passes < 2 { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn actions(&self, out: &mut Vec<GoMove>) {
        if self.passes >= 2 {
            return;
        }
        let colour = Stone::of(self.mover);
        let is_offered = |point: GoMove| {
            self.is_legal(point) && (self.rules.fills_eyes || !self.board.is_eye(point.cell(), colour))
        };
        self.board.points().map(GoMove::at).for_each(|point| {
            if is_offered(point) {
                out.push(point);
            }
        });
        out.push(GoMove::PASS);
    }

    fn play(&mut self, action: GoMove) {
        self.advance(action);
    }

    fn payoff(&self) -> Payoff {
        self.paid(self.area())
    }

    fn payoff_range(&self) -> (f32, f32) {
        let most = (self.size().pow(2)) as f32 + self.rules.komi().abs();
        (-most, most)
    }

    fn playout_actions(&self, out: &mut Vec<GoMove>) {
        if self.passes >= 2 {
            return;
        }
        let colour = Stone::of(self.mover);
        let allowed = |&point: &GoMove| self.is_legal(point) && self.board.is_allowed(point.cell(), colour);
        out.extend(self.board.points().map(GoMove::at).filter(allowed));
        if out.is_empty() {
            out.push(GoMove::PASS);
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.past.bytes()
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<GoMove>) -> Payoff {
        Go::playout_here(self, rng, |_| {})
    }

    fn playout_moves(&self, rng: &mut Rng) -> Option<Vec<GoMove>> {
        let mut stones = Vec::new();
        self.clone().light_playout(rng, |cell, player| stones.push((cell, player)));
        Some(self.with_passes(&stones))
    }

    fn recorded_moves(&self, played: &[Played]) -> Option<Vec<GoMove>> {
        let keys = Keys::of(self);
        let stone = |played: &Played| {
            let (player, cell) = keys.player_and_cell(played.key as usize);
            (cell, player)
        };
        Some(self.with_passes(&played.iter().map(stone).collect::<Vec<_>>()))
    }
}

impl<const STRIDE: usize, const CELLS: usize> Keyed for Go<STRIDE, CELLS> {
    fn key_count(&self) -> usize {
        2 * Keys::of(self).count
    }

    /// By point and player.
    fn key(&self, action: GoMove) -> usize {
        Keys::of(self).key(action.cell(), self.mover)
    }

    #[inline]
    fn recorded_playout(
        &mut self,
        rng: &mut Rng,
        _scratch: &mut Vec<GoMove>,
        played: impl FnMut(Played),
    ) -> Payoff {
        Go::playout_here(self, rng, played)
    }

    fn ordered_playout(
        &mut self,
        order: &Order,
        _room: &mut OrderedRoom,
        _rng: &mut Rng,
        _scratch: &mut Vec<GoMove>,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        let keys = Keys::of(self);
        let area = self.by_order(order, |cell, player| played(keys.played(cell, player)));
        self.paid(area)
    }
}

/// The keys of points, as [`Go::key`] gives them. Each player has one for a pass, and one for each cell of the
/// board's rows, including the wall cell before each row.
#[derive(Clone, Copy)]
struct Keys<const STRIDE: usize> {
    /// The number of keys per player.
    count: usize,
}

impl<const STRIDE: usize> Keys<STRIDE> {
    fn of<const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Self {
        Keys { count: STRIDE * go.size() }
    }

    #[inline(always)]
    fn key(self, cell: usize, player: Player) -> usize {
        usize::from(player) * self.count + cell.saturating_sub(STRIDE)
    }

    #[inline(always)]
    fn played(self, cell: usize, player: Player) -> Played {
        Played::new(self.key(cell, player), player)
    }

    /// The player and the cell of a key.
    fn player_and_cell(self, key: usize) -> (Player, usize) {
        let (player, cell) = (key / self.count, key % self.count);
        (player as Player, if cell == 0 { NOWHERE } else { cell + STRIDE })
    }
}

impl<const STRIDE: usize, const CELLS: usize> Hashed for Go<STRIDE, CELLS> {
    /// The hash of everything but the past.
    #[inline]
    fn hash(&self) -> u64 {
        let ko = if self.board.ko() == NOWHERE { 0 } else { zobrist::stone(self.board.ko(), Stone::Empty) };
        with_mover(self.stones_hash, self.mover) ^ ko ^ zobrist::stone(self.passes.into(), Stone::Wall)
    }

    fn whole_hash(&self) -> u64 {
        self.hash() ^ if self.rules.ko == Ko::Simple { 0 } else { self.past.hash() }
    }
}
