//! `aji duel`: an attacker against a victim in fixed seats, and the lines that win.

use super::{GameName, counted};
use crate::output::{print, text_table};
use crate::output_file::OutputFile;
use crate::progress::{self, Bar};
use crate::trials::Trials;
use crate::{numbers, stop};
use aji_catalog::{AgentName, Workbench, thousands};
use aji_lab::drawing::lines_svg;
use aji_lab::duel::{CommonLine, Duel, DuelCounts, Duels, LineTree, common_lines};
use aji_lab::mistakes::PositionSet;
use aji_lab::{Ending, Experiment};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Play an attacker against a victim in fixed seats, and show the lines that win
#[derive(Args)]
#[command(
    after_help = "The victim moves first unless --attacker-first says otherwise. Every game has other seeds. A victim without random numbers,
such as alphazero, plays the same game again and again: --from gives each game another position.

Each line of a --from file is a position, or a line that `aji mistakes --make` wrote. The interval is Wilson's, at 95%.

Examples:
  aji duel connect-four --victim \"uct c=0.5 simulations=1000\" --attacker \"amcts victim=(uct c=0.5 simulations=1000) by=alphazero simulations=50\" --games 10 --lines 1
  aji duel connect-four --victim \"alphazero simulations=16\" --attacker \"amcts victim=(alphazero simulations=16) model=r by=alphazero simulations=50\" --from connect-four-early --games 10 --lines 1
  aji duel connect-four --victim \"uct c=0.5 simulations=500\" --attacker \"alphazero simulations=20\" --games 50 --line-tree lines.svg
  aji duel connect-four --victim \"uct simulations=500\" --attacker rave --from connect-four-early --json"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The agent that tries to win
    #[arg(long, value_name = "NAME")]
    attacker: String,

    /// The agent that it plays
    #[arg(long, value_name = "NAME")]
    victim: String,

    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = numbers::count(1..=1_000_000_000))]
    games: u64,

    /// The attacker moves first
    #[arg(long)]
    attacker_first: bool,

    /// Begin the games at the positions of a file, one a line, or of a list that comes with aji
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Show this many of the most frequent winning lines, each with the board at its end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count(0..=100))]
    lines: u64,

    /// Draw the winning lines of the start that was lost most often as a tree with boards, to an SVG file
    #[arg(long, value_name = "FILE")]
    line_tree: Option<PathBuf>,

    #[command(flatten)]
    trials: Trials,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints what came of them.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let game = options.game.checked(workbench)?;
    let [attacker, victim] = [&options.attacker, &options.victim].map(|name| workbench.agent_name(name));
    let (attacker, victim) = (attacker?, victim?);
    let starts = starts(options, workbench, &game)?;
    let drawing = OutputFile::open_svg("--line-tree", options.line_tree.as_ref())?;
    if let Some(cost) = attacker.cost() {
        progress::note(&cost);
    }
    let workbench = &workbench.clone().stopped_by(stop::flag());
    let duels =
        Duels::new(workbench, &game, attacker.clone(), victim.clone(), options.games)?.from(starts.clone());
    let duels = if options.attacker_first { duels.attacker_first() } else { duels };
    options.trials.check_journal(&duels, &option_of, &|trials| format!("--games {trials}"))?;
    let runner = options.trials.runner()?;
    let bar = Bar::new("games");
    let outcome = runner.run(&duels, options.trials.journal(), &bar, stop::flag())?;
    drop(bar);
    if !runner.shard.is_whole() {
        let (shard, done) = (runner.shard, counted(outcome.records.len() as u64, "game"));
        progress::note(&format!("shard {shard}: {done} in the journal; aji merge joins the shards"));
        return Ok(());
    }
    let played: Vec<&Duel> = outcome.values().collect();
    if played.is_empty() {
        bail!("interrupted before a game ended");
    }
    let is_interrupted = outcome.ending == Ending::Stopped;
    let counts = DuelCounts::of(played.iter().copied());
    let lines = common_lines(&played, options.lines as usize);
    if let Some(file) = drawing {
        match LineTree::of(workbench, &game, &starts, &played)? {
            Some(tree) => file.write(&lines_svg(&tree, &format!("{game}, {attacker} against {victim}")))?,
            None => progress::note("--line-tree: no line to draw, the attacker won no game"),
        }
    }
    if options.json {
        let interval = counts.interval();
        let told = json!({
            "game": game,
            "attacker": attacker.to_string(),
            "victim": victim.to_string(),
            "attacker_first": options.attacker_first,
            "interrupted": is_interrupted,
            "games": counts.games(),
            "wins": counts.wins,
            "draws": counts.draws,
            "losses": counts.losses,
            "share": counts.share(),
            "low": interval.low,
            "high": interval.high,
            "duplicates": counts.duplicates,
            "attacker_simulations": counts.attacker_simulations,
            "victim_simulations": counts.victim_simulations,
            "lines": lines,
        });
        return print(&(told.to_string() + "\n"));
    }
    let ended = match is_interrupted {
        true => {
            format!("interrupted after {} of {}", thousands(counts.games()), counted(duels.trials(), "game"))
        }
        false => counted(counts.games(), "game"),
    };
    let mut text =
        format!("{game}, {ended}\n\n{}", table(&attacker, &victim, &counts, options.attacker_first));
    if lines.is_empty() && options.lines > 0 {
        text += "\nno line to show: the attacker won no game\n";
    }
    for line in &lines {
        text += &shown(workbench, &game, &starts, line, counts.wins)?;
    }
    print(&text)
}

