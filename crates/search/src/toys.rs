//! Small games to learn from, for tests.

use crate::{Game, Keyed, Payoff, Player, Turn};

/// Sweets lie on a table, and two players take one each in turn. Each sweet has a worth, to whoever takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sweets {
    worth: &'static [f32],
    left: u32,
    score: f32,
    mover: Player,
}

impl Sweets {
    pub(crate) fn new(worth: &'static [f32]) -> Sweets {
        Sweets { worth, left: (1 << worth.len()) - 1, score: 0.0, mover: 0 }
    }
}

impl Game for Sweets {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend((0..self.worth.len() as u8).filter(|sweet| self.left >> sweet & 1 == 1));
    }

    fn play(&mut self, sweet: u8) {
        self.left &= !(1 << sweet);
        let worth = self.worth[usize::from(sweet)];
        self.score += if self.mover == 0 { worth } else { -worth };
        self.mover = 1 - self.mover;
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(self.score)
    }

    fn payoff_range(&self) -> (f32, f32) {
        let most: f32 = self.worth.iter().sum();
        (-most, most)
    }
}

impl Keyed for Sweets {
    fn key_count(&self) -> usize {
        self.worth.len()
    }

    fn key(&self, sweet: u8) -> usize {
        sweet.into()
    }
}
