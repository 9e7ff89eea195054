//! How a game looks to a network: features that are on or off, and actions by number.

use crate::laws::Broken;
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
    /// That of a game that no network can look at.
    pub const EMPTY: Shape = Shape { planes: 0, rows: 0, columns: 0, actions: 0 };

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
/// [`Encoded`] promises. An error says what is wrong, and after which moves.
pub fn check_encoding<G: Encoded>(start: &G, seed: u64) -> Result<(), Broken> {
    let shape = start.shape();
    let (mut game, mut rng, mut actions) = (start.clone(), Rng::seeded(seed), Vec::new());
    let mut moves = Vec::new();
    while moves.len() < PLIES_MAX {
        let broken = |found: String| Err(Broken { law: "encoding", moves: moves.clone(), found });
        if game.shape() != shape {
            return broken(format!("the shape is {:?}, expected {shape:?} as at the start", game.shape()));
        }
        if let Some(feature) =
            features_of(&game).iter().find(|&&feature| feature as usize >= shape.features())
        {
            return broken(format!("feature {feature}: expected one below {}", shape.features()));
        }
        let Turn::Player(_) = game.turn() else { break };
        actions.clear();
        game.actions(&mut actions);
        let mut numbers = BTreeSet::new();
        for &action in &actions {
            let number = game.action_index(action);
            if number >= shape.actions {
                let most = shape.actions;
                return broken(format!("an action has number {number}: expected one below {most}"));
            }
            if !numbers.insert(number) {
                return broken(format!("two actions have number {number}"));
            }
        }
        moves.push(rng.below(actions.len()));
        game.play(actions[moves[moves.len() - 1]]);
    }
    Ok(())
}

/// Plays a random game and, beside it, its image under every symmetry, and checks that they look and end alike.
pub fn check_symmetries<G: Symmetric>(start: &G, seed: u64) -> Result<(), Broken> {
    (0..start.symmetries()).try_for_each(|symmetry| check_symmetry(start, symmetry, seed))
}

fn check_symmetry<G: Symmetric>(start: &G, symmetry: usize, seed: u64) -> Result<(), Broken> {
    let shape = start.shape();
    let (mut game, mut image) = (start.clone(), start.clone());
    let (mut rng, mut actions, mut images) = (Rng::seeded(seed), Vec::new(), Vec::new());
    let mut moves = Vec::new();
    let turned = |feature: &u32| {
        let (plane, cell) = (*feature as usize / shape.cells(), *feature as usize % shape.cells());
        (plane * shape.cells() + start.cell_image(symmetry, cell)) as u32
    };
    while moves.len() < PLIES_MAX {
        let broken = |found: &str| {
            let found = format!("symmetry {symmetry}: {found}");
            Err(Broken { law: "symmetries", moves: moves.clone(), found })
        };
        if features_of(&game).iter().map(turned).collect::<BTreeSet<u32>>() != features_of(&image) {
            return broken("the features of the image are not the images of the features");
        }
        if symmetry == 0 && features_of(&game) != features_of(&image) {
            return broken("it is not the identity");
        }
        let (turn, other) = (game.turn(), image.turn());
        if turn != other {
            return broken("another player is to act");
        }
        let Turn::Player(_) = turn else {
            let payoffs: [Payoff; 2] = [game.payoff(), image.payoff()];
            if turn == Turn::Over && payoffs[0] != payoffs[1] {
                return broken("the payoffs differ");
            }
            break;
        };
        actions.clear();
        images.clear();
        game.actions(&mut actions);
        image.actions(&mut images);
        let place = rng.below(actions.len());
        let number = game.index_image(symmetry, game.action_index(actions[place]));
        let Some(&its_image) = images.iter().find(|&&other| image.action_index(other) == number) else {
            return broken("an action has no image");
        };
        if actions.len() != images.len() {
            return broken("the number of actions differs");
        }
        moves.push(place);
        game.play(actions[place]);
        image.play(its_image);
    }
    Ok(())
}

fn features_of<G: Encoded>(game: &G) -> BTreeSet<u32> {
    let mut features = Vec::new();
    game.features(&mut features);
    features.into_iter().collect()
}
