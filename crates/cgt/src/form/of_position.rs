//! The canonical form of a position, by those of all that can follow.

use super::{Form, GameError, Games};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Move, Position, Side};

/// The canonical form of a position: the sum of its parts, in each of which a move leads to a form, and what it pays is added.
/// A position that can come back is an error.
pub fn form_of<P: Position>(games: &mut Games, position: &P) -> Result<Form, GameError> {
    Forms::default().of(games, position)
}

/// Forms of positions, each made once, all by the same [`Games`].
#[derive(Clone, Debug)]
pub struct Forms<P> {
    known: QuickMap<P, Form>,
    positions_max: usize,
}

impl<P> Default for Forms<P> {
    fn default() -> Forms<P> {
        Forms::up_to(Form::POSITIONS_MAX)
    }
}

impl<P> Forms<P> {
    /// None yet, and never more than so many.
    pub fn up_to(positions_max: usize) -> Forms<P> {
        Forms { known: QuickMap::default(), positions_max }
    }
}

impl<P: Position> Forms<P> {
    /// That of a position.
    pub fn of(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        let known = &mut self.known;
        // Depth first, on a stack of our own: a position is done once its parts are, and a part once all that follow are.
        let mut waiting: Vec<(P, Option<Study<P>>)> = vec![(position.clone(), None)];
        // Those with a study on the stack, all of which lead to the last of them.
        let mut open: QuickMap<P, ()> = QuickMap::default();
        while let Some((next, study)) = waiting.pop() {
            if let Some(study) = study {
                open.remove(&next);
                known.insert(next, study.form(games, known)?);
            } else if !known.contains_key(&next) {
                if open.insert(next.clone(), ()).is_some() {
                    return Err(GameError::Loop);
                }
                if known.len() + waiting.len() > self.positions_max {
                    return Err(GameError::Positions(self.positions_max));
                }
                let study = Study::of(&next);
                let missing: Vec<P> =
                    study.needs().filter(|&needed| !known.contains_key(needed)).cloned().collect();
                waiting.push((next, Some(study)));
                waiting.extend(missing.into_iter().map(|needed| (needed, None)));
            }
        }
        known.get(position).copied().ok_or(GameError::Positions(self.positions_max))
    }
}

/// What the form of a position is made from.
enum Study<P> {
    /// Of several parts, or none.
    Sum(Vec<P>),
    /// Of the moves of both sides.
    Piece([Vec<Move<P>>; 2]),
}

impl<P: Position> Study<P> {
    fn of(position: &P) -> Study<P> {
        let parts = position.parts();
        if matches!(&parts[..], [only] if only == position) {
            Study::Piece(Side::BOTH.map(|side| position.moves(side)))
        } else {
            Study::Sum(parts)
        }
    }

    /// The positions whose forms it needs.
    fn needs(&self) -> impl Iterator<Item = &P> {
        let (parts, moves) = match self {
            Study::Sum(parts) => (&parts[..], [].as_slice()),
            Study::Piece(moves) => ([].as_slice(), &moves[..]),
        };
        parts.iter().chain(moves.iter().flatten().map(|option| &option.to))
    }

    /// The form, from those that it needs.
    fn form(&self, games: &mut Games, known: &QuickMap<P, Form>) -> Result<Form, GameError> {
        match self {
            Study::Sum(parts) => parts.iter().try_fold(Form::ZERO, |sum, part| games.plus(sum, known[part])),
            Study::Piece(moves) => {
                let mut options = |moves: &[Move<P>]| -> Result<Vec<Form>, GameError> {
                    let mut option = |option: &Move<P>| {
                        if option.gain == 0 {
                            return Ok(known[&option.to]);
                        }
                        let gain = games.number(Dyadic::from(option.gain))?;
                        games.plus(known[&option.to], gain)
                    };
                    moves.iter().map(&mut option).collect()
                };
                let (lefts, rights) = (options(&moves[0])?, options(&moves[1])?);
                games.from_options(&lefts, &rights)
            }
        }
    }
}
