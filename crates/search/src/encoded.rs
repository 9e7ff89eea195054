//! How a game looks to a network: features that are on or off, and actions by number.

use crate::{Game, Payoff, Rng, Turn};
use std::collections::BTreeSet;

/// The sizes of what a network sees and says. They are the same for all positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Kinds of features. Each has one for every cell.
    pub planes: usize,
    /// Rows of cells.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
    /// Numbers of actions.
    pub actions: usize,
}

impl Shape {
    /// The cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The features: plane by plane, and in each row by row.
    pub fn features(&self) -> usize {
        self.planes * self.cells()
    }
}

/// A game that a network can look at.
pub trait Encoded: Game {
    /// The sizes.
    fn shape(&self) -> Shape;

    /// Adds the features that are on to `out`, each once: `plane * cells + row * columns + column`. They are told
    /// from the side of the player to act, so that a network need not know who that is.
    fn features(&self, out: &mut Vec<u32>);

    /// The number of a legal action, below [`Shape::actions`]; no two legal actions have the same.
    fn action_index(&self, action: Self::Action) -> usize;
}

/// A game whose board has symmetries: a game and its image, whose actions are images of the game's, look like images
/// of each other all along. Number 0 is the identity.
pub trait Symmetric: Encoded {
    /// How many symmetries there are, with the identity.
    fn symmetries(&self) -> usize;

    /// Where a cell comes to lie.
    fn cell_image(&self, symmetry: usize, cell: usize) -> usize;

    /// The number of the action that the action of this number becomes.
    fn index_image(&self, symmetry: usize, index: usize) -> usize;
}

/// How many plies of a random game are checked.
const PLIES_MAX: usize = 1_000;

/// Plays a random game and checks in every position that the features and the numbers of the actions are what
/// [`Encoded`] promises. An error says what is wrong, and after which plies.
pub fn check_encoding<G: Encoded>(start: &G, seed: u64) -> Result<(), String> {
    let shape = start.shape();
    let (mut game, mut rng, mut actions) = (start.clone(), Rng::seeded(seed), Vec::new());
    for ply in 0..PLIES_MAX {
        let at = |wrong: String| Err(format!("after {ply} plies: {wrong}"));
        if game.shape() != shape {
            return at(format!("the shape is {:?}, expected {shape:?} as at the start", game.shape()));
        }
        if let Some(feature) =
            features_of(&game).iter().find(|&&feature| feature as usize >= shape.features())
        {
            return at(format!("feature {feature}: expected one below {}", shape.features()));
        }
        let Turn::Player(_) = game.turn() else { break };
        actions.clear();
        game.actions(&mut actions);
        let mut numbers = BTreeSet::new();
        for &action in &actions {
            let number = game.action_index(action);
            if number >= shape.actions {
                return at(format!("an action has number {number}: expected one below {}", shape.actions));
            }
            if !numbers.insert(number) {
                return at(format!("two actions have number {number}"));
            }
        }
        let action = actions[rng.below(actions.len())];
        game.play(action);
    }
    Ok(())
}

/// Plays a random game and, beside it, its image under every symmetry, and checks that they look and end alike.
pub fn check_symmetries<G: Symmetric>(start: &G, seed: u64) -> Result<(), String> {
    for symmetry in 0..start.symmetries() {
        let shape = start.shape();
        let (mut game, mut image) = (start.clone(), start.clone());
        let (mut rng, mut actions, mut images) = (Rng::seeded(seed), Vec::new(), Vec::new());
        for ply in 0..PLIES_MAX {
            let at = |wrong: &str| Err(format!("symmetry {symmetry}, after {ply} plies: {wrong}"));
            let turned = |feature: &u32| {
                let (plane, cell) = (*feature as usize / shape.cells(), *feature as usize % shape.cells());
                (plane * shape.cells() + start.cell_image(symmetry, cell)) as u32
            };
            if features_of(&game).iter().map(turned).collect::<BTreeSet<u32>>() != features_of(&image) {
                return at("the features of the image are not the images of the features");
            }
            if symmetry == 0 && features_of(&game) != features_of(&image) {
                return at("symmetry 0 is not the identity");
            }
            let (turn, other) = (game.turn(), image.turn());
            if turn != other {
                return at("another player is to act");
            }
            let Turn::Player(_) = turn else {
                let payoffs: [Payoff; 2] = [game.payoff(), image.payoff()];
                if turn == Turn::Over && payoffs[0] != payoffs[1] {
                    return at("the payoffs differ");
                }
                break;
            };
            actions.clear();
            images.clear();
            game.actions(&mut actions);
            image.actions(&mut images);
            let action = actions[rng.below(actions.len())];
            let number = game.index_image(symmetry, game.action_index(action));
            let Some(&its_image) = images.iter().find(|&&other| image.action_index(other) == number) else {
                return at("an action has no image");
            };
            if actions.len() != images.len() {
                return at("the number of actions differs");
            }
            game.play(action);
            image.play(its_image);
        }
    }
    Ok(())
}

fn features_of<G: Encoded>(game: &G) -> BTreeSet<u32> {
    let mut features = Vec::new();
    game.features(&mut features);
    features.into_iter().collect()
}
