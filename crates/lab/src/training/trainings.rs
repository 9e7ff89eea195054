//! Trainings as trials of an experiment. Each variant of a training runs once per seed, to the same cost. Its networks
//! are judged by their mistakes, at several stages.

use super::gate::Erred;
use super::lesson::lesson;
use crate::mistakes::{Mistakes, POSITION_SETS, Source, Tally};
use crate::{Error, Experiment, Trial};
use aji_catalog::Workbench;
use aji_train::{Counts, Folder, Journal, NETWORK, Plan, Run, Training, Wishes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The network evaluations that learning from a sample once is worth: one forward, two backward.
const EVALUATIONS_OF_LEARNING: u64 = 3;

/// A way to train.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name in tables.
    pub name: String,
    /// The search of self-play.
    pub agent: String,
    /// Options of training.
    pub options: String,
}

impl Variant {
    /// The variant with a learning rate that falls over the steps that this cost pays for.
    fn wishes(&self, game: &str, net: &str, cost: u64, seed: u64) -> Result<Wishes, Error> {
        let wishes = |options: String| Wishes {
            game: Some(game.into()),
            net: Some(net.into()),
            agent: Some(self.agent.clone()),
            options: Some(options),
            seed: Some(seed),
            ..Wishes::default()
        };
        let plan = Run::new(&wishes(self.options.clone()))?.plan()?;
        let steps = steps_for(&plan, cost);
        Ok(wishes(format!("{} rate_steps={steps}", self.options)))
    }
}

/// The training steps that a cost pays for, if every searched position becomes a sample.
fn steps_for(plan: &Plan, cost: u64) -> u64 {
    let (settings, full) = (&plan.settings, f64::from(plan.settings.full));
    let searched = f64::from(plan.search.simulations) + f64::from(settings.fast) * (1.0 - full) / full;
    let learned = EVALUATIONS_OF_LEARNING as f64 * f64::from(settings.reuse);
    let positions = cost as f64 / (searched + learned);
    ((positions * f64::from(settings.reuse) / f64::from(settings.batch)) as u64).max(1)
}

/// Trainings of several variants of one game and network.
pub struct Trainings<'a> {
    /// The name of the experiment.
    pub name: String,
    /// The game; the lab must have positions of it with exact values.
    pub game: String,
    /// The network's design.
    pub net: String,
    /// The variants.
    pub variants: Vec<Variant>,
    /// Trainings of each variant, with seeds from 1 on.
    pub seeds: u64,
    /// The costs at which networks are judged, ascending, in network evaluations: simulations of self-play, plus three
    /// for every use of a sample. A training ends with the first iteration that reaches the last of them.
    pub stages: Vec<u64>,
    /// Simulations of a move when a network is judged; 1 is the bare network.
    pub simulations: Vec<u64>,
    /// The most positions of a list.
    pub positions: usize,
    /// Where unfinished trainings keep their files. A killed training resumes from there.
    pub folder: PathBuf,
    /// Set this to stop at once.
    pub stop: &'a AtomicBool,
}

/// A finished training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The number of its variant.
    pub variant: usize,
    /// Its seed.
    pub seed: u64,
    /// Its networks.
    pub stages: Vec<Judgement>,
}

/// A network at a stage of its training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The cost so far, in network evaluations.
    pub cost: u64,
    /// Games so far.
    pub games: u64,
    /// Training steps so far.
    pub steps: u64,
    /// The mistakes of the network in each list, with each number of simulations.
    pub mistakes: Vec<Erred>,
}

impl Judgement {
    /// The share of mistakes over all lists with this number of simulations.
    pub fn share(&self, simulations: u64) -> f64 {
        let found = || self.mistakes.iter().filter(|erred| erred.simulations == simulations);
        let positions: u64 = found().map(|erred| erred.positions).sum();
        found().map(|erred| erred.mistakes).sum::<u64>() as f64 / positions.max(1) as f64
    }
}

