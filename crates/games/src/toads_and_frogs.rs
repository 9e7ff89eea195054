//! Toads and Frogs. A strip of cells holds toads and frogs, at most one per cell. Left moves a toad to the right,
//! Right moves a frog to the left. A move is one step to the next cell if it is empty, or a jump over one animal of
//! the other kind to an empty cell behind it. Nothing is removed. The player who cannot move loses. Several rows are
//! several strips.
//!
//! A move is named by the two cells, `a1-b1`, and a jump `a1-c1`. `T` is a toad, `F` a frog.

use crate::board::{self, Board, Direction, Size, Step};
use aji_cgt::{Move, Position, Side};

/// A position of Toads and Frogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ToadsAndFrogs {
    toads: u64,
    frogs: u64,
    size: Size,
}

/// The animals of a kind that can move: those with an empty next cell, or an empty cell behind one of the other kind.
#[inline(always)]
fn can_move(own: u64, other: u64, empty: u64, back: Direction) -> u64 {
    own & (back.shift(empty) | back.shift(other & back.shift(empty)))
}

impl ToadsAndFrogs {
    /// This many rows, at most 8, each with toads at the left, a gap, and frogs at the right. Together these are 1 to
    /// 8 cells.
    pub fn new(rows: usize, toads: usize, gap: usize, frogs: usize) -> ToadsAndFrogs {
        let size = Size::new(rows, toads + gap + frogs);
        let first = |columns: usize| if columns == 0 { 0 } else { Size::new(rows, columns).cells() };
        ToadsAndFrogs { toads: first(toads), frogs: size.cells() & !first(toads + gap), size }
    }

    #[inline(always)]
    fn empty(&self) -> u64 {
        self.size.cells() & !(self.toads | self.frogs)
    }
}

impl Board for ToadsAndFrogs {
    const SIGNS: &'static [char] = &['T', 'F'];

    fn with_pieces(size: Size, [toads, frogs]: [u64; 2]) -> ToadsAndFrogs {
        ToadsAndFrogs { toads, frogs, size }
    }

    fn size(&self) -> Size {
        self.size
    }

    fn pieces(&self) -> [u64; 2] {
        [self.toads, self.frogs]
    }

    #[inline(always)]
    fn movable(&self, side: Side) -> [u64; 4] {
        match side {
            Side::Left => [can_move(self.toads, self.frogs, self.empty(), Direction::West), 0, 0, 0],
            Side::Right => [0, can_move(self.frogs, self.toads, self.empty(), Direction::East), 0, 0],
        }
    }

    #[inline(always)]
    fn play(&mut self, step: Step) {
        let (from, to) = (1u64 << step.cell, 1u64 << self.target(step));
        let own = if step.direction == Direction::East { &mut self.toads } else { &mut self.frogs };
        debug_assert!(*own & from != 0, "{step:?} moves nobody");
        *own ^= from | to;
    }

    /// The next cell, or the one behind an animal that stands there.
    #[inline(always)]
    fn target(&self, step: Step) -> u8 {
        let next = step.direction.beside(step.cell);
        if (self.toads | self.frogs) >> next & 1 == 0 { next } else { step.direction.beside(next) }
    }

    /// The rows in which somebody can move. Frogs at the left end and toads at the right end are left out, since they
    /// act like the end itself.
    fn split(&self) -> Vec<(ToadsAndFrogs, u8)> {
        let row = |row: usize| {
            let [toads, frogs] = self.pieces().map(|animals| animals.to_le_bytes()[row]);
            let arrived = frogs.trailing_ones();
            let last = 1u8 << (self.size.columns() - 1);
            let gone = (0..).take_while(|&column| toads & last.unbounded_shr(column) != 0).count();
            let columns = self.size.columns().saturating_sub(arrived as usize + gone);
            (columns > 0).then(|| {
                let size = Size::new(1, columns);
                let kept = |animals: u8| u64::from(animals >> arrived) & size.cells();
                let part = ToadsAndFrogs { toads: kept(toads), frogs: kept(frogs), size };
                (part, (row * 8) as u8 + arrived as u8)
            })
        };
        (0..self.size.rows()).filter_map(row).filter(|(part, _)| !board::is_dead(part)).collect()
    }
}

impl Position for ToadsAndFrogs {
    fn moves(&self, side: Side) -> Vec<Move<ToadsAndFrogs>> {
        board::moves(self, side)
    }

    fn parts(&self) -> Vec<ToadsAndFrogs> {
        board::parts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_cgt::{Dyadic, thermograph_of};

    fn read(text: &str) -> ToadsAndFrogs {
        board::read(text).unwrap()
    }

    #[test]
    fn animals_step_and_jump() {
        let check = |text: &str, side: Side, expect: &[&str]| {
            let found: Vec<String> = read(text).moves(side).iter().map(|to| board::text(&to.to)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("T.TF.", Side::Left, &[".TTF.", "T..FT"]);
        check("T.TF.", Side::Right, &["TFT.."]);
        check("TT.FF", Side::Left, &["T.TFF"]);
        check("TTF./T...", Side::Left, &["TTF./.T..", "T.FT/T..."]);
        check("F.../...T", Side::Right, &[]);
        check(".F/T.", Side::Right, &["F./T."]);
    }

    #[test]
    fn the_start_has_toads_at_the_left() {
        assert_eq!(board::text(&ToadsAndFrogs::new(2, 2, 1, 3)), "TT.FFF/TT.FFF");
        assert_eq!(board::text(&ToadsAndFrogs::new(1, 0, 8, 0)), "........");
        assert_eq!(board::text(&ToadsAndFrogs::new(8, 8, 0, 0)).matches('T').count(), 64);
    }

    #[test]
    fn parts_are_rows_without_their_ends() {
        let check = |text: &str, expect: &[&str]| {
            let parts: Vec<String> = read(text).parts().iter().map(board::text).collect();
            assert_eq!(parts, expect, "{text}");
        };
        check("T.F/F.T/T..", &["T..", "T.F"]);
        check("FFT..TTT", &["T.."]);
        check("FFFF/TTTT/FFTT", &[]);
        check("FTF.T", &["TF."]);
    }

    /// As in Winning Ways: the first two are 0, the next two are star. A lone animal has one move for each cell
    /// ahead.
    #[test]
    fn small_strips_are_worth_what_is_known() {
        let check = |text: &str, mean: Dyadic, temperature: Dyadic| {
            let graph = thermograph_of(&read(text)).unwrap();
            assert_eq!((graph.mean(), graph.temperature()), (mean, temperature), "{text}");
        };
        let number = |number: i32| Dyadic::from(number);
        check("TFTF.", number(0), number(-1));
        check("TF.TF", number(0), number(-1));
        check("TFT.F", number(0), number(0));
        check("TT.FF", number(0), number(0));
        check("T...", number(3), number(-1));
        check("..F", number(-2), number(-1));
    }
}
