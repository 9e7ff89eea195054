//! Thermographs of positions, each computed once: from their options' walls, or from their canonical forms.

use crate::{Dyadic, Forms, GameError, Games, Move, Overflow, Position, Side, Thermograph, Wall};
use std::collections::HashMap;

/// The thermograph of a position in one piece, from those of all positions that can follow, without building forms.
///
/// A position without moves is a score of 0. One where only one side can move, or where moving only hurts, is a
/// number.
pub fn thermograph_of<P: Position>(position: &P) -> Result<Thermograph, Overflow> {
    Thermographs::default().of(position).cloned()
}

/// Computes and caches the thermographs of positions.
pub trait Graphs<P>: Default {
    /// The thermograph of a position.
    fn graph(&mut self, position: &P) -> Result<&Thermograph, GameError>;
}

/// Thermographs by canonical forms. They work for any position, even where the player who cannot move loses and an
/// infinitesimal decides which number a game is.
pub struct FormGraphs<P> {
    games: Games,
    forms: Forms<P>,
    known: HashMap<P, Thermograph>,
}

impl<P> FormGraphs<P> {
    /// The most positions studied, for all forms together.
    pub const POSITIONS_MAX: usize = 1 << 16;
}

impl<P> Default for FormGraphs<P> {
    fn default() -> FormGraphs<P> {
        let forms = Forms::up_to(FormGraphs::<P>::POSITIONS_MAX);
        FormGraphs { games: Games::new(), forms, known: HashMap::new() }
    }
}

impl<P: Position> Graphs<P> for FormGraphs<P> {
    fn graph(&mut self, position: &P) -> Result<&Thermograph, GameError> {
        if !self.known.contains_key(position) {
            let form = self.forms.of(&mut self.games, position)?;
            let graph = Thermograph::clone(&*self.games.thermograph(form)?);
            self.known.insert(position.clone(), graph);
        }
        self.known.get(position).ok_or(GameError::Forms)
    }
}

impl<P: Position> Graphs<P> for Thermographs<P> {
    fn graph(&mut self, position: &P) -> Result<&Thermograph, GameError> {
        Ok(self.of(position)?)
    }
}

/// Thermographs of positions without forms, each computed once. Positions must be in one piece. Their moves must pay,
/// or every possible move must be welcome.
#[derive(Clone, Debug)]
pub struct Thermographs<P> {
    known: HashMap<P, Thermograph>,
}

impl<P> Default for Thermographs<P> {
    fn default() -> Thermographs<P> {
        Thermographs { known: HashMap::new() }
    }
}

impl<P: Position> Thermographs<P> {
    /// The thermograph of a position.
    pub fn of(&mut self, position: &P) -> Result<&Thermograph, Overflow> {
        // Depth first, on an explicit stack: a position is done once all its followers are.
        let mut waiting = vec![position.clone()];
        while let Some(next) = waiting.pop() {
            if self.known.contains_key(&next) {
                continue;
            }
            let moves = Side::BOTH.map(|side| next.moves(side));
            let after = moves.iter().flatten().map(|option| &option.to);
            let missing: Vec<P> = after.filter(|to| !self.known.contains_key(to)).cloned().collect();
            if missing.is_empty() {
                let graph = Thermograph::of_options(
                    &self.walls(Side::Left, &moves[0])?,
                    &self.walls(Side::Right, &moves[1])?,
                )?;
                self.known.insert(next, graph);
            } else {
                waiting.push(next);
                waiting.extend(missing);
            }
        }
        self.known.get(position).ok_or(Overflow)
    }

    /// What each move of a side leads to: the other side's wall there, plus the payment of the move.
    fn walls(&self, side: Side, moves: &[Move<P>]) -> Result<Vec<Wall>, Overflow> {
        let wall = |option: &Move<P>| {
            let graph = self.known.get(&option.to).ok_or(Overflow)?;
            let wall = if side == Side::Left { graph.right() } else { graph.left() };
            wall.plus(Dyadic::from(option.gain))
        };
        moves.iter().map(wall).collect()
    }
}
