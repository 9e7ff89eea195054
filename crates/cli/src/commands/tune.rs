//! `aji tune`: the best value of an agent's option for a game.

use super::contest::{self, Games, elo, of_range};
use crate::output::{print, table};
use crate::trials::Trials;
use aji_catalog::Workbench;
use aji_lab::contest::{PairRecord, TUNING_POINTS_MAX, Tuned, Tuning, TuningRange};
use aji_lab::report::{Axis, Figure, Point, Series};
use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Find the best value of an option, such as c, for a game
#[derive(Args)]
#[command(
    after_help = "Every value plays the same openings against the agent as given, so many games each. Scores are smoothed with
those of the neighbours; the best value is told with the range in which it lies, at 95%, by a bootstrap over openings
(of less than ten openings, nothing is known).

Examples:
  aji tune connect-four --agent \"uct simulations=1000\" --vary c=0.1..2 --games 200 --svg c.svg
  aji tune othello --agent \"uct cutoff=20 eval=on\" --vary cutoff=5,10,20,40"
)]
pub struct Options {
    /// The game, with its options
    game: String,

    /// The agent whose option is tuned; as it is, it is everyone's opponent
    #[arg(long, value_name = "NAME", default_value = "uct")]
    agent: String,

    /// The option and its range, or a list of values; ends written whole give whole values
    #[arg(long, value_name = "OPTION=LOW..HIGH")]
    vary: TuningRange,

    /// How many values of the range
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(3..=TUNING_POINTS_MAX as u64))]
    points: u64,

    #[command(flatten)]
    games: Games,

    /// Draw the scores to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    trials: Trials,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let agent = workbench.agent_name(&options.agent)?;
    let (points, pairs) =
        (options.points as usize, options.games.rounds(workbench.session(&options.game)?.players())?);
    let tuning = Tuning::new(workbench, &options.game, &agent, options.vary.clone(), points, pairs)?;
    let plies = options.games.opening_plies(tuning.contest.players());
    let tuning = tuning.openings(plies)?;
    let Some(outcome) = contest::play(&tuning.contest, &options.trials, false)? else { return Ok(()) };
    options.games.save(&tuning.contest, options.trials.seed(), &outcome.records)?;
    let records: Vec<PairRecord> = outcome.values().cloned().collect();
    let tuned = tuning
        .tuned(&records, options.trials.seed())
        .map_err(|_| anyhow!("stopped before every value had games"))?;
    if let Some(path) = &options.svg {
        let svg = figure(options, &tuning, &tuned).to_svg();
        std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if options.json {
        return print(&(json_of(options, &tuning, &tuned).to_string() + "\n"));
    }
    print(&told(options, &tuning, &tuned))
}

fn told(options: &Options, tuning: &Tuning, tuned: &Tuned) -> String {
    let option = &options.vary.option;
    let row = |(number, (value, meeting)): (usize, (&f64, &aji_lab::contest::Meeting))| {
        let score = &meeting.score;
        vec![
            format!("{option}={value}"),
            format!("{:.3}", score.score),
            format!("{:.3} to {:.3}", score.interval.low, score.interval.high),
            format!("{:.3}", tuned.smoothed[number]),
            elo(score.elo),
            meeting.duplicates.to_string(),
        ]
    };
    let rows = tuning.values.iter().zip(&tuned.meetings).enumerate().map(row);
    let opponent = &tuning.contest.agents()[tuning.values.len()];
    let games = tuned.meetings[0].score.games;
    let head = format!("{}, {games} games of each value against {opponent}\n\n", tuning.contest.game());
    let (best, interval) = (tuning.values[tuned.best], &tuned.best_interval);
    let best = format!("\nbest: {option}={best}  {}\n", of_range(interval, |value| value.to_string()));
    head + &table(&["value", "score", "95%", "smoothed", "Elo", "duplicates"], rows) + &best
}

fn json_of(options: &Options, tuning: &Tuning, tuned: &Tuned) -> serde_json::Value {
    let value = |(value, meeting): (&f64, &aji_lab::contest::Meeting)| {
        json!({
            "value": value, "games": meeting.score.games, "score": meeting.score.score,
            "low": meeting.score.interval.low, "high": meeting.score.interval.high, "elo": meeting.score.elo,
            "duplicates": meeting.duplicates,
        })
    };
    let values: Vec<_> = tuning.values.iter().zip(&tuned.meetings).map(value).collect();
    json!({
        "game": tuning.contest.game(),
        "agent": tuning.contest.agents()[tuning.values.len()].to_string(),
        "option": options.vary.option,
        "best": tuning.values[tuned.best],
        "best_low": tuned.best_interval.low,
        "best_high": tuned.best_interval.high,
        "values": values,
    })
}

fn figure(options: &Options, tuning: &Tuning, tuned: &Tuned) -> Figure {
    let option = &options.vary.option;
    let measured = |(&x, meeting): (&f64, &aji_lab::contest::Meeting)| {
        let score = &meeting.score;
        Point { x, y: score.score, low: score.interval.low, high: score.interval.high }
    };
    let dots = tuning.values.iter().zip(&tuned.meetings).map(measured).collect();
    let smoothed = tuning.values.iter().zip(&tuned.smoothed).map(|(&x, &y)| Point::new(x, y)).collect();
    let opponent = &tuning.contest.agents()[tuning.values.len()];
    let ends = tuning.values.first().zip(tuning.values.last());
    let even = ends.into_iter().flat_map(|(&first, &last)| [Point::new(first, 0.5), Point::new(last, 0.5)]);
    let (best, interval) = (tuning.values[tuned.best], tuned.best_interval);
    let best_point = vec![Point::new(best, tuned.smoothed[tuned.best])];
    let range = format!("best, 95%: {} to {}", interval.low, interval.high);
    Figure {
        name: format!("tune-{option}"),
        title: format!("{option} in {}", tuning.contest.game()),
        caption: format!(
            "The score of each value against {opponent}, with 95% intervals, and smoothed with its neighbours. The strip \
             is where the best value lies, at 95%."
        ),
        x: if options.vary.is_geometric() { Axis::log(option) } else { Axis::linear(option) },
        y: Axis::linear("score"),
        series: vec![
            Series::dots("measured", dots),
            Series::dashed("smoothed", smoothed),
            Series::dots(format!("best: {option}={best}"), best_point),
            Series::span(range, (interval.low, interval.high), 0.5),
            Series::dashed("equal: 0.5", even.collect()),
        ],
    }
}
