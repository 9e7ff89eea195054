//! A game written in Python, as a game of aji.
//!
//! Python is asked once about each position that is kept; the tree is then walked without it. A playout asks for Python's
//! lock once.

use crate::failure::Failures;
use crate::kind::Kind;
use crate::state::State;
use aji_search::learn::{Keyed, Played};
use aji_search::playout::{PLAYOUT_PLIES_MAX, given_up};
use aji_search::{Game, Hashed, Heuristic, Named, Payoff, Player, Rng, Turn};
use pyo3::prelude::*;
use std::fmt;
use std::sync::Arc;

/// The start of a game written in Python. All sessions share it.
#[derive(Clone)]
pub struct Start {
    pub kind: Arc<Kind>,
    pub state: Arc<State>,
}

/// A game that one session or one command has opened.
struct Opened {
    start: Start,
    /// Where exceptions go.
    failures: Failures,
}

/// A position of a game written in Python.
#[derive(Clone)]
pub struct Position {
    opened: Arc<Opened>,
    state: Arc<State>,
    /// The places of the moves since the start, for games without text.
    moves: Vec<u16>,
}

/// The text of a game without text before its first move.
const START: &str = "start";

impl Position {
    /// The start of a game, whose exceptions go to this slot.
    pub fn new(start: Start, failures: Failures) -> Position {
        let state = start.state.clone();
        Position { opened: Arc::new(Opened { start, failures }), state, moves: Vec::new() }
    }

    /// The class of the game.
    fn kind(&self) -> &Kind {
        &self.opened.start.kind
    }

    /// The position at the start, or one that was read, before any move.
    fn at(&self, state: Arc<State>) -> Position {
        Position { opened: self.opened.clone(), state, moves: Vec::new() }
    }

    /// The user's position.
    pub fn object(&self) -> &Py<PyAny> {
        &self.state.object
    }

    fn has_text(&self) -> bool {
        self.kind().has.text && self.kind().has.read
    }

    /// Asks Python. An exception unwinds to whoever began the search.
    fn ask<T>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        let failures = &self.opened.failures;
        if failures.is_set() {
            // Another thread has raised one.
            Failures::unwind();
        }
        Python::attach(question).unwrap_or_else(|exception| failures.raise(exception))
    }

    fn text_of(&self, method: &str) -> String {
        self.ask(|py| self.state.object.bind(py).call_method0(method)?.extract())
    }

    /// The names of the actions here.
    fn names(&self) -> &[String] {
        self.state.names.get_or_init(|| {
            let named = |py: Python<'_>| {
                let object = self.state.object.bind(py);
                let name = |action: &Py<PyAny>| -> PyResult<String> {
                    let action = action.bind(py);
                    let named = match self.kind().has.action_name {
                        true => object.call_method1("action_name", (action,))?.str()?,
                        false => action.str()?,
                    };
                    Ok(named.to_string_lossy().split_whitespace().collect())
                };
                self.state.actions.iter().map(name).collect::<PyResult<Vec<String>>>()
            };
            let mut names = self.ask(named);
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort_unstable();
            let are_good =
                sorted.windows(2).all(|pair| pair[0] != pair[1]) && names.iter().all(|name| !name.is_empty());
            if !are_good {
                names = (0..names.len()).map(|place| place.to_string()).collect();
            }
            names
        })
    }

    /// A random action: for a player uniform, for chance by the odds.
    fn draw(state: &State, rng: &mut Rng) -> usize {
        match state.turn {
            Turn::Chance => drawn(&state.weights, rng),
            _ => rng.below(state.actions.len()),
        }
    }

    /// Plays to the end from here. Positions that are kept are not asked again.
    fn play_out(&self, py: Python<'_>, rng: &mut Rng) -> PyResult<Option<Payoff>> {
        let kind = self.kind();
        let mut state = self.state.clone();
        let mut plies = 0;
        let mut object = loop {
            if state.turn == Turn::Over {
                return Ok(Some(state.payoff));
            }
            if plies == PLAYOUT_PLIES_MAX {
                return Ok(None);
            }
            let place = Position::draw(&state, rng);
            plies += 1;
            state = match state.after(place) {
                Some(after) => after,
                // With hashes, other playouts will meet the same positions.
                None if kind.has.hash && kind.has_room() => state.reach(py, kind, place)?,
                None => {
                    let object = kind.copied(py, state.object.bind(py))?;
                    break kind.played(object, state.actions[place].bind(py))?;
                }
            };
        };
        loop {
            let turn = kind.turn(&object)?;
            if turn == Turn::Over {
                return kind.payoff(&object).map(Some);
            }
            if plies == PLAYOUT_PLIES_MAX {
                return Ok(None);
            }
            let action = match turn {
                Turn::Chance => {
                    let mut actions = kind.actions(&object, turn)?;
                    let weights: Vec<f32> =
                        actions.iter().map(|action| kind.weight(&object, action)).collect::<PyResult<_>>()?;
                    actions.swap_remove(drawn(&weights, rng))
                }
                _ => kind.any_action(&object, rng)?,
            };
            object = kind.played(object, &action)?;
            plies += 1;
        }
    }
}

