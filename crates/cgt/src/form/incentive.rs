//! Incentives: what a move gains, as a game (Conway; Kao et al. 2013, equations 8 and 9).
//!
//! Left's are GL - G, and Right's G - GR, so that more is better for the mover. They are only partially ordered.

use super::{Form, GameError, Games};
use crate::Side;

impl Games {
    /// The incentive of each canonical option of a side, in the order of the options.
    pub fn incentives(&mut self, form: Form, side: Side) -> Result<Vec<Form>, GameError> {
        let incentive = |games: &mut Games, option| match side {
            Side::Left => games.minus(option, form),
            Side::Right => games.minus(form, option),
        };
        self.options(form, side)?.iter().map(|&option| incentive(self, option)).collect()
    }

    /// The undominated incentives of a side, each once.
    pub fn best_incentives(&mut self, form: Form, side: Side) -> Result<Vec<Form>, GameError> {
        let incentives = self.incentives(form, side)?;
        self.undominated(Side::Left, &incentives)
    }
}
