//! `aji attack`: a network that learns to beat one frozen victim.

use super::counted;
use super::training_run::{Asked, Course, RunOptions, ended, go_on};
use crate::numbers;
use crate::output::print;
use crate::stop;
use crate::trials::origin;
use aji_catalog::{Workbench, thousands};
use aji_lab::training::{ATTACK_OPTIONS, Attack, AttackRules, AttackWishes, STAGE_GAMES_DEFAULT, Seat};
use aji_train::{Folder, Iteration, NETWORK, Stage, Training};
use anyhow::{Result, anyhow};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Train a network to beat one frozen agent, the victim
#[derive(Args)]
#[command(
    after_help = "Like `aji train`, but the victim has the other seat. The network learns from the attacker's positions only. The
attacker's search predicts the victim by its policy, or by a few simulations if the victim has no network.

The victim grows stronger in stages: first its checkpoints as bare networks (50% wins end a stage), then its simulations,
doubled from 1 to its own (75%, and 90% from 512 simulations on). The last games of a stage decide. The last stage is the
victim as it is named, and never ends. With --unstaged it is the only one: for an attacker that starts from a strong network.

All files are in the folder, as with `aji train`; attack.json has the settings of the attack. The same command continues it,
and the same settings and seed give the same bytes. There are no random openings unless --with asks for them.

A victim without randomness repeats its games. A high win rate may then be one line that the attacker has learned by heart, and
the games of an interval are not independent. --with \"openings=0.6\" asks for more than one line.

Examples:
  aji attack connect-four --victim \"alphazero simulations=64\" --out runs/attack --hours 1
  aji attack --out runs/attack --games 100k
  aji attack connect-four --victim \"alphazero net=runs/c4/network.safetensors simulations=64\" --against-checkpoints runs/c4 --out runs/staged"
)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// The folder of the attack
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The agent to beat, without time=; may be left out to continue an attack
    #[arg(long, value_name = "NAME")]
    victim: Option<String>,

    /// The folder of the victim's training; its kept networks are the first stages
    #[arg(long, value_name = "DIR")]
    against_checkpoints: Option<PathBuf>,

    /// The attacker's seat, second or first [default: second]
    #[arg(long, value_name = "SEAT", value_parser = str::parse::<Seat>)]
    seat: Option<Seat>,

    /// The last games of a stage that decide whether it is passed [default: 1000]
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=u64::MAX))]
    stage_games: Option<u64>,

    /// Attack the victim as it is from the first game on, without stages
    #[arg(long, conflicts_with_all = ["against_checkpoints", "stage_games"])]
    unstaged: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What the help says of `--stage-games`.
const _: () = assert!(STAGE_GAMES_DEFAULT == 1_000);

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let mut attack = open(options, workbench)?;
    let before = attack.training().progress().clone();
    let reached = go_on(&options.run, &mut attack)?;
    let network = options.out.join(NETWORK);
    if !options.json {
        return print(&format!("{}\n\n{}", ended(&network, &before, &reached), told(&attack)?));
    }
    let mut found = attack.to_json()?;
    found["game"] = json!(attack.training().run().game);
    found["network"] = json!(network);
    (found["iterations"], found["games"]) = (reached.iterations.into(), reached.games.into());
    found["interrupted"] = stop::is_asked().into();
    print(&(found.to_string() + "\n"))
}

/// Begins the attack, or opens it again.
fn open(options: &Options, workbench: &Workbench) -> Result<Attack> {
    let out = &options.out;
    let Asked { session, mut wishes, found } = options.run.asked(workbench, out)?;
    let asked = AttackWishes {
        victim: options.victim.as_deref().map(|name| workbench.agent_name(name)).transpose()?,
        checkpoints: options.against_checkpoints.clone(),
        seat: options.seat,
        stage_games: options.stage_games,
        unstaged: options.unstaged,
    };
    let stored = match &found {
        Some(_) => {
            let stored = AttackRules::find(&Folder::read_only(out))?;
            Some(stored.ok_or_else(|| anyhow!("{}: this run is not an attack", out.display()))?)
        }
        None => {
            wishes.options = Some(format!("{ATTACK_OPTIONS} {}", wishes.options.unwrap_or_default()));
            None
        }
    };
    let rules = stored.clone().map_or_else(|| AttackRules::new(&*session, &asked), Ok)?;
    wishes.against = Some(rules.to_bytes());
    let begun = options.run.begin(out, found, &wishes)?;
    if stored.is_some() {
        let checked = rules.check(workbench, &*session, &asked);
        checked.map_err(|error| anyhow!("{}: {error}", out.display()))?;
    }
    Ok(Attack::open(workbench, session, rules, begun, &origin().commit)?)
}

impl Course for Attack {
    fn training(&self) -> &Training {
        Attack::training(self)
    }

    fn follow_up(&mut self) -> Result<bool> {
        Ok(true)
    }

    fn iterate(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>> {
        Ok(Attack::iterate(self, threads, stop, told)?)
    }

    fn told(&self) -> Option<String> {
        Some(Attack::told(self))
    }
}

/// The stages, and what the attack has cost.
fn told(attack: &Attack) -> Result<String> {
    let (passed, all) = (attack.scores().len() - 1, attack.stages().len());
    let simulations = attack.simulations()?;
    let mut text = attack.table().to_text();
    text += &format!("\nstages passed: {passed} of {all}\n");
    text += &format!("the attacker's searches: {}\n", counted(simulations, "simulation"));
    if let (Some(of_victim), Some(folder)) = (attack.victim_simulations(), &attack.rules().folder) {
        text += &format!(
            "that is {:.1}% of the {} simulations in the victim's training, {}\n",
            100.0 * simulations as f64 / of_victim as f64,
            thousands(of_victim),
            Path::new(folder).display()
        );
    }
    Ok(text)
}
