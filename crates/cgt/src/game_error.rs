//! The errors that stop a computation with games. Every limit has a name.

use crate::{Dyadic, Form, Overflow};
use std::fmt;

/// Why a game could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// A number does not fit.
    Number,
    /// A multiple of up does not fit.
    Ups,
    /// A line of play is too long.
    Depth,
    /// The computation takes too many steps.
    Steps,
    /// There are too many different games.
    Forms,
    /// The games need more than this many bytes.
    Memory(usize),
    /// Another thread has stopped the computation.
    Stopped,
    /// More than this many positions can follow a position.
    Positions(usize),
    /// A position can follow itself.
    Loop,
    /// The game is too long to be written out.
    Text,
    /// A tax or a heat is below 0.
    BelowZero(Dyadic),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Number => write!(f, "{Overflow}"),
            GameError::Ups => write!(f, "a game has more than {} ups", i32::MAX),
            GameError::Depth => write!(f, "a game goes deeper than {} moves", Form::DEPTH_MAX),
            GameError::Steps => write!(f, "a game takes more than {} steps", Form::STEPS_MAX),
            GameError::Forms => write!(f, "there are more than {} different games", Form::COUNT_MAX),
            GameError::Memory(most) => {
                write!(f, "its games need more than {} MB of memory; try a smaller one", most / 1_000_000)
            }
            GameError::Stopped => write!(f, "stopped before its end"),
            GameError::Positions(most) => write!(f, "more than {most} positions can follow"),
            GameError::Loop => write!(f, "a position can come back: only games that end have a form"),
            GameError::Text => {
                let (text, braces) = (Form::TEXT_MAX, Form::BRACES_MAX);
                write!(
                    f,
                    "a game needs more than {text} characters, or more than {braces} braces in each other"
                )
            }
            GameError::BelowZero(number) => write!(f, "expected a number from 0 up, found {number}"),
        }
    }
}

impl std::error::Error for GameError {}

impl From<Overflow> for GameError {
    fn from(_: Overflow) -> GameError {
        GameError::Number
    }
}
