//! A run: the game, the network's design and the plan. They are stored once, so that a run resumes as it began.

use crate::error::Error;
use crate::folder::{Folder, checksum};
use crate::settings::{Plan, Settings};
use aji_net::{Description, Design, Network};
use aji_search::Shape;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the file.
pub const RUN_FILE: &str = "run.json";

/// The version of a run's files. Other versions are rejected: such runs would continue differently.
pub const FORMAT: u32 = 1;

/// The network that the run starts from, if it does not start from a random one.
pub const START: &str = "start.safetensors";

/// A request for a run. Fields that are `None` are as in the existing run, or have their defaults.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The game's full name.
    pub game: Option<String>,
    /// The network's design.
    pub net: Option<String>,
    /// The search of self-play.
    pub agent: Option<String>,
    /// Options by key.
    pub options: Option<String>,
    /// The seed.
    pub seed: Option<u64>,
    /// The memory cap in bytes.
    pub memory: Option<u64>,
    /// The file of the network to start from. It must stand in the run's folder as [`START`].
    pub start: Option<Vec<u8>>,
    /// What the network learns to beat, as the file that describes it; none for self-play.
    pub against: Option<Vec<u8>>,
}

/// The default memory of a training: 1 GB.
pub const MEMORY_DEFAULT: u64 = 1_000_000_000;

/// The least memory of a training.
pub const MEMORY_MIN: u64 = 100_000_000;

/// The design that was asked for, or that of the network to start from. That network must fit in it.
fn design(wishes: &Wishes) -> Result<Design, Error> {
    let asked = wishes.net.as_deref().map(str::parse::<Design>).transpose()?;
    let Some(bytes) = &wishes.start else { return Ok(asked.map_or_else(|| "conv".parse(), Ok)?) };
    let start = Network::from_bytes(bytes)?.0.design();
    match asked {
        Some(asked) if !start.fits_in(asked) => Err(Error::new(format!(
            "the network to start from is {start}, which does not grow to {asked}: expected the same kind, at least as large"
        ))),
        asked => Ok(asked.unwrap_or(start)),
    }
}

fn shown_checksum(bytes: &[u8]) -> String {
    format!("{:016x}", checksum(bytes))
}

/// A run, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The version of the files.
    pub format: u32,
    /// The game's full name.
    pub game: String,
    /// The network's design.
    pub net: String,
    /// The search of self-play.
    pub agent: String,
    /// The options.
    pub options: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The memory cap in bytes.
    pub memory: u64,
    /// The checksum of the file of the network that it starts from; none for a random network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The checksum of the file that describes what the network learns to beat; none for self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

impl Run {
    /// A new run. An error says what is wrong with the request.
    pub fn new(wishes: &Wishes) -> Result<Run, Error> {
        let game = wishes.game.clone().ok_or_else(|| Error::new("a new run needs a game"))?;
        let net = design(wishes)?;
        let agent: crate::SearchPlan = wishes.agent.as_deref().unwrap_or("gumbel").parse()?;
        let settings = Settings::parse(wishes.options.as_deref().unwrap_or(""))?;
        let memory = wishes.memory.unwrap_or(MEMORY_DEFAULT);
        if memory < MEMORY_MIN {
            return Err(Error::new(format!("{memory} bytes of memory: expected at least {MEMORY_MIN}")));
        }
        Ok(Run {
            format: FORMAT,
            game,
            net: net.to_string(),
            agent: agent.to_string(),
            options: settings.values().into_iter().map(|(key, value)| (key.into(), value)).collect(),
            seed: wishes.seed.unwrap_or(1),
            memory,
            start: wishes.start.as_deref().map(shown_checksum),
            against: wishes.against.as_deref().map(shown_checksum),
        })
    }

    /// The run in a folder, if there is one.
    pub fn find(folder: &Folder) -> Result<Option<Run>, Error> {
        let Some(bytes) = folder.read(RUN_FILE)? else { return Ok(None) };
        let wrong = |error: Error| Error::new(format!("{}: {error}", folder.path(RUN_FILE).display()));
        Run::from_bytes(&bytes).map(Some).map_err(wrong)
    }

