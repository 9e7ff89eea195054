//! VOI-aware Monte Carlo tree search (Tolpin & Shimony 2012): its two figures measured again, its claims judged,
//! and the rules for the best arm that followed it tried beside its own.
//!
//! A file a study, and `boards.rs`, which has the games that agents meet in.

mod best_arm;
mod boards;
mod decisions;
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
    ],
};
