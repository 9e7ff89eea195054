//! A contest as the page sees it, while it is played and after.

use aji_lab::contest::{
    ContestKind, Course, CoursePoint, Extent, Plan, Standings, ToldMatch, ToldTournament, ToldTuning,
};
use aji_lab::statistics::{Decision, Interval};
use serde::Serialize;

/// What stays the same while a contest is played.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The name of its journal.
    pub name: String,
    pub kind: ContestKind,
    pub plan: Plan,
    /// Rounds of games between two agents in the end.
    pub rounds: u64,
    pub players: usize,
    pub seed: u64,
    /// The games of a round.
    pub round_games: u64,
}

/// Whether a contest is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Running,
    /// It can be gone on with.
    Stopped,
    Finished,
}

/// A contest so far.
#[derive(Debug, Serialize)]
pub struct Shown {
    name: String,
    kind: ContestKind,
    state: State,
    /// Why the last run has ended early.
    error: Option<String>,
    plan: Plan,
    seed: u64,
    players: usize,
    round_games: u64,
    planned_games: u64,
    /// The games so far.
    games: u64,
    test: Option<Test>,
    /// The course of a match.
    points: Vec<CoursePoint>,
    /// None before the first games.
    result: Option<Result>,
}

/// The test of a match.
#[derive(Debug, Serialize)]
struct Test {
    hypotheses: [f64; 2],
    bounds: Interval,
    decision: Option<Decision>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Result {
    Match(ToldMatch),
    Tournament(ToldTournament),
    Tuning(ToldTuning),
}

impl Shown {
    /// What these rounds say.
    pub fn new(fixed: &Fixed, course: &Course, state: State, error: Option<String>) -> Shown {
        let planned_games = fixed.rounds * fixed.round_games * fixed.plan.pairings.len() as u64;
        let is_interrupted = state != State::Finished;
        let extent = Extent { players: fixed.players, planned_games, is_interrupted };
        let test = fixed.plan.sprt.map(|sprt| Test {
            hypotheses: sprt.hypotheses(),
            bounds: sprt.bounds(),
            decision: course.decision(),
        });
        Shown {
            name: fixed.name.clone(),
            kind: fixed.kind,
            state,
            error,
            plan: fixed.plan.clone(),
            seed: fixed.seed,
            players: fixed.players,
            round_games: fixed.round_games,
            planned_games,
            games: course.rounds() * fixed.round_games,
            test,
            points: course.points(),
            result: result(fixed, course, extent),
        }
    }
}

fn result(fixed: &Fixed, course: &Course, extent: Extent) -> Option<Result> {
    let (plan, tallies) = (&fixed.plan, course.tallies());
    match fixed.kind {
        ContestKind::Match => {
            let meeting = tallies.first()?.meeting()?;
            Some(Result::Match(ToldMatch::new(plan, extent, &meeting)))
        }
        ContestKind::Tournament => {
            let standings = Standings::of(plan.agents.len(), &plan.pairings, tallies).ok()?;
            Some(Result::Tournament(ToldTournament::new(plan, extent, &standings)))
        }
        ContestKind::Tuning => {
            let grid = plan.grid()?;
            let tuned = grid.tuned(tallies, fixed.seed).ok()?;
            Some(Result::Tuning(ToldTuning::new(plan, extent, &grid, &tuned)))
        }
    }
}
