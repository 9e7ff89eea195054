//! The states that play can reach from boards, or from a game written as an expression, with their values.

use super::BoardStudy;
use super::boards::study_form;
use aji_cgt::{Dyadic, Form, Forms, GameError, Games, Position, Side};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

/// The most rows of a table of states.
pub const STATE_ROWS_MAX: usize = 40;

/// The most states that are looked at.
pub const STATES_MAX: usize = 20_000;

/// Some of the states that play can reach.
#[derive(Clone, Debug)]
pub struct ReachedStates {
    /// A state of each value: the hottest first, and those of equal temperature in the order in which play reaches them.
    pub rows: Vec<ReachedState>,
    /// Further values that are not among the rows.
    pub left_out: usize,
    /// Whether all states were looked at. There may be more values if not.
    pub is_whole: bool,
}

/// A state, and what it is worth.
#[derive(Clone, Debug)]
pub struct ReachedState {
    /// The board, or the game's canonical form.
    pub state: String,
    /// How many states have this value.
    pub states: usize,
    /// Its value.
    pub study: BoardStudy,
}

/// The states of positions. Moves are those of both players in any order, and independent parts are states of their own.
pub(super) fn states_of_positions<P: Position>(
    games: &mut Games,
    forms: &mut Forms<P>,
    positions: &[P],
    text: impl Fn(&P) -> String,
) -> Result<ReachedStates, GameError> {
    let start = positions.iter().flat_map(P::parts);
    let (reached, is_whole) = reach(start, |position| {
        let moves = [Side::Left, Side::Right].into_iter().flat_map(|side| position.moves(side));
        Ok(moves.flat_map(|next| next.to.parts()).collect())
    })?;
    let mut states = Vec::with_capacity(reached.len());
    for position in &reached {
        states.push((forms.of(games, position)?, position));
    }
    rows(games, &states, is_whole, |_, position| Ok(text(position)))
}

/// The states of a game: the options of its canonical form, their options, and so on.
pub(super) fn states_of_form(games: &mut Games, form: Form) -> Result<ReachedStates, GameError> {
    let (reached, is_whole) = reach([form].into_iter(), |&form| {
        let mut options = games.options(form, Side::Left)?.to_vec();
        options.extend_from_slice(&games.options(form, Side::Right)?);
        Ok(options)
    })?;
    let states: Vec<(Form, Form)> = reached.into_iter().map(|form| (form, form)).collect();
    rows(games, &states, is_whole, |games, &form| games.written(form))
}

/// Everything that can follow from the start, in the order of the moves that it takes, and whether that is all.
fn reach<T: Clone + Eq + std::hash::Hash>(
    start: impl Iterator<Item = T>,
    mut following: impl FnMut(&T) -> Result<Vec<T>, GameError>,
) -> Result<(Vec<T>, bool), GameError> {
    let (mut known, mut reached) = (HashSet::new(), Vec::new());
    let mut waiting: VecDeque<T> = start.filter(|state| known.insert(state.clone())).collect();
    while let Some(state) = waiting.pop_front() {
        if reached.len() == STATES_MAX {
            return Ok((reached, false));
        }
        waiting.extend(following(&state)?.into_iter().filter(|next| known.insert(next.clone())));
        reached.push(state);
    }
    Ok((reached, true))
}

/// The rows of some states, each with its form. The first state of a form stands for all of it.
fn rows<T>(
    games: &mut Games,
    states: &[(Form, T)],
    is_whole: bool,
    text: impl Fn(&mut Games, &T) -> Result<String, GameError>,
) -> Result<ReachedStates, GameError> {
    let mut counts: HashMap<Form, usize> = HashMap::new();
    let mut values: Vec<(Dyadic, Form, &T)> = Vec::new();
    for (form, state) in states {
        let count = counts.entry(*form).or_default();
        if *count == 0 {
            values.push((games.temperature(*form)?, *form, state));
        }
        *count += 1;
    }
    values.sort_by_key(|&(temperature, ..)| Reverse(temperature));
    let left_out = values.len().saturating_sub(STATE_ROWS_MAX);
    values.truncate(STATE_ROWS_MAX);
    let row = |(_, form, state): (Dyadic, Form, &T)| {
        let (state, study) = (text(games, state)?, study_form(games, form)?);
        Ok(ReachedState { state, states: counts[&form], study })
    };
    let rows = values.into_iter().map(row).collect::<Result<_, GameError>>()?;
    Ok(ReachedStates { rows, left_out, is_whole })
}
