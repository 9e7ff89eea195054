//! Games for tests only, and functions that several tests share.

pub mod drawn;
pub mod woven;

use aji::{Game, Hashed, Payoff, Player, Rng, Turn};

/// The exact payoff to player 0 of a game of two, by full search.
pub fn solve<G: Game>(game: &G) -> f32 {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut after = game.clone();
        after.play(action);
        solve(&after)
    });
    match game.turn() {
        Turn::Player(0) => values.fold(f32::NEG_INFINITY, f32::max),
        Turn::Player(_) => values.fold(f32::INFINITY, f32::min),
        _ => game.payoff().of(0),
    }
}

/// Runs a test that must not go deep into the stack.
pub fn on_a_small_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(body);
    thread.expect("a thread").join().expect("no overflow");
}

/// Runs something as on a CPU without vector instructions. Other tests that run at the same time get the same results.
pub fn baseline<R>(body: impl FnOnce() -> R) -> R {
    aji_cpu::pretend_baseline(true);
    let result = body();
    aji_cpu::pretend_baseline(false);
    result
}

/// A random game: a hash of the path to a position gives its number of actions, its player to act and, at the end, its
/// payoff.
#[derive(Clone, Debug, PartialEq)]
pub struct Wild {
    hash: u64,
    plies_left: u8,
    /// The most actions a position has.
    pub width: u8,
}

impl Wild {
    /// A game of this seed, with at most this many plies and actions per position.
    pub fn new(seed: u64, plies: u8, width: u8) -> Wild {
        Wild { hash: Rng::seeded(seed).bits(), plies_left: plies, width }
    }

    fn draw(&self, what: u64, n: usize) -> usize {
        Rng::seeded(self.hash ^ what).below(n)
    }
}

impl Game for Wild {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.plies_left == 0 || self.draw(1, 12) == 0 {
            Turn::Over
        } else {
            Turn::Player(self.draw(2, 2) as Player)
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            out.extend(0..=self.draw(3, self.width as usize) as u8);
        }
    }

    fn play(&mut self, action: u8) {
        self.hash = Rng::seeded(self.hash.wrapping_add(u64::from(action) + 1)).bits();
        self.plies_left -= 1;
    }

    fn payoff(&self) -> Payoff {
        Payoff::margin(self.draw(4, 3) as f32 - 1.0)
    }
}

impl Hashed for Wild {
    /// The path is part of the position, so there are no transpositions.
    fn hash(&self) -> u64 {
        self.hash
    }
}
