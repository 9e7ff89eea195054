//! `aji train`: a network learned from self-play, and the page with the curves of its training.

use crate::machine::{machine, now};
use crate::numbers;
use crate::output::print;
use crate::progress::{duration, note, write};
use crate::stop;
use crate::trials::origin;
use aji_catalog::{Workbench, read_bytes, thousands};
use aji_lab::report::{Foot, Page};
use aji_lab::training::{Curves, Gate, GateRules, lesson};
use aji_train::{Folder, Iteration, NETWORK, Progress, Run, START, Stage, Training, Wishes};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::json;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Train a network by self-play, or report on earlier trainings
#[derive(Args)]
#[command(
    after_help = "All files of a run are in its folder. The same command continues the run, however it ended; options that are left
out stay as they were when the run began. The same game, network, agent, options, memory and seed give the same bytes, on any
number of threads and after any interruption.

In the folder: network.safetensors, which the agents alphazero and gumbel take by net=; networks/, those of earlier
iterations; journal.jsonl, a line for each iteration and gate; checkpoint, games/ and run.json, from which the run continues.

A gate is a match of a kept network (keep=) against the agent of --gate, and one against the network kept before it. Gates do
not affect what is learned.

Options of --with, as key=value: games reuse batch rate rate_end rate_steps warmup decay clip averaging window window_start
window_share openings opening_plies sampled mix surprise full fast resign resign_check symmetries pruning plies keep;
`aji train --list` explains them.

Examples:
  aji train connect-four --out runs/c4 --hours 1
  aji train --out runs/c4 --games 100k --threads 2
  aji train hex size=7 --out runs/hex --net \"conv channels=48 blocks=4\" --agent \"gumbel simulations=64\" --with \"batch=512 reuse=2\"
  aji train connect-four --out runs/further --start runs/c4/network.safetensors --with \"rate=0.0005\" --hours 1
  aji train --report runs/c4 runs/hex"
)]
pub struct Options {
    /// The game, with its options; may be left out to continue a run
    game: Vec<String>,

    /// The folder of the run
    #[arg(long, value_name = "DIR", required_unless_present_any = ["report", "list"])]
    out: Option<PathBuf>,

    /// The network: conv channels=32 blocks=3, or perceptron hidden=256,128
    #[arg(long, value_name = "NAME")]
    net: Option<String>,

    /// The network to start from, such as one of another run [default: a random one]
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// The search in self-play: gumbel simulations=32, or alphazero simulations=100
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Options of training, as key=value; --list explains the keys
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

    /// The agent that kept networks play; none for no gates. Against an agent with time= networks have that time too
    #[arg(long, value_name = "NAME", default_value = "uct simulations=1000")]
    gate: String,

    /// Games against each opponent in a gate
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::count(2..=100_000))]
    gate_games: u64,

    /// Simulations per move of the network in a gate
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = numbers::count(1..=1_000_000))]
    gate_simulations: u64,

    /// Write a page with the curves of these runs: to report/ of the first one, or to --out
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["game", "games", "hours"])]
    report: Vec<PathBuf>,

    /// Explain the options of --with and --agent
    #[arg(long)]
    list: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
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

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    if options.list {
        return print(&explained());
    }
    if !options.report.is_empty() {
        return report(options);
    }
    let Some(out) = &options.out else { bail!("--out DIR: expected the folder of the run") };
    let rules = GateRules {
        opponent: (options.gate != "none").then(|| workbench.agent_name(&options.gate)).transpose()?,
        pairs: options.gate_games / 2,
        simulations: options.gate_simulations,
        threads: options.threads(),
        origin: origin(),
    };
    let mut training = open(options, workbench, out)?;
    let before = training.progress().clone();
    let gate = Gate::new(workbench, &training.run().game, rules)?;
    let reached = go_on(options, &mut training, &gate, out)?;
    let network = out.join(NETWORK);
    let is_interrupted = stop::is_asked();
    let text = if options.json {
        let Progress { iterations, games, samples, steps, plies } = reached;
        json!({
            "game": training.run().game, "network": network, "iterations": iterations, "games": games,
            "samples": samples, "steps": steps, "plies": plies, "interrupted": is_interrupted,
        })
        .to_string()
    } else if is_interrupted {
        format!("stopped after {}; the same command continues", told(&reached))
    } else {
        let nothing = if reached == before { "nothing to do; " } else { "" };
        format!("{}: {nothing}{}", network.display(), told(&reached))
    };
    print(&(text + "\n"))
}

impl Options {
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    fn wishes(&self, game: Option<String>) -> Result<Wishes> {
        let read =
            |path: &PathBuf| std::fs::read(path).with_context(|| format!("--start {}", path.display()));
        Ok(Wishes {
            game,
            net: self.net.clone(),
            agent: self.agent.clone(),
            options: self.with.clone(),
            seed: self.seed,
            memory: self.memory,
            start: self.start.as_ref().map(read).transpose()?,
        })
    }
}

