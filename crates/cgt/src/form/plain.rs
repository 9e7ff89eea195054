//! Number-up-star: the sums x + n.^ + *k. Most small games are one. They are stored as x, n and k, however large.
//!
//! Their canonical options are known (Berlekamp, Conway and Guy, Winning Ways, chapters 2 and 3). For a number x:
//!
//! - x + *k has the options x, x + *, ..., x + *(k - 1) for both sides;
//! - x + n.^ + *k with n > 0 is {x | x + (n - 1).^ + *(k xor 1)}, but x + ^ + * is {x, x + * | x};
//! - with n < 0 it is the mirror image.

use super::Relation;
use crate::{Dyadic, GameError, Overflow, Side};

/// x + n.^ + *k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Plain {
    /// x.
    pub number: Dyadic,
    /// n, never the smallest i32, so that it can be negated.
    pub ups: i32,
    /// k.
    pub nimber: u16,
}

impl Plain {
    /// A number alone.
    pub fn number(number: Dyadic) -> Plain {
        Plain { number, ups: 0, nimber: 0 }
    }

    /// True for numbers.
    pub fn is_number(self) -> bool {
        self.ups == 0 && self.nimber == 0
    }

    /// -G.
    pub fn negated(self) -> Plain {
        Plain { number: -self.number, ups: -self.ups, nimber: self.nimber }
    }

    /// The sum.
    pub fn plus(self, other: Plain) -> Result<Plain, GameError> {
        Ok(Plain {
            number: self.number.plus(other.number)?,
            ups: ups(i128::from(self.ups) + i128::from(other.ups))?,
            nimber: self.nimber ^ other.nimber,
        })
    }

    /// The sum of `count` copies; of the negative if `count` is negative.
    pub fn times(self, count: i128) -> Result<Plain, GameError> {
        Ok(Plain {
            number: self.number.times(count)?,
            ups: ups(i128::from(self.ups).checked_mul(count).ok_or(GameError::Ups)?)?,
            nimber: if count % 2 == 0 { 0 } else { self.nimber },
        })
    }

    /// Compares two plain games: first by number, then by ups. One up is confused with *, and with no other nimber.
    pub fn relation(self, other: Plain) -> Relation {
        let ups = i64::from(self.ups) - i64::from(other.ups);
        match (self.number.cmp(&other.number), ups, self.nimber ^ other.nimber) {
            (std::cmp::Ordering::Greater, ..) => Relation::Greater,
            (std::cmp::Ordering::Less, ..) => Relation::Less,
            (_, 0, 0) => Relation::Equal,
            (_, 0, _) | (_, 1 | -1, 1) => Relation::Confused,
            (_, 1.., _) => Relation::Greater,
            _ => Relation::Less,
        }
    }

    /// The canonical options of one side.
    pub fn options(self, side: Side) -> Result<Vec<Plain>, Overflow> {
        if self.is_number() {
            return Ok(Plain::number_option(self.number, side)?.into_iter().map(Plain::number).collect());
        }
        let number = Plain::number(self.number);
        // The side that the ups favour moves to the number.
        let owner = if self.ups > 0 { Side::Left } else { Side::Right };
        Ok(match self.ups.abs() {
            0 => (0..self.nimber).map(|nimber| Plain { nimber, ..self }).collect(),
            1 if self.nimber == 1 && side == owner => vec![number, Plain { nimber: 1, ..number }],
            _ if side == owner => vec![number],
            _ => vec![Plain { ups: self.ups - self.ups.signum(), nimber: self.nimber ^ 1, ..self }],
        })
    }

    /// The only option of a number for a side, if there is one.
    fn number_option(number: Dyadic, side: Side) -> Result<Option<Dyadic>, Overflow> {
        let is_up = side == Side::Right;
        // Only the side that moves a whole number towards 0 has an option.
        if number.is_integer() && (number == Dyadic::ZERO || (number < Dyadic::ZERO) != is_up) {
            return Ok(None);
        }
        let step = Dyadic::new(if is_up { 1 } else { -1 }, number.exponent())?;
        number.plus(step).map(Some)
    }

    /// The plain game with these canonical options. It is not a number. `None` if no plain game has them.
    pub fn of_options(lefts: &[Plain], rights: &[Plain]) -> Option<Plain> {
        let number = lefts.first()?.number;
        let guess = match (lefts, rights) {
            _ if lefts.len() == rights.len()
                && lefts.iter().all(|option| option.ups == 0 && rights.contains(option)) =>
            {
                Plain { number, ups: 0, nimber: u16::try_from(lefts.len()).ok()? }
            }
            ([_, _], [_]) => Plain { number, ups: 1, nimber: 1 },
            ([_], [_, _]) => Plain { number, ups: -1, nimber: 1 },
            ([left], [right]) if left.is_number() && right.ups >= 0 => {
                Plain { number, ups: right.ups.checked_add(1)?, nimber: right.nimber ^ 1 }
            }
            ([left], [right]) if right.is_number() && left.ups <= 0 => Plain {
                number,
                ups: left.ups.checked_sub(1).filter(|&ups| ups > i32::MIN)?,
                nimber: left.nimber ^ 1,
            },
            _ => return None,
        };
        let has = |side, options: &[Plain]| {
            let expected = guess.options(side).ok()?;
            (expected.len() == options.len() && options.iter().all(|option| expected.contains(option)))
                .then_some(())
        };
        has(Side::Left, lefts).and(has(Side::Right, rights)).map(|()| guess)
    }

    /// The number of moves in its longest line of play.
    pub fn birthday(self) -> u128 {
        let whole = self.number.numerator().unsigned_abs() >> self.number.exponent().min(Dyadic::BITS);
        let fraction = if self.number.is_integer() { 0 } else { u128::from(self.number.exponent()) + 1 };
        let nimber = match self.ups {
            0 => self.nimber,
            // Each move of the other side removes an up and changes the nimber by *.
            ups => (self.nimber ^ (ups.unsigned_abs() % 2) as u16).max(1),
        };
        whole + fraction + u128::from(self.ups.unsigned_abs()) + u128::from(nimber)
    }

    /// A smaller game with the same thermograph: extra ups beyond one, or *2 for *, change nothing in it.
    pub fn like_in_thermographs(self) -> Plain {
        match (self.ups, self.nimber) {
            (0, nimber) => Plain { nimber: nimber.min(1), ..self },
            (1 | -1, 1) => self,
            (ups, _) => Plain { ups: ups.signum(), nimber: 0, ..self },
        }
    }
}

/// Checks that a multiple of up fits.
fn ups(ups: i128) -> Result<i32, GameError> {
    i32::try_from(ups).ok().filter(|&ups| ups > i32::MIN).ok_or(GameError::Ups)
}
