//! VOI-aware Monte Carlo tree search (Tolpin & Shimony 2012). It measures the two figures again, judges the claims,
//! and compares later rules for the best arm with the paper's own.
//!
//! Each study is one file; `boards.rs` has the games of the matches.

mod best_arm;
mod boards;
mod decisions;
mod fewer_samples;
mod go;
mod root_rules;
mod stopping;
mod voi_against_uct;

use crate::{Paper, Study};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "tolpin2012",
    title: "VOI-aware MCTS",
    authors: "David Tolpin and Solomon Eyal Shimony, ECAI 2012 (20th European Conference on Artificial \
              Intelligence), pages 929-930",
    studies: &[
        Study { name: "best_arm", seconds: (5.0, 600.0), run: best_arm::run },
        Study { name: "voi_against_uct", seconds: (2.0, 360.0), run: voi_against_uct::run },
        Study { name: "root_rules", seconds: (2.0, 250.0), run: root_rules::run },
        Study { name: "stopping", seconds: (2.0, 80.0), run: stopping::run },
        Study { name: "go", seconds: (2.0, 19_200.0), run: go::run },
        Study { name: "decisions", seconds: (1.0, 70.0), run: decisions::run },
        Study { name: "fewer_samples", seconds: (3.0, 1_500.0), run: fewer_samples::run },
    ],
};
