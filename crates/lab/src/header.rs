//! The first line of a journal: the experiment, seed and program of its records.

use crate::Error;
use crate::any_experiment::AnyExperiment;
use crate::journal::json_cause;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The format of journals that this program writes and reads.
pub const FORMAT: u32 = 1;

/// The start of every header, and so of a torn header too.
const OPENING: &str = r#"{"journal":"aji","format":"#;

/// The program that ran the trials. Another program may give other records, so its journals are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The program's version.
    pub version: String,
    /// The commit it was built from; empty if unknown.
    pub commit: String,
}

/// The experiment, seed and program of a journal's records. The same for all shards of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always "aji".
    journal: String,
    /// [`FORMAT`].
    format: u32,
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's parameters.
    pub parameters: Value,
    /// The experiment's seed.
    pub seed: u64,
    /// The number of trials of the whole experiment.
    pub trials: u64,
    /// The program's version.
    pub version: String,
    /// The commit that the program was built from.
    pub commit: String,
}

impl Header {
    /// The header of an experiment's journals.
    pub(crate) fn new(experiment: &dyn AnyExperiment, seed: u64, origin: &Origin) -> Header {
        Header {
            journal: "aji".into(),
            format: FORMAT,
            experiment: experiment.name(),
            parameters: experiment.parameters(),
            seed,
            trials: experiment.trials(),
            version: origin.version.clone(),
            commit: origin.commit.clone(),
        }
    }

    /// The header of the journal in a file; none if the file has no complete first line yet.
    pub fn of_file(path: &Path) -> Result<Option<Header>, Error> {
        let mut line = Vec::new();
        let read = File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line));
        read.map_err(|error| Error::file("read", path, &error))?;
        if line.ends_with(b"\n") { Header::read(&line, path).map(Some) } else { Ok(None) }
    }

    /// The header as a line of the file, with its newline.
    pub(crate) fn line(&self) -> String {
        let text = serde_json::to_string(self).expect("a header is plain data with text for keys");
        text + "\n"
    }

    /// Parses the first line of a journal, with or without its newline.
    pub(crate) fn read(line: &[u8], path: &Path) -> Result<Header, Error> {
        #[derive(Deserialize)]
        struct Kind {
            journal: String,
            format: u32,
        }
        let path = path.display();
        match serde_json::from_slice::<Kind>(line) {
            Ok(kind) if kind.journal == "aji" && kind.format == FORMAT => {}
            Ok(kind) if kind.journal == "aji" => {
                let format = kind.format;
                return Err(Error::new(format!(
                    "{path}: a journal of format {format}; this program reads format {FORMAT}"
                )));
            }
            _ => {
                return Err(Error::new(format!(
                    "{path}: not a journal: line 1 should begin {OPENING}{FORMAT},"
                )));
            }
        }
        serde_json::from_slice(line)
            .map_err(|error| Error::new(format!("{path}: line 1: {}", json_cause(&error))))
    }

    /// Whether this can be the start of a header. A torn first line that cannot is not a journal's, and is left
    /// alone.
    pub(crate) fn may_begin(text: &[u8]) -> bool {
        let shared = text.len().min(OPENING.len());
        text[..shared] == OPENING.as_bytes()[..shared]
    }

    /// Whether this line of a journal is a header: the first, or one that adds trials.
    pub(crate) fn is_meant(line: &[u8]) -> bool {
        line.starts_with(OPENING.as_bytes())
    }

    /// The first field in which this header differs from the wanted one. The number of trials is not compared: trials
    /// depend on their ids alone, so the records of fewer trials are a part of those of more.
    pub fn difference(&self, wanted: &Header) -> Option<Difference> {
        let checks = [
            differs("experiment", &self.experiment, &wanted.experiment),
            parameters_differ(&self.parameters, &wanted.parameters),
            differs("seed", &self.seed, &wanted.seed),
            differs("version", &known(&self.version), &known(&wanted.version)),
            differs("commit", &known(&self.commit), &known(&wanted.commit)),
        ];
        checks.into_iter().flatten().next()
    }

    /// The same, and the number of trials too.
    pub(crate) fn whole_difference(&self, wanted: &Header) -> Option<Difference> {
        self.difference(wanted).or_else(|| differs("trials", &self.trials, &wanted.trials))
    }
}

/// A field in which two headers differ. Prints as "seed 7, not seed 8".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field: `experiment`, `seed`, `version`, `commit`, or a parameter such as `parameter game`; an item of a list has
    /// its place, counted from 0: `parameter agents[1]`.
    pub field: String,
    /// The value in the first header.
    pub here: String,
    /// The value in the wanted header.
    pub wanted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { field, here, wanted } = self;
        write!(f, "{field} {here}, not {field} {wanted}")
    }
}

fn differs<T: PartialEq + Display>(field: &str, here: &T, wanted: &T) -> Option<Difference> {
    let difference =
        || Difference { field: field.into(), here: here.to_string(), wanted: wanted.to_string() };
    (here != wanted).then(difference)
}

fn known(text: &str) -> &str {
    if text.is_empty() { "unknown" } else { text }
}

/// Names the first parameter that differs if both are tables; otherwise shows them whole. In lists of the same length
/// it names the first item that differs.
fn parameters_differ(here: &Value, wanted: &Value) -> Option<Difference> {
    let (Value::Object(here), Value::Object(wanted)) = (here, wanted) else {
        return differs("parameters", here, wanted);
    };
    let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
    let name = here.keys().chain(wanted.keys()).find(|&name| here.get(name) != wanted.get(name))?;
    if let (Some(Value::Array(here)), Some(Value::Array(wanted))) = (here.get(name), wanted.get(name))
        && here.len() == wanted.len()
        && let Some(place) = (0..here.len()).find(|&place| here[place] != wanted[place])
    {
        return differs(&format!("parameter {name}[{place}]"), &here[place], &wanted[place]);
    }
    differs(&format!("parameter {name}"), &show(here.get(name)), &show(wanted.get(name)))
}
