//! Values and policies of leaves by a function in Python, many leaves in a call.

use crate::failure::{Failures, error};
use crate::game::Position;
use aji_search::{AnyGame, Encoded, Evaluate, Game, Leaf, Payoff, Rng, Shape, Turn, ValueKind};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An evaluation by a function in Python.
///
/// The function gets the movers of the leaves, their positions (of a game in Python) or their features, and how many
/// actions each has. It returns rewards in -1..=1 for each leaf and player, and the weights of the actions, both as bytes of
/// `f32` of the lengths that it was told. `python/aji/_own.py` makes it from a user's function, and checks what that
/// returns.
pub struct Called {
    function: Arc<Py<PyAny>>,
    failures: Failures,
    /// Once it is set, the search is unwound.
    is_over: Arc<AtomicBool>,
}

impl Called {
    pub fn new(function: Arc<Py<PyAny>>, failures: Failures) -> Called {
        Called { function, failures, is_over: Arc::default() }
    }

    /// The same for a search that nothing else can stop.
    pub fn stopped_by(self, is_over: Arc<AtomicBool>) -> Called {
        Called { is_over, ..self }
    }

    /// Asks the function about these leaves. Returns its rewards and weights, and the number of weights of a leaf.
    fn ask(&self, py: Python<'_>, leaves: &[Leaf<AnyGame>]) -> PyResult<(Vec<f32>, Vec<f32>, usize)> {
        let first = &leaves[0].game;
        let shape = if first.has().encoded { first.shape() } else { Shape::EMPTY };
        let movers: Vec<u8> = leaves.iter().map(|leaf| mover(&leaf.game)).collect();
        let counts: Vec<usize> = leaves.iter().map(|leaf| leaf.actions.len()).collect();
        let width =
            if shape == Shape::EMPTY { counts.iter().copied().max().unwrap_or(0) } else { shape.actions };
        let states = match first.as_game::<Position>() {
            Some(_) => {
                let object = |leaf: &Leaf<AnyGame>| {
                    leaf.game.as_game::<Position>().map(|own| own.object().clone_ref(py))
                };
                Some(PyList::new(py, leaves.iter().filter_map(object))?)
            }
            None => None,
        };
        let players = first.players();
        let (features, legal) = (features(leaves, &shape), legal(leaves, &shape, width));
        let sizes = (shape.planes, shape.rows, shape.columns);
        let asked = (
            PyBytes::new(py, &movers),
            states,
            PyBytes::new(py, &features),
            sizes,
            PyBytes::new(py, &legal),
            width,
            players,
        );
        let answer = self.function.bind(py).call1(asked)?;
        let (values, weights): (Bound<'_, PyBytes>, Bound<'_, PyBytes>) = answer.extract()?;
        let (values, weights) = (floats(values.as_bytes()), floats(weights.as_bytes()));
        if values.len() != leaves.len() * players
            || !(weights.is_empty() || weights.len() == leaves.len() * width)
        {
            return Err(error("evaluate: the adapter returned arrays of another size"));
        }
        Ok((values, weights, width))
    }
}

/// The player to act; 0 where nobody is.
fn mover(game: &AnyGame) -> u8 {
    match game.turn() {
        Turn::Player(player) => player,
        _ => 0,
    }
}

/// The features of the leaves as bytes of `f32`, 0 or 1; empty without an encoding.
fn features(leaves: &[Leaf<AnyGame>], shape: &Shape) -> Vec<u8> {
    let size = shape.features();
    let mut bytes = vec![0; leaves.len() * size * size_of::<f32>()];
    let mut on = Vec::new();
    for (place, leaf) in leaves.iter().enumerate().filter(|_| size > 0) {
        on.clear();
        leaf.game.features(&mut on);
        for &feature in &on {
            let at = (place * size + feature as usize) * size_of::<f32>();
            bytes[at..at + size_of::<f32>()].copy_from_slice(&1f32.to_ne_bytes());
        }
    }
    bytes
}

/// The column of an action among the weights of a leaf.
fn column(game: &AnyGame, shape: &Shape, action: u16) -> usize {
    if *shape == Shape::EMPTY { action.into() } else { game.action_index(action) }
}

/// Which weights are of legal actions, a byte each.
fn legal(leaves: &[Leaf<AnyGame>], shape: &Shape, width: usize) -> Vec<u8> {
    let mut legal = vec![0; leaves.len() * width];
    for (place, leaf) in leaves.iter().enumerate() {
        for &action in &leaf.actions {
            legal[place * width + column(&leaf.game, shape, action)] = 1;
        }
    }
    legal
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect()
}

impl Evaluate<AnyGame> for Called {
    fn has_policy(&self) -> bool {
        true
    }

    fn values_chance(&self) -> bool {
        false
    }

    fn is_random(&self) -> bool {
        false
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<AnyGame>], _rng: &mut Rng) {
        if leaves.is_empty() {
            return;
        }
        if self.is_over.load(Ordering::Relaxed) {
            Failures::unwind();
        }
        let answer = Python::attach(|py| self.ask(py, leaves));
        let (values, weights, width) = answer.unwrap_or_else(|exception| self.failures.raise(exception));
        let (players, shape) = (leaves[0].game.players(), leaves[0].game.shape());
        for (place, leaf) in leaves.iter_mut().enumerate() {
            let mut payoff = Payoff::DRAW;
            for (player, value) in values[place * players..(place + 1) * players].iter().enumerate() {
                payoff.0[player] = (value + 1.0) / 2.0;
            }
            (leaf.payoff, leaf.kind) = (payoff, ValueKind::Reward);
            leaf.policy.clear();
            if !weights.is_empty() {
                let own = &weights[place * width..(place + 1) * width];
                let weight = |&action: &u16| own[column(&leaf.game, &shape, action)];
                leaf.policy.extend(leaf.actions.iter().map(weight));
            }
        }
    }
}
