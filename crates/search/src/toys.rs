//! Small games for tests.

use crate::{Game, Hashed, Keyed, Payoff, Player, Rng, Turn};

/// Sweets lie on a table, and two players take one each in turn. Each sweet has a worth to the player who takes it.
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

/// The hash leaves out the score so far.
impl Hashed for Sweets {
    fn hash(&self) -> u64 {
        Rng::seeded(u64::from(self.left) << 1 | u64::from(self.mover)).bits()
    }

    fn so_far(&self) -> Option<Payoff> {
        Some(self.payoff())
    }
}

/// In each round player 0 says a number, and player 1 answers with one. Player 1 wins by giving more right answers
/// (the same number) than wrong ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Echo {
    said: Option<u8>,
    rounds: u8,
    right: i8,
}

impl Echo {
    pub(crate) const NUMBERS: u8 = 3;

    pub(crate) fn new(rounds: u8) -> Echo {
        Echo { said: None, rounds, right: 0 }
    }
}

impl Game for Echo {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self {
            Echo { rounds: 0, .. } => Turn::Over,
            Echo { said: None, .. } => Turn::Player(0),
            _ => Turn::Player(1),
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..Echo::NUMBERS);
    }

    fn play(&mut self, number: u8) {
        match self.said.take() {
            None => self.said = Some(number),
            Some(said) => {
                self.right += if said == number { 1 } else { -1 };
                self.rounds -= 1;
            }
        }
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(-f32::from(self.right.signum()))
    }
}

impl Keyed for Echo {
    fn key_count(&self) -> usize {
        2 * usize::from(Echo::NUMBERS)
    }

    /// Answers have keys of their own, after those of the numbers said.
    fn key(&self, number: u8) -> usize {
        usize::from(number) + if self.said.is_some() { usize::from(Echo::NUMBERS) } else { 0 }
    }
}

/// Player 0 chooses one of two ways, then an action. On the rich way `FLASHY` pays 5 and `SOLID` 6; on the poor way
/// `SOLID` and `OTHER` pay 0. So `SOLID` is better where both are available, but `FLASHY` appears in better company.
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
