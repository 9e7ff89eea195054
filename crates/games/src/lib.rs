//! Games, one file each, with their rules in prose at the top.
//!
//! ```
//! use aji_games::ConnectFour;
//! use aji_search::{Budget, Search};
//!
//! let report = Search::new(ConnectFour::new()).run(Budget::simulations(20_000));
//! assert_eq!(report.best, Some(3)); // the middle column
//! ```

// The same seed gives the same bytes on every machine; tests may compare with the system's functions.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod abreast;
mod bits;
mod board;
mod breakthrough;
mod canadian_traveller;
mod clobber;
mod connect_four;
mod cpu;
mod delaunay;
mod domineering;
mod game_2048;
mod go;
mod grid;
mod heap_go;
mod hex;
mod lanes;
mod mnk;
mod nim;
mod othello;
mod own_solver;
mod pig;
mod planes;
mod sailing;
mod sum;
mod sum_solver;
mod summed;
mod thermo;
mod tic_tac_toe;
mod toads_and_frogs;

pub use board::{Board, Direction, Size, Step, text as board_text};
pub use breakthrough::{Breakthrough, BreakthroughMove};
pub use canadian_traveller::{CanadianTraveller, KnownTrips, TravellerAction};
pub use clobber::Clobber;
pub use connect_four::{ConnectFour, KnownFours};
pub use domineering::Domineering;
pub use game_2048::{Game2048, Game2048Action};
pub use go::{
    AtariSteps, Go, GoMove, GoPoint, GoRecord, GoRules, GoStep, Ko, LargeGo, SmallGo, Stone, go_point_name,
    read_go_point,
};
pub use heap_go::{Colour, Counter, Heap, HeapGo, Taking, TopWeight};
pub use hex::Hex;
pub use mnk::Mnk;
pub use nim::{Nim, NimAction};
pub use othello::Othello;
pub use own_solver::{Limits, OwnSolver, SelfSolving};
pub use pig::{Pig, PigAction};
pub use sailing::{Sailing, SailingCosts, SailingTrips, Tack};
pub use sum::{Sum, SumAction};
pub use sum_solver::SumSolver;
pub use summed::{Summed, side_of};
pub use thermo::{Strategy, ThermoPlayer};
pub use tic_tac_toe::TicTacToe;
pub use toads_and_frogs::ToadsAndFrogs;
