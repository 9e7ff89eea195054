//! `aji train`: a network learned from self-play, and the page with the curves of its training.

use super::training_run::{Asked, Course, RunOptions, ended, go_on};
use crate::machine::{machine, now};
use crate::numbers;
use crate::output::print;
use crate::progress::note;
use crate::stop;
use crate::trials::origin;
use aji_catalog::Workbench;
use aji_lab::report::{Foot, Page};
use aji_lab::training::{
    AttackRules, Curves, Gate, GateRules, SPARRING_FILE, SPARRING_SHARE_DEFAULT, Seat, Sparring,
    SparringWishes, lesson,
};
use aji_search::bandit::Setting;
use aji_train::{Folder, Iteration, NETWORK, Progress, Stage, Training};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

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

--opponent lets a frozen agent play against the network in a share of the games, in one seat. The network learns from its own
positions only, and its searches expect its own play from both sides. So a victim learns to meet the attacker that `aji attack`
trained.

Options of --with, as key=value: games reuse batch rate rate_end rate_steps warmup decay clip averaging window window_start
window_share openings opening_plies sampled mix surprise full fast resign resign_check symmetries pruning plies keep;
`aji train --list` explains them.

Examples:
  aji train connect-four --out runs/c4 --hours 1
  aji train --out runs/c4 --games 100k --threads 2
  aji train hex size=7 --out runs/hex --net \"conv channels=48 blocks=4\" --agent \"gumbel simulations=64\" --with \"batch=512 reuse=2\"
  aji train connect-four --out runs/further --start runs/c4/network.safetensors --with \"rate=0.0005\" --hours 1
  aji train connect-four --out runs/cured --start runs/c4/network.safetensors --opponent \"alphazero net=runs/attack/network.safetensors simulations=32\"
  aji train hex size=7 --out runs/more --start shipped --hours 1
  aji train --report runs/c4 runs/hex"
)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// The folder of the run
    #[arg(long, value_name = "DIR", required_unless_present_any = ["report", "list"])]
    out: Option<PathBuf>,

    /// The agent that kept networks play; none for no gates. Against an agent with time= networks have that time too
    #[arg(long, value_name = "NAME", default_value = "uct simulations=1000")]
    gate: String,

    /// Games against each opponent in a gate
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::count(2..=100_000))]
    gate_games: u64,

    /// Simulations per move of the network in a gate
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = numbers::count(1..=1_000_000))]
    gate_simulations: u64,

    /// A frozen agent, without time=, that plays against the network in a share of the games, such as an attacker
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,

    /// The opponent's seat, second or first [default: second]
    #[arg(long, value_name = "SEAT", value_parser = str::parse::<Seat>)]
    opponent_seat: Option<Seat>,

    /// The share of games against the opponent, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    opponent_share: Option<f64>,

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

/// What the help says of `--opponent-share`.
const _: () = assert!(SPARRING_SHARE_DEFAULT == 0.5);

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1, such as 0.5".into())
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    if options.list {
        return print(&if options.json {
            serde_json::to_string(&options_of_all())? + "\n"
        } else {
            explained()
        });
    }
    if !options.report.is_empty() {
        return report(options);
    }
    let Some(out) = &options.out else { bail!("--out DIR: expected the folder of the run") };
    let rules = GateRules {
        opponent: (options.gate != "none").then(|| workbench.agent_name(&options.gate)).transpose()?,
        pairs: options.gate_games / 2,
        simulations: options.gate_simulations,
        threads: options.run.threads(),
        origin: origin(),
    };
    let training = open(options, workbench, out)?;
    let before = training.progress().clone();
    let workbench = workbench.clone().stopped_by(stop::flag());
    let gate = Gate::new(&workbench, &training.run().game, rules)?;
    let mut course = Gated { training, gate, out };
    let reached = go_on(&options.run, &mut course)?;
    let network = out.join(NETWORK);
    let text = if options.json {
        let Progress { iterations, games, samples, steps, plies } = reached;
        json!({
            "game": course.training.run().game, "network": network, "iterations": iterations, "games": games,
            "samples": samples, "steps": steps, "plies": plies, "interrupted": stop::is_asked(),
        })
        .to_string()
    } else {
        ended(&network, &before, &reached)
    };
    print(&(text + "\n"))
}

