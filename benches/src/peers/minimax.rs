//! minimax 0.6, its Monte Carlo strategy. Rewards are in 0..=1 and the bonus is sqrt(2 log2 n / n_i), with nothing to
//! set: that is c = sqrt(2 / ln 2) = 1.70. Its trees are therefore a little shallower than aji's, in its favour.
//!
//! It has a solver that cannot be turned off: proven wins and losses end a simulation without a playout. Its own
//! rollout seeds a generator each time; the playout replaces all of it. It expands a leaf on its first visit unless
//! told to wait for one rollout, which is what aji does, and cheaper. It seeds itself, so no two runs are the same.

use crate::contest::{Contest, playout, sign};
use crate::engine::{Answer, Settings};
use aji_search::{Player, Turn};
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand_09::rngs::SmallRng;
use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// The result of a rollout from a terminal position that is lost for the player to move.
const PROVEN_WIN: i32 = i32::MAX;

/// The player who moved before the root.
const NOBODY: Player = Player::MAX;

/// The strategy does not expose its visit counts, so the moves from the root are counted here: one per simulation.
/// It runs on one thread of its own.
static ROOT_MOVES: AtomicU64 = AtomicU64::new(0);

#[derive(Clone)]
struct Position<G> {
    game: G,
    just_moved: Player,
}

impl<G: Contest> Position<G> {
    #[inline(always)]
    fn winner(&self) -> Option<Winner> {
        (self.game.turn() == Turn::Over).then(|| match sign(self.game.payoff(), self.just_moved) {
            1 => Winner::PlayerJustMoved,
            0 => Winner::Draw,
            _ => Winner::PlayerToMove,
        })
    }
}

struct Rules<G>(PhantomData<G>);

impl<G: Contest> Game for Rules<G> {
    type S = Position<G>;
    type M = G::Action;

    #[inline(always)]
    fn generate_moves(position: &Position<G>, moves: &mut Vec<G::Action>) -> Option<Winner> {
        let winner = position.winner();
        if winner.is_none() {
            position.game.actions(moves);
        }
        winner
    }

    #[inline(always)]
    fn apply(position: &mut Position<G>, action: G::Action) -> Option<Position<G>> {
        if position.just_moved == NOBODY {
            // One thread: no need for an atomic addition.
            ROOT_MOVES.store(ROOT_MOVES.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        let Turn::Player(player) = position.game.turn() else { unreachable!("no move at the end") };
        let mut next = Position { game: position.game, just_moved: player };
        next.game.play(action);
        Some(next)
    }

    fn get_winner(position: &Position<G>) -> Option<Winner> {
        position.winner()
    }
}

struct Playouts<G>(PhantomData<G>);

impl<G: Contest> RolloutPolicy for Playouts<G> {
    type G = Rules<G>;

    fn random_move(
        &self,
        _: &mut Position<G>,
        _: &mut Vec<G::Action>,
        _: &mut SmallRng,
    ) -> Result<G::Action, Winner> {
        unreachable!("only the default rollout asks for single moves")
    }

    /// 1 for a win of the player who just moved, -1 for a loss.
    #[inline(always)]
    fn rollout(&self, _: &MCTSOptions, position: &Position<G>) -> i32 {
        match position.winner() {
            Some(Winner::PlayerJustMoved) => PROVEN_WIN,
            Some(Winner::PlayerToMove) => -PROVEN_WIN,
            Some(Winner::Draw) => 0,
            None => sign(playout(&position.game), position.just_moved),
        }
    }
}

pub fn search<G: Contest>(root: G, settings: Settings) -> Answer {
    let options = MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(1);
    let mut search = MonteCarloTreeSearch::new_with_policy(options, Box::new(Playouts::<G>(PhantomData)));
    search.set_max_rollouts(settings.simulations.try_into().expect("minimax counts rollouts in 32 bits"));
    ROOT_MOVES.store(0, Ordering::Relaxed);
    black_box(search.choose_move(&Position { game: root, just_moved: NOBODY }));
    let made = ROOT_MOVES.load(Ordering::Relaxed);
    // Simulations no longer descend from a proven root.
    Answer { simulations: made, solved: made < settings.simulations, ..Answer::default() }
}