/// The positions of `--from`; none without it.
fn starts(options: &Options, workbench: &Workbench, game: &str) -> Result<Vec<String>> {
    let Some(path) = &options.from else { return Ok(Vec::new()) };
    let shown = path.display().to_string();
    let text = match PositionSet::named(&shown).filter(|_| !path.exists()) {
        Some(set) => set.lines().to_string(),
        None => std::fs::read_to_string(path).map_err(|error| anyhow!("--from {shown}: {error}"))?,
    };
    let (mut session, mut starts) = (workbench.session(game)?, Vec::new());
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let parsed: Option<serde_json::Value> = serde_json::from_str(line).ok();
        let position = parsed.as_ref().and_then(|value| value["position"].as_str()).unwrap_or(line.trim());
        let wrong = |error| anyhow!("--from {shown}: line {}: {error}", number + 1);
        session.set_position(position).map_err(wrong)?;
        if session.name() != game {
            let name = session.name();
            bail!("--from {shown}: line {}: a position of {name}, expected one of {game}", number + 1);
        }
        starts.push(session.text());
    }
    if starts.is_empty() {
        bail!("--from {shown}: there is no position in it; give one per line");
    }
    Ok(starts)
}

fn option_of(parameter: &str) -> Option<String> {
    let option = match parameter {
        "game" => "the game",
        "attacker" => "--attacker",
        "victim" => "--victim",
        "attacker_first" => "--attacker-first",
        "starts" => "--from",
        _ => return None,
    };
    Some(option.into())
}

fn table(attacker: &AgentName, victim: &AgentName, counts: &DuelCounts, attacker_first: bool) -> String {
    let (share, interval) = (counts.share(), counts.interval());
    let [first, second] = [" (moves first)", ""];
    let [of_attacker, of_victim] = if attacker_first { [first, second] } else { [second, first] };
    let per_game = |simulations: u64| format!("{} per game", thousands(simulations / counts.games().max(1)));
    text_table(vec![
        vec!["attacker".into(), format!("{attacker}{of_attacker}")],
        vec!["victim".into(), format!("{victim}{of_victim}")],
        vec![
            "attacker wins".into(),
            format!(
                "{}, {:.3}  (95%: {:.3} to {:.3})",
                thousands(counts.wins),
                share,
                interval.low,
                interval.high
            ),
        ],
        vec!["draws".into(), thousands(counts.draws)],
        vec!["victim wins".into(), thousands(counts.losses)],
        vec![
            "simulations".into(),
            format!(
                "attacker {}, victim {}",
                per_game(counts.attacker_simulations),
                per_game(counts.victim_simulations)
            ),
        ],
        vec!["plies".into(), format!("{:.1} per game", counts.plies as f64 / counts.games().max(1) as f64)],
        vec!["duplicates".into(), thousands(counts.duplicates)],
    ])
}

/// A line with the board at its end.
fn shown(
    workbench: &Workbench,
    game: &str,
    starts: &[String],
    line: &CommonLine,
    wins: u64,
) -> Result<String> {
    let mut session = workbench.session(game)?;
    if let Some(start) = starts.get(line.start) {
        session.set_position(start)?;
    }
    for action in &line.moves {
        session.play(action)?;
    }
    let (moves, board) = (line.moves.join(" "), session.board());
    Ok(format!(
        "\n{} of {} wins, and {} of all games: {moves}\n\n{board}",
        thousands(line.wins),
        thousands(wins),
        thousands(line.games)
    ))
}
