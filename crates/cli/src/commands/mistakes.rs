//! `aji mistakes`: in how many positions an agent's move gives away a win or a draw, by exact values.

use super::{GameName, counted, points};
use crate::output::{print, text_table};
use crate::output_file::OutputFile;
use crate::progress::{self, Bar};
use crate::trials::Trials;
use crate::{numbers, stop};
use aji_catalog::{AgentName, Workbench, thousands};
use aji_lab::mistakes::{
    Answer, Draw, Judged, Kind, Mistakes, POSITION_SETS, PositionSet, Share, Source, Tally,
};
use aji_lab::{Ending, Experiment, Outcome};
use aji_search::{Game, Rng, Turn};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Count how often an agent turns a win into a draw or a loss, or a draw into a loss, by exact values
#[derive(Args)]
#[command(
    after_help = "Positions are drawn by random play to a number of plies in the range, and the judge values every move. Hard positions are
those in which neither side can win at once, the mover is not lost, and at most three moves keep the outcome. In a lost position
no move is a mistake: the output says in how many positions a mistake was possible. Intervals are at 95%.

Solving takes most of the time. --make writes the positions with their values, and --from reads the values from there. Each
line of the file is a position, moves from the start, or a line that --make wrote. These lists come with aji:
connect-four-early (hard, 9..13 plies) and connect-four-middle (hard, 15..22 plies), 500 positions each.

Examples:
  aji mistakes connect-four --agent \"uct c=0.5 simulations=600\" --from connect-four-early
  aji mistakes tic-tac-toe --agent \"uct simulations=50\" --plies 1..6 --positions 200
  aji mistakes hex size=5 --kind hard --plies 6..10 --positions 100 --make hard.jsonl
  aji mistakes hex size=5 --agent rave --from hard.jsonl --json"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The agent [default: the strongest known for the game]
    #[arg(long, value_name = "NAME", conflicts_with = "make")]
    agent: Option<String>,

    /// Random plies before each position [default: 8..24, or fewer in shorter games]
    #[arg(long, value_name = "N|FROM..TO", value_parser = super::traps::plies, conflicts_with = "from")]
    plies: Option<(usize, usize)>,

    /// How many positions are drawn [default: 100]; with --from, the first N of the list [default: all]
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=POSITIONS_MAX))]
    positions: Option<u64>,

    /// Which positions are drawn: random or hard [default: random]
    #[arg(long, value_name = "KIND", conflicts_with = "from")]
    kind: Option<Kind>,

    /// Take the positions from a file, one a line, or from a list that comes with aji
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Write the positions with their values to a file, and ask no agent
    #[arg(long, value_name = "FILE")]
    make: Option<PathBuf>,

    /// The agent that values the moves; it must prove them
    #[arg(long, value_name = "NAME", default_value = "exact")]
    judge: String,

    #[command(flatten)]
    trials: Trials,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The most positions.
const POSITIONS_MAX: u64 = 10_000_000;

const POSITIONS_DEFAULT: u64 = 100;
const PLIES_DEFAULT: (usize, usize) = (8, 24);

/// Random games that show how long a game lasts.
const GAMES_TRIED: u64 = 16;

