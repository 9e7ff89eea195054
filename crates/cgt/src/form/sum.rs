//! Negatives, sums and multiples.

use super::{Form, GameError, Games, remember};
use crate::Side;

impl Games {
    /// -G: the sides change places.
    pub fn negative(&mut self, form: Form) -> Result<Form, GameError> {
        if let Some(plain) = self.plain(form) {
            return self.keep_plain(plain.negated());
        }
        if let Some(&known) = self.negatives.get(&form) {
            return Ok(known);
        }
        let negative = self.deeper(|games| {
            let mut negatives = |side| -> Result<Vec<Form>, GameError> {
                games.options(form, side)?.iter().map(|&option| games.negative(option)).collect()
            };
            let options = [negatives(Side::Right)?, negatives(Side::Left)?];
            games.keep_options(options)
        })?;
        remember(&mut self.negatives, form, negative);
        remember(&mut self.negatives, negative, form);
        Ok(negative)
    }

    /// G + H: the mover moves in one of them.
    pub fn plus(&mut self, form: Form, other: Form) -> Result<Form, GameError> {
        self.step()?;
        let pair = (form.min(other), form.max(other));
        if pair.0 == Form::ZERO {
            return Ok(pair.1);
        }
        if let (Some(own), Some(others)) = (self.plain(form), self.plain(other)) {
            return self.keep_plain(own.plus(others)?);
        }
        if let Some(&known) = self.sums.get(&pair) {
            return Ok(known);
        }
        let sum = self.deeper(|games| {
            // Nobody moves in a number while anything else is left, and adding a number keeps options canonical.
            let is_shift = [form, other].iter().any(|&form| games.as_number(form).is_some());
            let mut options = [Vec::new(), Vec::new()];
            for side in Side::BOTH {
                for (moved, still) in [(form, other), (other, form)] {
                    if games.as_number(moved).is_some() {
                        continue;
                    }
                    for &option in games.options(moved, side)?.iter() {
                        options[side as usize].push(games.plus(option, still)?);
                    }
                }
            }
            if is_shift { games.keep_options(options) } else { games.from_options(&options[0], &options[1]) }
        })?;
        remember(&mut self.sums, pair, sum);
        Ok(sum)
    }

    /// G - H.
    pub fn minus(&mut self, form: Form, other: Form) -> Result<Form, GameError> {
        let negative = self.negative(other)?;
        self.plus(form, negative)
    }

    /// The sum of `count` copies of G; of -G if `count` is below 0.
    pub fn times(&mut self, form: Form, count: i128) -> Result<Form, GameError> {
        if let Some(plain) = self.plain(form) {
            return self.keep_plain(plain.times(count)?);
        }
        let mut double = if count < 0 { self.negative(form)? } else { form };
        let mut left = count.unsigned_abs();
        let mut sum = Form::ZERO;
        while left > 0 {
            if left % 2 == 1 {
                sum = self.plus(sum, double)?;
            }
            left /= 2;
            if left > 0 {
                double = self.plus(double, double)?;
            }
        }
        Ok(sum)
    }
}
