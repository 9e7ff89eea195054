//! Random openings that leave the game balanced.
//!
//! An attempt plays random plies and values the position by a short search. The first opening whose value is close
//! enough to an even share wins, or else the closest of all attempts. An even share is a half with two players, a
//! third with three and a quarter with four.

use crate::Error;
use aji_catalog::{AgentName, Workbench};
use aji_search::{Rng, Turn};

/// The most openings tried for one pair.
pub const OPENING_TRIES: usize = 32;

/// How far from an even share the value of a balanced opening may be.
pub const OPENING_WIDTH: f32 = 0.08;

/// The simulations that judge an opening.
const JUDGE_SIMULATIONS: u64 = 1_000;

/// The moves of the opening for this seed.
pub(super) fn balanced(
    workbench: &Workbench,
    game: &str,
    plies: usize,
    seed: u64,
) -> Result<Vec<String>, Error> {
    if plies == 0 {
        return Ok(Vec::new());
    }
    let even = 1.0 / workbench.session(game)?.players() as f32;
    let mut rng = Rng::seeded(seed);
    let mut nearest: Option<(f32, Vec<String>)> = None;
    for _ in 0..OPENING_TRIES {
        let Some((moves, value)) = attempt(workbench, game, plies, &mut rng)? else { continue };
        let off = (value - even).abs();
        if off <= OPENING_WIDTH {
            return Ok(moves);
        }
        if nearest.as_ref().is_none_or(|(least, _)| off < *least) {
            nearest = Some((off, moves));
        }
    }
    let none = || {
        Error::new(format!(
            "{game}: none of {OPENING_TRIES} random openings of {plies} plies left a choice; give fewer plies, or none: --openings 0"
        ))
    };
    nearest.map(|(_, moves)| moves).ok_or_else(none)
}

/// A random opening and its value to the player to move; none if no choice is left.
fn attempt(
    workbench: &Workbench,
    game: &str,
    plies: usize,
    rng: &mut Rng,
) -> Result<Option<(Vec<String>, f32)>, Error> {
    let mut session = workbench.session(game)?;
    let mut moves = Vec::new();
    // Chance continues until a player has a choice.
    while moves.len() < plies || session.turn() == Turn::Chance {
        let action = match session.draw_chance(rng) {
            Some(outcome) => outcome,
            None => {
                let legal = session.actions();
                if legal.is_empty() {
                    return Ok(None);
                }
                session.play(&legal[rng.below(legal.len())])?
            }
        };
        moves.push(action);
    }
    if session.turn() == Turn::Over {
        return Ok(None);
    }
    let judge = AgentName { simulations: Some(JUDGE_SIMULATIONS), seed: rng.bits(), ..AgentName::default() };
    let value = session.think(&judge, &mut ())?.value.unwrap_or(0.5);
    Ok(Some((moves, value)))
}
