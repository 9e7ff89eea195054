//! What a class of games in Python can do, and how to ask it.

use crate::failure::error;
use crate::hash::hash_of;
use crate::state::State;
use aji_search::{ACTIONS_MAX, PLAYERS_MAX, Payoff, Player, Rng, Turn};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The positions of a game that are kept, unless its registration says otherwise: those are never asked again.
pub const KEPT_DEFAULT: usize = 100_000;

/// The method that games of OpenSpiel have in place of `turn()`: it gives numbers, so that no Python runs between a playout and
/// OpenSpiel. Below zero one is chance, the others mean that the game is over.
const PLAYER_NUMBER: &str = "_aji_player";

/// What it gives where chance acts.
const CHANCE_NUMBER: i64 = -1;

/// The word for chance in the answer of `turn()`.
const CHANCE: &str = "chance";

/// A class of games, and the facts that are the same in all of its positions.
pub struct Kind {
    /// How the game is called in messages.
    pub word: String,
    pub players: usize,
    pub range: (f32, f32),
    pub pays_points: bool,
    pub payoff_sum: Option<f32>,
    pub has_chance: bool,
    /// How positions are copied, if `play` changes them in place.
    pub copy: Option<Py<PyAny>>,
    /// The optional methods that the class has.
    pub has: Has,
    /// The number of keys of actions.
    pub key_count: usize,
    /// The most positions kept, and how many are.
    pub kept_max: usize,
    pub kept: Arc<AtomicUsize>,
    /// The positions that are kept, by their hashes. Only for classes with hashes.
    table: Mutex<HashMap<u64, Arc<State>>>,
}

/// The optional methods of a class.
#[derive(Clone, Copy, Debug, Default)]
pub struct Has {
    pub hash: bool,
    pub key: bool,
    pub estimate: bool,
    pub weight: bool,
    pub action_name: bool,
    pub text: bool,
    pub read: bool,
    pub board: bool,
    pub player_name: bool,
    player_number: bool,
}

