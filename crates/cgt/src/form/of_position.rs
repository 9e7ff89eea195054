//! The canonical form of a position, from the forms of all positions that can follow.

use super::canonical::keep_each_once;
use super::limits::{bytes_of, bytes_of_options};
use super::{Form, GameError, Games};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Move, Position, Side};
use std::mem::replace;

/// The canonical form of a position: the sum of the forms of its parts. Each move in a part leads to a form, to which
/// its payment is added. A position that can repeat is an error.
pub fn form_of<P: Position>(games: &mut Games, position: &P) -> Result<Form, GameError> {
    Forms::default().of(games, position)
}

/// Forms of positions, each computed once, all by the same [`Games`].
#[derive(Clone, Debug)]
pub struct Forms<P> {
    /// Forms of positions in one piece; `None` while a position is under study.
    known: QuickMap<P, Option<Form>>,
    /// Forms by the options of both sides. Many positions share options.
    by_options: QuickMap<[Vec<Form>; 2], Form>,
    /// About the bytes of the lists in `by_options`.
    lists: usize,
    positions_max: usize,
}

impl<P> Default for Forms<P> {
    fn default() -> Forms<P> {
        Forms::up_to(Form::POSITIONS_MAX)
    }
}

impl<P> Forms<P> {
    /// An empty cache that studies at most this many positions in one piece.
    pub fn up_to(positions_max: usize) -> Forms<P> {
        Forms { known: QuickMap::default(), by_options: QuickMap::default(), lists: 0, positions_max }
    }
}

impl<P: Position> Forms<P> {
    /// The form of a position.
    pub fn of(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        let found = self.find(games, position);
        if found.is_err() {
            self.known.retain(|_, form| form.is_some());
        }
        found
    }

    fn find(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        // Depth first, on an explicit stack: each study waits for the next one, and the last for the current study.
        // The first has a single move, which leads to the position.
        let mut waiting = Vec::new();
        let mut study = Study::new(position.clone(), [vec![Move { to: position.clone(), gain: 0 }], vec![]]);
        loop {
            while let Some((side, next)) = study.next() {
                match self.sum(games, next)? {
                    Sum::Form(form) => study.options[side as usize].push(form),
                    Sum::Lacks(piece) => {
                        let deeper = self.study(piece)?;
                        games.beside = bytes_of(&self.known) + bytes_of(&self.by_options) + self.lists;
                        games.look()?;
                        waiting.push(replace(&mut study, deeper));
                    }
                }
            }
            let Some(last) = waiting.pop() else {
                return Ok(study.options[Side::Left as usize][0]);
            };
            let form = self.with_options(games, study.options)?;
            self.known.insert(study.piece, Some(form));
            study = last;
        }
    }

    /// The sum that a move leads to, with its payment.
    fn sum(&self, games: &mut Games, next: &Move<P>) -> Result<Sum<P>, GameError> {
        let mut sum = games.number(Dyadic::from(next.gain))?;
        for part in next.to.parts() {
            match self.known.get(&part) {
                Some(&Some(form)) => sum = games.plus(sum, form)?,
                Some(None) => return Err(GameError::Loop),
                None => return Ok(Sum::Lacks(part)),
            }
        }
        Ok(Sum::Form(sum))
    }

    /// Starts the study of a piece.
    fn study(&mut self, piece: P) -> Result<Study<P>, GameError> {
        if self.known.len() >= self.positions_max {
            return Err(GameError::Positions(self.positions_max));
        }
        self.known.insert(piece.clone(), None);
        let moves = Side::BOTH.map(|side| piece.moves(side));
        Ok(Study::new(piece, moves))
    }

    /// The form of a piece with these options.
    fn with_options(&mut self, games: &mut Games, mut options: [Vec<Form>; 2]) -> Result<Form, GameError> {
        options.iter_mut().for_each(keep_each_once);
        if let Some(&form) = self.by_options.get(&options) {
            return Ok(form);
        }
        let form = games.from_options(&options[0], &options[1])?;
        self.lists += bytes_of_options(&options);
        self.by_options.insert(options, form);
        Ok(form)
    }
}

/// The sum of a position's parts.
enum Sum<P> {
    Form(Form),
    /// The form of this part is not known yet.
    Lacks(P),
}

/// A position in one piece, and the material for its form.
struct Study<P> {
    piece: P,
    /// The moves of each side.
    moves: [Vec<Move<P>>; 2],
    /// The forms that the moves studied so far lead to.
    options: [Vec<Form>; 2],
}

impl<P> Study<P> {
    fn new(piece: P, moves: [Vec<Move<P>>; 2]) -> Study<P> {
        let options = [0, 1].map(|side: usize| Vec::with_capacity(moves[side].len()));
        Study { piece, moves, options }
    }

    /// The next move to study, and its side.
    fn next(&self) -> Option<(Side, &Move<P>)> {
        let next = |side| Some((side, self.moves[side as usize].get(self.options[side as usize].len())?));
        Side::BOTH.into_iter().find_map(next)
    }
}