/// An outcome by its odds.
fn drawn(weights: &[f32], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f32>();
    for (place, weight) in weights.iter().enumerate() {
        if left < *weight {
            return place;
        }
        left -= weight;
    }
    // Rounding may leave a little over after the last weight.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
}

impl Game for Position {
    type Action = u16;

    #[inline]
    fn turn(&self) -> Turn {
        self.state.turn
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(0..self.state.actions.len() as u16);
    }

    #[inline]
    fn play(&mut self, action: u16) {
        let place = usize::from(action);
        let after = self.state.after(place);
        self.state = after.unwrap_or_else(|| self.ask(|py| self.state.reach(py, self.kind(), place)));
        if !self.has_text() {
            self.moves.push(action);
        }
    }

    fn payoff(&self) -> Payoff {
        self.state.payoff
    }

    fn players(&self) -> usize {
        self.kind().players
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.kind().range
    }

    fn pays_points(&self) -> bool {
        self.kind().pays_points
    }

    fn payoff_sum(&self) -> Option<f32> {
        self.kind().payoff_sum
    }

    fn has_chance(&self) -> bool {
        self.kind().has_chance
    }

    fn weight(&self, outcome: u16) -> f32 {
        self.state.weights.get(usize::from(outcome)).copied().unwrap_or(1.0)
    }

    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Payoff {
        self.ask(|py| self.play_out(py, rng)).unwrap_or_else(|| given_up(self))
    }
}

impl Hashed for Position {
    fn hash(&self) -> u64 {
        self.state.hash.unwrap_or(0)
    }
}

impl Keyed for Position {
    fn key_count(&self) -> usize {
        self.kind().key_count
    }

    fn key(&self, action: u16) -> usize {
        let key = |py: Python<'_>| -> PyResult<usize> {
            let action = self.state.actions[usize::from(action)].bind(py);
            let found = self.state.object.bind(py).call_method1(pyo3::intern!(py, "key"), (action,))?;
            let key = found.extract::<usize>().ok().filter(|key| *key < self.kind().key_count);
            key.ok_or_else(|| {
                let (word, count) = (&self.kind().word, self.kind().key_count);
                crate::failure::error(format!(
                    "game {word}: key() gave {found}, expected a number below key_count, {count}"
                ))
            })
        };
        self.ask(key)
    }

    fn recorded_playout(
        &mut self,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        mut played: impl FnMut(Played),
    ) -> Payoff {
        for _ in 0..PLAYOUT_PLIES_MAX {
            let turn = self.turn();
            if turn == Turn::Over {
                return self.payoff();
            }
            let action = Position::draw(&self.state, rng) as u16;
            if let Turn::Player(player) = turn {
                played(Played::new(self.key(action), player));
            }
            self.play(action);
        }
        given_up(self)
    }
}

impl Heuristic for Position {
    fn estimate(&self) -> Payoff {
        self.ask(|py| {
            let found = self.state.object.bind(py).call_method0("estimate")?;
            self.kind().payoff_of("estimate", &found)
        })
    }
}

impl Named for Position {
    fn action_name(&self, action: u16) -> String {
        self.names()[usize::from(action)].clone()
    }

    fn text(&self) -> String {
        if self.has_text() {
            return self.text_of("text");
        }
        let mut position = self.at(self.opened.start.state.clone());
        let mut names = Vec::new();
        for &action in &self.moves {
            names.push(position.action_name(action));
            position.play(action);
        }
        if names.is_empty() { START.into() } else { names.join(" ") }
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        if self.has_text() {
            let read = |py: Python<'_>| {
                let object = self.opened.start.state.object.bind(py).call_method1("read", (text,))?;
                State::new(self.kind(), object, 0)
            };
            let state = Python::attach(read);
            return state.map(|state| self.at(Arc::new(state))).map_err(|exception| {
                Python::attach(|py| exception.value(py).to_string().replace('\n', " "))
            });
        }
        let mut position = self.at(self.opened.start.state.clone());
        for name in text.split_whitespace().filter(|word| *word != START) {
            let place = position.names().iter().position(|known| known == name);
            let place = place.ok_or_else(|| format!("no action {name} after {}", position.text()))?;
            position.play(place as u16);
        }
        Ok(position)
    }

    fn board(&self) -> String {
        let has = &self.kind().has;
        let board = match (has.board, has.text) {
            (true, _) => self.text_of("board"),
            (false, true) => self.text_of("text"),
            (false, false) => {
                self.ask(|py| Ok(self.state.object.bind(py).str()?.to_string_lossy().into_owned()))
            }
        };
        if board.ends_with('\n') { board } else { board + "\n" }
    }

    fn player_name(&self, player: Player) -> String {
        if !self.kind().has.player_name {
            return format!("player {}", player + 1);
        }
        self.ask(|py| self.state.object.bind(py).call_method1("player_name", (player,))?.extract())
    }
}

impl PartialEq for Position {
    /// Positions of a class with hashes are equal if their hashes are.
    fn eq(&self, other: &Position) -> bool {
        Arc::ptr_eq(&self.opened.start.kind, &other.opened.start.kind) && self.state.hash == other.state.hash
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
