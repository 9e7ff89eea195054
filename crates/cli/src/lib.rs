//! aji on the command line: parses, calls the catalog and prints. No algorithm is here.
//!
//! [`main_with`] is the whole command line over a [`Workbench`]. A program with its own games only adds them and calls
//! it.
//!
//! ```no_run
//! # use aji_games::TicTacToe as Dots;
//! use aji_catalog::{Own, Workbench};
//!
//! fn main() -> std::process::ExitCode {
//!     aji_cli::main_with(Workbench::new().game("dots", |_| Ok(Own::new(Dots::new()).named())))
//! }
//! ```

mod commands;
#[cfg(test)]
mod documents;
pub mod embedded;
mod graph_drawing;
mod machine;
mod numbers;
mod output;
mod output_file;
mod progress;
mod saved_file;
mod stop;
mod thermograph_svg;
mod tree_file;
mod trials;

use aji_catalog::Workbench;
use anyhow::Result;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
#[cfg(feature = "web")]
use commands::serve;
use commands::{
    attack, bandit, bench, cgt, completions, duel, explain, export, gtp, laws, learn, list, match_agents,
    merge, mistakes, perft, play, replay, reproduce, search, thermo, tournament, train, traps, tune,
};
use std::ffi::OsString;
use std::process::ExitCode;

/// Monte Carlo tree search for games: play against it, ask it for a move, measure it.
#[derive(Parser)]
#[command(name = "aji", version = trials::VERSION_AND_COMMIT, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  aji play connect-four
  aji search hex size=5 --moves \"c3 b4\" --agent \"uct c=0.7 time=2s\"
  aji search tic-tac-toe --position \"x.o/.x./..o x\" --json

The options of a GAME follow it. A NAME is one argument, quoted when it has options. `aji list` shows them all. Numbers may be
written 20k, 1M, 1e6, 1_000_000 or 1,000,000.";

#[derive(Subcommand)]
enum Command {
    List(list::Options),
    Play(play::Options),
    Gtp(gtp::Options),
    #[cfg(feature = "web")]
    Serve(serve::Options),
    Search(search::Options),
    Explain(explain::Options),
    Perft(perft::Options),
    Laws(laws::Options),
    Traps(traps::Options),
    Mistakes(mistakes::Options),
    Duel(duel::Options),
    Thermo(thermo::Options),
    Learn(learn::Options),
    Bandit(bandit::Options),
    Match(match_agents::Options),
    Tournament(tournament::Options),
    Tune(tune::Options),
    Train(train::Options),
    Attack(attack::Options),
    Replay(replay::Options),
    Reproduce(reproduce::Options),
    Merge(merge::Options),
    Export(export::Options),
    Bench(bench::Options),
    Cgt(cgt::Options),
    Completions(completions::Options),
}

/// The command line. A negative number is a value, not an option.
fn command() -> clap::Command {
    let value = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    Cli::command().mut_subcommands(|command| command.mut_args(value))
}

/// Runs the command line of this process over these games and agents. Returns the exit code.
pub fn main_with(workbench: Workbench) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(main_of(&arguments, &workbench))
}

/// Runs a command line, whose first word is the program. Returns the exit code.
pub fn main_of(arguments: &[OsString], workbench: &Workbench) -> u8 {
    let code = match done(arguments, workbench) {
        Ok(()) => 0,
        Err(error) if output::is_closed_pipe(&error) => 0,
        Err(error) => {
            progress::note(&format!("aji: {}", told(&error)));
            if error.is::<commands::Unfinished>() { 1 } else { 2 }
        }
    };
    // Shells end a loop over commands when one of them exits with this code.
    if stop::is_asked() { stop::EXIT_CODE } else { code }
}

/// Parses a command line and does what it says.
fn done(arguments: &[OsString], workbench: &Workbench) -> Result<()> {
    match command().try_get_matches_from(arguments).and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => run(cli.command, workbench),
        Err(error) if error.use_stderr() && error.kind() != MISSING => {
            let word = arguments.get(1).and_then(|word| word.to_str());
            Err(commands::usage(&error, word))
        }
        // Styled, as the terminal allows.
        Err(help) if !output::is_kept() && help.kind() != MISSING => Ok(help.print()?),
        Err(help) => output::print(&help.render().to_string()),
    }
}

/// The kind of the error of a command line without a command: it shows the help.
const MISSING: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// An error in one line.
fn told(error: &anyhow::Error) -> String {
    output_file::without_numbers(&format!("{error:#}"))
}

fn run(command: Command, workbench: &Workbench) -> Result<()> {
    match command {
        Command::List(options) => list::run(&options, workbench),
        Command::Play(options) => play::run(&options, workbench),
        Command::Gtp(options) => gtp::run(&options),
        #[cfg(feature = "web")]
        Command::Serve(options) => serve::run(&options, workbench),
        Command::Search(options) => search::run(&options, workbench),
        Command::Explain(options) => explain::run(&options, workbench),
        Command::Perft(options) => perft::run(&options, workbench),
        Command::Laws(options) => laws::run(&options, workbench),
        Command::Traps(options) => traps::run(&options, workbench),
        Command::Mistakes(options) => mistakes::run(&options, workbench),
        Command::Duel(options) => duel::run(&options, workbench),
        Command::Thermo(options) => thermo::run(&options),
        Command::Learn(options) => learn::run(&options, workbench),
        Command::Bandit(options) => bandit::run(&options),
        Command::Match(options) => match_agents::run(&options, workbench),
        Command::Tournament(options) => tournament::run(&options, workbench),
        Command::Tune(options) => tune::run(&options, workbench),
        Command::Train(options) => train::run(&options, workbench),
        Command::Attack(options) => attack::run(&options, workbench),
        Command::Replay(options) => replay::run(&options, workbench),
        Command::Reproduce(options) => reproduce::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Bench(options) => bench::run(&options, workbench),
        Command::Cgt(options) => cgt::run(&options),
        Command::Completions(options) => completions::run(&options),
    }
}
