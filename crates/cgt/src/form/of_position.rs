//! The canonical form of a position, by those of all that can follow.

use super::canonical::each_once;
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
    /// None of those under study.
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
    /// None yet, and never more than so many.
    pub fn up_to(positions_max: usize) -> Forms<P> {
        Forms { known: QuickMap::default(), by_options: QuickMap::default(), positions_max }
    }
}

impl<P: Position> Forms<P> {
    /// That of a position.
    pub fn of(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        if let Some(&Some(form)) = self.known.get(position) {
            return Ok(form);
        }
        let found = self.find(games, position);
        if found.is_err() {
            self.known.retain(|_, form| form.is_some());
        }
        found
    }

    /// That of a position which is not known.
    fn find(&mut self, games: &mut Games, position: &P) -> Result<Form, GameError> {
        // Depth first, on a stack of our own: each of these waits for the next, and the last for the study at hand.
        let mut waiting = Vec::new();
        let mut study = self.study(position)?;
        loop {
            while let Some(needed) = study.needs.get(study.found.len()) {
                match self.known.get(&needed.to) {
                    Some(&Some(form)) if needed.gain == 0 => study.found.push(form),
                    Some(&Some(form)) => {
                        let gain = games.number(Dyadic::from(needed.gain))?;
                        study.found.push(games.plus(form, gain)?);
                    }
                    Some(None) => return Err(GameError::Loop),
                    None => {
                        let next = self.study(&needed.to)?;
                        waiting.push(replace(&mut study, next));
                    }
                }
            }
            let form = self.form(games, &study)?;
            self.known.insert(study.position, Some(form));
            match waiting.pop() {
                Some(last) => study = last,
                None => return Ok(form),
            }
        }
    }

    /// Begins to study a position.
    fn study(&mut self, position: &P) -> Result<Study<P>, GameError> {
        if self.known.len() >= self.positions_max {
            return Err(GameError::Positions(self.positions_max));
        }
        self.known.insert(position.clone(), None);
        Ok(Study::of(position))
    }

    /// The form of what was studied, once all that it needs was found.
    fn form(&mut self, games: &mut Games, study: &Study<P>) -> Result<Form, GameError> {
        let Some(lefts) = study.lefts else {
            return study.found.iter().try_fold(Form::ZERO, |sum, &part| games.plus(sum, part));
        };
        let options = [&study.found[..lefts], &study.found[lefts..]].map(each_once);
        if let Some(&form) = self.by_options.get(&options) {
            return Ok(form);
        }
        let form = games.from_options(&options[0], &options[1])?;
        self.by_options.insert(options, form);
        Ok(form)
    }
}

/// A position, and what its form is made from.
struct Study<P> {
    position: P,
    /// The moves of both sides, Left's first; of a sum its parts, which pay nothing.
    needs: Vec<Move<P>>,
    /// How many of them are moves of Left; none of a sum.
    lefts: Option<usize>,
    /// The forms of the first of them.
    found: Vec<Form>,
}

impl<P: Position> Study<P> {
    fn of(position: &P) -> Study<P> {
        let parts = position.parts();
        let (needs, lefts) = if matches!(&parts[..], [only] if only == position) {
            let mut moves = position.moves(Side::Left);
            let lefts = moves.len();
            moves.append(&mut position.moves(Side::Right));
            (moves, Some(lefts))
        } else {
            (parts.into_iter().map(|to| Move { to, gain: 0 }).collect(), None)
        };
        Study { position: position.clone(), found: Vec::with_capacity(needs.len()), needs, lefts }
    }
}
