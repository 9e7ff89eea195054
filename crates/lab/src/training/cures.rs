//! Attacks and cures in turns. An attacker learns to beat a victim. The victim goes on learning, with the attacker as its
//! opponent in a share of the games. Then a fresh attacker learns to beat the cured victim, and so on (Tseng et al. 2024).
//!
//! A chain of such rounds is one trial. All attackers meet all victims from then on, in positions in which the victim is
//! not lost: the old attackers show whether the cure holds, and the fresh one shows whether it helps.

use super::attack::Attack;
use super::attack_rules::{ATTACK_OPTIONS, AttackRules, AttackWishes, Seat};
use super::gate::Erred;
use super::sparring::{SPARRING_FILE, Sparring, SparringWishes};
use super::trainings::{judged, simulations_of};
use crate::duel::Duels;
use crate::experiment::fnv1a;
use crate::{Error, Experiment, Trial};
use aji_catalog::Workbench;
use aji_train::{Folder, NETWORK, Run, START, Training, Wishes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// How a network learns in a round.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The search of its moves.
    pub agent: String,
    /// Options of training.
    pub options: String,
    /// The games after which it ends.
    pub games: u64,
}

/// Chains of attacks and cures.
pub struct Cures<'a> {
    /// The name of the experiment.
    pub name: String,
    /// The game; the lab must have positions of it with exact values.
    pub game: String,
    /// The file of the first victim's network. All attackers start from it too.
    pub start: Vec<u8>,
    /// The victim's simulations per move.
    pub victim_simulations: u64,
    /// The attacker's simulations per move in duels.
    pub attacker_simulations: u64,
    /// How an attacker learns.
    pub attack: Learning,
    /// How a victim learns.
    pub cure: Learning,
    /// How many times the victim is cured.
    pub rounds: usize,
    /// Chains, with seeds from 1 on.
    pub chains: u64,
    /// The positions of the duels, with the victim to act. A duel is one game from each.
    pub starts: Vec<String>,
    /// The most positions of a list of hard positions, on which victims are judged.
    pub positions: usize,
    /// Where unfinished chains keep their files. A killed chain resumes from there.
    pub folder: PathBuf,
    /// Set this to stop at once.
    pub stop: &'a AtomicBool,
}

/// A chain of attacks and cures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// The attack on each victim.
    pub attacks: Vec<Attacked>,
    /// The mistakes of each victim in hard positions.
    pub mistakes: Vec<Vec<Erred>>,
    /// The duels.
    pub met: Vec<AttackerMet>,
}

/// What an attack cost, and how it went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attacked {
    /// Games.
    pub games: u64,
    /// The attacker's simulations in training.
    pub simulations: u64,
    /// The attacker's share of wins in the last games of its training.
    pub wins: f64,
}

/// The duels of one attacker with one victim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackerMet {
    /// The victim on which the attacker was trained; none for the network that all attackers start from.
    pub attacker: Option<usize>,
    /// How often the victim was cured.
    pub victim: usize,
    /// How each game ended, in the order of the positions: `w`, `d` or `l`, as the attacker sees it.
    pub outcomes: String,
}

impl AttackerMet {
    /// Whether the attacker won each game.
    pub fn wins(&self) -> impl Iterator<Item = bool> {
        self.outcomes.chars().map(|outcome| outcome == 'w')
    }
}

/// A chain's folder, and its files.
struct Place<'a> {
    all: &'a Cures<'a>,
    path: PathBuf,
    seed: u64,
}

impl Cures<'_> {
    fn place(&self, trial: Trial) -> Place<'_> {
        let path = self.folder.join(format!("{}-{}", self.name, trial.id));
        // Reports with other seeds train with other seeds; the first has those from 1 on.
        let seed = (trial.id + 1).wrapping_add(self.chains.wrapping_mul(trial.seed.wrapping_sub(1)));
        Place { all: self, path, seed }
    }

    /// Whom the attackers of a round meet: every victim from theirs on.
    fn pairs(&self) -> impl Iterator<Item = (Option<usize>, usize)> {
        let rounds = self.rounds;
        let untrained = (0..=rounds).map(|victim| (None, victim));
        untrained.chain((0..=rounds).flat_map(move |own| (own..=rounds).map(move |to| (Some(own), to))))
    }
}

