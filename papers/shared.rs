//! Shared parts of all reports: claims with several parts, tables of matches, random positions.

use aji_catalog::{AgentName, Session, session};
use aji_lab::contest::Meeting;
use aji_lab::report::{Cell, Claim, Measured, Point, Series, Verdict};
use aji_lab::statistics::{Estimate, Interval, Score};
use aji_lab::{Error, Lab, Scale};
use aji_search::{Game, Named, Report, Rng, Turn};

/// The coverage of every interval in a report.
pub(crate) const LEVEL: f64 = 0.95;

/// The section's note on a quick run: how it differs from the full one. None at full scale.
pub(crate) fn left_out(lab: &Lab, quick: &str) -> Option<String> {
    (lab.scale == Scale::Quick).then(|| format!("This was the quick run: {quick}"))
}

/// A claim with several parts, each `greater` or `less`, with the measurement of each. `measure` names what was
/// measured, and `wanted` says where its interval should lie.
pub(crate) fn with_parts(whole: Claim, parts: &[Claim], measure: &str, wanted: &str) -> Claim {
    let shown: Vec<String> = parts.iter().map(|part| format!("{} {}", part.claim, part.shown())).collect();
    let rule = format!(
        "{measure}. A part holds when its whole 95% interval lies {wanted}, fails when it lies wholly on the \
         other side, and is open otherwise; {}",
        Verdict::OF_PARTS
    );
    Claim { measured: shown.join(", ").into(), rule, ..whole }
}

/// A rate over this number of trials with its interval, for claims.
pub(crate) fn measured(rate: f64, interval: Interval, trials: u64) -> Measured {
    Measured::between(rate, interval.low, interval.high).over(trials)
}

/// A mean over trials with its interval, for claims.
pub(crate) fn measured_mean(mean: &Estimate) -> Measured {
    let interval = mean.interval(LEVEL).expect("a level");
    let measured = Measured::between(mean.value, interval.low, interval.high);
    mean.degrees.map_or(measured, |degrees| measured.over(degrees + 1))
}

/// The score of a match with its interval, for claims.
pub(crate) fn measured_score(score: &Score) -> Measured {
    measured(score.score, score.interval, score.games)
}

/// A rate with its interval, for figures.
pub(crate) fn point(x: f64, y: f64, interval: Interval) -> Point {
    Point { x, y, low: interval.low, high: interval.high }
}

/// The result of two agents as table cells: won, drawn, lost, the first one's score, its interval, Elo.
pub(crate) fn meeting_cells(meeting: &Meeting) -> [Cell; 6] {
    [
        meeting.games.wins.into(),
        meeting.games.draws.into(),
        meeting.games.losses.into(),
        Cell::number(meeting.score.score, 3),
        format!("{}", meeting.score.interval).into(),
        Cell::number(meeting.score.elo, 0),
    ]
}

/// The line of a score of one half, from the least to the greatest of these x.
pub(crate) fn equal_strength(xs: &[f64]) -> Series {
    let (low, high) = (xs.iter().copied().fold(f64::MAX, f64::min), xs.iter().copied().fold(0.0, f64::max));
    Series::dashed("equal strength", vec![Point::new(low, 0.5), Point::new(high, 0.5)])
}

/// `7 of 90,400`.
pub(crate) fn counted(successes: u64, trials: u64) -> String {
    format!("{} of {}", aji_catalog::thousands(successes), aji_catalog::thousands(trials))
}

/// A position with a player to move, after a random number of random actions from this range.
pub(crate) fn random_position<G: Game>(start: &G, plies: std::ops::Range<usize>, rng: &mut Rng) -> G {
    let mut scratch = Vec::new();
    // A walk that ends the game is discarded; other walks of that length do not end it.
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

/// A game of this name at a position.
pub(crate) fn session_at(game: &str, position: &impl Named) -> Result<Box<dyn Session>, Error> {
    let mut session = session(game)?;
    session.set_position(&position.text())?;
    Ok(session)
}

/// Lets an agent think for this many simulations, on top of the previous ones.
pub(crate) fn think_on(
    session: &mut dyn Session,
    agent: &AgentName,
    simulations: u64,
) -> Result<Report<String>, Error> {
    let agent = AgentName { simulations: Some(simulations), ..agent.clone() };
    Ok(session.think(&agent, &mut ())?)
}