    /// The run of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Run, Error> {
        let run: Run =
            serde_json::from_slice(bytes).map_err(|error| Error::new(format!("not a run: {error}")))?;
        match run.format == FORMAT {
            true => Ok(run),
            false => Err(Error::new(format!("format {}: expected {FORMAT}", run.format))),
        }
    }

    /// An error if the request differs from the run; it says how.
    pub fn check(&self, wishes: &Wishes) -> Result<(), Error> {
        let wished =
            Run::new(&Wishes { game: wishes.game.clone().or(Some(self.game.clone())), ..wishes.clone() })?;
        let differs = |what: &str, own: &str, other: &str| {
            Err(Error::new(format!(
                "this run has {what} {own}, not {other}; leave it out to go on, or choose another folder by --out"
            )))
        };
        if wished.game != self.game {
            return differs("the game", &self.game, &wished.game);
        }
        if wishes.net.is_some() && wished.net != self.net {
            return differs("the network", &self.net, &wished.net);
        }
        if wishes.agent.is_some() && wished.agent != self.agent {
            return differs("the agent", &self.agent, &wished.agent);
        }
        if wishes.seed.is_some_and(|seed| seed != self.seed) {
            return differs("the seed", &self.seed.to_string(), &wished.seed.to_string());
        }
        if wishes.memory.is_some_and(|memory| memory != self.memory) {
            return differs("the memory", &self.memory.to_string(), &wished.memory.to_string());
        }
        if wishes.start.is_some() && wished.start != self.start {
            let show = |start: &Option<String>| start.clone().unwrap_or("at random".into());
            return differs("a start with the checksum", &show(&self.start), &show(&wished.start));
        }
        match (&self.against, &wished.against) {
            (Some(_), None) => {
                return Err(Error::new("this run has an opponent, so it is not plain self-play"));
            }
            (None, Some(_)) => return Err(Error::new("this run is self-play, without an opponent")),
            (Some(own), Some(other)) if own != other => {
                return differs("an opponent with the checksum", own, other);
            }
            _ => {}
        }
        for word in wishes.options.iter().flat_map(|options| options.split_whitespace()) {
            let key = word.split('=').next().unwrap_or_default();
            let (own, other) = (self.options.get(key), wished.options.get(key));
            if own != other {
                let show = |value: Option<&String>| format!("{key}={}", value.map_or("", |value| value));
                return differs("the option", &show(own), &show(other));
            }
        }
        Ok(())
    }

    /// The plan of the run.
    pub fn plan(&self) -> Result<Plan, Error> {
        let words: Vec<String> = self.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Ok(Plan {
            search: self.agent.parse()?,
            settings: Settings::parse(&words.join(" "))?,
            seed: self.seed,
        })
    }

    /// The design of the network.
    pub fn design(&self) -> Result<Design, Error> {
        Ok(self.net.parse()?)
    }

    /// The network that the run starts from, and its description if it comes from a file.
    pub fn first_network(&self, folder: &Folder, shape: Shape) -> Result<(Network, Description), Error> {
        let Some(expected) = &self.start else {
            return Ok((Network::new(shape, self.design()?, self.seed)?, Description::default()));
        };
        let wrong = |what: String| Error::new(format!("{}: {what}", folder.path(START).display()));
        let bytes =
            folder.read(START)?.ok_or_else(|| wrong("the run starts from it, and it is gone".into()))?;
        if shown_checksum(&bytes) != *expected {
            return Err(wrong("this is not the network that the run started from".into()));
        }
        let (network, description) = Network::from_bytes(&bytes).map_err(wrong)?;
        if network.shape() != shape || ![&self.game, ""].contains(&&*description.game) {
            return Err(wrong(format!("a network of {}, not of {}", description.game, self.game)));
        }
        Ok((network.grown(self.design()?, self.seed)?, description))
    }

    /// The file of the run.
    pub fn to_bytes(&self) -> Vec<u8> {
        (serde_json::to_string_pretty(self).unwrap_or_default() + "\n").into_bytes()
    }

    /// A checksum of the run, which identifies its files.
    pub fn number(&self) -> u64 {
        checksum(&self.to_bytes())
    }
}