/// Begins the training, or opens it again.
fn open(options: &Options, workbench: &Workbench, out: &Path) -> Result<Training> {
    let Asked { session, mut wishes, found } = options.run.asked(workbench, out)?;
    let asked = SparringWishes {
        opponent: options.opponent.as_deref().map(|name| workbench.agent_name(name)).transpose()?,
        seat: options.opponent_seat,
        share: options.opponent_share,
    };
    let place = Folder::read_only(out);
    if found.is_some() && AttackRules::find(&place)?.is_some() {
        bail!("{}: this run is an attack, not self-play; `aji attack` continues it", out.display());
    }
    let stored = if found.is_some() { Sparring::find(&place)? } else { None };
    let sparring = match &stored {
        Some(stored) => {
            let checked = stored.check(workbench, &*session, &asked);
            checked.map_err(|error| anyhow!("{}: {error}", out.display()))?;
            Some(stored.clone())
        }
        None => Sparring::new(&*session, &asked)?,
    };
    wishes.against = sparring.as_ref().map(Sparring::to_bytes);
    let (folder, run) = options.run.begin(out, found, &wishes)?;
    let game = match &sparring {
        Some(sparring) => sparring.lesson(workbench, &*session, run.memory)?,
        None => lesson(&*session)?,
    };
    if let Some(bytes) = wishes.against.filter(|_| stored.is_none()) {
        folder.write(SPARRING_FILE, &bytes)?;
    }
    Ok(Training::open(folder, run, game, &origin().commit)?)
}

/// Self-play with gates.
struct Gated<'a> {
    training: Training,
    gate: Gate,
    out: &'a Path,
}

impl Course for Gated<'_> {
    fn training(&self) -> &Training {
        &self.training
    }

    fn follow_up(&mut self) -> Result<bool> {
        if !self.gate.is_due(&self.training) {
            return Ok(true);
        }
        let iteration = self.training.progress().iterations;
        let Some(found) = self.gate.run(self.out, &self.training, stop::flag())? else { return Ok(false) };
        note(&Gate::told(iteration, &found));
        self.training.note_gate(found)?;
        Ok(true)
    }

    fn iterate(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>> {
        Ok(self.training.iterate(threads, stop, told)?)
    }

    fn told(&self) -> Option<String> {
        None
    }
}

/// An option with its default.
#[derive(Serialize)]
struct Explained {
    name: String,
    summary: String,
    takes: String,
    default: String,
}

impl Explained {
    fn new(key: &str, what: &str, setting: &dyn Setting) -> Explained {
        let default = setting.show().unwrap_or_default();
        Explained { name: key.into(), summary: what.into(), takes: setting.takes(), default }
    }
}

/// The options of `--with`, then those of each agent, with their defaults.
#[derive(Serialize)]
struct AllOptions {
    with: Vec<Explained>,
    agents: Vec<ExplainedAgent>,
}

#[derive(Serialize)]
struct ExplainedAgent {
    name: &'static str,
    summary: &'static str,
    options: Vec<Explained>,
}

fn options_of_all() -> AllOptions {
    let mut with = Vec::new();
    aji_train::Settings::default()
        .options(&mut |key, what, setting| with.push(Explained::new(key, what, setting)));
    let agent = |(name, summary): (&'static str, &'static str)| {
        let mut options = Vec::new();
        let plan: Result<aji_train::SearchPlan, String> = name.parse();
        if let Ok(mut plan) = plan {
            plan.options(&mut |key, what, setting| options.push(Explained::new(key, what, setting)));
        }
        ExplainedAgent { name, summary, options }
    };
    AllOptions { with, agents: aji_train::SearchPlan::KNOWN.into_iter().map(agent).collect() }
}

fn explained() -> String {
    let all = options_of_all();
    let line = |option: &Explained| {
        let Explained { name, summary, takes, default } = option;
        format!("  {name:<14} {summary}: {takes} [{default}]\n")
    };
    let mut text = String::from("Options of --with:\n") + &all.with.iter().map(line).collect::<String>();
    for ExplainedAgent { name, summary, options } in &all.agents {
        text += &format!("\n--agent {name}, {summary}:\n");
        text += &options.iter().map(line).collect::<String>();
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
