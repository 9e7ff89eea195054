//! `aji tune`: the best value of an agent's option for a game.

use super::contest::{self, Games, Played, elo};
use super::{GameName, counted};
use crate::numbers;
use crate::output::table;
use crate::output_file::OutputFile;
use crate::stop;
use crate::trials::Trials;
use aji_catalog::Workbench;
use aji_lab::contest::{TUNING_POINTS_MAX, ToldTuning, Tuned, Tuning, TuningRange};
use aji_lab::report::{Axis, Figure, Point, Series};
use anyhow::{Result, anyhow};
use clap::Args;
use std::path::PathBuf;

/// Find the best value of an option, such as c, for a game
#[derive(Args)]
#[command(
    after_help = "Every value plays --games games against the agent as given, all from the same openings. Scores of numbers are smoothed
with those of their neighbours; words have no neighbours. The values that may be the best, at 95%, come from a bootstrap
over openings; with fewer than ten openings these are all values.

Examples:
  aji tune connect-four --agent \"uct simulations=1000\" --vary c=0.1..2 --games 200 --svg c.svg
  aji tune othello --agent \"uct cutoff=20 eval=on\" --vary cutoff=5,10,20,40
  aji tune connect-four --agent \"uct simulations=500\" --vary root=ucb1,voi,kg"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The agent whose option is tuned; every value plays against this agent as given
    #[arg(long, value_name = "NAME", default_value = "uct")]
    agent: String,

    /// The option and its range, or a list of numbers or words; --points says how many values of the range are tried, spaced by a factor if its ends are far apart
    #[arg(long, value_name = "OPTION=LOW..HIGH|A,B,..")]
    vary: TuningRange,

    /// How many values of the range
    #[arg(long, default_value_t = 8, value_parser = numbers::count(3..=TUNING_POINTS_MAX as u64))]
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
    let game = options.game.checked(workbench)?;
    let agent = workbench.agent_name(&options.agent)?;
    let (points, pairs) =
        (options.points as usize, options.games.rounds(workbench.session(&game)?.players())?);
    let workbench = &workbench.clone().stopped_by(stop::flag());
    let tuning = Tuning::new(workbench, &game, &agent, options.vary.clone(), points, pairs)?;
    let plies = options.games.opening_plies(tuning.contest.players());
    let tuning = tuning.openings(plies)?;
    let file = OutputFile::open_svg("--svg", options.svg.as_ref())?;
    let option_of = |parameter: &str| option_of(parameter, tuning.values.len());
    let Some(played) = options.games.play(&tuning.contest, &options.trials, &option_of)? else {
        return Ok(());
    };
    let too_few = |_| anyhow!("{}, before every value had some", played.told_games());
    let tuned = tuning.grid().tuned(played.course.tallies(), options.trials.seed()).map_err(too_few)?;
    let drawn = file.map_or(Ok(()), |file| file.write(&figure(options, &tuning, &tuned).to_svg()));
    let text = match options.json {
        true => {
            let extent = played.extent(&tuning.contest);
            let told = ToldTuning::new(&tuning.contest.plan(), extent, tuning.grid(), &tuned);
            serde_json::to_value(told)?.to_string() + "\n"
        }
        false => told(options, &tuning, &played, &tuned),
    };
    drawn.and(played.print(&text))
}

/// The option that a parameter of the contest comes from, if this many values play the agent.
fn option_of(parameter: &str, values: usize) -> Option<String> {
    let place =
        parameter.strip_prefix("agents[").and_then(|place| place.strip_suffix(']')?.parse::<usize>().ok());
    match place {
        Some(place) if place == values => Some("--agent".into()),
        Some(_) => Some("a value of --vary".into()),
        None if ["agents", "pairings", "option", "values"].contains(&parameter) => {
            Some("the list of --vary".into())
        }
        None => contest::option_of(parameter),
    }
}

fn told(options: &Options, tuning: &Tuning, played: &Played, tuned: &Tuned) -> String {
    let option = &options.vary.option;
    let is_words = options.vary.words().is_some();
    let row = |(number, (value, meeting)): (usize, (&String, &aji_lab::contest::Meeting))| {
        let score = &meeting.score;
        let mut row = vec![
            format!("{option}={value}"),
            format!("{:.3}", score.score),
            format!("{:.3} to {:.3}", score.interval.low, score.interval.high),
            format!("{:.3}", tuned.smoothed[number]),
            elo(score.elo),
            meeting.duplicates.to_string(),
        ];
        if is_words {
            row.remove(SMOOTHED);
        }
        row
    };
    let rows = tuning.labels.iter().zip(&tuned.meetings).enumerate().map(row);
    let opponent = &tuning.contest.agents()[tuning.values.len()];
    let games = match played.is_interrupted() {
        true => played.told_games(),
        false => counted(tuned.meetings[0].score.games, "game"),
    };
    let head = format!("{}, {games} of each value against {opponent}\n\n", tuning.contest.game());
    let head = if played.is_interrupted() { head.replace(" of each value", ", every value") } else { head };
    let best = &tuning.labels[tuned.best];
    let range = match is_words {
        true => format!("(at 95% the best is {})", among(tuning, tuned).join(" or ")),
        false => {
            let (low, high) = (tuned.best_interval.low, tuned.best_interval.high);
            format!("by the smoothed score (at 95% the best is in {low} to {high})")
        }
    };
    let mut columns = vec!["value", "score", "95%", "smoothed", "Elo", "duplicates"];
    if is_words {
        columns.remove(SMOOTHED);
    }
    head + &table(&columns, rows)
        + &format!("\nbest: {option}={best}  {range}\n")
        + &contest::ranks_note(&tuning.contest)
}

/// The column that is left out for words.
const SMOOTHED: usize = 3;

/// The values that may be the best.
fn among<'a>(tuning: &'a Tuning, tuned: &Tuned) -> Vec<&'a str> {
    tuned.best_among.iter().map(|&value| tuning.labels[value].as_str()).collect()
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
        caption: match options.vary.words() {
            Some(_) => format!("The score of each word against {opponent}, with 95% intervals."),
            None => format!(
                "The score of each value against {opponent}, with 95% intervals, and smoothed with its neighbours. The \
                 strip is where the best value lies, at 95%."
            ),
        },
        x: if options.vary.is_geometric() { Axis::log(option) } else { Axis::linear(option) },
        y: Axis::linear("score"),
        series: match options.vary.words() {
            Some(words) => {
                let named = (1..).zip(words).map(|(place, word)| format!("{place} {word}"));
                let measured = named.zip(dots).map(|(name, dot)| Series::dots(name, vec![dot]));
                measured.chain([Series::dashed("equal: 0.5", even.collect())]).collect()
            }
            None => vec![
                Series::dots("measured", dots),
                Series::dashed("smoothed", smoothed),
                Series::dots(format!("best: {option}={best}"), best_point),
                Series::span(range, (interval.low, interval.high), 0.5),
                Series::dashed("equal: 0.5", even.collect()),
            ],
        },
    }
}
