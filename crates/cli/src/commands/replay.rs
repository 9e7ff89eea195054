//! `aji replay`: saved games, played again.

use super::play::record::Record;
use super::{counted, outcome};
use crate::numbers;
use crate::output::print;
use aji_catalog::Workbench;
use aji_lab::contest::SavedGame;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Replay saved games, and check every move and result
#[derive(Args)]
#[command(
    after_help = "Without --game, every game is checked and printed in one line; with it, that game is shown board by board.

Examples:
  aji match connect-four --a uct --b flat --games 20 --save games.jsonl
  aji replay games.jsonl
  aji replay games.jsonl --game 3"
)]
pub struct Options {
    /// A file of saved games, one per line
    file: PathBuf,

    /// Show this game, counted from 1
    #[arg(long, value_name = "N", value_parser = numbers::any)]
    game: Option<u64>,
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let shown = options.file.display();
    let text = std::fs::read_to_string(&options.file).with_context(|| format!("cannot read {shown}"))?;
    if text.lines().next().is_some_and(Record::is_in) {
        bail!("{shown}: a game of `aji play`; `aji play --load {shown}` continues it");
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let place = |line: usize| format!("{shown}, line {}", line + 1);
    let games =
        lines.map(|(line, text)| SavedGame::read(text).with_context(|| place(line)).map(|game| (line, game)));
    let games: Vec<(usize, SavedGame)> = games.collect::<Result<_>>()?;
    let count = games.len();
    match options.game {
        _ if count == 0 => bail!("{shown} has no games; `aji match --save {shown}` writes some"),
        None => {
            for (index, (line, game)) in games.iter().enumerate() {
                let told = told(workbench, game).with_context(|| place(*line))?;
                print(&format!("{}  {told}\n", index + 1))?;
            }
            let games = counted(count as u64, "game");
            print(&format!("{games}, every move legal and every result as saved\n"))
        }
        Some(number) if (1..=count as u64).contains(&number) => {
            show(workbench, &games[number as usize - 1].1)
        }
        Some(number) => bail!("{shown} has {}; there is no number {number}", counted(count as u64, "game")),
    }
}

/// A game in a line.
fn told(workbench: &Workbench, game: &SavedGame) -> Result<String> {
    let mut ending = String::new();
    game.replay(workbench, &mut |_, session| ending = outcome(session))?;
    let (agents, plies) = (game.agents.join(" - "), game.moves.len());
    let plies = if plies == 1 { "1 ply".into() } else { format!("{plies} plies") };
    Ok(format!("{}: {agents}: {ending} after {plies}", game.game))
}

/// A game board by board.
fn show(workbench: &Workbench, game: &SavedGame) -> Result<()> {
    let mut boards = format!("{}: {}\n", game.game, game.agents.join(" - "));
    let mut ply = 0;
    game.replay(workbench, &mut |action, session| {
        if let Some(action) = action {
            ply += 1;
            let opening = if ply <= game.opening_plies { " (opening)" } else { "" };
            boards += &format!("\n{ply}. {action}{opening}\n");
        }
        boards += &format!("\n{}\n", session.board().trim_end());
        if session.payoff().is_some() {
            boards += &format!("\n{}\n", outcome(session));
        }
    })?;
    print(&boards)
}
