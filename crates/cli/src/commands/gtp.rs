//! `aji gtp`: an engine for Go programs, over standard input and output.

use crate::{numbers, progress};
use aji_catalog::Workbench;
use aji_gtp::{Options as Engine, serve};
use anyhow::Result;
use clap::Args;

/// Serve as a Go engine for another program, by the Go Text Protocol
#[derive(Args)]
#[command(
    after_help = "Give this command to Sabaki, GoGui, Lizzie or gogui-twogtp as an engine. By hand, type commands such as
list_commands, play b e5, genmove w, showboard, lz-analyze 50, quit.

Without --agent the strongest agent known for the board plays: alphazero at 7x7 with komi 7.5, rave playout=atari elsewhere. A
change of board or komi may change it; a line on standard error then says so. Networks play only the size and the komi that
they learned; elsewhere genmove answers with an error.

The agent's simulations= and time= are upper limits, in addition to the clock that the program keeps. Rules: area
scoring, positional superko, no suicide.

Examples:
  aji gtp
  aji gtp --agent \"rave playout=atari time=5s\" --size 19 --komi 6.5 --ponder
  aji gtp --agent \"rave playout=atari simulations=2000 seed=7\" --resign 0.05
  printf 'genmove b\\nshowboard\\nquit\\n' | aji gtp"
)]
pub struct Options {
    /// Who plays [default: the strongest agent known for the board]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// The board size, until the program sets another
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = numbers::any)]
    size: u64,

    /// The points that white gets for moving second, until the program sets another komi
    #[arg(long, value_name = "K", default_value_t = 7.5, allow_negative_numbers = true, value_parser = numbers::decimal)]
    komi: f64,

    /// Think on the other player's time
    #[arg(long)]
    ponder: bool,

    /// Resign when the win rate is below this at two moves in a row, some time into the game [default: never]
    #[arg(long, value_name = "SHARE", value_parser = numbers::decimal)]
    resign: Option<f64>,
}

/// Answers until the program quits.
pub fn run(options: &Options) -> Result<()> {
    let agent = options.agent.as_deref().map(|name| Workbench::new().agent_name(name)).transpose()?;
    let Options { size, komi, ponder, resign, .. } = *options;
    let resign = resign.map(|share| share as f32);
    let note = progress::note;
    let engine = Engine { agent, size: size as usize, komi, ponder, resign, note, ..Engine::default() };
    Ok(serve(std::io::stdin(), std::io::stdout().lock(), &engine)?)
}