/// Begins the run, or opens it again.
fn open(options: &Options, workbench: &Workbench, out: &Path) -> Result<Training> {
    let found = Run::find(&Folder::read_only(out))?;
    let asked = (!options.game.is_empty()).then(|| options.game.join(" "));
    let game = match (&asked, &found) {
        (Some(game), _) => game.clone(),
        (None, Some(run)) => run.game.clone(),
        (None, None) => bail!("{}: there is no run here yet; to begin one, name a game", out.display()),
    };
    let session = workbench.session(&game)?;
    let wishes = options.wishes(asked.map(|_| session.name().to_string()))?;
    let run = match found {
        Some(run) => {
            run.check(&wishes).map_err(|error| anyhow!("{}: {error}", out.display()))?;
            run
        }
        None => match (Run::new(&wishes), &options.start) {
            (Err(error), Some(start)) => bail!("--start {}: {error}", start.display()),
            (run, _) => run?,
        },
    };
    let (game, folder) = (lesson(&*session)?, Folder::open(out)?);
    if let Some(start) = &wishes.start {
        folder.write(START, start)?;
    }
    Ok(Training::open(folder, run, game, &origin().commit)?)
}

/// Trains until the run is long enough or Ctrl-C stops it. Returns the finished progress.
fn go_on(options: &Options, training: &mut Training, gate: &Gate, out: &Path) -> Result<Progress> {
    let (flag, mut shown) = (stop::flag(), Shown::new());
    let (mut was_short, mut goes_on) = (false, training.progress().iterations > 0);
    let mut is_endless = options.games.is_none() && options.hours.is_none();
    loop {
        let finished = training.progress().clone();
        if !stop::is_asked() && gate.is_due(training) {
            let Some(found) = gate.run(out, training, flag)? else { return Ok(finished) };
            note(&Gate::told(finished.iterations, &found));
            training.note_gate(found)?;
        }
        let seconds = training.journal().iterations.last().map_or(0.0, |line| line.seconds);
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
        let done = training.iterate(options.threads(), flag, &mut |stage| shown.stage(&finished, stage))?;
        shown.clear();
        let Some(line) = done else { return Ok(finished) };
        if line.is_window_short && !was_short {
            note(
                "the window is as large as --memory allows: older samples are forgotten sooner than window= says",
            );
        }
        was_short = line.is_window_short;
        shown.iteration(&line);
    }
}

fn told(progress: &Progress) -> String {
    let Progress { iterations, games, samples, steps, .. } = progress;
    format!(
        "{} iterations, {} games, {} samples, {} steps",
        thousands(*iterations),
        thousands(*games),
        thousands(*samples),
        thousands(*steps)
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
    fn iteration(&mut self, line: &Iteration) {
        if !self.is_terminal && self.written.elapsed() < WRITTEN_EVERY {
            return;
        }
        self.written = Instant::now();
        let rates = match (line.games_per_second(), line.plies_per_second()) {
            (Some(games), Some(plies)) => format!(", self-play {games:.1} games/s, {plies:.0} positions/s"),
            _ => String::new(),
        };
        note(&format!(
            "iteration {}: {} games, policy loss {:.3}, value loss {:.3}, entropy {:.2}{rates}, {:.0}% cached, {} so far",
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

/// The options of a training and of its search, with their defaults.
fn explained() -> String {
    let mut text = String::from("Options of --with:\n");
    let add = |text: &mut String, key: &str, what: &str, value: Option<String>, takes: String| {
        let value = value.unwrap_or_default();
        *text += &format!("  {key:<14} {what}: {takes} [{value}]\n");
    };
    aji_train::Settings::default()
        .options(&mut |key, what, setting| add(&mut text, key, what, setting.show(), setting.takes()));
    for (word, what) in aji_train::SearchPlan::KNOWN {
        text += &format!("\n--agent {word}, {what}:\n");
        let plan: Result<aji_train::SearchPlan, String> = word.parse();
        if let Ok(mut plan) = plan {
            plan.options(&mut |key, what, setting| {
                add(&mut text, key, what, setting.show(), setting.takes())
            });
        }
    }
    text
}

/// The page with the curves of some runs.
fn report(options: &Options) -> Result<()> {
    let curves = Curves::read(&options.report)?;
    let Some(first) = options.report.first() else { bail!("--report DIR: expected a run") };
    let out = options.out.clone().unwrap_or_else(|| first.join("report"));
    let runs: Vec<String> = options.report.iter().map(|run| run.display().to_string()).collect();
    let origin = origin();
    let foot = Foot {
        machine: machine(),
        version: origin.version,
        commit: origin.commit,
        seed: curves.seed(),
        time: now(),
        command: format!("aji train --report {}", runs.join(" ")),
        quick: false,
    };
    let page = Page::of_paper(curves.paper(), foot);
    page.write(&out)?;
    if options.json {
        return print(&(curves.to_json().to_string() + "\n"));
    }
    print(&(curves.to_text() + &format!("\n{}\n", out.join("index.html").display())))
}
