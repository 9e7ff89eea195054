//! The settings of an attack beside those of its training. They are stored once, so that an attack resumes as it began.

use super::attack_stages::{AttackStage, stages};
use crate::Error;
use aji_catalog::{AgentName, ModelName, Session, Victim, VictimName, Workbench};
use aji_search::Player;
use aji_train::{Folder, network_checksum};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The name of the file.
pub const ATTACK_FILE: &str = "attack.json";

/// The version of the file.
const FORMAT: u32 = 1;

/// The games by which a stage is judged.
pub const STAGE_GAMES_DEFAULT: u64 = 1_000;

/// The options of training that differ in an attack. The victim makes its games differ, so there are no random openings.
pub const ATTACK_OPTIONS: &str = "openings=0";

/// The victim and its model get one byte in this many of a run's memory, on each thread.
const VICTIM_SHARE: u64 = 8;

/// The attacker's seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// It moves first.
    First,
    /// It moves second.
    Second,
}

impl Seat {
    /// The player who sits there.
    pub fn player(self) -> Player {
        match self {
            Seat::First => 0,
            Seat::Second => 1,
        }
    }

    /// `first` or `second`.
    pub fn word(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        let seat = [Seat::First, Seat::Second].into_iter().find(|seat| seat.word() == text);
        seat.ok_or_else(|| "expected second or first".into())
    }
}

/// A request for an attack. Fields that are `None` are as in the existing attack, or have their defaults.
#[derive(Clone, Debug, Default)]
pub struct AttackWishes {
    /// The victim.
    pub victim: Option<AgentName>,
    /// The folder of the victim's training, whose kept networks come first.
    pub checkpoints: Option<PathBuf>,
    /// The attacker's seat: the second one by default.
    pub seat: Option<Seat>,
    /// The games by which a stage is judged.
    pub stage_games: Option<u64>,
    /// Whether the victim is as it is from the first game on, without stages.
    pub unstaged: bool,
}

/// The settings of an attack, as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackRules {
    format: u32,
    /// The victim's name.
    pub victim: String,
    /// The checksum of its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The attacker's seat.
    pub seat: Seat,
    /// The games by which a stage is judged.
    pub stage_games: u64,
    /// Whether the victim is as it is from the first game on, without stages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstaged: bool,
    /// The folder of the victim's training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The files of its kept networks, each with its checksum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkpoints: Vec<(String, String)>,
}

/// An agent as a victim in the game of this session. Self-play knows the policy of its network, or a few simulations.
pub(super) fn victim(session: &dyn Session, agent: &AgentName, memory: u64) -> Result<Victim, Error> {
    let name = VictimName::new(agent.clone(), ModelName::Policy)?;
    Ok(session.victim(&name, usize::try_from(memory / VICTIM_SHARE).unwrap_or(usize::MAX))?)
}

/// The checksum of an agent's network, in the game of this session.
pub(super) fn checksum(session: &dyn Session, agent: &AgentName) -> Result<Option<String>, Error> {
    Ok(victim(session, agent, aji_train::MEMORY_MIN)?.network().map(network_checksum))
}

impl AttackRules {
    /// A new attack in the game of this session. An error says what is wrong with the request.
    pub fn new(session: &dyn Session, wishes: &AttackWishes) -> Result<AttackRules, Error> {
        super::lesson::check(session)?;
        let agent = wishes.victim.as_ref();
        let agent = agent.ok_or_else(|| {
            Error::new("a new attack needs a victim, as in --victim \"uct simulations=100\"")
        })?;
        let mut rules = AttackRules {
            format: FORMAT,
            victim: agent.to_string(),
            network: checksum(session, agent)?,
            seat: wishes.seat.unwrap_or(Seat::Second),
            stage_games: wishes.stage_games.unwrap_or(STAGE_GAMES_DEFAULT),
            unstaged: wishes.unstaged,
            folder: wishes.checkpoints.clone(),
            checkpoints: Vec::new(),
        };
        if let Some(folder) = &wishes.checkpoints {
            rules.checkpoints = checkpoints(session, agent, folder)?;
        }
        Ok(rules)
    }

