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

/// Two ways, both player 0's to choose. On the rich way `FLASHY` pays 5 and `SOLID` 6; on the poor way `SOLID` pays 0 and so
/// does `OTHER`. So `SOLID` is better where there is a choice, but `FLASHY` is seen in better company.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TwoWays {
    way: Option<u8>,
    paid: Option<f32>,
}

impl TwoWays {
    pub(crate) const RICH: u8 = 0;
    pub(crate) const POOR: u8 = 1;
    pub(crate) const FLASHY: u8 = 2;
    pub(crate) const SOLID: u8 = 3;
    pub(crate) const OTHER: u8 = 4;

    pub(crate) fn new() -> TwoWays {
        TwoWays { way: None, paid: None }
    }
}

impl Game for TwoWays {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.paid.is_some() { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(match self.way {
            None => [TwoWays::RICH, TwoWays::POOR],
            Some(TwoWays::RICH) => [TwoWays::FLASHY, TwoWays::SOLID],
            Some(_) => [TwoWays::SOLID, TwoWays::OTHER],
        });
    }

    fn play(&mut self, action: u8) {
        match (self.way, action) {
            (None, way) => self.way = Some(way),
            (Some(TwoWays::RICH), TwoWays::FLASHY) => self.paid = Some(5.0),
            (Some(TwoWays::RICH), _) => self.paid = Some(6.0),
            _ => self.paid = Some(0.0),
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(self.paid.unwrap_or(0.0))
    }

    fn payoff_range(&self) -> (f32, f32) {
        (-6.0, 6.0)
    }
}

impl Keyed for TwoWays {
    fn key_count(&self) -> usize {
        5
    }

    fn key(&self, action: u8) -> usize {
        action.into()
    }
}