/// Judges the agent, or makes a list of positions.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let game = options.game.checked(workbench)?;
    let agent = match options.make {
        Some(_) => None,
        None => Some(super::agent_or_strongest(workbench, options.agent.as_deref(), &game)?),
    };
    let (source, described) = source(options, workbench, &game)?;
    let judge = workbench.agent_name(&options.judge)?;
    let workbench = &workbench.clone().stopped_by(stop::flag());
    let mistakes = Mistakes::new(workbench, &game, agent.clone(), judge, source)?;
    let count = |trials: u64| format!("--positions {trials}");
    options.trials.check_journal(&mistakes, &option_of, &count)?;
    let file = OutputFile::open_if("--make", options.make.as_ref())?;
    let Some(outcome) = answer(&mistakes, &options.trials)? else { return Ok(()) };
    if let Some(file) = file {
        return make(file, &outcome, &options.trials);
    }
    let Some(agent) = agent else { return Ok(()) };
    let tally = Tally::of(outcome.values());
    let is_interrupted = outcome.ending == Ending::Stopped;
    let (Some(share), range) = (tally.share(), mistakes.points()?) else {
        bail!("interrupted before a position was judged");
    };
    print(&if options.json {
        json_of(&game, &agent, &described, &tally, range.is_some(), is_interrupted).to_string() + "\n"
    } else {
        let ended = match is_interrupted {
            true => format!(
                ", interrupted after {} of {}",
                thousands(tally.positions),
                thousands(mistakes.trials())
            ),
            false => String::new(),
        };
        format!("{game}, {described}{ended}\n\n") + &told(&agent, &tally, share, range)
    })
}

/// The plies of positions where none are asked for: fewer in games that are shorter.
fn plies_of(workbench: &Workbench, game: &str) -> Result<(usize, usize)> {
    if workbench.session(game)?.position().has_chance() {
        return Ok(PLIES_DEFAULT);
    }
    let mut longest = 0;
    for seed in 0..GAMES_TRIED {
        let (mut session, mut rng, mut plies) = (workbench.session(game)?, Rng::seeded(seed), 0);
        while plies <= PLIES_DEFAULT.1 && matches!(session.turn(), Turn::Player(_)) {
            let actions = session.actions();
            session.play(&actions[rng.below(actions.len())])?;
            plies += 1;
        }
        longest = longest.max(plies);
    }
    let to = PLIES_DEFAULT.1.min(longest.saturating_sub(1));
    Ok((PLIES_DEFAULT.0.min(to / 2), to))
}

/// The positions, and a description of them.
fn source(options: &Options, workbench: &Workbench, game: &str) -> Result<(Source, String)> {
    let Some(path) = &options.from else {
        let count = options.positions.unwrap_or(POSITIONS_DEFAULT);
        let kind = options.kind.unwrap_or(Kind::Random);
        let plies = match options.plies {
            Some(plies) => plies,
            None => plies_of(workbench, game)?,
        };
        let (from, to) = plies;
        let seed = options.trials.seed();
        let described = format!("{} positions after {from}..{to} plies, seed {seed}", kind.word());
        return Ok((Source::Drawn(Draw { kind, plies }, count), described));
    };
    let shown = path.display().to_string();
    let text = match PositionSet::named(&shown).filter(|_| !path.exists()) {
        Some(set) => set.lines().to_string(),
        None => std::fs::read_to_string(path).map_err(|error| {
            let lists: Vec<&str> = POSITION_SETS.iter().map(|set| set.name).collect();
            anyhow!("--from {shown}: {error}; the lists that come with aji are {}", lists.join(" and "))
        })?,
    };
    let mut session = workbench.session(game)?;
    let start = session.text();
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        let judged = Judged::read(session.as_mut(), &start, line);
        judged.map_err(|error| anyhow!("--from {shown}: line {number}: {error}"))
    };
    let most = options.positions.map_or(usize::MAX, |count| count as usize);
    let positions = lines.take(most).map(read).collect::<Result<Vec<Judged>>>()?;
    if positions.is_empty() {
        bail!("--from {shown}: there is no position in it; give one per line");
    }
    Ok((Source::Listed(positions), format!("positions of {shown}")))
}

/// The option that a parameter comes from.
fn option_of(parameter: &str) -> Option<String> {
    let option = match parameter {
        "game" => "the game",
        "agent" => "--agent",
        "judge" => "--judge",
        "kind" => "--kind",
        "list" => "--from",
        "plies" => "--plies",
        _ => return None,
    };
    Some(option.into())
}