    /// The attack in a folder, if there is one.
    pub fn find(folder: &Folder) -> Result<Option<AttackRules>, Error> {
        let Some(bytes) = folder.read(ATTACK_FILE)? else { return Ok(None) };
        let wrong = |what: String| Error::new(format!("{}: {what}", folder.path(ATTACK_FILE).display()));
        let rules: AttackRules =
            serde_json::from_slice(&bytes).map_err(|error| wrong(format!("not an attack: {error}")))?;
        match rules.format == FORMAT {
            true => Ok(Some(rules)),
            false => Err(wrong(format!("format {}: expected {FORMAT}", rules.format))),
        }
    }

    /// An error if the request differs from the attack, or if a network has changed since it began.
    pub fn check(
        &self,
        workbench: &Workbench,
        session: &dyn Session,
        wishes: &AttackWishes,
    ) -> Result<(), Error> {
        let differs = |what: &str, own: &str, other: &str| {
            Err(Error::new(format!(
                "this attack has {what} {own}, not {other}; leave it out to go on, or choose another folder by --out"
            )))
        };
        if let Some(victim) =
            wishes.victim.as_ref().map(AgentName::to_string).filter(|one| *one != self.victim)
        {
            return differs("the victim", &self.victim, &victim);
        }
        if let Some(seat) = wishes.seat.filter(|&seat| seat != self.seat) {
            return differs("the seat", self.seat.word(), seat.word());
        }
        if let Some(games) = wishes.stage_games.filter(|&games| games != self.stage_games) {
            return differs("the stage games", &self.stage_games.to_string(), &games.to_string());
        }
        if wishes.unstaged && !self.unstaged {
            return Err(Error::new(
                "this attack has stages; leave --unstaged out to go on, or choose another folder by --out",
            ));
        }
        let changed = |what: &str| {
            Error::new(format!(
                "{what}: its network has changed since the attack began; restore it, or begin anew"
            ))
        };
        let agent = self.agent(workbench)?;
        if checksum(session, &agent)? != self.network {
            return Err(changed(&self.victim));
        }
        if wishes.checkpoints.is_some() && wishes.checkpoints != self.folder {
            let show = |folder: &Option<PathBuf>| {
                folder.as_ref().map_or("none".into(), |one| one.display().to_string())
            };
            return differs("checkpoints of", &show(&self.folder), &show(&wishes.checkpoints));
        }
        for (stage, (_, expected)) in self.stages(workbench)?.iter().zip(&self.checkpoints) {
            if checksum(session, &stage.victim)?.as_ref() != Some(expected) {
                return Err(changed(&stage.victim.to_string()));
            }
        }
        Ok(())
    }

    /// The victim.
    pub fn agent(&self, workbench: &Workbench) -> Result<AgentName, Error> {
        Ok(workbench.agent_name(&self.victim)?)
    }

    /// The stages.
    pub fn stages(&self, workbench: &Workbench) -> Result<Vec<AttackStage>, Error> {
        let folder = self.folder.clone().unwrap_or_default();
        let files: Vec<PathBuf> = self.checkpoints.iter().map(|(file, _)| folder.join(file)).collect();
        let mut stages = stages(&self.agent(workbench)?, files.iter().map(PathBuf::as_path));
        if self.unstaged {
            stages.drain(..stages.len() - 1);
        }
        Ok(stages)
    }

    /// The file of the attack.
    pub fn to_bytes(&self) -> Vec<u8> {
        (serde_json::to_string_pretty(self).unwrap_or_default() + "\n").into_bytes()
    }
}

/// The kept networks of a training in their order, each with its checksum.
fn checkpoints(
    session: &dyn Session,
    agent: &AgentName,
    folder: &Path,
) -> Result<Vec<(String, String)>, Error> {
    let wrong = |what: String| Error::new(format!("checkpoints of {}: {what}", folder.display()));
    if !agent.has_policy() {
        return Err(wrong(format!("{agent} has no network; leave them out, or attack alphazero or gumbel")));
    }
    let names = Folder::read_only(folder).names("networks").into_iter();
    let files: Vec<String> =
        names.filter(|name| name.ends_with(".safetensors")).map(|name| format!("networks/{name}")).collect();
    if files.is_empty() {
        return Err(wrong("there is no networks/*.safetensors, which a training keeps".into()));
    }
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let stages = stages(agent, paths.iter().map(PathBuf::as_path));
    let sums = stages.iter().zip(files).map(|(stage, file)| {
        let sum = checksum(session, &stage.victim).map_err(|error| wrong(error.to_string()))?;
        Ok((file, sum.unwrap_or_default()))
    });
    sums.collect()
}
