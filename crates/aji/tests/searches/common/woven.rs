//! A game for tests only.

use aji::{Game, Hashed, Payoff, Player, Rng, Turn};

/// A random game with many transpositions: each level has a few positions, and every action leads to one of the next
/// level. If `chance` is set, chance acts in some of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Woven {
    seed: u64,
    level: u8,
    node: u8,
    levels: u8,
    players: u8,
    chance: bool,
}

/// Positions at a level of a [`Woven`] game, and the most points a player gets.
const NODES: usize = 6;
const POINTS: usize = 5;

impl Woven {
    /// A game of this seed.
    pub fn new(seed: u64, levels: u8, players: u8, chance: bool) -> Woven {
        Woven { seed, level: 0, node: 0, levels, players, chance }
    }

    fn draw(&self, what: u64, n: usize) -> usize {
        let place = u64::from(self.level) << 8 | u64::from(self.node);
        Rng::seeded(self.seed << 32 ^ place << 12 ^ what).below(n)
    }

    fn points(&self, what: u64) -> f32 {
        self.draw(what, 2 * POINTS + 1) as f32 - POINTS as f32
    }

    fn drawn_payoff(&self, what: u64) -> Payoff {
        if self.players == 2 {
            return Payoff::margin(self.points(what));
        }
        let mut payoff = Payoff::default();
        (0..self.players.into()).for_each(|player| payoff.0[player] = self.points(what + 1 + player as u64));
        payoff
    }

    /// A guess, right or wrong.
    #[allow(dead_code, reason = "not every test program guesses")]
    pub fn estimate(&self) -> Payoff {
        self.drawn_payoff(20)
    }
}

impl Game for Woven {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.level == self.levels || (self.level > 0 && self.draw(1, 12) == 0) {
            Turn::Over
        } else if self.level > 0 && self.chance && self.draw(2, 4) == 0 {
            Turn::Chance
        } else {
            Turn::Player(self.draw(3, self.players.into()) as Player)
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            out.extend(0..=self.draw(4, 4) as u8);
        }
    }

    fn play(&mut self, action: u8) {
        self.node = self.draw(100 + u64::from(action), NODES) as u8;
        self.level += 1;
    }

    fn payoff(&self) -> Payoff {
        self.drawn_payoff(10)
    }

    fn players(&self) -> usize {
        self.players.into()
    }

    fn payoff_range(&self) -> (f32, f32) {
        (-(POINTS as f32), POINTS as f32)
    }

    fn payoff_sum(&self) -> Option<f32> {
        (self.players == 2).then_some(0.0)
    }

    fn has_chance(&self) -> bool {
        self.chance
    }

    fn weight(&self, outcome: u8) -> f32 {
        1.0 + self.draw(200 + u64::from(outcome), 5) as f32
    }
}

impl Hashed for Woven {
    fn hash(&self) -> u64 {
        Rng::seeded(u64::from(self.level) << 8 | u64::from(self.node)).bits()
    }
}
