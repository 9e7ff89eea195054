//! The course of a contest, counted round by round while it is played.
//!
//! Whoever watches sees how the score and its interval narrow, and how the test of a match walks between its bounds.

use super::{PairRecord, Plan, Tally};
use crate::statistics::{Decision, Interval, Sprt, Verdict};
use serde::Serialize;

/// Every round gives a point of the curve up to this one.
const DENSE_ROUNDS: u64 = 50;

/// About how many points there are after that.
const POINTS: u64 = 150;

/// What the rounds so far add up to.
#[derive(Clone, Debug)]
pub struct Course {
    tallies: Vec<Tally>,
    sprt: Option<Sprt>,
    decision: Option<Decision>,
    /// The rounds between two points of the curve.
    step: u64,
    points: Vec<CoursePoint>,
    last: Option<CoursePoint>,
}

/// The result of a match after some of its games, as agent a sees it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoursePoint {
    /// The games so far.
    pub games: u64,
    /// The score and its interval.
    pub score: f64,
    /// Its interval of 95%.
    pub interval: Interval,
    /// The difference in Elo. It may be infinite; JSON then has `null`.
    pub elo: f64,
    /// Its interval of 95%.
    pub elo_interval: Interval,
    /// The log of the likelihood ratio of the test, if there is one.
    pub log_likelihood_ratio: Option<f64>,
}

impl Course {
    /// A contest of so many rounds, before its first.
    pub fn new(plan: &Plan, rounds: u64) -> Course {
        Course {
            tallies: vec![Tally::default(); plan.pairings.len()],
            sprt: plan.sprt,
            decision: None,
            step: rounds.div_ceil(POINTS).max(1),
            points: Vec::new(),
            last: None,
        }
    }

    /// Counts another round of games between two agents.
    pub fn add(&mut self, record: &PairRecord) {
        let is_match = self.tallies.len() == 1;
        let Some(tally) = self.tallies.get_mut(record.pairing) else { return };
        tally.add(record);
        if !is_match {
            return;
        }
        self.decision = self.sprt.map(|sprt| sprt.of_pairs(tally.pairs()));
        let round = tally.scores().len() as u64;
        // The score of larger rounds takes long, so it is not asked for after each.
        let is_point = round <= DENSE_ROUNDS || round.is_multiple_of(self.step);
        if is_point {
            let point = self.point();
            self.points.extend(point);
            self.last = point;
        } else {
            self.last = None;
        }
    }

    /// The result of a match so far.
    fn point(&self) -> Option<CoursePoint> {
        let score = self.tallies.first()?.score()?;
        Some(CoursePoint {
            games: score.games,
            score: score.score,
            interval: score.interval,
            elo: score.elo,
            elo_interval: score.elo_interval,
            log_likelihood_ratio: self.decision.map(|decision| decision.log_likelihood_ratio),
        })
    }

    /// What the games of each pairing add up to.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// The rounds so far of all pairings.
    pub fn rounds(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.scores().len() as u64).sum()
    }

    /// The curve of a match: about 200 points, and the last game. Empty for other contests.
    pub fn points(&self) -> Vec<CoursePoint> {
        let last = if self.tallies.len() == 1 && self.last.is_none() { self.point() } else { None };
        self.points.iter().copied().chain(last).collect()
    }

    /// The state of a match's test, if it has one and a round was played.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Whether the test has decided. Never without a test.
    pub fn is_decided(&self) -> bool {
        self.decision.is_some_and(|decision| decision.verdict != Verdict::Undecided)
    }
}
