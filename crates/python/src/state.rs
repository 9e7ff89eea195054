//! A position of a game written in Python, and what was learned of it: nothing is asked twice of a position that is kept.

use crate::failure::error;
use crate::kind::Kind;
use aji_search::{Payoff, Turn};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// The depth below the start to which positions are kept. Dropping a chain of positions takes a stack frame for each.
const DEPTH_MAX: u32 = 2_000;

/// A position with what was asked of it.
pub struct State {
    pub object: Py<PyAny>,
    pub turn: Turn,
    /// The payoff, where the game is over.
    pub payoff: Payoff,
    pub actions: Vec<Py<PyAny>>,
    /// The odds of the outcomes where chance acts; empty elsewhere.
    pub weights: Vec<f32>,
    /// The names of the actions, once somebody asks.
    pub names: OnceLock<Vec<String>>,
    /// The hash, if the class has one.
    pub hash: Option<u64>,
    /// The positions after each action, once they were reached.
    after: Box<[OnceLock<After>]>,
    depth: u32,
    /// Counts this position among those that are kept.
    kept: Option<Arc<AtomicUsize>>,
}

/// A position that is kept: by its parent, or by the table of all positions of a game with hashes.
enum After {
    Owned(Arc<State>),
    Shared(Weak<State>),
}

impl State {
    /// A position, asked for everything that a search needs.
    pub fn new(kind: &Kind, object: Bound<'_, PyAny>, depth: u32) -> PyResult<State> {
        let hash = State::hash_of(kind, &object)?;
        State::with_hash(kind, object, hash, depth)
    }

    /// The hash of a position, if its class has one.
    fn hash_of(kind: &Kind, object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        if kind.has.hash { kind.hash(object).map(Some) } else { Ok(None) }
    }

    fn with_hash(kind: &Kind, object: Bound<'_, PyAny>, hash: Option<u64>, depth: u32) -> PyResult<State> {
        let turn = kind.turn(&object)?;
        let payoff = if turn == Turn::Over { kind.payoff(&object)? } else { Payoff::DRAW };
        let actions = kind.actions(&object, turn)?;
        let weights = match turn {
            Turn::Chance => {
                actions.iter().map(|action| kind.weight(&object, action)).collect::<PyResult<Vec<_>>>()?
            }
            _ => Vec::new(),
        };
        if turn == Turn::Chance && weights.iter().all(|weight| *weight <= 0.0) {
            return Err(error(format!("game {}: no outcome of chance has positive odds", kind.word)));
        }
        let after = actions.iter().map(|_| OnceLock::new()).collect();
        let actions = actions.into_iter().map(Bound::unbind).collect();
        Ok(State {
            object: object.unbind(),
            turn,
            payoff,
            actions,
            weights,
            names: OnceLock::new(),
            hash,
            after,
            depth,
            kept: None,
        })
    }

    /// The position after an action, if it is kept.
    #[inline]
    pub fn after(&self, action: usize) -> Option<Arc<State>> {
        match self.after[action].get()? {
            After::Owned(state) => Some(state.clone()),
            After::Shared(state) => state.upgrade(),
        }
    }

    /// Makes the position after an action, and keeps it if there is room.
    pub fn reach(&self, py: Python<'_>, kind: &Kind, action: usize) -> PyResult<Arc<State>> {
        let object = kind.copied(py, self.object.bind(py))?;
        let object = kind.played(object, self.actions[action].bind(py))?;
        let hash = State::hash_of(kind, &object)?;
        if let Some(known) = hash.and_then(|hash| kind.known(hash)) {
            // Another way has led here before.
            let _ = self.after[action].set(After::Shared(Arc::downgrade(&known)));
            return Ok(known);
        }
        let mut state = State::with_hash(kind, object, hash, self.depth + 1)?;
        if !kind.has_room() || self.depth >= DEPTH_MAX {
            return Ok(Arc::new(state));
        }
        kind.kept.fetch_add(1, Ordering::Relaxed);
        state.kept = Some(kind.kept.clone());
        let state = Arc::new(state);
        let after = match hash {
            Some(hash) => {
                kind.keep(hash, &state);
                After::Shared(Arc::downgrade(&state))
            }
            None => After::Owned(state.clone()),
        };
        let _ = self.after[action].set(after);
        Ok(state)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(kept) = &self.kept {
            kept.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
