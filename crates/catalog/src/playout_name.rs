//! Playouts by name: `uniform`, `mast(temperature=0.2)`. A part of a search's name.

use crate::Error;
use crate::error::unknown;
use crate::learner_name::LearnerName;
use crate::units::{Expected, number, switch};
use crate::words::Words;
use aji_games::AtariSteps;
use aji_search::Rng;
use aji_search::bandit::Setting;
use aji_search::playout::Preference;
use std::fmt;

/// How playouts choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayoutName {
    /// `uniform`
    Uniform,
    /// `epsilon(epsilon=0.1)`: greedy by the game's heuristic, with this probability of a random action.
    Epsilon(f32),
    /// `maxi`: the first in the learned order.
    Maxi,
    /// `mast(temperature=0.2)` or `mast(epsilon=0.4)`: by the average payoff of each action.
    Mast(Preference),
    /// `lgr`: the last good reply.
    Lgr,
    /// `atari(shapes=off)`: in Go, looks after stones in danger.
    Atari(AtariSteps),
    /// `net(temperature=1)`: drawn from the policy of a network.
    Net(f32),
}

impl PlayoutName {
    /// The words of all playouts, each with a summary.
    pub const KNOWN: [(&str, &str); 8] = [
        ("uniform", "any action"),
        ("atari", "in Go, looks after stones in danger: answers shapes care, each on or off"),
        ("maxi", "the first in the learned order of incentives"),
        ("potential", "the first in the learned order of potentials"),
        ("mast", "by the average payoff of each action: temperature, or epsilon"),
        ("lgr", "the last good reply"),
        ("epsilon", "greedy by the game's heuristic: epsilon"),
        ("net", "drawn from the policy of the network net=: temperature"),
    ];
}

impl fmt::Display for PlayoutName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayoutName::Uniform => f.write_str("uniform"),
            PlayoutName::Epsilon(epsilon) => write!(f, "epsilon(epsilon={epsilon})"),
            PlayoutName::Maxi => f.write_str("maxi"),
            PlayoutName::Mast(Preference::Softmax { temperature }) => {
                write!(f, "mast(temperature={temperature})")
            }
            PlayoutName::Mast(Preference::Greedy { epsilon }) => write!(f, "mast(epsilon={epsilon})"),
            PlayoutName::Lgr => f.write_str("lgr"),
            PlayoutName::Net(temperature) => write!(f, "net(temperature={temperature})"),
            PlayoutName::Atari(steps) => {
                let options = [("answers", steps.answers), ("shapes", steps.shapes), ("care", steps.care)];
                let off: Vec<String> =
                    options.iter().filter(|(_, on)| !on).map(|(word, _)| format!("{word}=off")).collect();
                let off = if off.is_empty() { String::new() } else { format!("({})", off.join(",")) };
                write!(f, "atari{off}")
            }
        }
    }
}

/// `playout=`, which may also set a learner.
pub(crate) struct PlayoutSetting<'a> {
    pub(crate) playout: &'a mut PlayoutName,
    pub(crate) learn: &'a mut Option<LearnerName>,
}

impl Setting for PlayoutSetting<'_> {
    fn takes(&self) -> Expected {
        "a playout".into()
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        let (playout, learn) =
            read_playout(text).map_err(|error| format!("{}, but {error}", self.takes()))?;
        *self.playout = playout;
        *self.learn = learn.or(*self.learn);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        Some(self.playout.to_string())
    }

    fn example(&self, rng: &mut Rng) -> String {
        PlayoutName::KNOWN[rng.below(PlayoutName::KNOWN.len())].0.to_string()
    }
}

/// How playouts choose, and the learner that they need, if any.
fn read_playout(text: &str) -> Result<(PlayoutName, Option<LearnerName>), Error> {
    let mut words = Words::parse_nested("playout", text)?;
    let playout = match words.name {
        "uniform" | "random" => (PlayoutName::Uniform, None),
        "maxi" => (PlayoutName::Maxi, Some(LearnerName::Ride)),
        "potential" => (PlayoutName::Maxi, Some(LearnerName::Potential)),
        "lgr" => (PlayoutName::Lgr, None),
        "atari" => {
            let mut step = |word| words.take(word, switch).map(|on| on.unwrap_or(true));
            let (answers, shapes, care) = (step("answers")?, step("shapes")?, step("care")?);
            (PlayoutName::Atari(AtariSteps { answers, shapes, care }), None)
        }
        "mast" => {
            let temperature = words.take("temperature", |text| number(text, 1e-3, 1e3))?;
            let epsilon = words.take("epsilon", |text| number(text, 0.0, 1.0))?;
            let preference = match (temperature, epsilon) {
                (Some(_), Some(_)) => {
                    return Err(Error::new("playout mast: give temperature= or epsilon=, not both"));
                }
                (None, Some(epsilon)) => Preference::Greedy { epsilon },
                (temperature, None) => Preference::Softmax { temperature: temperature.unwrap_or(0.2) },
            };
            (PlayoutName::Mast(preference), None)
        }
        "net" => {
            let temperature = words.take("temperature", |text| number(text, 1e-3, 1e3))?;
            (PlayoutName::Net(temperature.unwrap_or(1.0)), None)
        }
        "epsilon" => {
            let epsilon = words.take("epsilon", |text| number(text, 0.0, 1.0))?;
            (PlayoutName::Epsilon(epsilon.unwrap_or(0.1)), None)
        }
        other => {
            return Err(unknown("playout", other, &PlayoutName::KNOWN.map(|(word, _)| word)));
        }
    };
    words.finish()?;
    Ok(playout)
}
