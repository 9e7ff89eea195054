//! A board of any of the games of Left and Right. A search of sums is compiled once for all of them.

use crate::board::{self, Board, Size, Step};
use crate::{Clobber, Domineering, ToadsAndFrogs};
use aji_cgt::{Move, Position, Side};

/// A board, and which game is played on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyBoard {
    /// Domineering.
    Domineering(Domineering),
    /// Clobber.
    Clobber(Clobber),
    /// Toads and Frogs.
    ToadsAndFrogs(ToadsAndFrogs),
}

/// Makes each game's board an [`AnyBoard`], and evaluates an expression for the board of whichever game.
macro_rules! games {
    ($($game:ident),*) => {
        $(impl From<$game> for AnyBoard {
            fn from(board: $game) -> AnyBoard {
                AnyBoard::$game(board)
            }
        })*

        macro_rules! of_game {
            ($any:expr, $board:ident => $value:expr) => {
                match $any {
                    $(AnyBoard::$game($board) => $value),*
                }
            };
        }
    };
}

games!(Domineering, Clobber, ToadsAndFrogs);

impl Board for AnyBoard {
    fn signs(&self) -> &'static [char] {
        of_game!(self, board => board.signs())
    }

    fn with_pieces(&self, size: Size, pieces: [u64; 2]) -> AnyBoard {
        of_game!(self, board => board.with_pieces(size, pieces).into())
    }

    fn size(&self) -> Size {
        of_game!(self, board => board.size())
    }

    fn pieces(&self) -> [u64; 2] {
        of_game!(self, board => board.pieces())
    }

    #[inline(always)]
    fn movable(&self, side: Side) -> [u64; 4] {
        of_game!(self, board => board.movable(side))
    }

    #[inline(always)]
    fn play(&mut self, step: Step) {
        of_game!(self, board => board.play(step));
    }

    fn split(&self) -> Vec<(AnyBoard, u8)> {
        of_game!(self, board => board.split().into_iter().map(|(part, corner)| (part.into(), corner)).collect())
    }

    #[inline(always)]
    fn target(&self, step: Step) -> u8 {
        of_game!(self, board => board.target(step))
    }
}

impl Position for AnyBoard {
    fn moves(&self, side: Side) -> Vec<Move<AnyBoard>> {
        board::moves(self, side)
    }

    fn parts(&self) -> Vec<AnyBoard> {
        board::parts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sum;
    use aji_search::{Game, Hashed, Keyed, Named, Rng, Turn};

    /// Plays random games on both and compares what they show.
    fn check<B: Board + Default + Into<AnyBoard>>(text: &str) {
        for seed in 0..20 {
            let mut own = Sum::<B>::of_text(text, Side::Left).expect(text);
            let (mut any, mut rng) = (own.hidden(), Rng::seeded(seed));
            assert_eq!(any.read(&any.text()), Ok(any));
            while own.turn() != Turn::Over {
                let (mut actions, mut any_actions) = (Vec::new(), Vec::new());
                own.actions(&mut actions);
                any.actions(&mut any_actions);
                assert_eq!(actions, any_actions);
                assert_eq!((own.text(), own.board(), own.hash()), (any.text(), any.board(), any.hash()));
                let (mut left, mut right) = (rng.clone(), rng.clone());
                assert_eq!(
                    { own }.playout(&mut left, &mut Vec::new()),
                    { any }.playout(&mut right, &mut Vec::new())
                );
                let action = actions[rng.below(actions.len())];
                assert_eq!(
                    (own.key(action), own.action_name(action)),
                    (any.key(action), any.action_name(action))
                );
                own.play(action);
                any.play(action);
            }
            assert_eq!((any.turn(), any.payoff()), (Turn::Over, own.payoff()));
        }
    }

    #[test]
    fn a_hidden_board_plays_like_its_own() {
        check::<Domineering>("..../....+.../.#.");
        check::<Clobber>("xoxo/oxox+xo+oxo");
        check::<ToadsAndFrogs>("TT..FF/T..F..+T.F");
    }
}
