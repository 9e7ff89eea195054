//! Incentive learning (Kao, Wu, Yen & Shan 2013). It measures the table and figures again, judges the claims, and
//! tries what the paper leaves open.
//!
//! Each study is one file, and studies share three. `match_rates.rs` learns orders of Heap-Go and compares them with
//! temperatures, `heap_games.rs` plays Heap-Go, and `against_plain.rs` plays other games. The paper's numbers appear
//! only in its figures, so the comparison is with what its text says about them.

mod against_plain;
mod agreement;
mod better_playouts;
mod default_policies;
mod division;
mod go;
mod heap_games;
mod match_rates;
mod other_games;
mod players;
mod rave;
mod read_outs;
mod table_one;
mod temperatures;
mod winning_rates;

use crate::shared::{self, LEVEL};
use crate::{Paper, Study};
use aji_catalog::thousands;
use aji_lab::report::{Measured, Statement};
use aji_lab::statistics::{Estimate, Interval};
use match_rates::Size;

/// The paper.
pub const PAPER: Paper = Paper {
    name: "kao2013",
    title: "Incentive Learning in Monte Carlo Tree Search",
    authors: "Kuo-Yuan Kao, I-Chen Wu, Shi-Jim Yen and Yi-Chang Shan, IEEE Transactions on Computational \
              Intelligence and AI in Games 5(4), December 2013",
    studies: &[
        Study { name: "table_one", seconds: (1.5, 1030.0), run: table_one::run },
        Study { name: "default_policies", seconds: (1.5, 640.0), run: default_policies::run },
        Study { name: "rave", seconds: (0.5, 320.0), run: rave::run },
        Study { name: "winning_rates", seconds: (1.5, 430.0), run: winning_rates::run },
        Study { name: "read_outs", seconds: (3.0, 200.0), run: read_outs::run },
        Study { name: "division", seconds: (5.0, 670.0), run: division::run },
        Study { name: "better_playouts", seconds: (1.0, 300.0), run: better_playouts::run },
        Study { name: "temperatures", seconds: (4.0, 600.0), run: temperatures::run },
        Study { name: "players", seconds: (4.0, 450.0), run: players::run },
        Study { name: "other_games", seconds: (6.0, 440.0), run: other_games::run },
        Study { name: "go", seconds: (4.0, 2400.0), run: go::run },
        Study { name: "agreement", seconds: (1.5, 250.0), run: agreement::run },
    ],
};

/// Learns RIDE, and its playouts follow the order of incentives. The exploration constant is in points.
const MAXI: &str = "uct c=15 unit=points playout=maxi";

/// Learns the same, with random playouts.
const RAND: &str = "uct c=15 unit=points learn=ride";

/// The size of the games in the paper's figures.
const FIVE: Size = Size::new(5, 5);

/// The statement of a part of a claim: the number of simulations, which the measurement follows.
fn part_at(simulations: u64, said: &str) -> Statement {
    Statement::new(format!("{}:", thousands(simulations)), said)
}

/// The interval of a mean over games.
fn interval(mean: &Estimate) -> Interval {
    mean.interval(LEVEL).expect("a level")
}

/// A mean over games, for claims.
fn measured(mean: &Estimate) -> Measured {
    shared::measured_mean(mean)
}
