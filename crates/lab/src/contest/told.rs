//! Results of contests as JSON: what `--json` prints, and what the page of the workbench shows.

use super::{Contest, Meeting, Plan, Standings, Tuned, TuningGrid};
use crate::statistics::{Decision, Interval, PairCounts};
use serde::Serialize;
use serde_json::Value;

/// How much of a contest was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The players of the game.
    pub players: usize,
    /// The games that were asked for.
    pub planned_games: u64,
    /// Whether it was stopped before its end.
    pub is_interrupted: bool,
}

/// The result of a match. An infinite number is `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Meeting")]
pub struct ToldMatch {
    pub game: String,
    pub a: String,
    pub b: String,
    pub games: u64,
    pub planned_games: u64,
    pub interrupted: bool,
    pub a_wins: u64,
    pub b_wins: u64,
    pub draws: u64,
    pub score: f64,
    pub low: f64,
    pub high: f64,
    pub elo: f64,
    pub elo_low: f64,
    pub elo_high: f64,
    pub duplicates: u64,
    pub resigned: [u64; 2],
    /// How often each agent's program was restarted in this run.
    pub restarts: [u64; 2],
    /// None with three or four players.
    pub pairs: Option<PairCounts>,
    pub rounds: u64,
    pub score_of_winner: f64,
    pub margin: f64,
    pub margin_error: f64,
    pub simulations: [f64; 2],
    pub carried: [f64; 2],
    pub plies: f64,
    /// The state of the test, if there is one.
    pub sprt: Option<Decision>,
}

impl ToldMatch {
    /// The result of these games.
    pub fn new(plan: &Plan, extent: Extent, meeting: &Meeting) -> ToldMatch {
        let score = &meeting.score;
        let agent = |number: usize| plan.agents.get(number).cloned().unwrap_or_default();
        ToldMatch {
            game: plan.game.clone(),
            a: agent(0),
            b: agent(1),
            games: score.games,
            planned_games: extent.planned_games,
            interrupted: extent.is_interrupted,
            a_wins: meeting.games.wins,
            b_wins: meeting.games.losses,
            draws: meeting.games.draws,
            score: score.score,
            low: score.interval.low,
            high: score.interval.high,
            elo: score.elo,
            elo_low: score.elo_interval.low,
            elo_high: score.elo_interval.high,
            duplicates: meeting.duplicates,
            resigned: meeting.resigned,
            restarts: [0; 2],
            pairs: (extent.players <= 2).then_some(meeting.pairs),
            rounds: meeting.rounds,
            score_of_winner: Contest::score_of_winner(extent.players),
            margin: meeting.margin.value,
            margin_error: meeting.margin.error,
            simulations: meeting.simulations,
            carried: meeting.carried,
            plies: meeting.plies,
            sprt: plan.sprt.map(|sprt| sprt.of_pairs(meeting.pairs)),
        }
    }
}

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Standings")]
pub struct ToldTournament {
    pub game: String,
    pub games: u64,
    pub planned_games: u64,
    pub interrupted: bool,
    /// The best agent first.
    pub ratings: Vec<ToldRating>,
    /// Those that were played.
    pub meetings: Vec<ToldMeeting>,
}

/// The rating of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Standings")]
pub struct ToldRating {
    pub agent: String,
    pub elo: f64,
    pub error: f64,
    pub elo_low: f64,
    pub elo_high: f64,
    pub points: f64,
    pub games: u64,
}

/// Two agents of a tournament against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Meeting")]
pub struct ToldMeeting {
    pub a: String,
    pub b: String,
    pub games: u64,
    pub a_wins: u64,
    pub b_wins: u64,
    pub draws: u64,
    pub score: f64,
    pub low: f64,
    pub high: f64,
    pub duplicates: u64,
}

impl ToldTournament {
    /// The result of these games.
    pub fn new(plan: &Plan, extent: Extent, standings: &Standings) -> ToldTournament {
        let name = |agent: usize| plan.agents.get(agent).cloned().unwrap_or_default();
        let rating = |&agent: &usize| {
            let rating = &standings.ratings[agent];
            let Interval { low: elo_low, high: elo_high } = standings.elo_interval(agent);
            let (points, games) = (standings.points[agent], standings.games[agent]);
            let (elo, error) = (rating.value, rating.error);
            ToldRating { agent: name(agent), elo, error, elo_low, elo_high, points, games }
        };
        let meeting = |(&(a, b), meeting): (&(usize, usize), &Option<Meeting>)| {
            let meeting = meeting.as_ref()?;
            Some(ToldMeeting {
                a: name(a),
                b: name(b),
                games: meeting.score.games,
                a_wins: meeting.games.wins,
                b_wins: meeting.games.losses,
                draws: meeting.games.draws,
                score: meeting.score.score,
                low: meeting.score.interval.low,
                high: meeting.score.interval.high,
                duplicates: meeting.duplicates,
            })
        };
        ToldTournament {
            game: plan.game.clone(),
            games: standings.games.iter().sum::<u64>() / 2,
            planned_games: extent.planned_games,
            interrupted: extent.is_interrupted,
            ratings: standings.order.iter().map(rating).collect(),
            meetings: plan.pairings.iter().zip(&standings.meetings).filter_map(meeting).collect(),
        }
    }
}

/// The result of a tuning. Values are words if they are no numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Tuned")]
pub struct ToldTuning {
    pub game: String,
    pub games: u64,
    pub planned_games: u64,
    pub interrupted: bool,
    /// The agent as given, against which all values play.
    pub agent: String,
    pub option: String,
    pub best: Value,
    /// None for words.
    pub best_low: Option<f64>,
    pub best_high: Option<f64>,
    pub best_among: Vec<Value>,
    pub values: Vec<ToldValue>,
}

/// A value that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of Meeting")]
pub struct ToldValue {
    pub value: Value,
    pub games: u64,
    pub score: f64,
    pub low: f64,
    pub high: f64,
    pub elo: f64,
    /// None for words.
    pub smoothed: Option<f64>,
    pub duplicates: u64,
}

impl ToldTuning {
    /// The result of these games.
    pub fn new(plan: &Plan, extent: Extent, grid: &TuningGrid, tuned: &Tuned) -> ToldTuning {
        let shown = |number: usize| match grid.is_smooth {
            true => grid.values[number].into(),
            false => Value::from(grid.labels[number].as_str()),
        };
        let value = |(number, meeting): (usize, &Meeting)| ToldValue {
            value: shown(number),
            games: meeting.score.games,
            score: meeting.score.score,
            low: meeting.score.interval.low,
            high: meeting.score.interval.high,
            elo: meeting.score.elo,
            smoothed: grid.is_smooth.then(|| tuned.smoothed[number]),
            duplicates: meeting.duplicates,
        };
        let interval = |end: f64| grid.is_smooth.then_some(end);
        ToldTuning {
            game: plan.game.clone(),
            games: tuned.meetings.iter().map(|meeting| meeting.score.games).sum(),
            planned_games: extent.planned_games,
            interrupted: extent.is_interrupted,
            agent: plan.agents.last().cloned().unwrap_or_default(),
            option: grid.option.clone(),
            best: shown(tuned.best),
            best_low: interval(tuned.best_interval.low),
            best_high: interval(tuned.best_interval.high),
            best_among: tuned.best_among.iter().map(|&number| shown(number)).collect(),
            values: tuned.meetings.iter().enumerate().map(value).collect(),
        }
    }
}
