//! mcts 0.3. Its bonus is 2 c sqrt(ln n / n_i). Rewards are integers, here -1, 0 and 1: twice as wide as 0..=1, so
//! that the 2 cancels and the constant is aji's.

use crate::contest::{Contest, actions, mover, playout, seed_playouts, sign};
use crate::engine::{Answer, Settings};
use aji_search::{Player, Turn};
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use std::hint::black_box;
use std::marker::PhantomData;

#[derive(Clone)]
struct Position<G>(G);

impl<G: Contest> GameState for Position<G> {
    type Move = G::Action;
    type Player = Player;
    type MoveList = Vec<G::Action>;

    #[inline(always)]
    fn current_player(&self) -> Player {
        mover(&self.0)
    }

    #[inline(always)]
    fn available_moves(&self) -> Vec<G::Action> {
        actions(&self.0)
    }

    #[inline(always)]
    fn make_move(&mut self, action: &G::Action) {
        self.0.play(*action);
    }
}

struct Playouts;

impl<G: Contest> Evaluator<Rules<G>> for Playouts {
    /// The sign of player 0's payoff.
    type StateEvaluation = i32;

    #[inline(always)]
    fn evaluate_new_state(
        &self,
        state: &Position<G>,
        moves: &Vec<G::Action>,
        handle: Option<SearchHandle<Rules<G>>>,
    ) -> (Vec<()>, i32) {
        let payoff = match handle {
            // The root, whose own value is never used.
            None => return (vec![(); moves.len()], 0),
            Some(_) if state.0.turn() == Turn::Over => state.0.payoff(),
            Some(_) => playout(&state.0),
        };
        (vec![(); moves.len()], sign(payoff, 0))
    }

    /// Called only at the end of the game: at every other node the second visit takes one of its moves.
    #[inline(always)]
    fn evaluate_existing_state(&self, _: &Position<G>, known: &i32, _: SearchHandle<Rules<G>>) -> i32 {
        *known
    }

    #[inline(always)]
    fn interpret_evaluation_for_player(&self, sign: &i32, player: &Player) -> i64 {
        i64::from(if *player == 0 { *sign } else { -*sign })
    }
}

struct Rules<G>(PhantomData<G>);

impl<G: Contest> MCTS for Rules<G> {
    type State = Position<G>;
    type Eval = Playouts;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}

pub fn search<G: Contest>(root: G, settings: Settings) -> Answer {
    seed_playouts::<G>(settings.seed);
    let policy = UCTPolicy::new(settings.exploration.into());
    let mut search = MCTSManager::new(Position(root), Rules(PhantomData), Playouts, policy, ());
    search.playout_n(settings.simulations);
    black_box(search.best_move());
    Answer {
        simulations: search.tree().root_node().moves().map(|child| child.visits()).sum(),
        ..Answer::default()
    }
}
