//! board-game 0.8, its Monte Carlo tree search. Rewards are in 0..=1 and the bonus is c sqrt(ln n / n_i): the
//! constant is aji's.
//!
//! It has a solver that cannot be turned off: a proven child has no bonus and ends a simulation without a playout, a
//! proven root ends the search, and an expansion plays every action to see which children are terminal. A random
//! playout calls [`Board::play_random_available_move`] until there is an outcome. Here one call plays to the outcome,
//! with the game's own playout. The search plays only moves that it generated, so their legality is not checked again.

use crate::contest::{Contest, mover, playout, seed_playouts, sign};
use crate::engine::{Answer, Settings};
use aji_search::{Payoff, Turn};
use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{
    Alternating, Board, BoardDone, BoardMoves, BoardSymmetry, Outcome, PlayError, Player,
};
use board_game::symmetry::UnitSymmetry;
use internal_iterator::InternalIterator;
use rand_08::SeedableRng;
use rand_08::rngs::SmallRng;
use std::fmt::{Debug, Display, Formatter};
use std::hint::black_box;
use std::ops::ControlFlow;

#[derive(Clone, Debug, PartialEq)]
struct Position<G> {
    game: G,
    outcome: Option<Outcome>,
}

impl<G: Contest> Position<G> {
    #[inline(always)]
    fn end(payoff: Payoff) -> Outcome {
        match sign(payoff, 0) {
            1 => Outcome::WonBy(Player::A),
            0 => Outcome::Draw,
            _ => Outcome::WonBy(Player::B),
        }
    }
}

impl<G: PartialEq> Eq for Position<G> {}

impl<G: Debug> Display for Position<G> {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        write!(formatter, "{:?}", self.game)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Action<A>(A);

impl<A: Debug> Display for Action<A> {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl<G: Contest> Board for Position<G> {
    type Move = Action<G::Action>;

    #[inline(always)]
    fn next_player(&self) -> Player {
        if mover(&self.game) == 0 { Player::A } else { Player::B }
    }

    fn is_available_move(&self, action: Action<G::Action>) -> Result<bool, BoardDone> {
        Ok(self.available_moves()?.any(|available| available == action))
    }

    #[inline(always)]
    fn play(&mut self, action: Action<G::Action>) -> Result<(), PlayError> {
        self.game.play(action.0);
        self.outcome = (self.game.turn() == Turn::Over).then(|| Self::end(self.game.payoff()));
        Ok(())
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn can_lose_after_move() -> bool {
        true
    }

    #[inline(always)]
    fn play_random_available_move(&mut self, _: &mut impl rand_08::Rng) -> Result<(), BoardDone> {
        self.outcome = Some(Self::end(playout(&self.game)));
        Ok(())
    }
}

impl<G> Alternating for Position<G> {}

/// The actions of a position, listed in the thread's scratch.
#[derive(Clone)]
struct Available<'a, G>(&'a G);

impl<G: Contest> InternalIterator for Available<'_, G> {
    type Item = Action<G::Action>;

    #[inline(always)]
    fn try_for_each<R, F>(self, mut visit: F) -> ControlFlow<R>
    where
        F: FnMut(Action<G::Action>) -> ControlFlow<R>,
    {
        let mut actions = G::with_tools(|tools| std::mem::take(&mut tools.scratch));
        actions.clear();
        self.0.actions(&mut actions);
        let flow = actions.iter().try_for_each(|&action| visit(Action(action)));
        G::with_tools(|tools| tools.scratch = actions);
        flow
    }
}

impl<'a, G: Contest> BoardMoves<'a, Position<G>> for Position<G> {
    type AllMovesIterator = Available<'a, G>;
    type AvailableMovesIterator = Available<'a, G>;

    fn all_possible_moves() -> Available<'a, G> {
        unreachable!("a search asks only for available moves")
    }

    #[inline(always)]
    fn available_moves(&'a self) -> Result<Available<'a, G>, BoardDone> {
        self.check_done()?;
        Ok(Available(&self.game))
    }
}

impl<G: Contest> BoardSymmetry<Position<G>> for Position<G> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, action: Action<G::Action>) -> Action<G::Action> {
        action
    }

    fn canonical_key(&self) {}
}

pub fn search<G: Contest>(root: G, settings: Settings) -> Answer {
    seed_playouts::<G>(settings.seed);
    let root = Position { game: root, outcome: None };
    let mut rng = SmallRng::seed_from_u64(settings.seed);
    let tree = mcts_build_tree(&root, settings.simulations, settings.exploration, &mut rng);
    black_box(tree.best_move());
    Answer {
        simulations: tree[0].visits as u64,
        solved: tree[0].solution().is_some(),
        // Every node but the root was made by a play.
        plays_to_expand: tree.nodes.len() as u64 - 1,
        bytes: Some(size_of_val(tree.nodes.as_slice())),
    }
}
