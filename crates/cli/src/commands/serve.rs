//! `aji serve`: the workbench in the browser.

use super::reproduce::DEFAULT_OUT;
use crate::output::print;
use crate::trials::origin;
use crate::{numbers, progress, stop};
use aji_catalog::{Workbench, read_bytes};
use aji_web::{LabOptions, Server};
use anyhow::{Result, anyhow};
use clap::Args;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

/// Open the workbench in the browser: play, and watch searches
#[derive(Args)]
#[command(after_help = "Examples:
  aji serve --open
  aji serve --port 8000 --memory 4GB --threads 2
  aji serve --journals matches --reports papers

The page needs nothing but this program and a browser. Ctrl-C ends it.")]
pub struct Options {
    /// The port; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 7700)]
    port: u16,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The memory of all searches together
    #[arg(long, value_name = "BYTES", default_value = "1GB", value_parser = memory)]
    memory: u64,

    /// The most threads of one search [default: one per core]
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=THREADS_MAX))]
    threads: Option<u64>,

    /// The address to listen on. Any but this machine's own lets others use it: they need the token that is printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// The folder of the journals of matches, tournaments and tunings that the page starts; the first one makes it.
    /// Journals of the commands can be watched there too
    #[arg(long, value_name = "DIR", default_value = "aji-journals")]
    journals: PathBuf,

    /// The folder of reports that the page can open, as aji reproduce writes them
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    reports: PathBuf,
}

/// The most threads that a search may have.
const THREADS_MAX: u64 = 256;

/// The least memory with which searches are worth watching.
const MEMORY_MIN: u64 = 16_000_000;

fn memory(text: &str) -> Result<u64, String> {
    let bytes = read_bytes(text).map_err(|expected| format!("expected {expected}"))?;
    if bytes < MEMORY_MIN { Err("expected at least 16MB".into()) } else { Ok(bytes) }
}

/// Serves until Ctrl-C.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let standard = aji_web::Options::default();
    let asked = aji_web::Options {
        address: options.address,
        port: options.port,
        memory: options.memory,
        threads: options.threads.map_or(standard.threads, |threads| threads as usize),
        lab: LabOptions {
            journals: options.journals.clone(),
            reports: options.reports.clone(),
            origin: origin(),
        },
        ..standard
    };
    let (address, port) = (options.address, options.port);
    let server = Server::bind(workbench.clone(), asked).map_err(|error| {
        anyhow!("{address} port {port}: {error}; choose another by --port, or 0 for any free one")
    })?;
    if server.has_token() {
        progress::note("warning: others in the network can reach this port; only the token keeps them out");
    }
    print(&format!("the workbench is at {} (Ctrl-C ends it)\n", server.url()))?;
    if options.open {
        open(&server.url());
    }
    let flag = stop::flag();
    server.run(|| flag.load(Ordering::Relaxed))?;
    // Ctrl-C is how a server ends, not an interruption.
    stop::forget();
    Ok(())
}

/// Asks the system to show the page.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if quiet.is_err() {
        progress::note(&format!("cannot open a browser by {program}; open the address yourself"));
    }
}