impl Kind {
    /// The class of this position.
    pub fn new(word: String, start: &Bound<'_, PyAny>, kept_max: usize) -> PyResult<Kind> {
        let py = start.py();
        let wrong = |what: &str, found: &Bound<'_, PyAny>, expected: &str| {
            error(format!("game {word}: {what} is {found}, expected {expected}"))
        };
        for method in ["turn", "actions", "play", "payoff"] {
            if !has(start, method) {
                let class = start.get_type();
                return Err(error(format!(
                    "game {word}: {class} has no method {method}(); a game has turn, actions, play and payoff"
                )));
            }
        }
        let fact = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
            let found = start.getattr_opt(name)?.filter(|found| !found.is_none());
            // A fact may be a method without arguments.
            found.map(|found| if found.is_callable() { found.call0() } else { Ok(found) }).transpose()
        };
        let players = match fact("players")? {
            None => 2,
            Some(found) => found
                .extract::<usize>()
                .ok()
                .filter(|players| (1..=PLAYERS_MAX).contains(players))
                .ok_or_else(|| {
                    wrong("players", &found, &format!("a whole number from 1 to {PLAYERS_MAX}"))
                })?,
        };
        let range = match fact("payoff_range")? {
            None => (-1.0, 1.0),
            Some(found) => found
                .extract::<(f32, f32)>()
                .ok()
                .filter(|(low, high)| low.is_finite() && high.is_finite() && low < high)
                .ok_or_else(|| {
                    wrong("payoff_range", &found, "the lowest and the highest payoff, such as (-1, 1)")
                })?,
        };
        let truth = |name: &str, standard: bool| -> PyResult<bool> {
            fact(name)?.map_or(Ok(standard), |found| found.is_truthy())
        };
        let key_count = match fact("key_count")? {
            None => 0,
            Some(found) => found.extract().map_err(|_| wrong("key_count", &found, "a whole number"))?,
        };
        let payoff_sum = match fact("payoff_sum")? {
            Some(found) => Some(found.extract().map_err(|_| wrong("payoff_sum", &found, "a number"))?),
            None if players == 2 && truth("zero_sum", true)? => Some(0.0),
            None => None,
        };
        let has = Has {
            hash: has(start, "hash"),
            key: has(start, "key") && key_count > 0,
            estimate: has(start, "estimate"),
            weight: has(start, "weight"),
            action_name: has(start, "action_name"),
            text: has(start, "text"),
            read: has(start, "read"),
            board: has(start, "board"),
            player_name: has(start, "player_name"),
            player_number: has(start, PLAYER_NUMBER),
        };
        let mut kind = Kind {
            pays_points: truth("pays_points", range != (-1.0, 1.0))?,
            has_chance: truth("has_chance", false)?,
            word,
            players,
            range,
            payoff_sum,
            copy: Some(copier(start)?.unbind()),
            has,
            key_count,
            kept_max,
            kept: Arc::default(),
            table: Mutex::default(),
        };
        if kind.plays_to_new(start)? {
            kind.copy = None;
        }
        // A first look, so that a wrong class is refused here and not in the middle of a search.
        let object = kind.copied(py, start)?;
        let turn = kind.turn(&object)?;
        kind.actions(&object, turn)?;
        Ok(kind)
    }

    /// Whether `play` returns the next position instead of changing this one.
    fn plays_to_new(&self, start: &Bound<'_, PyAny>) -> PyResult<bool> {
        let position = self.copied(start.py(), start)?;
        let turn = self.turn(&position)?;
        let actions = self.actions(&position, turn)?;
        match actions.first() {
            Some(first) => {
                let next = position.call_method1("play", (first,))?;
                Ok(!next.is_none() && !next.is(&position))
            }
            None => Ok(false),
        }
    }

    /// A copy, if `play` changes positions in place.
    pub fn copied<'py>(&self, py: Python<'py>, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.copy {
            Some(copy) => copy.bind(py).call1((object,)),
            None => Ok(object.clone()),
        }
    }

    /// The position after an action. The object may be changed, so it is a copy where that matters.
    pub fn played<'py>(
        &self,
        object: Bound<'py, PyAny>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let next = call_with(&object, pyo3::intern!(object.py(), "play"), action)?;
        Ok(if next.is_none() { object } else { next })
    }

    /// Who acts.
    pub fn turn(&self, object: &Bound<'_, PyAny>) -> PyResult<Turn> {
        if self.has.player_number {
            let number = object.call_method0(pyo3::intern!(object.py(), PLAYER_NUMBER))?.extract::<i64>()?;
            return Ok(match Player::try_from(number) {
                Ok(player) => Turn::Player(player),
                Err(_) if number == CHANCE_NUMBER => Turn::Chance,
                Err(_) => Turn::Over,
            });
        }
        let found = object.call_method0(pyo3::intern!(object.py(), "turn"))?;
        if found.is_none() {
            return Ok(Turn::Over);
        }
        match found.cast::<PyString>() {
            Ok(word) if word == CHANCE && self.has_chance => return Ok(Turn::Chance),
            Ok(_) => {}
            // Numbers of numpy serve too, and floats do not.
            Err(_) => {
                let player = found.extract::<Player>().ok();
                if let Some(player) = player.filter(|player| usize::from(*player) < self.players) {
                    return Ok(Turn::Player(player));
                }
            }
        }
        let most = self.players - 1;
        let chance = if self.has_chance { ", \"chance\"" } else { " (\"chance\" needs has_chance = True)" };
        Err(error(format!(
            "game {}: turn() gave {}, expected a player from 0 to {most}, None at the end{chance}",
            self.word,
            found.repr()?
        )))
    }

    /// The legal actions; none at the end.
    pub fn actions<'py>(&self, object: &Bound<'py, PyAny>, turn: Turn) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if turn == Turn::Over {
            return Ok(Vec::new());
        }
        let found = object.call_method0(pyo3::intern!(object.py(), "actions"))?;
        let actions = found.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        self.check_count(actions.len())?;
        Ok(actions)
    }

    /// One of the legal actions, all with the same odds. Someone is to act.
    pub fn any_action<'py>(&self, object: &Bound<'py, PyAny>, rng: &mut Rng) -> PyResult<Bound<'py, PyAny>> {
        let found = object.call_method0(pyo3::intern!(object.py(), "actions"))?;
        // Of a list only one item is looked at.
        if let Ok(list) = found.cast_exact::<PyList>() {
            self.check_count(list.len())?;
            return list.get_item(rng.below(list.len()));
        }
        if let Ok(tuple) = found.cast_exact::<PyTuple>() {
            self.check_count(tuple.len())?;
            return tuple.get_item(rng.below(tuple.len()));
        }
        let mut actions = found.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        self.check_count(actions.len())?;
        Ok(actions.swap_remove(rng.below(actions.len())))
    }

    /// An error if a position cannot have this number of actions.
    fn check_count(&self, count: usize) -> PyResult<()> {
        match count {
            0 => Err(error(format!(
                "game {}: actions() gave none, though turn() says that the game goes on",
                self.word
            ))),
            count if count > ACTIONS_MAX => {
                Err(error(format!("game {}: {count} actions, at most {ACTIONS_MAX} are allowed", self.word)))
            }
            _ => Ok(()),
        }
    }

    /// The payoff at the end.
    pub fn payoff(&self, object: &Bound<'_, PyAny>) -> PyResult<Payoff> {
        let found = object.call_method0(pyo3::intern!(object.py(), "payoff"))?;
        self.payoff_of("payoff", &found)
    }

    /// A payoff in the answer of a method: one number for each player, or that of player 0.
    pub fn payoff_of(&self, method: &str, found: &Bound<'_, PyAny>) -> PyResult<Payoff> {
        let is_number = found.is_instance_of::<PyFloat>() || found.is_instance_of::<PyInt>();
        let all = if is_number || found.extract::<f32>().is_ok() {
            let own = found.extract::<f32>()?;
            match (self.players, self.payoff_sum) {
                (1, _) => vec![own],
                (2, Some(sum)) => vec![own, sum - own],
                _ => Vec::new(),
            }
        } else {
            found.extract::<Vec<f32>>().unwrap_or_default()
        };
        if all.len() != self.players || all.iter().any(|payoff| !payoff.is_finite()) {
            let one = if self.players <= 2 { ", or that of player 0" } else { "" };
            return Err(error(format!(
                "game {}: {method}() gave {}, expected {} numbers, one for each player{one}",
                self.word,
                found.repr()?,
                self.players
            )));
        }
        let mut payoff = Payoff::DRAW;
        payoff.0[..all.len()].copy_from_slice(&all);
        Ok(payoff)
    }

    /// The odds of an outcome of chance.
    pub fn weight(&self, object: &Bound<'_, PyAny>, action: &Bound<'_, PyAny>) -> PyResult<f32> {
        if !self.has.weight {
            return Ok(1.0);
        }
        let found = object.call_method1(pyo3::intern!(object.py(), "weight"), (action,))?;
        found.extract::<f32>().ok().filter(|weight| weight.is_finite() && *weight >= 0.0).ok_or_else(|| {
            error(format!("game {}: weight() gave {found}, expected a number from 0", self.word))
        })
    }

    /// Whether another position can be kept.
    pub fn has_room(&self) -> bool {
        self.kept.load(Ordering::Relaxed) < self.kept_max
    }

    /// The position with this hash, if it is kept.
    pub fn known(&self, hash: u64) -> Option<Arc<State>> {
        self.table().get(&hash).cloned()
    }

    /// Keeps a position by its hash.
    pub fn keep(&self, hash: u64, state: &Arc<State>) {
        self.table().insert(hash, state.clone());
    }

    fn table(&self) -> MutexGuard<'_, HashMap<u64, Arc<State>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A hash of the position, by what `hash()` gives.
    pub fn hash(&self, object: &Bound<'_, PyAny>) -> PyResult<u64> {
        hash_of(&object.call_method0(pyo3::intern!(object.py(), "hash"))?)
    }
}

/// Calls a method with an argument. For the versions of Python that this is compiled for, PyO3 makes a bound method and a tuple for
/// such a call; Python's own function makes neither.
fn call_with<'py>(
    object: &Bound<'py, PyAny>,
    method: &Bound<'py, PyString>,
    argument: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, end) = (object.py(), std::ptr::null_mut::<ffi::PyObject>());
    // SAFETY: `py` proves that Python's lock is held. The three objects live through the call, which only borrows them, and a null
    // ends the arguments. The result is a new reference, or null with an exception set.
    unsafe {
        let found = ffi::PyObject_CallMethodObjArgs(object.as_ptr(), method.as_ptr(), argument.as_ptr(), end);
        Bound::from_owned_ptr_or_err(py, found)
    }
}

/// Whether an object has a method of this name.
fn has(object: &Bound<'_, PyAny>, method: &str) -> bool {
    object.getattr(method).is_ok_and(|found| found.is_callable())
}

/// The function that copies positions: `copy()` or `clone()` of the class, or Python's deep copy.
fn copier<'py>(start: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = start.get_type();
    for method in ["copy", "clone", "__copy__"] {
        if has(start, method) {
            return class.getattr(method);
        }
    }
    start.py().import("copy")?.getattr("deepcopy")
}