impl Place<'_> {
    fn network_of(&self, training: &str) -> PathBuf {
        self.path.join(training).join(NETWORK)
    }

    /// The file of a victim's network.
    fn victim_file(&self, cured: usize) -> PathBuf {
        match cured {
            0 => self.path.join(START),
            _ => self.network_of(&format!("victim-{cured}")),
        }
    }

    fn attacker_file(&self, attacker: Option<usize>) -> PathBuf {
        attacker.map_or(self.path.join(START), |victim| self.network_of(&format!("attacker-{victim}")))
    }

    fn victim(&self, cured: usize) -> String {
        let (file, simulations) = (self.victim_file(cured), self.all.victim_simulations);
        format!("alphazero net={} reuse=off simulations={simulations}", file.display())
    }

    fn attacker(&self, attacker: Option<usize>, victim: usize) -> String {
        let (victim, file) = (self.victim(victim), self.attacker_file(attacker));
        let simulations = self.all.attacker_simulations;
        format!("amcts victim=({victim}) by=alphazero net={} simulations={simulations}", file.display())
    }

    fn wishes(&self, learning: &Learning, start: &Path, against: Vec<u8>) -> Result<Wishes, Error> {
        let bytes = std::fs::read(start).map_err(|error| Error::file("read", start, &error))?;
        Ok(Wishes {
            game: Some(self.all.game.clone()),
            agent: Some(learning.agent.clone()),
            options: Some(learning.options.clone()),
            seed: Some(self.seed),
            start: Some(bytes),
            against: Some(against),
            ..Wishes::default()
        })
    }

    /// The folder of a training, which begins with the network of the file.
    fn folder(&self, name: &str, wishes: &Wishes) -> Result<Folder, Error> {
        let folder = Folder::open(&self.path.join(name))?;
        if let Some(start) = &wishes.start {
            folder.write(START, start)?;
        }
        Ok(folder)
    }

    /// Whether training goes on, or an error if it should stop.
    fn goes_on(&self, games: u64, goal: u64) -> Result<bool, Error> {
        match self.all.stop.load(Ordering::Relaxed) {
            true => Err(self.stopped()),
            false => Ok(games < goal),
        }
    }

    fn stopped(&self) -> Error {
        Error::new(format!("stopped in {}; the same command continues", self.all.name))
    }

    /// Trains an attacker on a victim.
    fn attack(&self, victim: usize) -> Result<Attacked, Error> {
        let (workbench, learning) = (Workbench::new(), &self.all.attack);
        let session = workbench.session(&self.all.game)?;
        let asked = AttackWishes {
            victim: Some(workbench.agent_name(&self.victim(victim))?),
            seat: Some(Seat::Second),
            // The attacker knows the game when it begins.
            unstaged: true,
            ..AttackWishes::default()
        };
        let rules = AttackRules::new(&*session, &asked)?;
        let learning =
            Learning { options: format!("{ATTACK_OPTIONS} {}", learning.options), ..learning.clone() };
        let wishes = self.wishes(&learning, &self.path.join(START), rules.to_bytes())?;
        let folder = self.folder(&format!("attacker-{victim}"), &wishes)?;
        let mut attack = Attack::open(&workbench, session, rules, (folder, Run::new(&wishes)?), "")?;
        while self.goes_on(attack.training().progress().games, learning.games)? {
            attack.iterate(1, self.all.stop, &mut |_| {})?.ok_or_else(|| self.stopped())?;
        }
        Ok(Attacked {
            games: attack.training().progress().games,
            simulations: simulations_of(attack.training().journal(), &attack.training().run().plan()?),
            wins: attack.scores().last().and_then(|score| score.win_rate()).map_or(0.0, |(rate, _)| rate),
        })
    }

    /// Trains a victim on, against the attacker that was trained on it.
    fn cure(&self, victim: usize) -> Result<(), Error> {
        let (workbench, learning) = (Workbench::new(), &self.all.cure);
        let session = workbench.session(&self.all.game)?;
        let attacker = self.attacker_file(Some(victim));
        let simulations = self.all.attacker_simulations;
        let opponent = format!("alphazero net={} reuse=off simulations={simulations}", attacker.display());
        let asked = SparringWishes {
            opponent: Some(workbench.agent_name(&opponent)?),
            seat: Some(Seat::Second),
            share: None,
        };
        let sparring =
            Sparring::new(&*session, &asked)?.ok_or_else(|| Error::new("a cure needs an opponent"))?;
        let wishes = self.wishes(learning, &self.victim_file(victim), sparring.to_bytes())?;
        let folder = self.folder(&format!("victim-{}", victim + 1), &wishes)?;
        folder.write(SPARRING_FILE, &sparring.to_bytes())?;
        let run = Run::new(&wishes)?;
        let game = sparring.lesson(&workbench, &*session, run.memory)?;
        let mut training = Training::open(folder, run, game, "")?;
        while self.goes_on(training.progress().games, learning.games)? {
            training.iterate(1, self.all.stop, &mut |_| {})?.ok_or_else(|| self.stopped())?;
        }
        Ok(())
    }

    /// The duels of an attacker with a victim, or those of an interrupted chain.
    fn duels(&self, attacker: Option<usize>, victim: usize) -> Result<AttackerMet, Error> {
        let number = attacker.map_or("start".into(), |attacker| attacker.to_string());
        self.once(&format!("duels-{number}-{victim}.json"), || {
            let workbench = Workbench::new();
            let names = [self.attacker(attacker, victim), self.victim(victim)];
            let [attacking, attacked] = names.map(|name| workbench.agent_name(&name));
            let games = self.all.starts.len() as u64;
            let duels = Duels::new(&workbench, &self.all.game, attacking?, attacked?, games)?;
            let (duels, mut outcomes) = (duels.from(self.all.starts.clone()), String::new());
            for id in 0..games {
                self.goes_on(id, games)?;
                let payoff = duels.run(Trial { id, seed: self.seed })?.payoff;
                outcomes.push(if payoff > 0.0 {
                    'w'
                } else if payoff == 0.0 {
                    'd'
                } else {
                    'l'
                });
            }
            Ok(AttackerMet { attacker, victim, outcomes })
        })
    }

    /// The mistakes of a victim, or those of an interrupted chain.
    fn mistakes(&self, victim: usize) -> Result<Vec<Erred>, Error> {
        self.once(&format!("mistakes-{victim}.json"), || {
            let file = self.victim_file(victim);
            let network = std::fs::read(&file).map_err(|error| Error::file("read", &file, &error))?;
            judged(&self.all.game, network, &[self.all.victim_simulations], self.all.positions)
        })
    }

    /// What is in a file of the chain, or what is worked out now and written there.
    fn once<T: Serialize + for<'a> Deserialize<'a>>(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let folder = Folder::open(&self.path)?;
        let wrong = |error: serde_json::Error| Error::new(format!("{name}: {error}"));
        if let Some(bytes) = folder.read(name)? {
            return serde_json::from_slice(&bytes).map_err(wrong);
        }
        let found = work()?;
        folder.write(name, &serde_json::to_vec(&found).map_err(wrong)?)?;
        Ok(found)
    }
}

