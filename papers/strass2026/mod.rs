//! The lecture on Monte Carlo tree search (Strass 2026).

use crate::Paper;

/// The lecture, as a paper.
pub const PAPER: Paper = Paper {
    name: "strass2026",
    title: "Monte Carlo tree search",
    authors: "Strass, lecture, 2026",
    studies: &[],
};
