//! The canonical form of a position, by those of all that can follow.

use super::canonical::keep_each_once;
use super::{Form, GameError, Games};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Move, Position, Side};
use std::mem::replace;

/// The canonical form of a position: the sum of its parts, in each of which a move leads to a form, and what it pays is added.
/// A position that can come back is an error.
pub fn form_of<P: Position>(games: &mut Games, position: &P) -> Result<Form, GameError> {
    Forms::default().of(games, position)
}

/// Forms of positions, each made once, all by the same [`Games`].
#[derive(Clone, Debug)]
pub struct Forms<P> {
    /// Of positions in one piece; none of those under study.
    known: QuickMap<P, Option<Form>>,
    /// By the options of both sides, which many positions share.
    by_options: QuickMap<[Vec<Form>; 2], Form>,
    positions_max: usize,
}

impl<P> Default for Forms<P> {
    fn default() -> Forms<P> {
        Forms::up_to(Form::POSITIONS_MAX)
    }
}

impl<P> Forms<P> {
    /// None yet, and never those of more than so many positions in one piece.
    pub fn up_to(positions_max: usize) -> Forms<P> {
        Forms { known: QuickMap::default(), by_options: QuickMap::default(), positions_max }
    }
}

impl<P: Position> Forms<P> {
    /// That of a position.
    pub fn of(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        let found = self.find(games, position);
        if found.is_err() {
            self.known.retain(|_, form| form.is_some());
        }
        found
    }

    fn find(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        // Depth first, on a stack of our own: each of these waits for the next, and the last for the study at hand. The
        // first is of a single move, to the position.
        let mut waiting = Vec::new();
        let mut study = Study::new(position.clone(), [vec![Move { to: position.clone(), gain: 0 }], vec![]]);
        loop {
            while let Some((side, next)) = study.next() {
                match self.sum(games, next)? {
                    Sum::Form(form) => study.options[side as usize].push(form),
                    Sum::Lacks(piece) => {
                        let deeper = self.study(piece)?;
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

    /// What a move leads to, with what it pays.
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

    /// Begins to study a piece.
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
        self.by_options.insert(options, form);
        Ok(form)
    }
}

/// The sum of a position's parts.
enum Sum<P> {
    Form(Form),
    /// A part whose form is not known yet.
    Lacks(P),
}

/// A position in one piece, and what its form is made from.
struct Study<P> {
    piece: P,
    /// Those of each side.
    moves: [Vec<Move<P>>; 2],
    /// What the first of them lead to.
    options: [Vec<Form>; 2],
}

impl<P> Study<P> {
    fn new(piece: P, moves: [Vec<Move<P>>; 2]) -> Study<P> {
        let options = [0, 1].map(|side: usize| Vec::with_capacity(moves[side].len()));
        Study { piece, moves, options }
    }

    /// The next move to look at, and whose it is.
    fn next(&self) -> Option<(Side, &Move<P>)> {
        let next = |side| Some((side, self.moves[side as usize].get(self.options[side as usize].len())?));
        Side::BOTH.into_iter().find_map(next)
    }
}
