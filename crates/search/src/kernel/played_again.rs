//! The moves of a playout that has been made, for explanations: told by the game, or found by a replay.

use crate::{Game, Leaf, Rng, Turn, ValueKind};

/// The moves of a playout, each by its place among the actions.
pub(crate) struct PlayedAgain {
    pub(crate) moves: Vec<u16>,
    /// Whether the next move is one that the rules forbid. The moves end before it.
    pub(crate) is_forbidden_next: bool,
}

/// The moves of the playout that led from this position to the leaf's answer, and from one random state to the other.
pub(super) fn found<G: Game>(kept: &G, leaf: &Leaf<G>, (before, after): (Rng, &Rng)) -> Option<PlayedAgain> {
    let Leaf { played, payoff, kind, .. } = leaf;
    // A recorded playout is not the game's own, and may use as many random numbers.
    let moves = match &played[..] {
        [] => replayed(kept, &before, after),
        played => kept.recorded_moves(played).or_else(|| random_replayed(kept, before, after)),
    };
    let (again, end) = in_places(kept.clone(), &moves?);
    // A reward may be a mixture of the result and of something else. Moves that the rules forbid are not played.
    let is_unchecked = again.is_forbidden_next || *kind == ValueKind::Reward;
    (is_unchecked || end.payoff() == *payoff).then_some(again)
}

/// Random actions to the end. None if the game lasts too long.
fn random_moves<G: Game>(mut game: G, rng: &mut Rng) -> Option<Vec<G::Action>> {
    let (mut moves, mut scratch) = (Vec::new(), Vec::new());
    while game.turn() != Turn::Over {
        if moves.len() == crate::PLAYOUT_PLIES_MAX as usize {
            return None;
        }
        let action = game.random_action(rng, &mut scratch);
        moves.push(action);
        game.play(action);
    }
    Some(moves)
}

/// The same, if they leave the random state `after`.
fn random_replayed<G: Game>(game: &G, mut rng: Rng, after: &Rng) -> Option<Vec<G::Action>> {
    random_moves(game.clone(), &mut rng).filter(|_| rng == *after)
}

/// The moves of the game's own playout, or random ones, that lead from one random state to the other.
fn replayed<G: Game>(game: &G, before: &Rng, after: &Rng) -> Option<Vec<G::Action>> {
    let mut rng = before.clone();
    let own = game.playout_moves(&mut rng).filter(|_| rng == *after);
    own.or_else(|| random_replayed(game, before.clone(), after))
}

/// The places of moves among the actions, and the position after them. They end before a move that is no action.
pub(super) fn in_places<G: Game>(mut game: G, moves: &[G::Action]) -> (PlayedAgain, G) {
    let (mut places, mut actions) = (Vec::with_capacity(moves.len()), Vec::new());
    for &action in moves {
        actions.clear();
        game.actions(&mut actions);
        let Some(place) = actions.iter().position(|&other| other == action) else { break };
        places.push(place as u16);
        game.play(action);
    }
    let is_forbidden_next = places.len() < moves.len();
    (PlayedAgain { moves: places, is_forbidden_next }, game)
}
