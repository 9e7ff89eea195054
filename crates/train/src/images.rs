//! The symmetries of a game as tables, so that samples can be transformed without knowing the game.

use aji_bandit::Rng;
use aji_net::{Encoding, Sample};
use aji_search::{Game, Shape};

/// For each symmetry but the identity, the image of every cell and of every action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    cells: usize,
    tables: Vec<Table>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Table {
    cells: Vec<u32>,
    actions: Vec<u16>,
}

impl Images {
    /// The symmetries of a game. They must be the same in all its positions.
    pub fn of<G: Game>(game: &G, shape: &Shape, encoding: &Encoding<G>) -> Images {
        let Some(symmetries) = &encoding.symmetries else { return Images::default() };
        let table = |symmetry: usize| {
            let cells =
                (0..shape.cells()).map(|cell| (symmetries.cell)(game, symmetry, cell) as u32).collect();
            let actions =
                (0..shape.actions).map(|index| (symmetries.index)(game, symmetry, index) as u16).collect();
            Table { cells, actions }
        };
        Images { cells: shape.cells(), tables: (1..(symmetries.count)(game)).map(table).collect() }
    }

    /// Replaces a sample by one of its images or leaves it, all with equal probability.
    pub(crate) fn turn(&self, sample: &mut Sample, rng: &mut Rng) {
        let drawn = rng.below(self.tables.len() + 1);
        if drawn == 0 {
            return;
        }
        let Table { cells, actions } = &self.tables[drawn - 1];
        for feature in &mut sample.features {
            let (plane, cell) = (*feature as usize / self.cells, *feature as usize % self.cells);
            *feature = (plane * self.cells) as u32 + cells[cell];
        }
        sample.features.sort_unstable();
        sample.actions.iter_mut().for_each(|action| *action = actions[usize::from(*action)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_games::{Breakthrough, ConnectFour, Othello, SmallGo, TicTacToe};
    use aji_search::{Hashed, Symmetric};

    /// Checks that the tables are permutations, including numbers that no action has.
    fn check<G: Symmetric + Hashed>(game: G, symmetries: usize) {
        let shape = game.shape();
        let images = Images::of(&game, &shape, &Encoding::symmetric());
        assert_eq!(images.tables.len() + 1, symmetries);
        for table in &images.tables {
            let mut cells = table.cells.clone();
            cells.sort_unstable();
            assert!(cells.iter().copied().eq(0..shape.cells() as u32));
            let mut actions = table.actions.clone();
            actions.sort_unstable();
            assert!(actions.iter().copied().eq(0..shape.actions as u16));
        }
    }

    #[test]
    fn tables_are_permutations() {
        check(ConnectFour::new(), 2);
        check(TicTacToe::new(), 8);
        check(Othello::new(), 4);
        check(Breakthrough::new(), 2);
        check(SmallGo::new(5, aji_games::GoRules::default()), 8);
    }
}
