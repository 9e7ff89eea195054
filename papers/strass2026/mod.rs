//! The lecture on Monte Carlo tree search (Strass 2026): its tables recomputed, its remarks measured, its
//! task done.
//!
//! A file a study. Figures of the lecture that explain and claim nothing, and its history of computer Go, are
//! not here.

mod bandit_table;
mod index_table;
mod methods;
mod most_simulated;
mod regret;
mod reuse_and_memory;
mod tic_tac_toe;
mod traps;

use crate::{Paper, Study};
use aji::{Game, Rng, Turn};
use aji_lab::report::{Claim, Measured, Point, Series, Statement};
use aji_lab::statistics::Interval;
use aji_lab::{Lab, Scale};

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

/// The coverage of every interval in the report.
const LEVEL: f64 = 0.95;

/// The lecture's constant of exploration, the one of theory.
const C: f32 = std::f32::consts::SQRT_2;

/// The memory of a search that is not to run out of it: a trial must not reserve what others need.
const ROOMY: usize = 256 << 20;

/// A statement of the lecture, with the command that measures it at this scale.
fn statement(lab: &Lab, claim: &str, said: &str) -> Statement {
    Statement::new(
        PAPER.name,
        claim,
        said,
        lab.scale.pick("aji reproduce strass2026 --quick", "aji reproduce strass2026"),
    )
}

/// What the section leaves out: at the quick scale, the difference to the full one.
fn left_out(lab: &Lab, quick: &str) -> Option<String> {
    (lab.scale == Scale::Quick).then(|| format!("This was the quick run: {quick}"))
}

/// A claim of several parts of which each was `greater` or `less`, with what was measured of each. `measure`
/// says what that is and `wanted` where its interval is to lie.
fn with_parts(whole: Claim, parts: &[Claim], measure: &str, wanted: &str) -> Claim {
    let shown: Vec<String> = parts.iter().map(|part| format!("{} {}", part.claim, part.shown())).collect();
    let rule = format!(
        "{measure}. A part holds when its whole 95% interval lies {wanted}, fails when it lies wholly on the \
         other side, and is partly so otherwise; the claim holds when every part holds, fails when every \
         part fails, partly otherwise"
    );
    Claim { measured: shown.join(", ").into(), rule, ..whole }
}

/// A rate with its interval, as claims take it.
fn measured(rate: f64, interval: Interval) -> Measured {
    Measured::between(rate, interval.low, interval.high)
}

/// A rate with its interval, as figures take it.
fn point(x: f64, y: f64, interval: Interval) -> Point {
    Point { x, y, low: interval.low, high: interval.high }
}

/// The line of a score of one half, from the least to the greatest of these x.
fn equal_strength(xs: &[f64]) -> Series {
    let (low, high) = (xs.iter().copied().fold(f64::MAX, f64::min), xs.iter().copied().fold(0.0, f64::max));
    Series::dashed("equal strength", vec![Point::new(low, 0.5), Point::new(high, 0.5)])
}

/// `7 of 90,400`.
fn counted(successes: u64, trials: u64) -> String {
    format!("{} of {}", aji::catalog::thousands(successes), aji::catalog::thousands(trials))
}

/// A position in which somebody moves, after so many random actions as are drawn from the range.
fn random_position<G: Game>(start: &G, plies: std::ops::Range<usize>, rng: &mut Rng) -> G {
    let mut scratch = Vec::new();
    // A walk that ends the game is thrown away; there are games of any such length that go on.
    loop {
        let mut game = start.clone();
        for _ in 0..plies.start + rng.below(plies.len()) {
            if game.turn() == Turn::Over {
                break;
            }
            let action = game.random_action(rng, &mut scratch);
            game.play(action);
        }
        if game.turn() != Turn::Over {
            return game;
        }
    }
}
