//! The partial order of games: G >= H when Left, moving second, wins G - H.
//!
//! By definition G >= H unless some right option of G is <= H, or G is <= some left option of H. In most cases the
//! stops decide without the options. G >= H implies the same of both stops, and a right stop above a left stop is
//! enough.

use super::{Form, GameError, Games, remember};
use crate::Side;
use std::fmt;

/// How two games compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Better for Left.
    Greater,
    /// Better for Right.
    Less,
    /// No game can tell them apart.
    Equal,
    /// The player who moves first in the difference wins.
    Confused,
}

impl Relation {
    /// From G >= H and H >= G.
    fn of(at_least: bool, at_most: bool) -> Relation {
        match (at_least, at_most) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Greater,
            (false, true) => Relation::Less,
            (false, false) => Relation::Confused,
        }
    }

    /// True for greater or equal.
    pub fn is_at_least(self) -> bool {
        matches!(self, Relation::Greater | Relation::Equal)
    }

    /// True for less or equal.
    pub fn is_at_most(self) -> bool {
        matches!(self, Relation::Less | Relation::Equal)
    }
}

/// `>`, `<`, `=` or `||`.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Greater => ">",
            Relation::Less => "<",
            Relation::Equal => "=",
            Relation::Confused => "||",
        })
    }
}

/// Who wins a game in which the last mover wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Left, whoever begins.
    Left,
    /// Right, whoever begins.
    Right,
    /// The player who begins.
    First,
    /// The player who does not begin.
    Second,
}

/// `left wins`, `right wins`, `first wins` or `second wins`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Left => "left wins",
            Outcome::Right => "right wins",
            Outcome::First => "first wins",
            Outcome::Second => "second wins",
        })
    }
}

impl Games {
    /// How G compares with H.
    pub fn relation(&mut self, form: Form, other: Form) -> Result<Relation, GameError> {
        if let (Some(own), Some(others)) = (self.plain(form), self.plain(other)) {
            return Ok(own.relation(others));
        }
        Ok(Relation::of(self.at_least(form, other)?, self.at_least(other, form)?))
    }

    /// Who wins.
    pub fn outcome(&mut self, form: Form) -> Result<Outcome, GameError> {
        Ok(match self.relation(form, Form::ZERO)? {
            Relation::Greater => Outcome::Left,
            Relation::Less => Outcome::Right,
            Relation::Confused => Outcome::First,
            Relation::Equal => Outcome::Second,
        })
    }

    /// Whether G >= H.
    pub fn at_least(&mut self, form: Form, other: Form) -> Result<bool, GameError> {
        self.step()?;
        if form == other {
            return Ok(true);
        }
        if let (Some(own), Some(others)) = (self.plain(form), self.plain(other)) {
            return Ok(own.relation(others).is_at_least());
        }
        if self.right_stop(form) > self.left_stop(other) {
            return Ok(true);
        }
        if Side::BOTH.iter().any(|&first| self.stop(form, first) < self.stop(other, first)) {
            return Ok(false);
        }
        if let Some(&known) = self.at_least.get(&(form, other)) {
            return Ok(known);
        }
        let found = self.deeper(|games| {
            for &right in games.options(form, Side::Right)?.iter() {
                if games.at_least(other, right)? {
                    return Ok(false);
                }
            }
            for &left in games.options(other, Side::Left)?.iter() {
                if games.at_least(left, form)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        remember(&mut self.at_least, (form, other), found);
        Ok(found)
    }

    /// Whether `form` is at least as good for a side as `other`.
    pub fn as_good(&mut self, side: Side, form: Form, other: Form) -> Result<bool, GameError> {
        match side {
            Side::Left => self.at_least(form, other),
            Side::Right => self.at_least(other, form),
        }
    }

    /// The forms that no other is better than for a side, each once.
    pub fn undominated(&mut self, side: Side, forms: &[Form]) -> Result<Vec<Form>, GameError> {
        let mut best: Vec<Form> = Vec::with_capacity(forms.len());
        'forms: for &form in forms {
            let mut index = 0;
            while let Some(&other) = best.get(index) {
                if self.as_good(side, other, form)? {
                    continue 'forms;
                }
                if self.as_good(side, form, other)? {
                    best.remove(index);
                } else {
                    index += 1;
                }
            }
            best.push(form);
        }
        Ok(best)
    }
}
