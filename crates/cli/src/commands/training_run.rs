//! What the commands share that train networks, `aji train` and `aji attack`: their options, their loop, and the progress
//! that they show.

use super::counted;
use crate::numbers;
use crate::progress::{duration, note, write};
use crate::stop;
use aji_catalog::{Session, Workbench, read_bytes, thousands};
use aji_train::{Folder, Iteration, Progress, Run, START, Stage, Training, Wishes};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The word for the network that ships, in place of a file.
const SHIPPED: &str = "shipped";

/// The options of a run.
#[derive(Args)]
pub struct RunOptions {
    /// The game, with its options; may be left out to continue a run
    game: Vec<String>,

    /// The network: conv channels=32 blocks=3, or perceptron hidden=256,128
    #[arg(long, value_name = "NAME")]
    net: Option<String>,

    /// The network to start from: a file, such as one of another run, or shipped for the one that ships for the game
    /// [default: a random one]; it grows to a larger --net
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// The search of every move that is learned: gumbel simulations=32, or alphazero simulations=100
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Options of training, as key=value; `aji train --list` explains the keys
    #[arg(long, value_name = "OPTIONS")]
    with: Option<String>,

    /// Stop after the iteration that reaches this many games in all [default: no limit]
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=u64::MAX))]
    games: Option<u64>,

    /// Stop after the iteration that reaches this many hours in all [default: no limit]
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: Option<Duration>,

    /// How many threads play and learn [default: one per core]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=256))]
    threads: Option<u64>,

    /// The seed of all random numbers [default: 1]
    #[arg(long, value_name = "S", value_parser = numbers::any)]
    seed: Option<u64>,

    /// The memory limit [default: 1GB]; half of it is for the replay window
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    memory: Option<u64>,
}

fn hours(text: &str) -> Result<Duration, String> {
    let expected = || "expected hours such as 0.5 or 12".to_string();
    let hours: f64 = text.parse().map_err(|_| expected())?;
    if hours > 0.0 && hours <= 10_000.0 {
        Ok(Duration::from_secs_f64(3600.0 * hours))
    } else {
        Err(expected())
    }
}

fn memory(text: &str) -> Result<u64, String> {
    read_bytes(text).map_err(|expected| format!("expected {expected}"))
}

/// What was asked for: the game, the wishes, and the run that is already in the folder.
pub struct Asked {
    pub session: Box<dyn Session>,
    pub wishes: Wishes,
    pub found: Option<Run>,
}

impl RunOptions {
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    fn wishes(&self, workbench: &Workbench, name: &str, game: Option<String>) -> Result<Wishes> {
        let read = |path: &PathBuf| match path.to_str() {
            // A file of this name goes before.
            Some(SHIPPED) if !path.exists() => {
                workbench.network_file(name).with_context(|| format!("--start {SHIPPED}"))
            }
            _ => std::fs::read(path).with_context(|| format!("--start {}", path.display())),
        };
        Ok(Wishes {
            game,
            net: self.net.clone(),
            agent: self.agent.clone(),
            options: self.with.clone(),
            seed: self.seed,
            memory: self.memory,
            start: self.start.as_ref().map(read).transpose()?,
            against: None,
        })
    }

    /// Opens the game, which is that of the run in the folder if none is named.
    pub fn asked(&self, workbench: &Workbench, out: &Path) -> Result<Asked> {
        let found = Run::find(&Folder::read_only(out))?;
        let asked = (!self.game.is_empty()).then(|| self.game.join(" "));
        let game = match (&asked, &found) {
            (Some(game), _) => game.clone(),
            (None, Some(run)) => run.game.clone(),
            (None, None) => bail!("{}: there is no run here yet; to begin one, name a game", out.display()),
        };
        let session = workbench.session(&game)?;
        let wishes = self.wishes(workbench, session.name(), asked.map(|_| session.name().to_string()))?;
        Ok(Asked { session, wishes, found })
    }

    /// The run that was found, if the wishes agree with it, or a new one. Opens its folder.
    pub fn begin(&self, out: &Path, found: Option<Run>, wishes: &Wishes) -> Result<(Folder, Run)> {
        let run = match found {
            Some(run) => {
                run.check(wishes).map_err(|error| anyhow!("{}: {error}", out.display()))?;
                run
            }
            None => match (Run::new(wishes), &self.start) {
                (Err(error), Some(start)) => bail!("--start {}: {error}", start.display()),
                (run, _) => run?,
            },
        };
        let folder = Folder::open(out)?;
        if let Some(start) = &wishes.start {
            folder.write(START, start)?;
        }
        Ok((folder, run))
    }
}

/// A training that goes on iteration by iteration.
pub trait Course {
    fn training(&self) -> &Training;

