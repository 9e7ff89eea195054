//! The encoding of a game for a network: features that are on or off, and actions by number.

use crate::laws::Broken;
use crate::{Game, Payoff, Rng, Turn};
use std::collections::BTreeSet;

/// The sizes of a network's input and output. They are the same for all positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Kinds of features. A plane has one feature for each cell.
    pub planes: usize,
    /// Rows of cells.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
    /// The number of action numbers.
    pub actions: usize,
}

impl Shape {
    /// The shape of a game without an encoding.
    pub const EMPTY: Shape = Shape { planes: 0, rows: 0, columns: 0, actions: 0 };

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of features. They are numbered plane by plane, row by row within a plane.
    pub fn features(&self) -> usize {
        self.planes * self.cells()
    }
}

/// A game with an encoding for networks.
pub trait Encoded: Game {
    /// The sizes.
    fn shape(&self) -> Shape;

    /// Adds the features that are on to `out`, each once: `plane * cells + row * columns + column`. They are from the
    /// side of the player to act, so that a network need not know who that is.
    fn features(&self, out: &mut Vec<u32>);

    /// The number of a legal action, below [`Shape::actions`]; no two legal actions have the same.
    fn action_index(&self, action: Self::Action) -> usize;

    /// The rules that the features do not show, as options of the game's name: `komi=7.5 ko=positional`. A network knows
    /// only the rules that it learned by, so it plays only games with the same text. Empty if the features show all.
    fn unseen(&self) -> String {
        String::new()
    }
}

/// A game whose board has symmetries. If one game plays the images of another game's actions, then in every position
/// the features of the first are the images of the second's. Symmetry 0 is the identity.
pub trait Symmetric: Encoded {
    /// How many symmetries there are, including the identity.
    fn symmetries(&self) -> usize;

    /// The cell to which the symmetry moves this cell.
    fn cell_image(&self, symmetry: usize, cell: usize) -> usize;

    /// The number of the action to which the symmetry moves the action with this number.
    fn index_image(&self, symmetry: usize, index: usize) -> usize;
}

/// The most plies of a random game that are checked.
const PLIES_MAX: usize = 1_000;

/// Plays a random game and checks in every position that the features and the action numbers keep the promises of
/// [`Encoded`]. An error says what is wrong, and after which moves.
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

/// Plays a random game together with its image under every symmetry. Checks that the features are images of each other
/// and that both games end alike.
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
