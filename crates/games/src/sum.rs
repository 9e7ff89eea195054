//! Sums. Several boards of one game lie side by side, and a move is a move on one of them. The players, Left and
//! Right, take turns. The player who cannot move on any board loses: -1, and +1 for the other. A single board is a
//! sum of one.
//!
//! An action is named by the board, from 1, and the move on it: `2:b1-b2`; on a single board by the move alone. A
//! position is written as the boards with ` + ` between them, and who moves: `../.. + .../... Left`.

use crate::bits::{count, mix_all};
use crate::board::{self, Board, Size, Step};
use crate::cpu::Cpu;
use crate::summed::{Summed, side_of};
use aji_cgt::{Ending, FormGraphs, Side};
use aji_cpu::{Portable, dispatch};
use aji_search::learn::Divisible;
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn};

/// The names of the players.
const NAMES: [&str; 2] = ["Left", "Right"];

/// The most boards of a sum.
const BOARDS_MAX: usize = 16;

/// A move on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumAction {
    /// The board, from 0.
    pub board: u8,
    /// The move on it.
    pub step: Step,
}

/// A position of a sum of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum<B> {
    /// Boards beyond `board_count` are all equal.
    boards: [B; BOARDS_MAX],
    board_count: u8,
    mover: Player,
}

/// A part of a board, with the cell of that board that is its a1.
struct Placed<B> {
    part: B,
    board: u8,
    corner: u8,
}

impl<B: Board> Sum<B> {
    /// The most boards.
    pub const BOARDS_MAX: usize = BOARDS_MAX;

    /// At least one board, at most [`BOARDS_MAX`](Sum::BOARDS_MAX), and who moves first.
    pub fn new(boards: &[B], first: Side) -> Sum<B> {
        debug_assert!((1..=BOARDS_MAX).contains(&boards.len()), "{} boards", boards.len());
        let unused = B::with_pieces(Size::new(1, 1), [0; 2]);
        let mut sum = Sum {
            boards: [unused; BOARDS_MAX],
            board_count: boards.len() as u8,
            mover: Player::from(first == Side::Right),
        };
        sum.boards[..boards.len()].copy_from_slice(boards);
        sum
    }

    /// The sum of the boards in a text, with `+` between them, of any sizes.
    pub fn of_text(text: &str, first: Side) -> Result<Sum<B>, String> {
        let texts: Vec<&str> = text.split('+').map(str::trim).collect();
        if texts.len() > BOARDS_MAX {
            return Err(format!("{} boards: expected 1 to {BOARDS_MAX} separated by +", texts.len()));
        }
        let several = texts.len() > 1;
        let read = |(text, number): (&&str, usize)| {
            board::read(text)
                .map_err(|error| if several { format!("board {number}: {error}") } else { error })
        };
        let boards: Vec<B> = texts.iter().zip(1..).map(read).collect::<Result<_, _>>()?;
        Ok(Sum::new(&boards, first))
    }

    /// The boards.
    pub fn boards(&self) -> &[B] {
        &self.boards[..self.board_count.into()]
    }

    /// The parts of all boards.
    fn placed_parts(&self) -> impl Iterator<Item = Placed<B>> {
        let of_board = |(number, board): (u8, &B)| {
            board.split().into_iter().map(move |(part, corner)| Placed { part, board: number, corner })
        };
        (0..).zip(self.boards()).flat_map(of_board)
    }

    #[inline(always)]
    fn side(&self) -> Side {
        side_of(self.mover)
    }

    /// The number of actions.
    #[inline(always)]
    fn action_count(&self) -> u32 {
        self.boards().iter().map(|board| count(&board.movable(self.side()))).sum()
    }

    /// Action number `n`. There must be more than `n`.
    #[inline(always)]
    fn nth_action(&self, cpu: impl Cpu, mut n: u32) -> SumAction {
        let mut board = 0;
        loop {
            let movable = self.boards[board].movable(self.side());
            let moves = count(&movable);
            if n < moves {
                return SumAction { board: board as u8, step: Step::nth(cpu, &movable, n) };
            }
            n -= moves;
            board += 1;
        }
    }

    /// One of the actions by this CPU's instructions.
    #[inline(always)]
    fn random_action_by(cpu: impl Cpu, game: &Sum<B>, rng: &mut Rng) -> SumAction {
        game.nth_action(cpu, rng.below(game.action_count() as usize) as u32)
    }