    /// What is due after an iteration, such as a gate. False if Ctrl-C stopped it.
    fn follow_up(&mut self) -> Result<bool>;

    fn iterate(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>>;

    /// What the line of an iteration says first, if anything.
    fn told(&self) -> Option<String>;
}

/// Trains until the run is long enough or Ctrl-C stops it. Returns the finished progress.
pub fn go_on(options: &RunOptions, course: &mut dyn Course) -> Result<Progress> {
    let (flag, mut shown) = (stop::flag(), Shown::new());
    let (mut was_short, mut goes_on) = (false, course.training().progress().iterations > 0);
    let mut is_endless = options.games.is_none() && options.hours.is_none();
    loop {
        let finished = course.training().progress().clone();
        if !stop::is_asked() && !course.follow_up()? {
            return Ok(finished);
        }
        let seconds = course.training().journal().iterations.last().map_or(0.0, |line| line.seconds);
        let is_done = options.games.is_some_and(|games| finished.games >= games)
            || options.hours.is_some_and(|hours| seconds >= hours.as_secs_f64());
        if is_done || stop::is_asked() {
            return Ok(finished);
        }
        if std::mem::take(&mut goes_on) {
            note(&format!("continuing after {}", told(&finished)));
        }
        if std::mem::take(&mut is_endless) {
            note("without --games and --hours, training goes on until Ctrl-C; the same command resumes it");
        }
        let done = course.iterate(options.threads(), flag, &mut |stage| shown.stage(&finished, stage))?;
        shown.clear();
        let Some(line) = done else { return Ok(finished) };
        if line.is_window_short && !was_short {
            note(
                "the window is as large as --memory allows: older samples are forgotten sooner than window= says",
            );
        }
        was_short = line.is_window_short;
        shown.iteration(&line, course.told());
    }
}

/// The result of a run in words.
pub fn ended(network: &Path, before: &Progress, reached: &Progress) -> String {
    if stop::is_asked() {
        return format!("stopped after {}; the same command continues", told(reached));
    }
    let nothing = if reached == before { "nothing to do; " } else { "" };
    format!("{}: {nothing}{}", network.display(), told(reached))
}

fn told(progress: &Progress) -> String {
    let Progress { iterations, games, samples, steps, .. } = progress;
    format!(
        "{}, {}, {}, {}",
        counted(*iterations, "iteration"),
        counted(*games, "game"),
        counted(*samples, "sample"),
        counted(*steps, "step")
    )
}

/// How often a line is written where there is no terminal.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// How often a terminal shows how far an iteration is.
const DRAWN_EVERY: Duration = Duration::from_millis(200);

/// The progress on standard error.
struct Shown {
    is_terminal: bool,
    drawn: Option<Instant>,
    written: Instant,
    width: usize,
}

impl Shown {
    fn new() -> Shown {
        Shown { is_terminal: std::io::stderr().is_terminal(), drawn: None, written: Instant::now(), width: 0 }
    }

    /// Shows on a terminal how far an iteration is.
    fn stage(&mut self, finished: &Progress, stage: Stage) {
        if !self.is_terminal || self.drawn.is_some_and(|drawn| drawn.elapsed() < DRAWN_EVERY) {
            return;
        }
        self.drawn = Some(Instant::now());
        let number = finished.iterations + 1;
        let line = match stage {
            Stage::Playing(done, of) => format!("iteration {number}: {done} of {of} games"),
            Stage::Learning(done, of) => format!("iteration {number}: {done} of {of} steps"),
        };
        write(&format!("\r{line:0$}", self.width));
        self.width = line.len();
    }

    fn clear(&mut self) {
        if self.width > 0 {
            write(&format!("\r{:1$}\r", "", self.width));
            self.width = 0;
        }
    }

    /// Writes the losses and speed of an iteration: every iteration on a terminal, one every few seconds elsewhere.
    fn iteration(&mut self, line: &Iteration, told: Option<String>) {
        if !self.is_terminal && self.written.elapsed() < WRITTEN_EVERY {
            return;
        }
        self.written = Instant::now();
        let rates = match (line.games_per_second(), line.plies_per_second()) {
            (Some(games), Some(plies)) => format!(", self-play {games:.1} games/s, {plies:.0} positions/s"),
            _ => String::new(),
        };
        let told = told.map_or(String::new(), |told| format!("{told}; "));
        note(&format!(
            "iteration {}: {told}{} games, policy loss {:.3}, value loss {:.3}, entropy {:.2}{rates}, {:.0}% cached, {} so far",
            line.iteration,
            thousands(line.games),
            line.policy_loss,
            line.value_loss,
            line.entropy,
            100.0 * line.cached_share(),
            duration(line.seconds),
        ));
    }
}
