//! The games, the simulations of each search, and aji's goals. A new game is added here only.

use crate::contest::{Contest, Counted, Remembered};
use crate::contests;
use crate::engine::{Answer, Engine, Settings};
use aji_games::{Breakthrough, ConnectFour, Hex, Othello, TicTacToe};
use serde::Serialize;

contests!(ConnectFour, Hex, Othello, Breakthrough, TicTacToe);

/// Every field, in the order of the runs. To add a game, name it in `contests!` above and add a line here.
pub fn fields() -> Vec<Field> {
    vec![
        Field::new("connect-four", ConnectFour::new(), 100_000)
            .plain(Goals::new(1.5).of_raw(0.38))
            .wave(Goals::new(2.4).of_raw(0.65)),
        Field::new("hex-11", Hex::new(11), 20_000)
            .plain(Goals::new(1.8).of_raw(0.34))
            .wave(Goals::new(1.8).of_raw(0.5)),
        Field::new("othello", Othello::new(), 20_000)
            .plain(Goals::new(1.05).of_raw(0.93))
            .wave(Goals::new(1.05).of_raw(0.95)),
        Field::new("breakthrough", Breakthrough::new(), 20_000)
            .plain(Goals::new(1.15).of_raw(0.88))
            .wave(Goals::new(1.15).of_raw(0.95)),
        Field::new("tic-tac-toe", TicTacToe::new(), 100_000).plain(Goals::new(2.0)).solvers_aside(),
        Field::new("connect-four-remembered", Remembered::new(ConnectFour::new()), 100_000),
        Field::new("connect-four", ConnectFour::new(), 1_000_000).wave(Goals::new(2.4).bytes(32.0)).large(),
        Field::new("connect-four", ConnectFour::new(), 10_000_000)
            .plain(Goals::new(0.95).bytes(45.0))
            .wave(Goals::new(1.7).bytes(32.0))
            .large(),
    ]
}

/// The goals of aji in one of its configurations.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Goals {
    pub engine: Engine,
    /// The speed, as a multiple of the fastest peer's.
    pub over_best: f64,
    /// The speed, as a share of that of playouts without a tree.
    pub of_raw: Option<f64>,
    /// The most bytes per simulation, of all memory.
    pub bytes: Option<f64>,
}

impl Goals {
    fn new(over_best: f64) -> Goals {
        Goals { engine: Engine::Aji, over_best, of_raw: None, bytes: None }
    }

    fn of_raw(self, share: f64) -> Goals {
        Goals { of_raw: Some(share), ..self }
    }

    fn bytes(self, bytes: f64) -> Goals {
        Goals { bytes: Some(bytes), ..self }
    }
}

/// A search by an engine.
type Search = Box<dyn Fn(Engine, Settings) -> Answer>;

/// A game at its first position, which all engines search with the same number of simulations.
pub struct Field {
    pub name: &'static str,
    pub simulations: u64,
    pub goals: Vec<Goals>,
    /// Whether peers with a solver count. They do not if solvers soon prove the whole tree, since they then do other
    /// work.
    pub solvers_count: bool,
    /// True if a search is so large that it gets its own process. If it runs out of memory, the others go on, and its
    /// memory can be measured.
    pub large: bool,
    pub search: Search,
    /// The same search, counting plays in the tree.
    pub search_counted: Search,
}

impl Field {
    fn new<G: Contest>(name: &'static str, root: G, simulations: u64) -> Field {
        Field {
            name,
            simulations,
            goals: Vec::new(),
            solvers_count: true,
            large: false,
            search: Box::new(move |engine, settings| engine.search(root, settings)),
            search_counted: Box::new(move |engine, settings| engine.search(Counted(root), settings)),
        }
    }

    fn plain(mut self, goals: Goals) -> Field {
        self.goals.push(goals);
        self
    }

    fn wave(self, goals: Goals) -> Field {
        self.plain(Goals { engine: Engine::AjiWave, ..goals })
    }

    fn solvers_aside(self) -> Field {
        Field { solvers_count: false, ..self }
    }

    fn large(self) -> Field {
        Field { large: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::{Rng, Turn};
    use clap::ValueEnum;

    /// minimax and board-game assume that the player changes after every action.
    #[test]
    fn players_take_turns() {
        fn check<G: Contest>(root: G) {
            let (mut rng, mut scratch) = (Rng::seeded(1), Vec::new());
            assert_eq!((root.players(), root.payoff_sum()), (2, Some(0.0)));
            for _ in 0..1000 {
                let mut game = root;
                while let Turn::Player(player) = game.turn() {
                    let action = game.random_action(&mut rng, &mut scratch);
                    game.play(action);
                    assert!([Turn::Player(1 - player), Turn::Over].contains(&game.turn()), "{game:?}");
                }
                assert_eq!(game.turn(), Turn::Over);
            }
        }
        check(ConnectFour::new());
        check(Hex::new(11));
        check(Othello::new());
        check(Breakthrough::new());
        check(TicTacToe::new());
        check(Remembered::new(ConnectFour::new()));
    }

    #[test]
    fn every_engine_makes_the_simulations_it_was_asked_for() {
        for field in fields().iter().filter(|field| !field.large) {
            for &engine in Engine::value_variants() {
                let settings = Settings { simulations: 500, seed: 3, exploration: 1.4 };
                let answer = (field.search)(engine, settings);
                assert_eq!(answer.simulations, 500, "{} on {}", engine.name(), field.name);
            }
        }
    }
}