    dispatch! { fn an_action, an_action_v3(game: &Sum<B>, rng: &mut Rng) -> SumAction = Self::random_action_by }

    dispatch! { fn playout_here, playout_v3(game: &mut Sum<B>, rng: &mut Rng) -> Payoff = Self::playout_by }

    /// A whole playout by this CPU's instructions. It counts the moves once a ply. Every game here ends.
    #[inline(always)]
    fn playout_by(cpu: impl Cpu, game: &mut Sum<B>, rng: &mut Rng) -> Payoff {
        loop {
            let actions = game.action_count();
            if actions == 0 {
                return game.payoff();
            }
            game.play(game.nth_action(cpu, rng.below(actions as usize) as u32));
        }
    }
}

impl<B: Board> Game for Sum<B> {
    type Action = SumAction;

    #[inline]
    fn turn(&self) -> Turn {
        let can_move = self.boards().iter().any(|board| board.movable(self.side()) != [0; 4]);
        if can_move { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn actions(&self, out: &mut Vec<SumAction>) {
        for (number, board) in (0..).zip(self.boards()) {
            let action = |step| SumAction { board: number, step };
            out.extend(Step::all(&board.movable(self.side())).map(action));
        }
    }

    #[inline]
    fn play(&mut self, action: SumAction) {
        self.boards[usize::from(action.board)].play(action.step);
        self.mover = 1 - self.mover;
    }

    /// Whether the player to move cannot.
    #[inline]
    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.mover)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<SumAction>) -> SumAction {
        Sum::an_action(self, rng)
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<SumAction>) -> Payoff {
        Sum::playout_here(self, rng)
    }
}

impl<B: Board> Keyed for Sum<B> {
    fn key_count(&self) -> usize {
        self.boards().len() * Step::COUNT
    }

    /// The board, the cell and the direction, whoever moves.
    fn key(&self, action: SumAction) -> usize {
        usize::from(action.board) * Step::COUNT + action.step.index()
    }
}

impl<B: Board> Divisible for Sum<B> {
    /// The boards on which somebody can move.
    fn live_parts(&self) -> Vec<usize> {
        (0..self.boards().len()).filter(|&board| !board::is_dead(&self.boards[board])).collect()
    }

    fn group(&self, parts: &[usize]) -> (Sum<B>, Vec<u32>) {
        let boards: Vec<B> = parts.iter().map(|&part| self.boards[part]).collect();
        let keys = |&part: &usize| (part * Step::COUNT) as u32..((part + 1) * Step::COUNT) as u32;
        (Sum::new(&boards, self.side()), parts.iter().flat_map(keys).collect())
    }

    fn pass(&mut self) {
        self.mover = 1 - self.mover;
    }

    /// The parts of all boards, each as a board of its own, in a fixed order.
    fn simplify(&mut self) -> bool {
        let mut parts: Vec<B> = self.placed_parts().map(|placed| placed.part).collect();
        if (1..=BOARDS_MAX).contains(&parts.len()) {
            let rank = |part: &B| {
                let [one, other] = part.pieces();
                mix_all([part.size().cells(), one, other])
            };
            parts.sort_unstable_by_key(rank);
            *self = Sum::new(&parts, self.side());
        }
        true
    }
}

impl<B: Board> Hashed for Sum<B> {
    fn hash(&self) -> u64 {
        let boards = self.boards().iter().flat_map(|board| {
            let [one, other] = board.pieces();
            [one, other, board.size().cells()]
        });
        mix_all(boards.chain([self.mover.into()]))
    }
}

impl<B: Board> Summed for Sum<B> {
    type Part = B;
    type Graphs = FormGraphs<B>;

    fn parts(&self) -> Vec<B> {
        self.placed_parts().map(|placed| placed.part).collect()
    }

    fn action_in(&self, part: usize, side: Side, number: usize) -> Option<SumAction> {
        let Placed { part, board, corner } = self.placed_parts().nth(part)?;
        let movable = part.movable(side);
        let step =
            (number < count(&movable) as usize).then(|| Step::nth(Portable, &movable, number as u32))?;
        Some(SumAction { board, step: Step { cell: step.cell + corner, ..step } })
    }