impl Experiment for Cures<'_> {
    type Record = Chain;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        let learning = |learning: &Learning| json!([learning.agent, learning.options, learning.games]);
        json!({
            "game": self.game,
            "start": format!("{:016x}", fnv1a(self.start.iter().copied())),
            "victim_simulations": self.victim_simulations,
            "attacker_simulations": self.attacker_simulations,
            "attack": learning(&self.attack),
            "cure": learning(&self.cure),
            "rounds": self.rounds,
            "chains": self.chains,
            "starts": self.starts,
            "positions": self.positions,
        })
    }

    fn trials(&self) -> u64 {
        self.chains
    }

    fn run(&self, trial: Trial) -> Result<Chain, Error> {
        let place = self.place(trial);
        Folder::open(&place.path)?.write(START, &self.start)?;
        let mut attacks = Vec::new();
        for victim in 0..=self.rounds {
            attacks.push(place.attack(victim)?);
            if victim < self.rounds {
                place.cure(victim)?;
            }
        }
        let mistakes =
            (0..=self.rounds).map(|victim| place.mistakes(victim)).collect::<Result<Vec<_>, Error>>()?;
        let met = self.pairs().map(|(attacker, victim)| place.duels(attacker, victim));
        let met = met.collect::<Result<Vec<AttackerMet>, Error>>()?;
        // What stays behind costs only room.
        let _ = std::fs::remove_dir_all(&place.path);
        Ok(Chain { attacks, mistakes, met })
    }
}
