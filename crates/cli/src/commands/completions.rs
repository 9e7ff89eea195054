//! `aji completions`: the script with which a shell completes aji's arguments.

use crate::Cli;
use crate::output::print;
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

/// Print the completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  aji completions bash > ~/.local/share/bash-completion/completions/aji")]
pub struct Options {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn run(options: &Options) -> Result<()> {
    let mut script = Vec::new();
    generate(options.shell, &mut Cli::command(), "aji", &mut script);
    print(&String::from_utf8_lossy(&script))
}