    fn payoff_of(&self, ending: Ending) -> Payoff {
        Payoff::win(Player::from(!ending.left_wins()))
    }
}

impl<B: Board> Named for Sum<B> {
    fn action_name(&self, action: SumAction) -> String {
        let name = action.step.name(&self.boards[usize::from(action.board)]);
        if self.board_count == 1 { name } else { format!("{}:{name}", action.board + 1) }
    }

    fn text(&self) -> String {
        let boards: Vec<String> = self.boards().iter().map(board::text).collect();
        format!("{} {}", boards.join(" + "), NAMES[usize::from(self.mover)])
    }

    /// Reads any boards of the same number and size as those of this game.
    fn read(&self, text: &str) -> Result<Sum<B>, String> {
        let Some((boards, mover)) = text.trim().rsplit_once(char::is_whitespace) else {
            return Err(format!("\"{text}\": expected the board, a space, and who moves (Left or Right)"));
        };
        let first = match mover.to_ascii_lowercase().as_str() {
            "left" => Side::Left,
            "right" => Side::Right,
            _ => return Err(format!("\"{mover}\": expected Left or Right for who moves")),
        };
        let sum = Sum::<B>::of_text(boards, first)?;
        let (expected, found) = (self.boards().len(), sum.boards().len());
        if found != expected {
            return Err(format!("\"{boards}\": expected {expected} boards separated by +, found {found}"));
        }
        for (number, (old, new)) in (1..).zip(self.boards().iter().zip(sum.boards())) {
            let (expected, found) = (old.size(), new.size());
            if found != expected {
                return Err(format!("board {number}: expected {expected}, found {found}"));
            }
        }
        Ok(sum)
    }

    fn board(&self) -> String {
        let [first, others @ ..] = self.boards() else { return String::new() };
        others.iter().fold(board::draw(first), |drawn, board| drawn + "\n" + &board::draw(board))
    }

    fn player_name(&self, player: Player) -> String {
        NAMES[usize::from(player) % NAMES.len()].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clobber, Direction, Domineering, ToadsAndFrogs};

    fn sum<B: Board>(text: &str) -> Sum<B> {
        Sum::of_text(text, Side::Left).unwrap()
    }

