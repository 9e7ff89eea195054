//! arbor 0.2. Rewards are in 0..=1 and the bonus is c sqrt(ln n / n_i): the constant is aji's.
//!
//! Its own rollout generates all actions at every ply; the playout is plugged in as its custom evaluation. A terminal
//! child has no visit count and no bonus, so arbor returns to one more seldom than textbook UCT.

use crate::contest::{Contest, mover, playout, seed_playouts, sign};
use crate::engine::{Answer, Settings};
use aji_search::Turn;
use arbor::{GameResult, GameState, MCTS};
use std::fmt::{Debug, Display, Formatter, Result};
use std::hint::black_box;

#[derive(Clone, Copy, Debug)]
struct Position<G>(G);

#[derive(Clone, Copy, Debug)]
struct Action<A>(A);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Player(u8);

impl<A: Copy + Debug> arbor::Action for Action<A> {}

impl arbor::Player for Player {}

impl<G: Debug> Display for Position<G> {
    fn fmt(&self, formatter: &mut Formatter) -> Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl<G: Contest> GameState<Player, Action<G::Action>> for Position<G> {
    #[inline(always)]
    fn actions<F: FnMut(Action<G::Action>)>(&self, visit: &mut F) {
        G::with_tools(|tools| {
            tools.scratch.clear();
            self.0.actions(&mut tools.scratch);
            tools.scratch.iter().for_each(|&action| visit(Action(action)));
        });
    }

    #[inline(always)]
    fn make(&self, action: Action<G::Action>) -> Self {
        let mut next = *self;
        next.0.play(action.0);
        next
    }

    #[inline(always)]
    fn gameover(&self) -> Option<GameResult> {
        (self.0.turn() == Turn::Over).then(|| match sign(self.0.payoff(), mover(&self.0)) {
            1 => GameResult::Win,
            0 => GameResult::Draw,
            _ => GameResult::Lose,
        })
    }

    #[inline(always)]
    fn player(&self) -> Player {
        Player(mover(&self.0))
    }

    #[inline(always)]
    fn custom_evaluation(&self) -> f32 {
        0.5 + 0.5 * sign(playout(&self.0), mover(&self.0)) as f32
    }
}

pub fn search<G: Contest>(root: G, settings: Settings) -> Answer {
    seed_playouts::<G>(settings.seed);
    let mut search =
        MCTS::new(Position(root)).with_exploration(settings.exploration).with_custom_evaluation();
    search.ponder(settings.simulations as usize);
    black_box(search.best().map(|action| action.0));
    Answer {
        // The root starts with one visit of value 1/2 that no simulation made.
        simulations: u64::from(search.info.n) - 1,
        bytes: Some(search.info.bytes),
        ..Answer::default()
    }
}
