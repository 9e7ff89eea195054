//! Canonical forms: {L|R} without the options that make no difference.
//!
//! 1. If some number x fits, with no left option >= x and no right option <= x, the game is the simplest such number.
//! 2. An option is dominated if its side has another that is at least as good. It is removed.
//! 3. A left option is reversible if Right can answer to a game that is <= the whole. The left options of that answer
//!    replace it. The same holds for Right, mirrored.
//!
//! None of this changes the value, so all comparisons with the whole use the options as given.

use super::{Form, GameError, Games};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Side};

/// About the bytes of a cached answer.
const ANSWER_BYTES: usize = 32;

/// A game whose canonical form is not known yet.
struct Whole {
    options: [Vec<Form>; 2],
    /// Caches whether the whole is at least as good for a side as a form.
    as_good: QuickMap<(Side, Form), bool>,
}

impl Games {
    /// The game in which Left can move to `lefts` and Right to `rights`.
    pub fn from_options(&mut self, lefts: &[Form], rights: &[Form]) -> Result<Form, GameError> {
        self.deeper(|games| {
            if let Some(number) = games.number_between(lefts, rights)? {
                return games.number(number);
            }
            let best = [games.undominated(Side::Left, lefts)?, games.undominated(Side::Right, rights)?];
            let (mut whole, beside) = (Whole { options: best, as_good: QuickMap::default() }, games.beside);
            let mut canonical = [Vec::new(), Vec::new()];
            for side in Side::BOTH {
                let options = games.without_reversible(&mut whole, side)?;
                canonical[side as usize] = games.undominated(side, &options)?;
            }
            games.beside = beside;
            games.keep_options(canonical)
        })
    }

    /// The number that a game with these options is equal to, if it is one.
    fn number_between(&mut self, lefts: &[Form], rights: &[Form]) -> Result<Option<Dyadic>, GameError> {
        let (low, high) = (self.bound(Side::Left, lefts)?, self.bound(Side::Right, rights)?);
        if let (Some((low, low_fits)), Some((high, high_fits))) = (low, high)
            && low >= high
        {
            return Ok((low == high && low_fits && high_fits).then_some(low));
        }
        let between = Dyadic::simplest_between(low.map(|(low, _)| low), high.map(|(high, _)| high))?;
        let ends = [low, high].into_iter().flatten().filter(|&(_, fits)| fits).map(|(end, _)| end);
        // The simplest number of a range has the smallest denominator, and then is nearest to 0.
        let simplicity = |number: &Dyadic| (number.exponent(), number.numerator().unsigned_abs());
        Ok(ends.chain(between).min_by_key(simplicity))
    }

    /// The bound that a side's options set on numbers that fit: Left's a lower one, Right's an upper one. The bool says
    /// whether the bound itself fits.
    fn bound(&mut self, side: Side, options: &[Form]) -> Result<Option<(Dyadic, bool)>, GameError> {
        let stops = options.iter().map(|&option| self.stop(option, side.other()));
        let Some(bound) = (match side {
            Side::Left => stops.max(),
            Side::Right => stops.min(),
        }) else {
            return Ok(None);
        };
        let number = self.number(bound)?;
        for &option in options {
            if self.stop(option, side.other()) == bound && self.as_good(side, option, number)? {
                return Ok(Some((bound, false)));
            }
        }
        Ok(Some((bound, true)))
    }

    /// The options of a side, with reversible ones replaced.
    fn without_reversible(&mut self, whole: &mut Whole, side: Side) -> Result<Vec<Form>, GameError> {
        let mut waiting = whole.options[side as usize].clone();
        let mut kept = Vec::with_capacity(waiting.len());
        'options: while let Some(option) = waiting.pop() {
            for &answer in self.options(option, side.other())?.iter() {
                if self.whole_as_good(whole, side, answer)? {
                    waiting.extend(self.options(answer, side)?.iter());
                    continue 'options;
                }
            }
            kept.push(option);
        }
        Ok(kept)
    }

    /// True if the whole is at least as good for a side as a form.
    fn whole_as_good(&mut self, whole: &mut Whole, side: Side, form: Form) -> Result<bool, GameError> {
        if let Some(&known) = whole.as_good.get(&(side, form)) {
            return Ok(known);
        }
        let found = self.deeper(|games| {
            for &option in &whole.options[side.other() as usize] {
                if games.as_good(side, form, option)? {
                    return Ok(false);
                }
            }
            for &option in games.options(form, side)?.iter() {
                if games.whole_as_good(whole, side.other(), option)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        whole.as_good.insert((side, form), found);
        self.beside += ANSWER_BYTES;
        Ok(found)
    }
}

/// Sorts and removes duplicates: positions have many moves to equal games.
pub(super) fn keep_each_once(forms: &mut Vec<Form>) {
    forms.sort_unstable();
    forms.dedup();
}