    fn names<B: Board>(sum: &Sum<B>) -> String {
        let mut actions = Vec::new();
        sum.actions(&mut actions);
        actions.into_iter().map(|action| sum.action_name(action)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_are_named_by_board_and_cells() {
        assert_eq!(names(&sum::<Domineering>("../..")), "a1-a2 b1-b2");
        assert_eq!(names(&sum::<Domineering>("..+./.+../.#")), "2:a1-a2 3:a1-a2");
        assert_eq!(names(&sum::<Clobber>("xo+o/x/o")), "1:a1-b1 2:a2-a3 2:a2-a1");
        assert_eq!(names(&sum::<ToadsAndFrogs>("T.F/TF.")), "a1-c1 a2-b2");
    }

    #[test]
    fn who_cannot_move_loses() {
        let check = |text: &str, first: Side, expect: Option<f32>| {
            let sum = Sum::<Domineering>::of_text(text, first).unwrap();
            let over = sum.turn() == Turn::Over;
            assert_eq!(over.then(|| sum.payoff().of(0)), expect, "{text}");
        };
        check("..+..", Side::Left, Some(-1.0));
        check("..+..", Side::Right, None);
        check("./.+#", Side::Left, None);
        check("./.+#", Side::Right, Some(1.0));
    }

    #[test]
    fn a_game_is_played_and_drawn() {
        let mut sum = sum::<Clobber>("xo+xxo/oox");
        assert_eq!(sum.text(), "xo + xxo/oox Left");
        sum.play(SumAction { board: 1, step: Step { cell: 8, direction: Direction::South } });
        assert_eq!(sum.text(), "xo + .xo/xox Right");
        assert_eq!(sum.board(), "  1 x o\n    a b\n\n  2 . x o\n  1 x o x\n    a b c\n");
        assert_eq!([0, 1].map(|player| sum.player_name(player)), ["Left", "Right"]);
        assert_eq!(sum.read("xo + .xo/xox right"), Ok(sum));
        assert_eq!(sum.read(" xo+.XO/xox  Right "), Ok(sum));
    }

    #[test]
    fn actions_are_numbered_as_moves() {
        fn check<B: Board>(text: &str) {
            let sum = sum::<B>(text);
            for (place, part) in Summed::parts(&sum).into_iter().enumerate() {
                for side in Side::BOTH {
                    let moves = part.moves(side);
                    assert_eq!(sum.action_in(place, side, moves.len()), None);
                    for (number, to) in moves.into_iter().enumerate() {
                        let mut after = Sum { mover: Player::from(side == Side::Right), ..sum };
                        after.play(sum.action_in(place, side, number).unwrap());
                        let mut expect = Summed::parts(&sum);
                        expect.splice(place..=place, to.to.parts());
                        assert_eq!(Summed::parts(&after), expect);
                    }
                }
            }
        }
        check::<Clobber>("xo+xxo/oox+oxo/xox+xo..ox/......");
        check::<Domineering>("#..#/#..#/##../.#..+..");
        check::<ToadsAndFrogs>("FT.FT/TF.FT/F.T.T");
    }

    #[test]
    fn keys_are_of_cells_and_directions() {
        let sum = sum::<Clobber>("xo+ox");
        let key = |board, cell, direction| sum.key(SumAction { board, step: Step { cell, direction } });
        assert_eq!((key(0, 0, Direction::East), key(1, 1, Direction::West)), (0, 256 + 64 + 1));
        assert_eq!(sum.key_count(), 512);
    }

    #[test]
    fn groups_of_boards_keep_their_keys() {
        let sum = sum::<Clobber>("xo+oo+oxo+ox");
        assert_eq!(sum.live_parts(), [0, 2, 3]);
        let (group, keys) = sum.group(&[2, 0]);
        assert_eq!((group.text(), keys.len()), ("oxo + xo Left".into(), group.key_count()));
        let (inner, outer) = (
            SumAction { board: 0, step: Step { cell: 1, direction: Direction::East } },
            SumAction { board: 2, step: Step { cell: 1, direction: Direction::East } },
        );
        assert_eq!(keys[group.key(inner)] as usize, sum.key(outer));
    }

    #[test]
    fn a_playout_is_its_plies() {
        let start = sum::<Clobber>("xoxo/oxox/xoxo+xo+oxo");
        for seed in 0..100 {
            let (mut whole, mut plies) = (Rng::seeded(seed), Rng::seeded(seed));
            let (mut game, mut sum) = (start, start);
            let paid = game.playout(&mut whole, &mut Vec::new());
            while sum.turn() != Turn::Over {
                sum.play(sum.random_action(&mut plies, &mut Vec::new()));
            }
            assert!((paid, whole) == (sum.payoff(), plies));
        }
    }

    #[test]
    fn bad_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = sum::<Domineering>("../..+...").read(text).unwrap_err();
            assert_eq!(error, expect, "{text}");
        };
        check("", "\"\": expected the board, a space, and who moves (Left or Right)");
        check("../..+...", "\"../..+...\": expected the board, a space, and who moves (Left or Right)");
        check("../.. + ... x", "\"x\": expected Left or Right for who moves");
        check("../.. Left", "\"../..\": expected 2 boards separated by +, found 1");
        check("../.. + ... + Left", "board 3: row 1 \"\": expected 1 to 8 cells, found 0");
        check("../.. + .... Left", "board 2: expected 1 row of 3 cells, found 1 row of 4 cells");
        check("../. + ... Left", "board 1: row 1 \".\": expected 2 cells as in the row on top, found 1");
        check("../.x + ... Left", "board 1: row 1 \".x\": expected # or . at b1, found x");
        check(".../......... + . Left", "board 1: row 1 \".........\": expected 1 to 8 cells, found 9");
        let error = Sum::<Clobber>::of_text("x/o/x/o/x/o/x/o/x", Side::Left).unwrap_err();
        assert_eq!(error, "\"x/o/x/o/x/o/x/o/x\": expected 1 to 8 rows separated by /, found 9");
        let error = Sum::<ToadsAndFrogs>::of_text("T.G", Side::Left).unwrap_err();
        assert_eq!(error, "row 1 \"T.G\": expected T, F or . at c1, found G");
        let error = Sum::<Clobber>::of_text(&["xo"; 17].join("+"), Side::Left).unwrap_err();
        assert_eq!(error, "17 boards: expected 1 to 16 separated by +");
    }
}
