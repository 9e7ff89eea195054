//! Mean, temperature, and games in which every move is taxed (cooling) or paid for (heating).
//!
//! Up to the temperature of G, G cooled by t is {GL cooled by t, less t | GR cooled by t, plus t}; above it, the mean
//! of G. At the temperature itself the formula still holds: a switch +-1 cooled by 1 is *, and cooled by more is 0
//! (Siegel, chapter II.5). G heated by t is {GL heated by t, plus t | GR heated by t, less t}. Both leave numbers as
//! they are.

use super::limits::bytes_of_graph;
use super::{Form, GameError, Games, remember};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Side, Thermograph, Wall};
use std::sync::Arc;

impl Games {
    /// The thermograph of the canonical form.
    pub fn thermograph(&mut self, form: Form) -> Result<Arc<Thermograph>, GameError> {
        if let Some(plain) = self.plain(form) {
            let like = self.keep_plain(plain.like_in_thermographs())?;
            if like != form {
                return self.thermograph(like);
            }
            if plain.is_number() {
                return Ok(Arc::new(Thermograph::number(plain.number)?));
            }
        }
        if let Some(known) = self.thermographs.get(&form) {
            return Ok(known.clone());
        }
        let graph = self.deeper(|games| {
            let mut walls = |side| -> Result<Vec<Wall>, GameError> {
                let mut walls = Vec::new();
                for &option in games.options(form, side)?.iter() {
                    let graph = games.thermograph(option)?;
                    walls.push(if side == Side::Left { graph.right() } else { graph.left() }.clone());
                }
                Ok(walls)
            };
            let (lefts, rights) = (walls(Side::Left)?, walls(Side::Right)?);
            Ok(Arc::new(Thermograph::of_options(&lefts, &rights)?))
        })?;
        self.lists += bytes_of_graph(&graph);
        remember(&mut self.thermographs, form, graph.clone());
        Ok(graph)
    }

    /// Its average value in a sum of many copies.
    pub fn mean(&mut self, form: Form) -> Result<Dyadic, GameError> {
        match self.plain(form) {
            Some(plain) => Ok(plain.number),
            None => Ok(self.thermograph(form)?.mean()),
        }
    }

    /// The value of a move: the tax from which nobody wants to move. Below 0 for numbers.
    pub fn temperature(&mut self, form: Form) -> Result<Dyadic, GameError> {
        match self.plain(form) {
            Some(plain) if plain.is_number() => Ok(Dyadic::new(-1, plain.number.exponent())?),
            Some(_) => Ok(Dyadic::ZERO),
            None => Ok(self.thermograph(form)?.temperature()),
        }
    }

    /// G cooled by a tax of 0 or more.
    pub fn cool(&mut self, form: Form, tax: Dyadic) -> Result<Form, GameError> {
        if tax < Dyadic::ZERO {
            return Err(GameError::BelowZero(tax));
        }
        self.taxed(form, tax, &mut QuickMap::default())
    }

    /// G heated by a number of 0 or more.
    pub fn heat(&mut self, form: Form, heat: Dyadic) -> Result<Form, GameError> {
        if heat < Dyadic::ZERO {
            return Err(GameError::BelowZero(heat));
        }
        self.taxed(form, -heat, &mut QuickMap::default())
    }

    /// Taxes every move, or pays for it if the tax is below 0.
    fn taxed(
        &mut self,
        form: Form,
        tax: Dyadic,
        known: &mut QuickMap<Form, Form>,
    ) -> Result<Form, GameError> {
        if self.as_number(form).is_some() || tax == Dyadic::ZERO {
            return Ok(form);
        }
        if self.temperature(form)? < tax {
            let mean = self.mean(form)?;
            return self.number(mean);
        }
        if let Some(&known) = known.get(&form) {
            return Ok(known);
        }
        let taxed = self.deeper(|games| {
            let mut options = [Vec::new(), Vec::new()];
            for side in Side::BOTH {
                let cost = games.number(if side == Side::Left { -tax } else { tax })?;
                for &option in games.options(form, side)?.iter() {
                    let option = games.taxed(option, tax, known)?;
                    options[side as usize].push(games.plus(option, cost)?);
                }
            }
            games.from_options(&options[0], &options[1])
        })?;
        known.insert(form, taxed);
        Ok(taxed)
    }
}
