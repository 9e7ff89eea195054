//! `aji replay`: saved games, played again.

use super::outcome;
use crate::output::print;
use aji_lab::contest::SavedGame;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Play saved games again: checks every move and result
#[derive(Args)]
#[command(
    after_help = "Without --game every game is checked and told in a line; with it, that game is shown board by board.

Examples:
  aji match connect-four --a uct --b flat --games 20 --save games.jsonl
  aji replay games.jsonl
  aji replay games.jsonl --game 3"
)]
pub struct Options {
    /// A file of saved games, one a line
    file: PathBuf,

    /// Show this game, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

pub fn run(options: &Options) -> Result<()> {
    let shown = options.file.display();
    let text = std::fs::read_to_string(&options.file).with_context(|| format!("cannot read {shown}"))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let read = |number: usize| {
        SavedGame::read(lines[number]).with_context(|| format!("{shown}, line {}", number + 1))
    };
    match options.game {
        None => {
            (0..lines.len())
                .try_for_each(|number| print(&told(number, &read(number)?, &shown.to_string())?))?;
            print(&format!("{} games, every move legal and every result as saved\n", lines.len()))
        }
        Some(number) if (1..=lines.len()).contains(&number) => show(&read(number - 1)?),
        Some(number) => bail!("{shown} has {} games; there is no number {number}", lines.len()),
    }
}

/// A game in a line.
fn told(number: usize, game: &SavedGame, file: &str) -> Result<String> {
    let mut ending = String::new();
    game.replay(&mut |_, session| ending = outcome(session))
        .with_context(|| format!("{file}, line {}", number + 1))?;
    let (agents, plies) = (game.agents.join(" - "), game.moves.len());
    Ok(format!("{}  {}: {agents}: {ending} after {plies} plies\n", number + 1, game.game))
}

/// A game board by board.
fn show(game: &SavedGame) -> Result<()> {
    let mut boards = format!("{}: {}\n", game.game, game.agents.join(" - "));
    let mut ply = 0;
    game.replay(&mut |action, session| {
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
