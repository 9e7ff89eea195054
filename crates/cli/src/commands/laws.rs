//! `aji laws`: whether a game keeps the laws that every search relies on.

use super::GameName;
use crate::numbers;
use crate::output::print;
use aji_catalog::Workbench;
use anyhow::{Result, anyhow};
use clap::Args;

/// Check a game's rules: random games must keep the laws that every search relies on
#[derive(Args)]
#[command(
    after_help = "For a broken law, the error shows the moves that lead to the position, and what would be right.

Example:
  aji laws hex size=5 --seed 7"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The seed of the random games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::any)]
    seed: u64,
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let session = options.game.open(workbench)?;
    let name = session.name();
    let checked = session.check_laws(options.seed).map_err(|broken| anyhow!("{name}: {broken}"))?;
    let (games, seed) = (aji_search::laws::GAMES, options.seed);
    print(&format!(
        "{name} keeps the laws of {} in {games} random games of seed {seed}\n",
        checked.join(", ")
    ))
}
