//! The lecture on Monte Carlo tree search (Strass 2026): its tables recomputed, its remarks measured, its task done.
//!
//! Each study is one file. Figures of the lecture that only explain, and its history of computer Go, are left out.

mod bandit_table;
mod index_table;
mod methods;
mod most_simulated;
mod regret;
mod reuse_and_memory;
mod tic_tac_toe;
mod traps;

use crate::shared::{
    LEVEL, counted, equal_strength, left_out, measured, measured_score, point, random_position, session_at,
    think_on, with_parts,
};
use crate::{Paper, Study};

/// The lecture, as a paper.
pub const PAPER: Paper = Paper {
    name: "strass2026",
    title: "Playing Games: Monte Carlo Tree Search",
    authors: "Hannes Strass, lecture 6 of Algorithmic Game Theory, Computational Logic Group, 18 May 2026",
    studies: &[
        Study { name: "index_table", seconds: (0.1, 0.1), run: index_table::run },
        Study { name: "bandit_table", seconds: (0.1, 0.1), run: bandit_table::run },
        Study { name: "regret", seconds: (0.8, 38.0), run: regret::run },
        Study { name: "tic_tac_toe", seconds: (10.0, 160.0), run: tic_tac_toe::run },
        Study { name: "most_simulated", seconds: (3.4, 137.0), run: most_simulated::run },
        Study { name: "methods", seconds: (18.0, 294.0), run: methods::run },
        Study { name: "reuse_and_memory", seconds: (11.0, 290.0), run: reuse_and_memory::run },
        Study { name: "traps", seconds: (2.3, 98.0), run: traps::run },
    ],
};

/// The lecture's exploration constant, the one of theory.
const C: f32 = std::f32::consts::SQRT_2;

/// The memory of a search: enough not to run out, and little enough to leave room for other trials.
const ROOMY: u64 = 256 << 20;