/// Runs the trials, with a progress bar. None if this run did only a shard.
fn answer(mistakes: &Mistakes, trials: &Trials) -> Result<Option<Outcome<Answer>>> {
    let runner = trials.runner()?;
    if !mistakes.is_repeatable() {
        progress::note(
            "the agent plays by the clock or is another program: the same command may give other moves",
        );
    }
    let bar = Bar::new("positions");
    let outcome = runner.run(mistakes, trials.journal(), &bar, stop::flag())?;
    drop(bar);
    if outcome.ending == Ending::Stopped {
        let hint = if trials.journal().is_some() { "; the same command continues" } else { "" };
        let (done, planned) = (thousands(outcome.records.len() as u64), thousands(mistakes.trials()));
        progress::note(&format!("interrupted after {done} of {planned} positions{hint}"));
    }
    if !runner.shard.is_whole() {
        let (shard, done) = (runner.shard, thousands(outcome.records.len() as u64));
        progress::note(&format!(
            "shard {shard}: {done} positions in the journal; aji merge joins the shards"
        ));
        return Ok(None);
    }
    Ok(Some(outcome))
}

/// Writes the positions with their values.
fn make(file: OutputFile, outcome: &Outcome<Answer>, trials: &Trials) -> Result<()> {
    if outcome.ending == Ending::Stopped {
        let hint = if trials.journal().is_some() { "" } else { "; --journal keeps the positions" };
        bail!("--make: nothing was written{hint}");
    }
    let lines: serde_json::Result<Vec<String>> =
        outcome.values().map(|answer| serde_json::to_string(&answer.judged)).collect();
    file.write(&(lines?.join("\n") + "\n"))?;
    let could_err = Tally::of(outcome.values()).could_err;
    progress::note(&format!(
        "{} with their values, {} in which a mistake is possible",
        counted(outcome.records.len() as u64, "position"),
        thousands(could_err)
    ));
    Ok(())
}

fn json_of(
    game: &str,
    agent: &AgentName,
    described: &str,
    tally: &Tally,
    is_for_points: bool,
    is_interrupted: bool,
) -> serde_json::Value {
    json!({
        "game": game,
        "agent": agent.to_string(),
        "source": described,
        "interrupted": is_interrupted,
        "positions": tally.positions,
        "could_err": tally.could_err,
        "mistakes": tally.mistakes(),
        "win_to_draw": tally.win_to_draw,
        "win_to_loss": tally.win_to_loss,
        "draw_to_loss": tally.draw_to_loss,
        "share": tally.share(),
        "share_where_possible": tally.share_where_possible(),
        "share_of_random_moves": tally.by_chance,
        "points_lost": tally.points_lost.filter(|_| is_for_points),
    })
}

fn told(agent: &AgentName, tally: &Tally, share: Share, range: Option<(f32, f32)>) -> String {
    let percent = |share: Share| {
        let Share { share, interval } = share;
        format!("{:.1}%  ({:.1} to {:.1})", 100.0 * share, 100.0 * interval.low, 100.0 * interval.high)
    };
    let mut rows = vec![
        vec!["agent".into(), agent.to_string()],
        vec!["positions".into(), thousands(tally.positions)],
        vec!["mistakes".into(), format!("{}, {}", thousands(tally.mistakes()), percent(share))],
        vec![
            "where possible".into(),
            match tally.share_where_possible() {
                Some(share) => format!("{} of {}", percent(share), counted(tally.could_err, "position")),
                None => "no move of these positions is a mistake; try other --plies".into(),
            },
        ],
        vec!["win to draw".into(), thousands(tally.win_to_draw)],
        vec!["win to loss".into(), thousands(tally.win_to_loss)],
        vec!["draw to loss".into(), thousands(tally.draw_to_loss)],
        vec!["a random move".into(), format!("errs in {:.1}%", 100.0 * tally.by_chance)],
    ];
    if let (Some((low, high)), Some(lost)) = (range, tally.points_lost) {
        let error = if lost.error.is_finite() { format!(" ± {:.2}", lost.error) } else { String::new() };
        rows.push(vec![
            "points lost".into(),
            format!("{}{error} per move", points(lost.value as f32, high - low)),
        ]);
    }
    text_table(rows)
}
