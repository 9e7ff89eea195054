//! The command `aji`: the command line over the built-in games and agents.

use aji_catalog::Workbench;
use std::process::ExitCode;

fn main() -> ExitCode {
    aji_cli::main_with(Workbench::new())
}