impl Trainings<'_> {
    fn place(&self, trial: Trial) -> (usize, u64) {
        ((trial.id / self.seeds) as usize, trial.id % self.seeds + 1)
    }

    fn open(&self, trial: Trial) -> Result<Training, Error> {
        let (variant, seed) = self.place(trial);
        let cost = self.stages.last().copied().unwrap_or_default();
        // Reports with other seeds train with other seeds; the first has those from 1 on.
        let seed = seed.wrapping_add(self.seeds.wrapping_mul(trial.seed.wrapping_sub(1)));
        let wishes = self.variants[variant].wishes(&self.game, &self.net, cost, seed)?;
        let game = lesson(&*Workbench::new().session(&self.game)?)?;
        let folder = Folder::open(&self.folder_of(trial))?;
        Ok(Training::open(folder, Run::new(&wishes)?, game, "")?)
    }

    fn folder_of(&self, trial: Trial) -> PathBuf {
        self.folder.join(format!("{}-{}", self.name, trial.id))
    }

    /// Trains until the cost reaches a stage, and judges the network there.
    fn reach(&self, training: &mut Training, stage: u64) -> Result<Judgement, Error> {
        let (name, wrong) =
            (format!("stage-{stage}.json"), |error: serde_json::Error| Error::new(error.to_string()));
        // A resumed training may be past the stage.
        if let Some(bytes) = training.folder().read(&name)? {
            return serde_json::from_slice(&bytes).map_err(wrong);
        }
        while cost_of(training)? < stage {
            if self.stop.load(Ordering::Relaxed) || training.iterate(1, self.stop, &mut |_| {})?.is_none() {
                return Err(Error::new(format!("stopped in {}; the same command continues", self.name)));
            }
        }
        let progress = training.progress();
        let judgement = Judgement {
            cost: cost_of(training)?,
            games: progress.games,
            steps: progress.steps,
            mistakes: self.judge(training)?,
        };
        training.folder().write(&name, &serde_json::to_vec(&judgement).map_err(wrong)?)?;
        Ok(judgement)
    }

    /// The mistakes of the training's averaged network.
    fn judge(&self, training: &Training) -> Result<Vec<Erred>, Error> {
        let network = training.folder().read(NETWORK)?.unwrap_or_default();
        judged(&self.game, network, &self.simulations, self.positions)
    }
}

/// The mistakes of a network's file in the lists of a game, with each number of simulations.
pub(super) fn judged(
    game: &str,
    network: Vec<u8>,
    simulations: &[u64],
    positions: usize,
) -> Result<Vec<Erred>, Error> {
    let word = game.split_whitespace().next().unwrap_or_default();
    let workbench = Workbench::new().network(word, network)?;
    let mut found = Vec::new();
    for list in POSITION_SETS.iter().filter(|list| list.game == game) {
        for &simulations in simulations {
            let agent = workbench.agent_name(&format!("alphazero simulations={simulations}"))?;
            let listed = list.positions().into_iter().take(positions).collect();
            let judge = workbench.agent_name("exact")?;
            let mistakes = Mistakes::new(&workbench, game, Some(agent), judge, Source::Listed(listed))?;
            let answer = |id| mistakes.run(Trial { id, seed: 1 });
            let answers = (0..mistakes.trials()).map(answer).collect::<Result<Vec<_>, Error>>()?;
            found.push(Erred::new(list.name, simulations, &Tally::of(answers.iter()))?);
        }
    }
    Ok(found)
}

/// The cost of a training so far.
fn cost_of(training: &Training) -> Result<u64, Error> {
    let plan = training.run().plan()?;
    let learned = training.progress().steps * u64::from(plan.settings.batch);
    Ok(simulations_of(training.journal(), &plan) + EVALUATIONS_OF_LEARNING * learned)
}

/// The simulations of a training's own searches so far.
pub(super) fn simulations_of(journal: &Journal, plan: &Plan) -> u64 {
    let mut counts = Counts::default();
    for line in &journal.iterations {
        counts += line.counts;
    }
    let full = counts.positions * u64::from(plan.search.simulations);
    full + counts.plies.saturating_sub(counts.positions) * u64::from(plan.settings.fast)
}

impl Experiment for Trainings<'_> {
    type Record = Trained;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        let variants: Vec<Value> = self
            .variants
            .iter()
            .map(|variant| json!([variant.name, variant.agent, variant.options]))
            .collect();
        json!({
            "game": self.game,
            "net": self.net,
            "variants": variants,
            "seeds": self.seeds,
            "stages": self.stages,
            "simulations": self.simulations,
            "positions": self.positions,
        })
    }

    fn trials(&self) -> u64 {
        self.variants.len() as u64 * self.seeds
    }

    fn run(&self, trial: Trial) -> Result<Trained, Error> {
        let (variant, seed) = self.place(trial);
        let mut training = self.open(trial)?;
        let stages = self.stages.iter().map(|&stage| self.reach(&mut training, stage));
        let stages = stages.collect::<Result<Vec<Judgement>, Error>>()?;
        drop(training);
        // What stays behind costs only room.
        let _ = std::fs::remove_dir_all(self.folder_of(trial));
        Ok(Trained { variant, seed, stages })
    }
}
